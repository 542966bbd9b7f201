/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sadf_xml.c - sadf -x: the elements of sysstat's DTD and schema, version
 * 3.11.
 *
 * What is absent has no attribute, or no element; so a document in which
 * something that the schema requires is absent is well-formed, but not valid.
 * Holes, which the schema does not know, are comments.  Unlike sadf's, names
 * and comments are escaped.
 */
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "sadf/sadf_int.h"
#include "base/xmltext.h"

enum depth {
	DEPTH_HOST = 2,
	DEPTH_SAMPLE = 3,
	DEPTH_ACTIVITY = 4
};

static void add_tabs(struct sadf *s, int n)
{
	buf_add_fill(&s->out, '\t', (size_t)n);
}

static void add_attribute(struct sadf *s, const char *name, const char *text)
{
	buf_printf(&s->out, " %s=\"", name);
	xml_add_text(&s->out, text);
	buf_add_char(&s->out, '"');
}

/* ---- the beginning and the end --------------------------------------- */

#define SITE "http://pagesperso-orange.fr/sebastien.godard"

static const char head[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	"<!DOCTYPE sysstat PUBLIC \"DTD v3.11 sysstat //EN\"\n"
	"\"" SITE "/sysstat-3.11.dtd\">\n"
	"<sysstat\n"
	"xmlns=\"" SITE "/sysstat\"\n"
	"xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n"
	"xsi:schemaLocation=\"" SITE " sysstat.xsd\">\n"
	"\t<sysdata-version>3.11</sysdata-version>\n";

static void add_fact(struct sadf *s, const char *name, const char *text)
{
	add_tabs(s, DEPTH_HOST);
	buf_printf(&s->out, "<%s>", name);
	xml_add_text(&s->out, text);
	buf_printf(&s->out, "</%s>\n", name);
}

static void xml_begin(struct sadf *s)
{
	buf_add_str(&s->out, head);
	buf_add_str(&s->out, "\t<host");
	add_attribute(s, "nodename", s->banner.node);
	buf_add_str(&s->out, ">\n");
	add_fact(s, "sysname", "Linux");
	add_fact(s, "release", s->banner.release);
	add_fact(s, "machine", s->banner.machine);
	add_tabs(s, DEPTH_HOST);
	buf_printf(&s->out, "<number-of-cpus>%" PRIu64 "</number-of-cpus>\n",
	    s->banner.cpus);
	sadf_facts(s, add_fact);
	if (!s->opt.head_only)
		buf_add_str(&s->out, "\t\t<statistics>\n");
}

static void add_notes(struct sadf *s, const char *name, struct spool *notes)
{
	add_tabs(s, DEPTH_HOST);
	buf_printf(&s->out, "<%s>\n", name);
	sadf_flush(s);
	sadf_flush_spool(s, notes);
	add_tabs(s, DEPTH_HOST);
	buf_printf(&s->out, "</%s>\n", name);
}

static void xml_end(struct sadf *s)
{
	if (!s->opt.head_only) {
		buf_add_str(&s->out, "\t\t</statistics>\n");
		add_notes(s, "restarts", &s->restarts);
		if (s->opt.comments)
			add_notes(s, "comments", &s->comments);
	}
	buf_add_str(&s->out, "\t</host>\n</sysstat>\n");
}

/* ---- restarts and comments ------------------------------------------- */

static void add_instant(struct sadf *s, int64_t ns)
{
	buf_add_str(&s->out, " date=\"");
	sadf_add_date(&s->out, &s->opt.zone, ns);
	buf_add_str(&s->out, "\" time=\"");
	sadf_add_clock(&s->out, &s->opt.zone, ns);
	buf_printf(&s->out, "\" utc=\"%d\"", s->opt.time != SADF_LOCAL);
}

/* Two hyphens would end a comment. */
static void add_inside_comment(struct sadf *s, const char *text)
{
	size_t at = s->out.len;

	xml_add_text(&s->out, text);
	for (; at < s->out.len; at++) {
		if (s->out.ptr[at] == '-')
			s->out.ptr[at] = '_';
	}
}

static void add_hole(struct sadf *s, const struct sadf_note *n)
{
	add_tabs(s, DEPTH_SAMPLE);
	buf_add_str(&s->out, "<!-- hole from ");
	sadf_add_stamp(s, n->from_ns);
	buf_add_str(&s->out, " to ");
	if (n->to_ns == INT64_MAX)
		buf_add_str(&s->out, "the end");
	else
		sadf_add_stamp(s, n->to_ns);
	buf_add_str(&s->out, ": ");
	add_inside_comment(s, n->text);
	buf_add_str(&s->out, " -->\n");
}

static void xml_note(struct sadf *s, const struct sadf_note *n)
{
	bool boot = n->kind == SADF_RESTART;
	struct spool *to = boot ? &s->restarts : &s->comments;

	if (n->kind == SADF_HOLE) {
		add_hole(s, n); /* between the samples */
		return;
	}
	add_tabs(s, DEPTH_SAMPLE);
	buf_printf(&s->out, "<%s", boot ? "boot" : "comment");
	add_instant(s, n->from_ns);
	if (boot)
		buf_printf(&s->out, " cpu_count=\"%" PRIu64 "\"", n->cpus);
	else
		add_attribute(s, "com", n->text);
	buf_add_str(&s->out, "/>\n");
	spool_add(to, s->out.ptr, s->out.len);
	buf_reset(&s->out);
}

/* ---- samples --------------------------------------------------------- */

static const char *key_of(const struct sar_column *c)
{
	return c->xml ? c->xml : c->key;
}

static void add_value(struct sadf *s, const struct sar_column *c,
	const struct value *v)
{
	if (v->kind == VALUE_ABSENT)
		return;
	buf_printf(&s->out, " %s=\"", key_of(c));
	sadf_add_value(s, c, v);
	buf_add_char(&s->out, '"');
}

static void add_values(struct sadf *s, const struct sar_activity *a,
	const struct value *v)
{
	size_t i;

	for (i = 0; i < a->n_column; i++)
		add_value(s, &a->column[i], &v[i]);
}

/* The columns of a group are the attributes of one element. */
static void add_group(struct sadf *s, const struct sar_activity *a,
	const struct value *v, size_t first)
{
	const char *group = a->column[first].group;
	size_t i;

	buf_printf(&s->out, "<%s", group);
	for (i = first; i < a->n_column; i++) {
		if (sadf_same_group(a, first, i))
			add_value(s, &a->column[i], &v[i]);
	}
	buf_add_str(&s->out, "/>\n");
}

static void add_elements(struct sadf *s, const struct sar_activity *a,
	const struct value *v, int depth)
{
	size_t i;

	for (i = 0; i < a->n_column; i++) {
		const struct sar_column *c = &a->column[i];

		if (sadf_is_grouped(a, i) ||
		    (!c->group && v[i].kind == VALUE_ABSENT))
			continue;
		add_tabs(s, depth);
		if (c->group) {
			add_group(s, a, v, i);
			continue;
		}
		buf_printf(&s->out, "<%s>", key_of(c));
		sadf_add_value(s, c, &v[i]);
		buf_printf(&s->out, "</%s>\n", key_of(c));
	}
}

static void open_element(struct sadf *s, const char *name,
	const char *attribute, int depth)
{
	add_tabs(s, depth);
	buf_printf(&s->out, "<%s", name);
	if (attribute)
		buf_printf(&s->out, " %s", attribute);
	buf_add_str(&s->out, ">\n");
}

static void close_element(struct sadf *s, const char *name, int depth)
{
	add_tabs(s, depth);
	buf_printf(&s->out, "</%s>\n", name);
}

static void add_rows(struct sadf *s, struct sadf_page *page, int depth)
{
	const struct sar_activity *a = page->activity;
	struct value v[SAR_COLUMNS_MAX];
	struct sar_calc row;
	size_t at = 0;

	while (sadf_next_row(s, page, false, &at, &row, v)) {
		add_tabs(s, depth);
		buf_printf(&s->out, "<%s", a->xml);
		if (a->item)
			add_attribute(s, a->xml_item, sar_row_name(a, &row));
		else if (!a->group && a->xml_attr)
			buf_printf(&s->out, " %s", a->xml_attr);
		add_values(s, a, v);
		buf_add_str(&s->out, "/>\n");
	}
}

/* What several rows, or elements, stand in. */
static void add_inside(struct sadf *s, size_t at)
{
	struct sadf_page *page = &s->page[at];
	const struct sar_activity *a = page->activity;
	struct value v[SAR_COLUMNS_MAX];
	struct sar_calc row;
	size_t next = 0;

	if (!sadf_shares(s, at, at - 1, SADF_SHARE_OBJECT))
		open_element(s, a->json, a->xml_attr, DEPTH_ACTIVITY);
	if (a->item)
		add_rows(s, page, DEPTH_ACTIVITY + 1);
	else if (sadf_next_row(s, page, false, &next, &row, v))
		add_elements(s, a, v, DEPTH_ACTIVITY + 1);
	if (!sadf_shares(s, at, at + 1, SADF_SHARE_OBJECT))
		close_element(s, a->json, DEPTH_ACTIVITY);
}

static void add_page(struct sadf *s, size_t at)
{
	const struct sar_activity *a = s->page[at].activity;

	if (!a->group) {
		if (a->item || a->xml_elements)
			add_inside(s, at);
		else
			add_rows(s, &s->page[at], DEPTH_ACTIVITY);
		return;
	}
	if (!sadf_shares(s, at, at - 1, SADF_SHARE_GROUP))
		open_element(s, a->group, a->xml_attr, DEPTH_ACTIVITY);
	add_rows(s, &s->page[at], DEPTH_ACTIVITY + 1);
	if (!sadf_shares(s, at, at + 1, SADF_SHARE_GROUP))
		close_element(s, a->group, DEPTH_ACTIVITY);
}

static void xml_sample(struct sadf *s)
{
	size_t i;

	add_tabs(s, DEPTH_SAMPLE);
	buf_add_str(&s->out, "<timestamp");
	add_instant(s, s->data.now.wall_ns);
	buf_printf(&s->out, " interval=\"%" PRId64 "\">\n",
	    sadf_interval(s));
	for (i = 0; i < s->n_page; i++)
		add_page(s, i);
	add_tabs(s, DEPTH_SAMPLE);
	buf_add_str(&s->out, "</timestamp>\n");
}

const struct sadf_writer sadf_xml = {
	.begin = xml_begin, .sample = xml_sample, .note = xml_note,
	.end = xml_end
};
