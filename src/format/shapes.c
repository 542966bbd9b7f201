/* SPDX-License-Identifier: Apache-2.0 */
#include "format/shapes.h"

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/fnv.h"
#include "base/mem.h"
#include "format/fields.h"
#include "format/varint.h"

void shapes_release(struct shapes *s)
{
	size_t i;

	for (i = 0; i < GS_LEN(s->kept); i++) {
		buf_release(&s->kept[i].bytes);
		free(s->kept[i].column);
	}
	*s = (struct shapes) { .kept[0].n = 0 };
}

static bool is_of(const struct shape *s, struct span bytes)
{
	return s->bytes.len == span_len(bytes) &&
	    memcmp(s->bytes.ptr, bytes.ptr, s->bytes.len) == 0;
}

static bool has_values(const struct column_fields *c)
{
	return c->row_gap.n || c->diff.n || c->text.n || c->gone_gap.n;
}

/* Parses the messages; false: they are more than numbers of values, or not columns. */
static bool parse(struct shape *s, const struct message_run *columns)
{
	struct span rest = columns->bytes, one;
	struct column_fields c;

	s->n = 0;
	GS_GROW(s->column, &s->cap, columns->n);
	while (message_next(&rest, FIELD_DELTA_COLUMN, &one)) {
		if (!column_fields_read(&c, one) || has_values(&c))
			return false;
		s->column[s->n++] = c.is;
	}
	return s->n == columns->n;
}

/* NULL: what is not kept. */
static const struct shape *find(struct shapes *s, const struct message_run *columns)
{
	size_t len = span_len(columns->bytes);
	struct shape *is;

	if (columns->n == 0 || columns->n > SHAPE_COLUMNS_MAX || len > SHAPE_BYTES_MAX)
		return NULL;
	is = &s->kept[fnv_text(columns->bytes.ptr, len) % GS_LEN(s->kept)];
	if (is_of(is, columns->bytes))
		return is;
	buf_reset(&is->bytes);
	if (!parse(is, columns))
		return NULL;
	buf_add(&is->bytes, columns->bytes.ptr, len);
	return is;
}

int each_shaped(struct shapes *s, uint32_t entity, const struct message_run *columns,
	column_fn fn, void *ctx, struct gs_err *err)
{
	const struct shape *shape = s ? find(s, columns) : NULL;
	struct span rest = columns->bytes, one;
	struct column_fields c;
	int r = GS_OK;
	size_t i;

	for (i = 0; shape && r == GS_OK && i < shape->n; i++) {
		c = (struct column_fields) { .is = shape->column[i] };
		r = fn(ctx, entity, &c, err);
	}
	for (i = columns->n; !shape && r == GS_OK && i > 0 &&
	    message_next(&rest, FIELD_DELTA_COLUMN, &one); i--)
		r = column_fields_read(&c, one) ? fn(ctx, entity, &c, err)
		    : gs_fail(err, GS_E_FORMAT, "no column: got %zu bytes", span_len(one));
	return r;
}
