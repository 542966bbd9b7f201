/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/terminal.h"

#include <langinfo.h>
#include <signal.h>
#include <string.h>

#include "cli/config.h"
#include "cli/confine.h"
#include "cli/state.h"
#include "cli/tables.h"
#include "tui/looks.h"
#include "view/report.h"

static void report(void *ctx, struct report *rep, const struct engine *e,
	const struct range *r)
{
	const struct show_source *src = ctx;

	src->head(src->ctx, rep);
	report_fill(rep, e, r, src->last_ns, &src->zone);
}

static int baseline(void *ctx, const char *text, const struct range *window,
	struct range *ret, struct gs_err *err)
{
	const struct show_source *src = ctx;

	*ret = (struct range) { 0, 0, 0 };
	return times_baseline(text, &src->zone, src->first_ns, src->last_ns,
	    window->from_ns, window->to_ns, &ret->from_ns, &ret->to_ns, err);
}

static bool hurry(void *ctx)
{
	(void)ctx;
	return term_is_waiting();
}

/* The end of a path is the most useful part. */
static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void fill_source(struct terminal *t)
{
	struct show_source *from = t->from;

	t->source = (struct tui_source) { .name = base_name(t->name),
		.cursor = from->cursor, .interval_ns = from->interval_ns,
		.first_ns = from->first_ns, .last_ns = from->last_ns,
		.zone = from->zone, .grows = t->grows,
		.refresh = t->refresh, .report = report,
		.baseline = baseline, .hurry = hurry,
		.save_hint = confine_refused(), .ctx = from };
}

static struct tui_options options_of(const struct replay_options *o,
	const struct range *r)
{
	struct tui_options t = { .words = tables_words(o),
		.from_ns = r->from_ns, .to_ns = r->to_ns,
		.window_ns = o->n_window > 0 && !o->windows_by_view
		    ? o->window[0] : 0,
		.windows = o->n_window > 1 && !o->windows_by_view ? o->windows
		                                                 : NULL,
		.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 };

	t.words.limit = 0; /* rows scroll */
	t.colour = output_has_color((enum output_color)o->color);
	return t;
}

/* No part of the recording was named. */
static bool is_all(const struct replay_options *o)
{
	return !o->when.from && !o->when.to && !o->when.at &&
	    o->when.duration_ns == 0;
}

static int open_terminal(struct terminal *t, const struct range *r,
	struct gs_err *err)
{
	struct tui_options options = options_of(t->o, r);
	struct buf state = BUF_INIT;
	int status = config_looks(err);

	if (looks_keep_columns() && state_dir(&state)) {
		buf_add_str(&state, "/columns");
		options.state = buf_str(&state);
	}

	options.opens_worst = !t->grows && is_all(t->o);
	fill_source(t);
	if (status == GS_OK)
		status = tui_new(&options, &t->source, &t->tui, err);
	buf_release(&state);
	if (status == GS_OK)
		status = term_open(t->tui, output_has_color(
		    (enum output_color)t->o->color), &t->term, err);
	return status;
}

int terminal_run(struct terminal *t, const struct range *r,
	struct gs_err *err)
{
	int sig = 0, status = open_terminal(t, r, err);

	if (status == GS_OK)
		term_run(t->term, &sig);
	terminal_close(t);
	if (sig) {
		(void)signal(sig, SIG_DFL);
		(void)raise(sig);
	}
	return status;
}

int terminal_tick(struct terminal *t, struct gs_err *err)
{
	const struct range all = { INT64_MIN, INT64_MAX, 0 };
	int r = t->tui ? GS_OK : open_terminal(t, &all, err);

	if (r == GS_OK)
		(void)terminal_serve(t); /* the next call returns it again */
	return r;
}

bool terminal_serve(struct terminal *t)
{
	if (t->term && !t->over)
		t->over = !term_poll(t->term, 0);
	return !t->over;
}

bool terminal_note(struct terminal *t, const char *text)
{
	if (t->tui)
		tui_note(t->tui, text);
	return t->tui != NULL;
}

void terminal_close(struct terminal *t)
{
	term_close(t->term);
	tui_free(t->tui);
	t->term = NULL;
	t->tui = NULL;
}
