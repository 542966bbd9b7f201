/* SPDX-License-Identifier: Apache-2.0 */
/*
 * holes.c - findings about data that is missing: the recording's holes, and
 * hosts that did not answer.
 *
 * This is code and no rule: a rule looks at the rows of a tick, and in a hole
 * there is none.
 */
#include <string.h>

#include "base/arith.h"
#include "base/mem.h"
#include "base/when.h"
#include "findings/findings_int.h"
#include "findings/sentence.h"

/* From so long on it is more than a nuisance. */
#define LONG_NS (10 * INT64_C(1000000000))

/* cut: where its length is not known. */
static char *sentence(const char *why, int64_t ns, unsigned cut)
{
	struct buf b = BUF_INIT, said = BUF_INIT;
	char span[WHEN_SPAN_MAX], *r;

	when_age(span, (double)ns / 1e9);
	buf_printf(&said, "nothing is known of %s: %.160s",
	    ns > 0 ? span : cut & CUT_START ? "what was before"
	    : cut & CUT_END ? "what was after" : span, why);
	sentence_add_literally(&b, buf_str(&said));
	r = gs_strndup(buf_str(&b), b.len);
	buf_release(&b);
	buf_release(&said);
	return r;
}

static const char data_missing[] = FINDING_DATA_MISSING;

static struct run *missing(int64_t from_ns, int64_t to_ns, unsigned cut,
	const char *why)
{
	struct run *r = gs_calloc(1, sizeof(*r));
	int64_t ns = gs_difference(to_ns, from_ns);

	r->kind = data_missing;
	r->severity = ns < LONG_NS ? FINDING_NOTE : FINDING_WARNING;
	r->from_ns = r->at_ns = from_ns;
	r->to_ns = to_ns;
	r->cost = (double)ns / 1e9;
	r->cut = cut;
	r->says = sentence(why, ns, cut);
	r->next = gs_strdup("-V events --from {from} --to {to}");
	return r;
}

/* What the reader said of it: damage, a file that is missing. */
static const char *reason_of_hole(const struct findings *f,
	const struct engine *e)
{
	size_t i;

	for (i = e->n_hole; i > 0; i--) {
		const struct engine_hole *h = &e->hole[i - 1];

		if (!h->host && h->from_ns < e->to_ns &&
		    h->to_ns > f->before_ns)
			return h->why;
	}
	return NULL;
}

/* What the recorder said of it. */
static const char *reason_of_events(const struct engine *e)
{
	size_t i;

	for (i = e->tick_event; i < e->n_event; i++) {
		if (e->event[i].kind == EVENT_STOOD_STILL ||
		    e->event[i].kind == EVENT_SUSPENDED)
			return e->event[i].text;
	}
	return NULL;
}

void stall_note(struct findings *f, const struct engine *e)
{
	const char *why = reason_of_hole(f, e);

	if (f->n_done == FINDINGS_MAX) {
		f->n_more++;
		return;
	}
	why = why ? why : reason_of_events(e);
	GS_GROW(f->done, &f->done_cap, f->n_done + 1);
	f->done[f->n_done++] = missing(f->before_ns, e->to_ns, 0,
	    why ? why : "samples were skipped");
}

static bool is_noted(const struct findings *f, const struct engine_hole *h)
{
	size_t i;

	for (i = 0; i < f->n_done; i++) {
		const struct run *r = f->done[i];

		if (r->kind == data_missing && r->from_ns < h->to_ns &&
		    h->from_ns < r->to_ns)
			return true;
	}
	return false;
}

void holes_add(const struct findings *f, const struct engine *e,
	struct run ***to, size_t *n, size_t *cap)
{
	size_t i;

	for (i = 0; i < e->n_hole && *n < FINDINGS_MAX; i++) {
		const struct engine_hole *h = &e->hole[i];
		bool before = h->from_ns != INT64_MIN && h->to_ns <= e->from_ns;
		int64_t from_ns = before ? h->from_ns
		    : GS_MAX(h->from_ns, e->from_ns);
		int64_t to_ns = GS_MIN(h->to_ns, e->to_ns);
		struct run *r;

		/* the clock was set back in it: no times tell how long it is */
		if ((!h->host && is_noted(f, h)) || to_ns < from_ns)
			continue;
		r = missing(from_ns, to_ns,
		    (h->from_ns == INT64_MIN ? CUT_START : 0u) |
		    (h->to_ns > e->to_ns ? CUT_END : 0u), h->why);
		if (h->host) {
			r->kind = FINDING_HOST_LOST;
			r->by = "agent lost";
			r->host = gs_strdup(h->host);
			r->subject = gs_strdup(h->host);
			if (r->severity == FINDING_WARNING)
				r->severity = FINDING_PROBLEM;
		}
		GS_GROW(*to, cap, *n + 1);
		(*to)[(*n)++] = r;
	}
}
