/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/watch.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <uthash.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "format/lockfile.h"
#include "replay/recfile.h"

/* A directory may change for so long without a new mtime: kernel ticks, whole
 * seconds of old or remote file systems. */
#define GRAIN_NS (2 * GS_NSEC_PER_SEC)

struct known {
	char *name;
	UT_hash_handle hh;
};

struct watch {
	char *dir;
	struct known *known;
	int64_t changed_ns; /* of the directory, when it was read last */
	bool mtime_final; /* any change since then shows in changed_ns */
};

struct watch *watch_new(const char *dir)
{
	struct watch *w = gs_calloc(1, sizeof(*w));

	w->dir = gs_strdup(dir);
	return w;
}

void watch_free(struct watch *w)
{
	struct known *k, *next;

	if (!w)
		return;
	HASH_ITER(hh, w->known, k, next) {
		HASH_DEL(w->known, k);
		free(k->name);
		free(k);
	}
	free(w->dir);
	free(w);
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_known(const struct watch *w, const char *name)
{
	struct known *k;

	HASH_FIND_STR(w->known, name, k);
	return k != NULL;
}

void watch_know(struct watch *w, const char *path)
{
	struct known *k;

	if (is_known(w, name_of(path)))
		return;
	k = gs_calloc(1, sizeof(*k));
	k->name = gs_strdup(name_of(path));
	HASH_ADD_KEYPTR(hh, w->known, k->name, strlen(k->name), k);
}

static int64_t time_of(const struct timespec *t)
{
	return (int64_t)t->tv_sec * GS_NSEC_PER_SEC + t->tv_nsec;
}

/* Takes the directory's mtime before it is read. */
static int may_have_changed(struct watch *w, bool *ret, struct gs_err *err)
{
	struct stat st;
	int64_t changed_ns;

	if (stat(w->dir, &st) < 0)
		return gs_fail_errno(err, errno, "%s", w->dir);
	changed_ns = time_of(&st.st_mtim);
	*ret = !w->mtime_final || changed_ns != w->changed_ns;
	w->changed_ns = changed_ns;
	w->mtime_final = gs_clock_wall_ns() - changed_ns > GRAIN_NS;
	return GS_OK;
}

int watch_poll(struct watch *w, watch_fn fn, void *ctx, struct gs_err *err)
{
	struct buf path = BUF_INIT;
	struct dirent *e;
	bool changed = false;
	int r = may_have_changed(w, &changed, err);
	DIR *d;

	if (r < 0 || !changed)
		return r;
	d = opendir(w->dir);
	if (!d)
		return gs_fail_errno(err, errno, "%s", w->dir);
	while ((e = readdir(d)) != NULL) {
		if (!recfile_is_name(e->d_name) || is_known(w, e->d_name))
			continue;
		recfile_path(w->dir, e->d_name, &path);
		if (fn(ctx, buf_str(&path)))
			watch_know(w, e->d_name);
		else
			w->mtime_final = false;
	}
	(void)closedir(d); /* only read from */
	buf_release(&path);
	return GS_OK;
}

/* ".NAME.lock" */
static bool is_lock(const char *name)
{
	static const char end[] = ".lock";
	size_t len = strlen(name), n = sizeof(end) - 1;

	return name[0] == '.' && len > n + 1 &&
	    strcmp(name + len - n, end) == 0;
}

/* True if a file of that directory with such a name is locked. */
static bool has_locked(const char *dir, bool (*is)(const char *name))
{
	struct buf path = BUF_INIT;
	bool locked = false;
	struct dirent *e;
	DIR *d = opendir(dir);

	while (d && !locked && (e = readdir(d)) != NULL) {
		if (!is(e->d_name))
			continue;
		recfile_path(dir, e->d_name, &path);
		locked = path_is_locked(buf_str(&path));
	}
	if (d)
		(void)closedir(d); /* only read from */
	buf_release(&path);
	return locked;
}

bool watch_is_locked(const struct watch *w)
{
	return has_locked(w->dir, is_lock);
}

bool path_is_recorded(const char *path)
{
	if (!path_is_directory(path))
		return path_is_locked(path);
	return has_locked(path, is_lock) ||
	    has_locked(path, recfile_is_name);
}
