/* SPDX-License-Identifier: Apache-2.0 */
/*
 * said.c - what is said of a run: whether it is long enough to be a finding,
 * whether another one says it better, and its text.
 */
#include <string.h>

#include "findings/findings_int.h"

bool run_counts(const struct run *r)
{
	if (!r->of || r->of->time >= 0)
		return true;
	return r->held_ns >= r->of->hold_ns && !(r->blind && r->ticks == 1);
}

static bool may_be_one(const char *a, const char *b)
{
	return !a || !b || strcmp(a, b) == 0;
}

bool finding_next_kind(struct span *rest, struct span *ret)
{
	while (!span_empty(*rest)) {
		if (!scan_until(rest, ',', ret)) {
			*ret = *rest;
			rest->ptr = rest->end;
		}
		while (!span_empty(*ret) && *ret->ptr == ' ')
			ret->ptr++;
		while (!span_empty(*ret) && ret->end[-1] == ' ')
			ret->end--;
		if (!span_empty(*ret))
			return true;
	}
	return false;
}

static bool names(const char *list, const char *kind)
{
	struct span rest = span_str(list), one;

	while (finding_next_kind(&rest, &one)) {
		if (span_eq(one, kind))
			return true;
	}
	return false;
}

/* b says what a says, for at least half of its time. */
bool run_is_said_by(const struct run *a, const struct run *b)
{
	int64_t both = GS_MIN(a->to_ns, b->to_ns) -
	    GS_MAX(a->from_ns, b->from_ns);

	return b != a && names(a->by, b->kind) &&
	    may_be_one(a->host, b->host) &&
	    may_be_one(a->session, b->session) &&
	    both >= (a->to_ns - a->from_ns) / 2;
}

bool run_is_said(const struct findings *f, const struct run *r)
{
	size_t i;

	for (i = 0; r->by && i < f->n_done; i++) {
		if (run_is_said_by(r, f->done[i]))
			return true;
	}
	for (i = 0; r->by && i < f->n_judged; i++) {
		const struct run *o, *tmp;

		HASH_ITER (hh, f->judged[i].open, o, tmp) {
			if (run_counts(o) && run_is_said_by(r, o))
				return true;
		}
	}
	return false;
}

void run_add_text(const struct findings *f, const struct run *r,
	const char *text, struct tick_pace pace, struct buf *to)
{
	const struct sentence_times t = { r->from_ns, r->to_ns, r->at_ns,
		f->zone, pace, r->most_rows,
		r->sum };

	sentence_add_times(to, text, &t);
}
