/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/cgrow.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "procfs/sysfs.h"

#define PATH_LEN_MAX 3500u /* of a path in /proc/<pid>/cgroup */

void cgrow_init(struct cgrow *g, struct sent_texts *sent)
{
	*g = (struct cgrow) { 0 };
	rows_init(&g->rows, ENTITY_CGROUP, sent);
}

void cgrow_release(struct cgrow *g)
{
	rows_release(&g->rows);
	free(g->id);
	free(g->used);
	resgroups_release(&g->res);
}

static void add_path(struct cgrow *g, uint32_t id)
{
	size_t old = g->used_cap;

	if (id >= g->used_cap) {
		GS_GROW(g->used, &g->used_cap, (size_t)id + 1);
		memset(g->used + old, 0, g->used_cap - old);
	}
	if (g->used[id])
		return;
	g->used[id] = 1;
	GS_GROW(g->id, &g->cap, g->n + 1);
	g->id[g->n++] = id;
}

static void collect(struct cgrow *g, const struct procs *ps)
{
	size_t i;

	for (i = 0; i < g->n; i++)
		g->used[g->id[i]] = 0;
	g->n = 0;
	for (i = 0; i < ps->n; i++) {
		uint64_t id;

		if (ps->proc[i]->open && cells_get(ps->proc[i]->was,
			COL(PROCESS, CGROUP), &id) && id != 0)
			add_path(g, (uint32_t)id);
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

static void read_group(const struct scan *sc, const struct cgroup_file *file,
	struct span path, struct cells c)
{
	char name[4096];
	struct span text;

	for (; file->name; file++) {
		(void)snprintf(name, sizeof(name), "fs/cgroup/%s%.*s/%s",
		    file->hierarchy, (int)span_len(path), path.ptr,
		    file->name); /* fits: PATH_LEN_MAX */
		if (root_read_sys(sc->root, name, &text) == 0)
			file->scan(text, file->col, c);
	}
}

static void put_group(struct cgrow *g, const struct scan *sc,
	const struct cgroup_file *files, uint32_t id)
{
	struct span path = texts_get(sc->sent->texts, id);
	struct cells c = rows_now(&g->rows);

	cells_set(c, COL(CGROUP, PATH), id);
	texts_ref(sc->sent->texts, id);
	if (sc->root->sys_fd >= 0 && readable(path))
		read_group(sc, files, path, c);
	rows_put(&g->rows, id);
}

/* Groups without recorded processes: known only from their directory. */
static void put_resource_groups(struct cgrow *g, const struct scan *sc,
	const struct cgroup_file *files)
{
	size_t i;

	for (i = 0; i < g->res.n; i++) {
		uint32_t id = g->res.id[i];

		if (id < g->used_cap && g->used[id])
			continue;
		if (resgroups_exists(&g->res, sc->root,
			texts_get(sc->sent->texts, id)))
			put_group(g, sc, files, id);
	}
}

void cgrow_tick(struct cgrow *g, const struct scan *sc,
	const struct procs *ps, struct block *b)
{
	const struct cgroup_file *files = cgroup_v1_files;
	size_t i;

	if (sc->root->sys_fd >= 0 && faccessat(sc->root->sys_fd,
		"fs/cgroup/cgroup.controllers", F_OK, 0) == 0)
		files = cgroup_v2_files;
	collect(g, ps);
	if (scan_refreshes(sc))
		resgroups_find(&g->res, sc->root, sc->sent);
	scan_begin_rows(sc, &g->rows, &b->ent[ENTITY_CGROUP]);
	for (i = 0; i < g->n; i++)
		put_group(g, sc, files, g->id[i]);
	put_resource_groups(g, sc, files);
	rows_end(&g->rows);
}
