/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/cgfiles.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/arith.h"
#include "procfs/host.h"

#define PATH_LEN_MAX 3500u /* of a path in /proc/<pid>/cgroup */
#define NAME_BUF 4096 /* takes directory, path and name of a file */

/* Each open file takes some 4.5 KB in the kernel.  Processes need
 * descriptors, too: proc_fds.c leaves so many. */
#define OPEN_MAX_FILES 512u

/* One group being read. */
struct reading {
	struct cgfiles *f;
	struct cgfiles_group *g;
	const struct scan *sc;
	struct span path;
	struct cells was, now;
	struct cgroup_devices *devices;
	bool full; /* everything is read */
};

void cgfiles_init(struct cgfiles *f)
{
	struct rlimit limit;
	unsigned i;

	*f = (struct cgfiles) { 0 };
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
		f->max_open = GS_MIN(limit.rlim_cur / 8, OPEN_MAX_FILES);
	for (i = 0; i < CGROUP_FILES; i++)
		cgroup_file_columns(&cgroup_files[i], f->columns[i]);
}

void cgfiles_add(struct cgfiles_group *g, uint32_t id)
{
	unsigned i;

	*g = (struct cgfiles_group) { .id = id };
	for (i = 0; i < CGROUP_FILES; i++)
		g->fd[i] = -1;
}

void cgfiles_drop(struct cgfiles *f, struct cgfiles_group *g)
{
	unsigned i;

	for (i = 0; i < CGROUP_FILES; i++) {
		if (g->fd[i] < 0)
			continue;
		(void)close(g->fd[i]); /* was only read */
		g->fd[i] = -1;
		f->n_open--;
	}
}

/* A path that leaves its own namespace ("/../x") can't be used here. */
static bool readable(struct span path)
{
	return span_len(path) < PATH_LEN_MAX && span_starts(path, "/") &&
	    !span_starts(path, "/..") && !memchr(path.ptr, '\0',
		span_len(path)) &&
	    !memmem(path.ptr, span_len(path), "/../", 4);
}

bool cgfiles_exists(const struct cgfiles *f, const struct scan *sc,
	struct span path)
{
	char name[NAME_BUF];
	unsigned h;

	if (sc->root->sys_fd < 0 || !readable(path))
		return false;
	for (h = 0; h < CG_HIERARCHIES; h++) {
		(void)snprintf(name, sizeof(name), "%s%.*s",
		    f->mounts.dir[h], (int)span_len(path), path.ptr);
		if (*f->mounts.dir[h] &&
		    root_exists(sc->root, sc->root->sys_fd, name))
			return true;
	}
	return false;
}

static int read_open(struct reading *r, unsigned i, const char *name,
	struct span *ret)
{
	int *fd = &r->g->fd[i];
	bool was_open = *fd >= 0;
	int status = root_read_sys_kept(r->sc->root, name, fd, ret);

	/* the group was removed, and may have been made again */
	if (status < 0 && was_open)
		status = root_read_sys_kept(r->sc->root, name, fd, ret);
	r->f->n_open += *fd >= 0;
	r->f->n_open -= was_open;
	return status;
}

/* Some kernels have a file, but nothing in it. */
static bool gave_any(const struct reading *r, unsigned i)
{
	unsigned w;

	for (w = 0; w < COL_WORDS(NCOLS(CGROUP)); w++) {
		if (r->f->columns[i][w] & r->now.present[w])
			return true;
	}
	return false;
}

static void read_file(struct reading *r, unsigned i)
{
	const struct cgroup_file *file = &cgroup_files[i];
	char name[NAME_BUF];
	struct span text;
	bool keep = file->when != CG_LIMIT &&
	    (r->g->fd[i] >= 0 || r->f->n_open < r->f->max_open);
	int status;

	(void)snprintf(name, sizeof(name), "%s%.*s/%s",
	    r->f->mounts.dir[file->hierarchy], (int)span_len(r->path),
	    r->path.ptr, file->name); /* fits: PATH_LEN_MAX */
	status = keep ? read_open(r, i, name, &text)
	              : root_read_sys(r->sc->root, name, &text);
	if (status == 0) {
		file->scan(file, text, r->now);
		cgroup_devices_add(r->devices, (enum cgroup_io_file)file->io,
		    text);
	}
	r->g->lacks[i] = status < 0 || !gave_any(r, i);
}

static void keep_columns(struct reading *r, unsigned i)
{
	unsigned w;

	for (w = 0; w < COL_WORDS(NCOLS(CGROUP)); w++) {
		uint64_t bits = r->f->columns[i][w] & r->was.present[w] &
		    ~r->now.present[w];

		for (; bits; bits &= bits - 1) {
			unsigned col = w * 64 + gs_ctz64(bits);

			cells_set(r->now, col, r->was.val[col]);
		}
	}
}

static bool is_same(const struct reading *r, unsigned col)
{
	return cells_has(r->now, col) && cells_has(r->was, col) &&
	    r->now.val[col] == r->was.val[col];
}

/* What a group does costs CPU time or changes its memory; CPU and memory are
 * read before what depends on it. */
static bool is_idle(const struct reading *r)
{
	return is_same(r, COL(CGROUP, CPU)) &&
	    (is_same(r, COL(CGROUP, MEMORY)) ||
		!cells_has(r->now, COL(CGROUP, MEMORY)));
}

static bool is_due(const struct reading *r, const struct cgroup_file *file)
{
	if (r->full || file->when == CG_TICK)
		return true;
	return file->when == CG_WORK && !is_idle(r);
}

static void read_or_keep(struct reading *r, unsigned i)
{
	const struct cgroup_file *file = &cgroup_files[i];

	if (!*r->f->mounts.dir[file->hierarchy] ||
	    cells_has(r->now, file->col))
		return;
	if (r->g->lacks[i] && !r->full)
		return;
	if (is_due(r, file))
		read_file(r, i);
	else
		keep_columns(r, i);
}

void cgfiles_read(struct cgfiles *f, struct cgfiles_group *g,
	const struct scan *sc, struct span path, struct cells was,
	struct cells now, struct cgroup_devices *devices)
{
	struct reading r = { f, g, sc, path, was, now, devices, false };
	unsigned i;

	devices->n = 0;
	devices->more = false;
	if (sc->root->sys_fd < 0 || !readable(path))
		return;
	r.full = !sc->root->procfs || g->full_ns == 0 || !was.val ||
	    scan_due(sc, TURN_SOON, g->id, g->full_ns);
	if (r.full)
		g->full_ns = sc->mono_ns;
	for (i = 0; i < CGROUP_FILES; i++)
		read_or_keep(&r, i);
	/* for the whole host, "full" of the CPU has no meaning */
	if (span_eq(path, "/"))
		pressure_drop_zero(now, COL(CGROUP, PSI_CPU_FULL));
}
