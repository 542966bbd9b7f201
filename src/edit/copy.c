/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/copy_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "edit/lineage.h"

/* ---- the header ------------------------------------------------------- */

static bool is_left_out(struct copy *c, const struct header_host *hh)
{
	return c->o->pick->n_host > 0 && !hh->catalog &&
	    !copy_wants_host(c, hh->index) && !pick_has_name(c->o->pick, hh->name);
}

static void leave_out_hosts(struct copy *c, struct header *h)
{
	size_t i = 0;

	while (i < h->n_host) {
		if (is_left_out(c, &h->host[i]))
			header_remove_host(h, h->host[i].index);
		else
			i++;
	}
}

/* Makes h a new recording, derived from all sources so far; names are those in
 * h. */
static void set_lineage(struct copy *c, struct header *h)
{
	const struct header *was =
	    c->encoder ? encoder_header(c->encoder) : NULL;

	if (was)
		lineage_keep(h, was);
	lineage_add(h, c->filter.header, h->recorder_host, 0);
	lineage_derive(h->recording_id, c->o->command);
	if (was)
		memcpy(h->recording_id, was->recording_id, RECORDING_ID_LEN);
}

static void set_header(struct copy *c)
{
	const struct header *from = c->filter.header;
	struct header *h = header_dup(from);

	h->format_version = FORMAT_VERSION;
	free(h->edited);
	h->edited = gs_strdup(c->o->command);
	if (!c->as_is)
		leave_out_hosts(c, h);
	if (c->o->redact)
		redact_header(c->o->redact, h);
	if (!c->as_is) {
		if (!c->o->is_made)
			set_lineage(c, h);
		h->file_number = (uint32_t)GS_MAX(sink_files(c->to), 1);
	}
	if (c->thin)
		thin_header(c->thin, h, c->o->keeps);
	if (c->encoder)
		encoder_set_header(c->encoder, h);
	else
		c->encoder = encoder_new(h);
}

/* ---- writing ---------------------------------------------------------- */

/* Titles, parsed with all context. */
static bool change_text(void *arg, const struct row *r, unsigned col,
	struct span text, struct span *ret)
{
	const struct copy *c = arg;
	const struct proc *p = r->entity == ENTITY_PROCESS &&
	    col == COL(PROCESS, TITLE) ? sessions_proc(c->filter.sessions, r)
	                               : NULL;
	struct span title = p ? span_of(p->text, p->text_len)
	                      : span_str("");

	if (p && p->row == r && !span_empty(text) &&
	    span_len(title) == span_len(text) &&
	    memcmp(title.ptr, text.ptr, span_len(text)) == 0)
		return redact_title(c->o->redact, title, &p->title, ret);
	return redact_text(c->o->redact, r->entity, col, text, ret);
}

static void start(struct copy *c)
{
	set_header(c);
	row_filter_columns(&c->filter, c->encoder);
	if (c->o->redact)
		encoder_change_texts(c->encoder, change_text, c);
}

/* Successive recordings of the source get continuous numbers here. */
static uint64_t number_of(struct copy *c, uint64_t seq)
{
	const struct header *h = c->filter.header;
	bool other = memcmp(c->recording, h->recording_id,
	    RECORDING_ID_LEN) != 0;

	memcpy(c->recording, h->recording_id, RECORDING_ID_LEN);
	if (c->thin && !c->o->keeps)
		return c->last_seq + 1 + (c->gap.any && c->ret->any);
	if (c->ret->any && other && !c->as_is)
		c->offset = c->last_seq + 1 + !c->seam + c->left_out - seq;
	return seq + c->offset;
}

/* Ticks left out before the next one; its number must match. */
static void encode_left_out(struct copy *c)
{
	bool numbered = c->ret->any && (!c->thin || c->o->keeps);

	encoder_leave_out(c->encoder, numbered ? c->left_out : 0);
	encoder_skip(c->encoder, c->ret->any ? c->skipped : 0);
	c->left_out = c->skipped = 0;
}

static void encode_host(struct copy *c, size_t i)
{
	const struct host *h = world_host(c->filter.world, i);
	const struct host_rows *l = row_filter_host(&c->filter, i);

	if (h->blocks > 0 && l->wanted && !l->absent)
		row_filter_encode(&c->filter, i, c->encoder, h->index,
		    &h->clock);
}

/* Hosts that the source no longer has. */
static void forget_gone(struct copy *c)
{
	size_t i;

	for (i = 0; i < world_hosts(c->filter.world); i++) {
		if (row_filter_host(&c->filter, i)->gone)
			row_filter_forget(&c->filter, i, c->encoder,
			    world_host(c->filter.world, i)->index);
	}
}

/* Hosts in the order of the tick; at the beginning all known ones. */
static void encode_hosts(struct copy *c, const struct tick *t)
{
	size_t n = world_hosts(c->filter.world), i, k;

	for (i = 0; !t && i < n; i++) {
		if (!c->thin || !c->ret->any || thin_is_fresh(c->thin, i))
			encode_host(c, i);
	}
	for (k = 0; t && k < t->n_block; k++) {
		for (i = 0; i < n; i++) {
			if (world_host(c->filter.world, i)->index ==
			    t->block[k]->host)
				encode_host(c, i);
		}
	}
}

/* Of this file, before the tick that is written next. */
static uint64_t missing_here(const struct copy *c, uint64_t before)
{
	return c->ret->any ? tick_missing(before, c->last_seq,
	    c->left_out) : 0;
}

/* Writes the tick; a full file is continued in another. */
static int put(struct copy *c, struct gs_err *err)
{
	struct tick *t = encoder_end(c->encoder);
	int r = sink_put(c->to, t, err);

	if (r < 0 || !sink_is_full(c->to))
		return r;
	r = sink_rotate(c->to, err);
	if (r < 0)
		return r;
	if (!c->as_is)
		encoder_header(c->encoder)->file_number++;
	return sink_put(c->to, encoder_repeat_as_key(c->encoder), err);
}

static int write_tick(struct copy *c, uint64_t seq, int64_t wall_ns,
	const struct tick *blocks, const struct tick *events, bool key,
	struct gs_err *err)
{
	uint64_t before = c->last_seq, missing;

	if (!c->encoder)
		start(c);
	else if (key || c->seam)
		set_header(c);
	forget_gone(c);
	if (!c->ret->any)
		row_filter_begin(&c->filter);
	if (key || c->gap.any || c->seam)
		encoder_need_key(c->encoder);
	c->last_seq = number_of(c, seq);
	encoder_set_seq(c->encoder, c->last_seq);
	missing = missing_here(c, before);
	encode_left_out(c);
	if (c->thin)
		thin_collect(c->thin);
	encoder_begin(c->encoder, wall_ns);
	encode_hosts(c, blocks);
	copy_encode_damage(c, missing, wall_ns);
	if (events)
		copy_encode_events(c, events);
	if (c->thin)
		thin_written(c->thin);
	c->gap = (struct copy_gap) { .any = false };
	c->seam = false;
	if (!c->ret->any)
		c->ret->first_ns = wall_ns;
	c->ret->any = true;
	c->ret->n_last = 0;
	c->ret->last_ns = wall_ns;
	return put(c, err);
}

/* ---- the range -------------------------------------------------------- */

static int64_t meant_for(const struct copy *c, int64_t wall_ns)
{
	return tick_instant(wall_ns, c->filter.pace);
}

/* Before the tick is applied, which may change the interval. */
static int64_t due(const struct copy *c, const struct tick *t)
{
	int64_t before = c->ret->any ? c->ret->last_ns
	    : c->have_base ? c->base_wall_ns : t->wall_ns;

	return tick_due_of(t, before, c->filter.pace);
}

static bool base_is_near(const struct copy *c)
{
	return c->have_base && (c->o->from_ns == INT64_MIN ||
	    walk_is_near(c->base_ns, c->o->from_ns, c->filter.pace.interval_ns));
}

/* The caller may stop the copy. */
static int report_step(struct copy *c, int64_t wall_ns, struct gs_err *err)
{
	if (c->o->step && !c->o->step(c->o->ctx, wall_ns, c->to))
		return gs_fail(err, GS_E_GONE,
		    "stopped: nothing was written");
	return GS_OK;
}

/* A gap that was noted is after it. */
static int write_base(struct copy *c, struct gs_err *err)
{
	struct copy_gap after = c->gap;
	int r = write_tick(c, c->base_seq, c->base_wall_ns, NULL, NULL, true,
	    err);

	c->gap = after;
	c->ret->n_first = 0;
	return r;
}

/* ---- ticks that are left out ------------------------------------------ */

/* Skipped ticks are written with the last of them. */
static int write_pending(struct copy *c, struct gs_err *err)
{
	int r;

	if (!c->pending)
		return GS_OK;
	r = write_tick(c, c->pending_seq, c->pending_ns, NULL, &c->passed,
	    c->pending_key, err);
	tick_reset(&c->passed);
	c->pending = c->pending_key = false;
	return r;
}

/* The numbers here show a file that is missing after this one. */
static bool is_in_file(const struct header *a, const struct header *b)
{
	return a->file_number == b->file_number && memcmp(a->recording_id,
	    b->recording_id, RECORDING_ID_LEN) == 0;
}

/* A key with new information must be written as a key. */
static bool is_news(struct copy *c, const struct header *a)
{
	const struct header *b = c->encoder ? encoder_header(c->encoder) : NULL;

	return !b || (c->o->keeps && !is_in_file(a, b)) ||
	    a->n_refused != b->n_refused || !header_same_servers(a, b);
}

/* Whether the recorder did nothing for so long that who judges each tick says so. */
static bool note_skipped(struct copy *c, const struct tick *t, uint64_t *ret)
{
	struct tick_pace p = c->filter.pace;
	int64_t before = c->before_ns, sampled = pace_sampled(p);
	bool follows = c->follows;

	*ret = follows ? tick_skipped_before(t, before, p.interval_ns) : 0;
	c->before_ns = t->wall_ns;
	c->follows = true;
	return *ret > 0 && pace_is_blind(t->wall_ns - before, sampled) &&
	    (p.thinned_ns == 0 || tick_skipped_all(t, before, sampled));
}

/* If the file continues the previous one, so does its copy. */
static int filter_thinned(struct copy *c, const struct tick *t,
	struct gs_err *err)
{
	int r = GS_OK;

	if (c->o->keeps && !c->filter.header && thin_continues(t))
		r = row_filter_tick(&c->filter, t, err);
	return r < 0 ? r : row_filter_tick(&c->filter, t, err);
}

static int copy_thinned(struct copy *c, const struct tick *t,
	struct gs_err *err)
{
	uint64_t skipped;
	bool edge = note_skipped(c, t, &skipped) ||
	    thin_before(c->filter.world, t) || c->gap.any;
	int r = edge ? write_pending(c, err) : GS_OK;

	if (r < 0)
		return r;
	r = filter_thinned(c, t, err);
	if (r == GS_E_MEMORY)
		return r;
	if (r < 0) {
		walk_lose(&c->walk, err);
		return write_pending(c, err);
	}
	if (c->filter.pace.interval_ns >= c->o->thin_ns)
		return gs_fail(err, GS_E_USAGE, "the recording has a tick "
		    "every %g s: expected a longer interval",
		    (double)c->filter.pace.interval_ns / 1e9);
	edge |= thin_tick(c->thin, c->filter.world, c->filter.sessions,
	    c->filter.pace.interval_ns, t->key, meant_for(c, t->wall_ns));
	c->ret->n_ticks++;
	copy_pass_events(c, t);
	c->left_out += t->left_out + c->pending;
	c->skipped += skipped;
	c->pending = true;
	c->pending_key |= !c->encoder || (t->header && is_news(c, t->header));
	c->pending_ns = t->wall_ns;
	c->pending_seq = t->seq;
	r = edge ? write_pending(c, err) : GS_OK;
	return r == GS_OK ? report_step(c, t->wall_ns, err) : r;
}

/* 0: go on; 1: done; negative: error. */
static int copy_tick(struct copy *c, const struct tick *t, struct gs_err *err)
{
	int64_t at = due(c, t);
	bool first = !c->encoder;
	int r = GS_OK;

	if (at > c->o->to_ns)
		return 1;
	if (at > c->o->from_ns && first && base_is_near(c)) {
		r = write_base(c, err);
		first = false;
	}
	if (r < 0)
		return r;
	r = row_filter_tick(&c->filter, t, err);
	if (r == GS_E_MEMORY)
		return r;
	if (r < 0) {
		walk_lose(&c->walk, err);
		return GS_OK;
	}
	if (at <= c->o->from_ns && first) {
		c->have_base = true;
		c->base_ns = at;
		c->base_wall_ns = t->wall_ns;
		c->base_seq = t->seq;
		return GS_OK;
	}
	c->left_out = t->left_out;
	c->skipped = t->skipped;
	r = write_tick(c, t->seq, t->wall_ns, first ? NULL : t, t,
	    t->key || first, err);
	return r == GS_OK ? report_step(c, t->wall_ns, err) : r;
}

/* The thinning changes from here: only a key can have that, and it must be
 * written before the next tick. */
static int rewrite_key(struct copy *c, const struct tick *t,
	struct gs_err *err)
{
	const struct header *was =
	    c->encoder ? encoder_header(c->encoder) : NULL;

	if (!was || !t->header || t->seq + c->offset != c->last_seq ||
	    (was->thinned_ns == t->header->thinned_ns &&
	    was->interval_ns == t->header->interval_ns))
		return GS_OK;
	set_header(c);
	return sink_put(c->to, encoder_repeat_as_key(c->encoder), err);
}

static void note_gap(struct copy *c, const struct cursor_gap *gap)
{
	row_filter_lost(&c->filter);
	c->gap.any = true;
	c->follows = false;
	if (gap->to_ns <= c->o->from_ns || gap->from_ns >= c->o->to_ns)
		return;
	/* nothing is missing between successive recordings */
	if (!gap->why[0])
		return;
	if (gap->damage && !c->gap.damage[0])
		(void)snprintf(c->gap.damage, sizeof(c->gap.damage),
		    "in the source: %s", gap->why);
	c->ret->n_gaps++;
	c->ret->n_damaged += gap->damage;
	c->ret->n_first += !c->ret->any;
	c->ret->n_last += c->ret->any;
	if (c->o->gap)
		c->o->gap(c->o->ctx, gap);
}

/* A tick repeated as a key, perhaps of another recording. */
static int copy_repeat(struct copy *c, const struct tick *t,
	struct gs_err *err)
{
	int r = row_filter_tick(&c->filter, t, err);

	if (r == GS_E_MEMORY)
		return r;
	if (r < 0) {
		walk_lose(&c->walk, err);
		return c->thin ? write_pending(c, err) : GS_OK;
	}
	if (c->thin)
		thin_repeat(c->thin, c->filter.world);
	c->pending_key |= c->o->keeps && t->header && is_news(c, t->header);
	if (c->have_base && t->wall_ns == c->base_wall_ns)
		c->base_seq = t->seq;
	if (!c->ret->any || t->wall_ns != c->ret->last_ns)
		return GS_OK;
	if (memcmp(c->recording, c->filter.header->recording_id,
	    RECORDING_ID_LEN) == 0)
		return c->thin ? GS_OK : rewrite_key(c, t, err);
	c->seam = true;
	c->gap = (struct copy_gap) { .any = false };
	return GS_OK;
}

static int step(struct copy *c, struct gs_err *err)
{
	const struct tick *t = NULL;
	struct cursor_gap gap;
	enum cursor_step is = walk_next(&c->walk, &t, &gap, err);
	int r;

	switch (is) {
	case CURSOR_TICK:
		return c->thin ? copy_thinned(c, t, err) : copy_tick(c, t, err);
	case CURSOR_REPEAT:
		return copy_repeat(c, t, err);
	case CURSOR_GAP:
		r = write_pending(c, err);
		note_gap(c, &gap);
		return r;
	case CURSOR_WAIT:
	case CURSOR_END:
		c->ret->waiting = is == CURSOR_WAIT;
		if (walk_end(&c->walk, &gap))
			note_gap(c, &gap);
		return 1;
	case CURSOR_ERROR:
		return err->status ? (int)err->status : GS_E_IO;
	}
	return 1;
}

static void begin_thinning(struct copy *c)
{
	c->thin = thin_new(c->o->thin_ns);
	c->filter.keeps = true;
	row_filter_need_sessions(&c->filter);
	c->filter.sums = thin_sums;
	c->filter.waited = thin_waited;
	c->filter.sums_ctx = c->thin;
}

int copy_run(const struct copy_options *o, struct cursor from,
	int64_t interval_ns, struct sink *to, struct copy_result *ret,
	struct gs_err *err)
{
	struct copy c = { .o = o, .ret = ret, .to = to,
		.as_is = o->pick->all && !o->redact && !o->is_made &&
		    (!o->thin_ns || o->keeps) };
	struct gs_err own;
	int r = GS_OK;

	*ret = (struct copy_result) { 0 };
	if (!err)
		err = &own;
	err->status = GS_OK;
	row_filter_init(&c.filter, o->pick, interval_ns);
	if (o->redact)
		row_filter_need_sessions(&c.filter);
	walk_begin(&c.walk, from, interval_ns);
	if (o->thin_ns > 0)
		begin_thinning(&c);
	if (o->from_ns != INT64_MIN)
		r = walk_seek(&c.walk, o->from_ns, err);
	while (r == GS_OK)
		r = step(&c, err);
	/* all ticks were before the range, but the last is at its edge */
	if (r > 0 && !c.encoder && base_is_near(&c))
		r = write_base(&c, err);
	if (r > 0 && c.pending)
		r = write_pending(&c, err);
	tick_release(&c.passed);
	thin_free(c.thin);
	encoder_free(c.encoder);
	row_filter_release(&c.filter);
	return r < 0 ? r : GS_OK;
}
