/* SPDX-License-Identifier: Apache-2.0 */
#include "render/jsonout.h"

#include <string.h>

#include <yajl/yajl_gen.h>

#include "base/utf8.h"
#include "base/zone.h"

static void print(void *to, const char *p, size_t len)
{
	buf_add(to, p, len);
}

bool jsonout_begin(struct jsonout *j, struct buf *to)
{
	*j = (struct jsonout) { .gen = yajl_gen_alloc(NULL), .to = to };
	if (!j->gen)
		return false;
	(void)yajl_gen_config(j->gen, yajl_gen_print_callback, print, to);
	return true;
}

void jsonout_end(struct jsonout *j)
{
	yajl_gen_free(j->gen);
	buf_release(&j->scratch);
	buf_add_char(j->to, '\n');
}

/* yajl only reports misuse of its grammar, which the order of calls excludes;
 * so results are ignored. */
void jsonout_open_map(struct jsonout *j)
{
	(void)yajl_gen_map_open(j->gen);
}

void jsonout_close_map(struct jsonout *j)
{
	(void)yajl_gen_map_close(j->gen);
}

void jsonout_open_list(struct jsonout *j)
{
	(void)yajl_gen_array_open(j->gen);
}

void jsonout_close_list(struct jsonout *j)
{
	(void)yajl_gen_array_close(j->gen);
}

void jsonout_null(struct jsonout *j)
{
	(void)yajl_gen_null(j->gen);
}

void jsonout_bool(struct jsonout *j, bool v)
{
	(void)yajl_gen_bool(j->gen, v);
}

void jsonout_int(struct jsonout *j, int64_t v)
{
	(void)yajl_gen_integer(j->gen, (long long)v);
}

static void add_bytes(struct jsonout *j, const char *p, size_t len)
{
	(void)yajl_gen_string(j->gen, (const unsigned char *)p, len);
}

void jsonout_str(struct jsonout *j, const char *s)
{
	buf_reset(&j->scratch);
	utf8_add_safe(&j->scratch, s, strlen(s));
	add_bytes(j, buf_str(&j->scratch), j->scratch.len);
}

struct jsonout *jsonout_name(struct jsonout *j, const char *name)
{
	add_bytes(j, name, strlen(name));
	return j;
}

void jsonout_instant(struct jsonout *j, int64_t ns)
{
	buf_reset(&j->scratch);
	zone_add_iso(ns, &j->scratch);
	add_bytes(j, buf_str(&j->scratch), j->scratch.len);
}

void jsonout_cell(struct jsonout *j, enum quantity q, const struct cell *c)
{
	buf_reset(&j->scratch);
	if (!cell_add_exact(&j->scratch, q, c))
		jsonout_null(j);
	else if (c->kind == CELL_TEXT || c->kind == CELL_MAX || q == Q_TIME)
		add_bytes(j, buf_str(&j->scratch), j->scratch.len);
	else
		(void)yajl_gen_number(j->gen, buf_str(&j->scratch),
		    j->scratch.len);
}

void jsonout_real(struct jsonout *j, double v)
{
	struct cell c = cell_real(v);

	jsonout_cell(j, Q_NUMBER, &c);
}

void jsonout_strings(struct jsonout *j, const char *name,
	const char *const *s, size_t n)
{
	size_t i;

	jsonout_name(j, name);
	jsonout_open_list(j);
	for (i = 0; i < n; i++)
		jsonout_str(j, s[i]);
	jsonout_close_list(j);
}
