/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader_summary.c - finds the summaries of a file (summaryframe.h).
 *
 * They are read when they are asked for, group by group.  One that can't be
 * read is as good as none.
 */
#include <stdlib.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "format/reader_int.h"
#include "format/repair.h"

/* So far a key is looked for one by one. */
#define NEAR_TICKS 1024u

void reader_drop_summaries(struct reader *r)
{
	summarycode_free(r->sums.code);
	summaries_release(&r->sums.list);
	r->sums.code = NULL;
	free(r->sums.key);
	r->sums.key = NULL;
	r->sums.list_at = READER_NOTHING;
}

bool reader_index_of(struct reader *r, const struct frame_entry *e,
	struct frame_index *ret)
{
	char index[FRAME_INDEX_LEN];

	return source_peek(&r->src, e->offset, index, sizeof(index)) &&
	    frame_index_get(index, ret) == GS_OK &&
	    ret->comp_len == e->comp_len;
}

/* ---- in the order of their stretches ------------------------------------ */

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_stretch(const void *pa, const void *pb)
{
	const struct summary *a = pa, *b = pb;
	int c = compare(a->from_seq, b->from_seq);

	if (c == 0)
		c = compare((uint64_t)a->from_ns, (uint64_t)b->from_ns);
	if (c == 0)
		c = compare(a->to_seq, b->to_seq);
	return c != 0 ? c : compare((uint64_t)a->to_ns, (uint64_t)b->to_ns);
}

/* They are written in it; a crafted file may have very many in another one. */
static void order(struct summaries *s)
{
	size_t i;

	for (i = 1; i < s->n; i++) {
		if (by_stretch(&s->item[i - 1], &s->item[i]) > 0) {
			qsort(s->item, s->n, sizeof(*s->item), by_stretch);
			return;
		}
	}
}

static const struct summary *find(const struct summary *s, size_t n,
	const struct summary *stretch)
{
	return n > 0 ? bsearch(stretch, s, n, sizeof(*s), by_stretch) : NULL;
}

/* Reads the summary frame of a group. */
static void load(struct reader *r, const struct frame_entry *e,
	const struct frame_index *f)
{
	uint64_t end = e->offset + FRAME_INDEX_LEN +
	    repair_covers(f->comp_len);
	char tail[SUMMARYFRAME_TAIL];
	const char *p = NULL;
	size_t len;

	if (end < e->offset + FRAME_INDEX_LEN + sizeof(tail) ||
	    !source_peek(&r->src, end - sizeof(tail), tail, sizeof(tail)))
		return;
	len = summaryframe_len(tail);
	if (len == 0 || len > end - e->offset - FRAME_INDEX_LEN ||
	    source_get(&r->src, end - len, len, &p, NULL) != (int64_t)len)
		return;
	if (!r->sums.code)
		r->sums.code = summarycode_new(TICKCODE_LEVEL);
	r->sums.list.budget = r->src.budget;
	if (summarycode_read(r->sums.code, p, len, &r->sums.list, NULL) < 0)
		return;
	r->sums.list_bytes = len;
	order(&r->sums.list);
}

const struct summary *reader_summaries(struct reader *r,
	const struct frame_entry *e, size_t *ret_n)
{
	struct frame_index f;

	if (r->sums.list_at != e->offset) {
		summaries_release(&r->sums.list);
		r->sums.list_bytes = 0;
		r->sums.list_at = e->offset;
		if (reader_index_of(r, e, &f) && f.summary)
			load(r, e, &f);
	}
	*ret_n = r->sums.list.n;
	return r->sums.list.item;
}

size_t reader_count_summaries(struct reader *r, uint64_t *ret_bytes)
{
	const struct frame_entry *e;
	uint64_t last = READER_NOTHING;
	size_t n, i, all = 0, k;

	*ret_bytes = 0;
	if (!r->src.seekable || reader_index(r, &e, &n, NULL) < 0)
		return 0;
	for (i = 0; i < n; i++) {
		if (e[i].offset == last)
			continue;
		last = e[i].offset;
		(void)reader_summaries(r, &e[i], &k);
		all += k;
		*ret_bytes += r->sums.list_bytes;
	}
	return all;
}

/* ---- stretches ---------------------------------------------------------- */

/* A key may be repeated, where a file was continued: that ends no stretch. */
size_t reader_count_stretches(struct reader *r)
{
	const struct frame_entry *e, *key = NULL;
	size_t n, i, all = 0;

	if (!r->src.seekable || reader_index(r, &e, &n, NULL) < 0)
		return 0;
	for (i = 0; i < n; i++) {
		if (e[i].kind != FRAME_KEY)
			continue;
		all += key && e[i].seq > key->seq;
		key = &e[i];
	}
	return all;
}

static int compare_key(const struct frame_entry *e, size_t at, uint64_t seq,
	int64_t wall_ns, size_t place)
{
	int c = compare(e[at].seq, seq);

	if (c == 0)
		c = compare((uint64_t)e[at].wall_ns, (uint64_t)wall_ns);
	return c != 0 ? c : compare(at, place);
}

static int by_time(const void *a, const void *b, void *entries)
{
	const struct frame_entry *e = entries;
	size_t i = *(const size_t *)a, k = *(const size_t *)b;

	return compare_key(e, i, e[k].seq, e[k].wall_ns, k);
}

static void sort_keys(struct reader_sums *s, const struct frame_entry *e, size_t n)
{
	size_t i;

	s->key = gs_realloc(s->key, n * sizeof(*s->key));
	s->n_key = 0;
	s->n_of = n;
	for (i = 0; i < n; i++) {
		if (e[i].kind == FRAME_KEY)
			s->key[s->n_key++] = i;
	}
	if (s->n_key > 1)
		qsort_r(s->key, s->n_key, sizeof(*s->key), by_time,
		    (void *)(uintptr_t)e);
}

/* The first one from that place of the index on; n: none. */
static size_t find_from(const struct reader_sums *s, const struct frame_entry *e,
	size_t n, uint64_t seq, int64_t wall_ns, size_t place)
{
	size_t low = 0, high = s->n_key;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (compare_key(e, s->key[mid], seq, wall_ns, place) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low < s->n_key && e[s->key[low]].seq == seq &&
	    e[s->key[low]].wall_ns == wall_ns ? s->key[low] : n;
}

/* Keys are mostly asked for in order; where the index does not have them, as a damaged
 * one, each is missed. */
size_t reader_find_key(struct reader *r, const struct frame_entry *e, size_t n,
	uint64_t seq, int64_t wall_ns)
{
	struct reader_sums *s = &r->sums;
	size_t k, end = s->near < n ? GS_MIN(n, s->near + NEAR_TICKS) : 0;

	for (k = s->near; k < end; k++) {
		if (e[k].kind == FRAME_KEY && e[k].seq == seq &&
		    e[k].wall_ns == wall_ns)
			return s->near = k;
	}
	if (!s->key || s->n_of != n)
		sort_keys(s, e, n);
	k = find_from(s, e, n, seq, wall_ns, s->near);
	if (k == n)
		k = find_from(s, e, n, seq, wall_ns, 0);
	if (k < n)
		s->near = k;
	return k;
}

static bool is_whole(struct reader *r, const struct frame_entry *e)
{
	struct reader_sums *s = &r->sums;
	uint64_t end = e->offset + FRAME_INDEX_LEN + e->comp_len;
	struct frame_index f;
	const char *p = NULL;

	if (s->good_from <= e->offset && end <= s->good_to)
		return true;
	if (!reader_index_of(r, e, &f) || source_get(&r->src,
	    e->offset + FRAME_INDEX_LEN, f.comp_len, &p, NULL) !=
	    (int64_t)f.comp_len || frame_crc32c(p, f.comp_len) != f.crc)
		return false;
	if (e->offset != s->good_to)
		s->good_from = e->offset;
	s->good_to = end;
	return true;
}

bool reader_are_whole(struct reader *r, const struct frame_entry *e,
	size_t from, size_t to)
{
	uint64_t end = e[from].offset;
	size_t i;

	for (i = from; i <= to; i++) {
		if (i > from && e[i].seq != e[i - 1].seq &&
		    e[i].seq != e[i - 1].seq + 1)
			return false;
		if (e[i].offset < end)
			continue; /* of the same group */
		if (e[i].offset != end || !is_whole(r, &e[i]))
			return false;
		end = e[i].offset + FRAME_INDEX_LEN + e[i].comp_len;
	}
	return true;
}

/* The stretch that begins with the key.  A key may be repeated, in a crafted file
 * very often, and is asked for each time: what comes after it is looked for once. */
static struct stretch_place *stretch_from(struct reader *r,
	const struct frame_entry *e, size_t n, size_t from)
{
	struct stretch_place *p = &r->sums.place;

	if (p->n == n && p->from == from)
		return p;
	*p = (struct stretch_place) { .n = n, .from = from, .to = from + 1 };
	while (p->to < n && (e[p->to].kind != FRAME_KEY ||
	    e[p->to].seq == e[from].seq))
		p->to++;
	return p;
}

static bool stretch_is_whole(struct reader *r, const struct frame_entry *e,
	struct stretch_place *p)
{
	if (!p->looked)
		p->whole = reader_are_whole(r, e, p->from, p->to);
	p->looked = true;
	return p->whole;
}

const struct summary *reader_summary(struct reader *r, uint64_t from_seq,
	int64_t from_ns)
{
	const struct frame_entry *e;
	struct summary stretch = { .from_seq = from_seq, .from_ns = from_ns };
	struct stretch_place *place;
	const struct summary *s;
	size_t n, from, n_sum;

	if (!r->src.seekable || reader_index(r, &e, &n, NULL) < 0)
		return NULL;
	from = reader_find_key(r, e, n, from_seq, from_ns);
	if (from == n)
		return NULL;
	place = stretch_from(r, e, n, from);
	if (place->to == n)
		return NULL;
	stretch.to_seq = e[place->to].seq;
	stretch.to_ns = e[place->to].wall_ns;
	s = reader_summaries(r, &e[place->to], &n_sum);
	s = find(s, n_sum, &stretch);
	return s && stretch_is_whole(r, e, place) ? s : NULL;
}
