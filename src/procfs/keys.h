/* SPDX-License-Identifier: Apache-2.0 */
/*
 * keys.h - kernel files of the form "key value", mapped to columns by a table.
 *
 * A table is sorted by key (memcmp order, a key before its extensions), so
 * that adding a metric is adding a row.  Unknown keys are skipped: newer
 * kernels add lines.  A line without a number sets nothing.
 * tests/lint checks the order.
 */
#ifndef GS_PROCFS_KEYS_H
#define GS_PROCFS_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "base/scan.h"
#include "model/row.h"

enum key_how {
	KEY_SET, /* the first number after the key */
	KEY_MSEC, /* the same in milliseconds with a fraction, as microseconds;
		   * a negative one sets nothing */
	KEY_ADD, /* added to the values of other keys of the column */
	KEY_ADD_PREFIX, /* the same, for every key with this prefix: some
			 * kernels have one line per memory zone, others one in
			 * total */
	KEY_TWO, /* the first two numbers, to col and col + 1 */
	KEY_LAST, /* the last of several numbers; one alone sets nothing */
	KEY_TEXT /* the rest of the line, for the caller */
};

struct key_row {
	const char *key;
	uint8_t len;
	uint8_t how; /* enum key_how */
	uint16_t col;
};

#define KEY_ROW(key, how, col) { key, sizeof(key) - 1, how, (uint16_t)(col) }

/* The row that names key, or the prefix row that covers it; or NULL. */
const struct key_row *key_find(const struct key_row *tab, size_t n,
	struct span key);

/* Stores the value that begins at rest as the row says; *ret_text (may be
 * NULL) becomes the text of a KEY_TEXT row. */
void key_store(const struct key_row *row, struct span rest, struct cells c,
	struct span *ret_text);

/* All lines "key SEP value ..." of a file.  *ret_text (may be NULL) is empty
 * if no KEY_TEXT row was met. */
void keys_scan(struct span text, char sep, const struct key_row *tab, size_t n,
	struct cells c, struct span *ret_text);

#endif
