/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_int.h - what render.c and the renderers share.
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
	char last_name[64]; /* of the grid before, cut */
};

#define FORMAT(ID, name, abilities) \
	extern const struct render_ops render_##name;
#include "render/formats.def"
#undef FORMAT

/* One field of a line, quoted where it has to be. */
void csv_add_field(struct buf *to, const char *p, size_t len);

/* A text within double quotes, or of a HELP line. */
void openmetrics_add_escaped(struct buf *to, const char *p, size_t len);

#endif
