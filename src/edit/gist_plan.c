/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/gist_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/fnv.h"
#include "base/mem.h"

/* Ticks in ascending order. */
struct ticks {
	uint32_t *at;
	size_t n, cap;
};

/* Of a backend: when it began what it does, by the clocks of the tick that showed that
 * first. */
#define MOMENTS 3
static const unsigned moments[MOMENTS] = { COL(BACKEND, QUERY_START),
	COL(BACKEND, XACT_START), COL(BACKEND, STATE_CHANGE) };

struct plan_row {
	struct ticks touched; /* by anything */
	struct ticks due; /* told, in this tick at the latest */
	struct ticks told; /* gist_plan_end(): all that tell of it, */
	struct ticks parts; /* only a part: partly */
	bool exact; /* as touched */
	bool of_server; /* a process of a database, or a backend of a catalog */
	bool is_backend;
	struct moment { /* of a backend */
		uint64_t is;
		uint32_t tick; /* in which it became that; 0: before */
	} moment[MOMENTS];
	uint64_t of; /* hash of its session's key */
	bool closed; /* in the stretch */
	uint64_t belongs; /* to whom, by its title */
};

struct gist_plan {
	struct plan_row *row; /* by serial */
	size_t n, cap;
	uint32_t tick; /* the next one */
	bool has_catalog;
	bool serverless; /* gist_plan_is_serverless() */
	bool clocks_move; /* the offset of a host's clock is not the same in all ticks */
	int64_t *offset_ns; /* of hosts, in the first tick, by index */
	size_t offset_cap, n_offset;
	uint32_t sampled; /* the last tick that shows all that servers do */
	uint64_t late[ENTITY_COUNT][COL_WORDS_MAX]; /* columns that may be told
	                                             * later */
	uint64_t partly[ENTITY_COUNT][COL_WORDS_MAX]; /* even where a part of
	                                               * the row is told */
	uint64_t counters[COL_WORDS_MAX]; /* of late ones, of processes */
};

static void push(struct ticks *t, uint32_t at)
{
	if (t->n > 0 && t->at[t->n - 1] == at)
		return;
	GS_GROW(t->at, &t->cap, t->n + 1);
	t->at[t->n++] = at;
}

/* ---- columns ------------------------------------------------------------ */

/* Columns that are told of a row in part. */
static const struct {
	enum entity_id entity;
	unsigned col;
} parts[] = {
#define PART(E, SYM) { ENTITY_##E, COL(E, SYM) }
	/* of each tick, what the overview shows over time, and what limits
	 * the usage of unseen children; and where events are derived from */
	PART(HOST, CPU_USER), PART(HOST, CPU_NICE), PART(HOST, CPU_SYSTEM),
	PART(HOST, CPU_IDLE), PART(HOST, CPU_IOWAIT), PART(HOST, CPU_IRQ),
	PART(HOST, CPU_SOFTIRQ), PART(HOST, CPU_STEAL),
	PART(HOST, PROCS_RUNNING), PART(HOST, OOM_KILL),
	PART(DISK, READS), PART(DISK, WRITES), PART(DISK, READ_TIME),
	PART(DISK, WRITE_TIME),
#undef PART
};

/* Of processes, what is only shown as it is at the end. */
static const unsigned told_last[] = { COL(PROCESS, STATE),
	COL(PROCESS, FLAGS), COL(PROCESS, PROCESSOR), COL(PROCESS, PRIORITY),
	COL(PROCESS, NICE), COL(PROCESS, WCHAN), COL(PROCESS, TITLE) };

/* Levels and counters that more than sums depend on. */
static const unsigned in_time[] = { COL(PROCESS, THREADS),
	COL(PROCESS, SPILL), COL(PROCESS, SPILL_FILES),
	COL(PROCESS, CMINFLT), COL(PROCESS, CMAJFLT), COL(PROCESS, CUTIME),
	COL(PROCESS, CSTIME), COL(PROCESS, CGUEST_TIME) };

/* Of backends, what decides whose they are, and of which session. */
static const unsigned known_in_time[] = { COL(BACKEND, CONTENT),
	COL(BACKEND, PID), COL(BACKEND, START), COL(BACKEND, SESSION),
	COL(BACKEND, USER), COL(BACKEND, DATABASE), COL(BACKEND, APPLICATION),
	COL(BACKEND, CLIENT_ADDR), COL(BACKEND, CLIENT_HOST),
	COL(BACKEND, CLIENT_PORT), COL(BACKEND, TYPE), COL(BACKEND, LEADER) };

static void set_late(struct gist_plan *p, enum entity_id e, unsigned col,
	bool late)
{
	uint64_t bit = UINT64_C(1) << (col % 64);

	if (late)
		p->late[e][col / 64] |= bit;
	else
		p->late[e][col / 64] &= ~bit;
}

static void choose_parts(struct gist_plan *p)
{
	size_t i;

	memcpy(p->partly, p->late, sizeof(p->partly));
	for (i = 0; i < GS_LEN(parts); i++)
		p->partly[parts[i].entity][parts[i].col / 64] &=
		    ~(UINT64_C(1) << (parts[i].col % 64));
}

static void choose_counters(struct gist_plan *p)
{
	const struct entity *en = entity_get(ENTITY_PROCESS);
	unsigned i;

	for (i = 0; i < en->ncols; i++) {
		if (metric_is_counter(&en->metrics[i]))
			p->counters[i / 64] |= UINT64_C(1) << (i % 64);
	}
	for (i = 0; i < COL_WORDS_MAX; i++)
		p->counters[i] &= p->late[ENTITY_PROCESS][i];
}

static bool is_known_in_time(const struct metric *m)
{
	size_t i;

	for (i = 0; i < GS_LEN(known_in_time); i++) {
		if (metric_get(ENTITY_BACKEND, known_in_time[i]) == m)
			return true;
	}
	return false;
}

static bool may_be_late(const struct metric *m)
{
	if (m->entity == ENTITY_BACKEND)
		return !is_known_in_time(m);
	if (metric_is_text(m) || m->flags & (F_ID | F_BIRTH | F_FACT))
		return false;
	if (m->entity == ENTITY_PROCESS && m->cls == CLASS_STATE)
		return false;
	return m->entity != ENTITY_PROCESS ||
	    strncmp(m->name, "counted_", 8) != 0;
}

static void choose_columns(struct gist_plan *p)
{
	unsigned i;
	int e;

	for (e = 0; e < ENTITY_COUNT; e++) {
		const struct entity *en = entity_get((enum entity_id)e);

		for (i = 0; i < en->ncols; i++)
			set_late(p, (enum entity_id)e, i,
			    may_be_late(&en->metrics[i]));
	}
	for (i = 0; i < GS_LEN(told_last); i++)
		set_late(p, ENTITY_PROCESS, told_last[i], true);
	for (i = 0; i < GS_LEN(in_time); i++)
		set_late(p, ENTITY_PROCESS, in_time[i], false);
	set_late(p, ENTITY_CGROUP, COL(CGROUP, OOM_KILL), false); /* an event */
	choose_parts(p);
	choose_counters(p);
}

/* ---- life --------------------------------------------------------------- */

struct gist_plan *gist_plan_new(void)
{
	struct gist_plan *p = gs_calloc(1, sizeof(*p));

	choose_columns(p);
	return p;
}

void gist_plan_reset(struct gist_plan *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		free(p->row[i].touched.at);
		free(p->row[i].due.at);
		free(p->row[i].told.at);
		free(p->row[i].parts.at);
	}
	p->n = 0;
	p->tick = p->sampled = 0;
	p->n_offset = 0;
	p->has_catalog = p->clocks_move = p->serverless = false;
}

void gist_plan_free(struct gist_plan *p)
{
	if (!p)
		return;
	gist_plan_reset(p);
	free(p->offset_ns);
	free(p->row);
	free(p);
}

static struct plan_row *row_of(struct gist_plan *p, uint32_t serial)
{
	GS_GROW(p->row, &p->cap, (size_t)serial + 1);
	while (p->n <= serial)
		p->row[p->n++] = (struct plan_row) { .exact = false };
	return &p->row[serial];
}

/* ---- one tick ----------------------------------------------------------- */

/* What happened to the row before this tick is told before. */
static void tell_before(struct gist_plan *p, struct plan_row *r)
{
	size_t n = r->touched.n;

	if (n > 0 && r->touched.at[n - 1] == p->tick)
		n--;
	if (n > 0)
		push(&r->due, r->touched.at[n - 1]);
}

static void tell_now(struct gist_plan *p, struct plan_row *r)
{
	tell_before(p, r);
	push(&r->due, p->tick);
}

static uint64_t add_span(uint64_t h, struct span s)
{
	return fnv_add(fnv_add(h, s.ptr, span_len(s)), "", 1);
}

/* The part of a title by which a process belongs to its session; without what it
 * does. */
static uint64_t belonging(const struct proc *c)
{
	const struct title *t = &c->title;
	uint64_t h = FNV_BASIS, v[] = { t->kind, t->role, t->has_session,
		t->has_session ? t->session : 0, t->has_seg,
		t->has_seg ? (uint64_t)(uint32_t)t->seg : 0, t->has_leader,
		t->has_leader ? t->leader_pid : 0, t->has_port,
		t->has_port ? t->port : 0, t->split,
		c->session ? c->session->key_hash : 0 };

	h = fnv_add(h, (const char *)v, sizeof(v));
	h = add_span(add_span(add_span(h, t->cluster), t->user_db), t->user);
	return add_span(add_span(add_span(h, t->database), t->client),
	    t->name);
}

/* Only cells that may be told later have changed, and counters have grown. */
static bool may_wait(const struct gist_plan *p, const struct row *r)
{
	const struct entity *en = entity_get(r->entity);
	unsigned i;

	for (i = 0; i < COL_WORDS(en->ncols); i++) {
		uint64_t other = r->was.present[i] ^ r->now.present[i];

		/* what a backend waits for comes and goes */
		if (r->entity == ENTITY_BACKEND)
			other &= ~p->late[r->entity][i];
		if (other)
			return false;
	}
	for (i = 0; i < en->ncols; i++) {
		uint64_t was = r->was.val[i], now = r->now.val[i];

		if (was == now)
			continue;
		if (!(p->late[r->entity][i / 64] >> (i % 64) & 1) ||
		    (metric_is_counter(&en->metrics[i]) && now < was))
			return false;
	}
	return true;
}

/* Servers of processes that lost their postmaster are not on the list. */
static bool has_server(const struct sessions *s, const struct row *r)
{
	const struct dbserver *v = sessions_server_of(s, r);
	size_t i;

	for (i = 0; v && i < sessions_servers(s); i++) {
		if (sessions_server_get(s, i) == v)
			return true;
	}
	return false;
}

static void take_process(struct gist_plan *p, struct plan_row *to,
	const struct row *r, const struct sessions *s)
{
	const struct proc *c = sessions_proc(s, r);
	uint64_t belongs = c ? belonging(c) : 0, role;
	bool same = belongs == to->belongs;

	to->belongs = belongs;
	p->serverless |= c && c->title.kind != TITLE_NONE &&
	    !has_server(s, r);
	to->of_server |= row_get(r, COL(PROCESS, POSTMASTER), &role) ||
	    (c && (c->title.kind != TITLE_NONE || c->tied));
	if (r->first_tick != r->touched_tick && (!may_wait(p, r) || !same))
		tell_now(p, to);
}

static bool is_exact(const struct row *r)
{
	return r->entity == ENTITY_THREAD ||
	    (r->host->catalog && r->entity != ENTITY_BACKEND);
}

static void take_backend(struct gist_plan *p, struct plan_row *to,
	const struct row *r, const struct session *of)
{
	bool first = r->first_tick == r->touched_tick;
	size_t i;

	for (i = 0; i < MOMENTS; i++) {
		uint64_t now = 0;

		(void)row_get(r, moments[i], &now);
		if (now != to->moment[i].is && !first)
			to->moment[i].tick = p->tick;
		to->moment[i].is = now;
	}
	to->of_server = to->is_backend = true;
	if (of)
		to->of = of->key_hash;
}

static void take_other(struct gist_plan *p, struct plan_row *to,
	const struct row *r)
{
	if (r->first_tick == r->touched_tick)
		return;
	if (!may_wait(p, r))
		tell_now(p, to);
	else if (r->entity == ENTITY_HOST || r->entity == ENTITY_DISK)
		push(&to->parts, p->tick);
}

static void take_row(struct gist_plan *p, const struct row *r,
	const struct sessions *s)
{
	struct plan_row *to = row_of(p, r->serial);

	if (r->closed) {
		tell_before(p, to);
		to->closed = true;
		return;
	}
	push(&to->touched, p->tick);
	to->exact |= is_exact(r);
	if (to->exact)
		return;
	if (r->entity == ENTITY_BACKEND)
		take_backend(p, to, r, sessions_of_backend(s, r));
	if (r->entity == ENTITY_PROCESS)
		take_process(p, to, r, s);
	else
		take_other(p, to, r);
}

/* The growth of a process by its ended children is that of this very tick; its
 * parent's, if it has ended, too. */
static void tell_parents(struct gist_plan *p, const struct row *child)
{
	const struct table *t = &child->host->table[ENTITY_PROCESS];
	uint64_t ppid, pid;
	size_t i;

	if (!row_get(child, COL(PROCESS, PPID), &ppid))
		return;
	for (i = 0; i < t->n_slot; i++) {
		const struct row *r = t->slot[i];

		if (r && row_get(r, COL(PROCESS, PID), &pid) && pid == ppid)
			tell_now(p, row_of(p, r->serial));
	}
}

static void note_clocks(struct gist_plan *p, const struct world *w)
{
	size_t i;

	for (i = 0; i < world_hosts(w); i++) {
		int64_t offset_ns = world_host(w, i)->clock.offset_ns;

		GS_GROW(p->offset_ns, &p->offset_cap, i + 1);
		if (i >= p->n_offset)
			p->offset_ns[p->n_offset++] = offset_ns;
		p->clocks_move |= p->offset_ns[i] != offset_ns;
	}
}

void gist_plan_tick(struct gist_plan *p, const struct world *w,
	const struct sessions *s)
{
	struct row *const *touched;
	size_t n, i;

	note_clocks(p, w);
	touched = world_touched(w, &n);
	for (i = 0; i < n; i++)
		take_row(p, touched[i], s);
	for (i = 0; i < n; i++) {
		if (touched[i]->closed && touched[i]->entity == ENTITY_PROCESS)
			tell_parents(p, touched[i]);
	}
	p->has_catalog |= world_catalog(w, 0) != NULL;
	p->tick++;
}

/* ---- the plan ----------------------------------------------------------- */

bool gist_plan_force_backends(struct gist_plan *p, uint64_t session)
{
	bool any = false;
	size_t i;

	for (i = 0; i < p->n; i++) {
		if (p->row[i].of == session && !p->row[i].exact)
			any = p->row[i].exact = true;
	}
	return any;
}

bool gist_plan_force(struct gist_plan *p, uint32_t serial)
{
	struct plan_row *r = row_of(p, serial);
	bool was = r->exact;

	r->exact = true;
	return !was;
}

static int compare(const void *x, const void *y)
{
	const uint32_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

static void add_up_to(struct ticks *to, const struct ticks *from, uint32_t last)
{
	size_t i;

	for (i = 0; i < from->n && from->at[i] <= last; i++)
		push(to, from->at[i]);
}

/* The last tick that touched it has the clocks by which its session has instants. */
static void add_moments(struct ticks *told, const struct plan_row *r)
{
	size_t i;

	for (i = 0; i < MOMENTS; i++) {
		if (r->moment[i].tick > 0)
			push(told, r->moment[i].tick);
	}
	if (r->touched.n > 0)
		push(told, r->touched.at[r->touched.n - 1]);
}

static void end_row(const struct gist_plan *p, struct plan_row *r)
{
	struct ticks *told = &r->told;

	told->n = 0;
	if (r->exact) {
		add_up_to(told, &r->touched, UINT32_MAX);
		return;
	}
	add_up_to(told, &r->due, UINT32_MAX);
	if (r->of_server && p->has_catalog)
		add_up_to(told, &r->touched, p->sampled);
	if (r->is_backend && p->clocks_move)
		add_moments(told, r);
	if (told->n > 0)
		qsort(told->at, told->n, sizeof(*told->at), compare);
}

bool gist_plan_is_serverless(const struct gist_plan *p)
{
	return p->serverless;
}

void gist_plan_sample(struct gist_plan *p, uint32_t last)
{
	p->sampled = last;
}

void gist_plan_end(struct gist_plan *p)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		end_row(p, &p->row[i]);
}

static bool has_tick(const struct ticks *t, uint32_t tick)
{
	return t->n > 0 && bsearch(&tick, t->at, t->n, sizeof(tick), compare);
}

bool gist_plan_tells(const struct gist_plan *p, const struct row *r,
	uint32_t tick, const uint64_t **ret_later)
{
	const struct plan_row *of;

	if (r->serial >= p->n || tick + 1 == p->tick)
		return true; /* all is told at the end */
	of = &p->row[r->serial];
	if (has_tick(&of->told, tick))
		return true;
	*ret_later = p->partly[r->entity];
	return has_tick(&of->parts, tick);
}

const uint64_t *gist_plan_begins_at_0(const struct gist_plan *p,
	const struct row *r, uint32_t tick)
{
	const struct plan_row *of;
	const struct ticks *later; /* that have to tell of it */

	if (r->entity != ENTITY_PROCESS || r->closed ||
	    r->opened != OPEN_BORN || r->first_tick != r->touched_tick ||
	    r->serial >= p->n || tick == 0 || tick + 1 == p->tick)
		return NULL;
	of = &p->row[r->serial];
	later = of->closed ? &of->told : &of->touched;
	return of->exact || has_tick(&of->told, tick) || later->n == 0 ||
	    later->at[later->n - 1] <= tick ? NULL : p->counters;
}

bool gist_plan_ends(const struct gist_plan *p, const struct row *r,
	uint32_t tick)
{
	const struct ticks *told;

	if (tick + 1 == p->tick)
		return true;
	if (r->serial >= p->n || !p->row[r->serial].closed)
		return false;
	told = &p->row[r->serial].told;
	return told->n > 0 && told->at[told->n - 1] == tick;
}
