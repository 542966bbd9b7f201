/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/tables.h"

#include <string.h>

#include "base/mem.h"
#include "cli/console.h"
#include "cli/view_opts.h"
#include "view/report.h"
#include "view/show_find.h"
#include "view/show_series.h"

struct ask_words tables_words(const struct replay_options *o)
{
	return (struct ask_words) { .view = o->view, .group_by = o->group_by,
		.nested = o->nested, .normalize = o->normalize,
		.flatten = o->flatten.text, .n_flatten = o->flatten.n,
		.ema = o->ema, .where = o->where, .session = o->session,
		.server = o->server, .sort = o->sort, .columns = o->columns,
		.compared = o->baseline != NULL,
		.with_sides = o->baseline != NULL &&
		    render_can(o->format, RENDER_FOR_PEOPLE), .limit = (size_t)o->limit,
		.wait = { .classes = o->class, .event = o->event,
		    .query_id = o->query_id, .pid = (int)o->pid,
		    .metric = o->metric, .min_percent = o->min_percent,
		    .top = (unsigned)o->top } };
}

static int check_find(const struct replay_options *o, struct gs_err *err)
{
	if (o->n_window > 0)
		return gs_fail(err, GS_E_USAGE, "--find looks at samples, or "
		    "at steps of --every: not at windows");
	if (o->baseline)
		return gs_fail(err, GS_E_USAGE, "--find and --baseline: "
		    "expected only one of them");
	if (o->nested)
		return gs_fail(err, GS_E_USAGE, "--find and --nested: "
		    "expected only one of them");
	if (o->session)
		return gs_fail(err, GS_E_USAGE, "--find with --session: "
		    "expected the session in the expression: "
		    "\"... and session = %.60s\"", o->session);
	if (render_can(o->format, RENDER_ONE_INSTANT))
		return gs_fail(err, GS_E_USAGE, "-f openmetrics shows one "
		    "instant: not with --find");
	return GS_OK;
}

static int check_baseline(const struct replay_options *o, struct gs_err *err)
{
	bool steps = o->ticks || o->every_ns;

	if (strcmp(o->view, "overview") == 0 && !o->group_by)
		return gs_fail(err, GS_E_USAGE, "--baseline needs a view: "
		    "-V sessions, -V hosts, ...");
	if (o->n_window > 0)
		return gs_fail(err, GS_E_USAGE, "--baseline and --window: "
		    "expected only one of them");
	if (steps && !strstr(o->baseline, ".."))
		return gs_fail(err, GS_E_USAGE, "with --every or --ticks each "
		    "table is compared with one range: expected --baseline "
		    "FROM..TO, got %.60s", o->baseline);
	if (render_can(o->format, RENDER_ONE_INSTANT))
		return gs_fail(err, GS_E_USAGE, "-f openmetrics shows one "
		    "instant: not with --baseline");
	return GS_OK;
}

void tables_head(struct archive *a, const struct zone *zone,
	struct report *ret)
{
	size_t i;

	ret->n_file = archive_files(a);
	ret->file = gs_calloc(ret->n_file, sizeof(*ret->file));
	for (i = 0; i < ret->n_file; i++)
		ret->file[i] = archive_file(a, i);
	archive_notes(a, zone, report_add_note, ret);
}

int tables_check(const struct replay_options *o, struct gs_err *err)
{
	int r = o->find ? check_find(o, err) : GS_OK;

	return r == GS_OK && o->baseline ? check_baseline(o, err) : r;
}

static int check_format(const struct replay_options *o, struct gs_err *err)
{
	if (o->no_header && !render_can(o->format, RENDER_HAS_HEADINGS))
		return gs_fail(err, GS_E_USAGE, "--no-header goes with -f text "
		    "and -f csv");
	if (o->crlf && o->format != RENDER_CSV)
		return gs_fail(err, GS_E_USAGE, "--crlf goes with -f csv");
	if (o->wrap && o->format != RENDER_TEXT)
		return gs_fail(err, GS_E_USAGE, "--wrap goes with -f text: "
		    "other formats have whole texts");
	return GS_OK;
}

static int check_view(const struct replay_options *o, const struct view *v,
	struct gs_err *err)
{
	if (view_is_overview(v) && render_can(o->format, RENDER_ONE_INSTANT))
		return gs_fail(err, GS_E_USAGE, "-f openmetrics needs a "
		    "view: -V sessions, -V hosts, ...");
	return view_opts_check(o, v, err);
}

void tables_init(struct tables *t, const struct replay_options *o)
{
	output_init(&t->printer, (enum render_format)o->format,
	    (size_t)o->width, (enum output_color)o->color);
	t->out = output_for_show(&t->printer);
	t->options = (struct show_options) { .words = tables_words(o),
		.count = o->count, .width = t->printer.options.width,
		.for_people = render_can(o->format, RENDER_FOR_PEOPLE),
		.has_notes = render_can(o->format, RENDER_HAS_NOTES),
		.notes_each = render_can(o->format, RENDER_NOTES_EACH) };
}

void tables_release(struct tables *t)
{
	show_free(t->show);
	output_release(&t->printer);
	t->show = NULL;
}

/* Whole intervals: a shorter window has none, another one more than its heading
 * says.  Lengths that were asked for stay, but are at least one. */
static int64_t fitted(int64_t ns, int64_t interval_ns, bool by_view)
{
	if (interval_ns <= 0 || (ns >= interval_ns && !by_view))
		return ns;
	return (ns + interval_ns - 1) / interval_ns * interval_ns;
}

static void fit_windows(struct tables *t, const struct replay_options *o,
	int64_t interval_ns)
{
	size_t i, n = 0;

	for (i = 0; i < o->n_window; i++) {
		int64_t ns = fitted(o->window[i], interval_ns,
		    o->windows_by_view);

		if (n == 0 || ns > t->window[n - 1])
			t->window[n++] = ns;
	}
	t->options.window_ns = t->window;
	t->options.n_window = n;
}

static void set_form(struct tables *t, const struct replay_options *o)
{
	if (o->no_header)
		output_no_header(&t->printer);
	if (o->crlf)
		output_crlf(&t->printer);
	if (o->wrap)
		output_wrap(&t->printer);
}

int tables_show(struct tables *t, const struct replay_options *o,
	const struct show_source *src, struct gs_err *err)
{
	int r;

	fit_windows(t, o, src->interval_ns);
	r = show_new(&t->options, src, &t->out, &t->show, err);
	if (r == GS_OK)
		r = check_format(o, err);
	if (r == GS_OK)
		r = check_view(o, show_view(t->show), err);
	if (r < 0) {
		show_free(t->show);
		t->show = NULL;
	} else {
		set_form(t, o);
	}
	return r;
}

int tables_series(struct tables *t, const struct replay_options *o,
	const struct show_source *src, const struct range *r,
	struct show_result *ret, char **ret_unseen, struct gs_err *err)
{
	const struct show_series series = { .metrics = o->series,
		.lines = o->spark, .words = t->options.words,
		.width = o->format == RENDER_TEXT ? t->options.width : 0,
		.signs = t->options.for_people,
		.utf8 = t->printer.options.utf8,
		.has_notes = t->options.has_notes, .source = src,
		.out = &t->out };
	const struct view *v = view_find(o->view);
	int status = check_format(o, err);

	if (status == GS_OK && v)
		status = check_view(o, v, err);
	if (status < 0)
		return status;
	set_form(t, o);
	return show_series(&series, r, ret, ret_unseen, err);
}

int tables_find(const struct tables *t, const struct replay_options *o,
	const struct show_source *src, const struct range *r,
	struct show_result *ret, size_t *ret_found, struct gs_err *err)
{
	const struct show_find find = { .expression = o->find,
		.words = t->options.words, .source = src, .out = &t->out,
		.has_notes = t->options.has_notes };

	return show_find(&find, r, ret, ret_found, err);
}
