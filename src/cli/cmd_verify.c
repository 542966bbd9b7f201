/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_verify.c - gpsnap verify: reads all of a recording, reports damage.
 */
#include <string.h>

#include "base/utf8.h"
#include "cli/cmds.h"
#include "cli/kept_page.h"
#include "cli/memory.h"
#include "cli/meter.h"
#include "cli/start.h"
#include "edit/gist_verify.h"
#include "edit/sumcheck.h"
#include "replay/verify.h"
#include "view/extremes.h"

struct verify {
	bool quiet;
	uint64_t memory_bytes;
	struct meter meter;
};

static const struct opt options[] = {
	{ OPT_FLAG, 'q', "quiet", NULL, "print nothing; only the exit status "
	    "counts",
	    .offset = OPT_AT(struct verify, quiet) },
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

static size_t check_summaries(const char *path, const struct reading *reading)
{
	struct extremes *x = extremes_new();
	struct stretch_also also = extremes_also(x);
	size_t wrong = sumcheck_file(path, &also, reading) +
	    gist_verify_file(path, reading);

	extremes_free(x);
	return wrong;
}

int cmd_verify(int argc, char **argv)
{
	static const int exits[] = { [VERIFY_WHOLE] = EXIT_DONE,
		[VERIFY_DAMAGED] = EXIT_GAPS, [VERIFY_FAILED] = EXIT_CANNOT };
	struct verify o = { 0 };
	const struct verify_output out = { print, report,
		kept_page_is_wrong, check_summaries,
		show_step, &o };
	struct opt_rest rest;
	enum verify_result r;
	int status = cli_start(&verify_opts, argc, argv, &o, &rest);

	if (status != CLI_GO)
		return status;
	if (rest.n == 0)
		return cli_usage(&verify_opts,
		    "expected a recording, a directory, or -");
	status = cli_confine(&verify_opts, &(struct confine) { .read = rest.arg,
	    .n_read = (size_t)rest.n });
	if (status != CLI_GO)
		return status;
	meter_init(&o.meter, !o.quiet);
	r = verify_paths(rest.arg, (size_t)rest.n, &out);
	meter_end(&o.meter);
	return cli_finish(exits[r]);
}
