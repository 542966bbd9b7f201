/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/watch_news.h"

#include <string.h>

#include "base/mem.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "base/when.h"
#include "render/jsonout.h"

/* ---- copies ------------------------------------------------------------ */

/* Safe, and of a limited length. */
static char *copy(const char *text)
{
	struct buf b = BUF_INIT;
	size_t len = text ? strlen(text) : 0;
	char *r;

	if (len == 0)
		return NULL;
	while (len > WATCH_TEXT_MAX || (text[len] & 0xc0) == 0x80)
		len--;
	utf8_add_safe(&b, text, len);
	r = gs_strndup(buf_str(&b), b.len);
	buf_release(&b);
	return r;
}

/* The cells of the row: what it is about, and what the condition compares. */
static char *figures(const struct grid *g, const struct grid_row *row)
{
	struct buf b = BUF_INIT;
	struct jsonout j;
	size_t i;
	char *r;

	if (!g || !row || !jsonout_begin(&j, &b))
		return NULL;
	jsonout_open_map(&j);
	for (i = 0; i < g->n_col; i++) {
		jsonout_name(&j, g->col[i].name);
		jsonout_cell(&j, grid_quantity(&g->col[i], row),
		    &row->cell[i]);
	}
	jsonout_close_map(&j);
	jsonout_end(&j);
	while (b.len > 0 && b.ptr[b.len - 1] == '\n')
		b.len--;
	r = gs_strndup(buf_str(&b), b.len);
	buf_release(&b);
	return r;
}

struct watch_news *watch_news_of(const struct finding_news *n, size_t watch)
{
	struct watch_news *w = gs_calloc(1, sizeof(*w));

	*w = (struct watch_news) { .watch = watch, .begins = n->begins,
		.from_ns = n->from_ns, .to_ns = n->to_ns,
		.rule = copy(n->rule->name),
		.severity = copy(finding_severity_name(n->rule->severity)),
		.host = copy(n->host), .session = copy(n->session),
		.subject = copy(n->subject), .says = copy(n->says),
		.next = copy(n->next), .figures = figures(n->grid, n->row) };
	return w;
}

/* ---- json -------------------------------------------------------------- */

static void add_text(struct jsonout *j, const char *name, const char *text)
{
	jsonout_name(j, name);
	if (text)
		jsonout_str(j, text);
	else
		jsonout_null(j);
}

static void add_who(struct jsonout *j, const struct watch_news *n)
{
	jsonout_open_map(jsonout_name(j, "who"));
	add_text(j, "host", n->host);
	add_text(j, "session", n->session);
	add_text(j, "subject", n->subject);
	jsonout_close_map(j);
}

/* The whole command, as a shell takes it. */
static void add_next(struct jsonout *j, const struct watch_news *n,
	const char *file)
{
	struct buf b = BUF_INIT;

	if (n->next) {
		buf_add_str(&b, "gpsnap replay ");
		quote_add_word(&b, file ? file : "FILE");
		buf_printf(&b, " %s", n->next);
	}
	add_text(j, "next", n->next ? buf_str(&b) : NULL);
	buf_release(&b);
}

void watch_news_json(const struct watch_news *n, const char *watch,
	const char *file, struct buf *to)
{
	struct buf b = BUF_INIT;
	struct jsonout j;

	if (!jsonout_begin(&j, &b))
		return;
	jsonout_open_map(&j);
	jsonout_int(jsonout_name(&j, "finding_version"), 1);
	jsonout_str(jsonout_name(&j, "event"), n->begins ? "begin" : "end");
	add_text(&j, "watch", watch);
	add_text(&j, "rule", n->rule);
	add_text(&j, "severity", n->severity);
	jsonout_instant(jsonout_name(&j, "since"), n->from_ns);
	jsonout_instant(jsonout_name(&j, "at"), n->to_ns);
	add_who(&j, n);
	add_text(&j, "sentence", n->says);
	add_next(&j, n, file);
	add_text(&j, "file", file);
	jsonout_close_map(&j);
	jsonout_end(&j);
	/* figures is an object already: it goes before the closing brace */
	while (b.len > 0 && b.ptr[b.len - 1] != '}')
		b.len--;
	if (b.len > 0)
		buf_add(to, b.ptr, b.len - 1);
	buf_printf(to, ",\"figures\":%s}\n", n->figures ? n->figures
	                                                 : "null");
	buf_release(&b);
}

/* ---- text -------------------------------------------------------------- */

void watch_news_line(const struct watch_news *n, const struct zone *zone,
	struct buf *to)
{
	char age[WHEN_SPAN_MAX];

	zone_add_date_time(zone, n->to_ns, 0, to);
	buf_printf(to, " %s %s %s: ", n->begins ? "begin" : "end  ",
	    n->severity ? n->severity : "-", n->rule ? n->rule : "-");
	if (!n->begins) {
		when_age(age, (double)(n->to_ns - n->from_ns) / 1e9);
		buf_printf(to, "lasted %s: ", age);
	}
	buf_printf(to, "%s\n", n->says ? n->says : "");
}
