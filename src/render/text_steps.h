/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_steps.h - tables of steps as one table: the time first, one heading.
 *
 * What a table has to say besides its rows (holes, marks, less covered time) stands
 * on lines before them.  Columns keep their places: room is left for wider
 * numbers, longer texts are cut.  Where a number or a column that was not there
 * before needs other places, the heading is repeated; on a terminal, also on each
 * screen.
 */
#ifndef GS_RENDER_TEXT_STEPS_H
#define GS_RENDER_TEXT_STEPS_H

#include "render/text_int.h"

struct text_steps;

void text_steps_free(struct text_steps *s);

/* A step's table. */
void text_steps_add(struct render *r, const struct grid *g);

#endif
