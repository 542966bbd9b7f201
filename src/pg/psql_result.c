/* SPDX-License-Identifier: Apache-2.0 */
/*
 * psql_result.c - what psql says, as a result of libpq.
 *
 * Fields end with a NUL byte, which no text of a server can have.  Records end
 * with the token and 'r'; NULL is the token and 'n':
 *   pid\0usename<token>r 4711\0gpadmin<token>r 4712\0<token>n
 * Errors have their SQLSTATE, since VERBOSITY is verbose:
 *   ERROR:  42P01: relation "x" does not exist
 *   LINE 1: select * from x
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/scan.h"
#include "pg/psql_int.h"

/* A server's own limit; and names and values of an answer, 64 MiB in memory.  Only
 * empty ones come near it: an answer is at most as long. */
#define COLUMNS_MAX 1664u
#define FIELDS_MAX ((size_t)4 << 20)

struct cell {
	char *text; /* NULL: the value is NULL; in data */
	int len;
};

struct pg_result {
	ExecStatusType status;
	char state[6];
	char *message;
	struct buf data;
	struct cell *cell; /* names, then rows */
	size_t cap;
	int columns, rows;
};

void psql_token_make(struct psql_token *t)
{
	unsigned char bytes[(PSQL_TOKEN_LEN - 2) / 2];
	size_t i;

	/* without it a text could be made that is taken for NULL */
	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		abort();
	memcpy(t->text, "gp", 3);
	for (i = 0; i < sizeof(bytes); i++)
		(void)snprintf(t->text + 2 + 2 * i, 3, "%02x", bytes[i]);
}

/* ---- errors ------------------------------------------------------------ */

static bool has_state(struct span line, char ret[6], struct span *ret_rest)
{
	const char *colon = memmem(line.ptr, span_len(line), ":  ", 3);
	size_t i;

	if (!colon || line.end - colon < 3 + 5 + 2 ||
	    memcmp(colon + 8, ": ", 2) != 0)
		return false;
	for (i = 0; i < 5; i++) {
		if (!isalnum((unsigned char)colon[3 + i]))
			return false;
	}
	memcpy(ret, colon + 3, 5);
	ret[5] = '\0';
	*ret_rest = span_of(colon + 10, (size_t)(line.end - colon - 10));
	return true;
}

void psql_error_parse(struct span errors, char ret_state[6],
	struct buf *ret_message)
{
	static const char *const before[] = { "psql: error: ", "psql: " };
	struct span s = errors, line;
	size_t i;

	ret_state[0] = '\0';
	while (scan_line(&s, &line)) {
		if (has_state(line, ret_state, &line)) {
			buf_reset(ret_message);
			buf_add(ret_message, line.ptr, span_len(line));
			return;
		}
		for (i = 0; i < GS_LEN(before); i++) {
			if (span_starts(line, before[i])) {
				line.ptr += strlen(before[i]);
				break;
			}
		}
		buf_add(ret_message, line.ptr, span_len(line));
		buf_add_char(ret_message, '\n');
	}
}

static void set_error(struct pg_result *r, struct span errors)
{
	struct buf message = BUF_INIT;

	r->status = PGRES_FATAL_ERROR;
	psql_error_parse(errors, r->state, &message);
	if (message.len == 0)
		buf_add_str(&message, "psql gave an answer that is no table");
	r->message = message.ptr;
}

/* ---- tables ------------------------------------------------------------ */

/* The fields of one record, whose end is NUL.  False: not as many as there are
 * columns, or too many, or a name that is NULL. */
static bool add_record(struct pg_result *r, char *p, char *end,
	struct span null)
{
	size_t n = (size_t)r->columns * (size_t)(r->rows + 1), k = 0;
	char *field;

	for (;; p = field + 1) {
		field = p + strlen(p);
		if (k == (r->rows >= 0 ? (size_t)r->columns : COLUMNS_MAX) ||
		    n + k == FIELDS_MAX)
			return false;
		GS_GROW(r->cell, &r->cap, n + k + 1);
		r->cell[n + k] = (struct cell) {
			span_eq(null, p) ? NULL : p, (int)(field - p) };
		if (r->rows < 0 && !r->cell[k].text)
			return false;
		k++;
		if (field == end)
			break;
	}
	if (r->rows < 0)
		r->columns = (int)k;
	r->rows++;
	return k == (size_t)r->columns;
}

static bool parse_table(struct pg_result *r, const struct psql_token *token)
{
	char null[PSQL_TOKEN_LEN + 2], end[PSQL_TOKEN_LEN + 2];
	char *p = r->data.ptr, *last;

	if (r->data.len == 0)
		return false;
	last = p + r->data.len - 1;
	(void)snprintf(null, sizeof(null), "%sn", token->text);
	(void)snprintf(end, sizeof(end), "%sr", token->text);
	r->rows = -1; /* of which the names are the first record */
	if (*last != '\n')
		return false;
	*last = '\0';
	while (p <= last) {
		char *at = memmem(p, (size_t)(last - p), end, sizeof(end) - 1);

		if (!at)
			at = last;
		*at = '\0';
		if (!add_record(r, p, at, span_str(null)))
			return false;
		p = at + (at == last ? 1 : sizeof(end) - 1);
	}
	return r->rows >= 0;
}

PGresult *psql_result_new(struct buf *out, const struct buf *errors,
	const struct psql_token *token)
{
	struct pg_result *r = gs_calloc(1, sizeof(*r));

	r->data = *out;
	*out = (struct buf) BUF_INIT;
	r->status = PGRES_TUPLES_OK;
	if (parse_table(r, token))
		return r;
	r->rows = r->columns = 0;
	set_error(r, span_of(buf_str(errors), errors->len));
	return r;
}

/* ---- what libpq tells of a result --------------------------------------- */

void psql_result_free(PGresult *r)
{
	if (!r)
		return;
	buf_release(&r->data);
	free(r->cell);
	free(r->message);
	free(r);
}

ExecStatusType psql_result_status(const PGresult *r)
{
	return r ? r->status : PGRES_FATAL_ERROR;
}

static char *empty(void)
{
	static char text[1]; /* never written */

	return text;
}

char *psql_result_message(const PGresult *r)
{
	return r && r->message ? r->message : empty();
}

char *psql_result_field(const PGresult *r, int code)
{
	if (!r || r->status != PGRES_FATAL_ERROR)
		return NULL;
	if (code == PG_DIAG_SQLSTATE && r->state[0] != '\0')
		return (char *)(uintptr_t)r->state;
	return code == PG_DIAG_MESSAGE_PRIMARY ? r->message : NULL;
}

int psql_result_rows(const PGresult *r)
{
	return r ? r->rows : 0;
}

int psql_result_columns(const PGresult *r)
{
	return r ? r->columns : 0;
}

static const struct cell *cell_at(const PGresult *r, int row, int column)
{
	static const struct cell none; /* NULL */

	if (!r || row < -1 || row >= r->rows || column < 0 ||
	    column >= r->columns)
		return &none;
	return &r->cell[(size_t)(row + 1) * (size_t)r->columns +
	    (size_t)column];
}

char *psql_result_name(const PGresult *r, int column)
{
	return cell_at(r, -1, column)->text;
}

int psql_result_number(const PGresult *r, const char *name)
{
	int i, n = psql_result_columns(r);

	for (i = 0; i < n; i++) {
		if (strcmp(psql_result_name(r, i), name) == 0)
			return i;
	}
	return -1;
}

char *psql_result_value(const PGresult *r, int row, int column)
{
	char *text = cell_at(r, row, column)->text;

	return text ? text : empty();
}

int psql_result_length(const PGresult *r, int row, int column)
{
	const struct cell *c = cell_at(r, row, column);

	return c->text ? c->len : 0;
}

int psql_result_is_null(const PGresult *r, int row, int column)
{
	return !cell_at(r, row, column)->text;
}
