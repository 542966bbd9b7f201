/* SPDX-License-Identifier: Apache-2.0 */
#include "pg/collect.h"

#include "base/clock.h"

void collect_start(struct collector *c, enum collector_id id,
	const struct server *s, bool same)
{
	if (!same || !c->lacks) {
		c->query = c->on ? query_pick(id, s, NULL) : NULL;
		c->refused = c->lacks = false;
	}
	/* activity finds out whether a session waits for locks */
	c->due = c->query && !c->refused &&
	    c->query->period != PERIOD_LOCKS;
	c->next_ns = INT64_MIN;
}

void collect_asked(struct collector *c, const struct catalog_options *opt,
	int64_t now_ns)
{
	c->due = false;
	c->next_ns = now_ns + query_period_ns(c->query, opt);
}

bool collect_is_time(const struct collector *c,
	const struct catalog_options *opt, bool changed, int64_t now_ns)
{
	int64_t period_ns;

	if (!c->query || c->refused || c->next_ns == INT64_MIN)
		return c->query && !c->refused;
	period_ns = query_period_ns(c->query, opt);
	/* ticks are sometimes a little early */
	return now_ns >= c->next_ns -
	    (changed ? period_ns * 4 / 5 : period_ns / 20);
}

static void put_one(const struct collector *c, enum collector_id id,
	const struct catalog_options *opt, struct rowset *s)
{
	struct cells now = rowset_now(s, ENTITY_COLLECTOR);

	rowset_text(s, now, COL(COLLECTOR, NAME), span_str(collector_name(id)));
	cells_set(now, COL(COLLECTOR, PERIOD),
	    (uint64_t)(query_period_ns(c->query, opt) / GS_NSEC_PER_MSEC));
	if (c->runs) {
		cells_set(now, COL(COLLECTOR, LAST), (uint64_t)c->last_us);
		cells_set(now, COL(COLLECTOR, TOOK), (uint64_t)c->took_us);
		cells_set(now, COL(COLLECTOR, ROWS), c->rows);
		cells_set(now, COL(COLLECTOR, CUT), c->cut);
	}
	cells_set(now, COL(COLLECTOR, RUNS), c->runs);
	cells_set(now, COL(COLLECTOR, ERRORS), c->errors);
	cells_set(now, COL(COLLECTOR, TIMEOUTS), c->timeouts);
	rowset_put(s, ENTITY_COLLECTOR, now);
}

void collect_put(const struct collector list[COLLECTOR_COUNT],
	const struct catalog_options *opt, struct rowset *s)
{
	int i;

	rowset_open(s, ENTITY_COLLECTOR, 0);
	for (i = 0; i < COLLECTOR_COUNT; i++) {
		if (list[i].query)
			put_one(&list[i], (enum collector_id)i, opt, s);
	}
	rowset_close(s, ENTITY_COLLECTOR, CLOSE_EXITED);
}
