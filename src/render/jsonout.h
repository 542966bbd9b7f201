/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jsonout.h - JSON, value by value: yajl does the grammar; this decides the
 * form of values.
 *
 * Use: jsonout_begin(); maps, lists, names and values; jsonout_end(), which
 * ends the line.  Misuse of the grammar is the caller's mistake and is not
 * reported.
 */
#ifndef GS_RENDER_JSONOUT_H
#define GS_RENDER_JSONOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "render/cell.h"

struct jsonout {
	void *gen;
	struct buf *to; /* not owned */
	struct buf scratch;
};

/* False only if memory is exhausted, where other functions abort. */
bool jsonout_begin(struct jsonout *j, struct buf *to);
void jsonout_end(struct jsonout *j);

void jsonout_open_map(struct jsonout *j);
void jsonout_close_map(struct jsonout *j);
void jsonout_open_list(struct jsonout *j);
void jsonout_close_list(struct jsonout *j);

/* The name of a map's next value: a constant, or a machine name.  Returns j,
 * for that value: jsonout_int(jsonout_name(j, "ticks"), n). */
struct jsonout *jsonout_name(struct jsonout *j, const char *name);

void jsonout_null(struct jsonout *j);
void jsonout_bool(struct jsonout *j, bool v);
void jsonout_int(struct jsonout *j, int64_t v);
void jsonout_real(struct jsonout *j, double v);

/* Made safe: control characters and invalid UTF-8 as \xHH. */
void jsonout_str(struct jsonout *j, const char *s);
void jsonout_strings(struct jsonout *j, const char *name,
	const char *const *s, size_t n);

/* ISO 8601, UTC. */
void jsonout_instant(struct jsonout *j, int64_t ns);

/* The exact value, or null (cell.h). */
void jsonout_cell(struct jsonout *j, enum quantity q, const struct cell *c);

#endif
