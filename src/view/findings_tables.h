/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findings_tables.h - the members of struct findings_from, for views; ctx is a
 * struct view_finder, since the list of views contains that of findings.
 */
#ifndef GS_VIEW_FINDINGS_TABLES_H
#define GS_VIEW_FINDINGS_TABLES_H

#include "findings/findings.h"
#include "view/view.h"

struct view_finder {
	const struct view *(*find)(const char *name);
};

struct grid *findings_columns(const void *ctx, const char *name,
	const struct findings_pick *pick);
void *findings_open(const void *ctx, const char *name, struct engine *e,
	const struct findings_pick *pick);
bool findings_has_rows(const void *use, const struct engine *e,
	bool *ret_recorded);
struct grid *findings_grid_of(const void *use, const struct engine *e);
void findings_close(void *use);

#endif
