/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/servers.h"

#include <stdio.h>
#include <stdlib.h>

#include "agent/title_hint.h"
#include "base/mem.h"

#define PID_FILE_MAX 4096u /* bytes read of postmaster.pid */
#define VERSION_MAX 32u /* of PG_VERSION */
#define PORT_LINE 4 /* of postmaster.pid; line 2 is the data directory */
#define DIR_LINE 2

void servers_init(struct servers *s, struct sent_texts *told)
{
	*s = (struct servers) { 0 };
	rows_init(&s->rows, ENTITY_POSTMASTER, told);
}

void servers_release(struct servers *s)
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

struct server *servers_find(const struct servers *s, uint32_t pid)
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

static void set_text(struct sent_texts *told, uint32_t *id, struct span text)
{
	if (*id)
		sent_drop(told, *id);
	*id = sent_text(told, text);
}

static void set_path(struct server *s, struct span path)
{
	buf_reset(&s->path);
	if (!span_starts(path, "/") || memchr(path.ptr, '\0', span_len(path)))
		return;
	buf_add(&s->path, path.ptr, span_len(path));
}

/* The data directory: the server's working directory; else the one in its
 * arguments. */
static void find_path(struct server *s, struct root *r)
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
static void find_dir(struct server *s, struct root *r, struct mounts *mounts)
{
	struct mount m;

	if (r->procfs && mounts_find(mounts, span_of(buf_str(&s->path),
		s->path.len), &m) && mount_may_hang(&m)) {
		buf_reset(&s->dir);
		return;
	}
	if (s->dir.len > 0 || s->path.len == 0)
		return;
	buf_add_str(&s->dir, r->is_default ? "" : r->dir);
	buf_add_str(&s->dir, s->path.ptr);
}

static bool read_file(struct server *s, struct root *r, const char *name,
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

static void read_version(struct server *s, struct root *r,
	struct sent_texts *told)
{
	struct span text, line, word;

	if (!read_file(s, r, "PG_VERSION", VERSION_MAX, &text) ||
	    !scan_line(&text, &line) || !scan_word(&line, &word))
		return;
	for (line = word; !span_empty(line); line.ptr++) {
		if (*line.ptr <= ' ' || *line.ptr > '~' || *line.ptr == '/')
			return;
	}
	set_text(told, &s->version, word);
}

static void take_port(struct server *s, uint64_t port)
{
	if (port == 0 || port > UINT16_MAX)
		return;
	s->port = (uint32_t)port;
	s->has_port = true;
}

/* A crashed server leaves this file, and while a server starts it is not
 * complete yet. */
static void read_pid_file(struct server *s, struct root *r)
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
			take_port(s, v);
	}
}

static void look(struct server *s, const struct scan *sc,
	struct mounts *mounts)
{
	struct root *r = sc->root;
	struct span version;

	s->looked_ns = sc->mono_ns;
	find_path(s, r);
	find_dir(s, r, mounts);
	if (s->dir.len > 0) {
		read_version(s, r, sc->told);
		read_pid_file(s, r);
	}
	set_text(sc->told, &s->datadir, span_of(buf_str(&s->path),
	    s->path.len));
	version = texts_get(sc->told->texts, s->version);
	if (s->dir.len > 0)
		places_look(&s->places, r, mounts, s->dir.ptr, version);
	else
		s->places.all = false;
}

/* ---- titles of its processes ------------------------------------------- */

static void hear(struct server *s, const struct scan *sc,
	const struct proc *p)
{
	struct title_hint hint;
	uint64_t id;

	if (!cells_get(p->was, COL(PROCESS, TITLE), &id))
		return;
	title_hint_parse(texts_get(sc->told->texts, (uint32_t)id), &s->names,
	    &hint);
	if (hint.has_port && !s->has_port)
		take_port(s, hint.port);
	/* a new one may not have set its title yet */
	if (!hint.client || p->first_tick == sc->tick || p->state == 'Z')
		return;
	if (!hint.activity)
		s->heard = TITLES_OFF;
	else if (s->heard == TITLES_UNKNOWN)
		s->heard = TITLES_ON;
}

static void weigh(struct server *s, const struct proc *p)
{
	uint64_t kib;

	if (!cells_get(p->was, COL(PROCESS, RSS_SHMEM), &kib))
		return;
	if (!s->has_shmem || kib > s->shmem)
		s->shmem = kib;
	s->has_shmem = true;
}

static void ask_processes(struct servers *s, const struct scan *sc,
	const struct procs *ps)
{
	struct server *t = NULL;
	size_t i;

	for (i = 0; i < s->n; i++) {
		s->server[i].has_shmem = false;
		s->server[i].heard = TITLES_UNKNOWN;
	}
	for (i = 0; i < ps->n && s->n > 0; i++) {
		const struct proc *p = ps->proc[i];

		if (p->postmaster == 0 || !p->open)
			continue;
		if (!t || t->pid != p->postmaster)
			t = servers_find(s, p->postmaster);
		if (!t)
			continue;
		weigh(t, p);
		if (t->listen)
			hear(t, sc, p);
	}
}

static void tell_titles(struct server *s, const struct scan *sc)
{
	enum titles before = s->titles;
	char text[160];

	if (s->heard != TITLES_UNKNOWN)
		s->titles = s->heard;
	if (s->titles != TITLES_OFF || before == TITLES_OFF)
		return;
	(void)snprintf(text, sizeof(text), "process titles of the server "
	    "on port %u: update_process_title is off, so they do not say "
	    "what a process does", (unsigned)s->port);
	tick_add_event(sc->told->tick, EVENT_REFUSED, 0, 0, 0, text,
	    strlen(text));
}

/*
 * ---- the list of servers ---------------------------------------------------
 */

static void forget(struct server *s, struct sent_texts *told)
{
	if (s->datadir)
		sent_drop(told, s->datadir);
	if (s->version)
		sent_drop(told, s->version);
	s->datadir = s->version = 0;
}

static void add(struct servers *s, const struct scan *sc,
	const struct proc *p)
{
	struct server *to;
	uint64_t v;

	if (s->n == s->made) {
		GS_GROW(s->server, &s->cap, s->n + 1);
		s->server[s->made++] = (struct server) { 0 };
	}
	to = &s->server[s->n++];
	*to = (struct server) { .path = to->path, .dir = to->dir,
		.places = to->places, .pid = p->pid, .start = p->start,
		.first_tick = sc->tick, .seen = true,
		.born = proc_born(sc, p) };
	if (cells_get(p->was, COL(PROCESS, NS_PID), &v))
		to->ns_pid = v;
	s->changed = true;
}

/* Moves ended servers after the others, for reuse. */
static void remove_unseen(struct servers *s, struct sent_texts *told)
{
	size_t i, kept = 0;

	for (i = 0; i < s->n; i++) {
		struct server t = s->server[i];

		if (!t.seen) {
			forget(&s->server[i], told);
			s->changed = true;
			continue;
		}
		s->server[i] = s->server[kept];
		s->server[kept++] = t;
	}
	s->n = kept;
}

static void sort(struct servers *s)
{
	size_t i, j;

	for (i = 1; i < s->n; i++) {
		struct server t = s->server[i];

		for (j = i; j > 0 && s->server[j - 1].pid > t.pid; j--)
			s->server[j] = s->server[j - 1];
		s->server[j] = t;
	}
}

static void find_all(struct servers *s, const struct scan *sc,
	const struct procs *ps)
{
	size_t i, before;

	s->changed = false;
	for (i = 0; i < s->n; i++)
		s->server[i].seen = false;
	if (sc->rebooted)
		remove_unseen(s, sc->told);
	before = s->n;
	for (i = 0; i < ps->n; i++) {
		const struct proc *p = ps->proc[i];
		struct servers old = { .server = s->server, .n = before };
		struct server *known;

		if (p->db != ROLE_POSTMASTER || p->state == 'Z' || !p->open)
			continue;
		known = servers_find(&old, p->pid);
		if (known && known->start == p->start)
			known->seen = true;
		else
			add(s, sc, p);
	}
	remove_unseen(s, sc->told);
	if (s->changed)
		sort(s);
}

static void put(struct servers *s, const struct server *t,
	struct sent_texts *told)
{
	struct cells c = rows_now(&s->rows);

	cells_set(c, COL(POSTMASTER, PID), t->pid);
	cells_set(c, COL(POSTMASTER, START), t->start);
	if (t->datadir) {
		texts_ref(told->texts, t->datadir);
		cells_set(c, COL(POSTMASTER, DATADIR), t->datadir);
	}
	if (t->version) {
		texts_ref(told->texts, t->version);
		cells_set(c, COL(POSTMASTER, VERSION), t->version);
	}
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

static bool must_look(struct server *s, const struct scan *sc)
{
	bool young = sc->tick - s->first_tick < sc->refresh_ticks;

	return s->first_tick == sc->tick || !sc->root->procfs ||
	    (young && !s->has_port) ||
	    scan_due(sc, s->pid, s->looked_ns) ||
	    (s->dir.len > 0 && places_changed(&s->places, sc->root,
		s->dir.ptr));
}

static void look_at_all(struct servers *s, const struct scan *sc,
	struct mounts *mounts)
{
	bool has_mounts = false;
	size_t i;

	for (i = 0; i < s->n; i++) {
		struct server *t = &s->server[i];

		t->listen = t->titles == TITLES_UNKNOWN;
		if (!must_look(t, sc))
			continue;
		if (!has_mounts)
			(void)mounts_read(mounts, sc->root);
		has_mounts = true;
		look(t, sc, mounts);
		t->listen = true;
	}
}

void servers_tick(struct servers *s, const struct scan *sc,
	const struct procs *ps, struct mounts *mounts, struct block *b)
{
	size_t i;

	find_all(s, sc, ps);
	look_at_all(s, sc, mounts);
	ask_processes(s, sc, ps);
	scan_begin_rows(sc, &s->rows, &b->ent[ENTITY_POSTMASTER]);
	for (i = 0; i < s->n; i++) {
		if (s->server[i].listen)
			tell_titles(&s->server[i], sc);
		put(s, &s->server[i], sc->told);
	}
	rows_end(&s->rows);
}
