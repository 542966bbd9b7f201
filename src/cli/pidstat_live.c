/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pidstat_live.c - a recorder whose ticks go to pidstat's reports, not to a
 * file.
 */
#include "cli/pidstat_live.h"

#include <signal.h>
#include <unistd.h>

#include "cli/start.h"
#include "format/wire.h"
#include "record/recorder.h"

struct sampling_run {
	struct pidstat_live *live;
	struct recorder *recorder;
	bool named; /* the program is selected */
	bool ended; /* the output is complete, or failed */
	int status;
	struct gs_err err;
};

/* The program begins after the first sample. */
static void name_program(struct sampling_run *s)
{
	uint32_t pid = recorder_command_pid(s->recorder);

	if (s->named || pid == 0)
		return;
	selection_pid(s->live->opt->select, pid);
	s->named = true;
}

static bool program_ended(const struct sampling_run *s)
{
	int status;

	return s->named && recorder_command_status(s->recorder, &status);
}

static void on_tick(void *arg, const struct tick *t,
	const struct recorder_status *status)
{
	struct sampling_run *s = arg;

	(void)status;
	if (s->ended)
		return;
	if (s->live->command)
		name_program(s);
	if (program_ended(s))
		return; /* no longer in the tick */
	s->status = resample_tick(s->live->resample, t, &s->err);
	if (s->status == GS_OK)
		return;
	if (s->status > 0)
		s->live->holes = pidstat_end(s->live->pidstat).holes;
	s->ended = true;
	/* the recorder ends in good order; with a program, when that ends */
	if (!s->live->command)
		(void)raise(SIGTERM);
}

static void on_notice(void *arg, bool trouble, const char *text)
{
	(void)arg;
	if (trouble)
		cli_notice("%s", text);
}

static uint32_t what_to_sample(const struct pidstat_opt *o)
{
	unsigned a = o->activities;

	return WITH_ALL | (o->threads ? WITH_THREADS : 0) |
	    (o->line ? WITH_ARGUMENTS : 0) |
	    (a & ACTIVITY_KERNEL ? WITH_FDS : 0) |
	    (a & ACTIVITY_STACK ? WITH_STACK : 0);
}

static int sample(struct sampling_run *s, const struct recorder_options *ro,
	struct gs_err *err)
{
	int r;

	s->recorder = recorder_new(ro, err);
	if (!s->recorder)
		return err->status;
	r = recorder_run(s->recorder, err);
	(void)recorder_command_status(s->recorder, &s->live->status);
	recorder_free(s->recorder);
	if (r == GS_OK && s->status < 0) {
		*err = s->err;
		r = s->status;
	}
	if (r < 0 || s->ended)
		return r;
	if (!s->live->opt->since_boot)
		pidstat_break(s->live->pidstat);
	s->live->holes = pidstat_end(s->live->pidstat).holes;
	return r;
}

int pidstat_live_run(struct pidstat_live *l, struct gs_err *err)
{
	struct sampling_run s = { .live = l };
	struct recorder_options ro = { .on_tick = on_tick,
		.on_notice = on_notice, .arg = &s, .no_files = true,
		.version = cli_version(), .level = 1, .command_line = "",
		.hup = HUP_END, .from_now = true, .has_terminal = isatty(STDIN_FILENO),
		.command = l->command, .interval_ns = l->interval_ns };
	char nodename[256] = "";

	(void)signal(SIGPIPE, SIG_IGN); /* a failed write reports it */
	(void)gethostname(nodename, sizeof(nodename) - 1);
	if (l->opt->since_boot)
		ro.count = 1;
	else if (l->opt->count > 0 && !l->command)
		ro.count = l->opt->count + 1;
	ro.host_set.nodename = nodename;
	ro.host_set.version = ro.version;
	ro.host_set.root = l->root;
	ro.host_set.with = what_to_sample(l->opt);
	return sample(&s, &ro, err);
}
