/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/failures.h"

#include <errno.h>

static const char *name_of(unsigned file)
{
	switch (file) {
	case FAILURES_FD:
		return "fd";
	case FAILURES_PIDS:
		return "pids";
	case FAILURES_TASKSTATS:
		return "taskstats";
	case FAILURES_HEAP:
		return "heap";
	case FAILURES_NETLINK:
		return "netlink";
	case FAILURES_DELAYACCT:
		return "task_delayacct";
	case FAILURES_CGROUP_IO:
		return "cgroup_io";
	default:
		return proc_fds_name((enum proc_file)file);
	}
}

void failures_init(struct failures *f, struct sent_texts *sent)
{
	*f = (struct failures) { .file = { { 0 } } };
	rows_init(&f->rows, ENTITY_SOURCE, sent);
}

void failures_release(struct failures *f)
{
	rows_release(&f->rows);
}

void failures_add(struct failures *f, unsigned file, uint64_t n, int status)
{
	struct failures_count *c = &f->file[file];

	c->tried += n;
	switch (-status) {
	case 0:
		return;
	case ESRCH:
		c->lost += n;
		return;
	case EACCES:
		c->eacces += n;
		return;
	case EPERM:
		c->eperm += n;
		return;
	case ENOENT:
		c->enoent += n;
		return;
	default:
		c->others += n;
		c->other = n > 0 ? -status : c->other;
	}
}

void failures_begin(struct failures *f)
{
	unsigned i;

	for (i = 0; i < FAILURES_FILES; i++)
		f->file[i].processes = 0;
}

void failures_count(struct failures *f, uint32_t files)
{
	for (; files; files &= files - 1)
		f->file[gs_ctz64(files)].processes++;
}

/* The most frequent one; 0: none.  That a process has no jemalloc is one only if
 * there is no other. */
static int worst_error(const struct failures_count *c, unsigned file)
{
	bool only_lacks = c->eacces + c->eperm + c->others == 0;
	uint64_t lacks = file == FAILURES_HEAP && !only_lacks ? 0 : c->enoent;
	const struct {
		uint64_t n;
		int error;
	} of[] = { { c->eacces, EACCES }, { c->eperm, EPERM },
		{ lacks, ENOENT }, { c->others, c->other } };
	size_t i, best = 0;

	for (i = 1; i < GS_LEN(of); i++) {
		if (of[i].n > of[best].n)
			best = i;
	}
	return of[best].n > 0 ? of[best].error : 0;
}

static void put(struct failures *f, unsigned file)
{
	const struct failures_count *c = &f->file[file];
	struct cells now = rows_now(&f->rows);
	uint64_t denied = c->eacces + c->eperm;
	int error = worst_error(c, file);

	sent_set(f->rows.sent, now, rows_was(&f->rows, file),
	    COL(SOURCE, FILE), span_str(name_of(file)));
	cells_set(now, COL(SOURCE, TRIED), c->tried);
	cells_set(now, COL(SOURCE, FAILED), denied + c->enoent + c->others);
	cells_set(now, COL(SOURCE, DENIED), denied);
	cells_set(now, COL(SOURCE, LACKING), c->enoent);
	cells_set(now, COL(SOURCE, OTHERS), c->others);
	cells_set(now, COL(SOURCE, LOST), c->lost);
	cells_set(now, COL(SOURCE, PROCESSES), c->processes);
	if (error != 0)
		cells_set(now, COL(SOURCE, ERROR), (uint64_t)error);
	rows_put(&f->rows, file);
}

void failures_put(struct failures *f, const struct scan *sc, struct delta *d)
{
	unsigned i;

	scan_begin_rows(sc, &f->rows, d);
	for (i = 0; i < FAILURES_FILES; i++) {
		if (f->file[i].tried > 0)
			put(f, i);
	}
	rows_end(&f->rows);
}
