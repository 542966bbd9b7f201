/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff_sides.h - the two sides of gpsnap diff as the user writes them:
 * PATH[@FROM..TO], --host, --segment.
 *
 * Use: sides_parse(), which needs no file; sides_open() after cli_confine();
 * sides_release().
 */
#ifndef GS_CLI_DIFF_SIDES_H
#define GS_CLI_DIFF_SIDES_H

#include "cli/diff_opts.h"
#include "cli/meter.h"
#include "diff/diff.h"
#include "replay/archive.h"

/* One word. */
struct side_word {
	const char *text;
	char *path; /* without the range */
	const char *range; /* "FROM..TO", within text; NULL: all */
};

/* What is read of it. */
struct side_input {
	struct archive *archive;
	struct meter meter;
	const struct zone *zone;
};

struct sides {
	struct side_word word[2]; /* A, B; they may be the same */
	struct side_input input[2];
	struct show_source source[2];
	struct diff_side side[2];
	struct header *header[2];
	char *name[2];
	char *read[2]; /* the paths, for cli_confine() */
};

/* Splits "PATH@FROM..TO" at the last "@" with a range after it. */
void side_split(const char *text, struct side_word *ret);

/* CLI_GO, or the exit status: the words do not give two sides. */
int sides_parse(struct sides *s, const struct diff_options_cli *o,
	const struct opt_rest *rest);

int sides_open(struct sides *s, const struct diff_options_cli *o,
	struct gs_err *err);
void sides_release(struct sides *s);

#endif
