/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show_term.h"

#include <langinfo.h>
#include <signal.h>
#include <string.h>

#include "cli/config.h"
#include "cli/confine.h"
#include "cli/tables.h"
#include "view/report.h"

static void report(void *ctx, struct report *rep, const struct engine *e,
	const struct range *r)
{
	const struct show_source *src = ctx;

	src->head(src->ctx, rep);
	report_fill(rep, e, r, src->last_ns, &src->zone);
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

void show_term_source(struct tui_source *to, struct show_source *from,
	const char *name)
{
	*to = (struct tui_source) { .name = base_name(name), .cursor = from->cursor,
		.interval_ns = from->interval_ns,
		.first_ns = from->first_ns, .last_ns = from->last_ns,
		.zone = from->zone, .report = report,
		.hurry = hurry, .save_hint = confine_refused(),
		.ctx = from };
}

struct tui_options show_term_options(const struct replay_options *o,
	const struct range *r)
{
	struct tui_options t = { .words = tables_words(o), .from_ns = r->from_ns, .to_ns = r->to_ns,
		.window_ns = o->n_window > 0 && !o->windows_by_view ? o->window[0] : 0,
		.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 };

	t.words.limit = 0; /* rows scroll */
	return t;
}

int show_term(const struct replay_options *o, struct tui_source *s,
	const struct range *r, struct gs_err *err)
{
	struct tui_options options = show_term_options(o, r);
	struct tui *tui;
	struct term *term;
	int sig = 0, status = config_looks(err);

	if (status == GS_OK)
		status = tui_new(&options, s, &tui, err);
	if (status < 0)
		return status;
	status = term_open(tui, output_has_color((enum output_color)o->color),
	    &term, err);
	if (status == GS_OK) {
		term_run(term, &sig);
		term_close(term);
	}
	tui_free(tui);
	if (sig) {
		(void)signal(sig, SIG_DFL);
		(void)raise(sig);
	}
	return status;
}
