/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/keys.h"

static int compare(const struct key_row *row, struct span key)
{
	size_t n = span_len(key);
	int d = memcmp(row->key, key.ptr, n < row->len ? n : row->len);

	if (d != 0)
		return d;
	return row->len < n ? -1 : row->len > n;
}

const struct key_row *key_find(const struct key_row *tab, size_t n,
	struct span key)
{
	size_t lo = 0, hi = n;

	/* tab[lo - 1] is the last row not after key */
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int d = compare(&tab[mid], key);

		if (d == 0)
			return &tab[mid];
		if (d < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0 || tab[lo - 1].how != KEY_ADD_PREFIX)
		return NULL;
	if (span_len(key) < tab[lo - 1].len ||
	    memcmp(key.ptr, tab[lo - 1].key, tab[lo - 1].len) != 0)
		return NULL;
	return &tab[lo - 1];
}

static void store_last(struct span rest, struct cells c, unsigned col)
{
	uint64_t v = 0;
	size_t n = 0;

	while (scan_u64(&rest, &v))
		n++;
	if (n > 1)
		cells_set(c, col, v);
}

void key_store(const struct key_row *row, struct span rest, struct cells c,
	struct span *ret_text)
{
	uint64_t v, old = 0;

	switch ((enum key_how)row->how) {
	case KEY_SET:
	case KEY_TWO:
		if (!scan_u64(&rest, &v))
			return;
		cells_set(c, row->col, v);
		if (row->how == KEY_TWO && scan_u64(&rest, &v))
			cells_set(c, row->col + 1u, v);
		return;
	case KEY_MSEC:
		if (scan_fixed(&rest, 1000, &v))
			cells_set(c, row->col, v);
		return;
	case KEY_ADD:
	case KEY_ADD_PREFIX:
		if (!scan_u64(&rest, &v))
			return;
		(void)cells_get(c, row->col, &old); /* stays 0 if absent */
		cells_set(c, row->col, old + v);
		return;
	case KEY_LAST:
		store_last(rest, c, row->col);
		return;
	case KEY_TEXT:
		scan_blank(&rest);
		if (ret_text)
			*ret_text = rest;
		return;
	}
}

void keys_scan(struct span text, char sep, const struct key_row *tab, size_t n,
	struct cells c, struct span *ret_text)
{
	struct span line, key;

	if (ret_text)
		*ret_text = span_of("", 0);
	while (scan_line(&text, &line)) {
		const struct key_row *row;

		if (!scan_until(&line, sep, &key))
			continue;
		row = key_find(tab, n, key);
		if (row)
			key_store(row, line, c, ret_text);
	}
}
