#include "model/notable.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/arith.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "model/diff.h"

/* Victims of the kernel that are guessed at. */
#define GUESSES 3

/* Values of process.role */
#define PROCESS_IS_POSTMASTER 1

struct server_key {
	uint32_t host;
	uint32_t boot;
	uint64_t pid;
};

/* A postmaster's children, as far as crashes need them. */
struct below {
	struct server_key key;
	bool reset; /* its checkpointer is gone */
	uint64_t lost_tick;
	size_t lost; /* processes gone in lost_tick, or since reset */
	bool has_seg, has_port;
	int32_t seg;
	uint32_t port;
	UT_hash_handle hh;
};

/* Kills of the tick before, of which no victim had vanished yet. */
struct late_kill {
	uint32_t host;
	uint64_t kills;
};

struct notables {
	struct below *below;
	struct item {
		enum event_kind kind;
		uint32_t host;
		int64_t value;
		size_t at; /* of its text in texts */
	} *item;
	size_t n, cap;
	struct buf texts;
	struct late_kill *late;
	size_t n_late, late_cap;
	int64_t wall_ns;
	/* the tick at hand */
	const struct world *w;
	const struct sessions *s;
	const struct tick *t;
};

struct notables *notables_new(void)
{
	return gs_calloc(1, sizeof(struct notables));
}

void notables_free(struct notables *n)
{
	struct below *b, *next;

	if (!n)
		return;
	HASH_ITER (hh, n->below, b, next) {
		HASH_DEL(n->below, b);
		free(b);
	}
	free(n->item);
	free(n->late);
	buf_release(&n->texts);
	free(n);
}

/* ---- what is said -------------------------------------------------------- */

/* Begins one; its text is whatever is added to n->texts until end(). */
static void begin(struct notables *n, enum event_kind kind,
	const struct host *h, int64_t value)
{
	GS_GROW(n->item, &n->cap, n->n + 1);
	n->item[n->n++] = (struct item) { kind, h ? h->index : EVENT_NO_HOST,
		value, n->texts.len };
}

static void end(struct notables *n)
{
	buf_add_char(&n->texts, '\0');
}

static bool was_noted(const struct notables *n, enum event_kind kind)
{
	size_t i;

	for (i = 0; i < n->t->n_event; i++) {
		if (n->t->event[i].kind == kind)
			return true;
	}
	return false;
}

/* ---- servers -------------------------------------------------------------- */

static uint64_t cell(const struct row *r, unsigned col)
{
	uint64_t v = 0;

	(void)row_get(r, col, &v); /* absent counts as 0 */
	return v;
}

static uint64_t parent_of(const struct row *r)
{
	uint64_t pid = cell(r, COL(PROCESS, POSTMASTER));

	return pid ? pid : cell(r, COL(PROCESS, PPID));
}

static struct below *below_of(struct notables *n, const struct host *h,
	uint64_t pid, bool make)
{
	struct server_key key = { h->index, (uint32_t)h->boot_ids, pid };
	struct below *b = NULL;

	HASH_FIND(hh, n->below, &key, sizeof(key), b);
	if (b || !make)
		return b;
	b = gs_calloc(1, sizeof(*b));
	b->key = key;
	HASH_ADD(hh, n->below, key, sizeof(b->key), b);
	return b;
}

/* The process is gone, and neither only out of sight nor with its host. */
static bool is_gone(const struct row *r)
{
	return !r->host->rebooted &&
	    (r->closed == CLOSE_EXITED || r->closed == CLOSE_UNSEEN);
}

static bool is_born(const struct notables *n, const struct row *r)
{
	return !r->closed && r->opened == OPEN_BORN &&
	    r->first_tick == world_ticks(n->w);
}

static bool is_child(const struct proc *p)
{
	switch (p->title.kind) {
	case TITLE_NONE:
	case TITLE_POSTMASTER:
		return false;
	case TITLE_QD:
	case TITLE_QE:
	case TITLE_BACKEND:
	case TITLE_BACKGROUND:
	case TITLE_WALSENDER:
		return true;
	}
	return false;
}

static void child_gone(struct notables *n, const struct proc *p)
{
	struct below *b = below_of(n, p->row->host, parent_of(p->row), true);

	if (!b->reset && b->lost_tick != world_ticks(n->w))
		b->lost = 0;
	b->lost_tick = world_ticks(n->w);
	b->lost++;
	if (p->title.role == ROLE_CHECKPOINTER)
		b->reset = true;
}

static const struct row *postmaster_row(const struct host *h, uint64_t pid)
{
	const struct table *t = &h->table[ENTITY_POSTMASTER];
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i] && cell(t->slot[i], COL(POSTMASTER, PID)) ==
		    pid)
			return t->slot[i];
	}
	return NULL;
}

/* "postmaster 4711 (port 6002, seg0)" */
static void add_server(struct notables *n, const struct host *h,
	uint64_t pid, uint64_t port)
{
	const struct below *b = below_of(n, h, pid, false);
	const struct row *r = postmaster_row(h, pid);

	if (port == 0 && r)
		port = cell(r, COL(POSTMASTER, PORT));
	if (port == 0 && b && b->has_port)
		port = b->port;
	buf_printf(&n->texts, "postmaster %" PRIu64, pid);
	if (port != 0)
		buf_printf(&n->texts, " (port %" PRIu64, port);
	if (b && b->has_seg)
		buf_printf(&n->texts, "%sseg%" PRId32, port ? ", " : " (",
		    b->seg);
	if (port != 0 || (b && b->has_seg))
		buf_add_char(&n->texts, ')');
}

static void child_born(struct notables *n, const struct proc *p)
{
	const struct host *h = p->row->host;
	uint64_t pid = parent_of(p->row);
	struct below *b = below_of(n, h, pid, false);

	if (!b || !b->reset || p->title.role != ROLE_CHECKPOINTER)
		return;
	begin(n, EVENT_CRASH, h, (int64_t)b->lost);
	add_server(n, h, pid, 0);
	buf_printf(&n->texts, " began anew after a crash: %zu process%s "
	    "lost", b->lost, b->lost == 1 ? "" : "es");
	end(n);
	b->reset = false;
}

/* What is known of a server from the titles of its children. */
static void note_server(struct notables *n, const struct proc *p)
{
	struct below *b;

	if (!p->title.has_port && !p->title.has_seg)
		return;
	b = below_of(n, p->row->host, parent_of(p->row), true);
	if (p->title.has_port) {
		b->has_port = true;
		b->port = p->title.port;
	}
	if (p->title.has_seg && p->title.seg >= 0) {
		b->has_seg = true;
		b->seg = p->title.seg;
	}
}

static void say_postmaster(struct notables *n, const struct host *h,
	uint64_t pid, uint64_t port, bool gone)
{
	struct below *b = below_of(n, h, pid, false);

	begin(n, EVENT_POSTMASTER, h, (int64_t)pid);
	add_server(n, h, pid, port);
	buf_add_str(&n->texts, gone ? " is gone" : " began");
	end(n);
	if (gone && b) {
		HASH_DEL(n->below, b);
		free(b);
	}
}

/* A child that has not set its title yet has its parent's command line. */
static bool has_postmaster_for_parent(const struct notables *n,
	const struct row *r)
{
	const struct table *t = &r->host->table[ENTITY_PROCESS];
	uint64_t ppid = cell(r, COL(PROCESS, PPID));
	size_t i;

	for (i = 0; ppid && i < t->n_slot; i++) {
		const struct proc *p = t->slot[i] && cell(t->slot[i],
		    COL(PROCESS, PID)) == ppid ? sessions_proc(n->s,
		    t->slot[i]) : NULL;

		if (p)
			return p->title.kind == TITLE_POSTMASTER;
	}
	return false;
}

static bool is_postmaster(const struct notables *n, const struct proc *p)
{
	uint64_t role;

	if (row_get(p->row, COL(PROCESS, ROLE), &role))
		return role == PROCESS_IS_POSTMASTER;
	return p->title.kind == TITLE_POSTMASTER &&
	    !has_postmaster_for_parent(n, p->row);
}

/* Postmasters have rows of their own where the agent makes them. */
static bool has_postmaster_rows(const struct notables *n,
	const struct host *h)
{
	size_t k, i;
	struct row *const *touched = world_touched(n->w, &k);

	if (h->table[ENTITY_POSTMASTER].n_live > 0)
		return true;
	for (i = 0; i < k; i++) {
		if (touched[i]->entity == ENTITY_POSTMASTER &&
		    touched[i]->host == h)
			return true;
	}
	return false;
}

static void look_at_postmaster(struct notables *n, const struct row *r)
{
	uint64_t pid = cell(r, COL(POSTMASTER, PID));
	uint64_t port = cell(r, COL(POSTMASTER, PORT));

	if (is_gone(r))
		say_postmaster(n, r->host, pid, port, true);
	else if (is_born(n, r))
		say_postmaster(n, r->host, pid, port, false);
}

static void look_at_server_process(struct notables *n, const struct proc *p)
{
	const struct row *r = p->row;

	if (!(is_gone(r) || is_born(n, r)) || !is_postmaster(n, p) ||
	    has_postmaster_rows(n, r->host))
		return;
	say_postmaster(n, r->host, cell(r, COL(PROCESS, PID)),
	    p->title.has_port ? p->title.port : 0, is_gone(r));
}

/* What ended is looked at before what came: a tick may have both. */
static void look_at_servers(struct notables *n)
{
	size_t k, i;
	struct row *const *touched = world_touched(n->w, &k);
	int pass;

	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < k; i++) {
			const struct row *r = touched[i];
			const struct proc *p = r->entity == ENTITY_PROCESS
			    ? sessions_proc(n->s, r) : NULL;

			if (!p || (pass == 0) != is_gone(r))
				continue;
			if (is_child(p) && pass == 0)
				child_gone(n, p);
			else if (is_child(p) && is_born(n, r))
				child_born(n, p);
			if (pass == 1 && p->changed_tick == world_ticks(n->w))
				note_server(n, p);
		}
	}
	for (i = 0; i < k; i++) {
		const struct proc *p = touched[i]->entity == ENTITY_PROCESS
		    ? sessions_proc(n->s, touched[i]) : NULL;

		if (touched[i]->entity == ENTITY_POSTMASTER)
			look_at_postmaster(n, touched[i]);
		else if (p)
			look_at_server_process(n, p);
	}
}

/* ---- memory ---------------------------------------------------------------- */

static uint64_t memory_kib(const struct row *r)
{
	uint64_t kib = 0;

	if (!row_get(r, COL(PROCESS, RSS_ANON), &kib))
		(void)row_get(r, COL(PROCESS, PRIVATE), &kib);
	return kib + cell(r, COL(PROCESS, VM_SWAP));
}

/* The largest processes of a host that vanished in the tick. */
static size_t vanished(const struct notables *n, const struct host *h,
	const struct row *ret[GUESSES])
{
	size_t k, i, j, found = 0;
	struct row *const *touched = world_touched(n->w, &k);

	for (i = 0; i < k; i++) {
		const struct row *r = touched[i];

		if (r->entity != ENTITY_PROCESS || r->host != h || !is_gone(r))
			continue;
		for (j = found; j > 0 && memory_kib(ret[j - 1]) <
		    memory_kib(r); j--) {
			if (j < GUESSES)
				ret[j] = ret[j - 1];
		}
		if (j < GUESSES)
			ret[j] = r;
		found = GS_MIN(found + 1, (size_t)GUESSES);
	}
	return found;
}

static void add_victim(struct notables *n, const struct row *r)
{
	const struct proc *p = sessions_proc(n->s, r);

	buf_printf(&n->texts, " %" PRIu64, cell(r, COL(PROCESS, PID)));
	if (p && p->session && p->session->kind == SESSION_GREENPLUM)
		buf_printf(&n->texts, " con%s", p->session->name);
	else if (p && p->session && p->session->command[0])
		buf_printf(&n->texts, " %.60s", p->session->command);
	buf_printf(&n->texts, " %" PRIu64 " MiB", memory_kib(r) / 1024);
}

static void say_kill(struct notables *n, const struct host *h,
	uint64_t kills)
{
	const struct row *guess[GUESSES];
	size_t k = vanished(n, h, guess), i;

	begin(n, EVENT_OOM, h, (int64_t)kills);
	buf_printf(&n->texts, "the kernel killed %" PRIu64 " process%s for "
	    "memory", kills, kills == 1 ? "" : "es");
	if (k > 0)
		buf_add_str(&n->texts, "; perhaps, by size, of what "
		    "vanished:");
	for (i = 0; i < k; i++) {
		if (i > 0)
			buf_add_char(&n->texts, ',');
		add_victim(n, guess[i]);
	}
	end(n);
}

/* A large process takes its time to vanish: it is waited for once. */
static void take_late_kills(struct notables *n)
{
	size_t i, k, n_late = n->n_late;

	n->n_late = 0;
	for (k = 0; k < n_late; k++) {
		for (i = 0; i < world_hosts(n->w); i++) {
			const struct host *h = world_host(n->w, i);

			if (h->index == n->late[k].host)
				say_kill(n, h, n->late[k].kills);
		}
	}
}

static uint64_t kills_in(const struct notables *n, const struct row *r,
	unsigned col)
{
	uint64_t d;

	if (!r || r->touched_tick != world_ticks(n->w) ||
	    !diff_counter(r, col, &d))
		return 0;
	return d;
}

static uint64_t kills_of(const struct notables *n, const struct host *h)
{
	const struct table *t = &h->table[ENTITY_CGROUP];
	uint64_t most = 0;
	size_t i;

	if (host_row(h) && cells_has(host_row(h)->now, COL(HOST, OOM_KILL)))
		return kills_in(n, host_row(h), COL(HOST, OOM_KILL));
	/* a group counts what is in the groups below it */
	for (i = 0; i < t->n_slot; i++) {
		uint64_t d = kills_in(n, t->slot[i], COL(CGROUP, OOM_KILL));

		most = GS_MAX(most, d);
	}
	return most;
}

static void look_at_memory(struct notables *n, const struct host *h)
{
	const struct row *guess[GUESSES];
	uint64_t kills = kills_of(n, h);

	if (kills == 0)
		return;
	if (vanished(n, h, guess) > 0) {
		say_kill(n, h, kills);
		return;
	}
	GS_GROW(n->late, &n->late_cap, n->n_late + 1);
	n->late[n->n_late++] = (struct late_kill) { h->index, kills };
}

/* ---- hosts ------------------------------------------------------------------ */

static void look_at_clock(struct notables *n, const struct host *h)
{
	int64_t wall = gs_difference(h->clock.wall_ns, h->prev.wall_ns);
	int64_t boot = gs_difference(h->clock.boot_ns, h->prev.boot_ns);
	int64_t step = gs_difference(wall, boot);

	if (h->blocks < 2 || h->rebooted || was_noted(n, EVENT_CLOCK_STEP) ||
	    (step < NOTABLE_STEP_NS && step > -NOTABLE_STEP_NS))
		return;
	begin(n, EVENT_CLOCK_STEP, h, step);
	buf_printf(&n->texts, "the clock was set %s by %.1f s",
	    step > 0 ? "forward" : "back", (double)(step < 0 ? -step : step) /
	    (double)GS_NSEC_PER_SEC);
	end(n);
}

static void look_at_host(struct notables *n, const struct host *h)
{
	if (!h->sampled || h->catalog)
		return;
	if (h->rebooted) {
		begin(n, EVENT_REBOOT, h, 0);
		buf_add_str(&n->texts, "was booted");
		end(n);
	}
	look_at_clock(n, h);
	look_at_memory(n, h);
}

/* ---- segments, sessions ------------------------------------------------------ */

static bool add_change(struct notables *n, const struct row *r, unsigned col,
	bool any)
{
	uint64_t was, now;

	if (!cells_get(r->was, col, &was) || !row_get(r, col, &now) ||
	    was == now)
		return false;
	if (!any) {
		struct span host = row_text(n->w, r, COL(SEGMENT, HOSTNAME));

		begin(n, EVENT_SEGMENT, NULL,
		    (int64_t)cell(r, COL(SEGMENT, CONTENT)));
		buf_printf(&n->texts, "segment %" PRId64 " (%.*s port %"
		    PRIu64 "):", (int64_t)cell(r, COL(SEGMENT, CONTENT)),
		    (int)span_len(host), host.ptr, cell(r, COL(SEGMENT,
		    PORT)));
	}
	buf_printf(&n->texts, "%s %s %c to %c", any ? "," : "",
	    metric_get(ENTITY_SEGMENT, col)->name, (char)was, (char)now);
	return true;
}

static void look_at_segment(struct notables *n, const struct row *r)
{
	static const unsigned cols[] = { COL(SEGMENT, ROLE),
		COL(SEGMENT, MODE), COL(SEGMENT, STATUS) };
	bool any = false;
	size_t i;

	if (r->closed || r->first_tick == world_ticks(n->w))
		return;
	for (i = 0; i < GS_LEN(cols); i++)
		any |= add_change(n, r, cols[i], any);
	if (any)
		end(n);
}

static void look_at_catalog(struct notables *n)
{
	size_t k, i;
	struct row *const *touched = world_touched(n->w, &k);

	if (!world_catalog(n->w, 0) || was_noted(n, EVENT_SEGMENT))
		return;
	for (i = 0; i < k; i++) {
		if (touched[i]->entity == ENTITY_SEGMENT)
			look_at_segment(n, touched[i]);
	}
}

/* Whoever asks the catalog notes it there. */
static void look_at_sessions(struct notables *n)
{
	size_t k, i;
	const struct session_renamed *r = sessions_renamed(n->s, &k);

	for (i = 0; i < k; i++) {
		const struct session *s = r[i].session;

		if (s->backend || !s->leader || s->own)
			continue;
		begin(n, EVENT_SESSION, s->leader->row->host,
		    (int64_t)r[i].to);
		buf_printf(&n->texts, "con%" PRIu32 " goes on as con%" PRIu32
		    " (pid %" PRIu64 ")", r[i].from, r[i].to,
		    cell(s->leader->row, COL(PROCESS, PID)));
		end(n);
	}
}

void notable_tick(struct notables *n, const struct world *w,
	const struct sessions *s, const struct tick *t)
{
	size_t i;

	n->w = w;
	n->s = s;
	n->t = t;
	n->wall_ns = t->wall_ns;
	n->n = 0;
	buf_reset(&n->texts);
	take_late_kills(n);
	for (i = 0; i < world_hosts(w); i++)
		look_at_host(n, world_host(w, i));
	look_at_servers(n);
	look_at_catalog(n);
	look_at_sessions(n);
}

size_t notable_count(const struct notables *n)
{
	return n->n;
}

struct notable notable_get(const struct notables *n, size_t i)
{
	const struct item *k = &n->item[i];

	return (struct notable) { k->kind, n->wall_ns, k->host, k->value,
		n->texts.ptr + k->at };
}
