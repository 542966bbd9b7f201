/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/pick.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/suggest.h"
#include "base/scan.h"

/* Maximum words of a list. */
#define WORDS_MAX 10000

/* ---- lists ------------------------------------------------------------ */

static struct span without_blanks(struct span s)
{
	while (!span_empty(s) && *s.ptr == ' ')
		s.ptr++;
	while (!span_empty(s) && s.end[-1] == ' ')
		s.end--;
	return s;
}

/* Takes the next word of a list; false at its end. */
static bool next_word(struct span *rest, struct span *ret)
{
	while (scan_item(rest, ',', ret)) {
		*ret = without_blanks(*ret);
		if (!span_empty(*ret))
			return true;
	}
	return false;
}

static int no_names(const char *what, const char *list, struct gs_err *err)
{
	return gs_fail(err, GS_E_USAGE, "--%s: no names in \"%s\"", what, list);
}

static int read_names(const char *list, const char *what,
	struct pick_name **ret, size_t *ret_n, struct gs_err *err)
{
	struct span rest = span_str(list ? list : ""), word;
	size_t cap = 0;

	while (next_word(&rest, &word)) {
		if (*ret_n == WORDS_MAX)
			return gs_fail(err, GS_E_USAGE,
			    "--%s: more than %d names", what, WORDS_MAX);
		GS_GROW(*ret, &cap, *ret_n + 1);
		(*ret)[(*ret_n)++] = (struct pick_name) {
			gs_strndup(word.ptr, span_len(word)), false };
	}
	if (list && *ret_n == 0)
		return no_names(what, list, err);
	return GS_OK;
}

static int no_entity(struct span word, const char *option,
	struct gs_err *err)
{
	char *name = gs_strndup(word.ptr, GS_MIN(span_len(word), 60));
	const char *near = NULL;
	int e;

	for (e = 0; e < ENTITY_COUNT && !near; e++) {
		const char *is = entity_get((enum entity_id)e)->name;

		if (suggest_is_close(name, is) &&
		    suggest_distance(name, is) < 3)
			near = is;
	}
	(void)gs_fail(err, GS_E_USAGE, "--%s: there are no rows of kind "
	    "\"%s\"%s%s%s", option, name, near ? " (did you mean " : "",
	    near ? near : "", near ? "?)" : "");
	free(name);
	return GS_E_USAGE;
}

static int read_entities(struct pick *p, const char *list,
	struct gs_err *err)
{
	struct span rest = span_str(list ? list : ""), word;
	bool any = false;
	int e;

	for (e = 0; e < ENTITY_COUNT; e++)
		p->entity[e] = !list || e == ENTITY_HOST;
	while (next_word(&rest, &word)) {
		e = entity_by_name(word.ptr, span_len(word));
		if (e < 0)
			return no_entity(word, "entities", err);
		any = p->entity[e] = true;
	}
	return list && !any ? no_names("entities", list, err) : GS_OK;
}

/* ---- columns ---------------------------------------------------------- */

/* Identity columns, and references to other rows. */
static bool is_needed(const struct metric *m)
{
	static const struct {
		enum entity_id e;
		unsigned col;
	} tie[] = {
		{ ENTITY_PROCESS, COL(PROCESS, PPID) },
		{ ENTITY_PROCESS, COL(PROCESS, NS_PID) },
		{ ENTITY_PROCESS, COL(PROCESS, ROLE) },
		{ ENTITY_PROCESS, COL(PROCESS, OS_SESSION) },
	};
	size_t i;

	if (m->flags & (F_ID | F_BIRTH | F_FACT))
		return true;
	for (i = 0; i < GS_LEN(tie); i++) {
		if ((enum entity_id)m->entity == tie[i].e &&
		    m->col == tie[i].col)
			return true;
	}
	return false;
}

static void set_column(struct pick *p, enum entity_id e, unsigned col)
{
	p->col[e][col / 64] |= UINT64_C(1) << (col % 64);
}

/* For an entity that is named for the first time only needed columns stay. */
static void narrow(struct pick *p, enum entity_id e)
{
	const struct entity *en = entity_get(e);
	unsigned i;

	memset(p->col[e], 0, sizeof(p->col[e]));
	for (i = 0; i < en->ncols; i++) {
		if (is_needed(&en->metrics[i]))
			set_column(p, e, i);
	}
}

/* "process.rss" or "process.*" */
static int add_metric(struct pick *p, struct span word,
	bool named[ENTITY_COUNT], struct gs_err *err)
{
	struct span metric = word, name;
	const struct metric *m = NULL;
	const struct entity *en;
	unsigned i;
	int e;

	if (!scan_until(&metric, '.', &name))
		return gs_fail(err, GS_E_USAGE, "--metrics: expected names "
		    "such as process.rss or disk.*, got \"%.*s\"",
		    (int)GS_MIN(span_len(word), 60), word.ptr);
	e = entity_by_name(name.ptr, span_len(name));
	if (e < 0)
		return no_entity(name, "metrics", err);
	if (!named[e])
		narrow(p, (enum entity_id)e);
	named[e] = true;
	en = entity_get((enum entity_id)e);
	if (!span_eq(metric, "*")) {
		m = metric_by_name((enum entity_id)e, metric.ptr,
		    span_len(metric));
		if (!m)
			return gs_fail(err, GS_E_USAGE, "--metrics: %s has "
			    "no \"%.*s\"; gpsnap-metrics(7) lists them",
			    en->name, (int)GS_MIN(span_len(metric), 60),
			    metric.ptr);
		set_column(p, (enum entity_id)e, m->col);
		return GS_OK;
	}
	for (i = 0; i < en->ncols; i++)
		set_column(p, (enum entity_id)e, i);
	return GS_OK;
}

static int read_metrics(struct pick *p, const char *list, struct gs_err *err)
{
	struct span rest = span_str(list ? list : ""), word;
	bool named[ENTITY_COUNT] = { false }, any = false;
	int r = GS_OK;

	memset(p->col, 0xff, sizeof(p->col));
	p->some_columns = list != NULL;
	while (r == GS_OK && next_word(&rest, &word)) {
		r = add_metric(p, word, named, err);
		any = true;
	}
	return list && !any ? no_names("metrics", list, err) : r;
}

/* Counters that what reaped children used is in. */
static void find_reaped(uint64_t to[COL_WORDS_MAX])
{
	const struct entity *en = entity_get(ENTITY_PROCESS);
	unsigned i;

	for (i = 0; i < en->ncols; i++) {
		if (en->metrics[i].flags & F_REAPED)
			to[i / 64] |= UINT64_C(1) << (i % 64);
	}
}

/* ---- the whole -------------------------------------------------------- */

int pick_init(struct pick *p, const char *hosts, const char *sessions,
	const char *entities, const char *metrics, struct gs_err *err)
{
	int r;

	*p = (struct pick) { .all = !hosts && !sessions && !entities &&
		    !metrics };
	r = read_names(hosts, "hosts", &p->host, &p->n_host, err);
	if (r == GS_OK)
		r = read_names(sessions, "sessions", &p->session,
		    &p->n_session, err);
	if (r == GS_OK)
		r = read_entities(p, entities, err);
	if (r == GS_OK)
		r = read_metrics(p, metrics, err);
	find_reaped(p->reaped);
	return r;
}

static void free_names(struct pick_name *name, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		free(name[i].text);
	free(name);
}

void pick_release(struct pick *p)
{
	free_names(p->host, p->n_host);
	free_names(p->session, p->n_session);
	*p = (struct pick) { 0 };
}

/* ---- asking ----------------------------------------------------------- */

bool pick_has_name(struct pick *p, const char *name)
{
	bool any = p->n_host == 0;
	size_t i;

	for (i = 0; i < p->n_host; i++) {
		if (strcmp(p->host[i].text, name) == 0)
			any = p->host[i].found = true;
	}
	return any;
}

bool pick_has_host(struct pick *p, const struct host *h)
{
	return h->catalog || pick_has_name(p, h->name);
}

/* "7" and "con7" are the session of that number, "4711" a backend's. */
static bool is_named(struct pick *p, const struct session *n)
{
	bool any = false;
	size_t i;

	if (!n || n->kind == SESSION_OS)
		return false;
	for (i = 0; i < p->n_session; i++) {
		const char *s = p->session[i].text;

		if (strncmp(s, "con", 3) == 0 &&
		    n->kind == SESSION_GREENPLUM)
			s += 3;
		if (strcmp(s, n->name) == 0)
			any = p->session[i].found = true;
	}
	return any;
}

/* A server's own processes are needed to identify the parents of others. */
static bool is_server(const struct proc *p)
{
	return p->title.kind == TITLE_POSTMASTER;
}

static bool has_session(struct pick *p, const struct sessions *s,
	const struct row *r)
{
	const struct proc *proc;

	switch (r->entity) {
	case ENTITY_PROCESS:
		proc = sessions_proc(s, r);
		return proc && (is_server(proc) ||
		    is_named(p, proc->session));
	case ENTITY_BACKEND:
		return is_named(p, sessions_of_backend(s, r));
	default:
		return true;
	}
}

bool pick_has_row(struct pick *p, const struct sessions *s,
	const struct row *r)
{
	if (!p->entity[r->entity])
		return false;
	return p->n_session == 0 || has_session(p, s, r);
}

const uint64_t *pick_hidden(const struct pick *p, const struct sessions *s,
	const struct row *r)
{
	const struct proc *proc = p->n_session > 0 &&
	    r->entity == ENTITY_PROCESS ? sessions_proc(s, r) : NULL;

	return proc && is_server(proc) ? p->reaped : NULL;
}

static int check_names(const struct pick_name *name, size_t n,
	const char *what, struct gs_err *err)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (!name[i].found)
			return gs_fail(err, GS_E_NOTFOUND, "no %s %s in this "
			    "part of the recording: nothing was written",
			    what, name[i].text);
	}
	return GS_OK;
}

int pick_check_found(const struct pick *p, struct gs_err *err)
{
	int r = check_names(p->host, p->n_host, "host", err);

	return r == GS_OK ? check_names(p->session, p->n_session, "session",
	    err) : r;
}
