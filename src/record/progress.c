/* SPDX-License-Identifier: Apache-2.0 */
#include "record/progress.h"

#include <inttypes.h>
#include <time.h>

#include "base/clock.h"
#include "base/units.h"

static void add_share(const struct recorder_status *s, struct buf *to)
{
	if (s->rows > 0)
		buf_printf(to, ", %.2f bytes per process and tick",
		    (double)s->bytes / (double)s->rows);
}

static void add_trouble(const struct recorder_status *s, struct buf *to)
{
	const struct {
		uint64_t n;
		const char *what;
	} part[] = { { s->late, "late" }, { s->lost, "lost" },
		{ s->skipped, "skipped" }, { s->unanswered, "unanswered" } };
	size_t i;

	for (i = 0; i < GS_LEN(part); i++) {
		if (part[i].n > 0)
			buf_printf(to, ", %" PRIu64 " %s", part[i].n,
			    part[i].what);
	}
}

void progress_add_line(const struct recorder_status *s, struct buf *to)
{
	time_t t = (time_t)(s->wall_ns / GS_NSEC_PER_SEC);
	struct tm tm = { 0 };

	(void)localtime_r(&t, &tm); /* fails only beyond the year 2^31 */
	buf_printf(to, "%02d:%02d:%02d ", tm.tm_hour, tm.tm_min, tm.tm_sec);
	if (s->hosts > 1)
		buf_printf(to, "%zu of %zu hosts, ", s->hosts_up, s->hosts);
	buf_printf(to, "%" PRIu64 " processes, %" PRIu64 " quiet, %" PRIu64
	    " ticks, ", s->processes, s->quiet, s->ticks);
	units_add_bytes(to, s->bytes);
	add_trouble(s, to);
	add_share(s, to); /* a narrow terminal leaves out the end */
}

void progress_add_summary(const struct recorder_status *s, const char *path,
	struct buf *to)
{
	double seconds = (double)(s->last_ns - s->first_ns) / 1e9;

	buf_printf(to, "%s: %" PRIu64 " tick%s in %.1f s, ", path, s->written,
	    s->written == 1 ? "" : "s",
	    seconds);
	units_add_bytes(to, s->bytes);
	add_share(s, to);
	add_trouble(s, to);
	if (s->hosts_missed > 0)
		buf_printf(to, ", %zu of %zu host%s never answered",
		    s->hosts_missed, s->hosts, s->hosts == 1 ? "" : "s");
	if (s->away[0] != '\0')
		buf_printf(to, ", %s", s->away);
	if (s->database_missed)
		buf_add_str(to, ", the database never answered");
}
