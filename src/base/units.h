/* SPDX-License-Identifier: Apache-2.0 */
/*
 * units.h - quantities as people write them: durations, sizes, percentages,
 * numbers.
 *
 * All take a whole NUL-terminated word and are strict (nothing may follow);
 * err says what was expected.  The result is untouched on failure.
 */
#ifndef GS_BASE_UNITS_H
#define GS_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * "5" (seconds), "0.5s", "250ms", "1m30s", "2h", "7d", "2w": numbers with
 * units from large to small, each unit once; only the last may have a
 * fraction.  Never negative.  Units: w d h m s ms us ns.
 */
int units_duration(const char *text, int64_t *ret_ns, struct gs_err *err);

/* "5s,1m,5m": rising lengths, at most max of them. */
int units_durations(const char *text, int64_t *ret_ns, size_t max, size_t *ret_n,
	struct gs_err *err);

/* "4096", "100M", "1.5GiB", "5GB": powers of 1024, with or without B or iB;
 * K M G T P in either case.  A fraction needs a unit. */
int units_size(const char *text, uint64_t *ret_bytes, struct gs_err *err);

/* For sentences: "812 bytes", "9.3 KiB", "123 MiB".  Tables have a shorter
 * form (render/cell.h). */
void units_add_bytes(struct buf *to, uint64_t bytes);

/* The ending of a noun after the number n: "" for 1, else "s". */
const char *units_plural(uint64_t n);

/* "5%", "5", "0.5%": 0 to 100. */
int units_percent(const char *text, double *ret, struct gs_err *err);

/* A whole decimal number from min to max. */
int units_int(const char *text, int64_t min, int64_t max, int64_t *ret,
	struct gs_err *err);

/* A decimal number, "-1.5" or "2e6"; neither infinite nor NaN. */
int units_real(const char *text, double *ret, struct gs_err *err);

#endif
