/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/proc_fds.h"

#include <sys/resource.h>
#include <unistd.h>

#define SPARE_FDS 64 /* kept free for files, pipes and libraries */
/* Each open file of a process takes some 4.5 KB in the kernel. */
#define FILES_MAX 5000
/* Those of processes that pause are closed while more than these are open. */
#define FILES_EASY (FILES_MAX / 2)
#define HOT_OPEN 1 /* files stay open from this value of proc.hot */
#define HOT_MAX 8 /* largest value: closed after as many quiet ticks */

static const char *const file_name[] = {
	[FILE_STAT] = "stat",
	[FILE_SCHEDSTAT] = "schedstat",
	[FILE_STATUS] = "status",
	[FILE_IO] = "io",
	[FILE_CMDLINE] = "cmdline",
	[FILE_CGROUP] = "cgroup",
	[FILE_WCHAN] = "wchan",
	[FILE_STATM] = "statm",
	[FILE_SMAPS_ROLLUP] = "smaps_rollup",
	[FILE_SMAPS] = "smaps",
	[FILE_SCHED] = "sched",
};

_Static_assert(FILE_LAST_KEPT + 1 == PROC_FILES, "one descriptor for each");

const char *proc_fds_name(enum proc_file file)
{
	return file_name[file];
}

void proc_fds_init(struct proc_fds *f)
{
	struct rlimit r;

	*f = (struct proc_fds) { 0 };
	if (getrlimit(RLIMIT_NOFILE, &r) < 0)
		return;
	r.rlim_cur = r.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &r) < 0 ||
	    getrlimit(RLIMIT_NOFILE, &r) < 0)
		return;
	r.rlim_cur -= r.rlim_cur / 8; /* those of control groups */
	f->max_kept = r.rlim_cur > SPARE_FDS ? r.rlim_cur - SPARE_FDS : 0;
}

/* What was not needed at the last read may not be needed at the next one.
 * schedstat of processes with threads is read at every tick. */
static bool shall_keep(const struct proc_fds *f, const struct root *root,
	const struct proc *p, enum proc_file file)
{
	if (file > FILE_LAST_KEPT || !root->procfs)
		return false;
	if (p->file_fd[file] >= 0)
		return true;
	if (f->n_kept >= f->max_kept || f->n_files >= FILES_MAX)
		return false;
	return (p->hot >= HOT_OPEN && p->needed_before >> file & 1) ||
	    (file == FILE_SCHEDSTAT && p->threads > 1);
}

static int read_kept(struct proc_fds *f, struct root *root, int dir_fd,
	struct proc *p, enum proc_file file, struct span *ret)
{
	int *fd = &p->file_fd[file];
	bool was_open = *fd >= 0;
	int status = root_read_pid_kept(root, dir_fd, p->pid, file_name[file],
	    fd, ret);

	if (!was_open && *fd >= 0) {
		f->n_kept++;
		f->n_files++;
	} else if (was_open && *fd < 0) {
		f->n_kept--;
		f->n_files--;
	}
	return status;
}

int proc_fds_read(struct proc_fds *f, struct root *root, int dir_fd,
	struct proc *p, enum proc_file file, size_t max_bytes,
	struct span *ret)
{
	p->needed |= 1u << file;
	if (shall_keep(f, root, p, file))
		return read_kept(f, root, dir_fd, p, file, ret);
	return root_read_pid(root, dir_fd, p->pid, file_name[file], max_bytes,
	    ret);
}

void proc_fds_begin(struct proc *p)
{
	p->needed_before = p->needed;
	p->needed = 0;
}

bool proc_fds_keep_dir(struct proc_fds *f, struct proc *p, int dir_fd)
{
	if (f->n_kept >= f->max_kept)
		return false;
	p->dir_fd = dir_fd;
	f->n_kept++;
	return true;
}

static void close_file(struct proc_fds *f, struct proc *p, unsigned i)
{
	if (p->file_fd[i] < 0)
		return;
	(void)close(p->file_fd[i]); /* was only read */
	p->file_fd[i] = -1;
	f->n_kept--;
	f->n_files--;
}

static void close_files(struct proc_fds *f, struct proc *p)
{
	unsigned i;

	for (i = 0; i < PROC_FILES; i++)
		close_file(f, p, i);
}

void proc_fds_close_idle(struct proc_fds *f, struct proc *p)
{
	unsigned i;

	for (i = 0; i < PROC_FILES; i++) {
		if (!((p->needed | p->needed_before) >> i & 1))
			close_file(f, p, i);
	}
}

void proc_fds_close(struct proc_fds *f, struct proc *p)
{
	close_files(f, p);
	if (p->dir_fd < 0)
		return;
	(void)close(p->dir_fd); /* was only a path */
	p->dir_fd = -1;
	f->n_kept--;
}

void proc_fds_note_run(struct proc_fds *f, struct proc *p, bool ran)
{
	if (ran && p->hot < HOT_MAX)
		p->hot++;
	else if (!ran && p->hot > 0 && f->n_files > FILES_EASY &&
	    --p->hot == 0)
		close_files(f, p);
}
