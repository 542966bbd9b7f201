/* SPDX-License-Identifier: Apache-2.0 */
#include "view/show_stream.h"

#include <string.h>

#include "view/show_int.h"

void show_stream_open(struct show_stream *t, struct show *show,
	const struct show_source *source, const struct range *r)
{
	*t = (struct show_stream) { .source = source, .show = show,
		.range = *r, .looks_back = show->o->n_window > 0 ||
		view_is_overview(show_view(show)) };
	if (!t->looks_back)
		show_open(show, r);
}

/* The range that ends with the newest tick. */
static struct range back_from_newest(const struct show_stream *t)
{
	const struct show_source *src = t->source;
	int64_t to_ns = GS_MIN(src->last_ns, t->range.to_ns);
	int64_t from_ns = t->range.from_ns;

	if (t->show->o->n_window > 0)
		return (struct range) { t->shown_ns, to_ns,
			t->range.every_ns };
	if (t->keep_ns > 0)
		from_ns = GS_MAX(from_ns, to_ns - t->keep_ns);
	return (struct range) { from_ns, to_ns, 0 };
}

/* Whether a table is due after a tick at last_ns. */
static bool is_due(const struct show_stream *t, int64_t last_ns)
{
	int64_t step_ns = t->range.every_ns;

	if (last_ns <= t->shown_ns)
		return false;
	return step_ns <= 0 || last_ns / step_ns > t->shown_ns / step_ns;
}

static int look_back(struct show_stream *t, struct gs_err *err)
{
	int64_t last_ns = t->source->last_ns;
	bool over = last_ns >= t->range.to_ns;
	struct show_result res = { 0 };
	struct range r;
	int status = GS_OK;

	if (t->shown_ns == 0) /* a table needs two ticks */
		t->shown_ns = GS_MAX(t->source->first_ns, t->range.from_ns);
	if (!is_due(t, last_ns))
		return over ? GS_OK : RANGE_WAITS;
	show_again(t->show);
	r = back_from_newest(t);
	/* an open range is read from the cursor on */
	if (r.from_ns == INT64_MIN)
		status = cursor_seek(t->source->cursor, INT64_MIN, err);
	if (status == GS_OK)
		status = show_range(t->show, &r, &res, err);
	t->shown_ns = last_ns;
	t->result.any |= res.any;
	t->result.stopped = res.stopped;
	t->result.n_holes = res.n_holes;
	t->result.unrecorded = res.unrecorded;
	if (status < 0)
		return status;
	return res.stopped || over ? GS_OK : RANGE_WAITS;
}

int show_stream_more(struct show_stream *t, struct gs_err *err)
{
	return t->looks_back ? look_back(t, err) : show_more(t->show, err);
}

int show_stream_close(struct show_stream *t, struct gs_err *err)
{
	return t->looks_back ? GS_OK
	                     : show_close(t->show, &t->result, err);
}
