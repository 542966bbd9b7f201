/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/places.h"

#include <errno.h>
#include <stdlib.h>

#include "agent/dirs.h"
#include "base/mem.h"

void places_release(struct places *p)
{
	size_t i;

	for (i = 0; i < p->made; i++)
		buf_release(&p->place[i].path);
	free(p->place);
	buf_release(&p->path);
	*p = (struct places) { 0 };
}

/* Adds a directory; its path is empty. */
static struct place *add_place(struct places *p)
{
	struct place *to;

	if (p->n == p->made) {
		GS_GROW(p->place, &p->cap, p->n + 1);
		p->place[p->made++] = (struct place) { 0 };
	}
	to = &p->place[p->n++];
	*to = (struct place) { .path = to->path };
	buf_reset(&to->path);
	return to;
}

/* True for a directory of this server's version, or of an unknown version:
 * Greenplum's directories are not named after its PG_VERSION. */
static bool is_version(const char *name, struct span version)
{
	size_t n = span_len(version);

	if (strncmp(name, "PG_", 3) == 0)
		return n == 0 || (strncmp(name + 3, version.ptr, n) == 0 &&
		    name[3 + n] == '_');
	return *name >= 'A' && *name <= 'Z' && strchr(name, '_');
}

static bool on_network(struct root *r, struct mounts *mounts,
	const char *link)
{
	struct span to;
	struct mount m;

	if (!r->procfs)
		return false;
	if (root_readlink(r, r->proc_fd, link, &to) < 0)
		return false; /* a directory in its own right */
	return mounts_find(mounts, to, &m) && mount_may_hang(&m);
}

static void list_versions(struct places *p, struct root *r, const char *dir,
	struct span version)
{
	struct dirs d;
	const char *name;
	unsigned char type;
	int status = dirs_open(&d, r, r->proc_fd, dir, 0);

	if (status < 0) {
		p->all &= status == -ENOENT;
		return;
	}
	while ((name = dirs_next(&d, &type)) != NULL) {
		struct place *to;

		if (!is_version(name, version))
			continue;
		if (p->n >= PLACES_MAX) {
			p->all = false;
			break;
		}
		to = add_place(p);
		buf_add_str(&to->path, dir);
		buf_add_char(&to->path, '/');
		buf_add_str(&to->path, name);
		buf_add_str(&to->path, "/pgsql_tmp");
	}
	p->all &= d.status == 0;
	dirs_close(&d);
}

/* The tablespace that link points to.  In the root of others no link below a
 * working directory is followed: its path is used, which starts from there. */
static void list_space(struct places *p, struct root *r,
	struct mounts *mounts, const char *link, struct span version)
{
	struct span to;
	char *path = NULL;

	if (on_network(r, mounts, link)) {
		p->all = false;
		return;
	}
	if (!r->is_default && r->procfs &&
	    root_readlink(r, r->proc_fd, link, &to) == 0 &&
	    span_starts(to, "/"))
		path = gs_strndup(to.ptr, span_len(to));
	list_versions(p, r, path ? path : link, version);
	free(path);
}

/* Time of the last change in pg_tblspc; path becomes its path. */
static struct timespec spaces_mtime(struct places *p, struct root *r,
	const char *dir)
{
	struct stat st;

	buf_reset(&p->path);
	buf_add_str(&p->path, dir);
	buf_add_str(&p->path, "/pg_tblspc");
	if (root_stat(r, r->proc_fd, p->path.ptr, &st) < 0)
		return (struct timespec) { 0 };
	return st.st_mtim;
}

static void list_spaces(struct places *p, struct root *r,
	struct mounts *mounts, struct span version)
{
	struct dirs d;
	const char *name;
	unsigned char type;
	size_t len = p->path.len;
	int status = dirs_open(&d, r, r->proc_fd, p->path.ptr, 0);

	if (status < 0) {
		p->all &= status == -ENOENT;
		return;
	}
	while ((name = dirs_next(&d, &type)) != NULL) {
		if (*name < '0' || *name > '9')
			continue;
		p->path.len = len;
		buf_add_char(&p->path, '/');
		buf_add_str(&p->path, name);
		list_space(p, r, mounts, p->path.ptr, version);
	}
	p->all &= d.status == 0;
	dirs_close(&d);
}

void places_find(struct places *p, struct root *r, struct mounts *mounts,
	const char *dir, struct span version)
{
	struct place *base;
	struct stat st;

	p->n = 0;
	p->all = false;
	base = add_place(p);
	buf_add_str(&base->path, dir);
	buf_add_str(&base->path, "/base");
	if (root_stat(r, r->proc_fd, base->path.ptr, &st) < 0)
		return; /* not a data directory, or not readable */
	buf_add_str(&base->path, "/pgsql_tmp");
	p->all = true;
	/* read before they are listed: one added meanwhile is found later */
	p->spaces_mtime = spaces_mtime(p, r, dir);
	list_spaces(p, r, mounts, version);
}

bool places_changed(struct places *p, struct root *r, const char *dir)
{
	struct timespec t = spaces_mtime(p, r, dir);

	return t.tv_sec != p->spaces_mtime.tv_sec ||
	    t.tv_nsec != p->spaces_mtime.tv_nsec;
}
