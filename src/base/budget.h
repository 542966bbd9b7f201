/* SPDX-License-Identifier: Apache-2.0 */
/*
 * budget.h - a limit on the memory of structures that grow with foreign input.
 *
 * A budget is shared by all that charge it, in whichever thread.  Whatever is
 * taken must be given back.  A caller that does not get its bytes fails with
 * GS_E_MEMORY before it allocates.  NULL stands for no budget: everything fits.
 *
 * Memory is the process's: main sets the budget of the process before it reads
 * anything.  Whatever is made later charges that one, unless it is given
 * another.  Without it (agents, the recorder) nothing is counted.
 */
#ifndef GS_BASE_BUDGET_H
#define GS_BASE_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct gs_budget {
	size_t limit_bytes;
	atomic_size_t used_bytes;
	/* Bytes that the process may still allocate, of all its memory; NULL: it has no
	 * limit. */
	size_t (*heap_left)(void);
};

/* The budget of the process; not owned, never changed once threads run. */
void budget_set_own(struct gs_budget *b);
struct gs_budget *budget_own(void);

/* False if the bytes do not fit; then nothing is taken. */
bool budget_take(struct gs_budget *b, size_t bytes);
void budget_give(struct gs_budget *b, size_t bytes);

/* Takes bytes that are in use, whether they fit or not. */
void budget_charge(struct gs_budget *b, size_t bytes);

/* For what can be done without: about how many bytes the process may still allocate;
 * SIZE_MAX: any.  It takes a millisecond: not for each tick. */
size_t budget_heap_left(const struct gs_budget *b);

/* Whether the bytes would fit. */
bool budget_fits(const struct gs_budget *b, size_t bytes);

/* Readers report their position here, for the message when the budget is
 * exhausted; each thread has its own.  file is not owned: one that is closed is
 * forgotten. */
void budget_place(struct gs_budget *b, const char *file, uint64_t offset,
	uint64_t tick);
void budget_leave(struct gs_budget *b, const char *file);

/* Fails with GS_E_MEMORY; the message says what does not fit, and where it is
 * in the file. */
int budget_fail(const struct gs_budget *b, struct gs_err *err,
	const char *what);

#endif
