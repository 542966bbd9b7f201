/* SPDX-License-Identifier: Apache-2.0 */
/*
 * notable_list.c - the list of a tick's events.
 */
#include "analysis/notable_int.h"

#include "base/mem.h"

void notable_begin(struct notables *n, enum event_kind kind,
	const struct host *h, int64_t value)
{
	GS_GROW(n->item, &n->cap, n->n + 1);
	n->item[n->n++] = (struct item) { kind, h ? h->index : EVENT_NO_HOST,
		value, n->texts.len };
}

void notable_end(struct notables *n)
{
	buf_add_char(&n->texts, '\0');
}

size_t notable_count(const struct notables *n)
{
	return n->n;
}

struct notable notable_get(const struct notables *n, size_t i)
{
	const struct item *k = &n->item[i];

	return (struct notable) { k->kind, n->wall_ns, k->host, k->value,
		n->texts.ptr + k->at };
}
