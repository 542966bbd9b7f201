/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_verify.c - gpsnap verify: reads all of a recording, reports damage.
 */
#include <stdatomic.h>
#include <string.h>

#include "base/utf8.h"
#include "base/worker.h"
#include "cli/cmds.h"
#include "cli/kept_page.h"
#include "cli/memory.h"
#include "cli/meter.h"
#include "cli/start.h"
#include "cli/threads.h"
#include "edit/gist_verify.h"
#include "edit/sumcheck.h"
#include "replay/verify.h"
#include "view/extremes.h"

/* Two passes over a file at a time: its summaries, its gists. */
#define THREADS_MAX 2

/* Of what the second one makes again; what is read counts for the limit of all. */
#define THREAD_BYTES ((size_t)64 << 20)

struct verify {
	bool quiet;
	int64_t threads;
	uint64_t memory_bytes;
	struct meter meter;
};

static const struct opt options[] = {
	{ OPT_FLAG, 'q', "quiet", NULL, "print nothing; only the exit status "
	    "counts",
	    .offset = OPT_AT(struct verify, quiet) },
	{ OPT_INT, 0, "threads", "N",
	    "check summaries and gists of files at the same time, if N is "
	    "2; default: as many as there are CPUs that are idle",
	    .min = 1, .max = THREADS_MAX,
	    .offset = OPT_AT(struct verify, threads) },
	MEMORY_OPTION(struct verify, memory_bytes),
};

static const char *const usage[] = { "PATH...", NULL };

static const char *const about[] = {
	"Decompresses and decodes every tick of every PATH, a file, a "
	"directory of them, or - for the standard input, and reports where "
	"bytes are damaged or missing. A file that is being written is whole. "
	"In a directory the files of a recording must follow each other: a "
	"file or ticks missing between two are reported, too. An empty file "
	"lost nothing; the exit status is 1 if it was named itself.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap verify incident.gpsnap", "is all of it there?" },
	{ NULL, NULL }
};

const struct opt_cmd verify_opts = {
	.name = "verify",
	.summary = "check that a recording is whole",
	OPT_TABLES,
	.exits = cli_exits,
	CONFINED,
};

static bool print(void *ctx, const struct buf *text)
{
	const struct verify *o = ctx;

	return o->quiet || cli_write(buf_str(text), text->len);
}

static void report(void *ctx, const struct gs_err *err)
{
	const struct verify *o = ctx;

	if (!o->quiet)
		(void)cli_cannot(err); /* the result says so, too */
}

static void show_step(void *ctx, const char *path, uint64_t done_bytes,
	uint64_t all_bytes)
{
	struct verify *o = ctx;
	const char *slash = strrchr(path, '/');
	struct buf b = BUF_INIT;

	if (!status_line_is_due(&o->meter.line))
		return;
	path = slash && slash[1] ? slash + 1 : path;
	utf8_add_safe(&b, path, strlen(path));
	meter_add_bytes(&o->meter, (double)done_bytes, (double)all_bytes, &b);
	status_line_set(&o->meter.line, &b);
	buf_release(&b);
}

/* The pass over summaries, while the one over gists, which takes longer, tells how
 * far both are. */
struct beside {
	const char *path;
	const struct reading *both;
	atomic_uint_least64_t bytes; /* that it has read */
	size_t wrong;
};

static size_t check_summaries(const char *path, const struct reading *reading)
{
	struct extremes *x = extremes_new();
	const struct sumcheck_also also = { extremes_also(x), extremes_know };
	size_t wrong = sumcheck_file(path, &also, reading);

	extremes_free(x);
	return wrong;
}

static void note_bytes(void *ctx, uint64_t bytes)
{
	struct beside *b = ctx;

	b->bytes = bytes;
}

static void show_both(void *ctx, uint64_t bytes)
{
	const struct beside *b = ctx;

	reading_at(b->both, bytes + b->bytes);
}

static void check_beside(void *ctx)
{
	struct beside *b = ctx;

	b->wrong = check_summaries(b->path, &(struct reading) { note_bytes, b });
}

/* Summaries and gists, which are kept to save others work. */
static size_t check_kept(void *ctx, const char *path,
	const struct reading *reading)
{
	const struct verify *o = ctx;
	struct worker *w = o->threads > 1 ? worker_new() : NULL;
	struct beside b = { .path = path, .both = reading };
	size_t wrong;

	if (!w)
		return check_summaries(path, reading) +
		    gist_verify_file(path, reading);
	worker_start(w, check_beside, &b);
	wrong = gist_verify_file(path, &(struct reading) { show_both, &b });
	worker_wait(w);
	worker_free(w);
	return wrong + b.wrong;
}

int cmd_verify(int argc, char **argv)
{
	static const int exits[] = { [VERIFY_WHOLE] = EXIT_DONE,
		[VERIFY_DAMAGED] = EXIT_GAPS, [VERIFY_FAILED] = EXIT_CANNOT };
	struct verify o = { 0 };
	const struct verify_output out = { print, report,
		kept_page_is_wrong, check_kept,
		show_step, &o };
	struct opt_rest rest;
	enum verify_result r;
	int status = cli_start(&verify_opts, argc, argv, &o, &rest);

	if (status != CLI_GO)
		return status;
	if (rest.n == 0)
		return cli_usage(&verify_opts,
		    "expected a recording, a directory, or -");
	o.threads = (int64_t)threads_begin(o.threads, THREADS_MAX, THREAD_BYTES);
	status = cli_confine(&verify_opts, &(struct confine) { .read = rest.arg,
	    .n_read = (size_t)rest.n, .threads = o.threads > 1 });
	if (status != CLI_GO)
		return status;
	meter_init(&o.meter, !o.quiet);
	r = verify_paths(rest.arg, (size_t)rest.n, &out);
	meter_end(&o.meter);
	return cli_finish(exits[r]);
}
