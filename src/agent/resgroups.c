/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/resgroups.h"

#include <dirent.h>
#include <stdlib.h>

#include "agent/dirs.h"
#include "base/compiler.h"
#include "base/mem.h"

#define DEPTH_MAX 4
#define NAME_LEN_MAX 255u

static const char *const tops[] = { "/gpdb", "/gpdb.service" };

void resgroups_release(struct resgroups *g)
{
	free(g->id);
	buf_release(&g->path);
}

static void add(struct resgroups *g, struct sent_texts *sent, struct span path)
{
	uint32_t id = sent_text(sent, path);
	size_t i;

	for (i = 0; i < g->n; i++) {
		if (g->id[i] == id) {
			sent_drop(sent, id);
			return;
		}
	}
	GS_GROW(g->id, &g->cap, g->n + 1);
	g->id[g->n++] = id;
}

static void walk(struct resgroups *g, struct root *r, struct sent_texts *sent,
	size_t at, int depth);

/* If the file system gives no type, it must be opened to find out. */
static bool may_be_dir(unsigned char type)
{
	return type == DT_DIR || type == DT_UNKNOWN;
}

static void walk_below(struct resgroups *g, struct root *r,
    struct sent_texts *sent, struct dirs *d, size_t at, int depth)
{
	size_t len = g->path.len;
	const char *name;
	unsigned char type;

	while ((name = dirs_next(d, &type)) != NULL) {
		if (!may_be_dir(type) || strlen(name) > NAME_LEN_MAX)
			continue;
		buf_add_char(&g->path, '/');
		buf_add_str(&g->path, name);
		walk(g, r, sent, at, depth + 1);
		g->path.len = len;
		g->path.ptr[len] = '\0';
	}
}

/* Adds the group in g->path, whose own name begins at at, and all below. */
static void walk(struct resgroups *g, struct root *r, struct sent_texts *sent,
	size_t at, int depth)
{
	struct dirs d;

	if (depth > DEPTH_MAX || g->n >= RESGROUPS_MAX ||
	    dirs_open(&d, r, r->sys_fd, g->path.ptr, 0) < 0)
		return;
	add(g, sent, span_of(g->path.ptr + at, g->path.len - at));
	walk_below(g, r, sent, &d, at, depth);
	dirs_close(&d);
}

/* A directory that may have resource groups, by number; NULL after the last.
 * CPU sets have no figures of their own. */
static const char *dir_at(const struct cgmounts *m, size_t i)
{
	if (i == CG_HIERARCHIES)
		return "fs/cgroup/cpuset";
	return i < CG_HIERARCHIES ? m->dir[i] : NULL;
}

void resgroups_find(struct resgroups *g, struct root *r,
	const struct cgmounts *m, struct sent_texts *sent)
{
	const char *dir;
	size_t i, k, at;

	for (i = 0; i < g->n; i++)
		sent_drop(sent, g->id[i]);
	g->n = 0;
	for (i = 0; r->sys_fd >= 0 && (dir = dir_at(m, i)) != NULL; i++) {
		for (k = 0; *dir && k < GS_LEN(tops); k++) {
			buf_reset(&g->path);
			buf_add_str(&g->path, dir);
			at = g->path.len;
			buf_add_str(&g->path, tops[k]);
			walk(g, r, sent, at, 1);
		}
	}
}

bool resgroups_exists(struct resgroups *g, const struct root *r,
	const struct cgmounts *m, struct span path)
{
	const char *dir;
	size_t i;

	for (i = 0; (dir = dir_at(m, i)) != NULL; i++) {
		buf_reset(&g->path);
		buf_add_str(&g->path, dir);
		buf_add(&g->path, path.ptr, span_len(path));
		if (*dir && root_exists(r, r->sys_fd, buf_str(&g->path)))
			return true;
	}
	return false;
}
