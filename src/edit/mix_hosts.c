/*
 * mix_hosts.c - whose samples of a host are taken.
 */
#include "edit/mix_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* ---- which host it is -------------------------------------------------- */

static struct span boot_of(const struct lane *l, size_t i)
{
	const struct world *w = l->feed.world;
	const struct row *r = host_row(world_host(w, i));

	return r ? row_text(w, r, COL(HOST, BOOT_ID)) : span_of("", 0);
}

/* Somebody else has another machine of that name at this very time. */
static bool clashes(struct mix *m, const struct lane *own, size_t at,
	size_t out)
{
	struct span boot = boot_of(own, at);
	size_t i, k;

	for (i = 0; i < m->n_lane; i++) {
		struct lane *l = m->lane[i];

		for (k = 0; l != own && l->taken && k < l->n_berth; k++) {
			if (l->berth[k].is_known && l->berth[k].out == out &&
			    l->berth[k].fresh && mix_differ(boot, boot_of(l, k)))
				return true;
		}
	}
	return false;
}

static size_t host_named(struct mix *m, const char *name, bool catalog)
{
	size_t i;

	for (i = 0; i < m->n_host; i++) {
		if (m->host[i].catalog == catalog &&
		    strcmp(m->host[i].name, name) == 0)
			return i;
	}
	GS_GROW(m->host, &m->host_cap, m->n_host + 1);
	m->host[m->n_host] = (struct mix_host) { .name = gs_strdup(name),
		.catalog = catalog };
	m->relisted = true;
	return m->n_host++;
}

static void tell_renamed(struct mix *m, const struct lane *l,
	const char *name, const char *now)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "%s: its host %s is another machine than that of the "
	    "others: it is called %s", lane_name(l), name, now);
	mix_add_note(m, b.ptr);
}

/* The host is called as it is; another machine of that name NAME-2. */
static void assign(struct mix *m, struct lane *l, size_t i)
{
	const struct host *h = world_host(l->feed.world, i);
	struct buf name = BUF_INIT;
	struct berth *b = lane_berth(l, i);
	unsigned n = 1;

	buf_add_str(&name, h->name);
	b->out = host_named(m, h->name, h->catalog);
	while (!h->catalog && clashes(m, l, i, b->out)) {
		buf_reset(&name);
		buf_printf(&name, "%s-%u", h->name, ++n);
		b->out = host_named(m, buf_str(&name), false);
	}
	if (n > 1)
		tell_renamed(m, l, h->name, buf_str(&name));
	buf_release(&name);
	free(b->name);
	b->name = gs_strdup(h->name);
	b->is_known = true;
}

/* Known by a name that is its own. */
static bool is_named(const struct lane *l, const struct host *h)
{
	size_t i, n = 0;

	if (h->blocks > 0 || h->catalog)
		return true;
	for (i = 0; l->feed.header && i < l->feed.header->n_host; i++)
		n += !l->feed.header->host[i].catalog;
	return h->named && n > 1;
}

static void assign_all(struct mix *m, struct lane *l)
{
	size_t i;

	for (i = 0; i < world_hosts(l->feed.world); i++) {
		const struct host *h = world_host(l->feed.world, i);
		struct berth *b = lane_berth(l, i);

		if (is_named(l, h) &&
		    (!b->is_known || strcmp(b->name, h->name) != 0))
			assign(m, l, i);
	}
}

/* ---- whose samples ----------------------------------------------------- */

/* It has samples of the host about now. */
static bool has_it(const struct mix *m, const struct lane *l,
	const struct berth *b)
{
	int64_t now = m->beat.at_ns;

	return b->is_known && b->seen && lane_covers(l, now) &&
	    (b->fresh || now - b->seen_ns <= lane_interval(l) * 3 / 2);
}

static void disown(struct mix *m, struct mix_host *x)
{
	feed_forget(&x->owner->feed, x->at, m->maker,
	    (uint32_t)(x - m->host));
	x->owner = NULL;
}

static void own(struct mix *m, struct mix_host *x, struct lane *l, size_t at)
{
	uint32_t c = world_host(l->feed.world, at)->clock.connection;

	if (x->owner)
		disown(m, x);
	x->owner = l;
	x->at = at;
	x->raise = x->connection == 0 ? 0 : x->connection + 1 - c;
}

/* The host will say no more. */
static bool has_left(const struct mix_host *x)
{
	return feed_lineup(&x->owner->feed, x->at)->gone ||
	    (x->owner->ended && !x->owner->held && !x->owner->taken);
}

static int propose(struct mix *m, struct lane *l, struct gs_err *err)
{
	size_t i;

	for (i = 0; i < l->n_berth; i++) {
		struct berth *b = &l->berth[i];
		struct mix_host *x;
		int r;

		if (!has_it(m, l, b))
			continue;
		x = &m->host[b->out];
		r = l->taken ? mix_check_cluster(m, l, i, x, err) : GS_OK;
		if (r < 0)
			return r;
		if (x->first)
			continue;
		x->first = l;
		x->first_at = i;
	}
	return GS_OK;
}

int mix_elect(struct mix *m, struct gs_err *err)
{
	size_t i;
	int r;

	for (i = 0; i < m->n_lane; i++) {
		if (m->lane[i]->taken)
			assign_all(m, m->lane[i]);
	}
	r = mix_check_coordinators(m, err);
	for (i = 0; i < m->n_host; i++)
		m->host[i].first = NULL;
	for (i = 0; r == GS_OK && i < m->n_lane; i++)
		r = propose(m, m->lane[i], err);
	for (i = 0; r == GS_OK && i < m->n_host; i++) {
		struct mix_host *x = &m->host[i];

		if (x->owner && has_left(x))
			disown(m, x);
		if (x->first && x->first != x->owner &&
		    x->first->taken && x->first->berth[x->first_at].fresh)
			own(m, x, x->first, x->first_at);
	}
	return r;
}

void mix_say_hosts(struct mix *m)
{
	size_t i;

	for (i = 0; i < m->n_host; i++) {
		struct mix_host *x = &m->host[i];
		struct lane *l = x->owner;
		struct sample_clock c;

		if (!l || !l->taken || (!l->berth[x->at].fresh &&
		    !l->berth[x->at].lost))
			continue;
		c = world_host(l->feed.world, x->at)->clock;
		c.offset_ns += l->shift_ns;
		x->raise += l->gap;
		c.connection += x->raise;
		x->connection = c.connection;
		feed_say(&l->feed, x->at, m->maker, (uint32_t)i, &c);
	}
}
