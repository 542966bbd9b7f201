/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sentence.h - a rule's sentence with the figures of a row.
 *
 *   {session} used {cpu_percent} of a core[, spill {spill}][: "{text}"]
 *
 * {column} is the value at the worst tick, in words and with its unit;
 * {who.column} that of the row that rule.who asks for.  A part in square
 * brackets is left out if one of its values is absent or 0; they may be nested.
 * {from}, {to} and {at}, the worst tick, are instants as --from takes them;
 * {count} is the number of rows, if several are one finding.  A noun after a name
 * goes with the number: {count session} is "1 session" or "2 sessions".
 */
#ifndef GS_FINDINGS_SENTENCE_H
#define GS_FINDINGS_SENTENCE_H

#include "base/buf.h"
#include "base/zone.h"
#include "model/pace.h"
#include "query/grid.h"

struct sentence_row {
	const struct grid *g;
	const struct grid_row *row; /* NULL: all is absent */
};

/*
 * Appends the sentence, for sentence_add_times(): instants, the count and the sum
 * stay as they are, and each "{" of a value is two.  is_command: texts are quoted
 * as a shell needs it.  False: some value outside of brackets was absent; it is "?" then.
 */
bool sentence_add(struct buf *to, const char *text,
	const struct sentence_row *of, const struct sentence_row *who,
	bool is_command);

/* Appends what was recorded, which is no template: sentence_add_times() makes one
 * brace of two. */
void sentence_add_literally(struct buf *to, const char *text);

struct sentence_times {
	int64_t from_ns, to_ns, at_ns;
	const struct zone *zone;
	struct tick_pace pace;
	size_t count;
	double sum;
};

/* Appends what sentence_add() gave, with its instants, its count and its sum. */
void sentence_add_times(struct buf *to, const char *text,
	const struct sentence_times *t);

/* Calls fn with each column that the text needs: "user", "who.user". */
void sentence_columns(const char *text,
	void (*fn)(void *ctx, struct span name), void *ctx);

/* Appends a cell in words: "97 %", "9.3 KiB", "2m05s". */
void sentence_add_cell(struct buf *to, enum quantity q, const struct cell *c);

#endif
