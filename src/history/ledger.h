/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ledger.h - what the database says of one recording: under which number it
 * is kept, in steps of which length, and which parts of it are loaded.
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

/* What is loaded of another recording that holds the same samples: one that
 * was made of this one, of which this one was made, or of the same. */
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
	struct buf sql; /* scratch */
};

/* Adds the recording if it is new, in steps of step_ns.  GS_E_USAGE: it was
 * loaded in others, and is_asked. */
int ledger_read(struct ledger *l, const struct header *h, int64_t step_ns,
	bool is_asked, struct gs_err *err);
void ledger_release(struct ledger *l);

/* 1: somebody else has loaded of the recording since. */
int ledger_check(struct ledger *l, struct gs_err *err);

/* All between these two ticks of a file is loaded, in so many rows. */
int ledger_note(struct ledger *l, const struct plan_file *f,
	const struct plan_part *p, uint64_t rows, struct gs_err *err);

/* What is loaded, as a plan takes it; the caller frees it. */
struct plan_part *ledger_parts(const struct ledger *l, size_t *ret_n);

/* The recording as which samples of what is not loaded of the file are
 * loaded; 0: none.  *ret_all: all of them are. */
uint32_t ledger_taken(const struct ledger *l, const struct plan_file *f,
	bool *ret_all);

#endif
