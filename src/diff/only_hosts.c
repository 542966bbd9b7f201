/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/only_hosts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* tick and header are copies whose lists are filtered; all else belongs to the
 * tick of the source. */
struct only_hosts {
	struct cursor from;
	const char *const *name;
	bool *seen;
	size_t n_name;
	bool whole; /* there is no other host */
	uint32_t *keep; /* indexes of hosts and catalogs */
	size_t n_keep, keep_cap;
	struct tick tick;
	struct header header;
	struct header_host *host;
	size_t host_cap;
	struct block **block;
	size_t block_cap;
	struct event *event;
	size_t event_cap;
};

struct only_hosts *only_hosts_new(struct cursor from, const char *const *name,
	size_t n)
{
	struct only_hosts *o = gs_calloc(1, sizeof(*o));

	o->from = from;
	o->name = name;
	o->n_name = n;
	o->seen = gs_calloc(n + 1, sizeof(*o->seen));
	return o;
}

void only_hosts_free(struct only_hosts *o)
{
	if (!o)
		return;
	free(o->seen);
	free(o->keep);
	free(o->host);
	free(o->block);
	free(o->event);
	free(o);
}

static bool is_kept(const struct only_hosts *o, uint32_t index)
{
	size_t i;

	for (i = 0; i < o->n_keep; i++) {
		if (o->keep[i] == index)
			return true;
	}
	return o->whole;
}

static size_t hosts_of(const struct header *h)
{
	size_t i, n = 0;

	for (i = 0; i < h->n_host; i++)
		n += !h->host[i].catalog;
	return n;
}

static bool is_named(struct only_hosts *o, const char *host)
{
	size_t i;

	for (i = 0; i < o->n_name; i++) {
		if (strcmp(host, o->name[i]) == 0) {
			o->seen[i] = true;
			return true;
		}
	}
	return false;
}

const char *only_hosts_unseen(const struct only_hosts *o)
{
	size_t i;

	for (i = 0; i < o->n_name; i++) {
		if (!o->seen[i])
			return o->name[i];
	}
	return NULL;
}

static void apply_header(struct only_hosts *o, const struct header *h)
{
	size_t i;

	o->header = *h;
	o->n_keep = 0;
	o->whole = hosts_of(h) <= 1;
	GS_GROW(o->host, &o->host_cap, h->n_host + 1);
	o->header.host = o->host;
	o->header.n_host = 0;
	for (i = 0; i < h->n_host; i++) {
		const struct header_host *one = &h->host[i];

		if (!one->catalog && !is_named(o, one->name) && !o->whole)
			continue;
		o->host[o->header.n_host++] = *one;
		GS_GROW(o->keep, &o->keep_cap, o->n_keep + 1);
		o->keep[o->n_keep++] = one->index;
	}
	o->tick.header = &o->header;
}

static const struct tick *filtered(struct only_hosts *o, const struct tick *t)
{
	size_t i;

	o->tick = *t;
	if (t->header)
		apply_header(o, t->header);
	GS_GROW(o->block, &o->block_cap, t->n_block + 1);
	GS_GROW(o->event, &o->event_cap, t->n_event + 1);
	o->tick.block = o->block;
	o->tick.event = o->event;
	o->tick.n_block = o->tick.n_event = 0;
	for (i = 0; i < t->n_block; i++) {
		if (is_kept(o, t->block[i]->host))
			o->block[o->tick.n_block++] = t->block[i];
	}
	for (i = 0; i < t->n_event; i++) {
		if (t->event[i].host == EVENT_NO_HOST ||
		    is_kept(o, t->event[i].host))
			o->event[o->tick.n_event++] = t->event[i];
	}
	return &o->tick;
}

static enum cursor_step next(void *self, const struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	struct only_hosts *o = self;
	enum cursor_step step = cursor_next(o->from, ret, gap, err);

	if (step == CURSOR_TICK || step == CURSOR_REPEAT)
		*ret = filtered(o, *ret);
	return step;
}

static int seek(void *self, int64_t wall_ns, struct gs_err *err)
{
	return cursor_seek(((struct only_hosts *)self)->from, wall_ns, err);
}

struct cursor only_hosts_cursor(struct only_hosts *o)
{
	static const struct cursor_ops ops = { .next = next, .seek = seek };

	return (struct cursor) { &ops, o };
}
