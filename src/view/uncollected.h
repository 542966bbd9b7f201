/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uncollected.h - which parts of its catalog the recorder asked a server for, and why not
 * for others: the server may not have it, and the recorder may have been told not to ask.
 *
 * Use: zeroed; collected_add() at the end of each table.
 */
#ifndef GS_VIEW_UNCOLLECTED_H
#define GS_VIEW_UNCOLLECTED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "metric/collectors.h"
#include "model/world.h"

/* Of one server. */
struct collected {
	bool known; /* its flavour and version are: */
	enum flavour flavour;
	int version_num;
	/* Collectors as bits 1 << collector_id: the recorder asks for it; it was
	 * answered; more than once; it never was, but with errors or too late. */
	uint32_t collected, once, twice, refused;
	uint32_t period_ms[COLLECTOR_COUNT];
	uint64_t tick; /* world_ticks() of the last look at them */
};

/* catalog: the server's. */
void collected_add(struct collected *s, const struct world *w,
	const struct host *catalog);

/* The server was asked for others, and for none of these collectors. */
bool uncollected(const struct collected *s, uint32_t collectors);

/* None of them that it was asked for was answered, but with errors or too late. */
bool uncollected_is_refused(const struct collected *s, uint32_t collectors);

/* A server of that product and version has one of them; true if that is not known. */
bool uncollected_may_have(const struct collected *s, uint32_t collectors);

/* "--collect left it out, or ..." */
void uncollected_add_why(const struct collected *s, uint32_t collectors,
	struct buf *to);

/* "PostgreSQL does not have it, Greenplum and Cloudberry do" */
void uncollected_add_lack(const struct collected *s, uint32_t collectors,
	struct buf *to);

#endif
