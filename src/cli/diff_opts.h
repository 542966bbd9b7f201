/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff_opts.h - the options of gpsnap diff, and their values.
 */
#ifndef GS_CLI_DIFF_OPTS_H
#define GS_CLI_DIFF_OPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/opt.h"
#include "cli/output.h"
#include "cli/times.h"

struct diff_options_cli {
	struct times when; /* zone only */
	const char *from, *to; /* always refused: of other commands */
	struct opt_texts host, segment; /* of A, of B; or of both */
	const char *view, *entity, *group_by, *sections, *metrics;
	const char *where, *session, *server, *sort, *columns, *fail_if;
	bool nested, fuzzy, literal, totals, no_header;
	struct opt_texts flatten; /* globs of cgroups */
	int form; /* enum diff_form */
	int64_t limit; /* 0: all */
	int format; /* enum render_format */
	int64_t width; /* 0: the terminal's */
	int color; /* enum output_color */
	uint64_t memory_bytes;
};

/* Parses and checks what needs no recording.  CLI_GO, or the exit status. */
int diff_start(int argc, char **argv, struct diff_options_cli *ret,
	struct opt_rest *rest);

#endif
