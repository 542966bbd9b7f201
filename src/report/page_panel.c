/* SPDX-License-Identifier: Apache-2.0 */
#include "report/page_panel.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "report/page_pack.h"

static bool is_text(const struct page_col *c, const struct grid_col *head)
{
	return (c->rule == PAGE_KEY || c->rule == PAGE_TEXT) &&
	    head->quantity != Q_TIME;
}

/* Finer than what is shown, in the middle of a range too: steps are summed up,
 * and their errors with them. */
static double quantum(enum quantity q)
{
	switch (q) {
	case Q_PERCENT:
	case Q_RATE:
	case Q_NUMBER:
		return 0.01;
	case Q_SECONDS:
		return 1e-4;
	case Q_LATENCY:
		return 1e-6;
	case Q_AGE:
		return 0.1;
	case Q_BYTES:
		return 1024;
	case Q_BYTES_RATE:
		return 64;
	case Q_TIME:
		return 1e6; /* ms */
	case Q_TEXT:
	case Q_COUNT:
	case Q_ID:
	case Q_BY_ROW:
		break;
	}
	return 1;
}

static int find(const struct grid *g, const char *name)
{
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		if (strcmp(g->col[i].name, name) == 0)
			return (int)i;
	}
	return -1;
}

/* Of rules that are no columns of a view. */
static const struct grid_col own_head[] = {
	[PAGE_PLACE] = { .name = "place", .title = "#",
	    .help = "where the row is in its table", .quantity = Q_COUNT },
	[PAGE_COVER] = { .name = "covered", .title = "COVERED",
	    .help = "covered time that rates divide by, and its edges",
	    .quantity = Q_COUNT },
};

static bool is_own(enum page_rule r)
{
	return r == PAGE_PLACE || r == PAGE_COVER;
}

static void set_columns(struct page_panel *p)
{
	const struct page_table *t = p->table;
	size_t i;

	for (i = 0; i < t->n_col; i++) {
		const struct page_col *c = &t->col[i];
		struct page_panel_col *to = &p->col[i];
		int at = find(p->empty, c->name);

		to->at = -1;
		if (at < 0 && !is_own(c->rule))
			continue; /* another form of the view has it */
		to->head = at < 0 ? own_head[c->rule] : p->empty->col[at];
		to->quantum = quantum(to->head.quantity);
		if (c->rule == PAGE_PER)
			continue;
		to->at = (int)p->n_stored;
		p->in[p->n_stored] = (struct page_panel_in) { i, -1, c->rule,
			to->quantum };
		p->stored[p->n_stored++] = (struct page_store_col) {
			.text = is_text(c, &to->head),
			.adds = to->head.additive || c->rule == PAGE_SUM,
			.ranks = c->ranks, .peaks = c->rule == PAGE_MAX ||
			    c->rule == PAGE_LAST };
	}
}

/* Of a table that makes its rows itself, all columns come. */
static void set_pick(struct page_panel *p)
{
	const struct page_table *t = p->table;
	size_t i, n = 0;

	for (i = 0; i < t->n_col; i++) {
		if (t->col[i].rule != PAGE_PER && !is_own(t->col[i].rule))
			p->name[n++] = t->col[i].name;
	}
	p->pick = (struct view_pick) { .col = p->name, .n_col = n,
		.n_first = n };
}

/* Where the stored columns are in the view's tables. */
static void find_columns(struct page_panel *p, const struct grid *g)
{
	size_t i;

	for (i = 0; i < p->n_stored; i++)
		p->in[i].at = find(g, p->table->col[p->in[i].of].name);
}

void page_panel_open(struct page_panel *p, const struct page_table *t,
	const struct page_panel *like, struct engine *e, size_t max_values)
{
	const struct view *v = view_find(t->view);
	struct grid *columns;
	size_t i;

	assert(t->n_col <= PAGE_COLS_MAX);
	*p = (struct page_panel) { .table = t, .ask = VIEW_ASK_INIT };
	for (i = 0; i < t->n_key; i++)
		p->ask.key[i] = t->key[i];
	p->ask.n_key = t->n_key;
	p->ask.wait.top = 1000;
	p->ask.wait.all_sums = true;
	p->ask.wait.min_percent = 0;
	if (t->metric && view_find_metric(v, t->metric, strlen(t->metric),
	    &p->metric)) {
		p->ask.metric = &p->metric;
		p->ask.n_metric = 1;
	}
	p->empty = view_columns(v, &p->ask);
	set_pick(p);
	set_columns(p);
	p->ask.pick = &p->pick;
	p->pick.ctx = p;
	columns = view_columns(v, &p->ask);
	find_columns(p, columns);
	grid_free(columns);
	p->like = like;
	p->use = like ? NULL : view_open(v, e, &p->ask);
	p->store = page_store_new(p->stored, p->n_stored,
	    t->whole ? 0 : max_values);
}

void page_panel_release(struct page_panel *p)
{
	view_close(p->use);
	page_store_free(p->store);
	grid_free(p->empty);
	buf_release(&p->key);
}

/* ---- a row ------------------------------------------------------------- */

static struct page_value text_value(const struct cell *c,
	struct page_texts *texts, int64_t was)
{
	char number[GS_DECIMAL_MAX];
	struct span s = cell_span(c);

	if (c->kind == CELL_INT)
		s = span_of(number, gs_put_int(number, c->i));
	else if (c->kind != CELL_TEXT)
		return (struct page_value) { .known = false };
	if (!page_text_is(texts, (size_t)was, s.ptr, span_len(s)))
		was = (int64_t)page_text(texts, s.ptr, span_len(s));
	return (struct page_value) { .known = true, .v = was };
}

static struct page_value number_value(const struct cell *c, double quantum)
{
	double v;

	if (c->kind != CELL_INT && c->kind != CELL_REAL)
		return (struct page_value) { .known = false, .mark = c->mark };
	v = (c->kind == CELL_INT ? (double)c->i : c->r) / quantum;
	if (!(fabs(v) <= (double)PAGE_VALUE_MAX))
		return (struct page_value) { .known = false };
	return (struct page_value) { .known = true, .mark = c->mark,
		.of_part = c->of_part, .ended = c->ended, .v = llround(v) };
}

static const struct cell *cell_of(const struct row_cells *cells, int at)
{
	static const struct cell absent = { .kind = CELL_ABSENT };

	return at < 0 ? &absent : cells->get(cells, (size_t)at);
}

/* In units of 0.1 ms, then a bit for each edge of the row's time. */
static int64_t cover_of(const struct grid_row *row)
{
	return (int64_t)llround(row->covered_s * 1e4) * 8 +
	    (row->later ? 4 : 0) + (row->left ? 2 : 0) + (row->came ? 1 : 0);
}

/* No column of the view. */
static struct cell own_cell(const struct page_panel *p, enum page_rule r)
{
	return cell_int(r == PAGE_PLACE ? (int64_t)p->place
	                                : cover_of(p->row));
}

static struct page_value value_of(const struct page_panel *p,
	const struct row_cells *cells, size_t i, const struct page_row *row)
{
	const struct page_panel_in *in = &p->in[i];
	struct cell own;

	if (is_own(in->rule)) {
		own = own_cell(p, in->rule);
		return number_value(&own, in->quantum);
	}
	return p->stored[i].text
	    ? text_value(cell_of(cells, in->at), p->texts,
		page_row_last(row, i))
	    : number_value(cell_of(cells, in->at), in->quantum);
}

/* Without texts.  ranks: only what ranks. */
static void numbers_of(const struct page_panel *p,
	const struct row_cells *cells, bool ranks, struct page_value v[])
{
	size_t i;

	for (i = 0; i < p->n_stored; i++) {
		v[i].known = false;
		if (!p->stored[i].text && (p->stored[i].ranks || !ranks))
			v[i] = value_of(p, cells, i, NULL);
	}
}

static void add_text(struct buf *key, const struct cell *c)
{
	buf_add_char(key, (char)c->kind);
	if (c->kind == CELL_INT) {
		buf_add_varint(key, (uint64_t)c->i);
	} else if (c->kind == CELL_TEXT) {
		buf_add_varint(key, c->len);
		buf_add(key, c->text, c->len);
	}
}

/* What identifies the row: its number, what its key columns say, or both. */
static struct page_row *find_row(struct page_panel *p, uint64_t id,
	const struct row_cells *cells)
{
	size_t i;

	buf_reset(&p->key);
	if (!p->table->by_name)
		buf_add(&p->key, (const char *)&id, sizeof(id));
	for (i = 0; i < p->n_stored && !(id && p->table->by_id); i++) {
		if (p->in[i].rule == PAGE_KEY)
			add_text(&p->key, cell_of(cells, p->in[i].at));
	}
	return page_store_row(p->store, buf_str(&p->key), p->key.len);
}

static bool is_kept(const struct page_panel *p, const struct group_memo *m)
{
	return m && m->of && page_store_has(p->store, m->step);
}

/* Its group remembers it, where nothing else identifies it. */
static struct page_row *row_of(struct page_panel *p, const struct grid_row *of,
	const struct row_cells *cells)
{
	struct group_memo *m = p->table->by_id && of->id ? of->memo : NULL;
	struct page_row *row = is_kept(p, m) && m->id == of->id ? m->of
	    : find_row(p, of->id, cells);

	if (m)
		*m = (struct group_memo) { row, of->id, p->step };
	return row;
}

static void fetch_texts(const struct page_panel *p,
	void (*fetch)(const struct page_texts *t, size_t number),
	struct page_row *const row[], size_t n)
{
	size_t i, k;

	for (k = 0; k < n; k++) {
		for (i = 0; i < p->n_stored && !page_row_is_folded(row[k]); i++) {
			if (p->stored[i].text)
				fetch(p->texts, (size_t)page_row_last(row[k], i));
		}
	}
}

static void fetch_rows(void *ctx, const struct group_memo *const m[], size_t n)
{
	const struct page_panel *p = ctx;
	struct page_row *row[ROLLUP_FETCH_GROUPS] = { NULL };
	size_t i, n_row = 0;

	for (i = 0; i < n; i++) {
		if (is_kept(p, m[i]))
			row[n_row++] = m[i]->of;
	}
	page_store_fetch(p->store, row, n_row);
	fetch_texts(p, page_text_fetch_place, row, n_row);
	fetch_texts(p, page_text_fetch, row, n_row);
}

static void take(struct page_panel *p, const struct grid_row *of,
	const struct row_cells *cells)
{
	struct page_row *row = row_of(p, of, cells);
	struct page_value v[PAGE_COLS_MAX];
	size_t i;

	p->row = of;
	if (page_row_is_folded(row)) {
		numbers_of(p, cells, false, v);
		page_store_rise(p->store, row, v);
	}
	for (i = 0; !page_row_is_folded(row) && i < p->n_stored; i++)
		v[i] = value_of(p, cells, i, row);
	page_store_add(p->store, row, v);
	p->place++;
}

/* ---- rows that are made one by one ------------------------------------- */

static bool note_done(void *ctx, const struct grid_row *row,
	const struct row_cells *cells)
{
	struct page_panel *p = ctx;
	struct page_value v[PAGE_COLS_MAX];
	size_t i;

	p->row = row;
	numbers_of(p, cells, true, v);
	for (i = 0; i < p->n_stored; i++) {
		if (p->stored[i].ranks)
			page_store_note(p->store, i, v[i]);
	}
	return false;
}

static bool may_choose(const struct page_panel *p,
	const struct row_cells *cells)
{
	struct page_value v[PAGE_COLS_MAX];

	numbers_of(p, cells, true, v);
	return page_store_may_choose(p->store, v);
}

static bool take_made(void *ctx, const struct grid_row *row,
	const struct row_cells *cells)
{
	struct page_panel *p = ctx;
	struct page_value v[PAGE_COLS_MAX];

	p->row = row;
	if (row->done && page_store_is_full(p->store) &&
	    !may_choose(p, cells)) {
		numbers_of(p, cells, false, v);
		page_store_drop(p->store, v);
	} else {
		take(p, row, cells);
	}
	return false; /* no table of it is made */
}

/* ---- rows of a table --------------------------------------------------- */

struct grid_cells {
	struct row_cells cells; /* first */
	const struct grid_row *row;
};

static const struct cell *cell_of_grid(const struct row_cells *of, size_t col)
{
	return &((const struct grid_cells *)of)->row->cell[col];
}

static void take_grid(struct page_panel *p, const struct grid *g)
{
	struct grid_cells c = { { cell_of_grid }, NULL };
	struct page_value v[PAGE_COLS_MAX];
	size_t i;

	for (i = 0; i < g->n_row; i++) {
		c.row = &g->row[i];
		take(p, c.row, &c.cells);
	}
	if (g->folded.n_others > 0) {
		p->row = c.row = &g->folded;
		numbers_of(p, &c.cells, false, v);
		page_store_rest(p->store, g->folded.n_others, v);
	}
}

/* ---- a step ------------------------------------------------------------ */

static struct grid *table_of(struct page_panel *p, const struct engine *e)
{
	return p->like ? view_grid_as(p->like->use,
	    view_find(p->table->view), e) : view_grid(p->use, e);
}

void page_panel_step(struct page_panel *p, const struct engine *e, size_t step,
	struct page_texts *texts)
{
	struct grid *g;

	p->texts = texts;
	p->place = 0;
	p->step = step;
	page_store_begin(p->store, step);
	if (p->table->by_id && page_store_is_full(p->store)) {
		p->pick.keep_made = note_done;
		p->pick.fetch = NULL;
		p->pick.only_done = true;
		grid_free(table_of(p, e));
		p->pick.only_done = false;
	}
	p->pick.keep_made = take_made;
	p->pick.fetch = p->table->by_id ? fetch_rows : NULL;
	g = table_of(p, e);
	take_grid(p, g);
	p->covered_s = g->covered_s;
	page_store_end(p->store);
	grid_free(g);
}

/* ---- the page ---------------------------------------------------------- */

static const char *unit_name(enum quantity q)
{
	static const char *const name[] = { [Q_TEXT] = "text",
		[Q_COUNT] = "count", [Q_ID] = "id", [Q_NUMBER] = "number",
		[Q_RATE] = "rate", [Q_PERCENT] = "percent",
		[Q_BYTES] = "bytes", [Q_BYTES_RATE] = "bytes_rate",
		[Q_SECONDS] = "seconds", [Q_LATENCY] = "seconds", [Q_AGE] = "age", [Q_TIME] = "time",
		[Q_BY_ROW] = "number" };

	return name[q];
}

static void put_column(const struct page_panel *p, size_t i,
	struct jsonout *j)
{
	const struct page_col *c = &p->table->col[i];
	const struct page_panel_col *of = &p->col[i];

	jsonout_open_map(j);
	jsonout_str(jsonout_name(j, "name"), c->name);
	jsonout_str(jsonout_name(j, "title"), of->head.title);
	jsonout_str(jsonout_name(j, "help"), of->head.help);
	jsonout_str(jsonout_name(j, "unit"), unit_name(of->head.quantity));
	jsonout_str(jsonout_name(j, "rule"), page_rule_name(c->rule));
	if (c->of)
		jsonout_str(jsonout_name(j, "of"), c->of);
	jsonout_real(jsonout_name(j, "quantum"),
	    of->head.quantity == Q_TIME ? 1 : of->quantum);
	jsonout_bool(jsonout_name(j, "stored"), of->at >= 0);
	jsonout_bool(jsonout_name(j, "is_text"),
	    of->at >= 0 && p->stored[of->at].text);
	jsonout_bool(jsonout_name(j, "known"), of->at >= 0 &&
	    page_store_known(p->store, (size_t)of->at));
	jsonout_close_map(j);
}

void page_panel_put(const struct page_panel *p, size_t part,
	const struct asked *notes, struct jsonout *j)
{
	const struct page_table *t = p->table;
	struct buf note = BUF_INIT;
	size_t i;

	jsonout_open_map(j);
	jsonout_str(jsonout_name(j, "name"), t->name);
	jsonout_str(jsonout_name(j, "view"), t->view);
	if (t->title)
		jsonout_str(jsonout_name(j, "title"), t->title);
	if (asked_note(notes, view_find(t->view), &note))
		jsonout_str(jsonout_name(j, "note"), buf_str(&note));
	buf_release(&note);
	jsonout_int(jsonout_name(j, "part"), (int64_t)part);
	jsonout_int(jsonout_name(j, "rows"),
	    (int64_t)page_store_rows(p->store));
	jsonout_int(jsonout_name(j, "others"),
	    (int64_t)page_store_others(p->store));
	jsonout_int(jsonout_name(j, "depth"),
	    (int64_t)page_store_depth(p->store));
	jsonout_int(jsonout_name(j, "bytes"),
	    (int64_t)page_store_bytes(p->store));
	jsonout_open_list(jsonout_name(j, "columns"));
	for (i = 0; i < t->n_col; i++) {
		if (p->col[i].head.name)
			put_column(p, i, j);
	}
	jsonout_close_list(j);
	jsonout_close_map(j);
}
