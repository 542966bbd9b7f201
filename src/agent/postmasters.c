/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/postmasters.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "title/title.h"

#define PID_FILE_MAX 4096u /* bytes read of postmaster.pid */
#define VERSION_MAX 32u /* of PG_VERSION */
#define PORT_LINE 4 /* of postmaster.pid; line 2 is the data directory */
#define DIR_LINE 2

void postmasters_init(struct postmasters *s, struct sent_texts *sent)
{
	*s = (struct postmasters) { 0 };
	rows_init(&s->rows, ENTITY_POSTMASTER, sent);
}

void postmasters_release(struct postmasters *s)
{
	size_t i;

	for (i = 0; i < s->made; i++) {
		buf_release(&s->server[i].path);
		buf_release(&s->server[i].dir);
		places_release(&s->server[i].places);
	}
	free(s->server);
	rows_release(&s->rows);
}

struct postmaster *postmasters_find(const struct postmasters *s, uint32_t pid)
{
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->server[mid].pid < pid)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < s->n && s->server[lo].pid == pid ? &s->server[lo] : NULL;
}

/* ---- facts read from time to time ---------------------------------------- */

static void set_text(struct sent_texts *sent, uint32_t *id, struct span text)
{
	if (*id)
		sent_drop(sent, *id);
	*id = sent_text(sent, text);
}

static void set_path(struct postmaster *s, struct span path)
{
	buf_reset(&s->path);
	if (!span_starts(path, "/") || memchr(path.ptr, '\0', span_len(path)))
		return;
	buf_add(&s->path, path.ptr, span_len(path));
}

/* The data directory: the server's working directory; else the one in its
 * arguments. */
static void find_path(struct postmaster *s, struct root *r)
{
	struct span text, dir;
	char name[32];

	(void)snprintf(name, sizeof(name), "%u/cwd", (unsigned)s->pid);
	buf_reset(&s->path);
	buf_reset(&s->dir);
	if (root_readlink(r, r->proc_fd, name, &text) == 0) {
		set_path(s, text);
		if (r->procfs)
			buf_add_str(&s->dir, name);
	}
	if (s->path.len > 0)
		return;
	(void)snprintf(name, sizeof(name), "%u/cmdline", (unsigned)s->pid);
	if (root_read_proc(r, name, &text) == 0 &&
	    pid_cmdline_data_dir(text, &dir)) {
		set_path(s, dir);
		return;
	}
	(void)snprintf(name, sizeof(name), "%u/environ", (unsigned)s->pid);
	if (root_read_proc(r, name, &text) == 0 &&
	    pid_environ_get(text, "PGDATA", &dir))
		set_path(s, dir);
}

/* The path the data directory is read from. */
static void find_dir(struct postmaster *s, struct root *r,
	struct mounts *mounts)
{
	struct mount m;

	if (r->procfs && mounts_find(mounts, span_of(buf_str(&s->path),
		s->path.len), &m) && mount_may_hang(&m)) {
		buf_reset(&s->dir);
		return;
	}
	if (s->dir.len > 0 || s->path.len == 0)
		return;
	buf_add_str(&s->dir, s->path.ptr);
}

static bool read_file(struct postmaster *s, struct root *r, const char *name,
	size_t max_bytes, struct span *ret)
{
	size_t len = s->dir.len;
	int status;

	buf_add_char(&s->dir, '/');
	buf_add_str(&s->dir, name);
	status = root_read_file(r, s->dir.ptr, max_bytes, ret);
	s->dir.len = len;
	s->dir.ptr[len] = '\0';
	return status == 0;
}

static void read_version(struct postmaster *s, struct root *r,
	struct sent_texts *sent)
{
	struct span text, line, word;

	if (!read_file(s, r, "PG_VERSION", VERSION_MAX, &text) ||
	    !scan_line(&text, &line) || !scan_word(&line, &word))
		return;
	for (line = word; !span_empty(line); line.ptr++) {
		if (*line.ptr <= ' ' || *line.ptr > '~' || *line.ptr == '/')
			return;
	}
	set_text(sent, &s->version, word);
}

static void set_port(struct postmaster *s, uint64_t port)
{
	if (port == 0 || port > UINT16_MAX)
		return;
	s->port = (uint32_t)port;
	s->has_port = true;
}

/* A crashed server leaves this file, and while a server starts it is not
 * complete yet. */
static void read_pid_file(struct postmaster *s, struct root *r)
{
	struct span text, line;
	uint64_t v;
	int n;

	if (!read_file(s, r, "postmaster.pid", PID_FILE_MAX, &text) ||
	    !scan_line(&text, &line) || !scan_u64(&line, &v) ||
	    (v != s->pid && v != s->ns_pid))
		return;
	for (n = DIR_LINE; n <= PORT_LINE && scan_line(&text, &line); n++) {
		if (n == DIR_LINE && span_starts(line, "/"))
			set_path(s, line);
		/* the last line read may be truncated */
		if (n == PORT_LINE && !span_empty(text) &&
		    scan_u64(&line, &v))
			set_port(s, v);
	}
}

static void read_facts(struct postmaster *s, const struct scan *sc,
	struct mounts *mounts)
{
	struct root *r = sc->root;
	struct span version;

	s->read_ns = sc->mono_ns;
	find_path(s, r);
	find_dir(s, r, mounts);
	if (s->dir.len > 0) {
		read_version(s, r, sc->sent);
		read_pid_file(s, r);
	}
	set_text(sc->sent, &s->datadir, span_of(buf_str(&s->path),
	    s->path.len));
	version = texts_get(sc->sent->texts, s->version);
	if (s->dir.len > 0)
		places_find(&s->places, r, mounts, s->dir.ptr, version);
	else
		s->places.all = false;
}

/* ---- titles of its processes ------------------------------------------- */

/* True if it serves a client, so that it must have an activity. */
static bool is_client(const struct title *t)
{
	return t->kind == TITLE_QD || t->kind == TITLE_QE ||
	    (t->kind == TITLE_BACKEND && t->role == ROLE_CLIENT);
}

static void read_title(struct postmaster *s, const struct scan *sc,
	const struct proc *p)
{
	struct span text;
	struct title t;
	uint64_t id;

	if (!cells_get(p->was, COL(PROCESS, TITLE), &id))
		return;
	text = texts_get(sc->sent->texts, (uint32_t)id);
	(void)title_learn(&s->names, text); /* either result is fine */
	title_parse_named(text, &s->names, &t);
	if (t.has_port && !s->has_port)
		set_port(s, t.port);
	/* a new one may not have set its title yet */
	if (!is_client(&t) || p->first_tick == sc->tick || p->state == 'Z')
		return;
	if (span_empty(t.activity) && t.state == TITLE_STATE_NONE)
		s->titles_now = TITLES_OFF;
	else if (s->titles_now == TITLES_UNKNOWN)
		s->titles_now = TITLES_ON;
}

static void weigh(struct postmaster *s, const struct proc *p)
{
	uint64_t kib;

	if (!cells_get(p->was, COL(PROCESS, RSS_SHMEM), &kib))
		return;
	if (!s->has_shmem || kib > s->shmem)
		s->shmem = kib;
	s->has_shmem = true;
}

static void ask_processes(struct postmasters *s, const struct scan *sc,
	const struct procs *ps)
{
	struct postmaster *t = NULL;
	size_t i;

	for (i = 0; i < s->n; i++) {
		s->server[i].has_shmem = false;
		s->server[i].titles_now = TITLES_UNKNOWN;
	}
	for (i = 0; i < ps->n && s->n > 0; i++) {
		const struct proc *p = ps->proc[i];

		if (p->postmaster == 0 || !p->open)
			continue;
		if (!t || t->pid != p->postmaster)
			t = postmasters_find(s, p->postmaster);
		if (!t)
			continue;
		weigh(t, p);
		if (t->listen)
			read_title(t, sc, p);
	}
}

static void report_titles(struct postmaster *s, const struct scan *sc)
{
	enum titles before = s->titles;
	char text[160];

	if (s->titles_now != TITLES_UNKNOWN)
		s->titles = s->titles_now;
	if (s->titles != TITLES_OFF || before == TITLES_OFF)
		return;
	(void)snprintf(text, sizeof(text), "process titles of the server "
	    "on port %u: update_process_title is off, so they do not say "
	    "what a process does", (unsigned)s->port);
	tick_add_event(sc->sent->tick, EVENT_REFUSED, 0, 0, 0, text,
	    strlen(text));
}

/*
 * ---- the list of servers ---------------------------------------------------
 */

static void forget(struct postmaster *s, struct sent_texts *sent)
{
	if (s->datadir)
		sent_drop(sent, s->datadir);
	if (s->version)
		sent_drop(sent, s->version);
	s->datadir = s->version = 0;
}

static void add(struct postmasters *s, const struct scan *sc,
	const struct proc *p)
{
	struct postmaster *to;
	uint64_t v;

	if (s->n == s->made) {
		GS_GROW(s->server, &s->cap, s->n + 1);
		s->server[s->made++] = (struct postmaster) { 0 };
	}
	to = &s->server[s->n++];
	*to = (struct postmaster) { .path = to->path, .dir = to->dir,
		.places = to->places, .pid = p->pid, .start = p->start,
		.first_tick = sc->tick, .seen = true,
		.born = proc_born(sc, p) };
	if (cells_get(p->was, COL(PROCESS, NS_PID), &v))
		to->ns_pid = v;
	s->changed = true;
}

/* Moves ended servers after the others, for reuse. */
static void remove_unseen(struct postmasters *s, struct sent_texts *sent)
{
	size_t i, kept = 0;

	for (i = 0; i < s->n; i++) {
		struct postmaster t = s->server[i];

		if (!t.seen) {
			forget(&s->server[i], sent);
			s->changed = true;
			continue;
		}
		s->server[i] = s->server[kept];
		s->server[kept++] = t;
	}
	s->n = kept;
}

static void sort(struct postmasters *s)
{
	size_t i, j;

	for (i = 1; i < s->n; i++) {
		struct postmaster t = s->server[i];

		for (j = i; j > 0 && s->server[j - 1].pid > t.pid; j--)
			s->server[j] = s->server[j - 1];
		s->server[j] = t;
	}
}

static void find_all(struct postmasters *s, const struct scan *sc,
	const struct procs *ps)
{
	size_t i, before;

	s->changed = false;
	for (i = 0; i < s->n; i++)
		s->server[i].seen = false;
	if (sc->rebooted)
		remove_unseen(s, sc->sent);
	before = s->n;
	for (i = 0; i < ps->n; i++) {
		const struct proc *p = ps->proc[i];
		struct postmasters old = { .server = s->server, .n = before };
		struct postmaster *known;

		if (p->db != PROC_POSTMASTER || p->state == 'Z' || !p->open)
			continue;
		known = postmasters_find(&old, p->pid);
		if (known && known->start == p->start)
			known->seen = true;
		else
			add(s, sc, p);
	}
	remove_unseen(s, sc->sent);
	if (s->changed)
		sort(s);
}

static void put(struct postmasters *s, const struct postmaster *t,
	struct sent_texts *sent)
{
	struct cells c = rows_now(&s->rows);

	cells_set(c, COL(POSTMASTER, PID), t->pid);
	cells_set(c, COL(POSTMASTER, START), t->start);
	set_text_id(sent, c, COL(POSTMASTER, DATADIR), t->datadir);
	set_text_id(sent, c, COL(POSTMASTER, VERSION), t->version);
	if (t->has_port)
		cells_set(c, COL(POSTMASTER, PORT), t->port);
	if (t->has_shmem)
		cells_set(c, COL(POSTMASTER, SHMEM), t->shmem);
	if (t->titles != TITLES_UNKNOWN)
		cells_set(c, COL(POSTMASTER, TITLES_OFF),
		    t->titles == TITLES_OFF);
	rows_put_as(&s->rows, t->start << 32 | t->pid,
	    t->born ? OPEN_BORN : OPEN_APPEARED);
}

static bool must_read(struct postmaster *s, const struct scan *sc)
{
	bool young = sc->tick - s->first_tick < sc->turn_ticks[TURN_SOON];

	return s->first_tick == sc->tick || !sc->root->procfs ||
	    (young && !s->has_port) ||
	    scan_due(sc, TURN_SOON, s->pid, s->read_ns) ||
	    (s->dir.len > 0 && places_changed(&s->places, sc->root,
		s->dir.ptr));
}

static void read_all(struct postmasters *s, const struct scan *sc,
	struct mounts *mounts)
{
	bool has_mounts = false;
	size_t i;

	for (i = 0; i < s->n; i++) {
		struct postmaster *t = &s->server[i];

		t->listen = t->titles == TITLES_UNKNOWN;
		if (!must_read(t, sc))
			continue;
		if (!has_mounts)
			(void)mounts_read(mounts, sc->root);
		has_mounts = true;
		read_facts(t, sc, mounts);
		t->listen = true;
	}
}

void postmasters_tick(struct postmasters *s, const struct scan *sc,
	const struct procs *ps, struct mounts *mounts, struct block *b)
{
	size_t i;

	find_all(s, sc, ps);
	read_all(s, sc, mounts);
	ask_processes(s, sc, ps);
	scan_begin_rows(sc, &s->rows, &b->ent[ENTITY_POSTMASTER]);
	for (i = 0; i < s->n; i++) {
		if (s->server[i].listen)
			report_titles(&s->server[i], sc);
		put(s, &s->server[i], sc->sent);
	}
	rows_end(&s->rows);
}
