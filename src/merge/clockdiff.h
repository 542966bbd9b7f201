/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clockdiff.h - the difference between the clocks of two recorders, from a host
 * that both have recorded.
 *
 * The boot clock of the host is common to both recordings; each has its
 * recorder's clock relative to it.
 */
#ifndef GS_MERGE_CLOCKDIFF_H
#define GS_MERGE_CLOCKDIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The clock of one host in one recording. */
struct clock_seen {
	char *host;
	char *boot_id;
	int64_t lead_ns; /* recorder's clock - host's since its boot */
	int64_t rtt_ns; /* of the answer that it is from */
};

/* b's clock - a's, 0 if it is within the round-trip times; false: no host is
 * in both. */
bool clockdiff(const struct clock_seen *a, size_t n_a,
	const struct clock_seen *b, size_t n_b, int64_t *ret_ns);

#endif
