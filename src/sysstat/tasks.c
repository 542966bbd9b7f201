/* SPDX-License-Identifier: Apache-2.0 */
#include "sysstat/tasks.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A row that a tick has, and the row of its process. */
struct tasks_seen {
	uint32_t pid, tid;
	uint64_t start;
	const struct row *process, *thread;
	bool over; /* it ended; these are its last figures */
};

static void free_task(struct task *t)
{
	free(t->comm);
	free(t->line);
	free(t->user);
	free(t);
}

void tasks_clear(struct tasks *t)
{
	size_t i;

	tasks_recall(t);
	for (i = 0; i < t->n; i++)
		free_task(t->task[i]);
	t->n = t->n_ended = t->n_forgotten = 0;
	t->begun = false;
}

void tasks_release(struct tasks *t)
{
	tasks_clear(t);
	free(t->task);
	free(t->next);
	free(t->seen);
	*t = (struct tasks) { 0 };
}

/* ---- what a tick has ------------------------------------------------- */

static int by_number(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_ids(uint32_t pid, uint32_t tid, uint32_t other_pid,
	uint32_t other_tid)
{
	int r = by_number(pid, other_pid);

	return r ? r : by_number(tid, other_tid);
}

static int compare_seen(const void *a, const void *b)
{
	const struct tasks_seen *x = a, *y = b;
	int r = by_ids(x->pid, x->tid, y->pid, y->tid);

	return r ? r : by_number(x->start, y->start);
}

/* Of several that had the number, the last that was there when the thread
 * began. */
static const struct row *find_process(const struct tasks *t, size_t n,
	uint32_t pid, uint64_t start)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->seen[mid].pid < pid)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo + 1 < n && t->seen[lo + 1].pid == pid &&
	    t->seen[lo + 1].start <= start)
		lo++;
	return lo < n && t->seen[lo].pid == pid ? t->seen[lo].process : NULL;
}

static struct tasks_seen *add_seen(struct tasks *t)
{
	GS_GROW(t->seen, &t->seen_cap, t->n_seen + 1);
	return &t->seen[t->n_seen++];
}

/* pidstat treats one whose smaps it may not read as ended. */
static bool has_stack(const struct row *r)
{
	uint64_t v;

	return row_get(r, COL(PROCESS, STACK_SIZE), &v) ||
	    !row_get(r, COL(PROCESS, VSIZE), &v);
}

static void add_process(struct tasks *t, const struct row *r)
{
	uint64_t pid, start = 0;

	if (!row_get(r, COL(PROCESS, PID), &pid))
		return;
	if (t->strict && t->stack && !has_stack(r))
		return;
	(void)row_get(r, COL(PROCESS, START), &start);
	*add_seen(t) = (struct tasks_seen) { (uint32_t)pid, 0, start, r, NULL,
		r->closed };
}

/* n: processes were seen before. */
static void add_thread(struct tasks *t, size_t n, const struct row *r)
{
	const struct row *process;
	uint64_t pid, tid, start = 0;

	if (!row_get(r, COL(THREAD, PID), &pid) ||
	    !row_get(r, COL(THREAD, TID), &tid))
		return;
	(void)row_get(r, COL(THREAD, START), &start);
	process = find_process(t, n, (uint32_t)pid, start);
	if (!process)
		return;
	*add_seen(t) = (struct tasks_seen) { (uint32_t)pid, (uint32_t)tid,
		start, process, r, r->closed };
}

static void add_row(struct tasks *t, size_t n, const struct row *r)
{
	if (r->entity == ENTITY_PROCESS)
		add_process(t, r);
	else
		add_thread(t, n, r);
}

/* If ticks were skipped, a later one may have what ended before it. */
static void add_ended(struct tasks *t, const struct world *w,
	const struct host *h, enum entity_id e, size_t n)
{
	size_t i, n_touched;
	struct row *const *touched = world_touched(w, &n_touched);

	if (t->strict || !world_is_thinned(w))
		return;
	for (i = 0; i < n_touched; i++) {
		const struct row *r = touched[i];

		if (r->entity == e && r->host == h && row_ended_late(r))
			add_row(t, n, r);
	}
}

static void add_rows(struct tasks *t, const struct world *w,
	const struct host *h, enum entity_id e)
{
	const struct table *tab = &h->table[e];
	size_t i, n = t->n_seen;

	for (i = 0; i < tab->n_slot; i++) {
		if (tab->slot[i])
			add_row(t, n, tab->slot[i]);
	}
	add_ended(t, w, h, e, n);
	if (t->n_seen > n)
		qsort(t->seen, t->n_seen, sizeof(*t->seen), compare_seen);
}

/* ---- tasks ----------------------------------------------------------- */

static void set_text(char **to, struct span text)
{
	if (*to && span_eq(text, *to))
		return;
	free(*to);
	*to = gs_strndup(text.ptr, span_len(text));
}

static void set_texts(const struct tasks *t, const struct world *w,
	struct task *k, const struct tasks_seen *s)
{
	struct span text = s->thread
		? row_text(w, s->thread, COL(THREAD, COMM))
		: row_text(w, s->process, COL(PROCESS, COMM));

	set_text(&k->comm, text);
	text = row_text(w, s->process, COL(PROCESS, TITLE));
	/* pidstat reads it once */
	if (!span_empty(text) && !(t->strict && k->line))
		set_text(&k->line, text);
	text = row_text(w, s->process, COL(PROCESS, OS_USER));
	if (span_empty(text)) {
		free(k->user);
		k->user = NULL;
	} else {
		set_text(&k->user, text);
	}
}

struct update {
	struct tasks *t;
	const struct world *w;
	const struct instant *at, *before;
};

/* For a task that existed before: skipped ticks' data of it counts as of the
 * sample before. */
static void begin_late(const struct update *g, struct task *k,
	const struct tasks_seen *s)
{
	struct since from = { k->now, *g->at };

	if (g->t->begun &&
	    figures_back(s->process, s->thread, &k->now, &from.fig))
		from.at = *g->before;
	k->prev = k->first = from;
}

/* What a new task counts from. */
static void begin(const struct update *g, struct task *k,
	const struct tasks_seen *s)
{
	const struct tasks *t = g->t;
	const struct row *row = s->thread ? s->thread : s->process;
	struct since zero = { .fig = { .has = k->now.has } };

	if (!t->from_zero && (!t->begun ||
	    (!t->strict && row->opened != OPEN_BORN))) {
		begin_late(g, k, s);
		return;
	}
	(void)figures_back(s->process, s->thread, &k->now, &zero.fig);
	k->prev = k->first = zero;
	k->prev.at = *g->before;
	k->first.at = t->began; /* before it was, it used nothing */
}

static int compare_task(const struct tasks *t, const struct task *k,
	const struct tasks_seen *s)
{
	int r = by_ids(k->pid, k->tid, s->pid, s->tid);

	return r || t->strict ? r : by_number(k->start, s->start);
}

static void count(struct task *k, bool strict)
{
	unsigned i;

	k->n_samples++;
	for (i = 0; i < FIG_COUNT; i++) {
		if (!strict && !figures_has(&k->now, i))
			continue;
		k->sum[i] += (double)k->now.v[i];
		k->n_sum[i]++;
	}
}

/* True if it stays in the list. */
static bool note_absent(struct tasks *t, struct task *k)
{
	k->here = false;
	if (k->ended)
		return true;
	if (t->strict || t->n_ended >= TASKS_ENDED_MAX) {
		t->n_forgotten += !t->strict;
		free_task(k);
		return false;
	}
	k->ended = true;
	t->n_ended++;
	return true;
}

static struct task *new_task(const struct tasks_seen *s)
{
	struct task *k = gs_calloc(1, sizeof(*k));

	k->pid = s->pid;
	k->tid = s->tid;
	k->start = s->start;
	return k;
}

#define IDENTITY_BYTES (offsetof(struct task, start) + sizeof(uint64_t))

/* One that had ended, as far as was known; NULL: there was none. */
static struct task *come_back(struct tasks *t, const struct tasks_seen *s)
{
	const struct task key = { .pid = s->pid, .tid = s->tid,
		.start = s->start };
	struct task *k;

	HASH_FIND(hh, t->past, &key, IDENTITY_BYTES, k);
	if (k)
		HASH_DEL(t->past, k);
	return k;
}

static int compare_tasks(const void *a, const void *b)
{
	const struct task *x = *(struct task *const *)a;
	const struct task *y = *(struct task *const *)b;
	int r = by_ids(x->pid, x->tid, y->pid, y->tid);

	return r ? r : by_number(x->start, y->start);
}

void tasks_recall(struct tasks *t)
{
	struct task *k, *next;
	bool any = t->past != NULL;

	HASH_ITER(hh, t->past, k, next) {
		HASH_DEL(t->past, k);
		GS_GROW(t->task, &t->cap, t->n + 1);
		t->task[t->n++] = k;
	}
	if (any)
		qsort(t->task, t->n, sizeof(*t->task), compare_tasks);
}

static void update_task(const struct update *g, struct task *k,
	const struct tasks_seen *s, bool is_new)
{
	g->t->n_ended -= k->ended;
	g->t->n_ended += s->over;
	k->ended = s->over;
	k->may_return = false;
	k->here = !s->over;
	k->was_here = true;
	k->at = *g->at;
	figures_of(s->process, s->thread, &k->now);
	set_texts(g->t, g->w, k, s);
	if (is_new)
		begin(g, k, s);
}

static void merge(const struct update *g)
{
	struct tasks *t = g->t;
	struct task **swap = t->task;
	size_t i = 0, j = 0, n = 0, cap = t->cap;

	GS_GROW(t->next, &t->next_cap, t->n + t->n_seen);
	while (i < t->n || j < t->n_seen) {
		struct task *k = i < t->n ? t->task[i] : NULL;
		const struct tasks_seen *s = j < t->n_seen ? &t->seen[j]
		                                           : NULL;
		int c = !k ? 1 : !s ? -1 : compare_task(t, k, s);
		bool is_new;

		if (c < 0) {
			if (note_absent(t, k))
				t->next[n++] = k;
			i++;
			continue;
		}
		i += c == 0;
		k = c == 0 ? k : come_back(t, s);
		is_new = !k;
		if (is_new)
			k = new_task(s);
		update_task(g, k, s, is_new);
		t->next[n++] = k;
		j++;
	}
	t->task = t->next;
	t->cap = t->next_cap;
	t->n = n;
	t->next = swap;
	t->next_cap = cap;
}

static struct task *find_task(const struct tasks *t,
	const struct tasks_seen *s)
{
	size_t lo = 0, hi = t->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (compare_task(t, t->task[mid], s) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < t->n && compare_task(t, t->task[lo], s) == 0
	    ? t->task[lo] : NULL;
}

/* Processes that did not end, but are not among those selected now. */
static void note_left(struct tasks *t, const struct world *w,
	const struct host *h)
{
	size_t i, n;
	struct row *const *touched = world_touched(w, &n);

	for (i = 0; i < n; i++) {
		const struct row *r = touched[i];
		struct tasks_seen s = { .process = r };
		struct task *k;
		uint64_t pid;

		if (r->host != h || r->entity != ENTITY_PROCESS ||
		    (r->closed != CLOSE_LEFT &&
		    r->closed != CLOSE_UNREADABLE) ||
		    !row_get(r, COL(PROCESS, PID), &pid))
			continue;
		s.pid = (uint32_t)pid;
		(void)row_get(r, COL(PROCESS, START), &s.start);
		k = find_task(t, &s);
		if (k)
			k->may_return = !k->here;
	}
}

void tasks_apply(struct tasks *t, const struct world *w, const struct host *h,
	const struct instant *before, const struct instant *at, bool is_sample)
{
	struct update g = { t, w, at, before };
	size_t i;

	if (!t->begun)
		t->began = *at;
	t->n_seen = 0;
	add_rows(t, w, h, ENTITY_PROCESS);
	if (t->threads)
		add_rows(t, w, h, ENTITY_THREAD);
	merge(&g);
	if (!t->strict)
		note_left(t, w, h);
	for (i = 0; is_sample && t->begun && i < t->n; i++) {
		if (t->task[i]->here)
			count(t->task[i], t->strict);
	}
	t->begun = true;
}

void tasks_step(struct tasks *t)
{
	size_t i, kept = 0;

	for (i = 0; i < t->n; i++) {
		struct task *k = t->task[i];

		bool unchanged = k->ended && k->sampled && !k->was_here;

		if (unchanged && !k->may_return) {
			HASH_ADD(hh, t->past, pid, IDENTITY_BYTES, k);
			continue;
		}
		t->task[kept++] = k;
		if (unchanged)
			continue;
		k->was_here = false;
		k->sampled = true;
		k->prev = (struct since) { k->now, k->at };
	}
	t->n = kept;
}
