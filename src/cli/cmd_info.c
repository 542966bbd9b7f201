/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_info.c - gpsnap info: what a recording holds, without its figures.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/cmds.h"
#include "cli/confine.h"
#include "cli/index_keeper.h"
#include "cli/info_findings.h"
#include "cli/memory.h"
#include "cli/start.h"
#include "cli/times.h"
#include "replay/recfile.h"
#include "replay/survey_index.h"

struct info {
	struct times when;
	uint64_t memory_bytes;
};

static const struct opt options[] = {
	ZONE_OPTIONS(struct info, when, 'u'),
	MEMORY_OPTION(struct info, memory_bytes),
};

static const char *const usage[] = { "PATH... [OPTION...]", NULL };

static const char *const about[] = {
	"Shows for every PATH the time range and hosts, what is missing, the "
	"number of rows, what may be confidential, and how it was made. PATH "
	"is a file, - for the standard input, or a directory: then each "
	"recording in it, which may have several files.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap info incident.gpsnap", "check it before you give it away" },
	{ NULL, NULL }
};

const struct opt_cmd info_opts = {
	.name = "info",
	.summary = "show what a recording holds",
	OPT_TABLES,
	.exits = cli_exits,
	CONFINED,
};

/* A page about the files of one recording, called name.  index: they are all of
 * it in that directory. */
static int show(const char *name, char *const *path, size_t n,
	struct survey_index *index, const struct info *o, struct buf *to)
{
	struct survey s;
	struct gs_err err;
	struct zone zone;
	int status = EXIT_CANNOT;

	if ((index ? survey_indexed(index, path, n, &s, &err)
	    : survey_recording(path, n, false, &s, &err)) < 0) {
		(void)cli_cannot(&err); /* status says it already */
		goto out;
	}
	if (s.ticks == 0) {
		(void)gs_fail(&err, GS_E_FORMAT, "%s: %s: no tick in it is "
		    "whole", path[0], s.gap[0].why); /* for its text */
		(void)cli_cannot(&err);
		goto out;
	}
	if (times_zone(&o->when, s.utc_offset_s, &zone, &err) < 0)
		goto out; /* was parsed before */
	status = survey_is_damaged(&s) || s.n_absence > 0 ? EXIT_GAPS
	                                                  : EXIT_DONE;
	survey_page(&s, name, &zone, cli_width(), to);
	if (!path_is_read_once(path[0])) /* they read it again */
		info_findings(name, path, n, &zone, cli_width(), to);
out:
	survey_release(&s);
	return status;
}

/* Writes what was gathered so far. */
struct pages {
	const struct info *o;
	size_t n;
	int worst;
	bool stopped; /* the output failed */
};

static void add_page(struct pages *p, const char *name, char *const *path,
	size_t n, struct survey_index *index)
{
	struct buf text = BUF_INIT;
	int status;

	if (p->stopped)
		return;
	if (p->n > 0)
		buf_add_char(&text, '\n');
	status = show(name, path, n, index, p->o, &text);
	p->worst = GS_MAX(p->worst, status);
	if (status != EXIT_CANNOT) {
		p->n++;
		p->stopped = !cli_write(text.ptr, text.len);
	}
	buf_release(&text);
}

struct directory {
	struct pages *p;
	const char *path;
	struct survey_index *index;
};

/* A recording of several files is called as the directory. */
static void add_recording(void *ctx, char *const *path, size_t n)
{
	const struct directory *d = ctx;

	add_page(d->p, n > 1 ? d->path : path[0], path, n, d->index);
}

static void add_directory(struct pages *p, const char *path,
	struct index_keeper *keeper)
{
	struct directory d = { p, path, survey_index_open(path) };
	struct buf made = BUF_INIT;
	struct gs_err err;

	if (recfile_each(path, add_recording, &d, &err) < 0)
		p->worst = cli_cannot(&err);
	else if (survey_index_changed(d.index, &made))
		index_keeper_keep(keeper, made.ptr, made.len);
	buf_release(&made);
	survey_index_free(d.index);
}

/* The keepers are as many as paths; NULL for a path that has none. */
static void add_paths(struct pages *p, const struct opt_rest *rest,
	struct index_keeper **keeper)
{
	int i;

	for (i = 0; i < rest->n; i++) {
		char *path = rest->arg[i];

		if (path_is_directory(path))
			add_directory(p, path, keeper[i]);
		else
			add_page(p, path, &path, 1, NULL);
	}
}

/* They need rights that the command gives up. */
static struct index_keeper **begin_keepers(const struct opt_rest *rest)
{
	struct index_keeper **k = gs_calloc((size_t)rest->n, sizeof(*k));
	int i;

	for (i = 0; i < rest->n && i < INDEX_KEEPERS_MAX; i++) {
		if (!confine_explains() && path_is_directory(rest->arg[i]))
			k[i] = index_keeper_begin(rest->arg[i]);
	}
	return k;
}

static void end_keepers(struct index_keeper **k, int n)
{
	int i;

	for (i = 0; i < n; i++)
		index_keeper_end(k[i]);
	free(k);
}

int cmd_info(int argc, char **argv)
{
	struct info o = { 0 };
	struct opt_rest rest;
	struct pages p = { .o = &o, .worst = EXIT_DONE };
	struct zone zone;
	struct index_keeper **keeper;
	struct gs_err err;
	int status = cli_start(&info_opts, argc, argv, &o, &rest);

	if (status != CLI_GO)
		return status;
	if (rest.n == 0)
		return cli_usage(&info_opts,
		    "expected a recording, a directory, or -");
	status = times_check(&info_opts, &o.when);
	if (status != CLI_GO)
		return status;
	if (times_zone(&o.when, 0, &zone, &err) < 0)
		return cli_usage(&info_opts, "%s", err.msg);
	keeper = begin_keepers(&rest);
	status = cli_confine(&info_opts, &(struct confine) { .read = rest.arg,
	    .n_read = (size_t)rest.n });
	if (status == CLI_GO) {
		add_paths(&p, &rest, keeper);
		status = cli_finish(p.worst);
	}
	end_keepers(keeper, rest.n);
	return status;
}
