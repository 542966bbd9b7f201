/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_summarize.c - gpsnap summarize: adds summaries to files as they were recorded.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/utf8.h"
#include "cli/cmds.h"
#include "cli/memory.h"
#include "cli/meter.h"
#include "cli/start.h"
#include "cli/stop.h"
#include "edit/summarize.h"
#include "replay/recfile.h"
#include "view/extremes.h"

#define LOWEST_NICE 19
/* Of ioprio_set(2), which has no header: a process, class idle. */
#define IOPRIO_PROCESS 1
#define IOPRIO_IDLE (3 << 13)

struct summarizing {
	bool idle, quiet;
	uint64_t memory_bytes;
};

static const struct opt options[] = {
	{ OPT_FLAG, 0, "idle", NULL,
	    "run only while nothing else needs the CPU or the disk, as record "
	    "has it done",
	    .offset = OPT_AT(struct summarizing, idle) },
	{ OPT_FLAG, 'q', "quiet", NULL, "say nothing of what was made",
	    .offset = OPT_AT(struct summarizing, quiet) },
	MEMORY_OPTION(struct summarizing, memory_bytes),
};

static const char *const usage[] = { "PATH... [OPTION...]", NULL };

static const char *const about[] = {
	"Adds summaries to each PATH, a file or a directory of them, so that "
	"tables of an hour or more need not read each sample. The samples stay "
	"as they are; the file gets a few percent larger. It is replaced when "
	"the new one was read again; until then it does not change.",
	"The recorder has this done for each file of a directory that it has "
	"completed, and gpsnap archive, cut, merge, share, recover and "
	"convert make summaries themselves: so this is for files of earlier versions, or "
	"after record --no-summaries. In a "
	"directory, files that are being written, were archived or have "
	"summaries are passed over.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap summarize ~/gpsnap", "all complete files of a directory" },
	{ "gpsnap summarize incident.gpsnap", "one file" },
	{ NULL, NULL }
};

static const struct opt_exit exits[] = {
	{ EXIT_DONE, "done, or there is nothing to add" },
	{ EXIT_GAPS, "stopped, or a file was left as it was, as a message says" },
	{ EXIT_CANNOT, "error: a directory can't be read, or too little memory" },
	EXITS_END
};

const struct opt_cmd summarize_opts = {
	.name = "summarize",
	.summary = "add summaries to recorded files, for quicker tables",
	OPT_TABLES,
	.exits = exits,
	CONFINED,
};

struct work {
	const struct summarizing *o;
	struct meter meter;
	const char *path; /* that is read */
	bool failed;
	size_t unfit; /* files of a directory that can't have summaries */
};

static bool show_step(void *ctx, uint64_t done_bytes, uint64_t all_bytes)
{
	struct work *w = ctx;
	struct buf b = BUF_INIT;

	if (stop_asked())
		return false;
	if (!status_line_is_due(&w->meter.line))
		return true;
	utf8_add_safe(&b, w->path, strlen(w->path));
	meter_add_bytes(&w->meter, (double)done_bytes, (double)all_bytes, &b);
	status_line_set(&w->meter.line, &b);
	buf_release(&b);
	return true;
}

static void print_made(const struct work *w, const struct summarize_result *r)
{
	struct buf b = BUF_INIT;

	if (w->o->quiet)
		return;
	utf8_add_safe(&b, w->path, strlen(w->path));
	buf_add_str(&b, ": summaries added, ");
	units_add_bytes(&b, r->bytes_before);
	buf_add_str(&b, " -> ");
	units_add_bytes(&b, r->bytes);
	buf_add_char(&b, '\n');
	(void)cli_write(buf_str(&b), b.len); /* cli_finish() reports it */
	buf_release(&b);
}

/* Of a file that was named: why nothing was made. */
static void note_done(const struct work *w, enum summarize_done done)
{
	static const char *const why[] = {
		[SUMMARIZE_HAS] = "was archived, or has summaries",
		[SUMMARIZE_THINNED] = "was thinned: it can't have summaries",
		[SUMMARIZE_NEWER] = "is of a newer gpsnap, which can make its "
		    "summaries",
		[SUMMARIZE_NONE] = "is too short, or has too many holes, for summaries",
		[SUMMARIZE_MEMORY] = "its summaries need more --memory",
	};

	if (!w->o->quiet)
		cli_notice("%s: %s", w->path, why[done]);
}

/* Files of a directory that stay as they are for no fault: their number alone. */
static void note_unfit(const struct work *w, const char *dir)
{
	if (w->unfit > 0 && !w->o->quiet)
		cli_notice("%s: %zu file%s too short, or with too many holes, "
		    "for summaries", dir, w->unfit, units_plural(w->unfit));
}

/* A recorder that keeps so much of the newest has deleted it meanwhile. */
static bool is_gone(const char *path)
{
	return access(path, F_OK) < 0 && errno == ENOENT;
}

static void summarize(struct work *w, const char *path, bool named)
{
	struct extremes *x = extremes_new();
	struct summarize_options o = { .beside = { .level = BESIDE_LEVEL,
		    .alone = true },
		.reads_all = named, .step = show_step, .ctx = w };
	struct summarize_result res;
	struct gs_err err;
	int r;

	o.beside.also = extremes_beside(x, &o.beside.follower);
	w->path = path;
	r = summarize_file(path, &o, &io_posix, &res, &err);
	extremes_free(x);
	meter_end(&w->meter);
	if (r == GS_OK && res.done == SUMMARIZE_MADE)
		print_made(w, &res);
	else if (r == GS_OK && (named || res.done == SUMMARIZE_MEMORY))
		note_done(w, res.done);
	else if (r == GS_OK)
		w->unfit += res.done == SUMMARIZE_NONE;
	if (r == GS_OK || (r == GS_E_BUSY && !named) || stop_asked() ||
	    (r < 0 && (!named || w->o->idle) && is_gone(path)))
		return;
	w->failed = true;
	cli_notice("%s", err.msg);
}

static int summarize_directory(struct work *w, const char *dir,
	struct gs_err *err)
{
	struct buf path = BUF_INIT;
	struct dirent **e = NULL;
	int i, n = scandir(dir, &e, NULL, alphasort);

	if (n < 0)
		return gs_fail_errno(err, errno, "%s", dir);
	w->unfit = 0;
	for (i = 0; i < n; i++) {
		recfile_path(dir, e[i]->d_name, &path);
		if (recfile_is_name(e[i]->d_name) && !stop_asked())
			summarize(w, buf_str(&path), false);
		free(e[i]);
	}
	free(e);
	buf_release(&path);
	note_unfit(w, dir);
	return GS_OK;
}

/* If memory runs out, the kernel ends this process and no other. */
static void be_first_to_end(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)io_write_all(fd, "1000", 4); /* else it is one of many */
	(void)close(fd); /* as above */
}

/* Each of these may be refused: then it takes part of what others need. */
static void become_idle(void)
{
	const struct sched_param none = { 0 };

	be_first_to_end();
	(void)setpriority(PRIO_PROCESS, 0, LOWEST_NICE);
	(void)sched_setscheduler(0, SCHED_IDLE, &none);
	(void)syscall(SYS_ioprio_set, IOPRIO_PROCESS, 0, IOPRIO_IDLE);
}

static int run(struct work *w, const struct opt_rest *rest)
{
	struct gs_err err;
	int i, status = cli_confine(&summarize_opts, &(struct confine) {
	    .replace = rest->arg, .n_replace = (size_t)rest->n });

	if (status != CLI_GO)
		return status;
	stop_catch_writing();
	meter_init(&w->meter, !w->o->quiet);
	for (i = 0; i < rest->n && !stop_asked(); i++) {
		if (!path_is_directory(rest->arg[i]))
			summarize(w, rest->arg[i], true);
		else if (summarize_directory(w, rest->arg[i], &err) < 0)
			return cli_fail(&summarize_opts, &err);
	}
	if (stop_asked() && !w->o->quiet)
		cli_notice("stopped: the file stays as it was");
	return w->failed || stop_asked() ? EXIT_GAPS : EXIT_DONE;
}

int cmd_summarize(int argc, char **argv)
{
	struct summarizing o = { 0 };
	struct work w = { .o = &o };
	struct opt_rest rest;
	int status = cli_start(&summarize_opts, argc, argv, &o, &rest);

	if (status == CLI_GO && rest.n == 0)
		status = cli_usage(&summarize_opts,
		    "expected a recording, or a directory of them");
	if (status != CLI_GO)
		return status;
	if (o.idle)
		become_idle();
	return cli_finish(run(&w, &rest));
}
