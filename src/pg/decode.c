/* SPDX-License-Identifier: Apache-2.0 */
#include "pg/decode.h"

#include <string.h>

#include "base/compiler.h"
#include "base/masktext.h"

size_t decode_cut(struct span text, size_t max)
{
	size_t len = span_len(text), i;

	if (len <= max)
		return len;
	/* a character begins where no byte continues one, within 4 bytes */
	for (i = max; i > 0 && max - i < 4; i--) {
		if (((unsigned char)text.ptr[i] & 0xc0) != 0x80)
			return i;
	}
	return max;
}

static void decode_text(const struct decode *t, struct cells now, unsigned col,
	struct span text)
{
	size_t max = DECODE_TEXT_MAX;

	if (metric_get(t->entity, col)->flags & F_SECRET) {
		max = t->query_text_size;
		if (t->query_text == QUERY_TEXT_NONE)
			return;
		if (t->query_text == QUERY_TEXT_MASKED) {
			buf_reset(t->scratch);
			masktext(text.ptr, span_len(text), t->scratch);
			text = span_of(buf_str(t->scratch), t->scratch->len);
		}
	}
	rowset_text(t->rowset, now, col,
	    span_of(text.ptr, decode_cut(text, max)));
}

/* Days from 1970 of a day of the Gregorian calendar. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t y = year - (month <= 2), era = y / 400, in_era = y - era * 400;
	int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 +
	    day - 1;

	return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 +
	    of_year - 719468;
}

/* Digits and nothing before them; at most max. */
static bool scan_part(struct span *s, char before, uint64_t max, int64_t *ret)
{
	uint64_t v;

	if ((before && !scan_char(s, before)) || span_empty(*s) ||
	    *s->ptr < '0' || *s->ptr > '9' || !scan_u64(s, &v) || v > max)
		return false;
	*ret = (int64_t)v;
	return true;
}

/* ".12": microseconds; nothing: 0. */
static int64_t scan_fraction(struct span *s)
{
	int64_t us = 0, unit = 100000;

	if (!scan_char(s, '.'))
		return 0;
	for (; !span_empty(*s) && *s->ptr >= '0' && *s->ptr <= '9'; s->ptr++) {
		us += unit * (*s->ptr - '0');
		unit /= 10;
	}
	return us;
}

/* 2026-11-22 17:51:03.200131+00, ...-03:30: microseconds since 1970. */
static bool parse_time(struct span text, uint64_t *ret)
{
	int64_t year, month, day, h, m, s, us, zh, zm = 0, zs = 0, zone;
	bool west;

	if (!scan_part(&text, 0, 9999, &year) ||
	    !scan_part(&text, '-', 12, &month) || month < 1 ||
	    !scan_part(&text, '-', 31, &day) || day < 1 ||
	    !scan_part(&text, ' ', 24, &h) || !scan_part(&text, ':', 59, &m) ||
	    !scan_part(&text, ':', 60, &s))
		return false;
	us = scan_fraction(&text);
	west = !span_empty(text) && *text.ptr == '-';
	if (!scan_part(&text, west ? '-' : '+', 24, &zh))
		return false;
	if (scan_part(&text, ':', 59, &zm))
		(void)scan_part(&text, ':', 59, &zs); /* optional */
	zone = zh * 3600 + zm * 60 + zs;
	if (!span_empty(text))
		return false;
	*ret = (uint64_t)((days_of(year, month, day) * 86400 + h * 3600 +
	    m * 60 + s - (west ? -zone : zone)) * 1000000 + us);
	return true;
}

/* "t", "f", or a whole number. */
static bool parse_number(const struct metric *m, struct span text,
	uint64_t *ret)
{
	uint64_t v;

	if (span_eq(text, "t") || span_eq(text, "f")) {
		*ret = *text.ptr == 't';
		return true;
	}
	if (m->unit == UNIT_USEC && parse_time(text, ret))
		return true;
	if (!scan_s64(&text, &v) || !span_empty(text) ||
	    ((int64_t)v < 0 && !(m->flags & F_SIGNED)))
		return false;
	*ret = v;
	return true;
}

static void decode_cell(const struct decode *t, struct cells now,
	const struct metric *m, struct span text)
{
	uint64_t v;

	if (metric_is_text(m))
		decode_text(t, now, m->col, text);
	else if (m->unit == UNIT_CHAR && !span_empty(text))
		cells_set(now, m->col, (unsigned char)*text.ptr);
	else if (m->unit != UNIT_CHAR && parse_number(m, text, &v))
		cells_set(now, m->col, v);
}

/* Names of metrics in pg_stat_activity. */
static const struct alias {
	const char *column, *metric;
} aliases[] = {
	{ "application_name", "application" },
	{ "backend_start", "start" },
	{ "backend_type", "type" },
	{ "backend_xid", "xid" },
	{ "client_hostname", "client_host" },
	{ "datname", "database" },
	{ "leader_pid", "leader" },
	{ "sess_id", "session" },
	{ "usename", "user" },
	{ "wait_event_type", "wait_type" },
	{ "waiting_reason", "wait_type" },
};

static const struct metric *metric_of(const struct decode *t, const PGresult *r,
	const char *name)
{
	const struct metric *m = metric_by_name(t->entity, name, strlen(name));
	size_t i;

	for (i = 0; !m && t->entity == ENTITY_BACKEND &&
	    i < GS_LEN(aliases); i++) {
		/* a column with the metric's own name wins */
		if (strcmp(aliases[i].column, name) == 0 &&
		    PQfnumber(r, aliases[i].metric) < 0)
			m = metric_by_name(t->entity, aliases[i].metric,
			    strlen(aliases[i].metric));
	}
	return m;
}

/* The metric of each column of the result; NULL: none. */
static int bind_columns(const struct decode *t, const PGresult *r,
	const struct metric *bound[COLS_MAX])
{
	int n = GS_MIN(PQnfields(r), COLS_MAX), i, k;

	for (i = 0; i < n; i++) {
		bound[i] = metric_of(t, r, PQfname(r, i));
		for (k = 0; k < i; k++) {
			if (bound[k] == bound[i])
				bound[i] = NULL; /* at most once per cell */
		}
	}
	return n;
}

size_t decode_rows(const struct decode *t, const PGresult *r, size_t *ret_cut)
{
	const struct metric *bound[COLS_MAX];
	int ncols = bind_columns(t, r, bound), i, k;
	int all = PQntuples(r), n = all;

	if ((size_t)n > t->limit)
		n = (int)t->limit;
	rowset_open(t->rowset, t->entity, t->part);
	for (i = 0; i < n; i++) {
		struct cells now = rowset_now(t->rowset, t->entity);

		if (t->coordinator)
			cells_set(now, COL(BACKEND, CONTENT), (uint64_t)-1);
		for (k = 0; k < ncols; k++) {
			if (bound[k] && !PQgetisnull(r, i, k))
				decode_cell(t, now, bound[k],
				    span_of(PQgetvalue(r, i, k),
				    (size_t)PQgetlength(r, i, k)));
		}
		if (t->each)
			t->each(t->arg, rowset_was(t->rowset, t->entity, now),
			    now);
		rowset_put_as(t->rowset, t->entity, now,
		    t->born ? OPEN_BORN : OPEN_APPEARED);
	}
	rowset_close(t->rowset, t->entity, CLOSE_EXITED);
	*ret_cut = (size_t)(all - n);
	return (size_t)n;
}
