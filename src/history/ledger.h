/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ledger.h - the state of one recording in the database: its number, its step,
 * and the parts that are loaded.
 *
 * Use: ledger_read() within a transaction; in later ones ledger_check(), and
 * ledger_note() for what was loaded; ledger_release().
 */
#ifndef GS_HISTORY_LEDGER_H
#define GS_HISTORY_LEDGER_H

#include "history/plan.h"
#include "history/target.h"
#include "model/header.h"

/* A row of the table "files". */
struct ledger_row {
	uint32_t number; /* of the file */
	struct plan_part part;
	uint64_t rows;
};

/* A loaded range of a related recording, with the same samples: derived from
 * this one, its source, or derived from the same source. */
struct ledger_kin {
	uint32_t recording;
	int64_t from_ns, to_ns;
};

struct ledger {
	struct target *target;
	uint32_t recording;
	int64_t step_ns;
	struct ledger_row *row;
	size_t n_row, row_cap;
	struct ledger_kin *kin;
	size_t n_kin, kin_cap;
};

/* Adds the recording if it is new, with steps of step_ns.  GS_E_USAGE: it was
 * loaded with another step, and is_asked is set. */
int ledger_read(struct ledger *l, const struct header *h, int64_t step_ns,
	bool is_asked, struct gs_err *err);
void ledger_release(struct ledger *l);

/* Returns 1 if another session has loaded parts of the recording since. */
int ledger_check(struct ledger *l, struct gs_err *err);

/* Records that the part of a file is loaded, in so many rows. */
int ledger_note(struct ledger *l, const struct plan_file *f,
	const struct plan_part *p, uint64_t rows, struct gs_err *err);

/* The loaded parts, for plan.h; the caller frees them. */
struct plan_part *ledger_parts(const struct ledger *l, size_t *ret_n);

/* Number of a related recording under which samples of the file are loaded
 * that are not loaded as its own; 0: none.  *ret_all: it has all of them. */
uint32_t ledger_find_related(const struct ledger *l, const struct plan_file *f,
	bool *ret_all);

#endif
