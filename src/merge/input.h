/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input.h - recordings of one recorder that follow each other, as one of the
 * sources of a merge: its ticks, one ahead, on the time line of all.
 *
 * Use: input_fetch() until it gives other than CURSOR_TICK; per tick
 * input_take(), then the filter is as after it.
 */
#ifndef GS_MERGE_INPUT_H
#define GS_MERGE_INPUT_H

#include "edit/row_filter.h"
#include "model/walk.h"
#include "replay/archive.h"

/* A host of it, by position in its world. */
struct input_host {
	bool is_known; /* out is valid */
	char *name; /* that it had when it was given out */
	size_t out; /* which host of the merged recording it is */
	bool fresh; /* the last tick taken has a sample of it */
	bool lost; /* or says that its rows have ended */
	bool seen; /* some tick had a sample, and it was not lost since */
	int64_t seen_ns; /* when: our time */
};

/* A session of Greenplum whose leading process is here. */
struct led {
	uint32_t session;
	size_t out; /* which host of the merged recording */
};

struct input {
	struct archive *archive;
	struct row_filter filter;
	char *recorder; /* host of its recorder; "" unknown */
	char *thin, *full; /* a file of it that was thinned, and one that was
	                    * not; NULL: there is none */
	int64_t first_ns, last_ns; /* its range, by its own clock */
	int64_t finest_ns; /* interval of the finest at some time of it */
	int64_t shift_ns; /* its recorder's clock - the first input's */
	const struct tick *held; /* its next tick; NULL: none */
	int64_t next_ns; /* when it is: our time */
	bool waits; /* it has ended here, but is being written */
	bool ended;
	bool begun; /* a tick was taken */
	bool taken; /* the last merged tick has one of it */
	int64_t at_ns; /* of the last one taken: our time */
	uint64_t merged; /* number of the merged tick that has it */
	bool gap; /* something is missing before held */
	struct cursor_gap gap_is; /* our time; why: "" between recordings */
	struct walk walk;
	struct gs_err refused; /* no room for a tick: it ends; status: 0 else */
	struct led *led; /* at its newest key */
	size_t n_led, led_cap;
	struct input_host *host;
	size_t n_host, host_cap;
};

/* path: not kept. */
int input_open(char *const *path, size_t n, struct pick *pick,
	struct input **ret, struct gs_err *err);
void input_free(struct input *l);

/* To its beginning, or the key before an instant of our time. */
int input_seek(struct input *l, int64_t wall_ns, struct gs_err *err);

/* Makes sure that its next tick is held; CURSOR_TICK, END, WAIT or ERROR. */
enum cursor_step input_fetch(struct input *l, struct gs_err *err);

/* Applies the tick that is held, for the merged tick of that number.  False:
 * it can't be: a hole begins. */
bool input_take(struct input *l, uint64_t merged);

/* Whether it has, between two of its ticks that follow each other or at one,
 * something to say of now. */
bool input_covers(const struct input *l, int64_t now_ns);

/* Its interval; never 0. */
int64_t input_interval(const struct input *l);

/* Its first file. */
const char *input_name(const struct input *l);

/* Of the i-th host of its world. */
struct input_host *input_host(struct input *l, size_t i);

#endif
