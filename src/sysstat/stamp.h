/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stamp.h - times as sysstat's programs write them, and the line that begins
 * a report.
 */
#ifndef GS_SYSSTAT_STAMP_H
#define GS_SYSSTAT_STAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/zone.h"
#include "model/world.h"

struct stamp {
	struct zone zone;
	bool iso; /* S_TIME_FORMAT=ISO: not as the locale has it */
	bool epoch; /* seconds since 1970 */
};

#define STAMP_MAX 64

struct stamp stamp_new(const struct zone *zone, bool epoch);

void stamp_time(const struct stamp *s, int64_t ns, char to[STAMP_MAX]);
void stamp_date(const struct stamp *s, int64_t ns, char to[STAMP_MAX]);

/* Facts of a host that stand above a report; "" where they are unknown. */
struct banner {
	char *release, *node, *machine; /* owned */
	uint64_t cpus;
};

/* The name that the header of the file gives it, safe for a terminal; the
 * caller frees it. */
char *host_shown(const struct host *h);

struct banner banner_of(const struct world *w, const struct host *h);
void banner_release(struct banner *b);

/* "LINUX RESTART\t(2 CPU)" */
#define RESTART_MAX 64
void banner_restart(const struct world *w, const struct host *h,
	char to[RESTART_MAX]);

/* "Linux 6.1.0 (host) \t11/21/26 \t_x86_64_\t(2 CPU)" and a newline. */
void banner_add(const struct banner *b, const struct stamp *s, int64_t ns,
	struct buf *to);

#endif
