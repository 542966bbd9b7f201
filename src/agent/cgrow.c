/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/cgrow.h"

#include <stdlib.h>

#include "base/mem.h"

void cgrow_init(struct cgrow *g, struct sent_texts *sent)
{
	*g = (struct cgrow) { 0 };
	rows_init(&g->rows, ENTITY_CGROUP, sent);
	cgio_init(&g->io, sent);
	cgfiles_init(&g->files);
}

void cgrow_release(struct cgrow *g)
{
	size_t i;

	for (i = 0; i < g->n; i++)
		cgfiles_drop(&g->files, &g->group[i]);
	cgio_release(&g->io);
	rows_release(&g->rows);
	free(g->group);
	free(g->number);
	resgroups_release(&g->res);
}

/* The group of that path has a row at this tick. */
static void see(struct cgrow *g, uint32_t id)
{
	size_t old = g->number_cap;

	if (id >= g->number_cap) {
		GS_GROW(g->number, &g->number_cap, (size_t)id + 1);
		memset(g->number + old, 0,
		    (g->number_cap - old) * sizeof(*g->number));
	}
	if (g->number[id] == 0) {
		GS_GROW(g->group, &g->cap, g->n + 1);
		cgfiles_add(&g->group[g->n], id);
		g->number[id] = (uint32_t)++g->n;
	}
	g->group[g->number[id] - 1].seen = true;
}

static bool is_root(const struct scan *sc, uint64_t id)
{
	return span_eq(texts_get(sc->sent->texts, (uint32_t)id), "/");
}

/* The groups of a process.  The root of one controller says nothing about a
 * process that is in a group of another. */
static void see_process(struct cgrow *g, const struct scan *sc,
	const struct cells was)
{
	static const unsigned others[] = { COL(PROCESS, CGROUP_CPU),
		COL(PROCESS, CGROUP_MEMORY) };
	uint64_t main, id;
	size_t i;

	if (!cells_get(was, COL(PROCESS, CGROUP), &main) || main == 0)
		return;
	see(g, (uint32_t)main);
	for (i = 0; i < GS_LEN(others); i++) {
		if (cells_get(was, others[i], &id) && id != 0 && id != main &&
		    !is_root(sc, id))
			see(g, (uint32_t)id);
	}
}

/* Groups without recorded processes: known only from their directory. */
static void see_resource_groups(struct cgrow *g, const struct scan *sc)
{
	size_t i;

	for (i = 0; i < g->res.n; i++) {
		uint32_t id = g->res.id[i];

		if (resgroups_exists(&g->res, sc->root, &g->files.mounts,
			texts_get(sc->sent->texts, id)))
			see(g, id);
	}
}

static void put_group(struct cgrow *g, const struct scan *sc,
	struct cgfiles_group *group)
{
	struct cells c = rows_now(&g->rows), was = rows_was(&g->rows,
	    group->id);
	const struct cgio_before before = { cgio_known(was),
		group->all_devices };

	cells_set(c, COL(CGROUP, PATH), group->id);
	texts_ref(sc->sent->texts, group->id);
	cgfiles_read(&g->files, group, sc, texts_get(sc->sent->texts,
	    group->id), was, c, &g->io.devices);
	rows_put(&g->rows, group->id);
	group->all_devices = cgio_put(&g->io, sc, group->id, before);
}

/* A group without recorded processes may go on with others. */
static void drop_group(struct cgrow *g, const struct scan *sc,
	struct cgfiles_group *group)
{
	bool has_row = rows_was(&g->rows, group->id).val != NULL;

	if (has_row && cgfiles_exists(&g->files, sc,
		texts_get(sc->sent->texts, group->id))) {
		rows_leave(&g->rows, group->id, CLOSE_LEFT);
		cgio_leave(&g->io, group->id);
	}
	cgfiles_drop(&g->files, group);
	g->number[group->id] = 0;
}

/* Puts the groups seen at this tick, and forgets the others. */
static void put_groups(struct cgrow *g, const struct scan *sc)
{
	size_t i, kept = 0;

	for (i = 0; i < g->n; i++) {
		struct cgfiles_group *group = &g->group[i];

		if (!group->seen) {
			drop_group(g, sc, group);
			continue;
		}
		put_group(g, sc, group);
		if (kept != i)
			g->group[kept] = *group;
		g->number[group->id] = (uint32_t)++kept;
	}
	g->n = kept;
}

void cgrow_tick(struct cgrow *g, const struct scan *sc,
	const struct procs *ps, const struct hostrow *host, struct block *b)
{
	size_t i;

	for (i = 0; i < g->n; i++)
		g->group[i].seen = false;
	if (scan_refreshes(sc)) {
		cgmounts_find(&g->files.mounts, sc->root);
		resgroups_find(&g->res, sc->root, &g->files.mounts,
		    sc->sent);
	}
	for (i = 0; i < ps->n; i++) {
		if (ps->proc[i]->open)
			see_process(g, sc, ps->proc[i]->was);
	}
	see_resource_groups(g, sc);
	scan_begin_rows(sc, &g->rows, &b->ent[ENTITY_CGROUP]);
	cgio_begin(&g->io, sc, host, &b->ent[ENTITY_CGROUP_IO]);
	put_groups(g, sc);
	cgio_end(&g->io, sc);
	rows_end(&g->rows);
}
