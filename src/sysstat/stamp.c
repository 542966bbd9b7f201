/* SPDX-License-Identifier: Apache-2.0 */
#include "sysstat/stamp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"

struct stamp stamp_new(const struct zone *zone, bool epoch)
{
	const char *format = getenv("S_TIME_FORMAT");

	return (struct stamp) { .zone = *zone, .epoch = epoch,
		.iso = format && strcmp(format, "ISO") == 0 };
}

static struct tm civil_tm(const struct zone *z, int64_t ns)
{
	struct civil c = zone_to_civil(z, ns);
	int64_t days = civil_to_days(c.year, c.month, c.day);

	return (struct tm) {
		.tm_year = (int)c.year - 1900, .tm_mon = c.month - 1,
		.tm_mday = c.day, .tm_hour = c.hour, .tm_min = c.minute,
		.tm_sec = c.second, .tm_isdst = -1,
		.tm_wday = (int)(((days + 4) % 7 + 7) % 7),
	};
}

void stamp_time(const struct stamp *s, int64_t ns, char to[STAMP_MAX])
{
	struct tm tm = civil_tm(&s->zone, ns);

	if (s->epoch)
		(void)snprintf(to, STAMP_MAX, "%" PRId64,
		    ns / GS_NSEC_PER_SEC);
	else if (strftime(to, STAMP_MAX, s->iso ? "%H:%M:%S" : "%X", &tm) == 0)
		to[0] = '\0'; /* it has written nothing definite */
}

void stamp_date(const struct stamp *s, int64_t ns, char to[STAMP_MAX])
{
	struct tm tm = civil_tm(&s->zone, ns);

	if (strftime(to, STAMP_MAX, s->iso ? "%Y-%m-%d" : "%x", &tm) == 0)
		to[0] = '\0';
}

static char *safe_copy(struct span text)
{
	struct buf safe = BUF_INIT;
	char *copy;

	utf8_add_safe(&safe, text.ptr, span_len(text));
	copy = gs_strdup(buf_str(&safe));
	buf_release(&safe);
	return copy;
}

static char *text_of(const struct world *w, const struct row *r,
	unsigned col)
{
	return safe_copy(r ? row_text(w, r, col) : span_str(""));
}

char *host_shown(const struct host *h)
{
	return safe_copy(span_str(h->name));
}

struct banner banner_of(const struct world *w, const struct host *h)
{
	const struct row *r = host_row(h);
	struct banner b = {
		.release = text_of(w, r, COL(HOST, KERNEL)),
		.node = text_of(w, r, COL(HOST, NAME)),
		.machine = text_of(w, r, COL(HOST, MACHINE)),
	};

	/* not in samples of files only */
	if (!*b.node) {
		free(b.node);
		b.node = host_shown(h);
	}
	if (r && !row_get(r, COL(HOST, CPUS_PRESENT), &b.cpus))
		(void)row_get(r, COL(HOST, CPUS), &b.cpus);
	return b;
}

void banner_release(struct banner *b)
{
	free(b->release);
	free(b->node);
	free(b->machine);
	*b = (struct banner) { 0 };
}

void banner_restart(const struct world *w, const struct host *h,
	char to[RESTART_MAX])
{
	struct banner b = banner_of(w, h);

	(void)snprintf(to, RESTART_MAX, "LINUX RESTART\t(%" PRIu64 " CPU)",
	    b.cpus);
	banner_release(&b);
}

void banner_add(const struct banner *b, const struct stamp *s, int64_t ns,
	struct buf *to)
{
	char date[STAMP_MAX];

	stamp_date(s, ns, date);
	buf_printf(to, "Linux %s (%s) \t%s \t_%s_\t(%" PRIu64 " CPU)\n",
	    b->release, b->node, date, b->machine, b->cpus);
}
