/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/timescan.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Ticks per step: some ms, so that keys are handled soon. */
#define STEP_TICKS 240

/* ---- buckets ----------------------------------------------------------- */

static int64_t floor_to(int64_t t, int64_t step)
{
	int64_t off = t % step;

	return t - (off < 0 ? off + step : off);
}

static size_t index_of(const struct timescan *s, int64_t t)
{
	int64_t i = (t - s->start_ns) / s->step_ns;

	return i < 0 ? 0 : (size_t)GS_MIN(i, (int64_t)s->n - 1);
}

/* A bucket has the ticks after its start up to its end. */
static size_t count_to(const struct timescan *s, int64_t last_ns)
{
	int64_t n = (last_ns - s->start_ns + s->step_ns - 1) / s->step_ns;

	return (size_t)GS_MAX(n, 1);
}

static void layout(struct timescan *s, const struct tui_source *src)
{
	int64_t tick = GS_MAX(src->interval_ns, 1);
	int64_t ticks = (src->last_ns - src->first_ns) / tick + 2;

	s->step_ns = tick * ((ticks + TIMESCAN_POINTS_MAX - 1) /
	    TIMESCAN_POINTS_MAX);
	s->start_ns = floor_to(src->first_ns, s->step_ns);
	s->n = GS_MIN(count_to(s, src->last_ns), TIMESCAN_POINTS_MAX);
}

/* The larger stack. */
static void join_parts(double *to, const double *from, size_t n)
{
	if (timescan_sum(from, n) > timescan_sum(to, n))
		memcpy(to, from, n * sizeof(*to));
}

static void join(struct timescan_point *to, const struct timescan_point *from)
{
	bool none = to->ticks == 0;

	to->value = !to->known ? from->value : !from->known ? to->value
	    : GS_MAX(to->value, from->value);
	to->known |= from->known;
	if (none && from->ticks > 0) {
		struct timescan_point was = *to;

		*to = *from;
		to->value = was.value;
		to->known = was.known;
		to->done &= was.done;
		return;
	}
	to->done &= from->done;
	if (from->ticks == 0)
		return;
	to->ticks += from->ticks;
	to->busy_percent = GS_MAX(to->busy_percent, from->busy_percent);
	to->steal_percent = GS_MAX(to->steal_percent, from->steal_percent);
	to->await_ms = GS_MAX(to->await_ms, from->await_ms);
	to->running = GS_MAX(to->running, from->running);
	to->active = GS_MAX(to->active, from->active);
	to->waiting = GS_MAX(to->waiting, from->waiting);
	join_parts(to->load, from->load, LOAD_COUNT);
	join_parts(to->cpu, from->cpu, CPU_COUNT);
}

static void halve(struct timescan *s)
{
	int64_t start = floor_to(s->start_ns, 2 * s->step_ns);
	size_t shift = (size_t)((s->start_ns - start) / s->step_ns);
	size_t i, n = 0;

	for (i = 0; i < s->n; i++) {
		size_t to = (i + shift) / 2;

		if (to < n)
			join(&s->point[to], &s->point[i]);
		else
			s->point[n++] = s->point[i];
	}
	memset(s->point + n, 0, (TIMESCAN_POINTS_MAX - n) * sizeof(*s->point));
	s->n = n;
	s->step_ns *= 2;
	s->start_ns = start;
}

static void recount(struct timescan *s)
{
	size_t i;

	s->n_done = 0;
	for (i = 0; i < s->n; i++)
		s->n_done += s->point[i].done;
}

/* Drops what is older than the recording now. */
static void forget(struct timescan *s, int64_t first_ns)
{
	int64_t k = (first_ns - s->start_ns) / s->step_ns;
	size_t n;

	if (k <= 0)
		return;
	n = (size_t)GS_MIN(k, (int64_t)s->n);
	memmove(s->point, s->point + n, (s->n - n) * sizeof(*s->point));
	memset(s->point + s->n - n, 0, n * sizeof(*s->point));
	s->n -= n;
	s->start_ns += k * s->step_ns;
	for (n = 0; n < s->n_note && s->note[n].end_ns < s->start_ns; n++)
		free(s->note[n].text);
	if (n > 0)
		memmove(s->note, s->note + n, (s->n_note - n) *
		    sizeof(*s->note));
	s->n_note -= n;
}

void timescan_extend(struct timescan *s, const struct tui_source *src)
{
	size_t was;

	forget(s, src->first_ns);
	was = s->n;
	while (count_to(s, src->last_ns) > TIMESCAN_POINTS_MAX) {
		halve(s);
		was = s->n;
	}
	s->n = count_to(s, src->last_ns);
	if (was > 0) /* it may have grown */
		s->point[was - 1].done = false;
	recount(s);
}

static int check_column(const struct view *v, const char *name,
	struct gs_err *err)
{
	struct grid *g = grid_new(view_name(v), NULL);
	struct grid_col col;
	const char *many;
	size_t i;
	int at, r = GS_OK;

	for (i = 0; view_column(v, i, &col, &many); i++)
		grid_add_col(g, &col);
	at = grid_find_col(g, name, strlen(name));
	if (at < 0)
		r = grid_no_col(g, name, strlen(name), err);
	else if (g->col[at].quantity == Q_TEXT ||
	    g->col[at].quantity == Q_TIME || g->col[at].quantity == Q_ID)
		r = gs_fail(err, GS_E_USAGE, "%s is no figure", name);
	grid_free(g);
	return r;
}

static int choose_column(struct timescan *s, const char *column,
	struct gs_err *err)
{
	const char *dot = strchr(column, '.');
	char *name;

	if (!dot)
		return gs_fail(err, GS_E_USAGE, "%s: expected load, waiting, "
		    "cpu, busy, active, running, await, steal, or VIEW.COLUMN "
		    "such as sessions.memory", column);
	name = gs_strndup(column, (size_t)(dot - column));
	s->view = view_find(name);
	if (!s->view)
		(void)gs_fail(err, GS_E_USAGE, "no view %s", name);
	free(name);
	if (!s->view)
		return GS_E_USAGE;
	if (view_is_overview(s->view))
		return gs_fail(err, GS_E_USAGE, "the overview has no columns");
	return check_column(s->view, dot + 1, err);
}

int timescan_init(struct timescan *s, const struct tui_source *src,
    size_t metric, const char *column, struct gs_err *err)
{
	*s = (struct timescan) { .metric = metric };
	layout(s, src);
	if (column) {
		int r = choose_column(s, column, err);

		if (r < 0) {
			timescan_release(s);
			return r;
		}
		s->column = gs_strdup(column);
	}
	return GS_OK;
}

void timescan_release(struct timescan *s)
{
	size_t i;

	for (i = 0; i < s->n_note; i++)
		free(s->note[i].text);
	free(s->note);
	free(s->column);
	*s = (struct timescan) { 0 };
}

/* ---- notes ------------------------------------------------------------- */

static void add_note(struct timescan *s, const struct timescan_note *note)
{
	size_t at = s->n_note;

	while (at > 0 && s->note[at - 1].at_ns >= note->at_ns) {
		struct timescan_note *n = &s->note[at - 1];

		if (n->at_ns == note->at_ns && n->kind == note->kind &&
		    strcmp(n->text, note->text) == 0) {
			/* of a bucket that is scanned again, or a hole that
			 * goes on */
			n->end_ns = GS_MAX(n->end_ns, note->end_ns);
			return;
		}
		at--;
	}
	if (s->n_note >= TIMESCAN_NOTES_MAX)
		return;
	GS_GROW(s->note, &s->note_cap, s->n_note + 1);
	memmove(s->note + at + 1, s->note + at, (s->n_note - at) *
	    sizeof(*s->note));
	s->note[at] = *note;
	s->note[at].text = gs_strdup(note->text);
	s->n_note++;
}

static void add_notes(struct timescan *s, const struct engine *e)
{
	size_t i;

	for (i = 0; i < e->n_event; i++) {
		const struct engine_event *ev = &e->event[i];
		struct buf text = BUF_INIT;

		buf_printf(&text, "%s%s%s%s%s", event_name(ev->kind),
		    *ev->host ? " " : "", ev->host, *ev->text ? ": " : "",
		    ev->text);
		add_note(s, &(struct timescan_note) { ev->wall_ns, ev->wall_ns,
		    (int)ev->kind, text.ptr });
		buf_release(&text);
	}
	for (i = 0; i < e->n_hole; i++) {
		const struct engine_hole *h = &e->hole[i];
		struct timescan_note note = { h->from_ns, h->to_ns, 0, h->why };

		if (h->from_ns == INT64_MIN)
			note.at_ns = e->from_ns;
		if (h->to_ns == INT64_MAX)
			note.end_ns = e->to_ns;
		add_note(s, &note);
	}
}

const struct timescan_note *timescan_next(
    const struct timescan *s, int64_t t_ns)
{
	size_t i;

	for (i = 0; i < s->n_note; i++) {
		if (s->note[i].at_ns > t_ns)
			return &s->note[i];
	}
	return NULL;
}

const struct timescan_note *timescan_previous(
    const struct timescan *s, int64_t t_ns)
{
	size_t i;

	for (i = s->n_note; i-- > 0;) {
		if (s->note[i].at_ns < t_ns)
			return &s->note[i];
	}
	return NULL;
}

int64_t timescan_known_to(const struct timescan *s, int64_t t_ns)
{
	size_t i = index_of(s, t_ns);

	while (i < s->n && s->point[i].done)
		i++;
	return s->start_ns + (int64_t)i * s->step_ns;
}

int64_t timescan_known_from(const struct timescan *s, int64_t t_ns)
{
	size_t i = index_of(s, t_ns) + 1;

	while (i > 0 && s->point[i - 1].done)
		i--;
	return s->start_ns + (int64_t)i * s->step_ns;
}

/* ---- scanning ---------------------------------------------------------- */

struct look {
	struct timescan *s;
	struct timeline *line;
	struct view_use *use;
};

static bool number(const struct cell *c, double *ret)
{
	if (c->kind != CELL_INT && c->kind != CELL_REAL)
		return false;
	*ret = c->kind == CELL_INT ? (double)c->i : c->r;
	return true;
}

/* The sum of a column, or its largest value. */
static bool column_value(const struct grid *g, const char *name, double *ret)
{
	int col = grid_find_col(g, name, strlen(name));
	bool any = false;
	double sum = 0, v;
	size_t i;

	for (i = 0; col >= 0 && i < g->n_row; i++) {
		if (!number(&g->row[i].cell[col], &v))
			continue;
		sum = !any ? v : g->col[col].additive ? sum + v
		    : GS_MAX(sum, v);
		any = true;
	}
	*ret = sum;
	return any;
}

static void set_column(const struct look *l, const struct engine *e,
	struct timescan_point *p)
{
	struct grid *g;

	if (!l->use)
		return;
	g = view_grid(l->use, e);
	p->known = column_value(g, timescan_name(l->s), &p->value);
	grid_free(g);
}

static void set_metrics(const struct look *l, const struct engine *e,
	struct timescan_point *p)
{
	struct timeline_point t = timeline_whole(l->line, e);

	p->busy_percent = t.busy_percent;
	p->steal_percent = t.steal_percent;
	p->await_ms = t.await_ms;
	p->running = t.running;
	p->active = t.active;
	p->waiting = t.waiting;
	memcpy(p->load, t.load, sizeof(p->load));
	memcpy(p->cpu, t.cpu, sizeof(p->cpu));
}

static int add_table(void *ctx, const struct engine *e)
{
	struct look *l = ctx;
	struct timescan_point *p = &l->s->point[index_of(l->s,
	    e->to_ns - e->interval_ns / 2)];

	add_notes(l->s, e);
	if (e->n_ticks == 0)
		return 0;
	p->ticks = e->n_ticks;
	p->done = true;
	set_metrics(l, e, p);
	set_column(l, e, p);
	return 0;
}

static void follow(void *self, const struct engine *e)
{
	timeline_tick(self, e);
}

static void restart(void *self, const struct engine *e)
{
	timeline_restart(self, e);
}

static bool scan(struct timescan *s, const struct tui_source *src,
	const struct range *r)
{
	static const struct view_ask plain = { .wait = WAIT_ASK_INIT,
		.light = true };
	struct look l = { .s = s };
	struct range_result res;
	struct patience patience;
	struct cursor c = patience_cursor(&patience, src);
	struct follower f;
	struct engine e;
	struct gs_err err;
	int status;

	engine_init(&e, src->interval_ns);
	if (s->view)
		l.use = view_open(s->view, &e, &plain);
	l.line = timeline_new(0);
	f = (struct follower) { .self = l.line, .tick = follow,
		.restart = restart };
	engine_add_follower(&e, &f);
	status = range_run(r, c, &e, add_table, &l, &res, &err);
	view_close(l.use);
	timeline_free(l.line);
	engine_release(&e);
	return status == GS_OK || !patience.lost;
}

/* The bucket to scan next: the nearest after t, else before it; to the left the
 * reverse. n: none is left. */
static size_t pick(const struct timescan *s, int64_t t_ns, bool left)
{
	size_t at = index_of(s, t_ns), i;

	for (i = at; !left && i < s->n; i++) {
		if (!s->point[i].done)
			return i;
	}
	for (i = at + 1; i-- > 0;) {
		if (!s->point[i].done)
			return i;
	}
	for (i = at; i < s->n && s->point[i].done; i++)
		;
	return i;
}

bool timescan_step(struct timescan *s, const struct tui_source *src,
    int64_t near_ns, bool left)
{
	size_t most = (size_t)GS_MAX(STEP_TICKS * src->interval_ns /
	    s->step_ns, 1);
	size_t i = pick(s, near_ns, left), end;
	struct range r;

	if (i == s->n)
		return false;
	end = i + 1;
	while (left && i > 0 && !s->point[i - 1].done && end - i < most)
		i--;
	while (end < s->n && !s->point[end].done && end - i < most)
		end++;
	r = (struct range) { s->start_ns + (int64_t)i * s->step_ns,
		s->start_ns + (int64_t)end * s->step_ns, s->step_ns };
	if (scan(s, src, &r)) {
		for (; i < end; i++)
			s->point[i].done = true;
	}
	recount(s);
	return s->n_done < s->n;
}

static bool is_hole(const struct timescan *s, size_t i)
{
	int64_t middle = s->start_ns + (int64_t)i * s->step_ns +
	    s->step_ns / 2;
	size_t k;

	for (k = 0; k < s->n_note; k++) {
		if (s->note[k].kind == 0 && s->note[k].at_ns < middle &&
		    s->note[k].end_ns > middle)
			return true;
	}
	return false;
}

const struct timescan_point *timescan_at(const struct timescan *s, size_t i)
{
	const struct timescan_point *p = &s->point[i];
	size_t k;

	if (!p->done || p->ticks > 0 || is_hole(s, i))
		return p;
	for (k = i + 1; k < s->n && k <= i + 2; k++) {
		if (!s->point[k].done || s->point[k].ticks > 0)
			return &s->point[k];
	}
	return p;
}

bool timescan_is_done(const struct timescan *s)
{
	return s->n_done >= s->n;
}

void timescan_next_metric(struct timescan *s, const struct tui_source *src)
{
	size_t metric = s->column ? 0 : (s->metric + 1) % n_timescan_metrics;

	/* offered first if there is something to see */
	if (strcmp(timescan_metrics[metric].name, "waiting") == 0 &&
	    timescan_is_done(s) && !timescan_any(s, metric))
		metric++;
	if (s->column) {
		timescan_release(s);
		(void)timescan_init(s, src, metric, NULL, NULL);
	}
	s->metric = metric;
	s->chosen = true;
}
