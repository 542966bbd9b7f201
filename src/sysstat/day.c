/* SPDX-License-Identifier: Apache-2.0 */
#include "sysstat/day.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"

#define DAYS_MAX 36500

void day_release(struct day *d)
{
	buf_release(&d->from);
	buf_release(&d->to);
	buf_release(&d->place);
}

/* No argument of an option is taken for a day: none of sar's is negative. */
int day_parse(struct day *d, int argc, char **argv)
{
	struct gs_err err;
	int i, n = 0;

	for (i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *word = argv[i];

		if (word[0] == '-' && isdigit((unsigned char)word[1]) &&
		    units_int(word + 1, 1, DAYS_MAX, &d->ago, &err) == 0)
			d->wanted = true;
		else
			argv[n++] = argv[i];
	}
	for (; i < argc; i++)
		argv[n++] = argv[i];
	argv[n] = NULL;
	return n;
}

/* "14:05" and the like, without a date. */
static bool is_time_of_day(const char *text)
{
	size_t n = strspn(text, "0123456789");

	return n > 0 && n <= 2 && text[n] == ':';
}

static const char *of_day(const char *text, const struct civil *c,
	struct buf *to)
{
	if (text && !is_time_of_day(text))
		return text;
	buf_printf(to, "%04" PRId64 "-%02" PRId32 "-%02" PRId32, c->year,
	    c->month, c->day);
	if (text)
		buf_printf(to, " %s", text);
	return buf_str(to);
}

void day_set(struct day *d, const struct zone *zone, int64_t now_ns,
	const char **from, const char **to)
{
	struct civil c = zone_to_civil(zone, now_ns);

	if (!d->wanted)
		return;
	civil_from_days(&c, civil_to_days(c.year, c.month, c.day) - d->ago);
	*from = of_day(*from, &c, &d->from);
	*to = of_day(*to, &c, &d->to);
}
