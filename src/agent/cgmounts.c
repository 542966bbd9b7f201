/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/cgmounts.h"

#include "agent/dirs.h"
#include "agent/mounts.h"
#include "base/compiler.h"

#define TOP "fs/cgroup"
#define NAME_MAX_HERE (CGMOUNTS_DIR_MAX - sizeof(TOP "/"))

static const char *const controllers[CG_HIERARCHIES] = {
	[CG_CPU] = "cpu",
	[CG_CPUACCT] = "cpuacct",
	[CG_MEMORY] = "memory",
	[CG_PIDS] = "pids",
	[CG_BLKIO] = "blkio",
};

static bool exists(const struct root *r, const char *path)
{
	return root_exists(r, r->sys_fd, path);
}

static void set(struct cgmounts *m, unsigned hierarchy, const char *name)
{
	/* fits: NAME_MAX_HERE */
	(void)snprintf(m->dir[hierarchy], CGMOUNTS_DIR_MAX, TOP "/%s", name);
}

static bool lists(struct span names, const char *controller)
{
	struct span one;

	while (scan_until(&names, ',', &one)) {
		if (span_eq(one, controller))
			return true;
	}
	return span_eq(names, controller);
}

/* A directory "cpu,cpuacct" stands for those that have none of their own. */
static void take_name(struct cgmounts *m, const char *name)
{
	unsigned i;

	if (strlen(name) >= NAME_MAX_HERE || !strchr(name, ','))
		return;
	for (i = CG_UNIFIED + 1; i < CG_HIERARCHIES; i++) {
		if (!*m->dir[i] && lists(span_str(name), controllers[i]))
			set(m, i, name);
	}
}

static void find_v1(struct cgmounts *m, const struct root *r)
{
	struct dirs d;
	const char *name;
	unsigned char type;
	bool missing = false;
	unsigned i;

	for (i = CG_UNIFIED + 1; i < CG_HIERARCHIES; i++) {
		set(m, i, controllers[i]);
		if (!exists(r, m->dir[i])) {
			*m->dir[i] = '\0';
			missing = true;
		}
	}
	if (!missing || dirs_open(&d, r, r->sys_fd, TOP, 0) < 0)
		return;
	while ((name = dirs_next(&d, &type)) != NULL)
		take_name(m, name);
	dirs_close(&d);
}

static void find_usual(struct cgmounts *m, const struct root *r)
{
	/* In version 2 a directory "memory" is just a group of that name. */
	if (exists(r, TOP "/cgroup.controllers")) {
		(void)snprintf(m->dir[CG_UNIFIED], CGMOUNTS_DIR_MAX, TOP);
		return;
	}
	if (exists(r, TOP "/unified/cgroup.controllers"))
		set(m, CG_UNIFIED, "unified");
	find_v1(m, r);
}

/* ---- the mount table ----------------------------------------------------- */

static void list(struct cgmounts *m, unsigned hierarchy, const struct buf *dir)
{
	if (!*m->listed[hierarchy])
		memcpy(m->listed[hierarchy], dir->ptr, dir->len + 1);
}

static void list_mount(struct cgmounts *m, const struct mount *mount,
	struct buf *dir)
{
	unsigned i;

	buf_reset(dir);
	mountinfo_unescape(mount->point, dir);
	if (!span_eq(mount->root, "/") || dir->len >= CGMOUNTS_DIR_MAX ||
	    *buf_str(dir) != '/' || strlen(buf_str(dir)) != dir->len)
		return;
	if (span_eq(mount->type, "cgroup2"))
		list(m, CG_UNIFIED, dir);
	if (!span_eq(mount->type, "cgroup"))
		return;
	for (i = CG_UNIFIED + 1; i < CG_HIERARCHIES; i++) {
		if (lists(mount->super, controllers[i]))
			list(m, i, dir);
	}
}

static void read_table(struct cgmounts *m, struct root *r)
{
	struct mounts table = { .table = BUF_INIT, .path = BUF_INIT };
	struct mount mount;
	struct span text;

	memset(m->listed, 0, sizeof(m->listed));
	if (mounts_read(&table, r)) {
		text = span_of(table.table.ptr, table.table.len);
		while (mountinfo_next(&text, &mount))
			list_mount(m, &mount, &table.path);
	}
	mounts_release(&table);
}

/* A mount may be hidden by another one. */
static void find_listed(struct cgmounts *m, const struct root *r)
{
	unsigned i;

	for (i = 0; i < CG_HIERARCHIES; i++) {
		if (!*m->dir[i] && *m->listed[i] && exists(r, m->listed[i]))
			memcpy(m->dir[i], m->listed[i], CGMOUNTS_DIR_MAX);
	}
}

void cgmounts_find(struct cgmounts *m, struct root *r)
{
	memset(m->dir, 0, sizeof(m->dir));
	if (r->sys_fd < 0)
		return;
	find_usual(m, r);
	if (m->finds++ % CGMOUNTS_TABLE_EVERY == 0 || !r->procfs)
		read_table(m, r);
	find_listed(m, r);
}
