/* SPDX-License-Identifier: Apache-2.0 */
#include "view/uncollected.h"

#include <limits.h>

#include "base/compiler.h"

/* ---- what it was asked for ----------------------------------------------- */

/* What it is, by its own word. */
static void take_identity(struct collected *s, const struct world *w,
	const struct host *c)
{
	const struct table *t = &c->table[ENTITY_CLUSTER];
	uint64_t version;
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		const struct row *r = t->slot[i];

		if (!r || !row_get(r, COL(CLUSTER, VERSION_NUM), &version) ||
		    version > INT_MAX)
			continue;
		s->known = flavour_find(row_text(w, r, COL(CLUSTER, FLAVOUR)),
		    &s->flavour);
		s->version_num = (int)version;
	}
}

static void take_collector(struct collected *s, const struct world *w,
	const struct row *r)
{
	enum collector_id c = collector_find(row_text(w, r,
	    COL(COLLECTOR, NAME)));
	uint64_t runs = 0, period_ms = 0, errors = 0, timeouts = 0;

	if (c == COLLECTOR_COUNT)
		return; /* of a later version */
	/* absent counts as 0 */
	(void)row_get(r, COL(COLLECTOR, RUNS), &runs);
	(void)row_get(r, COL(COLLECTOR, PERIOD), &period_ms);
	(void)row_get(r, COL(COLLECTOR, ERRORS), &errors);
	(void)row_get(r, COL(COLLECTOR, TIMEOUTS), &timeouts);
	s->collected |= 1u << c;
	s->refused &= ~(1u << c);
	if (runs == 0 && (errors > 0 || timeouts > 0))
		s->refused |= 1u << c;
	if (runs > 0)
		s->once |= 1u << c;
	if (runs > 1)
		s->twice |= 1u << c;
	s->period_ms[c] = (uint32_t)GS_MIN(period_ms, UINT32_MAX);
}

/* Of each tick, if that is a table: only rows that changed are looked at. */
static void take_collectors(struct collected *s, const struct world *w,
	const struct host *c)
{
	const struct table *t = &c->table[ENTITY_COLLECTOR];
	bool all = s->tick == 0 || world_ticks(w) < s->tick;
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i] && (all || t->slot[i]->touched_tick >= s->tick))
			take_collector(s, w, t->slot[i]);
	}
	s->tick = world_ticks(w);
}

void collected_add(struct collected *s, const struct world *w,
	const struct host *catalog)
{
	take_identity(s, w, catalog);
	take_collectors(s, w, catalog);
}

/* ---- and for what not ---------------------------------------------------- */

/* The first of these collectors from c on. */
static enum collector_id next_of(uint32_t collectors, int c)
{
	while (c < COLLECTOR_COUNT && !(collectors >> c & 1))
		c++;
	return (enum collector_id)c;
}

bool uncollected(const struct collected *s, uint32_t collectors)
{
	return collectors && s->collected && !(s->collected & collectors);
}

bool uncollected_is_refused(const struct collected *s, uint32_t collectors)
{
	return s->collected & collectors &&
	    !(s->collected & collectors & ~s->refused);
}

bool uncollected_may_have(const struct collected *s, uint32_t collectors)
{
	enum collector_id c = next_of(collectors, 0);

	for (; s->known && c < COLLECTOR_COUNT;
	    c = next_of(collectors, (int)c + 1)) {
		int since = collector_since(c, s->flavour);

		if (since >= 0 && s->version_num >= since)
			return true;
	}
	return !s->known;
}

void uncollected_add_why(const struct collected *s, uint32_t collectors,
	struct buf *to)
{
	uint32_t usual = collectors & COLLECTORS_DEFAULT;
	enum collector_id c = next_of(usual ? usual : collectors, 0);
	const char *needs = collector_needs(c);

	if (!usual) {
		buf_printf(to, "record --collect +%s does", collector_name(c));
		return;
	}
	buf_add_str(to, "--collect left it out, or ");
	if (*needs)
		buf_printf(to, "the server lacks %s", needs);
	else
		buf_printf(to, "the recorder's version does not know it%s",
		    s->known ? "" : ", or the server");
}

void uncollected_add_lack(const struct collected *s, uint32_t collectors,
	struct buf *to)
{
	enum collector_id c = next_of(collectors, 0);
	bool any = false;
	int f;

	if (collector_since(c, s->flavour) >= 0) {
		buf_printf(to, "this version of %s does not have it",
		    flavour_title(s->flavour));
		return;
	}
	buf_printf(to, "%s does not have it", flavour_title(s->flavour));
	for (f = 0; f < FLAVOURS; f++) {
		enum flavour other = (enum flavour)(1 << f);

		if (collector_since(c, other) < 0)
			continue;
		buf_printf(to, "%s%s", any ? " and " : ", ",
		    flavour_title(other));
		any = true;
	}
	buf_add_str(to, any ? " do" : "");
}
