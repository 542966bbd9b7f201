/* SPDX-License-Identifier: Apache-2.0 */
/*
 * harvest.c - one grouping by row for each entity: it returns the same values
 * as views.
 *
 * A row that ended since the last call is returned in its last state.  Its
 * texts are gone then, unless the tick that closed it has them, so a row that
 * needs several of them as its name is left out.
 */
#include "history/harvest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "model/diff.h"

/* Doubles hold whole numbers up to here. */
#define EXACT_MAX 9007199254740992.0

struct harvest {
	const struct choice *choice;
	bool totals;
	harvest_fn fn;
	void *ctx;
	struct grouping
	    *of[ENTITY_COUNT];	   /* the engine's; NULL: not asked for */
	struct sample_clock *last; /* of each host, when rows were given */
	size_t last_cap;
	bool begun;
	int status; /* of the first harvest, returned by the next call */
	struct gs_err err;
	struct harvest_row row;
	struct buf identity;
};

/* ---- names ------------------------------------------------------------- */

/* The identity of the entity's rows within a host; the host's own row needs
 * only its name. */
static bool is_identity(const struct metric *m)
{
	return m->flags & F_ID && !(m->entity == ENTITY_HOST &&
	    m->col != COL(HOST, NAME));
}

static void add_part(struct buf *to, const struct world *w,
	const struct row *r, const struct metric *m)
{
	uint64_t v;

	if (metric_is_text(m)) {
		struct span s = row_text(w, r, m->col);

		buf_add(to, s.ptr, span_len(s));
	} else if (row_get(r, m->col, &v)) {
		if (m->flags & F_SIGNED)
			buf_printf(to, "%" PRId64, (int64_t)v);
		else
			buf_printf(to, "%" PRIu64, v);
	}
}

/* False: the row has no name any more. */
static bool add_identity(struct buf *to, const struct world *w,
	const struct row *r, const struct group *g)
{
	const struct entity *en = entity_get(r->entity);
	size_t start = to->len, n = 0;
	bool texts = false;
	unsigned i;

	for (i = 0; i < en->ncols; i++) {
		const struct metric *m = &en->metrics[i];

		if (!is_identity(m))
			continue;
		n++;
		texts |= metric_is_text(m);
	}
	if (texts && r->closed) {
		buf_add_str(to, grouping_label(g)->name);
		return n == 1;
	}
	for (i = 0; i < en->ncols; i++) {
		const struct metric *m = &en->metrics[i];

		if (!is_identity(m) || (n > 1 && !cells_has(r->now, i)))
			continue;
		if (n > 1)
			buf_printf(to, "%s%s=", to->len > start ? " " : "",
			    m->name);
		add_part(to, w, r, m);
	}
	return true;
}

/* ---- values ------------------------------------------------------------ */

static struct cell number(double v)
{
	return v > -EXACT_MAX && v < EXACT_MAX && v == (double)(int64_t)v
	    ? cell_int((int64_t)v) : cell_real(v);
}

static struct cell in_base_units(const struct metric *m, uint64_t raw,
	const struct unit_env *env)
{
	double one = unit_to_base((enum unit_id)m->unit, 1, env);

	if (metric_is_max(m, raw))
		return cell_max();
	if (!(m->flags & F_SIGNED) && raw > INT64_MAX)
		return cell_real((double)raw * one);
	if (one == 1)
		return cell_int((int64_t)raw);
	return number(unit_to_base((enum unit_id)m->unit, (int64_t)raw,
	    env));
}

static int emit(struct harvest *h, const struct metric *m, const char *unit,
	struct cell value, double seconds, struct gs_err *err)
{
	const struct harvest_value v = { .metric = m, .name = m->name,
		.unit = unit, .value = value, .seconds = seconds };

	return h->fn(h->ctx, &h->row, &v, err);
}

/* A level, a state, a total: the cell as it is. */
static int emit_cell(struct harvest *h, const struct row *r,
	const struct metric *m, struct gs_err *err)
{
	struct unit_env env = diff_env(r->host);
	char letter;
	uint64_t v;

	if (!row_get(r, m->col, &v))
		return GS_OK;
	if (metric_is_text(m))
		return r->closed && !row_ended_late(r) ? GS_OK : emit(h, m, "", cell_text(
		    row_text(h->row.world, r, m->col)), -1, err);
	if (m->unit == UNIT_CHAR) {
		letter = (char)v;
		return emit(h, m, "", cell_text(span_of(&letter, 1)), -1,
		    err);
	}
	return emit(h, m, unit_base_name((enum unit_id)m->unit),
	    in_base_units(m, v, &env), -1, err);
}

/* The increase, if it covers any time. */
static int emit_increase(struct harvest *h, const struct rollup *ru,
	const struct group *g, const struct metric *m, struct gs_err *err)
{
	double v, seconds;

	if (g->n_part == 0 || !part_value(ru, g->part[0], m->col, &v))
		return GS_OK;
	seconds = part_covered_s(ru, g->part[0]);
	if (seconds <= 0)
		return GS_OK;
	return emit(h, m, unit_base_name((enum unit_id)m->unit), number(v),
	    seconds, err);
}

static int emit_metrics(struct harvest *h, const struct group *g,
	struct gs_err *err)
{
	const struct row *row = h->row.row;
	const struct rollup *ru = grouping_rollup(h->of[row->entity]);
	unsigned i;
	int r = GS_OK;

	for (i = 0; r == GS_OK && i < h->row.entity->ncols; i++) {
		const struct metric *m = &h->row.entity->metrics[i];
		bool counter = metric_is_counter(m) && !h->totals;

		if (!choice_has_metric(h->choice, row->entity, i))
			continue;
		if (!counter) {
			if (!is_identity(m) && !h->row.residual)
				r = emit_cell(h, row, m, err);
			continue;
		}
		r = emit_increase(h, ru, g, m, err);
	}
	return r;
}

/* The last session of a process. */
static int emit_session(struct harvest *h, const struct group *g,
	struct gs_err *err)
{
	struct harvest_value v = { .name = "session", .unit = "",
		.seconds = -1 };
	char name[SESSION_NAME_MAX];

	if (h->row.row->entity != ENTITY_PROCESS || h->row.residual ||
	    !grouping_label(g)->session || !choice_has_metric(h->choice,
	    ENTITY_PROCESS, COL(PROCESS, TITLE)))
		return GS_OK;
	session_name(grouping_label(g)->session, name);
	v.value = cell_text(span_str(name));
	return h->fn(h->ctx, &h->row, &v, err);
}

/* ---- rows -------------------------------------------------------------- */

static struct sample_clock *last_of(struct harvest *h,
	const struct host *host)
{
	size_t old = h->last_cap;

	GS_GROW(h->last, &h->last_cap, (size_t)host->index + 1);
	memset(h->last + old, 0, (h->last_cap - old) * sizeof(*h->last));
	return &h->last[host->index];
}

/* True if the row was sampled since the last call. */
static bool is_news(struct harvest *h, const struct row *r)
{
	const struct sample_clock *last = last_of(h, r->host);

	return r->closed ? r->last_ns > last->wall_ns
	                 : r->host->clock.mono_ns != last->mono_ns;
}

static int64_t last_sample(const struct engine *e, const struct row *r)
{
	int64_t at = e->to_ns;

	if (r->closed && __builtin_sub_overflow(r->last_ns,
	    r->host->clock.offset_ns, &at))
		at = e->to_ns;
	return GS_MIN(GS_MAX(at, e->from_ns), e->to_ns);
}

static int emit_group(struct harvest *h, const struct engine *e,
	const struct group *g, struct gs_err *err)
{
	const struct row *r = g->row;
	int status;

	if (!r || (g->residual ? h->totals : !is_news(h, r)) ||
	    !choice_has_host(h->choice, r->host->name))
		return GS_OK;
	buf_reset(&h->identity);
	if (g->residual)
		buf_add_str(&h->identity, "exited children of ");
	if (!add_identity(&h->identity, e->world, r, g))
		return GS_OK;
	h->row.number++;
	h->row.time_ns = g->residual ? e->to_ns : last_sample(e, r);
	h->row.host = r->host->name;
	h->row.entity = entity_get(r->entity);
	h->row.identity = span_of(buf_str(&h->identity), h->identity.len);
	h->row.world = e->world;
	h->row.row = r;
	h->row.residual = g->residual;
	status = emit_metrics(h, g, err);
	return status == GS_OK ? emit_session(h, g, err) : status;
}

static int emit_rows(struct harvest *h, const struct engine *e,
	struct gs_err *err)
{
	int en, r = GS_OK;
	size_t i;

	for (en = 0; en < ENTITY_COUNT; en++) {
		const struct rollup *ru;

		if (!h->of[en])
			continue;
		ru = grouping_rollup(h->of[en]);
		for (i = 0; r == GS_OK && i < rollup_count(ru); i++)
			r = emit_group(h, e, rollup_get(ru, i), err);
	}
	return r;
}

static int emit_event(struct harvest *h, const struct engine_event *ev,
	struct gs_err *err)
{
	struct harvest_value v = { .name = "text", .unit = "",
		.value = cell_text(span_str(ev->text)), .seconds = -1 };
	int r;

	if (!choice_has_host(h->choice, ev->host))
		return GS_OK;
	h->row = (struct harvest_row) { .number = h->row.number + 1,
		.time_ns = ev->wall_ns, .host = ev->host,
		.identity = span_str(event_name(ev->kind)) };
	r = h->fn(h->ctx, &h->row, &v, err);
	if (r < 0 || !event_has_value(ev->kind))
		return r;
	v.name = "value";
	v.value = cell_int(ev->value);
	return h->fn(h->ctx, &h->row, &v, err);
}

static void remember(struct harvest *h, const struct engine *e)
{
	size_t i;

	for (i = 0; i < world_hosts(e->world); i++) {
		const struct host *host = world_host(e->world, i);

		*last_of(h, host) = host->clock;
	}
}

bool harvest_is_empty(const struct harvest *h)
{
	return h->row.number == 0;
}

int harvest_emit(struct harvest *h, const struct engine *e,
	struct gs_err *err)
{
	size_t i;
	int r = h->status;

	if (r < 0) {
		if (err)
			*err = h->err;
		return r;
	}
	r = emit_rows(h, e, err);
	for (i = 0; r == GS_OK && h->choice->events && i < e->n_event; i++)
		r = emit_event(h, &e->event[i], err);
	remember(h, e);
	return r;
}

/* At the beginning of the range the existing rows are a sample. */
static void restart(void *self, const struct engine *e)
{
	struct harvest *h = self;

	if (h->begun)
		return;
	h->begun = true;
	h->status = emit_rows(h, e, &h->err);
	remember(h, e);
}

/* ---- life -------------------------------------------------------------- */

static void add_grouping(struct harvest *h, struct engine *e, enum entity_id id)
{
	const struct entity *en = entity_get(id);
	uint64_t want[COL_WORDS_MAX] = { 0 };
	unsigned i;

	for (i = 0; i < en->ncols; i++) {
		if (metric_is_counter(&en->metrics[i]) &&
		    choice_has_metric(h->choice, id, i))
			want[i / 64] |= UINT64_C(1) << (i % 64);
	}
	h->of[id] = grouping_new(GROUPING_ROW, id, want, NULL, 0);
	engine_add_grouping(e, h->of[id]);
}

struct harvest *harvest_new(struct engine *e, const struct choice *choice,
	bool totals, harvest_fn fn, void *ctx)
{
	struct harvest *h = gs_calloc(1, sizeof(*h));
	struct follower f = { .self = h, .restart = restart };
	int en;

	h->choice = choice;
	h->totals = totals;
	h->fn = fn;
	h->ctx = ctx;
	for (en = 0; en < ENTITY_COUNT; en++) {
		if (choice->entity[en])
			add_grouping(h, e, (enum entity_id)en);
	}
	engine_add_follower(e, &f);
	return h;
}

void harvest_free(struct harvest *h)
{
	if (!h)
		return;
	free(h->last);
	buf_release(&h->identity);
	free(h);
}
