/* SPDX-License-Identifier: Apache-2.0 */
#include "view/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/when.h"
#include "view/report.h"
#include "view/show_int.h"

int show_new(const struct show_options *o, const struct show_source *src,
	const struct show_output *out, struct show **ret, struct gs_err *err)
{
	struct show *s = gs_calloc(1, sizeof(*s));
	struct ask_words words = o->words;
	int r;

	s->o = o;
	s->src = src;
	s->out = out;
	words.zone = &src->zone;
	words.brief = words.settled = o->for_people;
	words.width = o->width;
	r = ask_new(&words, &s->ask, err);
	if (r < 0) {
		show_free(s);
		return r;
	}
	*ret = s;
	return GS_OK;
}

const struct view *show_view(const struct show *s)
{
	return ask_view(s->ask);
}

/* ---- tables ---------------------------------------------------------- */

void show_note_seen(struct show *s, const struct grid *g)
{
	s->seen = s->seen || !g->unseen;
	free(s->unseen);
	s->unseen = s->seen ? NULL : gs_strdup(g->unseen);
	s->says_unseen = s->unseen && s->o->for_people &&
	    s->o->n_window == 0 && g->title &&
	    strstr(g->title, g->unseen);
}

const char *show_unseen(const struct show *s)
{
	return s->unseen;
}

bool show_says_unseen(const struct show *s)
{
	return s->unseen && s->says_unseen;
}

bool show_grid(void *ctx, struct grid *g)
{
	struct show *s = ctx;

	if (!s->begun)
		s->stopped = !s->out->begin(s->out->ctx, &s->report);
	s->begun = true;
	s->stopped = s->stopped || !s->out->grid(s->out->ctx, g);
	return !s->stopped;
}

void show_again(struct show *s)
{
	if (s->begun && s->out->again(s->out->ctx))
		s->begun = false;
}

void show_fill_report(struct show *s, const struct engine *e)
{
	const struct show_source *src = s->src;
	const struct range *r = &s->range;

	report_release(&s->report);
	src->head(src->ctx, &s->report);
	report_fill(&s->report, e, r, src->last_ns, &src->zone);
	show_note_unasked(s, e);
	show_note_uncounted(s, e);
	s->report.window_ns = s->o->window_ns;
	s->report.n_window = s->o->n_window;
	if (s->o->n_window > 0) { /* the head is about all of them */
		s->report.from_ns = GS_MAX(src->first_ns, e->to_ns -
		    s->o->window_ns[s->o->n_window - 1]);
		s->report.to_ns = GS_MAX(e->to_ns, s->last_end_ns);
	}
	s->report.joined = r->every_ns && s->o->n_window == 0 &&
	    view_is_single(ask_view(s->ask));
	if (r->every_ns && !src->is_pipe && s->o->n_window == 0) {
		/* the head is about all tables */
		s->report.from_ns = GS_MAX(r->from_ns, src->first_ns);
		s->report.to_ns = GS_MIN(r->to_ns, src->last_ns);
	}
	baseline_tell(&s->baseline, &s->report);
}

int64_t show_missing(const struct show *s, int64_t window_ns,
	int64_t to_ns)
{
	int64_t missing_ns = s->src->first_ns - (to_ns - window_ns);

	return missing_ns > s->src->interval_ns ? missing_ns : 0;
}

/* "last 5m (62.0s of it recorded: no figures yet)" */
static void add_window(const struct show *s, struct buf *to,
	int64_t window_ns, int64_t to_ns)
{
	char span[WHEN_SPAN_MAX], part[WHEN_SPAN_MAX];

	when_span(span, window_ns);
	buf_printf(to, "last %s", span);
	if (show_missing(s, window_ns, to_ns) <= 0)
		return;
	when_age(part, (double)(to_ns - s->src->first_ns) / 1e9);
	buf_printf(to, " (%s of it recorded: no figures yet)", part);
}

void show_set_title(struct grid *g, struct buf *text)
{
	if (g->title)
		buf_printf(text, "%s%s", text->len > 0 ? "; " : "",
		    g->title);
	g->title = grid_text(g, buf_str(text), text->len + 1).ptr;
	buf_release(text);
}

/* A window that began before the first tick has no figures yet. */
static void mark_window(const struct show *s, struct grid *g)
{
	int64_t window_ns = s->o->window_ns[s->window];
	struct buf text = BUF_INIT;

	add_window(s, &text, window_ns, g->to_ns);
	g->window_s = (double)window_ns / 1e9;
	if (show_missing(s, window_ns, g->to_ns) > 0) {
		g->n_row = g->n_total = 0;
		g->title = NULL;
	}
	show_set_title(g, &text);
}

int show_refine(struct show *s, struct grid *g)
{
	const struct show_source *src = s->src;
	struct when_env when = { .zone = &src->zone,
		.first_ns = src->first_ns, .last_ns = src->last_ns,
		.now_ns = gs_clock_wall_ns() };

	return ask_refine(s->ask, g, &when, s->err);
}

/* The current table, beside that of the baseline if there is one. */
static int make_table(struct show *s, const struct engine *e,
	struct grid **ret)
{
	struct grid *now = show_is_only_table(s) ? view_grid_last(s->use, e)
	                                    : view_grid(s->use, e);
	int r;

	if (!s->baseline.grid) {
		*ret = now;
		return GS_OK;
	}
	r = baseline_compare(&s->baseline, s->ask, now, ret, s->err);
	grid_free(now);
	return r;
}

/* The line above a view of the last tick says which that is. */
static void name_tick(const struct show *s, const struct engine *e,
	struct grid *g)
{
	struct buf text = BUF_INIT;

	buf_add_str(&text, "last sample, ");
	zone_add_time(&s->src->zone, e->to_ns, 0, &text);
	show_set_title(g, &text);
}

/* The end of the range has no such rows, but its middle. */
static void note_crest(const struct show *s, const struct engine *e,
	struct grid *g)
{
	const struct ask_words *asked = &s->o->words;
	struct buf text = BUF_INIT;
	int64_t at_ns;
	size_t n;

	if (asked->session || asked->server || asked->where)
		return; /* these may be why there is no row */
	if (g->n_row > 0 || s->baseline.grid || e->n_ticks < 2 ||
	    !view_crest(s->use, &n, &at_ns))
		return;
	buf_printf(&text, "none at the end of the range; most, %zu, at ", n);
	zone_add_time(&s->src->zone, at_ns, 0, &text);
	buf_add_str(&text, ": --at ");
	zone_add_time(&s->src->zone, at_ns, 0, &text);
	show_set_title(g, &text);
}

/* Tables that follow one. */
static bool show_followers(struct show *s, struct grid *g)
{
	bool ok = true;

	for (g = g->more; g && ok; g = g->more)
		ok = show_grid(s, g);
	return ok;
}

static int emit_view(struct show *s, const struct engine *e)
{
	struct grid *head = s->o->for_people ? view_head(s->use, e) : NULL;
	struct grid *g = NULL;
	int r;

	show_note_rare(s, e);
	if (s->rest.hosts)
		unattributed_add_up(&s->rest, s->use);
	r = make_table(s, e, &g);
	if (r == GS_OK && s->rest.hosts)
		unattributed_take(&s->rest, e, g);
	if (r == GS_OK)
		r = show_refine(s, g);
	if (r == GS_OK && s->rest.hosts)
		unattributed_put(&s->rest, g);
	s->refused = r;
	if (r == GS_OK) {
		ask_note_server(s->ask, e, g);
		ask_note_session(s->ask, e, g);
		show_note_seen(s, g);
		note_crest(s, e, g);
		show_note_empty(s, e, g);
	}
	if (head)
		name_tick(s, e, head);
	if (s->o->n_window > 0)
		mark_window(s, g);
	if (r == GS_OK && !((!head || show_grid(s, head)) &&
	    show_grid(s, g) && show_followers(s, g)))
		r = 1;
	grid_free(head);
	grid_free(g);
	return r;
}

bool show_count(struct show *s)
{
	s->n_shown++;
	s->done = s->done || s->n_shown == s->o->count ||
	    (s->src->is_over && s->src->is_over(s->src->ctx));
	return s->done;
}

static bool has_mark(const struct engine *e)
{
	size_t i;

	for (i = 0; i < e->n_event; i++) {
		if (e->event[i].kind == EVENT_MARK)
			return true;
	}
	return false;
}

/* A bare tick is no table of its own, but for what shows events, and for a
 * mark, which stands above a table. */
static bool is_bare(const struct show *s, const struct engine *e)
{
	return s->begun && s->range.every_ns == RANGE_EACH_TICK &&
	    s->o->n_window == 0 && engine_is_bare(e) &&
	    !has_mark(e) && strcmp(view_name(ask_view(s->ask)), "events") != 0;
}

static int emit(void *ctx, const struct engine *e)
{
	struct show *s = ctx;
	int r;

	if (s->done)
		return 1;
	if (s->n_made++ < s->n_past)
		return 0;
	if (is_bare(s, e))
		return 0;
	if (s->streams)
		show_again(s);
	show_fill_report(s, e);
	if (s->overview) {
		if (s->range.every_ns == 0) /* above steps it would be of the first */
			report_add_database(&s->report, e,
			    overview_most(s->overview));
		show_note_unjudged(s);
		r = overview_show(s->overview, e, show_grid, s) ? 0 : 1;
	} else {
		r = emit_view(s, e);
	}
	if (s->o->n_window > 0 && s->window + 1 < s->o->n_window)
		return r; /* those of one instant count as one */
	return r == GS_OK && show_count(s) ? 1 : r;
}

/* Length of the range, if known before it is read; 0: unknown. */
static int64_t range_length(const struct show *s, const struct range *r)
{
	const struct show_source *src = s->src;
	int64_t from = GS_MAX(r->from_ns,
	    tick_nominal(src->first_ns, src->interval_ns));
	int64_t to = GS_MIN(r->to_ns,
	    tick_nominal(src->last_ns, src->interval_ns));

	return s->src->is_pipe ? 0 : GS_MAX(to - from, 0);
}

/* That of all tables, if there are only so many. */
static int64_t shown_length(const struct show *s, const struct range *r, int64_t length_ns)
{
	int64_t n = s->o->count, step = r->every_ns;

	return step > 0 && n > 0 && n < length_ns / step ? n * step : length_ns;
}

/* All processes are shown to a reader: what is left is that of none of them. */
static bool wants_rest(const struct show *s)
{
	const struct ask_words *w = &s->o->words;

	return s->o->has_notes && s->o->n_window == 0 && !s->baseline.grid &&
	    strcmp(view_name(ask_view(s->ask)), "processes") == 0 &&
	    !w->group_by && !w->where && !w->session && !w->server &&
	    !w->columns;
}

static void enter(struct show *s, const struct range *r, struct gs_err *err)
{
	int64_t length_ns = range_length(s, r);

	engine_init(&s->engine, s->src->interval_ns);
	s->engine.leaps = s->src->leaps && ask_leaps(s->ask);
	s->engine.gists = s->src->leaps && ask_takes_gists(s->ask);
	if (strcmp(view_name(ask_view(s->ask)), "active") == 0)
		s->engine.before_ns = s->src->before_ns;
	s->range = *r;
	s->n_made = s->n_past = 0;
	s->err = err;
	s->refused = GS_OK;
	if (view_is_overview(ask_view(s->ask)))
		s->overview = overview_open(&s->engine, length_ns > 0 &&
		    r->every_ns > 0 ? r->every_ns : length_ns,
		    shown_length(s, r, length_ns),
		    &s->src->zone, ask_of_view(s->ask));
	else
		s->use = view_open(ask_view(s->ask), &s->engine,
		    ask_of_view(s->ask));
	s->rest = (struct unattributed) { .hosts = NULL };
	if (wants_rest(s))
		unattributed_open(&s->rest, &s->engine);
	s->run = range_open(&s->range, s->src->cursor, &s->engine, emit, s,
	    &s->ran);
}

static void leave(struct show *s, struct show_result *ret)
{
	range_close(s->run);
	s->run = NULL;
	ret->any |= s->ran.any;
	ret->hole = s->ran.hole;
	ret->n_holes += s->ran.n_holes;
	ret->unrecorded = show_is_unrecorded(s);
	ret->stopped = s->stopped || s->done;
	view_close(s->use);
	overview_close(s->overview);
	s->use = NULL;
	s->overview = NULL;
	report_release(&s->report);
	engine_release(&s->engine);
}

/* A table is complete before a gist that breaks, so it stays as it is. */
static int go(struct show *s, struct gs_err *err)
{
	struct show_result none = { 0 };
	struct range r = s->range;
	int status = range_go(s->run, err);

	while (status == GS_E_AGAIN) {
		size_t n = s->n_made;

		leave(s, &none);
		enter(s, &r, err);
		s->n_past = n;
		status = range_go(s->run, err);
	}
	return status;
}

int show_pass(struct show *s, const struct range *r,
	struct show_result *ret, struct gs_err *err)
{
	int status;

	enter(s, r, err);
	status = go(s, err);
	if (status >= 0)
		range_end(s->run);
	if (status >= 0 && s->ran.any && s->ran.n_tables == 0) /* it has one tick */
		(void)emit(s, &s->engine); /* the end anyway */
	status = GS_MIN(status, s->refused);
	leave(s, ret);
	return status;
}

int show_against(struct show *s, const struct range *r, struct gs_err *err)
{
	return baseline_read(&s->baseline, s->src, s->ask, r, err);
}

void show_open(struct show *s, const struct range *r)
{
	enter(s, r, NULL);
	s->streams = true;
}

int show_more(struct show *s, struct gs_err *err)
{
	int status;

	s->err = err;
	status = go(s, err);
	return s->refused < 0 ? s->refused : status;
}

int show_close(struct show *s, struct show_result *ret, struct gs_err *err)
{
	s->err = err;
	range_end(s->run);
	leave(s, ret);
	s->streams = false;
	return s->refused;
}

static void pass_notes(const struct show *s)
{
	struct report rep = { .zone = &s->src->zone };
	size_t i;

	show_pass_unasked(s);
	if (s->o->has_notes)
		return;
	s->src->head(s->src->ctx, &rep);
	for (i = 0; i < rep.n_note; i++)
		s->out->note(s->out->ctx, rep.note[i]);
	report_release(&rep);
}

void show_end(struct show *s)
{
	if (s->begun && !s->stopped)
		(void)s->out->end(s->out->ctx); /* it reports a failure */
	pass_notes(s);
}

void show_free(struct show *s)
{
	if (!s)
		return;
	report_release(&s->report);
	baseline_release(&s->baseline);
	asked_release(&s->asked);
	ask_free(s->ask);
	free(s->unseen);
	free(s->why_empty);
	free(s);
}
