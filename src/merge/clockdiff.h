/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clockdiff.h - how far the clocks of two recorders are apart, by a host that
 * both have recorded.
 *
 * Since it was booted, the host's own clock has gone on for both of them; a
 * recorder's clock - that one is what its recording says of when it was.
 */
#ifndef GS_MERGE_CLOCKDIFF_H
#define GS_MERGE_CLOCKDIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one recording tells of one host. */
struct clock_seen {
	char *host;
	char *boot_id;
	int64_t lead_ns; /* recorder's clock - host's since its boot */
	int64_t rtt_ns; /* of the answer that tells it */
};

/* b's clock - a's, 0 where answers can have taken so long; false: no host is
 * in both. */
bool clockdiff(const struct clock_seen *a, size_t n_a,
	const struct clock_seen *b, size_t n_b, int64_t *ret_ns);

#endif
