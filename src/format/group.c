/* SPDX-License-Identifier: Apache-2.0 */
#include "format/group.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "format/varint.h"
#include "model/tick.h"

#define LIST_MAGIC 0x184D2A5Cu
#define TICK_BYTES_MIN 3u /* of one entry */
#define KINDS 4u /* an entry stores kind + KINDS * left_out */

static const char list_tag[4] = { 'G', 'P', 'S', 'L' };

void group_release(struct group *g)
{
	free(g->tick);
	*g = (struct group) { 0 };
}

void group_reset(struct group *g)
{
	g->n = g->first_key = 0;
}

void group_add(struct group *g, const struct group_tick *t)
{
	GS_GROW(g->tick, &g->cap, g->n + 1);
	if (g->first_key == g->n && t->kind != FRAME_KEY)
		g->first_key++;
	g->tick[g->n++] = *t;
}

bool group_is_sparse(const struct group *g)
{
	size_t i;

	for (i = 0; i < g->n; i++) {
		if (g->tick[i].left_out > 0)
			return true;
	}
	return false;
}

void group_put_ticks(const struct group *g, struct buf *out)
{
	size_t i;

	for (i = 0; i < g->n; i++) {
		const struct group_tick *t = &g->tick[i];
		const struct group_tick *b = &g->tick[i ? i - 1 : 0];

		buf_add_varint(out, gs_zigzag((int64_t)(t->seq - b->seq)));
		buf_add_varint(out, gs_zigzag((int64_t)
		    ((uint64_t)t->wall_ns - (uint64_t)b->wall_ns)));
		buf_add_varint(out, (uint64_t)t->kind + KINDS * t->left_out);
	}
}

/* Parses the next entry; *t is the previous one. */
static bool parse_tick(struct span *s, struct group_tick *t)
{
	uint64_t seq, wall, kind;

	if (!varint_read(s, &seq) || !varint_read(s, &wall) ||
	    !varint_read(s, &kind) || (kind % KINDS != FRAME_KEY &&
	    kind % KINDS != FRAME_DELTA))
		return false;
	t->seq += (uint64_t)gs_unzigzag(seq);
	t->wall_ns = (int64_t)((uint64_t)t->wall_ns +
	    (uint64_t)gs_unzigzag(wall));
	t->kind = (enum frame_kind)(kind % KINDS);
	t->left_out = kind / KINDS;
	return tick_time_ok(t->wall_ns);
}

bool group_parse_ticks(struct group *g, struct span *s, size_t n,
	uint64_t seq, int64_t wall_ns)
{
	struct group_tick t = { .seq = seq, .wall_ns = wall_ns };
	size_t i;

	group_reset(g);
	if (n == 0 || n > GROUP_TICKS_MAX || n > span_len(*s) / TICK_BYTES_MIN)
		return false;
	for (i = 0; i < n; i++) {
		if (!parse_tick(s, &t))
			return false;
		group_add(g, &t);
	}
	return g->tick[0].seq == seq && g->tick[0].wall_ns == wall_ns;
}

void group_put(const struct group *g, struct buf *out)
{
	size_t start = out->len;

	buf_add_le32(out, LIST_MAGIC);
	buf_add_le32(out, 0);
	buf_add(out, list_tag, sizeof(list_tag));
	buf_add_le32(out, (uint32_t)g->n);
	group_put_ticks(g, out);
	gs_put_le32(out->ptr + start + 4, (uint32_t)(out->len - start - 8));
}

size_t group_list_len(const void *head)
{
	const unsigned char *p = head;
	uint32_t len = gs_get_le32(p + 4);

	if (gs_get_le32(p) != LIST_MAGIC || len > FRAME_RAW_MAX ||
	    len < GROUP_LIST_HEAD - 8 ||
	    memcmp(p + 8, list_tag, sizeof(list_tag)) != 0)
		return 0;
	return (size_t)len + 8;
}

bool group_get(struct group *g, const void *p, size_t len,
	const struct frame_index *f)
{
	struct span s = span_of((const char *)p + GROUP_LIST_HEAD,
	    len - GROUP_LIST_HEAD);
	size_t n = gs_get_le32((const char *)p + 12);

	g->list_len = len;
	return group_parse_ticks(g, &s, n, f->seq, f->wall_ns) &&
	    span_empty(s) && group_is_sparse(g) == f->sparse;
}
