/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/resgroups.h"

#include <dirent.h>
#include <stdlib.h>

#include "agent/dirs.h"
#include "base/compiler.h"
#include "base/mem.h"

#define DEPTH_MAX 4
#define NAME_LEN_MAX 255u

/* Below fs/cgroup: version 2, then the controllers of version 1 that
 * resource groups use. */
static const char *const hierarchies[] = { "", "/cpu", "/cpuacct", "/memory",
	"/cpuset" };
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

void resgroups_find(
    struct resgroups *g, struct root *r, struct sent_texts *sent)
{
	size_t i, k, at;

	for (i = 0; i < g->n; i++)
		sent_drop(sent, g->id[i]);
	g->n = 0;
	for (i = 0; i < GS_LEN(hierarchies) && r->sys_fd >= 0; i++) {
		for (k = 0; k < GS_LEN(tops); k++) {
			buf_reset(&g->path);
			buf_add_str(&g->path, "fs/cgroup");
			buf_add_str(&g->path, hierarchies[i]);
			at = g->path.len;
			buf_add_str(&g->path, tops[k]);
			walk(g, r, sent, at, 1);
		}
	}
}

bool resgroups_exists(struct resgroups *g, const struct root *r,
	struct span path)
{
	size_t i;

	for (i = 0; i < GS_LEN(hierarchies); i++) {
		buf_reset(&g->path);
		buf_add_str(&g->path, "fs/cgroup");
		buf_add_str(&g->path, hierarchies[i]);
		buf_add(&g->path, path.ptr, span_len(path));
		if (root_exists(r, r->sys_fd, g->path.ptr))
			return true;
	}
	return false;
}
