/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_config.c - any bytes as a file of defaults: read, and applied to every
 * command that has options of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/cmds.h"
#include "cli/config.h"
#include "fuzz.h"
#include "memfile.h"

/* Larger than what any command stores its options in. */
#define OPTIONS_BYTES 65536u

static void apply(const struct opt_cmd *c, void *to)
{
	struct gs_err err = { GS_OK, "" };
	struct opt_rest rest = { .n = 0 };

	memset(to, 0, OPTIONS_BYTES);
	if (config_apply(c, to, &rest, &err) < 0 && !*err.msg)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void *to;
	struct gs_err err = { GS_OK, "" };
	int r;

	commands_use(cmd_table, n_cmd_table);
	if (!to)
		to = malloc(OPTIONS_BYTES);
	if (!to || setenv("GPSNAP_CONFIG", memfile(data, size), 1) < 0)
		abort();
	config_forget();
	r = config_load(&err);
	if (r < 0 && !*err.msg)
		abort();
	if (r == 0)
		apply(cmd_table[size % n_cmd_table].opts, to);
	if (r == 0)
		(void)config_looks(&err); /* must not crash */
	config_forget();
	return 0;
}
