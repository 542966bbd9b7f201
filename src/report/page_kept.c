/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_kept.c - varints: the length of what says which recording it is of, that;
 * holes; the lengths of both parts' JSON and numbers, and these.
 */
#include "report/page_kept.h"

#include <string.h>
#include <zlib.h>

#include "base/arith.h"
#include "base/bytes.h"
#include "findings/rule.h"
#include "render/jsoncheck.h"
#include "report/page_tables.h"
#include "view/view.h"

/* Another one where the same ticks make other data. */
#define KEPT_LAYOUT "5"

/* ---- the layout --------------------------------------------------------- */

static void add_word(struct buf *to, const char *s)
{
	buf_add_str(to, s ? s : "");
	buf_add_char(to, '\n');
}

/* The page has names, headings and helps. */
static void add_columns(struct buf *to, const char *view)
{
	struct view_ask ask = VIEW_ASK_INIT;
	struct grid *g = view_columns(view_find(view), &ask);
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		add_word(to, g->col[i].name);
		add_word(to, g->col[i].title);
		add_word(to, g->col[i].help);
		buf_add_varint(to, g->col[i].quantity);
	}
	grid_free(g);
}

static void add_table(struct buf *to, const struct page_table *t)
{
	size_t i;

	add_columns(to, t->view);
	add_word(to, t->name);
	add_word(to, t->view);
	add_word(to, t->title);
	add_word(to, t->metric);
	for (i = 0; i < t->n_col; i++) {
		add_word(to, t->col[i].name);
		add_word(to, t->col[i].of);
		buf_add_varint(to, t->col[i].rule);
		buf_add_varint(to, t->col[i].ranks);
	}
	for (i = 0; i < t->n_key; i++)
		buf_add_varint(to, t->key[i]);
	buf_add_varint(to, (uint64_t)t->by_name << 3 | (uint64_t)t->first << 2 |
	    (uint64_t)t->whole << 1 | t->by_id);
}

/* Findings are of the rules in force. */
static void add_rule(struct buf *to, const struct finding_rule *r)
{
	const char *const text[] = { r->name, r->view, r->when, r->until, r->hold,
		r->gap, r->subject, r->peak, r->cost, r->sum, r->who, r->by,
		r->says, r->next, r->why };
	size_t i;

	for (i = 0; i < GS_LEN(text); i++)
		add_word(to, text[i]);
	buf_add_varint(to, r->severity);
}

uint32_t page_layout(const char *version)
{
	struct buf all = BUF_INIT;
	uint32_t sum;
	size_t i;

	add_word(&all, KEPT_LAYOUT);
	add_word(&all, version);
	for (i = 0; i < n_page_tables; i++)
		add_table(&all, &page_tables[i]);
	for (i = 0; finding_rule_at(i); i++)
		add_rule(&all, finding_rule_at(i));
	sum = (uint32_t)crc32(0, (const Bytef *)all.ptr, (uInt)all.len);
	buf_release(&all);
	return sum;
}

/* ---- keeping ------------------------------------------------------------ */

/* Daylight saving: the same zone if it is that at both ends. */
static void add_identity(const struct page_source *src, struct buf *to)
{
	buf_add_varint(to, (uint64_t)src->first_ns);
	buf_add_varint(to, (uint64_t)src->last_ns);
	buf_add_varint(to, (uint64_t)src->interval_ns);
	buf_add_varint(to, gs_zigzag(zone_offset(&src->zone, src->first_ns)));
	buf_add_varint(to, gs_zigzag(zone_offset(&src->zone, src->last_ns)));
	zone_add_label(&src->zone, to);
}

static void add_sized(const struct buf *b, struct buf *to)
{
	buf_add_varint(to, b->len);
	buf_add(to, buf_str(b), b->len);
}

void page_keep(const struct page_source *src, const struct page_data *d,
	struct buf *to)
{
	struct buf identity = BUF_INIT;
	size_t i;

	buf_reset(to);
	add_identity(src, &identity);
	add_sized(&identity, to);
	buf_add_varint(to, d->n_holes);
	for (i = 0; i < PAGE_PARTS; i++) {
		add_sized(&d->json[i], to);
		add_sized(&d->numbers[i], to);
	}
	buf_release(&identity);
}

/* ---- taking ------------------------------------------------------------- */

static bool take_number(struct span *s, uint64_t *ret)
{
	size_t n = gs_get_varint(s->ptr, span_len(*s), ret);

	if (n == 0 || n > span_len(*s)) /* it does not end, or has too many bits */
		return false;
	s->ptr += n;
	return true;
}

static bool take_sized(struct span *s, struct buf *ret)
{
	uint64_t len = 0;

	if (!take_number(s, &len) || len > span_len(*s))
		return false;
	buf_add(ret, s->ptr, (size_t)len);
	s->ptr += len;
	return true;
}

static bool take_identity(const struct page_source *src, struct span *s)
{
	struct buf is = BUF_INIT, want = BUF_INIT;
	bool same;

	add_identity(src, &want);
	same = take_sized(s, &is) && is.len == want.len &&
	    memcmp(buf_str(&is), buf_str(&want), is.len) == 0;
	buf_release(&is);
	buf_release(&want);
	return same;
}

static bool take_part(struct span *s, struct buf *json, struct buf *numbers)
{
	return take_sized(s, json) && take_sized(s, numbers) &&
	    json_is_whole(buf_str(json), json->len);
}

bool page_take(const struct page_source *src, struct span kept,
	struct page_data *ret)
{
	uint64_t holes = 0;
	bool ok = take_identity(src, &kept) && take_number(&kept, &holes);
	size_t i;

	*ret = (struct page_data) { .any = true, .n_holes = (size_t)holes };
	for (i = 0; ok && i < PAGE_PARTS; i++)
		ok = take_part(&kept, &ret->json[i], &ret->numbers[i]);
	if (ok && span_empty(kept))
		return true;
	page_data_release(ret);
	return false;
}
