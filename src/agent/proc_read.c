/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/proc_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/dirs.h"
#include "agent/exits.h"
#include "agent/proc_status.h"
#include "agent/proc_traits.h"
#include "base/clock.h"
#include "format/wire.h"

#define TITLE_MAX 16384u
#define TITLE_TRIES 5

static void find_cols(struct proc_read *f)
{
	const struct entity *e = entity_get(ENTITY_PROCESS);
	unsigned i;

	for (i = 0; i < e->ncols; i++)
		f->cols[e->metrics[i].source][i / 64] |= UINT64_C(1) <<
		    (i % 64);
}

void proc_read_init(struct proc_read *f)
{
	*f = (struct proc_read) { 0 };
	find_cols(f);
	proc_fds_init(&f->fds);
}

void proc_read_release(struct proc_read *f)
{
	buf_release(&f->title);
}

/* schedstat, of the main thread: the answer about its delays may have it. */
static bool get_sched(struct reading *r, uint64_t ret[3])
{
	const struct delays *d = delays_of_main(r->sc->delays, r->p);
	struct span text;

	if (d) {
		ret[0] = d->run_ns;
		ret[1] = d->of[DELAY_CPU].total_ns;
		ret[2] = d->of[DELAY_CPU].count;
		root_note_words(r->sc->root, r->p->pid, "schedstat", ret, 3);
		return true;
	}
	return reading_get(r, FILE_SCHEDSTAT, ROOT_FILE_MAX, &text) &&
	    pid_schedstat_scan(text, ret);
}

static enum proc_read_result read_stat(struct reading *r)
{
	const struct scan *sc = r->sc;
	struct proc *p = r->p;
	struct pid_stat_more more;
	struct span text;
	uint64_t start;

	if (!reading_get(r, FILE_STAT, ROOT_FILE_MAX, &text))
		return r->unread & 1u << FILE_STAT ? PROC_READ_DENIED
		                                   : PROC_READ_LOST;
	if (!pid_stat_scan(text, &sc->stat_opt, r->now, &more))
		return PROC_READ_LOST;
	if (!cells_get(r->now, COL(PROCESS, START), &start) ||
	    start != p->start)
		return PROC_READ_OTHER;
	sent_set(sc->sent, r->now, p->was, COL(PROCESS, COMM), more.comm);
	p->image = proc_image(more.comm, more.image);
	p->stat_ns = sc->mono_ns;
	p->orphaned = false;
	return PROC_READ_OK;
}

/* What it did itself was read then, and others have little to do with it:
 * F_SELDOM of metrics.def. */
static bool only_status_is_late(const struct reading *r)
{
	const struct proc *p = r->p;

	return r->slept && p->status_late && !p->orphaned &&
	    !r->sc->memory_reclaimed &&
	    !scan_due(r->sc, TURN_SELDOM, p->pid, p->stat_ns);
}

static enum proc_read_result read_or_keep_stat(struct reading *r)
{
	if (!only_status_is_late(r))
		return read_stat(r);
	reading_keep(r, SOURCE_STAT);
	return PROC_READ_OK;
}

/* If the kernel does not measure, schedstat is always 0. */
static bool sched_is_false(struct reading *r, uint64_t clock)
{
	const struct proc *p = r->p;
	uint64_t u = 0, s = 0;

	if (p->proc_read_sched[0] | p->proc_read_sched[1] |
	    p->proc_read_sched[2])
		return false;
	(void)cells_get(r->now, COL(PROCESS, UTIME), &u);
	(void)cells_get(r->now, COL(PROCESS, STIME), &s);
	return clock > 0 || u > 0 || s > 0;
}

/* Cells are in us: further digits are noise that does not compress, and the
 * remainder of a total is included in the next one. */
static uint64_t in_us(uint64_t ns)
{
	return ns / (uint64_t)GS_NSEC_PER_USEC;
}

static void set_cpu(struct reading *r, uint64_t clock)
{
	const struct proc *p = r->p;

	if (r->sc->root->own_pids)
		cells_set(r->now, COL(PROCESS, CPU), in_us(clock));
	if (!p->has_sched || sched_is_false(r, clock))
		return;
	if (!r->sc->root->own_pids || (r->sc->with & WITH_SCHED))
		cells_set(r->now, COL(PROCESS, SCHED_RUN),
		    in_us(p->proc_read_sched[0]));
	cells_set(
	    r->now, COL(PROCESS, RUN_DELAY), in_us(p->proc_read_sched[1]));
	cells_set(r->now, COL(PROCESS, TIMESLICES), p->proc_read_sched[2]);
}

/* The user name on this host: a container has users of its own. */
static void set_user(struct reading *r)
{
	uint64_t uid, inner;
	struct span name;

	if (!cells_get(r->now, COL(PROCESS, UID), &uid) ||
	    (cells_get(r->now, COL(PROCESS, NS_PID), &inner) &&
	    inner != r->p->pid))
		return;
	name = passwd_name(r->sc->users, uid);
	if (!span_empty(name))
		sent_set(r->sc->sent, r->now, r->p->was,
		    COL(PROCESS, OS_USER), name);
}

static void read_io(struct reading *r)
{
	struct span text;

	if (r->slept) {
		reading_keep(r, SOURCE_IO);
		r->unread |= r->p->unread & 1u << FILE_IO;
	} else if (reading_get(r, FILE_IO, ROOT_FILE_MAX, &text)) {
		pid_io_scan(text, r->now);
	}
}

/* The title as one text; empty if there is none. */
static bool read_title(struct reading *r, struct span *ret)
{
	struct span text;
	struct buf *buf = &r->sc->root->buf;

	if (!reading_get(r, FILE_CMDLINE, TITLE_MAX, &text))
		return false;
	*ret = span_of(buf_str(buf), pid_cmdline_join(buf->ptr,
	    span_len(text)));
	return true;
}

/* A title may change while it is read: a new one is used when two reads agree.
 * An empty one, as during an exec, keeps the last. */
static void read_stable_title(struct reading *r)
{
	struct proc *p = r->p;
	struct sent_texts *sent = r->sc->sent;
	unsigned col = COL(PROCESS, TITLE);
	struct buf *last = &r->f->title;
	struct span text;
	int i;

	if (p->kthread || !(p->db || (r->sc->with & WITH_ARGUMENTS)))
		return;
	if (r->slept) {
		reading_keep(r, SOURCE_CMDLINE);
		return;
	}
	buf_reset(last);
	for (i = 0; i < TITLE_TRIES && read_title(r, &text); i++) {
		if (span_empty(text))
			break;
		if (p->was.val && cells_has(p->was, col) &&
		    span_same(text, texts_get(sent->texts,
			(uint32_t)p->was.val[col])))
			break;
		if (i > 0 && span_same(text, span_of(buf_str(last), last->len))) {
			sent_set(sent, r->now, p->was, col, text);
			return;
		}
		buf_reset(last);
		buf_add(last, text.ptr, span_len(text));
	}
	if (i == TITLE_TRIES) /* still changing: use the newest */
		sent_set(sent, r->now, p->was, col,
		    span_of(buf_str(last), last->len));
	else
		sent_keep(sent, r->now, p->was, col);
}

static void set_cgroup(struct reading *r, unsigned col, struct span path)
{
	if (!span_empty(path))
		sent_set(r->sc->sent, r->now, r->p->was, col, path);
}

/* It rarely changes, and can change while the process sleeps, so it is read by
 * age.  A query moves its processes to the group of its role. */
static enum turn turn_of_cgroup(const struct reading *r)
{
	return r->slept ? TURN_SELDOM : r->p->db ? TURN_SOON : TURN_LATE;
}

static void read_cgroup(struct reading *r)
{
	struct pid_cgroups in;
	struct span text;
	struct proc *p = r->p;

	if (p->open && !scan_due(r->sc, turn_of_cgroup(r), p->pid,
		p->cgroup_ns)) {
		reading_keep(r, SOURCE_CGROUP);
		return;
	}
	p->cgroup_ns = r->sc->mono_ns;
	if (!reading_get(r, FILE_CGROUP, ROOT_FILE_MAX, &text))
		return;
	in = pid_cgroup_scan(text);
	set_cgroup(r, COL(PROCESS, CGROUP), in.main);
	set_cgroup(r, COL(PROCESS, CGROUP_CPU), in.cpu);
	set_cgroup(r, COL(PROCESS, CGROUP_MEMORY), in.memory);
}

/* Only for processes of a database and tasks that wait for a disk: reading it
 * costs as much as stat.  "0": it runs, or may not be read. */
static void read_wchan(struct reading *r)
{
	struct span text;

	if (r->slept) {
		reading_keep(r, SOURCE_WCHAN);
		return;
	}
	if (!r->p->db && r->p->state != 'D')
		return;
	if (r->p->state == 'R' ||
	    !reading_get(r, FILE_WCHAN, ROOT_FILE_MAX, &text) || span_empty(text) ||
	    span_eq(text, "0"))
		return;
	if (text.end[-1] == '\n')
		text.end--;
	sent_set(r->sc->sent, r->now, r->p->was, COL(PROCESS, WCHAN), text);
}

static bool count_fds(struct reading *r, uint64_t *ret)
{
	struct dirs d;
	unsigned char type;
	int status = dirs_open(&d, r->sc->root, r->dir_fd, "fd", 0);

	if (!reading_ended(r, FAILURES_FD, status))
		return false;
	for (*ret = 0; dirs_next(&d, &type); ++*ret)
		;
	dirs_close(&d);
	return d.status == 0;
}

/* Since 6.2 the size of the directory is the number. */
static void read_fds(struct reading *r)
{
	struct stat st;
	uint64_t n;

	if (root_stat(r->sc->root, r->dir_fd, "fd", &st) == 0 && st.st_size > 0 &&
	    r->sc->root->procfs) {
		n = (uint64_t)st.st_size;
		failures_note(r->sc->failures, FAILURES_FD, 0);
	} else if (!count_fds(r, &n)) {
		return;
	}
	root_note(r->sc->root, r->p->pid, "fds", n);
	cells_set(r->now, COL(PROCESS, FDS), n);
}

/* Its figures change when the process runs, or begins to. */
static void read_scheduler(struct reading *r)
{
	struct span text;

	if (r->slept)
		reading_keep(r, SOURCE_SCHED);
	else if (reading_get(r, FILE_SCHED, ROOT_FILE_MAX, &text))
		pid_sched_scan(text, r->now);
}

static void read_on_request(struct reading *r)
{
	struct span text;

	if (r->sc->with & WITH_FDS)
		read_fds(r);
	if (r->sc->with & WITH_SCHED)
		read_scheduler(r);
	if (r->sc->with & WITH_HEAP)
		heap_use_set(&r->p->heap, r->now);
	if (!cells_has(r->now, COL(PROCESS, VSIZE)))
		return; /* it has no memory */
	if ((r->sc->with & WITH_SMAPS) &&
	    reading_get(r, FILE_SMAPS_ROLLUP, ROOT_FILE_MAX, &text))
		pid_smaps_rollup_scan(text, r->now);
	if ((r->sc->with & WITH_STACK) &&
	    reading_get(r, FILE_SMAPS, ROOT_FILE_MAX, &text))
		pid_smaps_stack_scan(text, r->now);
}

/* Only by running can a process come to have waited. */
static void read_delays(struct reading *r, uint64_t clock)
{
	uint64_t threads = 0;

	if (r->slept) {
		reading_keep(r, SOURCE_TASKSTATS);
	} else {
		(void)cells_get(r->now, COL(PROCESS, THREADS), &threads);
		r->has_delays = delays_of_process(r->sc->delays, r->sc, r->p,
		    clock, threads == 1, r->now, &r->delays);
	}
	delays_fix_blkio(r->now);
}

/* Cells of temporary files are set elsewhere: see spill.h. */
static void keep_spill(struct reading *r)
{
	if (r->p->open)
		reading_keep(r, SOURCE_SPILL);
}

static void set_role(struct reading *r)
{
	cells_set(r->now, COL(PROCESS, ROLE), r->p->role);
	if (r->p->postmaster)
		cells_set(r->now, COL(PROCESS, POSTMASTER), r->p->postmaster);
}

static enum proc_read_result read_files(struct reading *r, uint64_t clock)
{
	struct proc *p = r->p;
	uint64_t sched[3] = { 0, 0, 0 };
	bool has_sched = !r->slept && get_sched(r, sched);
	enum proc_read_result result = read_or_keep_stat(r);
	uint64_t v;

	if (result != PROC_READ_OK)
		return result;
	if (!r->slept) {
		p->has_sched = has_sched;
		memcpy(p->proc_read_sched, sched, sizeof(sched));
	}
	p->state = (char)r->now.val[COL(PROCESS, STATE)];
	set_cpu(r, clock);
	set_role(r);
	exits_fill(p, r->now);
	read_delays(r, clock);
	proc_status_read(r);
	set_user(r);
	read_io(r);
	read_stable_title(r);
	read_cgroup(r);
	read_wchan(r);
	read_on_request(r);
	keep_spill(r);
	if (r->lost)
		return PROC_READ_LOST;
	p->ppid = (uint32_t)r->now.val[COL(PROCESS, PPID)];
	p->clock = p->proc_read_clock = clock;
	p->threads = cells_get(r->now, COL(PROCESS, THREADS), &v) ? v : 1;
	return PROC_READ_OK;
}

static bool open_dir(struct reading *r, enum proc_read_result *ret_why)
{
	if (r->p->dir_fd >= 0) {
		r->dir_fd = r->p->dir_fd;
		return true;
	}
	r->dir_fd = root_open_pid(r->sc->root, r->p->pid);
	if (r->dir_fd >= 0)
		return true;
	failures_note(r->sc->failures, FILE_STAT,
	    r->dir_fd == -ENOENT ? -ESRCH : r->dir_fd);
	*ret_why = r->dir_fd == -EACCES || r->dir_fd == -EPERM
		? PROC_READ_DENIED : PROC_READ_LOST;
	return false;
}

enum proc_read_result proc_read(struct proc_read *f, const struct scan *sc,
	struct proc *p, struct cells now, uint32_t *ret_unread)
{
	struct reading r = { .f = f, .sc = sc, .p = p, .now = now };
	enum proc_read_result result = PROC_READ_LOST;
	uint64_t clock = p->clock;

	*ret_unread = 0;
	proc_fds_begin(p);
	if (!open_dir(&r, &result))
		return result;
	/* if the directory was already open, this tick's probe is enough */
	if (sc->root->own_pids && (p->dir_fd < 0 || clock == 0))
		clock = proc_clock(p->pid);
	/* one thread, and not run since: only others can have changed it, for
	 * example by reclaiming its memory */
	r.slept = sc->root->own_pids && p->open && p->threads == 1 &&
	    clock == p->proc_read_clock && !sc->request_changed &&
	    !(sc->with & WITH_NO_QUIET);
	root_note(sc->root, p->pid, r.slept ? "slept" : "clock", clock);
	result = read_files(&r, clock);
	if (p->dir_fd < 0 && !(result == PROC_READ_OK && sc->root->procfs &&
	    proc_fds_keep_dir(&f->fds, p, r.dir_fd)))
		(void)close(r.dir_fd);
	if (result != PROC_READ_OK)
		proc_fds_close(&f->fds, p);
	else if (!r.slept)
		proc_fds_close_idle(&f->fds, p);
	*ret_unread = r.unread;
	return result;
}

bool proc_read_sched(struct proc_read *f, const struct scan *sc, struct proc *p,
	uint64_t ret[3])
{
	struct reading r = { .f = f, .sc = sc, .p = p };
	enum proc_read_result why;
	bool good;

	if (!open_dir(&r, &why))
		return false;
	good = get_sched(&r, ret);
	if (r.dir_fd != p->dir_fd)
		(void)close(r.dir_fd);
	return good;
}
