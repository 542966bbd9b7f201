/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_data.h - what sar computes from: a host's counters and levels at the
 * first sample of a stretch, at the one before and now, and of every item that
 * exists several times.
 *
 * Use: sar_data_apply() for every sample; rows and values of it (sar_table.h);
 * sar_data_step() before the next.  sar_data_clear() where a new stretch
 * begins: after a boot or a hole nothing is compared with what was before.
 */
#ifndef GS_SAR_SAR_DATA_H
#define GS_SAR_SAR_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/world.h"
#include "sysstat/instant.h"

enum sar_kind {
	SAR_HOST, /* the host itself: one item */
	SAR_CPU,
	SAR_DISK,
	SAR_NET,
	SAR_FS,
	SAR_KINDS
};

/* One CPU, disk, ...  Cells are owned. */
struct sar_item {
	uint32_t serial; /* of its row: one that comes back has another */
	char *name; /* owned; a CPU's is its number */
	char *other; /* of a file system: where it is mounted; else NULL */
	uint64_t number; /* of a CPU */
	bool here; /* in the sample that was taken last */
	bool was_here; /* in the one before that */
	struct cells first, prev; /* all absent where it was not */
	struct cells now; /* when it was seen last */
	struct instant first_at, last_at; /* when it was seen */
	bool full_duplex; /* a network interface */
};

struct sar_items {
	struct sar_item *item;
	size_t n, cap;
};

struct sar_data {
	bool strict; /* as sar has it, even where it is wrong */
	struct sar_items of[SAR_KINDS];
	struct instant first, prev, now;
	size_t samples; /* taken, the first of the stretch among them */
	/* Sums of the host's cells, of samples but the first. */
	double *sum;
	uint32_t *n_sum;
};

void sar_data_init(struct sar_data *d, bool strict);
void sar_data_release(struct sar_data *d);

/* Starts a new stretch: nothing was before. */
void sar_data_clear(struct sar_data *d);

/* A sample of the host. */
void sar_data_apply(struct sar_data *d, const struct world *w,
	const struct host *h);

/* It becomes the sample before. */
void sar_data_step(struct sar_data *d);

/* Whether its counters can be compared over the interval, or over the run. */
bool sar_item_spans(const struct sar_data *d, const struct sar_item *t,
	bool average);

/* The entity whose rows such items are. */
enum entity_id sar_entity(enum sar_kind kind);

#endif
