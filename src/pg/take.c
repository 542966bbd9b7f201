#include "pg/take.h"

#include <string.h>

#include "base/compiler.h"
#include "base/masktext.h"

size_t take_cut(struct span text, size_t max)
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

static void take_text(const struct take *t, struct cells now, unsigned col,
	struct span text)
{
	size_t max = TAKE_TEXT_MAX;

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
	shelf_text(t->shelf, now, col,
	    span_of(text.ptr, take_cut(text, max)));
}

/* "t", "f", or a number and nothing else. */
static bool take_number(const struct metric *m, struct span text,
	uint64_t *ret)
{
	uint64_t v;

	if (span_eq(text, "t") || span_eq(text, "f")) {
		*ret = *text.ptr == 't';
		return true;
	}
	if (!scan_s64(&text, &v) || !span_empty(text) ||
	    ((int64_t)v < 0 && !(m->flags & F_SIGNED)))
		return false;
	*ret = v;
	return true;
}

static void take_cell(const struct take *t, struct cells now,
	const struct metric *m, struct span text)
{
	uint64_t v;

	if (metric_is_text(m))
		take_text(t, now, m->col, text);
	else if (m->unit == UNIT_CHAR && !span_empty(text))
		cells_set(now, m->col, (unsigned char)*text.ptr);
	else if (m->unit != UNIT_CHAR && take_number(m, text, &v))
		cells_set(now, m->col, v);
}

/* The metric of each column of the result; NULL: none. */
static int bind_columns(const struct take *t, const PGresult *r,
	const struct metric *bound[COLS_MAX])
{
	int n = GS_MIN(PQnfields(r), COLS_MAX), i, k;

	for (i = 0; i < n; i++) {
		const char *name = PQfname(r, i);

		bound[i] = metric_by_name(t->entity, name, strlen(name));
		for (k = 0; k < i; k++) {
			if (bound[k] == bound[i])
				bound[i] = NULL; /* at most once per cell */
		}
	}
	return n;
}

size_t take_rows(const struct take *t, const PGresult *r, size_t *ret_cut)
{
	const struct metric *bound[COLS_MAX];
	int ncols = bind_columns(t, r, bound), i, k;
	int all = PQntuples(r), n = all;

	if ((size_t)n > t->limit)
		n = (int)t->limit;
	shelf_open(t->shelf, t->entity, t->part);
	for (i = 0; i < n; i++) {
		struct cells now = shelf_now(t->shelf, t->entity);

		for (k = 0; k < ncols; k++) {
			if (bound[k] && !PQgetisnull(r, i, k))
				take_cell(t, now, bound[k],
				    span_of(PQgetvalue(r, i, k),
				    (size_t)PQgetlength(r, i, k)));
		}
		if (t->each)
			t->each(t->arg, shelf_was(t->shelf, t->entity, now),
			    now);
		shelf_put(t->shelf, t->entity, now);
	}
	shelf_close(t->shelf, t->entity, CLOSE_EXITED);
	*ret_cut = (size_t)(all - n);
	return (size_t)n;
}
