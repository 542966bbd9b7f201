/* SPDX-License-Identifier: Apache-2.0 */
#include "web/exporter.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "query/range.h"
#include "web/levels.h"
#include "web/sums.h"

#define OPENMETRICS "application/openmetrics-text; version=1.0.0; charset=utf-8"
#define PLAIN "text/plain; version=0.0.4; charset=utf-8"

/* The queue: the recorder's thread adds, the other takes. */
struct queue {
	pthread_mutex_t lock;
	struct tick tick[EXPORTER_QUEUE];
	bool again[EXPORTER_QUEUE];
	size_t at, n;
	bool lost; /* since then: until a key finds room */
	bool gap; /* the reader has to be told so, before what follows */
	struct exporter_counts counts;
};

struct exporter {
	struct queue queue;
	bool taken; /* the tick at the queue's head was given to the engine */
	struct gs_budget budget;
	struct engine e;
	struct range range;
	struct range_result result;
	struct range_run *run;
	struct sums *sums;
	struct levels *levels;
	const char *version;
	uint64_t ticks; /* that the engine has seen */
	int failed; /* status of its failure */
	struct gs_err err;
	struct buf text[2]; /* plain, OpenMetrics */
	uint64_t made[2]; /* at which tick; 0: never */
};

/* ---- the queue --------------------------------------------------------- */

void exporter_push(struct exporter *x, const struct tick *t, bool again,
	const struct exporter_counts *c)
{
	struct queue *q = &x->queue;

	(void)pthread_mutex_lock(&q->lock); /* held for moments only */
	if (c)
		q->counts = *c;
	if (q->n == EXPORTER_QUEUE || (q->lost && !(t->key && !again))) {
		q->lost = true;
	} else {
		size_t i = (q->at + q->n) % EXPORTER_QUEUE;

		q->gap |= q->lost;
		q->lost = false;
		tick_copy(&q->tick[i], t);
		q->again[i] = again;
		q->n++;
	}
	(void)pthread_mutex_unlock(&q->lock);
}

/* The reader is done with the tick that it was given before. */
static void drop_taken(struct exporter *x)
{
	struct queue *q = &x->queue;

	if (x->taken) {
		q->at = (q->at + 1) % EXPORTER_QUEUE;
		q->n--;
	}
	x->taken = false;
}

static enum cursor_step next(void *self, const struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	struct exporter *x = self;
	struct queue *q = &x->queue;
	enum cursor_step is = CURSOR_WAIT;

	(void)err;
	(void)pthread_mutex_lock(&q->lock); /* held for moments only */
	drop_taken(x);
	if (q->n > 0 && q->gap && q->tick[q->at].key && !q->again[q->at]) {
		q->gap = false;
		*gap = (struct cursor_gap) { .from_ns = INT64_MIN,
			.to_ns = q->tick[q->at].wall_ns, .file = "" };
		is = CURSOR_GAP;
	} else if (q->n > 0) {
		*ret = &q->tick[q->at];
		x->taken = true;
		is = q->again[q->at] ? CURSOR_REPEAT : CURSOR_TICK;
	}
	(void)pthread_mutex_unlock(&q->lock);
	return is;
}

/* Samples come once, as from a pipe. */
static int seek(void *self, int64_t wall_ns, struct gs_err *err)
{
	(void)self;
	(void)wall_ns;
	(void)err;
	return GS_OK;
}

static const struct cursor_ops queue_ops = { .next = next, .seek = seek };

/* ---- the engine -------------------------------------------------------- */

static int on_table(void *ctx, const struct engine *e)
{
	struct exporter *x = ctx;

	sums_tick(x->sums, e);
	x->ticks++;
	return 0;
}

static void on_tick(void *ctx, const struct engine *e)
{
	struct exporter *x = ctx;

	levels_tick(x->levels, e);
}

struct exporter *exporter_new(int64_t interval_ns, const char *version)
{
	struct exporter *x = gs_calloc(1, sizeof(*x));
	const struct follower f = { .self = x, .tick = on_tick };

	(void)pthread_mutex_init(&x->queue.lock, NULL); /* can't fail */
	x->version = version;
	x->budget.limit_bytes = EXPORTER_MEMORY;
	engine_init(&x->e, interval_ns);
	world_set_budget(x->e.world, &x->budget);
	x->levels = levels_new();
	engine_add_follower(&x->e, &f);
	x->sums = sums_new(&x->e);
	x->range = (struct range) { INT64_MIN, INT64_MAX, RANGE_EACH_TICK };
	x->run = range_open(&x->range, (struct cursor) { &queue_ops, x },
	    &x->e, on_table, x, &x->result);
	return x;
}

void exporter_free(struct exporter *x)
{
	size_t i;

	if (!x)
		return;
	range_close(x->run);
	sums_free(x->sums);
	engine_release(&x->e);
	levels_free(x->levels);
	for (i = 0; i < EXPORTER_QUEUE; i++)
		tick_release(&x->queue.tick[i]);
	for (i = 0; i < GS_LEN(x->text); i++)
		buf_release(&x->text[i]);
	(void)pthread_mutex_destroy(&x->queue.lock); /* nobody has it */
	free(x);
}

void exporter_turn(struct exporter *x)
{
	int r;

	if (x->failed)
		return;
	r = range_go(x->run, &x->err);
	if (r < 0)
		x->failed = r;
}

/* ---- text -------------------------------------------------------------- */

static void put_recorder(struct exporter *x, struct families *to)
{
	struct exporter_counts c;
	struct family f;
	size_t i;

	(void)pthread_mutex_lock(&x->queue.lock); /* held for moments only */
	c = x->queue.counts;
	(void)pthread_mutex_unlock(&x->queue.lock);
	const struct {
		const char *name, *unit, *help;
		bool grows;
		double v;
	} all[] = {
		{ "ticks", "", "samples", true, (double)c.ticks },
		{ "ticks_written", "", "samples in files", true,
		    (double)c.written },
		{ "ticks_lost", "", "samples that could not be written", true,
		    (double)c.lost },
		{ "ticks_skipped", "", "multiples of the interval without a "
		    "sample", true, (double)c.skipped },
		{ "ticks_late", "", "samples later than half an interval",
		    true, (double)c.late },
		{ "disconnects", "", "connections to agents that broke or "
		    "could not be made", true, (double)c.downs },
		{ "written", "bytes", "bytes written, all files", true,
		    (double)c.bytes },
		{ "hosts", "", "hosts that are recorded", false,
		    (double)c.hosts },
		{ "hosts_up", "", "of them, those that answer", false,
		    (double)c.hosts_up },
		{ "processes", "", "living processes in the newest sample",
		    false, (double)c.processes },
		{ "last_tick_timestamp", "seconds", "time of the newest "
		    "sample", false, (double)c.wall_ns / 1e9 },
	};

	for (i = 0; i < GS_LEN(all); i++) {
		family_of_figure("recorder", all[i].name, all[i].unit,
		    all[i].grows, all[i].help, &f);
		families_begin(to, &f);
		families_add_real(to, "", 0, all[i].v);
	}
}

static void put_version(const struct exporter *x, struct families *to)
{
	struct family f = { .type = "info", .ending = "_info",
		.name = "gpsnap", .help = "version of gpsnap" };
	struct buf labels = BUF_INIT;

	family_add_label(&labels, "version", span_str(x->version));
	families_begin(to, &f);
	families_add_real(to, buf_str(&labels), labels.len, 1);
	buf_release(&labels);
}

static void make(struct exporter *x, bool openmetrics)
{
	struct buf *b = &x->text[openmetrics];
	struct families to = { .to = b, .openmetrics = openmetrics };

	buf_reset(b);
	put_version(x, &to);
	put_recorder(x, &to);
	levels_put(x->levels, &x->e, &to);
	sums_put(x->sums, &to);
	families_end(&to);
	x->made[openmetrics] = x->ticks;
}

const struct buf *exporter_text(struct exporter *x, bool openmetrics,
	struct gs_err *err)
{
	if (x->failed) {
		*err = x->err;
		return NULL;
	}
	if (x->made[openmetrics] < x->ticks || x->ticks == 0)
		make(x, openmetrics);
	return &x->text[openmetrics];
}

void exporter_serve(struct exporter *x, struct http_request *q)
{
	bool om = q->accept && strstr(q->accept,
	    "application/openmetrics-text") != NULL;
	struct gs_err err;
	const struct buf *text = exporter_text(x, om, &err);

	if (text)
		http_send(q, &(struct http_answer) { .status = 200,
		    .type = om ? OPENMETRICS : PLAIN }, buf_str(text),
		    text->len);
	else
		http_send(q, &(struct http_answer) { .status = 503,
		    .type = "text/plain" }, err.msg, strlen(err.msg));
}
