/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/live_term.h"

#include "cli/config.h"
#include "cli/output.h"

void live_term_init(struct live_term *t, const struct replay_options *o,
	struct show_source *show)
{
	*t = (struct live_term) { .o = o, .show = show };
}

void live_term_close(struct live_term *t)
{
	term_close(t->term);
	tui_free(t->tui);
	t->term = NULL;
	t->tui = NULL;
}

/* The ring updates the range with each tick. */
static void look_again(void *ctx, struct tui_source *s)
{
	const struct show_source *show = ctx;

	s->first_ns = show->first_ns;
	s->last_ns = show->last_ns;
}

static int begin(struct live_term *t, struct gs_err *err)
{
	const struct range all = { INT64_MIN, INT64_MAX, 0 };
	struct tui_options options = show_term_options(t->o, &all);
	int r;

	show_term_source(&t->source, t->show, "live");
	t->source.grows = true;
	t->source.refresh = look_again;
	r = config_looks(err);
	if (r == GS_OK)
		r = tui_new(&options, &t->source, &t->tui, err);
	if (r == GS_OK)
		r = term_open(t->tui, output_has_color(
		    (enum output_color)t->o->color), &t->term, err);
	return r;
}

int live_term_tick(struct live_term *t, struct gs_err *err)
{
	int r = t->tui ? GS_OK : begin(t, err);

	if (r == GS_OK)
		(void)live_term_serve(t); /* the next call returns it again */
	return r;
}

bool live_term_serve(struct live_term *t)
{
	if (t->term && !t->over)
		t->over = !term_poll(t->term, 0);
	return !t->over;
}

bool live_term_tell(struct live_term *t, const char *text)
{
	if (!t->tui)
		return false;
	tui_tell(t->tui, text);
	return true;
}
