/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tally.h - sums that grow and levels, each by its labels.
 *
 * There are at most so many: what comes when the table is full is summed up in
 * one series of its own.
 */
#ifndef GS_WEB_TALLY_H
#define GS_WEB_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TALLY_VALUES_MAX 16

struct tally {
	char *labels;
	size_t len;
	double value[TALLY_VALUES_MAX];
	bool known[TALLY_VALUES_MAX];
	uint64_t tick; /* the last one that had it */
};

struct tally_table;

/* rest: the labels of what finds no room. */
struct tally_table *tally_new(size_t most, const char *rest);
void tally_free(struct tally_table *t);

/* The series of these labels, which the current tick has; or that of the rest.
 * *ret_before: the last tick that had it before. */
struct tally *tally_at(struct tally_table *t, const char *labels,
	size_t len, uint64_t *ret_before);

/* A tick begins; current: series that the tick before did not have go, else
 * they stay for ever. */
void tally_tick(struct tally_table *t, bool current);
uint64_t tally_now(const struct tally_table *t);

size_t tally_count(const struct tally_table *t);
/* In order of arrival; the rest is last, if it was used. */
const struct tally *tally_get(const struct tally_table *t, size_t i);

#endif
