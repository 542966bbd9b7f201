/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_facts.h - what a page says besides figures: times of the steps, events,
 * holes, hosts.
 */
#ifndef GS_REPORT_PAGE_FACTS_H
#define GS_REPORT_PAGE_FACTS_H

#include "base/zone.h"
#include "render/jsonout.h"
#include "query/engine.h"

/* Events and holes that a page has; the others are counted. */
#define PAGE_EVENTS_MAX 5000

struct page_step {
	int64_t from_ns, to_ns;
	double covered_s, watched_s; /* of hosts; of backends' waits */
	size_t ticks;
	int32_t utc_offset_s;
};

struct page_event {
	int64_t wall_ns;
	char *kind, *host, *text;
};

struct page_hole {
	int64_t from_ns, to_ns;
	char *why;
	bool of_host;
};

/* Zeroed at first. */
struct page_facts {
	struct page_step *step;
	size_t n_step, step_cap;
	struct page_event *event;
	size_t n_event, event_cap, more_events;
	struct page_hole *hole;
	size_t n_hole, hole_cap, more_holes;
	uint64_t n_ticks, n_skipped;
	double covered_s;
	char *database; /* one line, at the end; NULL: none */
};

/* The engine is at the end of a step.  watched_s: covered time of its waits. */
void page_facts_step(struct page_facts *f, const struct engine *e,
	double watched_s, const struct zone *zone);

/* After the last step: a hole without an end goes on up to that time. */
void page_facts_end(struct page_facts *f, int64_t end_ns);
void page_facts_release(struct page_facts *f);

/* Names and values of the map that is open. */
void page_facts_put(const struct page_facts *f, struct jsonout *j);

/* The steps' times, as numbers. */
void page_facts_pack(const struct page_facts *f, struct buf *to);

#endif
