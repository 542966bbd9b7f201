/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/sumcheck.h"

#include "format/reader.h"

/* The summaries of a file, in its order. */
struct kept {
	struct reader *reader;
	const struct frame_entry *e;
	size_t n, at; /* entries, and the first of the next group */
	const struct summary *item; /* of the group before it */
	size_t n_item, next;
	const struct sumcheck_also *also;
};

static const struct summary *peek(struct kept *k)
{
	while (k->next == k->n_item && k->at < k->n) {
		uint64_t offset = k->e[k->at].offset;

		k->item = reader_summaries(k->reader, &k->e[k->at],
		    &k->n_item);
		k->next = 0;
		while (k->at < k->n && k->e[k->at].offset == offset)
			k->at++;
	}
	return k->next < k->n_item ? &k->item[k->next] : NULL;
}

/* Of a file that cat(1) joined, numbers may begin again. */
static bool is_before(const struct summary *a, const struct summary *b)
{
	return a->to_ns < b->to_ns;
}

static bool has_figure(const struct summary *s, struct span name)
{
	size_t i;

	for (i = 0; i < s->n_figure; i++) {
		if (span_same(summary_figure_name(s, &s->figure[i]), name))
			return true;
	}
	return false;
}

/* Figures that are known, of a stretch that has none of them, pass over what it has. */
static bool has_invented(const struct kept *k, const struct summary *s,
	const struct summary *made)
{
	size_t i;

	for (i = 0; i < s->n_figure; i++) {
		struct span name = summary_figure_name(s, &s->figure[i]);

		if (!has_figure(made, name) &&
		    k->also->knows(k->also->also.self, name))
			return true;
	}
	return false;
}

/* Those before `made` can't be derived. */
static size_t compare(struct kept *k, const struct summary *made)
{
	const struct summary *s;
	size_t wrong = 0;

	while ((s = peek(k)) != NULL && (!made || !is_before(made, s))) {
		wrong += !made || !summary_fits(s, made) ||
		    has_invented(k, s, made);
		k->next++;
		if (made && !is_before(s, made))
			break;
	}
	return wrong;
}

static size_t check(struct reader *r, struct stretch *all,
	const struct sumcheck_also *also, const struct reading *reading)
{
	struct kept k = { .reader = r, .also = also };
	enum cursor_step is = CURSOR_TICK;
	struct cursor_gap gap;
	struct gs_err err;
	struct tick *t = NULL;
	size_t wrong = 0;

	if (reader_index(r, &k.e, &k.n, NULL) < 0)
		return 0; /* damage that is reported anyway */
	while (is == CURSOR_TICK || is == CURSOR_GAP) {
		const struct summary *made = NULL;

		is = reader_next(r, &t, &gap, &err);
		if (is == CURSOR_GAP)
			stretch_abandon(all);
		if (is == CURSOR_TICK)
			made = stretch_tick(all, t);
		if (made)
			wrong += compare(&k, made);
		reading_at(reading, reader_offset(r));
	}
	return wrong + compare(&k, NULL);
}

size_t sumcheck_file(const char *path, const struct sumcheck_also *also,
	const struct reading *reading)
{
	struct reader *r = NULL;
	struct stretch *all = stretch_new(&also->also);
	size_t wrong = 0;

	if (reader_open(path, &r, NULL) == 0)
		wrong = check(r, all, also, reading);
	reader_free(r);
	stretch_free(all);
	return wrong;
}
