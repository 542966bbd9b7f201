/* SPDX-License-Identifier: Apache-2.0 */
/*
 * when_int.h - a time as it is written, before it is known what recording it
 * belongs to.
 */
#ifndef GS_BASE_WHEN_INT_H
#define GS_BASE_WHEN_INT_H

#include "base/when.h"

enum when_kind {
	AT_INSTANT, /* ns */
	AT_NOW,
	BEFORE_NOW, /* ns */
	BEFORE_END, /* ns */
	AFTER_START, /* ns */
	ON_DATE, /* day of civil; all of it unless has_clock */
	ON_DAY, /* days back from today */
	ON_WEEKDAY, /* the last one */
	AT_CLOCK /* only a time of day */
};

struct when {
	enum when_kind kind;
	int64_t ns;
	int days_back; /* at least */
	int weekday; /* 0: Sunday */
	bool has_clock;
	bool has_offset; /* civil is that far east of UTC */
	int32_t offset_s;
	struct civil civil;
};

/* Fails with GS_E_USAGE, with a message that shows what could be meant. */
int when_scan(const char *text, struct when *ret, struct gs_err *err);

#endif
