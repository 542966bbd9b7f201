/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sheet.h - makes query results from text: a line of column names, then rows;
 * fields are separated by '|', "~" is NULL.
 */
#ifndef TESTS_UNIT_PG_SHEET_H
#define TESTS_UNIT_PG_SHEET_H

#include <stdlib.h>
#include <string.h>

#include <libpq-fe.h>

#include "base/scan.h"

#define SHEET_COLS_MAX 64

static inline int sheet_split(struct span line, struct span *ret)
{
	int n = 0;

	while (n < SHEET_COLS_MAX - 1 && scan_until(&line, '|', &ret[n]))
		n++;
	ret[n] = line;
	return n + 1;
}

static inline void sheet_name_columns(PGresult *r, struct span line)
{
	PGresAttDesc attr[SHEET_COLS_MAX] = { 0 };
	struct span f[SHEET_COLS_MAX];
	int i, n = sheet_split(line, f);

	for (i = 0; i < n; i++)
		attr[i].name = strndup(f[i].ptr, span_len(f[i]));
	if (!PQsetResultAttrs(r, n, attr))
		abort();
	for (i = 0; i < n; i++)
		free(attr[i].name);
}

/* To be freed by PQclear(). */
static inline PGresult *sheet(const char *text)
{
	PGresult *r = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);
	struct span s = span_str(text), line;
	struct span f[SHEET_COLS_MAX];
	int row, col;

	if (!r || !scan_line(&s, &line))
		abort();
	sheet_name_columns(r, line);
	for (row = 0; scan_line(&s, &line); row++) {
		int n = sheet_split(line, f);

		for (col = 0; col < n && col < PQnfields(r); col++) {
			bool null = span_eq(f[col], "~");
			char *v = strndup(f[col].ptr, span_len(f[col]));

			if (!PQsetvalue(r, row, col, null ? NULL : v,
			    null ? -1 : (int)span_len(f[col])))
				abort();
			free(v);
		}
	}
	return r;
}

#endif
