/* SPDX-License-Identifier: Apache-2.0 */
#include "web/levels.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "metric/unit.h"
#include "model/diff.h"

/* Each entity whose rows stay what they are: not processes and sessions. */
static const char *const exposed[] = { "host", "disk", "net", "fs", "group",
	"cluster", "agent" };

struct levels {
	uint64_t *seen; /* by host: its last tick, from 1 */
	size_t n, cap;
	uint64_t tick;
};

struct levels *levels_new(void)
{
	return gs_calloc(1, sizeof(struct levels));
}

void levels_free(struct levels *l)
{
	if (!l)
		return;
	free(l->seen);
	free(l);
}

void levels_tick(struct levels *l, const struct engine *e)
{
	size_t i, n = world_hosts(e->world);

	l->tick++;
	GS_GROW(l->seen, &l->cap, n);
	for (; l->n < n; l->n++)
		l->seen[l->n] = 0;
	for (i = 0; i < n; i++) {
		if (world_host(e->world, i)->sampled)
			l->seen[i] = l->tick;
	}
}

static bool is_up(const struct levels *l, size_t host)
{
	return host < l->n && l->seen[host] > 0 &&
	    l->seen[host] + LEVELS_LATE_TICKS > l->tick;
}

/* ---- rows -------------------------------------------------------------- */

/* Of the states only those that can be summed up: numbers of things. */
static bool is_exposed(const struct metric *m)
{
	return !metric_is_text(m) && !(m->flags & (F_ID | F_RETIRED |
	    F_BIRTH)) && (m->cls != CLASS_STATE || m->agg == AGG_SUM) &&
	    m->unit != UNIT_CHAR;
}

static void add_place(const struct engine *e, const struct host *h,
	struct buf *labels)
{
	const struct dbserver *s = h->catalog
	    ? sessions_server_of_catalog(e->sessions, h) : NULL;
	const char *name = s ? s->name : h->name;

	if (name)
		family_add_label(labels, h->catalog ? "server" : "host",
		    span_str(name));
}

static void add_labels(const struct engine *e, const struct row *r,
	struct buf *labels)
{
	const struct entity *en = entity_get(r->entity);
	unsigned i;

	buf_reset(labels);
	add_place(e, r->host, labels);
	for (i = 0; i < en->ncols; i++) {
		const struct metric *m = &en->metrics[i];
		struct buf text = BUF_INIT;
		uint64_t v;

		if (!(m->flags & F_ID) || r->entity == ENTITY_HOST ||
		    r->entity == ENTITY_CLUSTER || !row_get(r, i, &v))
			continue;
		if (!metric_is_text(m))
			buf_printf(&text, m->flags & F_SIGNED ? "%" PRId64
			    : "%" PRIu64, v);
		family_add_label(labels, strcmp(m->name, "name") == 0
		    ? en->name : m->name, metric_is_text(m)
		    ? row_text(e->world, r, i)
		    : span_of(buf_str(&text), text.len));
		buf_release(&text);
	}
}

/* Prometheus has bytes, not bits. */
static bool is_of_bits(const struct metric *m)
{
	return m->unit == UNIT_MBIT;
}

static void name_family(const struct metric *m, struct family *ret)
{
	if (is_of_bits(m))
		family_of_figure(entity_get((enum entity_id)m->entity)->name,
		    m->name, "bytes per second", metric_is_counter(m),
		    m->help, ret);
	else
		family_of_metric(m, ret);
}

static void put_row(const struct engine *e, const struct row *r,
	const struct metric *m, struct buf *labels, struct families *x)
{
	struct unit_env env = diff_env(r->host);
	uint64_t v;

	if (!row_get(r, m->col, &v))
		return;
	add_labels(e, r, labels);
	if (metric_is_max(m, v))
		families_add(x, buf_str(labels), labels->len,
		    &(struct cell) { .kind = CELL_MAX });
	else
		families_add_real(x, buf_str(labels), labels->len,
		    metric_in_base(m, v, &env) /
		    (is_of_bits(m) ? 8 : 1));
}

static void put_metric(const struct levels *l, const struct engine *e,
	const struct metric *m, struct families *x)
{
	struct buf labels = BUF_INIT;
	struct family f;
	size_t i, k;

	name_family(m, &f);
	families_begin(x, &f);
	for (i = 0; i < world_hosts(e->world); i++) {
		const struct host *h = world_host(e->world, i);
		const struct table *t = &h->table[m->entity];

		for (k = 0; is_up(l, i) && k < t->n_slot; k++) {
			if (t->slot[k])
				put_row(e, t->slot[k], m, &labels, x);
		}
	}
	buf_release(&labels);
}

/* ---- hosts and servers ------------------------------------------------- */

static void put_up(const struct levels *l, const struct engine *e,
	struct families *x)
{
	struct buf labels = BUF_INIT;
	struct family f;
	size_t i;

	family_of_figure("host", "up", "", false,
	    "1: it answers; 0: it is silent", &f);
	families_begin(x, &f);
	for (i = 0; i < world_hosts(e->world); i++) {
		const struct host *h = world_host(e->world, i);

		if (!world_is_host(h) || !h->name)
			continue;
		buf_reset(&labels);
		add_place(e, h, &labels);
		families_add_real(x, buf_str(&labels), labels.len,
		    is_up(l, i));
	}
	buf_release(&labels);
}

enum count { COUNT_ALL, COUNT_ACTIVE, COUNT_WAITING, COUNT_LOCKED };

static bool counts(const struct session *n, enum count what)
{
	switch (what) {
	case COUNT_ACTIVE:
		return n->class == SESSION_ACTIVE;
	case COUNT_WAITING:
		return n->class == SESSION_WAITING;
	case COUNT_LOCKED:
		return n->class == SESSION_WAITING && strcmp(state_text(
		    n->state), "lock") == 0;
	case COUNT_ALL:
		break;
	}
	return true;
}

static double count_sessions(const struct engine *e,
	const struct dbserver *server, enum count what)
{
	size_t i, n = 0;

	for (i = 0; i < sessions_count(e->sessions); i++) {
		const struct session *s = sessions_get(e->sessions, i);

		n += !s->ended && !s->own && s->kind != SESSION_OS &&
		    sessions_server(e->sessions, s) == server &&
		    counts(s, what);
	}
	return (double)n;
}

static void put_sessions(const struct engine *e, struct families *x)
{
	static const struct {
		const char *name, *help;
		enum count what;
	} all[] = {
		{ "sessions", "database sessions", COUNT_ALL },
		{ "sessions_active", "sessions that are at work",
		    COUNT_ACTIVE },
		{ "sessions_waiting", "sessions that wait for a lock, a queue "
		    "or a standby", COUNT_WAITING },
		{ "sessions_locked", "sessions that wait for a lock",
		    COUNT_LOCKED },
	};
	struct buf labels = BUF_INIT;
	struct family f;
	size_t i, k;

	for (i = 0; i < GS_LEN(all); i++) {
		family_of_figure("server", all[i].name, "", false,
		    all[i].help, &f);
		families_begin(x, &f);
		for (k = 0; k < sessions_servers(e->sessions); k++) {
			const struct dbserver *s = sessions_server_get(
			    e->sessions, k);

			buf_reset(&labels);
			family_add_label(&labels, "server",
			    span_str(s->name));
			families_add_real(x, buf_str(&labels), labels.len,
			    count_sessions(e, s, all[i].what));
		}
	}
	buf_release(&labels);
}

void levels_put(const struct levels *l, const struct engine *e,
	struct families *x)
{
	size_t i;
	unsigned k;

	put_up(l, e, x);
	put_sessions(e, x);
	for (i = 0; i < GS_LEN(exposed); i++) {
		int id = entity_by_name(exposed[i], strlen(exposed[i]));
		const struct entity *en = id < 0 ? NULL
		    : entity_get((enum entity_id)id);

		for (k = 0; en && k < en->ncols; k++) {
			if (is_exposed(&en->metrics[k]))
				put_metric(l, e, &en->metrics[k], x);
		}
	}
}
