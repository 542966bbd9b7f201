/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input.h - one source of a merge: successive recordings of one recorder, read
 * one tick ahead, on the common time line.
 *
 * Use: input_fetch() until it returns other than CURSOR_TICK; per tick
 * input_apply(), which applies it to the filter.
 */
#ifndef GS_MERGE_INPUT_H
#define GS_MERGE_INPUT_H

#include "edit/row_filter.h"
#include "model/walk.h"
#include "replay/archive.h"

/* A host of it, by position in its world. */
struct input_host {
	bool is_known; /* out is valid */
	char *name; /* when out was assigned */
	size_t out; /* its host in the merged recording */
	bool fresh; /* the last tick applied has a sample of it */
	bool lost; /* in the last tick applied its rows have ended */
	bool seen; /* some tick had a sample, and it was not lost since */
	int64_t seen_ns; /* when: common time */
};

/* A session of Greenplum whose leading process is here. */
struct led {
	uint32_t session;
	size_t out; /* its host in the merged recording */
};

struct input {
	struct archive *archive;
	struct row_filter filter;
	char *recorder; /* host of its recorder; "" unknown */
	char *thin, *full; /* a file of it that was thinned, and one that was
	                    * not; NULL: there is none */
	int64_t first_ns, last_ns; /* its range, by its own clock */
	int64_t finest_ns; /* its shortest interval */
	int64_t shift_ns; /* its recorder's clock - the first input's */
	const struct tick *held; /* its next tick; NULL: none */
	int64_t next_ns; /* time of held: common time */
	bool waits; /* at its end, but it is being written */
	bool ended;
	bool begun; /* a tick was applied */
	bool joined; /* the last merged tick has one of it */
	int64_t at_ns; /* of the last one applied: common time */
	uint64_t merged; /* number of the merged tick that has it */
	bool gap; /* there is a gap before held */
	struct cursor_gap gap_is; /* common time; why: "" between recordings */
	struct walk walk;
	struct gs_err refused; /* why it ended: no room for a tick; status 0:
	                        * it was not refused */
	struct led *led; /* at its newest key */
	size_t n_led, led_cap;
	struct input_host *host;
	size_t n_host, host_cap;
};

/* path: not kept. */
int input_open(char *const *path, size_t n, struct pick *pick,
	struct input **ret, struct gs_err *err);
void input_free(struct input *l);

/* Goes to its beginning, or to the last key before a common time. */
int input_seek(struct input *l, int64_t wall_ns, struct gs_err *err);

/* Makes sure that its next tick is held; CURSOR_TICK, END, WAIT or ERROR. */
enum cursor_step input_fetch(struct input *l, struct gs_err *err);

/* Applies the tick that is held, for the merged tick of that number.  False:
 * it can't be applied, and a hole begins. */
bool input_apply(struct input *l, uint64_t merged);

/* True if now_ns is at one of its ticks, or between two successive ones. */
bool input_covers(const struct input *l, int64_t now_ns);

/* Its interval; never 0. */
int64_t input_interval(const struct input *l);

/* Its first file. */
const char *input_name(const struct input *l);

/* The i-th host of its world. */
struct input_host *input_host(struct input *l, size_t i);

#endif
