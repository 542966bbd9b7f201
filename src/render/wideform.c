/* SPDX-License-Identifier: Apache-2.0 */
#include "render/wideform.h"

#include <string.h>

#include "render/cell.h"
#include "render/render_int.h"

void wideform_heading(struct buf *to, const char *const *name, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (i > 0)
			buf_add_char(to, ',');
		csv_add_field(to, name[i], strlen(name[i]));
	}
	buf_add_char(to, '\n');
}

static void add_cell(struct buf *to, struct buf *scratch, const struct cell *c)
{
	if (c->kind == CELL_INT) { /* most are; it needs no quotes */
		buf_add_int(to, c->i);
		return;
	}
	buf_reset(scratch);
	if (cell_add_exact(scratch, Q_NUMBER, c))
		csv_add_field(to, buf_str(scratch), scratch->len);
}

void wideform_row(struct buf *to, struct buf *scratch,
	const struct cell *cell, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (i > 0)
			buf_add_char(to, ',');
		add_cell(to, scratch, &cell[i]);
	}
	buf_add_char(to, '\n');
}
