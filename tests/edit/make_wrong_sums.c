/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_wrong_sums.c - writes an archived file again, with summaries that say that
 * a thousand samples more were skipped, so that it shows whether they are read:
 *
 *   make_wrong_sums FROM TO
 */
#include <stdio.h>

#include "edit/sink.h"
#include "format/reader.h"
#include "query/stretch.h"

#define MORE 1000

static int copy(struct reader *r, struct sink *to, struct stretch *all,
	struct gs_err *err)
{
	struct cursor_gap gap;
	struct frame_entry e;
	struct tick *t = NULL;
	int s = GS_OK;

	while (s == GS_OK && reader_next(r, &t, &gap, err) == CURSOR_TICK) {
		const struct summary *sum;
		struct summary wrong;

		s = sink_put_record(to, t, reader_record(r, &e), false, err);
		sum = stretch_tick(all, t);
		if (!sum)
			continue;
		wrong = *sum;
		wrong.n_skipped += MORE;
		sink_put_summary(to, &wrong);
	}
	return s;
}

int main(int argc, char **argv)
{
	struct sink_options o = { .level = 3, .groups = true };
	struct stretch *all = stretch_new(&(struct stretch_also) { NULL, NULL, NULL, NULL });
	struct reader *r = NULL;
	struct sink *to = NULL;
	struct gs_err err;
	int s;

	if (argc != 3)
		return 64;
	o.path = argv[2];
	s = reader_open(argv[1], &r, &err);
	if (s == GS_OK)
		s = sink_open(&o, &io_posix, &to, &err);
	if (s == GS_OK)
		s = copy(r, to, all, &err);
	if (s == GS_OK)
		s = sink_finish(to, &err);
	if (s < 0)
		(void)fprintf(stderr, "%s\n", err.msg);
	sink_free(to);
	reader_free(r);
	stretch_free(all);
	return s < 0;
}
