/* SPDX-License-Identifier: Apache-2.0 */
#include "record/backlog.h"

#include <stdlib.h>

#include "base/mem.h"

/* What a frame takes beside its bytes. */
#define OVERHEAD (sizeof(struct backlog_frame) + 32)

void backlog_frame_free(struct backlog_frame *f)
{
	if (!f)
		return;
	buf_release(&f->zframe);
	free(f);
}

struct backlog_frame *backlog_pop(struct backlog *b)
{
	struct backlog_frame *f = b->first;

	if (!f)
		return NULL;
	b->first = f->next;
	if (!b->first)
		b->last = NULL;
	b->n--;
	b->bytes -= f->zframe.len + OVERHEAD;
	f->next = NULL;
	return f;
}

/* The key after the oldest one; NULL: there is none. */
static const struct backlog_frame *second_key(const struct backlog *b)
{
	const struct backlog_frame *f = b->first ? b->first->next : NULL;

	while (f && f->kind != FRAME_KEY)
		f = f->next;
	return f;
}

static uint64_t drop_before(struct backlog *b, const struct backlog_frame *key)
{
	uint64_t n = 0;

	for (; b->first && b->first != key; n++) {
		b->hole += b->first->hole;
		backlog_frame_free(backlog_pop(b));
	}
	return n;
}

void backlog_trim(struct backlog *b)
{
	const struct backlog_frame *key;

	while ((key = second_key(b)) != NULL &&
	    key->wall_ns <= b->last->wall_ns - b->keep_ns)
		(void)drop_before(b, key);
}

/* Without a second key there is nothing left but the wait for one. */
static void make_room(struct backlog *b)
{
	while (b->first && b->bytes > b->max_bytes) {
		const struct backlog_frame *key = second_key(b);

		b->cut |= !key;
		b->dropped += drop_before(b, key);
	}
}

void backlog_add(struct backlog *b, const struct backlog_frame *f)
{
	struct backlog_frame *copy;

	if (f->kind == FRAME_KEY)
		b->cut = false;
	if (b->cut) {
		b->dropped++;
		b->hole += f->hole;
		return;
	}
	copy = gs_calloc(1, sizeof(*copy));
	*copy = *f;
	copy->zframe = (struct buf)BUF_INIT;
	copy->next = NULL;
	buf_add(&copy->zframe, f->zframe.ptr, f->zframe.len);
	if (b->last)
		b->last->next = copy;
	else
		b->first = copy;
	b->last = copy;
	b->n++;
	b->bytes += copy->zframe.len + OVERHEAD;
	make_room(b);
}

void backlog_release(struct backlog *b)
{
	(void)drop_before(b, NULL);
}
