/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sadf_json.c - sadf -j: one object of a host, in it its samples, in each an
 * object or a list per activity; after them restarts and comments.
 *
 * What is absent is null.  Unlike sadf's, names and comments are escaped.
 */
#include <inttypes.h>
#include <string.h>

#include <yajl/yajl_gen.h>

#include "base/utf8.h"
#include "sadf/sadf_int.h"

/* How deep a line is indented. */
enum depth {
	DEPTH_HOST = 3,
	DEPTH_SAMPLE = 4,
	DEPTH_ACTIVITY = 5
};

static void add_tabs(struct sadf *s, int n)
{
	buf_add_fill(&s->out, '\t', (size_t)n);
}

/* Begins a line, after a comma unless it is the first of its kind. */
static void next_line(struct sadf *s, bool first, int depth)
{
	buf_add_str(&s->out, first ? "\n" : ",\n");
	add_tabs(s, depth);
}

static void new_line(struct sadf *s, int depth)
{
	next_line(s, true, depth);
}

static void print(void *to, const char *p, size_t len)
{
	buf_add(to, p, len);
}

/* yajl's results report only misuse of its grammar. */
static void add_string(struct sadf *s, const char *text)
{
	yajl_gen gen = yajl_gen_alloc(NULL);
	struct buf safe = BUF_INIT;

	(void)yajl_gen_config(gen, yajl_gen_print_callback, print, &s->out);
	utf8_add_safe(&safe, text, strlen(text));
	(void)yajl_gen_string(gen, (const unsigned char *)buf_str(&safe),
	    safe.len);
	yajl_gen_free(gen);
	buf_release(&safe);
}

static void add_pair(struct sadf *s, const char *name, const char *text)
{
	buf_printf(&s->out, "\"%s\": ", name);
	add_string(s, text);
}

/* ---- the beginning and the end --------------------------------------- */

static void add_fact(struct sadf *s, const char *name, const char *text)
{
	next_line(s, false, DEPTH_HOST);
	add_pair(s, name, text);
}

static void json_begin(struct sadf *s)
{
	buf_add_str(&s->out, "{\"sysstat\": {\n\t\"hosts\": [\n\t\t{\n");
	add_tabs(s, DEPTH_HOST);
	add_pair(s, "nodename", s->banner.node);
	add_fact(s, "sysname", "Linux");
	add_fact(s, "release", s->banner.release);
	add_fact(s, "machine", s->banner.machine);
	next_line(s, false, DEPTH_HOST);
	buf_printf(&s->out, "\"number-of-cpus\": %" PRIu64, s->banner.cpus);
	sadf_facts(s, add_fact);
	if (s->opt.head_only)
		return;
	next_line(s, false, DEPTH_HOST);
	buf_add_str(&s->out, "\"statistics\": [");
}

static void add_notes(struct sadf *s, const char *name, struct spool *notes)
{
	new_line(s, DEPTH_HOST);
	buf_add_str(&s->out, "],");
	new_line(s, DEPTH_HOST);
	buf_printf(&s->out, "\"%s\": [", name);
	sadf_flush(s);
	sadf_flush_spool(s, notes);
}

static void json_end(struct sadf *s)
{
	if (!s->opt.head_only) {
		add_notes(s, "restarts", &s->restarts);
		if (s->opt.comments)
			add_notes(s, "comments", &s->comments);
		if (s->n_hole > 0)
			add_notes(s, "holes", &s->holes);
		new_line(s, DEPTH_HOST);
		buf_add_char(&s->out, ']');
	}
	buf_add_str(&s->out, "\n\t\t}\n\t]\n}}\n");
}

/* ---- restarts and comments ------------------------------------------- */

static void add_instant(struct sadf *s, int64_t ns)
{
	buf_add_str(&s->out, "\"date\": \"");
	sadf_add_date(&s->out, &s->opt.zone, ns);
	buf_add_str(&s->out, "\", \"time\": \"");
	sadf_add_clock(&s->out, &s->opt.zone, ns);
	buf_printf(&s->out, "\", \"utc\": %d", s->opt.time != SADF_LOCAL);
}

static void add_hole_end(struct sadf *s, int64_t ns)
{
	if (ns == INT64_MAX) {
		buf_add_str(&s->out, ", \"until\": null");
		return;
	}
	buf_add_str(&s->out, ", \"until\": {");
	add_instant(s, ns);
	buf_add_char(&s->out, '}');
}

static void add_note(struct sadf *s, const struct sadf_note *n)
{
	static const char *const names[] = {
		[SADF_RESTART] = "boot", [SADF_COMMENT] = "comment",
		[SADF_HOLE] = "hole"
	};

	buf_add_char(&s->out, '{');
	new_line(s, DEPTH_SAMPLE + 1);
	buf_printf(&s->out, "\"%s\": {", names[n->kind]);
	add_instant(s, n->from_ns);
	if (n->kind == SADF_RESTART)
		buf_printf(&s->out, ", \"cpu_count\": %" PRIu64, n->cpus);
	if (n->kind == SADF_HOLE)
		add_hole_end(s, n->to_ns);
	if (n->text) {
		buf_add_str(&s->out, ", ");
		add_pair(s, n->kind == SADF_HOLE ? "why" : "com", n->text);
	}
	buf_add_char(&s->out, '}');
	new_line(s, DEPTH_SAMPLE);
	buf_add_char(&s->out, '}');
}

static void json_note(struct sadf *s, const struct sadf_note *n)
{
	struct spool *spools[] = { &s->restarts, &s->comments, &s->holes };
	size_t *count[] = { &s->n_restart, &s->n_comment, &s->n_hole };

	next_line(s, (*count[n->kind])++ == 0, DEPTH_SAMPLE);
	add_note(s, n);
	spool_add(spools[n->kind], s->out.ptr, s->out.len);
	buf_reset(&s->out);
}

/* ---- samples --------------------------------------------------------- */

static void add_value(struct sadf *s, const struct sar_column *c,
	const struct value *v)
{
	buf_printf(&s->out, "\"%s\": ", c->key);
	if (v->kind == VALUE_ABSENT)
		buf_add_str(&s->out, "null");
	else
		sadf_add_value(s, c, v);
}

/* The columns of a group are together, at the first of them. */
static void add_group(struct sadf *s, const struct sar_activity *a,
	const struct value *v, size_t first)
{
	const char *group = a->column[first].group;
	size_t i;

	buf_printf(&s->out, "\"%s\": {", group);
	for (i = first; i < a->n_column; i++) {
		if (!sadf_same_group(a, first, i))
			continue;
		if (i > first)
			buf_add_str(&s->out, ", ");
		add_value(s, &a->column[i], &v[i]);
	}
	buf_add_char(&s->out, '}');
}

static void add_values(struct sadf *s, const struct sar_activity *a,
	const struct value *v, bool first)
{
	size_t i;

	for (i = 0; i < a->n_column; i++) {
		if (sadf_is_grouped(a, i))
			continue;
		if (i > 0 || !first)
			buf_add_str(&s->out, ", ");
		if (a->column[i].group)
			add_group(s, a, v, i);
		else
			add_value(s, &a->column[i], &v[i]);
	}
}

static void add_list(struct sadf *s, struct sadf_page *page, int depth)
{
	const struct sar_activity *a = page->activity;
	struct value v[SAR_COLUMNS_MAX];
	struct sar_calc row;
	bool first = true;
	size_t at = 0;

	buf_printf(&s->out, "\"%s\": [", a->json);
	while (sadf_next_row(s, page, true, &at, &row, v)) {
		next_line(s, first, depth + 1);
		buf_add_char(&s->out, '{');
		add_pair(s, a->json_item, sar_row_name(a, &row));
		add_values(s, a, v, false);
		buf_add_char(&s->out, '}');
		first = false;
	}
	new_line(s, depth);
	buf_add_char(&s->out, ']');
}

/* first and last: of the pages that share one object. */
static void add_object(struct sadf *s, struct sadf_page *page, bool first,
	bool last)
{
	const struct sar_activity *a = page->activity;
	struct value v[SAR_COLUMNS_MAX] = { { 0 } };
	struct sar_calc row;
	size_t at = 0;

	if (first)
		buf_printf(&s->out, "\"%s\": {", a->json);
	/* without a row all values are absent */
	(void)sadf_next_row(s, page, true, &at, &row, v);
	add_values(s, a, v, first);
	if (last)
		buf_add_char(&s->out, '}');
}

static void add_page(struct sadf *s, size_t at)
{
	struct sadf_page *page = &s->page[at];
	const struct sar_activity *a = page->activity;
	bool first = !sadf_shares(s, at, at - 1, SADF_SHARE_OBJECT);
	bool opens = a->group && !sadf_shares(s, at, at - 1,
	    SADF_SHARE_GROUP);
	int depth = DEPTH_ACTIVITY + (a->group != NULL);

	if (opens) {
		next_line(s, false, DEPTH_ACTIVITY);
		buf_printf(&s->out, "\"%s\": {", a->group);
	}
	if (first)
		next_line(s, opens, depth);
	if (a->item)
		add_list(s, page, depth);
	else
		add_object(s, page, first, !sadf_shares(s, at, at + 1,
		    SADF_SHARE_OBJECT));
	if (!first)
		return;
	if (a->group && !sadf_shares(s, at, at + 1, SADF_SHARE_GROUP)) {
		new_line(s, DEPTH_ACTIVITY);
		buf_add_char(&s->out, '}');
	}
}

static void json_sample(struct sadf *s)
{
	size_t i;

	next_line(s, s->n_samples == 0, DEPTH_SAMPLE);
	buf_add_char(&s->out, '{');
	new_line(s, DEPTH_ACTIVITY);
	buf_add_str(&s->out, "\"timestamp\": {");
	add_instant(s, s->data.now.wall_ns);
	buf_add_str(&s->out, ", \"interval\": ");
	sadf_add_interval(s);
	buf_add_char(&s->out, '}');
	for (i = 0; i < s->n_page; i++)
		add_page(s, i);
	new_line(s, DEPTH_SAMPLE);
	buf_add_char(&s->out, '}');
}

const struct sadf_writer sadf_json = {
	.begin = json_begin, .sample = json_sample, .note = json_note,
	.end = json_end
};
