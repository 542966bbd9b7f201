/* SPDX-License-Identifier: Apache-2.0 */
#include "history/wide.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/zone.h"
#include "metric/unit.h"
#include "render/wideform.h"

#define WRITE_BUFFER ((size_t)64 << 10)

/* Beside metrics. */
enum { TIME, HOST, IDENTITY, FIXED };

/* Columns of an entity's table that are no metrics; events have others. */
#define OTHERS_MAX (FIXED + 2)
#define RENAMED_MAX OTHERS_MAX

struct column {
	const char *name, *unit, *help;
};

static const struct column fixed[FIXED] = {
	[TIME] = { "time", "", "time of the sample by the recorder's clock, UTC" },
	[HOST] = { "host", "", "host of the row" },
	[IDENTITY] = { "identity", "", "distinguishes rows of one host" },
};

static const struct column session = { "session", "",
	"session that the process works for" };
static const struct column seconds = { "seconds", "seconds",
	"time that the increases of this line cover" };

/* Of events, after FIXED; IDENTITY is the kind. */
static const struct column event_columns[] = {
	{ "value", "", "a number that belongs to the event" },
	{ "text", "", "what happened" },
};

struct sheet {
	const char *name; /* of the entity; NULL: not asked for */
	size_t n;
	struct column *column;
	int16_t at[COLS_MAX]; /* column of a metric; -1: not chosen */
	int16_t session, seconds; /* -1: none */
	char *renamed[RENAMED_MAX]; /* names of columns; owned */
	size_t n_renamed;
	/* of the line that is being filled */
	struct cell *cell;
	size_t *offset, *len; /* of texts, in strings */
	struct buf strings;
	struct buf text; /* finished lines */
	bool begun; /* it has lines */
};

/* The last one is that of events. */
#define SHEETS (ENTITY_COUNT + 1)

struct wide {
	wide_fn fn;
	void *ctx;
	struct sheet sheet[SHEETS];
	struct sheet *now; /* the sheet of the line that is being filled */
	uint64_t number; /* of its row */
	struct buf scratch;
};

/* ---- columns ------------------------------------------------------------ */

static int16_t add_column(struct sheet *s, struct column c)
{
	s->column[s->n] = c;
	return (int16_t)s->n++;
}

static void begin_columns(struct sheet *s, size_t max)
{
	size_t i;

	s->column = gs_calloc(max, sizeof(*s->column));
	s->cell = gs_calloc(max, sizeof(*s->cell));
	s->offset = gs_calloc(max, sizeof(*s->offset));
	s->len = gs_calloc(max, sizeof(*s->len));
	for (i = 0; i < FIXED; i++)
		(void)add_column(s, fixed[i]);
}

/* A metric with the name of another column has that of its entity before it. */
static const char *name_of(struct sheet *s, const struct metric *m)
{
	struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (strcmp(s->column[i].name, m->name) == 0)
			break;
	}
	if (i == s->n || s->n_renamed == RENAMED_MAX)
		return m->name;
	buf_printf(&b, "%s_%s", s->name, m->name);
	s->renamed[s->n_renamed] = gs_strdup(buf_str(&b));
	buf_release(&b);
	return s->renamed[s->n_renamed++];
}

static void add_metrics(struct sheet *s, const struct choice *choice,
	enum entity_id e, bool totals)
{
	const struct entity *en = entity_get(e);
	bool grows = false;
	unsigned i;

	for (i = 0; i < en->ncols; i++)
		grows |= !totals && metric_is_counter(&en->metrics[i]) &&
		    choice_has_metric(choice, e, i);
	s->session = e == ENTITY_PROCESS ? add_column(s, session) : -1;
	s->seconds = grows ? add_column(s, seconds) : -1;
	for (i = 0; i < en->ncols; i++) {
		const struct metric *m = &en->metrics[i];

		s->at[i] = -1;
		if (choice_has_metric(choice, e, i))
			s->at[i] = add_column(s, (struct column) { name_of(s, m),
			    unit_base_name((enum unit_id)m->unit), m->help });
	}
}

static void open_sheets(struct wide *w, const struct choice *choice,
	bool totals)
{
	struct sheet *events = &w->sheet[ENTITY_COUNT];
	size_t i;
	int e;

	for (e = 0; e < ENTITY_COUNT; e++) {
		struct sheet *s = &w->sheet[e];

		if (!choice->entity[e])
			continue;
		s->name = entity_get((enum entity_id)e)->name;
		begin_columns(s, OTHERS_MAX + entity_get(
		    (enum entity_id)e)->ncols);
		add_metrics(s, choice, (enum entity_id)e, totals);
	}
	if (!choice->events)
		return;
	events->name = "event";
	begin_columns(events, OTHERS_MAX);
	for (i = 0; i < GS_LEN(event_columns); i++)
		(void)add_column(events, event_columns[i]);
}

struct wide *wide_new(const struct choice *choice, bool totals, wide_fn fn,
	void *ctx)
{
	struct wide *w = gs_calloc(1, sizeof(*w));

	w->fn = fn;
	w->ctx = ctx;
	open_sheets(w, choice, totals);
	return w;
}

void wide_free(struct wide *w)
{
	size_t i, k;

	if (!w)
		return;
	for (i = 0; i < SHEETS; i++) {
		for (k = 0; k < w->sheet[i].n_renamed; k++)
			free(w->sheet[i].renamed[k]);
		free(w->sheet[i].column);
		free(w->sheet[i].cell);
		free(w->sheet[i].offset);
		free(w->sheet[i].len);
		buf_release(&w->sheet[i].text);
		buf_release(&w->sheet[i].strings);
	}
	buf_release(&w->scratch);
	free(w);
}

/* ---- lines -------------------------------------------------------------- */

static int pass_on(struct wide *w, struct sheet *s, struct gs_err *err)
{
	int r = s->text.len > 0 ? w->fn(w->ctx, s->name, &s->text, err)
	                        : GS_OK;

	buf_reset(&s->text);
	return r;
}

static void add_heading(struct sheet *s)
{
	const char **name = gs_calloc(s->n, sizeof(*name));
	size_t i;

	for (i = 0; i < s->n; i++)
		name[i] = s->column[i].name;
	wideform_heading(&s->text, name, s->n);
	free(name);
	s->begun = true;
}

/* The texts of the line have their final place now. */
static void place_texts(struct sheet *s)
{
	const char *at = buf_str(&s->strings);
	size_t i;

	for (i = 0; i < s->n; i++) {
		size_t len = s->len[i];

		if (s->cell[i].kind == CELL_TEXT)
			cell_set_span(&s->cell[i], span_of(at + s->offset[i], len));
	}
}

static int end_line(struct wide *w, struct gs_err *err)
{
	struct sheet *s = w->now;

	if (!s)
		return GS_OK;
	w->now = NULL;
	if (!s->begun)
		add_heading(s);
	place_texts(s);
	wideform_row(&s->text, &w->scratch, s->cell, s->n);
	return s->text.len < WRITE_BUFFER ? GS_OK : pass_on(w, s, err);
}

static void set_cell(struct sheet *s, int at, struct cell c)
{
	if (at < 0)
		return;
	s->cell[at] = c;
	if (c.kind != CELL_TEXT)
		return;
	s->offset[at] = s->strings.len;
	s->len[at] = c.len;
	buf_add(&s->strings, c.text, s->len[at]);
}

static void set_text(struct sheet *s, int at, struct span text)
{
	if (!span_empty(text))
		set_cell(s, at, cell_text(text));
}

/* The numbers and names in the identity, each in its column. */
static void set_identity(struct sheet *s, const struct harvest_row *r)
{
	unsigned i;

	for (i = 0; r->row && !r->residual && i < r->entity->ncols; i++) {
		const struct metric *m = &r->entity->metrics[i];
		uint64_t v;

		if (!(m->flags & F_ID) || s->at[i] < 0 ||
		    !row_get(r->row, i, &v))
			continue;
		if (!metric_is_text(m))
			set_cell(s, s->at[i], cell_int((int64_t)v));
		else if (!r->row->closed)
			set_text(s, s->at[i], row_text(r->world, r->row, i));
	}
}

static void begin_line(struct wide *w, struct sheet *s,
	const struct harvest_row *r)
{
	w->now = s;
	w->number = r->number;
	memset(s->cell, 0, s->n * sizeof(*s->cell)); /* absent */
	buf_reset(&s->strings);
	buf_reset(&w->scratch);
	zone_add_iso(r->time_ns, &w->scratch);
	set_text(s, TIME, span_of(buf_str(&w->scratch), w->scratch.len));
	set_text(s, HOST, span_str(r->host));
	set_text(s, IDENTITY, r->identity);
	set_identity(s, r);
}

static int column_of(const struct sheet *s, const struct harvest_row *r,
	const struct harvest_value *v)
{
	size_t i;

	if (v->metric)
		return s->at[v->metric->col];
	if (r->entity)
		return s->session;
	for (i = FIXED; i < s->n; i++) {
		if (strcmp(s->column[i].name, v->name) == 0)
			return (int)i;
	}
	return -1;
}

int wide_add(void *ctx, const struct harvest_row *r,
	const struct harvest_value *v, struct gs_err *err)
{
	struct wide *w = ctx;
	struct sheet *s = &w->sheet[r->row ? r->row->entity : ENTITY_COUNT];
	int status = GS_OK;

	if (!w->now || w->number != r->number) {
		status = end_line(w, err);
		begin_line(w, s, r);
	}
	set_cell(s, column_of(s, r, v), v->value);
	if (v->seconds >= 0 && s->seconds >= 0)
		set_cell(s, s->seconds, cell_real(v->seconds));
	return status;
}

/* ---- the end ------------------------------------------------------------- */

static void describe(struct wide *w, const struct sheet *s, struct buf *to)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		const struct cell line[] = { cell_text(span_str(s->name)),
			cell_text(span_str(s->column[i].name)),
			cell_text(span_str(s->column[i].unit)),
			cell_text(span_str(s->column[i].help)) };

		wideform_row(to, &w->scratch, line, GS_LEN(line));
	}
}

static int add_columns(struct wide *w, struct gs_err *err)
{
	static const char *const heading[] = { "table", "column", "unit",
		"help" };
	struct buf text = BUF_INIT;
	size_t i;
	int r;

	wideform_heading(&text, heading, GS_LEN(heading));
	for (i = 0; i < SHEETS; i++) {
		if (w->sheet[i].begun)
			describe(w, &w->sheet[i], &text);
	}
	r = w->fn(w->ctx, "columns", &text, err);
	buf_release(&text);
	return r;
}

int wide_end(struct wide *w, bool columns, struct gs_err *err)
{
	int r = end_line(w, err);
	size_t i;

	for (i = 0; r == GS_OK && i < SHEETS; i++)
		r = pass_on(w, &w->sheet[i], err);
	return r == GS_OK && columns ? add_columns(w, err) : r;
}
