/* SPDX-License-Identifier: Apache-2.0 */
#include "history/loader.h"

#include <stdlib.h>

#include "base/mem.h"
#include "history/ledger.h"
#include "model/cursor_filter.h"
#include "query/range.h"

struct loader {
	const struct loader_options *o;
	struct target *target;
	struct ledger ledger; /* of the current recording */
	int64_t interval_ns;
	const struct plan_file *file;
	/* of the current run */
	const struct plan_run *run;
	struct cursor_filter filter; /* of its ticks */
	uint64_t given_seq; /* the tick that was read last */
	bool gap; /* ticks are missing after it */
	struct { /* the tick after them, to_seq 0: none; there the run ends */
		uint64_t to_seq;
		int64_t to_ns;
	} hole;
	struct view_use **use; /* one for each of history_tables; or NULL */
	struct view_ask of_waits; /* the request of all tables of waits: */
	size_t waits; /* the first of them, of whose use the others are */
	size_t at; /* file whose transaction is open */
	uint64_t loaded_seq; /* end of the last loaded step */
	int64_t loaded_ns;
	size_t noted; /* files before this one are recorded to their ends */
	uint64_t noted_seq;
	int64_t noted_ns;
	uint64_t rows_before; /* the transaction */
	struct range_result res;
	int status;
	struct gs_err *err;
};

struct loader *loader_new(struct target *t, const struct loader_options *o)
{
	struct loader *l = gs_calloc(1, sizeof(*l));

	l->target = t;
	l->o = o;
	l->use = gs_calloc(n_history_tables, sizeof(struct view_use *));
	return l;
}

void loader_free(struct loader *l)
{
	if (!l)
		return;
	free(l->use);
	ledger_release(&l->ledger);
	free(l);
}

int loader_recording(struct loader *l, const struct header *h,
	struct gs_err *err)
{
	int r = target_begin(l->target, err);

	l->interval_ns = h->interval_ns;
	l->ledger.target = l->target;
	if (r == GS_OK)
		r = ledger_read(&l->ledger, h, l->o->step_ns,
		    l->o->step_asked, err);
	return r < 0 ? r : target_commit(l->target, err);
}

uint32_t loader_find_related(const struct loader *l, const struct plan_file *f,
	bool *ret_all)
{
	return ledger_find_related(&l->ledger, f, ret_all);
}

bool loader_has(const struct loader *l, uint64_t seq)
{
	size_t n, i;
	struct plan_part *p = ledger_parts(&l->ledger, &n);
	bool has = false;

	for (i = 0; i < n; i++)
		has |= p[i].first_seq <= seq && seq <= p[i].last_seq;
	free(p);
	return has;
}

bool loader_next(const struct loader *l, const struct plan_file *f, size_t n,
	uint64_t *seq, struct plan_run *ret)
{
	size_t n_part;
	struct plan_part *p = ledger_parts(&l->ledger, &n_part);
	bool any = plan_next(f, n, p, n_part, seq, ret);

	free(p);
	return any;
}

/* ---- files ------------------------------------------------------------- */

/* 1: another session has loaded parts of the recording since it was planned. */
static int begin_file(struct loader *l, size_t at, struct gs_err *err)
{
	int r = target_begin(l->target, err);

	l->at = at;
	l->rows_before = target_rows(l->target);
	if (r == GS_OK)
		r = ledger_check(&l->ledger, err);
	return r;
}

static bool is_loaded(const struct loader *l, size_t i)
{
	return l->loaded_seq >= l->file[i].last_seq;
}

/* Records the part of a file that was loaded since the last call.  A file that
 * is being written may hold more now than was planned. */
static int note_file(struct loader *l, size_t i, uint64_t rows,
	struct gs_err *err)
{
	const struct plan_file *f = &l->file[i];
	bool ends = is_loaded(l, i) && i < l->run->first + l->run->n - 1;
	struct plan_part p = { .first_seq = l->noted_seq,
		.first_ns = l->noted_ns,
		.last_seq = ends ? f->last_seq : l->loaded_seq,
		.last_ns = ends ? f->last_ns : l->loaded_ns };

	if (p.last_seq <= p.first_seq)
		return GS_OK;
	l->noted_seq = p.last_seq;
	l->noted_ns = p.last_ns;
	return ledger_note(&l->ledger, f, &p, rows, err);
}

/* A file is loaded up to the last complete step; the files before it in the
 * run are loaded to their ends with it. */
static int end_file(struct loader *l, struct gs_err *err)
{
	uint64_t rows = target_rows(l->target) - l->rows_before;
	int r = GS_OK;

	while (r == GS_OK && l->noted < l->at && is_loaded(l, l->noted))
		r = note_file(l, l->noted++, 0, err);
	if (r == GS_OK)
		r = note_file(l, l->at, rows, err);
	return r == GS_OK ? target_commit(l->target, err) : r;
}

/* The file in which a step ends. */
static size_t file_of(const struct loader *l, uint64_t to_seq)
{
	size_t i = l->at, last = l->run->first + l->run->n - 1;

	while (i < last && l->file[i].last_seq < to_seq)
		i++;
	return i;
}

/* ---- steps ------------------------------------------------------------- */

/* True if a recorder is running and will add to the step, or if the step has
 * only the hole at the end. */
static bool is_open(const struct loader *l, const struct engine *e)
{
	int64_t over = e->to_ns % l->ledger.step_ns;

	return e->n_ticks == 0 ||
	    (l->res.waiting && over >= e->interval_ns / 4);
}

static const struct view *view_of_table(size_t i)
{
	return view_find(history_tables[i].name);
}

static bool is_chosen(const struct loader *l, size_t i)
{
	return l->o->tables >> i & 1;
}

static struct grid *grid_of(const struct loader *l, size_t i,
	const struct engine *e)
{
	return l->use[i] ? view_grid(l->use[i], e)
	    : view_grid_as(l->use[l->waits], view_of_table(i), e);
}

static int add_tables(struct loader *l, const struct engine *e)
{
	size_t i;
	int r = GS_OK;

	for (i = 0; r == GS_OK && i < n_history_tables; i++) {
		struct grid *g;

		if (!is_chosen(l, i))
			continue;
		g = grid_of(l, i, e);
		r = target_add(l->target, i, l->ledger.recording, g, l->err);
		grid_free(g);
	}
	return r;
}

static int load_step(struct loader *l, const struct engine *e)
{
	size_t at = file_of(l, e->to_seq);
	int r = GS_OK;

	if (target_is_full(l->target)) {
		r = end_file(l, l->err);
		if (r == GS_OK)
			r = begin_file(l, l->at, l->err);
	}
	while (r == GS_OK && l->at < at) {
		r = end_file(l, l->err);
		if (r == GS_OK)
			r = begin_file(l, l->at + 1, l->err);
	}
	if (r == GS_OK)
		r = add_tables(l, e);
	l->loaded_ns = e->to_ns;
	l->loaded_seq = e->to_seq;
	if (r == GS_OK && l->o->progress && !l->o->progress(l->o->ctx,
	    &l->file[at], e->to_ns, target_rows(l->target)))
		r = gs_fail(l->err, GS_E_GONE, "stopped");
	return r;
}

static int emit(void *ctx, const struct engine *e)
{
	struct loader *l = ctx;

	/* read again, after a gist that breaks: it is loaded */
	if (e->n_ticks > 0 && e->to_seq <= l->loaded_seq)
		return GS_OK;
	if (l->status == GS_OK && !is_open(l, e))
		l->status = load_step(l, e);
	return l->status;
}

/* The n-th chosen table of waits; n_history_tables: none. */
static size_t table_of_waits(const struct loader *l, size_t n)
{
	size_t i;

	for (i = 0; i < n_history_tables; i++) {
		if (is_chosen(l, i) && view_is_of_waits(view_of_table(i)) &&
		    n-- == 0)
			break;
	}
	return i;
}

/* Following waits costs much, so that several tables of them share a use. */
static void open_view(struct loader *l, struct engine *e, size_t i)
{
	const struct view *v = view_of_table(i);

	if (!view_is_of_waits(v))
		l->use[i] = view_open(v, e, history_ask(l->o->metrics, i));
	else if (i == l->waits)
		l->use[i] = view_open(v, e, &l->of_waits);
}

static void open_views(struct loader *l, struct engine *e)
{
	size_t i;

	l->waits = table_of_waits(l, 0);
	l->of_waits = *history_ask(NULL, l->waits);
	l->of_waits.wait.all_sums = table_of_waits(l, 1) < n_history_tables;
	for (i = 0; i < n_history_tables; i++) {
		if (is_chosen(l, i))
			open_view(l, e, i);
	}
}

static void close_views(struct loader *l)
{
	size_t i;

	for (i = 0; i < n_history_tables; i++) {
		view_close(l->use[i]);
		l->use[i] = NULL;
	}
}

/* ---- ticks ------------------------------------------------------------- */

/* Ends at the last tick of the run, after which all is loaded, and where ticks are
 * missing: they may come later, and what counters grew by in them with them. */
static enum cursor_step next(void *self, const struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	struct loader *l = self;
	enum cursor_step s;

	if (l->given_seq >= l->run->to_seq || l->hole.to_seq > 0)
		return CURSOR_END;
	s = cursor_next(l->filter.of, ret, gap, err);
	if (s == CURSOR_GAP && gap->ticks > 0 &&
	    l->given_seq >= l->run->from_seq)
		l->gap = l->given_seq > 0;
	if (s != CURSOR_TICK)
		return s;
	if (l->gap) {
		l->hole.to_seq = (*ret)->seq;
		l->hole.to_ns = (*ret)->wall_ns;
		return CURSOR_END;
	}
	l->given_seq = (*ret)->seq;
	return s;
}

/* Whether all tables come out the same from what stands for ticks. */
static bool each_table(const struct loader *l,
	bool (*takes)(const struct view *v, const struct view_ask *ask))
{
	size_t i;

	for (i = 0; i < n_history_tables; i++) {
		if (is_chosen(l, i) && !takes(view_of_table(i),
		    history_ask(l->o->metrics, i)))
			return false;
	}
	return true;
}

static int read_ticks(struct loader *l, struct gs_err *err)
{
	const struct range range = { l->run->from_ns, INT64_MAX,
		l->ledger.step_ns };
	/* what stands for ticks may reach beyond the end of a run */
	bool whole = l->run->to_seq == UINT64_MAX;
	struct engine e;
	int r;

	engine_init(&e, l->interval_ns);
	e.leaps = whole && each_table(l, view_leaps);
	e.gists = whole && each_table(l, view_takes_gists);
	open_views(l, &e);
	l->given_seq = l->hole.to_seq = 0;
	l->gap = false;
	l->res = (struct range_result) { 0 };
	r = range_run(&range, cursor_filter(&l->filter), &e, emit, l, &l->res, err);
	close_views(l);
	engine_release(&e);
	return r;
}

/* All steps before a gist that breaks are loaded, and stay so. */
static int read_run(struct loader *l, struct gs_err *err)
{
	int r;

	do
		r = read_ticks(l, err);
	while (r == GS_E_AGAIN);
	if (r == GS_OK)
		r = l->status;
	return r == GS_OK ? end_file(l, err) : r;
}

/* Up to its end, or to where ticks are missing. */
static int load_part(struct loader *l, const struct plan_run *run,
	struct gs_err *err)
{
	int r;

	l->run = run;
	l->noted = run->first;
	l->noted_seq = l->loaded_seq = run->from_seq;
	l->noted_ns = run->from_ns == INT64_MIN ? l->file[run->first].first_ns
	                                        : run->from_ns;
	r = begin_file(l, run->first, err);
	return r == GS_OK ? read_run(l, err) : r;
}

/* The rest of a run, after the hole that ended a part of it; false: there is none. */
static bool go_on(const struct loader *l, struct plan_run *run)
{
	size_t end = run->first + run->n;

	if (l->hole.to_seq == 0 || l->hole.to_seq >= run->to_seq)
		return false;
	while (run->first + 1 < end &&
	    l->file[run->first].last_seq < l->hole.to_seq)
		run->first++;
	run->n = end - run->first;
	run->from_seq = l->hole.to_seq;
	run->from_ns = l->hole.to_ns;
	return true;
}

int loader_run(struct loader *l, const struct plan_file *f,
	const struct plan_run *run, struct cursor cursor,
	struct loader_result *ret, struct gs_err *err)
{
	struct plan_run part = *run;
	int r;

	l->file = f;
	l->filter = (struct cursor_filter) { cursor, next, l };
	l->err = err;
	l->status = GS_OK;
	*ret = (struct loader_result) { .holes = 0 };
	do {
		r = load_part(l, &part, err);
		ret->holes += l->res.n_holes;
		ret->any |= l->loaded_seq > part.from_seq;
	} while (r == GS_OK && go_on(l, &part));
	if (r == 1)
		return target_do(l->target, err, "ROLLBACK") < 0 ? GS_E_IO : 1;
	if (r < 0)
		gs_err_prefix(err, "%s", f[l->at].path);
	return r;
}
