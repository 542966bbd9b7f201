/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_hosts.c - chooses the source of each host's samples.
 *
 * The sums in a sample of a thinned recording are valid only after its previous
 * sample.  So another such source takes over a host at the sample that was
 * written last; for that the end of a source, which no other one has, is
 * skipped.
 */
#include "merge/merge_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/walk.h"

/* ---- which host it is -------------------------------------------------- */

static struct span boot_of(const struct input *l, size_t i)
{
	const struct world *w = l->filter.world;
	const struct row *r = host_row(world_host(w, i));

	return r ? row_text(w, r, COL(HOST, BOOT_ID)) : span_of("", 0);
}

/* True if another input has another machine of that name at the same time. */
static bool clashes(struct merge *m, const struct input *own, size_t at,
	size_t out)
{
	struct span boot = boot_of(own, at);
	size_t i, k;

	for (i = 0; i < m->n_input; i++) {
		struct input *l = m->input[i];

		for (k = 0; l != own && l->joined && k < l->n_host; k++) {
			if (l->host[k].is_known && l->host[k].out == out &&
			    l->host[k].fresh &&
			    merge_differ(boot, boot_of(l, k)))
				return true;
		}
	}
	return false;
}

static void note_renamed(struct merge *m, const struct input *l,
	const char *name, const char *now)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "%s: its host %s is another machine than that of the "
	    "others: it is called %s", input_name(l), name, now);
	merge_add_note(m, b.ptr);
}

/* The host keeps its name; another machine of that name becomes NAME-2. */
static size_t find_host(struct merge *m, struct input *l, size_t i)
{
	const struct host *h = world_host(l->filter.world, i);
	struct buf name = BUF_INIT;
	size_t out = merge_host_named(m, h->name, false);
	unsigned n = 1;

	while (clashes(m, l, i, out)) {
		buf_reset(&name);
		buf_printf(&name, "%s-%u", h->name, ++n);
		out = merge_host_named(m, buf_str(&name), false);
	}
	if (n > 1)
		note_renamed(m, l, h->name, buf_str(&name));
	buf_release(&name);
	return out;
}

static void disown(struct merge *m, struct merge_host *x)
{
	row_filter_forget(&x->owner->filter, x->at, m->encoder,
	    (uint32_t)(x - m->host));
	x->owner = NULL;
}

static int assign(struct merge *m, struct input *l, size_t i,
	struct gs_err *err)
{
	const struct host *h = world_host(l->filter.world, i);
	struct input_host *b = input_host(l, i);
	size_t out = MERGE_NO_CATALOG;
	int r = GS_OK;

	if (h->catalog)
		r = merge_find_catalog(m, l, i, &out, err);
	else
		out = find_host(m, l, i);
	if (r < 0 || out == MERGE_NO_CATALOG)
		return r;
	if (h->catalog && b->is_known && b->out != out &&
	    m->host[b->out].owner == l && m->host[b->out].at == i)
		disown(m, &m->host[b->out]); /* of another server from now on */
	b->out = out;
	free(b->name);
	b->name = gs_strdup(h->name);
	b->is_known = true;
	return GS_OK;
}

/* True if it has a unique name. */
static bool is_named(const struct input *l, const struct host *h)
{
	size_t i, n = 0;

	if (h->blocks > 0 || h->catalog)
		return true;
	for (i = 0; l->filter.header && i < l->filter.header->n_host; i++)
		n += !l->filter.header->host[i].catalog;
	return h->named && n > 1;
}

static bool is_assigned(struct merge *m, struct input *l, size_t i)
{
	const struct host *h = world_host(l->filter.world, i);
	const struct input_host *b = input_host(l, i);

	return b->is_known && strcmp(b->name, h->name) == 0 &&
	    (!h->catalog || !merge_is_other_server(m, l, i));
}

static int assign_all(struct merge *m, struct input *l, struct gs_err *err)
{
	size_t i;
	int r = GS_OK;

	for (i = 0; r == GS_OK && i < world_hosts(l->filter.world); i++) {
		if (is_named(l, world_host(l->filter.world, i)) &&
		    !is_assigned(m, l, i))
			r = assign(m, l, i, err);
	}
	return r;
}

/* ---- whose samples ----------------------------------------------------- */

/* True if it has current samples of the host. */
static bool has_it(const struct merge *m, const struct input *l,
	const struct input_host *b)
{
	int64_t now = m->aligned.at_ns;

	return b->is_known && b->seen && input_covers(l, now) &&
	    (b->fresh || walk_is_near(b->seen_ns, now, input_interval(l)));
}

static bool is_sample(const struct sample_clock *a,
	const struct sample_clock *b)
{
	return a->mono_ns == b->mono_ns && a->boot_ns == b->boot_ns;
}

/* True if the last written sample is the one before its newest. */
static bool follows(
    const struct merge_host *x, const struct input *l, size_t at)
{
	const struct host *h = world_host(l->filter.world, at);

	return x->has_written && h->blocks > 1 &&
	    is_sample(&x->written, &h->prev);
}

static void own(
    struct merge *m, struct merge_host *x, struct input *l, size_t at)
{
	uint32_t c = world_host(l->filter.world, at)->clock.connection;

	if (x->owner)
		disown(m, x);
	x->owner = l;
	x->at = at;
	x->raise = x->connection == 0 ? 0
	    : x->connection + !(m->thinned && follows(x, l, at)) - c;
}

static void note_between(struct merge *m, const struct merge_host *x,
	const struct input *l)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "%s and %s have no sample of %s in common where one "
	    "goes on for the other: what came and went there is missing",
	    input_name(x->owner), input_name(l), x->name);
	merge_add_note(m, b.ptr);
}

/* True if no part of its newest sample was written already. */
static bool may_own(struct merge *m, const struct merge_host *x,
	const struct input *l, size_t at)
{
	const struct host *h = world_host(l->filter.world, at);

	if (!m->thinned || !x->has_written || follows(x, l, at))
		return true;
	if (x->owner && has_it(m, x->owner, &x->owner->host[x->at]))
		return false;
	if (h->blocks == 1 || h->prev.wall_ns >= x->written.wall_ns)
		return true;
	if (x->owner)
		note_between(m, x, l);
	return false;
}

/* True if the input continues from the last written sample: with its newest, or
 * with its next. */
static bool goes_on(const struct merge *m, const struct merge_host *x,
	const struct input *l, size_t at)
{
	const struct host *h = world_host(l->filter.world, at);

	if (l->joined)
		return l->host[at].fresh && follows(x, l, at);
	return input_covers(l, m->aligned.at_ns) &&
	       is_sample(&x->written, &h->clock);
}

/* At the end of the owner, an input that continues it has the better sample. */
static void pass_on(struct merge *m, struct merge_host *x)
{
	const struct input *own_input = x->owner;
	size_t i, k;

	x->waits = false;
	if (!m->thinned || !own_input || !own_input->joined ||
	    !x->has_written ||
	    own_input->at_ns < own_input->last_ns - own_input->shift_ns)
		return;
	for (i = 0; i < m->n_input; i++) {
		struct input *l = m->input[i];

		for (k = 0; l != own_input && k < l->n_host; k++) {
			if (!l->host[k].is_known || !goes_on(m, x, l, k) ||
			    &m->host[l->host[k].out] != x)
				continue;
			x->waits = !l->joined;
			x->first = l;
			x->first_at = k;
			return;
		}
	}
}

/* The host has no more samples. */
static bool has_left(const struct merge_host *x)
{
	return row_filter_host(&x->owner->filter, x->at)->gone ||
	    (x->owner->ended && !x->owner->held && !x->owner->joined);
}

static void propose(struct merge *m, struct input *l)
{
	size_t i;

	for (i = 0; i < l->n_host; i++) {
		struct input_host *b = &l->host[i];
		struct merge_host *x;

		if (!has_it(m, l, b))
			continue;
		x = &m->host[b->out];
		if (x->first)
			continue;
		x->first = l;
		x->first_at = i;
	}
}

int merge_elect(struct merge *m, struct gs_err *err)
{
	size_t i;
	int r = GS_OK;

	for (i = 0; r == GS_OK && i < m->n_input; i++) {
		if (m->input[i]->joined)
			r = assign_all(m, m->input[i], err);
	}
	if (r == GS_OK)
		r = merge_check_clusters(m, err);
	if (r == GS_OK)
		r = merge_check_coordinators(m, err);
	for (i = 0; i < m->n_host; i++)
		m->host[i].first = NULL;
	for (i = 0; r == GS_OK && i < m->n_input; i++)
		propose(m, m->input[i]);
	for (i = 0; r == GS_OK && i < m->n_host; i++) {
		struct merge_host *x = &m->host[i];

		pass_on(m, x);
		if (x->owner && has_left(x) && (!m->thinned || !x->first))
			disown(m, x);
		if (x->first && x->first != x->owner &&
		    x->first->joined && x->first->host[x->first_at].fresh &&
		    may_own(m, x, x->first, x->first_at))
			own(m, x, x->first, x->first_at);
	}
	return r;
}

void merge_encode_hosts(struct merge *m)
{
	size_t i;

	for (i = 0; i < m->n_host; i++) {
		struct merge_host *x = &m->host[i];
		struct input *l = x->owner;
		struct sample_clock c;

		if (!l || !l->joined || x->waits || (!l->host[x->at].fresh &&
		    !l->host[x->at].lost))
			continue;
		c = world_host(l->filter.world, x->at)->clock;
		x->written = c;
		x->has_written = true;
		c.offset_ns += l->shift_ns;
		x->raise += l->gap;
		c.connection += x->raise;
		x->connection = c.connection;
		row_filter_encode(&l->filter, x->at, m->encoder, (uint32_t)i,
		    &c);
	}
}
