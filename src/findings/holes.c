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

/* From so long on it is more than a nuisance. */
#define LONG_NS (10 * INT64_C(1000000000))

static char *sentence(const struct engine_hole *h, int64_t ns)
{
	struct buf b = BUF_INIT;
	char span[WHEN_SPAN_MAX], *r;

	when_age(span, (double)ns / 1e9);
	buf_printf(&b, "nothing is known of %s: %.120s", span, h->why);
	r = gs_strndup(buf_str(&b), b.len);
	buf_release(&b);
	return r;
}

/* "db1" of "db1: no answer". */
static char *host_of(const struct engine_hole *h)
{
	const char *colon = h->of_host ? strchr(h->why, ':') : NULL;

	return colon ? gs_strndup(h->why, (size_t)(colon - h->why)) : NULL;
}

void holes_add(const struct engine *e, struct run ***to, size_t *n,
	size_t *cap)
{
	size_t i;

	for (i = 0; i < e->n_hole && *n < FINDINGS_MAX; i++) {
		const struct engine_hole *h = &e->hole[i];
		int64_t from = GS_MAX(h->from_ns, e->from_ns);
		int64_t until = GS_MIN(h->to_ns, e->to_ns);
		int64_t ns = gs_difference(until, from);
		struct run *r = gs_calloc(1, sizeof(*r));

		r->kind = h->of_host ? "host lost" : "data missing";
		r->by = h->of_host ? "agent lost" : NULL;
		r->severity = ns < LONG_NS ? FINDING_NOTE
		    : h->of_host ? FINDING_PROBLEM : FINDING_WARNING;
		r->from_ns = r->at_ns = from;
		r->to_ns = until;
		r->cost = (double)ns / 1e9;
		r->cut = h->to_ns > e->to_ns ? CUT_END : 0;
		r->host = host_of(h);
		r->subject = r->host ? gs_strdup(r->host) : NULL;
		r->says = sentence(h, ns);
		r->next = gs_strdup("-V events --from {from} --to {to}");
		GS_GROW(*to, cap, *n + 1);
		(*to)[(*n)++] = r;
	}
}
