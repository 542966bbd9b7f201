/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tick_encoder_text.c - texts of an encoder: each is sent once between two keys.
 */
#include "model/tick_encoder_int.h"

#include <string.h>

/* The id of a text in the recording; adds the text if the reader does not have
 * it. */
static uint32_t id_of_text(struct tick_encoder *m, uint32_t own)
{
	uint32_t *tag = texts_mark(m->texts, own);
	struct span s;

	if (own == 0)
		return 0;
	if (*tag <= m->period_tag) {
		*tag = ++m->next_tag;
		s = texts_get(m->texts, own);
		if (!m->tick.key)
			m->period_bytes += span_len(s);
		tick_add_text(&m->tick, *tag - m->period_tag, s.ptr,
		    span_len(s));
	}
	return *tag - m->period_tag;
}

void encoder_translate_texts(struct tick_encoder *m, struct delta *d)
{
	const struct entity *en = entity_get(d->entity);
	unsigned k;
	size_t i;

	for (k = 0; k < en->n_text; k++) {
		struct delta_col *c = &d->col[en->text_col[k]];

		for (i = 0; i < c->n; i++)
			c->diff[i] = id_of_text(m, (uint32_t)c->diff[i]);
	}
}

uint32_t encoder_send_text(struct tick_encoder *m, const char *text)
{
	uint32_t own = texts_intern(m->texts, text, strlen(text), NULL);

	if (own == 0)
		return 0;
	if (*texts_mark(m->texts, own) > m->period_tag) {
		texts_unref(m->texts, own);
	} else {
		GS_GROW(m->sent, &m->sent_cap, m->n_sent + 1);
		m->sent[m->n_sent++] = own;
	}
	return id_of_text(m, own);
}

void encoder_forget_sent(struct tick_encoder *m)
{
	while (m->n_sent > 0)
		texts_unref(m->texts, m->sent[--m->n_sent]);
}
