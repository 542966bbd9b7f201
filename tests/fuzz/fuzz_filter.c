/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_filter.c - any bytes as a condition: compiled or refused with a
 * position within them; a compiled one answers for every row.
 */
#include <stdlib.h>
#include <string.h>

#include "../lib/grids.h"
#include "base/mem.h"
#include "fuzz.h"
#include "query/filter.h"
#include "query/sort.h"

static void check(bool ok)
{
	if (!ok)
		abort();
}

static void check_error(const struct gs_err *err, size_t size)
{
	size_t at = (size_t)atol(err->msg + strlen("at character "));

	check(err->status == GS_E_USAGE);
	check(strncmp(err->msg, "at character ", 13) == 0);
	check(at >= 1 && at <= size + 1);
}

/* Names lie within the text. */
static void check_name(void *ctx, struct span name)
{
	const char *text = ctx;

	check(name.ptr >= text && name.ptr < name.end &&
	    name.end <= text + strlen(text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct zone zone = ZONE_UTC;
	const struct when_env when = { .zone = &zone };
	char *text = gs_strndup((const char *)data, size);
	struct grid *g = grid_of_sessions();
	struct gs_err err;
	struct filter *f = filter_new(text, g, &when, &err);
	size_t rows = g->n_row;

	filter_names(text, check_name, text);
	if (f)
		filter_grid(f, g);
	else
		check_error(&err, strlen(text));
	check(g->n_row <= rows);
	(void)sort_grid(g, text, NULL); /* names, or refused */
	(void)grid_choose(g, text, NULL);
	filter_free(f);
	grid_free(g);
	free(text);
	return 0;
}
