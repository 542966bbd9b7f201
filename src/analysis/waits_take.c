/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_take.c - what is told of ticks that are left out when a recording is
 * thinned.
 *
 * Thinning samples every tick, as a replay does.  With each tick that it keeps
 * it writes the sums since the one before, which a reader adds
 * (waits_left_out.c).  Of each server there is one more entry with what is not a
 * sum over backends: covered time, sessions, the highest load.  It stands at one of
 * its backends; if none was seen, at the catalog's answers, or at a host's row if there
 * are none, unless the time of a stream says it.  Of each stream there is
 * one with its time and samples; of a backend that was not there at each tick, one with
 * what its process used.  What is left of these, and told of no activity, a
 * backend that is idle now was idle: most are all the time.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/waits_told.h"

static struct wait_sum told(struct wait_sum s)
{
	s.asleep_ns = waits_lacking_sleep(&s);
	s.with_io_ns = gs_difference(s.time_ns, s.with_io_ns);
	return s;
}

static struct seen *seen_of(const struct row_entry *e)
{
	/* the backend is its first member */
	return (struct seen *)(uintptr_t)e->key.backend;
}

static const struct wait_sum *sum_of(const struct row_entry *e)
{
	return e->row.backend->content < 0 ? e->row.sum : e->row.segment;
}

static bool is_idle(const struct row_entry *e)
{
	return e->row.event->kind < WAIT_CPU;
}

/* In all samples of its stream, this tick's too: its idle time is what others leave.
 * Of one that came since the last tick that was taken nobody could tell that. */
static bool is_rest(const struct row_entry *e)
{
	const struct seen *b = seen_of(e);

	return is_idle(e) && b->kept && b->backend.open &&
	    b->backend.event == e->row.event && b->stream->sampled &&
	    b->sample == b->stream->number &&
	    b->taken_ns == b->stream->sum_ns && b->n_taken > 0 &&
	    b->n_taken == b->stream->n_sample;
}

static void sum_up(struct waits *s)
{
	size_t i;

	for (i = 0; i < s->n_all; i++) {
		s->all[i]->taken_ns = 0;
		s->all[i]->n_taken = 0;
	}
	for (i = 0; i < s->n_row; i++) {
		const struct wait_sum *sum = sum_of(s->row[i]);
		struct seen *b = seen_of(s->row[i]);

		waits_add(&b->taken_ns, sum->time_ns);
		b->n_taken += sum->samples;
	}
}

/* Of what is idle neither queries nor lengths are shown. */
static void set_amounts(const struct row_entry *e, struct row_waited *to)
{
	const struct wait_sum sum = told(*sum_of(e));

	if (is_idle(e)) {
		to->amount[TIME] = sum.time_ns;
		to->amount[TIMES] = (int64_t)sum.samples;
		return;
	}
	memcpy(to->amount, &sum, sizeof(to->amount));
	if (!e->row.query)
		return;
	to->query = e->row.query->text;
	to->has_query_id = e->row.query->has_id;
	to->query_id = to->has_query_id ? e->row.query->id : 0;
}

static void give_entry(const struct row_entry *e, waits_take_fn fn, void *ctx)
{
	const struct wait_event *event = e->row.event;
	char none[] = "";
	struct row_waited what = { .kind = (uint32_t)event->kind + 1,
		.query = none };
	struct buf name = BUF_INIT;

	buf_add_str(&name, event->class);
	if (event->event[0])
		buf_printf(&name, ":%s", event->event);
	what.event = name.len > 0 ? name.ptr : none;
	set_amounts(e, &what);
	fn(ctx, seen_of(e)->serial, &what);
	buf_release(&name);
}

static void give_work(const struct waits *s, waits_take_fn fn, void *ctx)
{
	char none[] = "";
	size_t i;

	for (i = 0; i < s->n_all; i++) {
		struct row_waited what = { .kind = OF_WORK, .event = none,
			.query = none };

		if (waits_tells_work(s->all[i], what.amount))
			fn(ctx, s->all[i]->serial, &what);
	}
}

static void give_stream(struct stream *t, waits_take_fn fn, void *ctx)
{
	char none[] = "";
	struct row_waited what = { .kind = OF_STREAM, .event = none,
		.query = none };

	what.amount[TIME] = t->sum_ns;
	what.amount[TIMES] = (int64_t)t->n_sample;
	if (t->n_sample > 0 || t->sum_ns > 0)
		fn(ctx, t->row, &what);
	t->sum_ns = 0;
	t->n_sample = 0;
}

static void give_streams(struct waits *s, waits_take_fn fn, void *ctx)
{
	struct stream *t, *next;
	unsigned k;

	for (k = 0; k < CATALOGS; k++)
		give_stream(&s->catalog[k], fn, ctx);
	HASH_ITER(hh, s->hosts, t, next)
		give_stream(t, fn, ctx);
}

/* A backend that was sampled; if possible one that is still there. */
static const struct seen *any_backend(const struct waits *s)
{
	const struct seen *any = NULL;
	size_t i;

	for (i = 0; i < s->n_row && !(any && any->backend.open); i++) {
		const struct seen *b = seen_of(s->row[i]);

		if (sum_of(s->row[i])->samples > 0 &&
		    (!any || b->backend.open))
			any = b;
	}
	return any;
}

static void tell_stream(struct stream *t)
{
	t->is_told = t->n_sample > 0 || t->sum_ns > 0;
	t->told_ns = t->sum_ns;
	t->n_told = t->n_sample;
}

/* As a reader will find them. */
static void tell_streams(struct waits *s)
{
	struct stream *t, *next;

	tell_stream(&s->catalog[COORDINATOR]);
	HASH_ITER(hh, s->hosts, t, next)
		tell_stream(t);
}

/* The row that tells of a server if no backend does; false: none. */
static bool unseen_row(const struct waits *s, uint32_t *ret_serial)
{
	const struct stream *t, *next;

	if (s->answers) {
		*ret_serial = s->answers->serial;
		return true;
	}
	HASH_ITER(hh, s->hosts, t, next) {
		*ret_serial = t->row;
		if (t->is_told)
			return true;
	}
	/* it has no catalog, and no process of it was seen */
	if (s->host)
		*ret_serial = s->host->serial;
	return s->host != NULL;
}

/* A reader may not know the streams of the server: it is told even what these cover. */
static bool find_unseen(struct waits *s, uint32_t *ret_serial)
{
	tell_streams(s);
	return (s->total.covered_ns != 0 || s->total.samples != 0) &&
	    unseen_row(s, ret_serial);
}

static void give_server(struct waits *s, waits_take_fn fn, void *ctx)
{
	const struct waits_total *t = &s->total;
	const struct seen *b = any_backend(s);
	char none[] = "";
	struct row_waited what = { .kind = b ? OF_SERVER : OF_UNSEEN,
		.event = none, .query = none };
	uint32_t serial = b ? b->serial : 0;

	if (!b && !find_unseen(s, &serial))
		return;
	what.amount[COVERED] = t->covered_ns;
	what.amount[SAMPLES] = (int64_t)t->samples;
	what.amount[SESSION_TIME] = t->session_time_ns;
	what.amount[PEAK] = t->peak_ns;
	what.amount[PEAK_WEIGHT] = t->peak_weight_ns;
	what.amount[IO_WORKERS] = t->io_workers_ns;
	what.amount[IO_WORKERS_BUSY] = t->part_ns[WAIT_IO_WORKER];
	fn(ctx, serial, &what);
}

static bool has_run(const struct row_entry *e)
{
	const struct seen *b = seen_of(e);
	size_t i;

	for (i = 0; b->backend.open && i < b->n_run; i++) {
		if (b->run[i].entry == e)
			return true;
	}
	return false;
}

/* Entries of current runs stay, without sums. */
static void forget_entries(struct waits *s)
{
	size_t i, kept = 0;

	for (i = 0; i < s->n_row; i++) {
		struct row_entry *e = s->row[i];

		if (has_run(e)) {
			waits_entry_forget(e);
			s->row[kept++] = e;
		} else {
			HASH_DEL(s->rows, e);
			waits_entry_free(e);
		}
	}
	s->n_row = kept;
}

void waits_take(struct waits *s, waits_take_fn fn, void *ctx)
{
	int64_t newest_ns = s->total.newest_ns;
	size_t i;

	s->is_taken = true;
	waits_settle(s);
	sum_up(s);
	for (i = 0; i < s->n_row; i++) {
		const struct row_entry *e = s->row[i];

		if ((sum_of(e)->samples || sum_of(e)->time_ns) && !is_rest(e))
			give_entry(e, fn, ctx);
	}
	give_work(s, fn, ctx);
	give_server(s, fn, ctx);
	give_streams(s, fn, ctx);
	forget_entries(s);
	waits_forget_gone(s);
	waits_take_work(s);
	for (i = 0; i < s->n_all; i++)
		s->all[i]->kept = true;
	s->total = (struct waits_total) { .newest_ns = newest_ns };
}
