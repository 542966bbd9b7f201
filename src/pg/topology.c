/* SPDX-License-Identifier: Apache-2.0 */
#include "pg/topology.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/scan.h"
#include "pg/note.h"
#include "pg/decode.h"

static void clear(struct instance *list, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		free(list[i].hostname);
		free(list[i].address);
		free(list[i].datadir);
	}
}

void topology_release(struct topology *t)
{
	clear(t->list, t->n);
	free(t->list);
	free(t->before);
	free(t->limit);
	*t = (struct topology) { 0 };
}

static struct span field(const PGresult *r, int row, const char *name)
{
	int col = PQfnumber(r, name);

	if (col < 0)
		return span_of("", 0);
	return span_of(PQgetvalue(r, row, col),
	    (size_t)PQgetlength(r, row, col));
}

static int64_t number(const PGresult *r, int row, const char *name)
{
	struct span s = field(r, row, name);
	uint64_t v;

	return scan_s64(&s, &v) ? (int64_t)v : 0;
}

static char letter(const PGresult *r, int row, const char *name)
{
	struct span s = field(r, row, name);

	return span_empty(s) ? '?' : *s.ptr;
}

static char *text(const PGresult *r, int row, const char *name)
{
	struct span s = field(r, row, name);

	return gs_strndup(s.ptr, decode_cut(s, DECODE_TEXT_MAX));
}

static struct instance read_instance(const PGresult *r, int row)
{
	return (struct instance) {
		.content = number(r, row, "content"),
		.dbid = number(r, row, "dbid"),
		.port = number(r, row, "port"),
		.role = letter(r, row, "role"),
		.mode = letter(r, row, "mode"),
		.status = letter(r, row, "status"),
		.hostname = text(r, row, "hostname"),
		.address = text(r, row, "address"),
		.datadir = text(r, row, "datadir"),
	};
}

static bool same_place(const struct instance *a, const struct instance *b)
{
	return a->port == b->port && strcmp(a->hostname, b->hostname) == 0 &&
	    strcmp(a->datadir, b->datadir) == 0;
}

static bool same(const struct instance *a, const struct instance *b)
{
	return same_place(a, b) && a->content == b->content &&
	    a->dbid == b->dbid && a->role == b->role && a->mode == b->mode &&
	    a->status == b->status && strcmp(a->address, b->address) == 0;
}

static void note_change(const struct instance *was, const struct instance *now,
	struct tick *events)
{
	struct buf b = BUF_INIT;

	if (was->role != now->role)
		buf_printf(&b, ", role %c is now %c", was->role, now->role);
	if (was->mode != now->mode)
		buf_printf(&b, ", mode %c is now %c", was->mode, now->mode);
	if (was->status != now->status)
		buf_printf(&b, ", status %c is now %c", was->status,
		    now->status);
	if (b.len)
		note(events, EVENT_SEGMENT, now->content, "segment %" PRId64
		    " on %s port %" PRId64 "%s", now->content, now->hostname,
		    now->port, buf_str(&b));
	buf_release(&b);
}

/* The list is sorted by dbid, so that mostly each follows the previous one,
 * which was at *next. */
static const struct instance *find_before(const struct topology *t, size_t i,
	size_t *next)
{
	size_t k, at;

	for (k = 0; k < t->n_before; k++) {
		at = (*next + k) % t->n_before;
		if (same_place(&t->before[at], &t->list[i])) {
			*next = at + 1;
			return &t->before[at];
		}
	}
	return NULL;
}

static bool compare(const struct topology *t, struct tick *events)
{
	bool differs = t->n != t->n_before;
	size_t i, next = 0;

	for (i = 0; i < t->n; i++) {
		const struct instance *was = find_before(t, i, &next);

		if (!was || !same(was, &t->list[i]))
			differs = true;
		if (was)
			note_change(was, &t->list[i], events);
	}
	return differs;
}

void topology_apply(struct topology *t, const PGresult *r,
	struct tick *events)
{
	struct instance *list = t->before;
	size_t cap = t->before_cap, n = (size_t)PQntuples(r);
	int i;

	t->before = t->list;
	t->before_cap = t->cap;
	t->n_before = t->n;
	GS_GROW(list, &cap, n);
	for (i = 0; i < (int)n; i++)
		list[i] = read_instance(r, i);
	t->list = list;
	t->cap = cap;
	t->n = n;
	if (compare(t, events))
		t->generation++;
	clear(t->before, t->n_before);
	t->n_before = 0;
}

static int by_content(const void *a, const void *b)
{
	const struct limit *l = a, *m = b;

	return (l->content > m->content) - (l->content < m->content);
}

void topology_apply_limits(struct topology *t, const PGresult *r)
{
	size_t n = (size_t)PQntuples(r);
	int i;

	GS_GROW(t->limit, &t->limit_cap, n);
	for (i = 0; i < (int)n; i++)
		t->limit[i] = (struct limit) { number(r, i, "content"),
			number(r, i, "max_connections") };
	t->n_limit = n;
	if (n > 0)
		qsort(t->limit, n, sizeof(*t->limit), by_content);
}

bool topology_limit(const struct topology *t, int64_t content, uint64_t *ret)
{
	struct limit key = { content, 0 }, *l = NULL;

	if (t->n_limit)
		l = bsearch(&key, t->limit, t->n_limit, sizeof(key),
		    by_content);
	if (!l || l->max_connections <= 0)
		return false;
	*ret = (uint64_t)l->max_connections;
	return true;
}

const struct instance *topology_coordinator(const struct topology *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		if (t->list[i].content == -1 && t->list[i].role == 'p')
			return &t->list[i];
	}
	return NULL;
}
