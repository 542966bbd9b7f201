/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resample.h - from the ticks of a recording, or live ticks, to the samples
 * that a program of sysstat would have taken: of one host, or of each, within a
 * range of time, every so often.
 *
 * Use: resample_init(); resample_tick() and resample_gap() as they come, or
 * resample_run() of a cursor; resample_release().
 */
#ifndef GS_SYSSTAT_RESAMPLE_H
#define GS_SYSSTAT_RESAMPLE_H

#include "base/err.h"
#include "model/cursor.h"
#include "model/world.h"

struct resample_opt {
	const char *host; /* NULL: the only one there is */
	bool every_host; /* in place of one: each tick is reported per host */
	int64_t from_ns, to_ns; /* INT64_MIN, INT64_MAX: open */
	int64_t every_ns; /* between samples; 0: every tick is one */
};

/* Samples are missing, of all hosts or of the one. */
struct resample_hole {
	int64_t from_ns, to_ns; /* to_ns: INT64_MAX: there is no next */
	const char *why;
};

struct resample_ops {
	/* A tick that has the host; is_sample: one is due.  False: enough. */
	bool (*tick)(void *self, const struct world *w,
		const struct host *h, bool is_sample);
	/* The host was booted since the tick before. */
	void (*restart)(void *self, const struct world *w,
		const struct host *h);
	void (*hole)(void *self, const struct resample_hole *hole);
	/* tick() was called for all hosts of a tick.  False: enough.  NULL: not
	 * needed, as is the next. */
	bool (*all_hosts)(void *self, const struct world *w, int64_t wall_ns,
		bool is_sample);
	/* For each host: it was lost and still is at the end.  NULL: not
	 * needed. */
	void (*lost)(void *self, const struct host *h);
	/* Somebody's mark. */
	void (*mark)(void *self, int64_t wall_ns, struct span text);
};

struct resample {
	struct resample_opt opt;
	const struct resample_ops *ops;
	void *self;
	struct world *world;
	struct tick_pace pace; /* of the recording */
	bool begun; /* a sample was taken */
	bool after_hole; /* the next tick is a sample */
	int64_t due_ns; /* wall time of the next sample */
	/* of one host: when it was present last, by the recorder's clock and
	 * its own; the last tick; since then it was lost, a hole was
	 * reported */
	int64_t seen_ns, host_ns, last_ns;
	bool host_lost, hole_reported;
	/* What is damaged before the first sample.  It separates no samples, so
	 * it is no hole(). */
	bool headless;
	struct cursor_gap head;
};

/* interval_ns: of the recording. */
void resample_init(struct resample *f, const struct resample_opt *opt,
	int64_t interval_ns, const struct resample_ops *ops, void *self);
void resample_release(struct resample *f);

/* Of a recorder at work, whose ticks can be applied.  0: go on, 1: done,
 * negative: failed, GS_E_USAGE if there is no such host or more than one. */
int resample_tick(struct resample *f, const struct tick *t, struct gs_err *err);
void resample_gap(struct resample *f, const struct cursor_gap *gap);

/* Calls hole() if a host that is present now was absent by itself since *last_ns,
 * when it was present last, and there are samples of it to break off.  *last_ns
 * becomes now. */
void resample_check_gap(const struct host *h, bool has_samples,
	int64_t *last_ns,
	void (*hole)(void *self, const struct resample_hole *hole), void *self);

/* 0, or as resample_tick() and the cursor fail. */
int resample_run(struct resample *f, struct cursor c, struct gs_err *err);

/* The same for a caller that needs the last sample only: begins shortly before
 * last_ns, the time of the last tick, and earlier if the host does not answer
 * there.  Not on a pipe. */
int resample_run_last(struct resample *f, struct cursor c, int64_t last_ns,
	struct gs_err *err);

#endif
