/* SPDX-License-Identifier: Apache-2.0 */
#include "history/copyrow.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "base/zone.h"
#include "render/cell.h"

/* 2000-01-01 00:00:00 UTC, from which the server counts. */
#define SERVER_EPOCH_US (INT64_C(946684800) * 1000000)

void copyrow_release(struct copyrow *c)
{
	buf_release(&c->cell);
	buf_release(&c->text);
}

const char *copyrow_format(const struct copyrow *c)
{
	return c->is_binary ? " (FORMAT binary)" : "";
}

void copyrow_add_storable(uint32_t last_character, struct buf *to, struct span s)
{
	const char *p = s.ptr;

	if (last_character == UINT32_MAX) {
		buf_add(to, s.ptr, span_len(s));
		return;
	}
	while (p < s.end) {
		uint32_t c;
		size_t i, n = utf8_decode(p, (size_t)(s.end - p), &c);

		if (c <= last_character)
			buf_add(to, p, n);
		for (i = 0; c > last_character && i < n; i++)
			buf_printf(to, "\\x%02X", (uint8_t)p[i]);
		p += n;
	}
}

/* ---- binary ------------------------------------------------------------ */

/* Most significant byte first. */
static void add_number(struct buf *to, uint64_t v, unsigned bytes)
{
	char *p = buf_reserve(to, bytes);
	unsigned i;

	for (i = 0; i < bytes; i++)
		p[i] = (char)(v >> (8 * (bytes - 1 - i)));
	to->len += bytes;
}

/* Eight bytes with their length before them. */
static void add_eight(struct buf *to, uint64_t v)
{
	struct { unsigned char len[4], value[8]; } field;
	uint64_t be = __builtin_bswap64(GS_LE64(v));

	memcpy(field.len, "\0\0\0\10", sizeof(field.len));
	memcpy(field.value, &be, sizeof(field.value));
	buf_add(to, (const char *)&field, sizeof(field));
}

static void add_double(struct buf *to, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	add_eight(to, bits);
}

/* Of two nearest ones the even one, as where the server reads a text. */
static void add_microseconds(struct buf *to, int64_t ns)
{
	int64_t us = ns / GS_NSEC_PER_USEC - (ns % GS_NSEC_PER_USEC < 0);
	int64_t rest = ns - us * GS_NSEC_PER_USEC;

	us += rest > GS_NSEC_PER_USEC / 2 ||
	    (rest == GS_NSEC_PER_USEC / 2 && us % 2 != 0);
	add_eight(to, (uint64_t)(us - SERVER_EPOCH_US));
}

static double real_of(const struct cell *c)
{
	return c->kind == CELL_INT ? (double)c->i
	    : c->kind == CELL_MAX ? HUGE_VAL : c->r;
}

static int64_t int_of(const struct cell *c)
{
	return c->kind == CELL_INT ? c->i : (int64_t)c->r;
}

static void add_value(struct buf *to, enum quantity q, const struct cell *c)
{
	if (q == Q_TIME && c->kind == CELL_MAX)
		add_eight(to, INT64_MAX); /* infinity */
	else if (q == Q_TIME)
		add_microseconds(to, int_of(c));
	else if (q == Q_ID)
		add_eight(to, (uint64_t)int_of(c));
	else
		add_double(to, real_of(c));
}

/* ---- text -------------------------------------------------------------- */

static void add_escaped(struct buf *to, const char *p, size_t len)
{
	size_t i, from = 0;

	for (i = 0; i < len; i++) {
		char c = p[i] == '\t' ? 't' : p[i] == '\n' ? 'n'
		    : p[i] == '\r' ? 'r' : p[i] == '\\' ? '\\' : '\0';

		if (c == '\0')
			continue;
		buf_add(to, p + from, i - from);
		buf_add_char(to, '\\');
		buf_add_char(to, c);
		from = i + 1;
	}
	buf_add(to, p + from, len - from);
}

/* Nothing of it is to be escaped. */
static void add_written(struct buf *to, enum quantity q, const struct cell *c)
{
	if (c->kind == CELL_MAX)
		buf_add_str(to, "Infinity"); /* above every number */
	else if (c->kind == CELL_REAL && q == Q_ID)
		buf_printf(to, "%.0f", c->r);
	else /* the server reads a real back to the bit */
		(void)cell_add_exact(to, q, c); /* it is there */
}

/* ---- both -------------------------------------------------------------- */

void copyrow_open(const struct copyrow *c, struct buf *to)
{
	static const char signature[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0";

	if (c->is_binary)
		buf_add(to, signature, sizeof(signature));
}

void copyrow_finish(const struct copyrow *c, struct buf *to)
{
	if (c->is_binary)
		add_number(to, UINT16_MAX, 2);
}

void copyrow_begin(const struct copyrow *c, struct buf *to, size_t n)
{
	if (c->is_binary)
		add_number(to, n, 2);
}

void copyrow_add_id(const struct copyrow *c, struct buf *to, uint32_t id)
{
	if (c->is_binary) {
		add_number(to, sizeof(id), 4);
		add_number(to, id, sizeof(id));
	} else {
		buf_printf(to, "%" PRIu32 "\t", id);
	}
}

void copyrow_add_time(const struct copyrow *c, struct buf *to, int64_t ns)
{
	if (c->is_binary) {
		add_microseconds(to, ns);
	} else {
		zone_add_iso(ns, to);
		buf_add_char(to, '\t');
	}
}

void copyrow_add_real(const struct copyrow *c, struct buf *to, double v)
{
	struct cell cell = cell_real(v);

	if (c->is_binary) {
		add_double(to, v);
	} else {
		(void)cell_add_exact(to, Q_SECONDS, &cell); /* it is there */
		buf_add_char(to, '\t');
	}
}

/* Neither COPY nor a terminal needs anything of it escaped. */
static bool is_plain(struct span s)
{
	const char *p = s.ptr;

	while (p < s.end && *p >= ' ' && *p <= '~' && *p != '\\')
		p++;
	return p == s.end;
}

/* The text as it is stored; valid until the next call. */
static struct span storable(struct copyrow *c, struct span text)
{
	if (is_plain(text))
		return text;
	buf_reset(&c->cell);
	buf_reset(&c->text);
	utf8_add_safe(&c->cell, text.ptr, span_len(text));
	copyrow_add_storable(c->last_character, &c->text,
	    span_of(buf_str(&c->cell), c->cell.len));
	return span_of(buf_str(&c->text), c->text.len);
}

/* The text of the cell of a column of texts. */
static void add_text(struct copyrow *c, struct buf *to, const struct cell *cell)
{
	struct span text = cell_span(cell), s;

	if (cell->kind != CELL_TEXT) {
		buf_reset(&c->cell);
		(void)cell_add_exact(&c->cell, Q_TEXT, cell); /* it is there */
		text = span_of(buf_str(&c->cell), c->cell.len);
	}
	s = storable(c, text);
	if (c->is_binary) {
		add_number(to, span_len(s), 4);
		buf_add(to, s.ptr, span_len(s));
	} else if (s.ptr == text.ptr) {
		buf_add(to, s.ptr, span_len(s));
	} else {
		add_escaped(to, s.ptr, span_len(s));
	}
}

static void add_nothing(const struct copyrow *c, struct buf *to)
{
	if (c->is_binary)
		add_number(to, UINT32_MAX, 4);
	else
		buf_add_str(to, "\\N");
}

/* Numbers that name something, and times, are whole ones of 64 bits. */
static bool fits(enum quantity q, const struct cell *c)
{
	return (q != Q_ID && q != Q_TIME) || (c->kind == CELL_MAX ? q == Q_TIME
	    : c->kind != CELL_REAL || (c->r >= -0x1p63 && c->r < 0x1p63));
}

int copyrow_add_cell(struct copyrow *c, struct buf *to,
	const struct grid_col *col, const struct cell *cell, const char *table,
	struct gs_err *err)
{
	if (cell_is_absent(cell) || !fits(col->quantity, cell))
		add_nothing(c, to);
	else if (col->quantity == Q_TEXT)
		add_text(c, to, cell);
	else if (cell->kind == CELL_TEXT)
		return gs_fail(err, GS_E_FORMAT, "%s.%s: expected a number, "
		    "got \"%.*s\"", table, col->name,
		    (int)GS_MIN(cell->len, (size_t)60), cell->text);
	else if (c->is_binary)
		add_value(to, col->quantity, cell);
	else
		add_written(to, col->quantity, cell);
	if (!c->is_binary)
		buf_add_char(to, '\t');
	return GS_OK;
}

void copyrow_end(const struct copyrow *c, struct buf *to)
{
	if (!c->is_binary) /* in place of the last tab */
		to->ptr[to->len - 1] = '\n';
}
