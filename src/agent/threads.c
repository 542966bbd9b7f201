/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/threads.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/delays.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "format/wire.h"
#include "procfs/pid.h"

/* A thread id has 22 bits at most: PID_MAX_LIMIT of the kernel. */
#define TID_BITS 22

struct thread {
	uint32_t pid, tid;
	uint64_t pid_start, start; /* ticks since boot */
	uint64_t sched[3];
	int64_t read_ns, cgroup_ns; /* monotonic */
	int64_t listed_boot_ns; /* when its process's threads were listed */
};

/* State of reading the threads of one process. */
struct visit {
	struct threads *t;
	struct scan *sc;
	const struct proc *p;
	int dir_fd;
	const struct thread *known; /* of this process */
	size_t n_known;
};

/* Files of a thread have the format of a process's: they are scanned as a
 * process's, and copied to the columns of the same name. */
static void find_same(struct threads *t)
{
	const struct entity *e = entity_get(ENTITY_THREAD);
	unsigned i;

	for (i = 0; i < e->ncols; i++) {
		const struct metric *m = metric_by_name(ENTITY_PROCESS,
		    e->metrics[i].name, strlen(e->metrics[i].name));

		t->same[i] = m && !metric_is_text(m) ? (int16_t)m->col : -1;
	}
}

void threads_init(struct threads *t, struct sent_texts *sent)
{
	*t = (struct threads) { 0 };
	rows_init(&t->rows, ENTITY_THREAD, sent);
	t->scratch = cells_new(ENTITY_PROCESS);
	find_same(t);
}

void threads_release(struct threads *t)
{
	rows_release(&t->rows);
	free(t->known);
	free(t->next);
	pids_release(&t->list);
	cells_free(t->scratch);
}

static uint64_t key_of(const struct thread *th)
{
	return th->start << TID_BITS | th->tid;
}

static struct thread *add(struct threads *t, const struct thread *th)
{
	GS_GROW(t->next, &t->next_cap, t->n_next + 1);
	t->next[t->n_next] = *th;
	return &t->next[t->n_next++];
}

static bool get(const struct visit *v, uint32_t tid, const char *file,
	struct span *ret)
{
	char path[48];

	(void)snprintf(path, sizeof(path), "task/%" PRIu32 "/%s", tid, file);
	return root_read_pid(v->sc->root, v->dir_fd, v->p->pid, path,
	    ROOT_FILE_MAX, ret) == 0;
}

static const struct thread *find_known(const struct visit *v, uint32_t tid)
{
	size_t i;

	for (i = 0; i < v->n_known; i++) {
		if (v->known[i].tid == tid)
			return &v->known[i];
	}
	return NULL;
}

static bool get_sched(const struct visit *v, uint32_t tid, uint64_t ret[3])
{
	struct span text;

	return get(v, tid, "schedstat", &text) &&
	    pid_schedstat_scan(text, ret);
}

/* If the kernel does not measure, all are always 0. */
static bool is_measured(const uint64_t sched[3])
{
	return (sched[0] | sched[1] | sched[2]) != 0;
}

static bool may_keep(const struct visit *v, const struct thread *was,
	const uint64_t sched[3])
{
	const struct scan *sc = v->sc;

	return was && sc->root->procfs && !sc->request_changed &&
	    !(sc->with & WITH_NO_QUIET) && is_measured(sched) &&
	    v->p->heap.tick != sc->tick &&
	    memcmp(was->sched, sched, sizeof(was->sched)) == 0 &&
	    !scan_due(sc, TURN_SOON, was->tid, was->read_ns);
}

static void set_sched(struct cells now, const uint64_t sched[3])
{
	const uint64_t us = (uint64_t)GS_NSEC_PER_USEC;

	if (!is_measured(sched))
		return;
	cells_set(now, COL(THREAD, CPU), sched[0] / us);
	cells_set(now, COL(THREAD, RUN_DELAY), sched[1] / us);
	cells_set(now, COL(THREAD, TIMESLICES), sched[2]);
}

static void set_text(const struct visit *v, const struct thread *th,
	struct cells now, unsigned col, struct span text)
{
	struct rows *r = &v->t->rows;

	if (!span_empty(text))
		sent_set(r->sent, now, rows_was(r, key_of(th)), col, text);
}

static void read_status(const struct visit *v, const struct thread *th,
	struct cells now)
{
	struct span text, cpus;

	if (!get(v, th->tid, "status", &text))
		return;
	pid_status_scan(text, v->t->scratch, &cpus);
	set_text(v, th, now, COL(THREAD, CPUS_ALLOWED), cpus);
}

/* It rarely changes, and can change while the thread sleeps, so it is read by
 * age. */
static void read_cgroup(const struct visit *v, struct thread *th,
	const struct thread *was, struct cells now)
{
	struct rows *r = &v->t->rows;
	struct span text;

	if (was && was->start == th->start &&
	    !scan_due(v->sc, TURN_SOON, th->tid, was->cgroup_ns)) {
		th->cgroup_ns = was->cgroup_ns;
		sent_keep(r->sent, now, rows_was(r, key_of(th)),
		    COL(THREAD, CGROUP));
		return;
	}
	th->cgroup_ns = v->sc->mono_ns;
	if (get(v, th->tid, "cgroup", &text))
		set_text(v, th, now, COL(THREAD, CGROUP),
		    pid_cgroup_scan(text).main);
}

/* Fills the row; false if the thread is gone. */
static bool read_cells(const struct visit *v, struct thread *th,
	const struct thread *was, struct cells now)
{
	struct threads *t = v->t;
	struct pid_stat_more more;
	struct span text;
	uint64_t value;
	unsigned i;

	cells_clear(ENTITY_PROCESS, t->scratch);
	delays_of_thread(v->sc->delays, v->sc, v->p, th->tid, t->scratch);
	if (!get(v, th->tid, "stat", &text) ||
	    !pid_stat_scan(text, &v->sc->stat_opt, t->scratch, &more) ||
	    !cells_get(t->scratch, COL(PROCESS, START), &th->start))
		return false;
	sent_set(t->rows.sent, now, rows_was(&t->rows, key_of(th)),
	    COL(THREAD, COMM), more.comm);
	read_status(v, th, now);
	read_cgroup(v, th, was, now);
	if (get(v, th->tid, "io", &text))
		pid_io_scan(text, t->scratch);
	if ((v->sc->with & WITH_SCHED) && get(v, th->tid, "sched", &text))
		pid_sched_scan(text, t->scratch);
	for (i = 0; i < NCOLS(THREAD); i++) {
		if (t->same[i] >= 0 && cells_get(t->scratch,
		    (unsigned)t->same[i], &value))
			cells_set(now, i, value);
	}
	cells_set(now, COL(THREAD, PID), v->p->pid);
	cells_set(now, COL(THREAD, TID), th->tid);
	set_sched(now, th->sched);
	if (v->sc->with & WITH_HEAP)
		heap_use_set_thread(&v->p->heap, th->tid, th->start, now);
	return true;
}

/* Started after its process's threads were last listed: its counters start
 * from zero.  Start times are truncated to a clock tick, so a thread that was
 * not listed then counts as born. */
static bool is_born(const struct visit *v, const struct thread *th)
{
	const struct scan *sc = v->sc;
	int64_t since = v->n_known > 0 ? v->known[0].listed_boot_ns
	                               : sc->prev_boot_ns;

	if (v->n_known == 0 && !proc_born(sc, v->p))
		return false;
	return since >= 0 && th->start >= (uint64_t)since / sc->tick_ns;
}

static void visit_thread(const struct visit *v, uint32_t tid,
	int64_t boot_ns)
{
	struct threads *t = v->t;
	const struct thread *was = find_known(v, tid);
	struct thread th = { .pid = v->p->pid, .tid = tid,
		.pid_start = v->p->start, .listed_boot_ns = boot_ns };
	struct cells now;

	if (!get_sched(v, tid, th.sched))
		memset(th.sched, 0, sizeof(th.sched));
	if (may_keep(v, was, th.sched) && rows_keep(&t->rows, key_of(was))) {
		add(t, was)->listed_boot_ns = boot_ns;
		return;
	}
	now = rows_now(&t->rows);
	if (!read_cells(v, &th, was, now)) {
		sent_forget(t->rows.sent, ENTITY_THREAD, now);
		return;
	}
	th.read_ns = v->sc->mono_ns;
	if (was && was->start != th.start)
		was = NULL; /* the id was reused */
	rows_put_as(&t->rows, key_of(&th),
	    !was && is_born(v, &th) ? OPEN_BORN : OPEN_APPEARED);
	(void)add(t, &th);
}

static bool list(struct visit *v)
{
	int fd = root_open(v->sc->root, v->dir_fd, "task",
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int status;

	if (fd < 0)
		return false;
	status = pids_read(&v->t->list, fd, NULL);
	(void)close(fd); /* was only read */
	return status == 0;
}

static void visit(struct visit *v, int64_t boot_ns)
{
	size_t i;

	v->dir_fd = v->p->dir_fd >= 0 ? v->p->dir_fd
	    : root_open_pid(v->sc->root, v->p->pid);
	if (v->dir_fd < 0)
		return;
	if (list(v)) {
		for (i = 0; i < v->t->list.n; i++)
			visit_thread(v, v->t->list.pid[i], boot_ns);
	}
	if (v->dir_fd != v->p->dir_fd)
		(void)close(v->dir_fd); /* was only a path */
}

static void keep_all(const struct visit *v)
{
	size_t i;

	for (i = 0; i < v->n_known; i++) {
		if (rows_keep(&v->t->rows, key_of(&v->known[i])))
			(void)add(v->t, &v->known[i]);
	}
}

/* Its threads end as it did; if it is not recorded any more, they have left. */
static void leave(const struct visit *v)
{
	size_t i;

	for (i = 0; i < v->n_known; i++)
		rows_leave(&v->t->rows, key_of(&v->known[i]), CLOSE_LEFT);
}

static void visit_or_keep(struct visit *v, int64_t boot_ns)
{
	const struct proc *p = v->p;

	if (v->n_known > 0 && v->known->pid_start != p->start)
		v->n_known = 0; /* of another process */
	if (!p->open)
		leave(v);
	else if (p->read_tick == v->sc->tick || v->n_known == 0)
		visit(v, boot_ns);
	else
		keep_all(v);
}

static void swap(struct threads *t)
{
	struct thread *known = t->known;
	size_t cap = t->known_cap;

	t->known = t->next;
	t->n_known = t->n_next;
	t->known_cap = t->next_cap;
	t->next = known;
	t->next_cap = cap;
}

void threads_tick(struct threads *t, struct scan *sc, const struct procs *ps,
	struct block *b)
{
	bool wanted = sc->with & WITH_THREADS;
	size_t i, at = 0;

	if (!wanted && t->n_known == 0)
		return;
	scan_begin_rows(sc, &t->rows, &b->ent[ENTITY_THREAD]);
	t->n_next = 0;
	for (i = 0; wanted && i < ps->n; i++) {
		struct visit v = { .t = t, .sc = sc, .p = ps->proc[i] };

		while (at < t->n_known && t->known[at].pid < v.p->pid)
			at++;
		v.known = t->known ? t->known + at : NULL;
		while (at < t->n_known && t->known[at].pid == v.p->pid) {
			at++;
			v.n_known++;
		}
		if (sc->rebooted)
			v.n_known = 0;
		visit_or_keep(&v, b->clock.boot_ns);
	}
	swap(t);
	rows_end_as(&t->rows, wanted ? CLOSE_EXITED : CLOSE_LEFT);
}
