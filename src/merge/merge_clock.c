/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_clock.c - corrects the clocks of the recorders by hosts that two of
 * them have, near the beginning of their common time.
 */
#include "merge/merge_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/when.h"
#include "merge/clockdiff.h"
#include "model/walk.h"

/* Number of ticks that are checked, from that instant on. */
#define TICKS_AFTER 8

struct sightings {
	struct clock_seen *seen;
	size_t n, cap;
};

static void sightings_release(struct sightings *s)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		free(s->seen[i].host);
		free(s->seen[i].boot_id);
	}
	free(s->seen);
}

/* The answer with the shortest round trip is the most exact. */
static void keep(struct sightings *s, const char *name, struct span boot_id,
	const struct sample_clock *c)
{
	int64_t lead = c->wall_ns - c->offset_ns - c->boot_ns;
	size_t i;

	for (i = 0; i < s->n; i++) {
		struct clock_seen *was = &s->seen[i];

		if (strcmp(was->host, name) != 0 ||
		    !span_eq(boot_id, was->boot_id))
			continue;
		if (c->rtt_ns < was->rtt_ns) {
			was->rtt_ns = c->rtt_ns;
			was->lead_ns = lead;
		}
		return;
	}
	GS_GROW(s->seen, &s->cap, s->n + 1);
	s->seen[s->n++] = (struct clock_seen) { .host = gs_strdup(name),
		.boot_id = gs_strndup(boot_id.ptr, span_len(boot_id)),
		.lead_ns = lead, .rtt_ns = c->rtt_ns };
}

static void note_clocks(struct sightings *s, const struct world *w)
{
	size_t i;

	for (i = 0; i < world_hosts(w); i++) {
		const struct host *h = world_host(w, i);
		const struct row *r = host_row(h);
		struct span boot_id;

		if (!h->sampled || h->catalog || !r || h->clock.boot_ns <= 0)
			continue;
		boot_id = row_text(w, r, COL(HOST, BOOT_ID));
		if (!span_empty(boot_id))
			keep(s, h->name, boot_id, &h->clock);
	}
}

/* The clocks of an input's hosts at an instant of its own clock. */
static int read_clocks(struct input *l, int64_t at_ns, struct sightings *ret,
	struct gs_err *err)
{
	struct world *w = world_new_plain();
	const struct tick *t = NULL;
	struct cursor_gap gap;
	struct walk walk;
	size_t after = 0;
	int r;

	walk_begin(&walk, archive_cursor(l->archive), input_interval(l));
	r = walk_seek(&walk, at_ns, err);
	while (r == GS_OK && after < TICKS_AFTER) {
		enum cursor_step s = walk_next(&walk, &t, &gap, err);
		struct gs_err why;

		if (s == CURSOR_GAP) {
			world_lost(w);
			continue;
		}
		if (s != CURSOR_TICK && s != CURSOR_REPEAT)
			break; /* the merge itself will report why */
		if (world_apply(w, t, &why) == GS_OK)
			note_clocks(ret, w);
		else
			walk_lose(&walk, &why);
		after += t->wall_ns >= at_ns;
	}
	world_free(w);
	return r;
}

/* The beginning of the later of two, or near it, if they do not overlap. */
static int compare(struct input *a, struct input *b, bool *ret_any,
	int64_t *ret_ns, struct gs_err *err)
{
	int64_t begin = GS_MAX(a->first_ns, b->first_ns);
	struct sightings in_a = { 0 }, in_b = { 0 };
	int r = read_clocks(a, GS_MIN(begin, a->last_ns), &in_a, err);

	if (r == GS_OK)
		r = read_clocks(b, GS_MIN(begin, b->last_ns), &in_b, err);
	if (r == GS_OK)
		*ret_any = clockdiff(in_a.seen, in_a.n, in_b.seen, in_b.n,
		    ret_ns);
	sightings_release(&in_a);
	sightings_release(&in_b);
	return r;
}

static void note_shift(struct merge *m, const struct input *l)
{
	struct buf b = BUF_INIT;
	char span[WHEN_SPAN_MAX];

	if (l->shift_ns == 0)
		return;
	when_span(span, l->shift_ns < 0 ? -l->shift_ns : l->shift_ns);
	buf_printf(&b, "%s: the clock of its recorder was %s %s that of %s: "
	    "its times are corrected", input_name(l), span,
	    l->shift_ns < 0 ? "behind" : "ahead of", input_name(m->input[0]));
	merge_add_note(m, b.ptr);
}

/* Compares an input with those whose clocks are known. */
static int place_by_hosts(struct merge *m, bool *is_set, size_t i,
	struct gs_err *err)
{
	size_t k;

	for (k = 0; !is_set[i] && k < m->n_input; k++) {
		int64_t ns = 0;
		int r;

		if (!is_set[k])
			continue;
		r = compare(m->input[k], m->input[i], &is_set[i], &ns, err);
		if (r < 0)
			return r;
		if (is_set[i])
			m->input[i]->shift_ns = m->input[k]->shift_ns + ns;
	}
	if (is_set[i])
		note_shift(m, m->input[i]);
	return GS_OK;
}

/* Without a common host: one recorder has one clock, and those of two count as
 * equal. */
static void place_by_name(struct merge *m, bool *is_set, size_t i)
{
	struct input *l = m->input[i];
	struct buf b = BUF_INIT;
	size_t k;

	for (k = 0; k < m->n_input; k++) {
		if (!is_set[k] || l->recorder[0] == '\0' ||
		    strcmp(m->input[k]->recorder, l->recorder) != 0)
			continue;
		l->shift_ns = m->input[k]->shift_ns;
		is_set[i] = true;
		return;
	}
	is_set[i] = true;
	buf_printf(&b, "%s: no host of it is in the others: its recorder's "
	    "clock is taken as correct", input_name(l));
	merge_add_note(m, b.ptr);
}

int merge_set_clocks(struct merge *m, struct gs_err *err)
{
	bool *is_set = gs_calloc(m->n_input, sizeof(*is_set));
	size_t i, n_set = 1, before;
	int r = GS_OK;

	is_set[0] = true;
	while (r == GS_OK && n_set < m->n_input) {
		before = n_set;
		for (i = 0; r == GS_OK && i < m->n_input; i++) {
			if (is_set[i])
				continue;
			r = place_by_hosts(m, is_set, i, err);
			n_set += is_set[i];
		}
		for (i = 0; n_set == before && i < m->n_input; i++) {
			if (is_set[i])
				continue;
			place_by_name(m, is_set, i);
			n_set++;
		}
	}
	free(is_set);
	for (i = 0; r == GS_OK && i < m->n_input; i++)
		r = input_seek(m->input[i], INT64_MIN, err);
	return r;
}
