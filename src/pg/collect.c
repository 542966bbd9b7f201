/* SPDX-License-Identifier: Apache-2.0 */
#include "pg/collect.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/compiler.h"

static const char *const names[COLLECTOR_COUNT] = {
	[COLLECT_ACTIVITY] = "activity",
	[COLLECT_TOPOLOGY] = "topology",
	[COLLECT_LOCKS] = "locks",
	[COLLECT_REPLICATION] = "replication",
	[COLLECT_GROUPS] = "groups",
	[COLLECT_VMEM] = "vmem",
	[COLLECT_LIMITS] = "limits",
	[COLLECT_SEGMENT_ACTIVITY] = "segment_activity",
	[COLLECT_WORKFILES] = "workfiles",
};

const char *collector_name(enum collector_id c)
{
	return names[c];
}

static int find_name(struct span word)
{
	int i;

	for (i = 0; i < COLLECTOR_COUNT; i++) {
		if (span_eq(word, names[i]))
			return i;
	}
	return -1;
}

static int no_such(struct span word, struct gs_err *err)
{
	struct buf all = BUF_INIT;
	int i, r;

	for (i = 0; i < COLLECTOR_COUNT; i++)
		buf_printf(&all, "%s%s", i ? ", " : "", names[i]);
	r = gs_fail(err, GS_E_USAGE,
	    "no collector \"%.*s\"; there are: %s, none",
	    (int)GS_MIN(span_len(word), (size_t)64), word.ptr, buf_str(&all));
	buf_release(&all);
	return r;
}

int collectors_parse(const char *list, uint32_t *ret, struct gs_err *err)
{
	struct span s = span_str(list), word;
	/* a list that begins with + or - changes the default */
	uint32_t bits = *list == '+' || *list == '-' ? COLLECTORS_DEFAULT : 0;
	bool more = true;

	while (more) {
		char sign = '+';
		int i;

		more = scan_until(&s, ',', &word);
		if (!more)
			word = s;
		if (!span_empty(word) && (*word.ptr == '+' || *word.ptr == '-'))
			sign = *word.ptr++;
		if (span_eq(word, "none")) {
			bits = 0;
			continue;
		}
		i = find_name(word);
		if (i < 0)
			return no_such(word, err);
		bits = sign == '+' ? bits | 1u << i : bits & ~(1u << i);
	}
	*ret = bits;
	return GS_OK;
}

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
	const struct catalog_options *opt, int64_t now_ns)
{
	/* ticks are sometimes a little early */
	return c->query && !c->refused &&
	    (c->next_ns == INT64_MIN ||
	    now_ns >= c->next_ns - query_period_ns(c->query, opt) / 20);
}

bool collect_is_early(const struct collector *c,
	const struct catalog_options *opt, int64_t now_ns)
{
	return c->query && !c->refused && (c->next_ns == INT64_MIN ||
	    now_ns >= c->next_ns - query_period_ns(c->query, opt) * 4 / 5);
}

static void put_one(const struct collector *c, enum collector_id id,
	const struct catalog_options *opt, struct rowset *s)
{
	struct cells now = rowset_now(s, ENTITY_COLLECTOR);

	rowset_text(s, now, COL(COLLECTOR, NAME), span_str(names[id]));
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
