/* SPDX-License-Identifier: Apache-2.0 */
#include "model/sent_texts.h"

#include "base/mem.h"

void sent_init(struct sent_texts *t)
{
	*t = (struct sent_texts) { .texts = texts_new() };
}

void sent_release(struct sent_texts *t)
{
	texts_free(t->texts);
	free(t->drop);
	*t = (struct sent_texts) { 0 };
}

void sent_begin(struct sent_texts *t, struct tick *tick)
{
	size_t i;

	for (i = 0; i < t->n_drop; i++)
		texts_unref(t->texts, t->drop[i]);
	t->n_drop = 0;
	t->tick = tick;
}

uint32_t sent_text(struct sent_texts *t, struct span text)
{
	bool is_new;
	uint32_t id = texts_intern(t->texts, text.ptr, span_len(text),
	    &is_new);

	if (is_new)
		tick_add_text(t->tick, id, text.ptr, span_len(text));
	return id;
}

void sent_drop(struct sent_texts *t, uint32_t id)
{
	GS_GROW(t->drop, &t->drop_cap, t->n_drop + 1);
	t->drop[t->n_drop++] = id;
}

void sent_set(struct sent_texts *t, struct cells now, struct cells was,
	unsigned col, struct span text)
{
	if (was.val && cells_has(was, col)) {
		uint32_t id = (uint32_t)was.val[col];
		struct span old = texts_get(t->texts, id);

		if (span_len(old) == span_len(text) &&
		    memcmp(old.ptr, text.ptr, span_len(text)) == 0) {
			texts_ref(t->texts, id);
			cells_set(now, col, id);
			return;
		}
	}
	cells_set(now, col, sent_text(t, text));
}

void sent_keep(struct sent_texts *t, struct cells now, struct cells was,
	unsigned col)
{
	if (!was.val || !cells_has(was, col))
		return;
	texts_ref(t->texts, (uint32_t)was.val[col]);
	cells_set(now, col, was.val[col]);
}

void sent_replace(struct sent_texts *t, enum entity_id e, struct cells was,
	struct cells now)
{
	const struct entity *en = entity_get(e);
	unsigned i;

	for (i = 0; i < en->n_text; i++) {
		unsigned col = en->text_col[i];
		uint64_t old, new;

		if (!cells_get(was, col, &old))
			continue;
		/* now has a second reference of the same id */
		if (cells_get(now, col, &new) && new == old)
			texts_unref(t->texts, (uint32_t)old);
		else
			sent_drop(t, (uint32_t)old);
	}
}

void sent_forget(struct sent_texts *t, enum entity_id e, struct cells c)
{
	const struct entity *en = entity_get(e);
	unsigned i;

	for (i = 0; i < en->n_text; i++) {
		unsigned col = en->text_col[i];

		if (cells_has(c, col))
			sent_drop(t, (uint32_t)c.val[col]);
	}
}
