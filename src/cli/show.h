/*
 * show.h - tables of a source of ticks, by the options of replay: the same
 * for files and for what is being sampled.
 */
#ifndef GS_CLI_SHOW_H
#define GS_CLI_SHOW_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/output.h"
#include "cli/replay_opts.h"
#include "model/cursor.h"

/* Where ticks come from, and what stands above tables. */
struct show_source {
	struct cursor cursor;
	int64_t interval_ns;
	int64_t first_ns, last_ns; /* of its ticks */
	bool is_pipe; /* last_ns is not known: it can be read once only */
	int32_t utc_offset; /* seconds east, where it was recorded */
	const char **file; /* what was read */
	size_t n_file;
	const char **note; /* one line each */
	size_t n_note;
};

struct show_result {
	bool any; /* something was shown */
	bool stopped; /* the output takes no more */
	size_t n_holes;
};

/* Shows what the options ask for; out was initialised and is not begun.
 * GS_E_USAGE: the options do not fit; GS_E_NOTFOUND: nothing is within the
 * range. */
int show_run(const struct replay_options *o, const struct show_source *src,
	struct output *out, struct show_result *ret, struct gs_err *err);

#endif
