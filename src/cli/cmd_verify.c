/*
 * cmd_verify.c - gpsnap verify: reads all of a recording, reports damage.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/quant.h"
#include "base/utf8.h"
#include "base/zone.h"
#include "cli/commands.h"
#include "cli/start.h"
#include "cli/survey.h"
#include "replay/recfile.h"

struct verify {
	bool quiet;
};

static const struct opt options[] = {
	{ OPT_FLAG, 'q', "quiet", NULL, "only the exit status",
	    .offset = OPT_AT(struct verify, quiet) },
};

static const char *const usage[] = { "PATH...", NULL };

static const char *const about[] = {
	"Decompresses and decodes every tick of every PATH, a file, a "
	"directory of them, or - for the standard input, and says where "
	"bytes are damaged or missing. A file that is being written is "
	"whole.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap verify incident.gpsnap", "is all of it there?" },
	{ NULL, NULL }
};

const struct opt_cmd verify_opts = {
	.name = "verify",
	.summary = "check that a recording is whole",
	.usage = usage,
	.about = about,
	.opt = options,
	.n_opt = GS_LEN(options),
	.example = examples,
	.exits = cli_exits,
};

static void add_damage(struct buf *to, const char *path,
	const struct cursor_gap *gap)
{
	utf8_add_safe(to, path, strlen(path));
	buf_printf(to, ": offset %" PRIu64 ": ", gap->offset);
	utf8_add_safe(to, gap->why, strlen(gap->why));
	if (gap->bytes)
		buf_printf(to, ", %" PRIu64 " byte%s", gap->bytes,
		    quant_plural(gap->bytes));
	if (gap->ticks)
		buf_printf(to, ", %" PRIu64 " tick%s lost", gap->ticks,
		    quant_plural(gap->ticks));
	buf_add_char(to, '\n');
}

static void add_verdict(struct buf *to, const char *path,
	const struct survey *s)
{
	struct zone zone = zone_fixed(s->utc_offset_s);
	size_t holes = s->n_gaps - s->n_damaged;

	utf8_add_safe(to, path, strlen(path));
	if (s->ticks == 0) {
		buf_add_str(to, ": damaged, no tick of it whole\n");
		return;
	}
	buf_printf(to, ": %s, %" PRIu64 " tick%s",
	    s->n_damaged ? "damaged" : "whole", s->ticks, quant_plural(s->ticks));
	if (s->n_damaged)
		buf_add_str(to, " of it whole");
	buf_add_str(to, ", ");
	zone_add_date_time(&zone, s->first_ns, 0, to);
	buf_add_str(to, " to ");
	zone_add_date_time(&zone, s->last_ns, 0, to);
	buf_add_char(to, ' ');
	zone_add_label(&zone, to);
	if (holes)
		buf_printf(to, ", %zu hole%s", holes, quant_plural(holes));
	buf_add_str(to, s->written ? ", still being written\n" :
	    s->closed ? ", closed\n" : ", not closed\n");
}

/* Exit status for one file. */
static int verify(const char *path, bool quiet, struct buf *to)
{
	struct survey s;
	struct gs_err err;
	int status = EXIT_CANNOT;
	size_t i;

	if (survey_read(&path, 1, &s, &err) < 0) {
		if (!quiet)
			(void)cli_cannot(&err); /* status is that already */
		goto out;
	}
	status = s.n_damaged ? EXIT_GAPS : EXIT_DONE;
	for (i = 0; i < s.n_gap; i++) {
		if (s.gap[i].damage)
			add_damage(to, path, &s.gap[i]);
	}
	add_verdict(to, path, &s);
out:
	survey_release(&s);
	return status;
}

/* Writes what it has to say; false: the output takes no more. */
static bool verify_file(const char *path, const struct verify *o, int *worst)
{
	struct buf text = BUF_INIT;
	int status = verify(path, o->quiet, &text);
	bool ok = o->quiet || cli_write(buf_str(&text), text.len);

	*worst = GS_MAX(*worst, status);
	buf_release(&text);
	return ok;
}

/* The files of a directory in their order, then what is none. */
static bool verify_directory(const char *path, const struct verify *o,
	int *worst)
{
	struct recfile *file = NULL;
	struct gs_err err;
	size_t i, n = 0;
	bool ok = true;

	if (recfile_list(path, true, &file, &n, &err) < 0) {
		*worst = EXIT_CANNOT;
		if (!o->quiet)
			(void)cli_cannot(&err); /* worst is that already */
	}
	for (i = 0; i < n; i++) {
		ok = ok && verify_file(file[i].path, o, worst);
		recfile_release(&file[i]);
	}
	free(file);
	return ok;
}

int cmd_verify(int argc, char **argv)
{
	struct verify o = { 0 };
	struct opt_rest rest;
	int i, worst = EXIT_DONE;
	bool ok = true;
	int status = cli_start(&verify_opts, argc, argv, &o, &rest);

	if (status != CLI_GO)
		return status;
	if (rest.n == 0)
		return cli_usage(&verify_opts,
		    "expected a recording, a directory, or -");
	cli_many_files();
	for (i = 0; ok && i < rest.n; i++)
		ok = path_is_directory(rest.arg[i])
		    ? verify_directory(rest.arg[i], &o, &worst)
		    : verify_file(rest.arg[i], &o, &worst);
	return cli_finish(worst);
}
