#include "model/waits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "model/waits_int.h"

/* Distinct queries of a range; beyond, a query has no row of its own. */
#define QUERIES_MAX 20000

struct event_entry {
	struct wait_event event;
	char *key;
	UT_hash_handle hh;
};

struct query_entry {
	struct wait_query query;
	char *key;
	UT_hash_handle hh;
};

struct row_key {
	const void *event, *backend, *query;
};

struct row_entry {
	struct wait_row row;
	struct row_key key;
	UT_hash_handle hh;
};

/* A backend and the run that it is in. */
struct seen {
	struct wait_backend backend;
	struct row *row; /* held while it is open */
	uint64_t sample; /* that saw it last */
	int64_t query_start;
	uint64_t run; /* samples of the run with weight; 0: before the range */
	int64_t run_ns; /* its first sample */
	struct row_entry *entry;
};

struct waits {
	unsigned by;
	int64_t gap_ns;
	waits_process_fn process;
	void *ctx;
	struct event_entry *events;
	struct query_entry *queries;
	struct row_entry *rows;
	struct row_entry **row; /* in order */
	size_t n_row, row_cap;
	struct seen **seen; /* by serial of the row */
	size_t seen_cap;
	struct seen **all;
	size_t n_all, all_cap;
	bool begun; /* there was a sample before */
	int64_t mono_ns; /* of that */
	uint64_t stamp; /* when the database answered it */
	uint64_t number; /* of the newest sample, from 1 */
	struct waits_total total;
	struct buf key;
};

struct waits *waits_new(unsigned by, int64_t interval_ns,
	waits_process_fn process, void *ctx)
{
	struct waits *s = gs_calloc(1, sizeof(*s));

	s->by = by;
	s->gap_ns = interval_ns > INT64_MAX / WAITS_GAP_INTERVALS ? INT64_MAX
	    : interval_ns * WAITS_GAP_INTERVALS;
	s->process = process;
	s->ctx = ctx;
	return s;
}

static void seen_free(struct seen *b)
{
	if (b->row)
		row_drop(b->row);
	free(b->backend.type);
	free(b->backend.user);
	free(b->backend.database);
	free(b->backend.application);
	free(b->backend.state);
	free(b);
}

static void free_rows(struct waits *s)
{
	struct row_entry *e, *next;

	HASH_ITER(hh, s->rows, e, next) {
		HASH_DEL(s->rows, e);
		free(e);
	}
	s->n_row = 0;
}

void waits_free(struct waits *s)
{
	struct event_entry *e, *e_next;
	struct query_entry *q, *q_next;
	size_t i;

	if (!s)
		return;
	free_rows(s);
	HASH_ITER(hh, s->events, e, e_next) {
		HASH_DEL(s->events, e);
		free(e->event.class);
		free(e->event.event);
		free(e->key);
		free(e);
	}
	HASH_ITER(hh, s->queries, q, q_next) {
		HASH_DEL(s->queries, q);
		free(q->query.text);
		free(q->key);
		free(q);
	}
	for (i = 0; i < s->n_all; i++)
		seen_free(s->all[i]);
	free(s->all);
	free(s->seen);
	free(s->row);
	buf_release(&s->key);
	free(s);
}

/* ---- names ----------------------------------------------------------- */

static const struct wait_event *event_of(struct waits *s, enum wait_kind kind,
	struct span class, struct span event)
{
	struct event_entry *e;

	buf_reset(&s->key);
	buf_printf(&s->key, "%d:", (int)kind);
	buf_add(&s->key, class.ptr, span_len(class));
	buf_add_char(&s->key, ':');
	buf_add(&s->key, event.ptr, span_len(event));
	HASH_FIND(hh, s->events, s->key.ptr, s->key.len, e);
	if (e)
		return &e->event;
	e = gs_calloc(1, sizeof(*e));
	e->event.kind = kind;
	e->event.class = gs_strndup(class.ptr, span_len(class));
	e->event.event = gs_strndup(event.ptr, span_len(event));
	e->key = gs_strndup(s->key.ptr, s->key.len);
	HASH_ADD_KEYPTR(hh, s->events, e->key, s->key.len, e);
	return &e->event;
}

static struct wait_query *query_of(struct waits *s, const struct world *w,
	const struct row *r)
{
	struct span text = row_text(w, r, COL(BACKEND, QUERY));
	struct query_entry *q;
	uint64_t id;
	bool has_id = row_get(r, COL(BACKEND, QUERY_ID), &id) && id != 0;

	if (!has_id && span_empty(text))
		return NULL;
	buf_reset(&s->key);
	if (has_id)
		buf_printf(&s->key, "%" PRIu64, id);
	else
		buf_add(&s->key, text.ptr, span_len(text));
	HASH_FIND(hh, s->queries, s->key.ptr, s->key.len, q);
	if (q)
		return &q->query;
	if (HASH_COUNT(s->queries) >= QUERIES_MAX)
		return NULL;
	q = gs_calloc(1, sizeof(*q));
	q->query.has_id = has_id;
	q->query.id = has_id ? (int64_t)id : 0;
	q->query.text = gs_strndup(text.ptr, span_len(text));
	q->key = gs_strndup(s->key.ptr, s->key.len);
	HASH_ADD_KEYPTR(hh, s->queries, q->key, s->key.len, q);
	return &q->query;
}

static struct row_entry *entry_of(struct waits *s, const struct seen *b)
{
	struct row_key key = { .event = b->backend.event };
	struct row_entry *e;

	if (s->by & WAITS_BY_BACKEND)
		key.backend = &b->backend;
	if (s->by & WAITS_BY_QUERY)
		key.query = b->backend.query;
	HASH_FIND(hh, s->rows, &key, sizeof(key), e);
	if (e)
		return e;
	e = gs_calloc(1, sizeof(*e));
	e->key = key;
	e->row.event = b->backend.event;
	e->row.backend = key.backend;
	e->row.query = key.query;
	HASH_ADD(hh, s->rows, key, sizeof(e->key), e);
	GS_GROW(s->row, &s->row_cap, s->n_row + 1);
	s->row[s->n_row++] = e;
	return e;
}

/* ---- backends -------------------------------------------------------- */

static void set_text(char **to, struct span s)
{
	if (*to && span_eq(s, *to))
		return;
	free(*to);
	*to = gs_strndup(s.ptr, span_len(s));
}

static struct seen *seen_of(struct waits *s, struct row *r)
{
	struct seen *b;
	size_t old = s->seen_cap;

	if (r->serial >= old) {
		GS_GROW(s->seen, &s->seen_cap, (size_t)r->serial + 1);
		memset(s->seen + old, 0,
		    (s->seen_cap - old) * sizeof(*s->seen));
	}
	b = s->seen[r->serial];
	if (b)
		return b;
	b = gs_calloc(1, sizeof(*b));
	b->row = r;
	row_hold(r);
	s->seen[r->serial] = b;
	GS_GROW(s->all, &s->all_cap, s->n_all + 1);
	s->all[s->n_all++] = b;
	return b;
}

static int64_t time_cell(const struct row *r, unsigned col)
{
	uint64_t us;

	if (!row_get(r, col, &us) || (int64_t)us > INT64_MAX / 1000 ||
	    (int64_t)us < 0)
		return 0;
	return (int64_t)us * 1000;
}

/* Takes over what the row says; true if the backend goes on doing the same
 * for the same query. */
static bool take_row(struct waits *s, struct seen *b, const struct world *w,
	const struct wait_event *event)
{
	const struct row *r = b->row;
	int64_t start = time_cell(r, COL(BACKEND, QUERY_START));
	struct wait_query *q = query_of(s, w, r);
	bool same = b->sample + 1 == s->number && b->sample > 0 &&
	    b->backend.event == event && b->query_start == start &&
	    b->backend.query == q;
	uint64_t v;

	b->backend.content = row_get(r, COL(BACKEND, CONTENT), &v)
	    ? (int)(int64_t)v : -1;
	b->backend.pid = row_get(r, COL(BACKEND, PID), &v) ? (int)v : 0;
	set_text(&b->backend.type, row_text(w, r, COL(BACKEND, TYPE)));
	set_text(&b->backend.user, row_text(w, r, COL(BACKEND, USER)));
	set_text(&b->backend.database, row_text(w, r, COL(BACKEND, DATABASE)));
	set_text(&b->backend.application,
	    row_text(w, r, COL(BACKEND, APPLICATION)));
	set_text(&b->backend.state, row_text(w, r, COL(BACKEND, STATE)));
	b->backend.changed_ns = GS_MAX(start,
	    time_cell(r, COL(BACKEND, STATE_CHANGE)));
	b->backend.event = event;
	b->backend.query = q;
	b->backend.open = true;
	b->query_start = start;
	return same;
}

/* ---- sums ------------------------------------------------------------ */

static unsigned log2_of(uint64_t n)
{
	unsigned k = 0;

	while (n > 1 && k < WAITS_BUCKETS - 1) {
		n >>= 1;
		k++;
	}
	return k;
}

/* One more sample of the backend's run, of which weight_ns counts. */
static void count_run(struct seen *b, bool same, int64_t now_ns)
{
	struct wait_sum *sum;

	if (!same || b->run == 0) {
		b->run = 0;
		b->run_ns = now_ns;
	}
	sum = &b->entry->row.sum;
	b->run++;
	sum->runs += b->run == 1;
	sum->longest = GS_MAX(sum->longest, b->run);
	sum->longest_ns = GS_MAX(sum->longest_ns, now_ns - b->run_ns);
	if ((b->run & (b->run - 1)) != 0 ||
	    b->run >= UINT64_C(1) << WAITS_BUCKETS)
		return;
	sum->bucket[log2_of(b->run)]++;
	if (b->run > 1)
		sum->bucket[log2_of(b->run) - 1]--;
}

static bool grown(const struct row *p, unsigned col, uint64_t *ret)
{
	uint64_t now, was;

	if (!cells_get(p->now, col, &now) || !cells_get(p->was, col, &was))
		return false;
	*ret = now > was ? now - was : 0;
	return true;
}

/* Of a sample without a known wait: what its process did meanwhile. */
static void split_cpu(struct waits *s, const struct world *w,
	const struct seen *b, struct wait_sum *sum, int64_t weight_ns)
{
	const struct row *p = s->process ? s->process(s->ctx, b->row) : NULL;
	uint64_t cpu_us = 0, queue_us = 0;
	int64_t cpu_ns, queue_ns;

	if (!p || !p->host->sampled || p->host->gap)
		return;
	if (p->touched_tick == world_ticks(w) &&
	    !grown(p, COL(PROCESS, CPU), &cpu_us))
		return;
	if (p->touched_tick == world_ticks(w))
		(void)grown(p, COL(PROCESS, RUN_DELAY), &queue_us);
	cpu_ns = (int64_t)GS_MIN(cpu_us, (uint64_t)weight_ns / 1000) * 1000;
	queue_ns = (int64_t)GS_MIN(queue_us,
	    (uint64_t)(weight_ns - cpu_ns) / 1000) * 1000;
	sum->split_ns += weight_ns;
	sum->cpu_ns += cpu_ns;
	sum->queue_ns += queue_ns;
}

static void count(struct waits *s, const struct world *w, struct seen *b,
	bool same, int64_t now_ns, int64_t weight_ns, int64_t *active_ns)
{
	struct wait_sum *sum;
	bool works = b->backend.event->kind >= WAIT_CPU;

	if (!same || !b->entry)
		b->entry = entry_of(s, b);
	if (!same)
		b->backend.seen_ns = now_ns;
	sum = &b->entry->row.sum;
	sum->time_ns += weight_ns;
	sum->samples++;
	count_run(b, same, now_ns);
	if (b->backend.event->kind == WAIT_CPU)
		split_cpu(s, w, b, sum, weight_ns);
	if (!works)
		return;
	b->backend.db_time_ns += weight_ns;
	if (b->backend.content >= 0) {
		s->total.segment_time_ns += weight_ns;
		return;
	}
	s->total.db_time_ns += weight_ns;
	*active_ns += weight_ns;
	if (strcmp(b->backend.type, "parallel worker") != 0)
		s->total.session_time_ns += weight_ns;
}

/* ---- samples --------------------------------------------------------- */

/* When the database answered the question that the catalog's rows come from;
 * false if it never did. */
static bool answered(const struct world *w, const struct host *c,
	uint64_t *ret, uint64_t *ret_period_ms)
{
	const struct table *t = &c->table[ENTITY_COLLECTOR];
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		const struct row *r = t->slot[i];

		if (!r || !span_eq(row_text(w, r, COL(COLLECTOR, NAME)),
			"activity"))
			continue;
		*ret_period_ms = 0;
		(void)row_get(r, COL(COLLECTOR, PERIOD), ret_period_ms);
		return row_get(r, COL(COLLECTOR, LAST), ret);
	}
	return false;
}

static void close_unseen(struct waits *s)
{
	size_t i;

	for (i = 0; i < s->n_all; i++) {
		struct seen *b = s->all[i];

		if (!b->backend.open || b->sample == s->number)
			continue;
		b->backend.open = false;
		b->run = 0;
		if (b->row && b->row->closed) {
			s->seen[b->row->serial] = NULL;
			row_drop(b->row);
			b->row = NULL;
		}
	}
}

/* One sample of all backends; weight_ns 0: only what comes after it counts. */
static void sample(struct waits *s, const struct world *w,
	const struct host *c, int64_t weight_ns)
{
	const struct table *t = &c->table[ENTITY_BACKEND];
	int64_t now_ns = c->clock.wall_ns, active_ns = 0;
	size_t i;

	s->number++;
	for (i = 0; i < t->n_slot; i++) {
		struct wait_what what;
		struct seen *b;
		bool same;

		if (!t->slot[i] || !waits_classify(w, t->slot[i],
			s->process ? s->process(s->ctx, t->slot[i]) : NULL,
			&what))
			continue;
		b = seen_of(s, t->slot[i]);
		same = take_row(s, b, w, event_of(s, what.kind, what.class,
		    what.event));
		b->sample = s->number;
		if (weight_ns > 0) {
			count(s, w, b, same, now_ns, weight_ns, &active_ns);
		} else if (!same) {
			b->backend.seen_ns = now_ns;
			b->run = 0;
		}
	}
	s->total.samples += weight_ns > 0;
	s->total.newest_ns = now_ns;
	s->total.covered_ns += weight_ns;
	if (weight_ns > 0 && (s->total.peak_weight_ns == 0 ||
	    (double)active_ns / (double)weight_ns >
	    (double)s->total.peak_ns / (double)s->total.peak_weight_ns)) {
		s->total.peak_ns = active_ns;
		s->total.peak_weight_ns = weight_ns;
	}
	close_unseen(s);
}

void waits_tick(struct waits *s, const struct world *w)
{
	const struct host *c = world_catalog(w);
	int64_t weight_ns, gap_ns;
	uint64_t stamp, period_ms;

	if (!c || !c->sampled || !answered(w, c, &stamp, &period_ms) ||
	    (s->begun && stamp == s->stamp))
		return;
	/* The database may be asked less often than hosts are. */
	gap_ns = GS_MAX(s->gap_ns, WAITS_GAP_INTERVALS *
	    GS_NSEC_PER_MSEC * (int64_t)GS_MIN(period_ms, 86400000u));
	weight_ns = s->begun ? c->clock.mono_ns - s->mono_ns : 0;
	/* Another machine's clock, or the same one after a reboot. */
	if (weight_ns < 0)
		weight_ns = 0;
	s->begun = true;
	s->stamp = stamp;
	s->mono_ns = c->clock.mono_ns;
	sample(s, w, c, GS_MIN(weight_ns, gap_ns));
}

void waits_restart(struct waits *s)
{
	int64_t newest_ns = s->total.newest_ns;
	size_t i, kept = 0;

	free_rows(s);
	for (i = 0; i < s->n_all; i++) {
		struct seen *b = s->all[i];

		if (!b->backend.open) {
			if (b->row)
				s->seen[b->row->serial] = NULL;
			seen_free(b);
			continue;
		}
		b->entry = NULL;
		b->run = 0;
		b->backend.db_time_ns = 0;
		b->backend.seen_ns = newest_ns;
		s->all[kept++] = b;
	}
	s->n_all = kept;
	s->total = (struct waits_total) { .newest_ns = newest_ns };
}

size_t waits_count(const struct waits *s)
{
	return s->n_row;
}

const struct wait_row *waits_get(const struct waits *s, size_t i)
{
	return &s->row[i]->row;
}

size_t waits_backends(const struct waits *s)
{
	return s->n_all;
}

const struct wait_backend *waits_backend(const struct waits *s, size_t i)
{
	return &s->all[i]->backend;
}

void waits_total(const struct waits *s, struct waits_total *ret)
{
	*ret = s->total;
}
