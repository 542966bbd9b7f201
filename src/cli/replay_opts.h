/*
 * replay_opts.h - the command line of gpsnap replay.
 */
#ifndef GS_CLI_REPLAY_OPTS_H
#define GS_CLI_REPLAY_OPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/zone.h"
#include "cli/opt.h"

#define REPLAY_WINDOWS_MAX 5

struct replay_options {
	const char *from, *to; /* as written; NULL: open */
	int64_t every_ns; /* 0: one table for the whole range */
	bool ticks; /* a table for each tick */
	const char *find; /* a condition; NULL: tables */
	int64_t count; /* tables; 0: all */
	uint64_t memory_bytes;
	int64_t duration_ns; /* of the range; 0: up to its end */
	bool follow; /* on as it is being written */
	const char *baseline; /* a range to compare with, as written; NULL */
	const char *windows; /* as written; NULL: the view's */
	bool windows_by_view; /* window[] is what the view usually has */
	int64_t window[REPLAY_WINDOWS_MAX]; /* rising */
	size_t n_window;
	const char *view;
	const char *sort, *where, *group_by, *columns; /* NULL: the view's */
	const char *ema; /* time constants "5m,15m"; NULL: no averages */
	bool no_header; /* of text and CSV */
	const char *session, *server; /* only this one; NULL: all */
	/* what the views of waits are asked for; NULL, 0: everything */
	const char *event, *class, *query_id;
	const char *metric; /* of the histogram */
	int64_t pid, top;
	double min_percent; /* negative: the view's */
	bool explain; /* in place of tables */
	int64_t limit; /* rows of a list; 0: all */
	int format; /* enum render_format */
	int64_t width; /* 0: the terminal's */
	int color; /* enum output_color */
	bool utc;
	const char *tz; /* NULL: the recording's */
};

extern const struct opt_cmd replay_opts;

/* As cli_start(), and checks what options must not stand together and that
 * there is a PATH, unless it follows. */
int replay_start(int argc, char **argv, struct replay_options *ret,
	struct opt_rest *rest);

/* Reads windows as written, "5s,1m,5m", "off"; where none are, views of waits
 * have some, unless a range or steps are asked for.  CLI_GO, or the exit status
 * of what was told of cmd. */
int replay_parse_windows(const struct opt_cmd *cmd, struct replay_options *o);

/* If --explain is given: the exit status for cli_finish(), once it is told;
 * else CLI_GO. */
int replay_explain(const struct opt_cmd *cmd,
	const struct replay_options *o);

/* The zone that was asked for, else the recording's: offset_s east of UTC.
 * Fails with GS_E_USAGE on a zone that is none. */
int replay_zone(const struct replay_options *o, int32_t offset_s,
	struct zone *ret, struct gs_err *err);

/*
 * The range that was asked for of a recording from first_ns to last_ns;
 * INT64_MIN and INT64_MAX where it is open.  Fails with GS_E_USAGE, also if
 * it ends before it starts.
 */
int replay_range(const struct replay_options *o, const struct zone *zone,
	int64_t first_ns, int64_t last_ns, int64_t *ret_from_ns,
	int64_t *ret_to_ns, struct gs_err *err);

/*
 * The range to compare with, where the range from from_ns to to_ns is shown:
 * "FROM..TO", or "-1h" for the same so much earlier.  Fails with GS_E_USAGE.
 */
int replay_baseline(const struct replay_options *o, const struct zone *zone,
	int64_t first_ns, int64_t last_ns, int64_t from_ns, int64_t to_ns,
	int64_t *ret_from_ns, int64_t *ret_to_ns, struct gs_err *err);

#endif
