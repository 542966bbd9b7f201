/* SPDX-License-Identifier: Apache-2.0 */
#include "merge/clockdiff.h"

#include <string.h>

static bool is_same(const struct clock_seen *a, const struct clock_seen *b)
{
	return strcmp(a->boot_id, b->boot_id) == 0 &&
	    strcmp(a->host, b->host) == 0;
}

bool clockdiff(const struct clock_seen *a, size_t n_a,
	const struct clock_seen *b, size_t n_b, int64_t *ret_ns)
{
	int64_t best = INT64_MAX;
	size_t i, k;

	for (i = 0; i < n_a; i++) {
		for (k = 0; k < n_b; k++) {
			/* an answer was sent within its round trip */
			int64_t slack = a[i].rtt_ns / 2 + b[k].rtt_ns / 2;
			int64_t ns = b[k].lead_ns - a[i].lead_ns;

			if (!is_same(&a[i], &b[k]) || slack >= best)
				continue;
			best = slack;
			*ret_ns = ns <= slack && ns >= -slack ? 0 : ns;
		}
	}
	return best != INT64_MAX;
}
