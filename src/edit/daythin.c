/* SPDX-License-Identifier: Apache-2.0 */
/*
 * daythin.c - see daythin.h.
 */
#include "edit/daythin.h"

#include <inttypes.h>

#include "edit/copy.h"
#include "replay/archive.h"

struct thinning {
	const struct day *day;
	const struct day_options *opt;
	struct cursor_gap damage; /* the first */
};

static bool is_finer(const struct recfile *f, int64_t every_ns)
{
	return f->header->interval_ns < every_ns;
}

size_t day_finer(const struct day *d, int64_t every_ns)
{
	size_t i, n = 0;

	for (i = 0; i < d->n_file; i++)
		n += is_finer(d->file[i], every_ns);
	return n;
}

static bool report_step(void *ctx, int64_t wall_ns, const struct sink *s)
{
	const struct thinning *t = ctx;

	(void)wall_ns; /* the day is reported instead */
	return !t->opt->step || t->opt->step(t->opt->ctx, t->day, wall_ns,
	    s);
}

static void note_gap(void *ctx, const struct cursor_gap *gap)
{
	struct thinning *t = ctx;

	if (gap->damage && !t->damage.damage)
		t->damage = *gap;
}

static int copy_file(struct thinning *t, struct recfile *f, int64_t every_ns,
	struct sink *to, struct gs_err *err)
{
	struct pick all;
	struct copy_options co = { .from_ns = INT64_MIN, .to_ns = INT64_MAX,
		.pick = &all, .thin_ns = every_ns, .keeps = true,
		.command = t->opt->command, .step = report_step,
		.gap = note_gap, .ctx = t };
	struct copy_result done;
	struct archive *a = NULL;
	int s = pick_init(&all, NULL, NULL, NULL, NULL, err);

	if (s == GS_OK)
		s = archive_open(&f->path, 1, &a, err);
	if (s == GS_OK)
		s = copy_run(&co, archive_cursor(a), f->header->interval_ns,
		    to, &done, err);
	if (s == GS_OK && done.waiting)
		s = gs_fail(err, GS_E_BUSY, "%s: is being written", f->path);
	if (s == GS_OK && t->damage.damage)
		s = gs_fail(err, GS_E_FORMAT, "%s: offset %" PRIu64 ": %s: "
		    "gpsnap recover saves what is whole", f->path,
		    t->damage.offset, t->damage.why);
	archive_free(a);
	pick_release(&all);
	return s;
}

static int thin_file(struct thinning *t, struct recfile *f, int64_t every_ns,
	const struct io_ops *io, struct day_result *ret, struct gs_err *err)
{
	/* one file, since only one can be replaced atomically; it is smaller
	 * than its source */
	struct sink_options so = { .path = f->path, .force = true,
		.level = t->opt->level, .groups = true,
		.threads = t->opt->threads,
		.like = f->path,
		.full_bytes = UINT64_MAX };
	struct sink *to = NULL;
	uint64_t before = reader_size(f->reader);
	int s = sink_open(&so, io, &to, err);

	if (s < 0)
		return s;
	s = copy_file(t, f, every_ns, to, err);
	if (s == GS_OK)
		s = sink_finish(to, err);
	if (s == GS_OK) {
		ret->bytes_before += before;
		ret->bytes += sink_bytes(to);
		ret->ticks += sink_ticks(to);
	}
	sink_free(to);
	return s;
}

int day_thin(const struct day *d, int64_t every_ns,
	const struct day_options *o, const struct io_ops *io,
	struct day_result *ret, struct gs_err *err)
{
	size_t i;
	int s = GS_OK;

	*ret = (struct day_result) { 0 };
	for (i = 0; s == GS_OK && i < d->n_file; i++) {
		struct thinning t = { .day = d, .opt = o };

		if (is_finer(d->file[i], every_ns))
			s = thin_file(&t, d->file[i], every_ns, io, ret, err);
	}
	return s;
}
