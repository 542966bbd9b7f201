/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page.c - one pass over the recording with the views of all tables on one
 * engine, and a step of the page per table of the range.
 *
 * Findings are about the whole range, which steps would cut: they need a pass
 * of their own.
 */
#include "report/page.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "findings/findings.h"
#include "report/page_facts.h"
#include "report/page_panel.h"
#include "view/report.h"

/* Values of a table, about.  The tables of a busy day make a page of some 2 MB
 * then. */
#define VALUES_MAX ((size_t)750000)

/* Longer steps are whole stretches of 5 minutes: their ends are times that
 * people name, and where files have keys.  Steps of 2 minutes, of which a day
 * has 720, cost more and left room for a third of the rows. */
#define PAGE_FINE_NS (60 * GS_NSEC_PER_SEC)
#define PAGE_COARSE_NS (5 * PAGE_FINE_NS)

struct page {
	const struct page_source *src;
	struct page_panel *panel; /* n_page_tables */
	struct page_texts texts;
	size_t first_texts; /* so many are of the first part */
	struct page_facts facts;
	struct asked asked;
	struct page_cpus { /* of hosts that told their number */
		char *host;
		uint64_t n;
	} *cpus;
	size_t n_cpus, cpus_cap;
	struct grid *findings; /* NULL: there is no such view */
};

/* ---- the pass ---------------------------------------------------------- */

static void note_cpus(struct page *p, const struct host *h)
{
	const struct row *r = host_row(h);
	uint64_t n;
	size_t i;

	if (!h->name || !world_is_host(h) || !r ||
	    !row_get(r, COL(HOST, CPUS), &n))
		return;
	for (i = 0; i < p->n_cpus; i++) {
		if (strcmp(p->cpus[i].host, h->name) == 0)
			break;
	}
	if (i == p->n_cpus) {
		GS_GROW(p->cpus, &p->cpus_cap, p->n_cpus + 1);
		p->cpus[p->n_cpus++] = (struct page_cpus) {
			gs_strdup(h->name), n };
	}
	p->cpus[i].n = n;
}

/* Averages of waits divide by it; in ticks that were skipped nobody looked. */
static double watched_s(const struct page *p)
{
	size_t i;

	for (i = 0; i < n_page_tables; i++) {
		if (view_is_of_waits(view_find(page_tables[i].view)))
			return p->panel[i].covered_s;
	}
	return 0;
}

static int emit(void *ctx, const struct engine *e)
{
	struct page *p = ctx;
	size_t i, step = p->facts.n_step;

	for (i = 0; i < n_page_tables; i++)
		page_panel_step(&p->panel[i], e, step, &p->texts);
	page_facts_step(&p->facts, e, watched_s(p), &p->src->zone);
	asked_add(&p->asked, e);
	for (i = 0; i < world_hosts(e->world); i++)
		note_cpus(p, world_host(e->world, i));
	return 0;
}

static int64_t length_of(const struct page_source *src, const struct range *r)
{
	int64_t from = GS_MAX(r->from_ns, src->first_ns);
	int64_t to = GS_MIN(r->to_ns, src->last_ns);

	return GS_MAX(to - from, 0);
}

int64_t page_step_ns(int64_t length_ns, int64_t interval_ns)
{
	int64_t tick = GS_MAX(interval_ns, 1);
	int64_t n = length_ns / tick + 1;
	int64_t step = (n + PAGE_STEPS - 1) / PAGE_STEPS * tick;

	if (step == tick)
		return RANGE_EACH_TICK;
	if (step > PAGE_FINE_NS && PAGE_COARSE_NS % tick == 0)
		step = (step + PAGE_COARSE_NS - 1) / PAGE_COARSE_NS *
		    PAGE_COARSE_NS;
	return step;
}

/* The first panel of waits does for the others. */
static const struct page_panel *like_of(const struct page *p, size_t i)
{
	size_t k;

	if (!view_is_of_waits(view_find(page_tables[i].view)))
		return NULL;
	for (k = 0; k < i; k++) {
		if (view_is_of_waits(view_find(page_tables[k].view)))
			return &p->panel[k];
	}
	return NULL;
}

static int read_all(struct page *p, const struct range *range,
	struct page_data *ret, struct gs_err *err)
{
	const struct page_source *src = p->src;
	struct range r = *range;
	struct range_result res;
	struct engine e;
	size_t i;
	int status;

	r.every_ns = page_step_ns(length_of(src, range), src->interval_ns);
	engine_init(&e, src->interval_ns);
	for (i = 0; i < n_page_tables; i++)
		page_panel_open(&p->panel[i], &page_tables[i], like_of(p, i),
		    &e, VALUES_MAX);
	status = range_run(&r, src->cursor, &e, emit, p, &res, err);
	ret->any = res.any;
	ret->hole = res.hole;
	page_facts_end(&p->facts, GS_MIN(r.to_ns, src->last_ns));
	ret->n_holes = p->facts.n_hole;
	for (i = 0; i < n_page_tables; i++) {
		view_close(p->panel[i].use);
		p->panel[i].use = NULL;
	}
	engine_release(&e);
	return status;
}

/* ---- findings ---------------------------------------------------------- */

struct findings_pass {
	struct view_use *use;
	struct grid *grid;
};

static int emit_findings(void *ctx, const struct engine *e)
{
	struct findings_pass *f = ctx;

	grid_free(f->grid);
	f->grid = view_grid(f->use, e);
	return 0;
}

static int read_findings(struct page *p, const struct range *range,
	struct gs_err *err)
{
	struct view_ask ask = VIEW_ASK_INIT;
	const struct view *v = view_find("findings");
	struct findings_pass f = { NULL, NULL };
	struct range again = *range;
	struct range_result res;
	struct engine e;
	int r;

	if (!v || (!p->src->findings && !findings_are_cheap(length_of(p->src,
	    range), p->src->interval_ns)))
		return GS_OK;
	engine_init(&e, p->src->interval_ns);
	ask.zone = &p->src->zone;
	f.use = view_open(v, &e, &ask);
	again.from_ns = GS_MAX(again.from_ns, p->src->first_ns);
	r = range_run(&again, p->src->cursor, &e, emit_findings,
	    &f, &res, err);
	view_close(f.use);
	engine_release(&e);
	p->findings = f.grid;
	return r;
}

static void put_finding(const struct grid *g, const struct grid_row *row,
	struct jsonout *j)
{
	bool at_least = false;
	size_t i;

	jsonout_open_map(j);
	for (i = 0; i < g->n_col; i++) {
		at_least |= g->col[i].quantity == Q_AGE &&
		    row->cell[i].mark == '>';
		(void)jsonout_name(j, g->col[i].name);
		if (g->col[i].quantity == Q_TIME &&
		    row->cell[i].kind == CELL_INT)
			jsonout_int(j, row->cell[i].i / 1000000);
		else
			jsonout_cell(j, g->col[i].quantity, &row->cell[i]);
	}
	jsonout_bool(jsonout_name(j, "at_least"), at_least); /* so long */
	jsonout_close_map(j);
}

/* ---- the head ---------------------------------------------------------- */

static void put_cpus(const struct page *p, struct jsonout *j)
{
	size_t i;

	jsonout_open_list(jsonout_name(j, "hosts"));
	for (i = 0; i < p->n_cpus; i++) {
		jsonout_open_map(j);
		jsonout_str(jsonout_name(j, "host"), p->cpus[i].host);
		jsonout_int(jsonout_name(j, "cpus"), (int64_t)p->cpus[i].n);
		jsonout_close_map(j);
	}
	jsonout_close_list(j);
}

static size_t part_of(const struct page_table *t)
{
	return t->first ? PAGE_FIRST : PAGE_REST;
}

static void put_head(struct page *p, struct buf *to)
{
	struct jsonout j;
	size_t i;

	if (!jsonout_begin(&j, to))
		gs_out_of_memory();
	jsonout_open_map(&j);
	jsonout_int(jsonout_name(&j, "version"), 1);
	put_cpus(p, &j);
	page_facts_put(&p->facts, &j);
	if (p->findings) {
		jsonout_open_list(jsonout_name(&j, "findings"));
		for (i = 0; i < p->findings->n_row; i++)
			put_finding(p->findings, &p->findings->row[i], &j);
		jsonout_close_list(&j);
	}
	jsonout_open_list(jsonout_name(&j, "tables"));
	for (i = 0; i < n_page_tables; i++)
		page_panel_put(&p->panel[i], part_of(&page_tables[i]),
		    &p->asked, &j);
	jsonout_close_list(&j);
	(void)jsonout_name(&j, "texts");
	page_texts_put(&p->texts, 0, p->first_texts, &j);
	jsonout_close_map(&j);
	jsonout_end(&j);
}

static void put_more_texts(const struct page *p, struct buf *to)
{
	struct jsonout j;

	if (!jsonout_begin(&j, to))
		gs_out_of_memory();
	page_texts_put(&p->texts, p->first_texts, page_texts_used(&p->texts),
	    &j);
	jsonout_end(&j);
}

/* ---- the data ---------------------------------------------------------- */

static void put_tables(struct page *p, size_t part, struct buf *to)
{
	size_t i;

	for (i = 0; i < n_page_tables; i++) {
		if (part_of(&page_tables[i]) != part)
			continue;
		page_store_choose(p->panel[i].store);
		page_store_put(p->panel[i].store, &p->texts, to);
	}
}

static void put_data(struct page *p, struct page_data *d)
{
	page_facts_pack(&p->facts, &d->numbers[PAGE_FIRST]);
	put_tables(p, PAGE_FIRST, &d->numbers[PAGE_FIRST]);
	p->first_texts = page_texts_used(&p->texts);
	put_tables(p, PAGE_REST, &d->numbers[PAGE_REST]);
	put_head(p, &d->json[PAGE_FIRST]);
	put_more_texts(p, &d->json[PAGE_REST]);
}

static void release(struct page *p)
{
	size_t i;

	for (i = 0; i < n_page_tables; i++)
		page_panel_release(&p->panel[i]);
	for (i = 0; i < p->n_cpus; i++)
		free(p->cpus[i].host);
	free(p->cpus);
	free(p->panel);
	page_texts_release(&p->texts);
	page_facts_release(&p->facts);
	asked_release(&p->asked);
	grid_free(p->findings);
}

int page_read(const struct page_source *src, const struct range *range,
	struct page_data *ret, struct gs_err *err)
{
	struct page p = { .src = src };
	int r;

	*ret = (struct page_data) { .any = false };
	p.panel = gs_calloc(n_page_tables, sizeof(*p.panel));
	r = read_all(&p, range, ret, err);
	if (r == GS_OK && ret->any)
		r = read_findings(&p, range, err);
	if (r == GS_OK && ret->any)
		put_data(&p, ret);
	release(&p);
	return r;
}
