/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_int.h - shared by render.c and the renderers.
 */
#ifndef GS_RENDER_RENDER_INT_H
#define GS_RENDER_RENDER_INT_H

#include "render/render.h"

struct render_ops {
	void (*begin)(struct render *r);
	void (*grid)(struct render *r, const struct grid *g);
	void (*end)(struct render *r);
};

struct render {
	const struct render_ops *ops;
	struct render_options options;
	struct buf *to;
	const struct report *report;
	struct buf scratch;
	size_t n_grid; /* grids rendered so far */
	char last_name[64]; /* name of the last grid, cut */
};

#define FORMAT(ID, name, abilities) \
	extern const struct render_ops render_##name;
#include "render/formats.def"
#undef FORMAT

/* One field of a line, quoted if necessary. */
void csv_add_field(struct buf *to, const char *p, size_t len);

/* A text in double quotes, or of a HELP line. */
void openmetrics_add_escaped(struct buf *to, const char *p, size_t len);

#endif
