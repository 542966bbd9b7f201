/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/cgmounts.h"

#include "agent/dirs.h"
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

/* In version 2 a directory "memory" is just a group of that name. */
void cgmounts_find(struct cgmounts *m, const struct root *r)
{
	*m = (struct cgmounts) { 0 };
	if (r->sys_fd < 0)
		return;
	if (exists(r, TOP "/cgroup.controllers")) {
		(void)snprintf(m->dir[CG_UNIFIED], CGMOUNTS_DIR_MAX, TOP);
		return;
	}
	if (exists(r, TOP "/unified/cgroup.controllers"))
		set(m, CG_UNIFIED, "unified");
	find_v1(m, r);
}
