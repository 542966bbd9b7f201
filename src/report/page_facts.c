/* SPDX-License-Identifier: Apache-2.0 */
#include "report/page_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/page_pack.h"
#include "view/report.h"

/* ---- a step ------------------------------------------------------------ */

static void add_event(struct page_facts *f, const struct engine_event *e)
{
	if (f->n_event == PAGE_EVENTS_MAX) {
		f->more_events++;
		return;
	}
	GS_GROW(f->event, &f->event_cap, f->n_event + 1);
	f->event[f->n_event++] = (struct page_event) { e->wall_ns,
		gs_strdup(event_name(e->kind)), gs_strdup(e->host),
		gs_strdup(e->text) };
}

/* A hole that goes on in the next step is one. */
static bool goes_on(const struct page_facts *f, const struct page_hole *h)
{
	size_t i = f->n_hole;

	while (i-- > 0 && f->n_hole - i < 64) {
		struct page_hole *was = &f->hole[i];

		if (was->of_host == h->of_host && was->to_ns >= h->from_ns &&
		    was->from_ns <= h->from_ns &&
		    strcmp(was->why, h->why) == 0) {
			was->to_ns = GS_MAX(was->to_ns, h->to_ns);
			return true;
		}
	}
	return false;
}

static void add_hole(struct page_facts *f, const struct engine_hole *hole)
{
	struct report_hole of = report_hole_of(hole, f->step[0].from_ns);
	struct page_hole h = { of.from_ns, of.to_ns,
		(char *)(uintptr_t)of.why, hole->host != NULL };

	if (goes_on(f, &h)) {
		free(h.why);
		return;
	}
	if (f->n_hole == PAGE_EVENTS_MAX) {
		f->more_holes++;
		free(h.why);
		return;
	}
	GS_GROW(f->hole, &f->hole_cap, f->n_hole + 1);
	f->hole[f->n_hole++] = h;
}

void page_facts_step(struct page_facts *f, const struct engine *e,
	double watched_s, const struct zone *zone)
{
	struct report rep = { 0 };
	size_t i;

	GS_GROW(f->step, &f->step_cap, f->n_step + 1);
	f->step[f->n_step++] = (struct page_step) { e->from_ns, e->to_ns,
		engine_covered_s(e), watched_s, e->n_ticks,
		zone_offset(zone, e->to_ns) };
	for (i = 0; i < e->n_event; i++)
		add_event(f, &e->event[i]);
	for (i = 0; i < e->n_hole; i++)
		add_hole(f, &e->hole[i]);
	f->n_ticks += e->n_ticks;
	f->n_skipped += e->n_skipped;
	f->covered_s += engine_covered_s(e);
	report_add_database(&rep, e, &(struct report_most) { 0 });
	if (rep.database) {
		free(f->database);
		f->database = gs_strdup(rep.database);
	}
	report_release(&rep);
}

void page_facts_end(struct page_facts *f, int64_t end_ns)
{
	size_t i;

	for (i = 0; i < f->n_hole; i++) {
		if (f->hole[i].to_ns == INT64_MAX)
			f->hole[i].to_ns = GS_MAX(end_ns,
			    f->step[f->n_step - 1].to_ns);
	}
}

void page_facts_release(struct page_facts *f)
{
	size_t i;

	for (i = 0; i < f->n_event; i++) {
		free(f->event[i].kind);
		free(f->event[i].host);
		free(f->event[i].text);
	}
	for (i = 0; i < f->n_hole; i++)
		free(f->hole[i].why);
	free(f->event);
	free(f->hole);
	free(f->step);
	free(f->database);
	*f = (struct page_facts) { 0 };
}

/* ---- the page ---------------------------------------------------------- */

static void put_ms(struct jsonout *j, const char *name, int64_t ns)
{
	jsonout_int(jsonout_name(j, name), ns / 1000000);
}

static void put_events(const struct page_facts *f, struct jsonout *j)
{
	size_t i;

	jsonout_open_list(jsonout_name(j, "events"));
	for (i = 0; i < f->n_event; i++) {
		const struct page_event *e = &f->event[i];

		jsonout_open_map(j);
		put_ms(j, "at", e->wall_ns);
		jsonout_str(jsonout_name(j, "kind"), e->kind);
		jsonout_str(jsonout_name(j, "host"), e->host);
		jsonout_str(jsonout_name(j, "text"), e->text);
		jsonout_close_map(j);
	}
	jsonout_close_list(j);
	jsonout_int(jsonout_name(j, "more_events"), (int64_t)f->more_events);
}

static void put_holes(const struct page_facts *f, struct jsonout *j)
{
	size_t i;

	jsonout_open_list(jsonout_name(j, "holes"));
	for (i = 0; i < f->n_hole; i++) {
		const struct page_hole *h = &f->hole[i];

		jsonout_open_map(j);
		put_ms(j, "from", h->from_ns);
		put_ms(j, "to", h->to_ns);
		jsonout_str(jsonout_name(j, "why"), h->why);
		jsonout_bool(jsonout_name(j, "of_host"), h->of_host);
		jsonout_close_map(j);
	}
	jsonout_close_list(j);
	jsonout_int(jsonout_name(j, "more_holes"), (int64_t)f->more_holes);
}

void page_facts_put(const struct page_facts *f, struct jsonout *j)
{
	jsonout_int(jsonout_name(j, "steps"), (int64_t)f->n_step);
	jsonout_int(jsonout_name(j, "ticks"), (int64_t)f->n_ticks);
	jsonout_int(jsonout_name(j, "skipped"), (int64_t)f->n_skipped);
	jsonout_real(jsonout_name(j, "covered_seconds"), f->covered_s);
	if (f->database)
		jsonout_str(jsonout_name(j, "database"), f->database);
	put_events(f, j);
	put_holes(f, j);
}

void page_facts_pack(const struct page_facts *f, struct buf *to)
{
	int64_t from = 0, till = 0, covered = 0, ticks = 0, zone = 0;
	int64_t watched = 0;
	size_t i;

	for (i = 0; i < f->n_step; i++) {
		const struct page_step *s = &f->step[i];

		page_pack_value(to, true, s->from_ns / 1000, &from);
		page_pack_value(to, true, s->to_ns / 1000, &till);
		page_pack_value(to, true, llround(s->covered_s * 1e6),
		    &covered);
		page_pack_value(to, true, (int64_t)s->ticks, &ticks);
		page_pack_value(to, true, s->utc_offset_s, &zone);
		page_pack_value(to, true, llround(s->watched_s * 1e6),
		    &watched);
	}
}
