/* SPDX-License-Identifier: Apache-2.0 */
#include "render/longform.h"

#include <string.h>

#include <yajl/yajl_gen.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/zone.h"
#include "render/cell.h"
#include "render/render_int.h"

#define EOL "\r\n"

static void print(void *to, const char *p, size_t len)
{
	buf_add(to, p, len);
}

void longform_init(struct longform *l, enum render_format format,
	struct buf *to)
{
	*l = (struct longform) { .format = format, .to = to };
	if (format != RENDER_JSON)
		return;
	l->gen = yajl_gen_alloc(NULL);
	if (!l->gen)
		gs_out_of_memory();
	(void)yajl_gen_config(l->gen, yajl_gen_print_callback, print, to);
}

void longform_release(struct longform *l)
{
	if (l->gen)
		yajl_gen_free(l->gen);
	buf_release(&l->scratch);
	buf_release(&l->time);
	*l = (struct longform) { .to = NULL };
}

void longform_begin(struct longform *l)
{
	if (l->format == RENDER_CSV)
		buf_add_str(l->to, "time,host,entity,identity,metric,value,"
		    "unit,seconds" EOL);
}

/* Values come in order of time: most have the time of the one before. */
static const struct buf *time_of(struct longform *l, int64_t ns)
{
	if (l->time.len == 0 || l->time_ns != ns) {
		buf_reset(&l->time);
		zone_add_iso(ns, &l->time);
		l->time_ns = ns;
	}
	return &l->time;
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

static void csv_text(struct longform *l, struct span s)
{
	const struct buf *b = safe(l, s);

	if (b->len > 0)
		csv_add_field(l->to, b->ptr, b->len);
	buf_add_char(l->to, ',');
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
	const struct buf *time = time_of(l, v->time_ns);

	buf_add(l->to, time->ptr, time->len);
	buf_add_char(l->to, ',');
	csv_text(l, span_str(v->host));
	csv_text(l, span_str(v->entity));
	csv_text(l, v->identity);
	csv_text(l, span_str(v->metric));
	csv_cell(l, Q_NUMBER, &v->value);
	buf_add_char(l->to, ',');
	csv_text(l, span_str(v->unit));
	csv_cell(l, Q_SECONDS, &seconds);
	buf_add_str(l->to, EOL);
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

static void json_add(struct longform *l, const struct longform_value *v)
{
	struct cell seconds = seconds_of(v);
	const struct buf *time = time_of(l, v->time_ns);

	(void)yajl_gen_map_open(l->gen); /* as in json_bytes() */
	json_bytes(l, "time", strlen("time"));
	json_bytes(l, buf_str(time), time->len);
	json_text(l, "host", span_str(v->host));
	json_text(l, "entity", span_str(v->entity));
	json_text(l, "identity", v->identity);
	json_text(l, "metric", span_str(v->metric));
	json_cell(l, "value", &v->value);
	json_text(l, "unit", span_str(v->unit));
	json_cell(l, "seconds", &seconds);
	(void)yajl_gen_map_close(l->gen);
	yajl_gen_reset(l->gen, NULL);
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
