/* SPDX-License-Identifier: Apache-2.0 */
#include "render/longform.h"

#include <string.h>

#include <yajl/yajl_gen.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/zone.h"
#include "render/cell.h"
#include "render/render_int.h"

static void print(void *to, const char *p, size_t len)
{
	buf_add(to, p, len);
}

void longform_init(struct longform *l, enum render_format format,
	struct buf *to)
{
	*l = (struct longform) { .format = format, .eol = "\n",
		.to = to };
	if (format != RENDER_JSON)
		return;
	l->gen = yajl_gen_alloc(NULL);
	if (!l->gen)
		gs_out_of_memory();
	(void)yajl_gen_config(l->gen, yajl_gen_print_callback, print, &l->object);
}

void longform_release(struct longform *l)
{
	if (l->gen)
		yajl_gen_free(l->gen);
	buf_release(&l->scratch);
	buf_release(&l->object);
	buf_release(&l->start);
	buf_release(&l->identity);
	*l = (struct longform) { .to = NULL };
}

void longform_begin(struct longform *l)
{
	if (l->format == RENDER_CSV)
		buf_printf(l->to, "time,host,entity,identity,metric,value,"
		    "unit,seconds%s", l->eol);
}

/* Most values are of the row of the one before: what that says is made once. */
static bool is_same_row(const struct longform *l,
	const struct longform_value *v)
{
	return l->start.len > 0 && l->time_ns == v->time_ns &&
	    l->host == v->host && l->entity == v->entity &&
	    l->identity.len == span_len(v->identity) &&
	    memcmp(buf_str(&l->identity), v->identity.ptr,
	    l->identity.len) == 0;
}

static void set_row(struct longform *l, const struct longform_value *v)
{
	l->time_ns = v->time_ns;
	l->host = v->host;
	l->entity = v->entity;
	buf_reset(&l->identity);
	buf_add(&l->identity, v->identity.ptr, span_len(v->identity));
	buf_reset(&l->start);
}

static const struct buf *safe(struct longform *l, struct span s)
{
	buf_reset(&l->scratch);
	utf8_add_safe(&l->scratch, s.ptr, span_len(s));
	return &l->scratch;
}

static struct cell seconds_of(const struct longform_value *v)
{
	return v->seconds < 0 ? (struct cell) { .kind = CELL_ABSENT }
	                      : cell_real(v->seconds);
}

/* ---- csv --------------------------------------------------------------- */

static void csv_text(struct longform *l, struct span s, struct buf *to)
{
	const struct buf *b = safe(l, s);

	if (b->len > 0)
		csv_add_field(to, b->ptr, b->len);
	buf_add_char(to, ',');
}

static void csv_start(struct longform *l, const struct longform_value *v)
{
	set_row(l, v);
	zone_add_iso(v->time_ns, &l->start);
	buf_add_char(&l->start, ',');
	csv_text(l, span_str(v->host), &l->start);
	csv_text(l, span_str(v->entity), &l->start);
	csv_text(l, v->identity, &l->start);
}

static void csv_cell(struct longform *l, enum quantity q,
	const struct cell *c)
{
	buf_reset(&l->scratch);
	if (cell_add_exact(&l->scratch, q, c))
		csv_add_field(l->to, buf_str(&l->scratch), l->scratch.len);
}

static void csv_add(struct longform *l, const struct longform_value *v)
{
	struct cell seconds = seconds_of(v);

	if (!is_same_row(l, v))
		csv_start(l, v);
	buf_add(l->to, l->start.ptr, l->start.len);
	csv_text(l, span_str(v->metric), l->to);
	csv_cell(l, Q_NUMBER, &v->value);
	buf_add_char(l->to, ',');
	csv_text(l, span_str(v->unit), l->to);
	csv_cell(l, Q_SECONDS, &seconds);
	buf_add_str(l->to, l->eol);
}

/* ---- json -------------------------------------------------------------- */

static void json_bytes(struct longform *l, const char *p, size_t len)
{
	/* fails only if the order of calls is wrong */
	(void)yajl_gen_string(l->gen, (const unsigned char *)p, len);
}

static void json_text(struct longform *l, const char *name, struct span s)
{
	const struct buf *b;

	json_bytes(l, name, strlen(name));
	b = safe(l, s);
	json_bytes(l, buf_str(b), b->len);
}

static void json_cell(struct longform *l, const char *name,
	const struct cell *c)
{
	json_bytes(l, name, strlen(name));
	buf_reset(&l->scratch);
	if (!cell_add_exact(&l->scratch, Q_NUMBER, c))
		(void)yajl_gen_null(l->gen);
	else if (c->kind == CELL_TEXT || c->kind == CELL_MAX)
		json_bytes(l, buf_str(&l->scratch), l->scratch.len);
	else
		(void)yajl_gen_number(l->gen, buf_str(&l->scratch),
		    l->scratch.len);
}

/* An object of its own, in l->object. */
static void object_open(struct longform *l)
{
	buf_reset(&l->object);
	(void)yajl_gen_map_open(l->gen); /* as in json_bytes() */
}

static void object_close(struct longform *l)
{
	(void)yajl_gen_map_close(l->gen);
	yajl_gen_reset(l->gen, NULL);
}

static void json_start(struct longform *l, const struct longform_value *v)
{
	set_row(l, v);
	object_open(l);
	json_bytes(l, "time", strlen("time"));
	buf_reset(&l->scratch);
	zone_add_iso(v->time_ns, &l->scratch);
	json_bytes(l, buf_str(&l->scratch), l->scratch.len);
	json_text(l, "host", span_str(v->host));
	json_text(l, "entity", span_str(v->entity));
	json_text(l, "identity", v->identity);
	object_close(l);
	buf_add(&l->start, l->object.ptr, l->object.len - 1); /* not its } */
}

static void json_add(struct longform *l, const struct longform_value *v)
{
	struct cell seconds = seconds_of(v);

	if (!is_same_row(l, v))
		json_start(l, v);
	object_open(l);
	json_text(l, "metric", span_str(v->metric));
	json_cell(l, "value", &v->value);
	json_text(l, "unit", span_str(v->unit));
	json_cell(l, "seconds", &seconds);
	object_close(l);
	buf_add(l->to, l->start.ptr, l->start.len);
	buf_add_char(l->to, ',');
	buf_add(l->to, l->object.ptr + 1, l->object.len - 1); /* not its { */
	buf_add_char(l->to, '\n');
}

void longform_add(struct longform *l, const struct longform_value *v)
{
	if (cell_is_absent(&v->value))
		return;
	if (l->format == RENDER_JSON)
		json_add(l, v);
	else
		csv_add(l, v);
}
