/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cgroup_figures.h - what tables of control groups share: the names of those
 * of resource groups, and quotas.
 *
 * Greenplum and Cloudberry name them by number: /gpdb/16384, and in version 2
 * of control groups gpdb.service or gpdb, with groups below it.  The catalog
 * has the number's name.
 */
#ifndef GS_VIEW_CGROUP_FIGURES_H
#define GS_VIEW_CGROUP_FIGURES_H

#include "query/figure.h"

/* The number in such a path; *ret_top: it is the group itself, not one below
 * it.  False for other paths. */
bool resgroup_number(struct span path, uint64_t *ret, bool *ret_top);

/* The row of entity group with that number; NULL if no catalog has it, or
 * several have. */
const struct row *resgroup_row(const struct world *w, uint64_t number);

/* CPU time that the quota allows, % of one core; from quota and period. */
struct cell cgroup_quota(FIGURE_ARGS);

/* Name of the resource group. */
struct cell cgroup_resource_group(FIGURE_ARGS);

#endif
