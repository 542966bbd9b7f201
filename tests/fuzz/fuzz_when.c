/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_when.c - any bytes as a time, a duration, a size, a percentage, a
 * number, a zone: taken or refused; what is taken is in range, and a duration
 * comes back as it is written.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "base/when.h"
#include "fuzz.h"

static void check(bool ok)
{
	if (!ok)
		abort();
}

static void durations(const char *text)
{
	char span[WHEN_SPAN_MAX];
	int64_t ns, back;

	if (units_duration(text, &ns, NULL) < 0)
		return;
	check(ns >= 0);
	when_span(span, ns);
	if (strlen(span) + 1 < WHEN_SPAN_MAX) /* else it was cut */
		check(units_duration(span, &back, NULL) == 0 && back == ns);
	when_age(span, (double)ns / 1e9);
	check(strlen(span) < WHEN_SPAN_MAX);
}

static void numbers(const char *text)
{
	uint64_t bytes;
	int64_t v;
	double r;

	if (units_size(text, &bytes, NULL) == 0)
		check(bytes <= INT64_MAX);
	if (units_percent(text, &r, NULL) == 0)
		check(r >= 0 && r <= 100);
	if (units_int(text, -5, 500, &v, NULL) == 0)
		check(v >= -5 && v <= 500);
	(void)units_real(text, &r, NULL);
}

static void times(const char *text)
{
	static const int64_t first[] = { INT64_MIN, 0, INT64_MAX - 1 };
	struct zone zone = ZONE_UTC;
	int known = when_check(text, NULL);
	size_t i;

	(void)zone_parse(&zone, text, NULL); /* a zone, or UTC */
	for (i = 0; i < 2 * GS_LEN(first); i++) {
		struct when_env env = {
			.zone = &zone,
			.first_ns = first[i / 2], .last_ns = first[i / 2],
			.now_ns = INT64_C(1790000000000000000),
			.is_end = i % 2, .has_start = i % 2,
			.start_ns = first[i / 2],
		};
		int64_t ns;

		check(when_parse(text, &env, &ns, NULL) == known);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = gs_strndup((const char *)data, size);

	durations(text);
	numbers(text);
	times(text);
	free(text);
	return 0;
}
