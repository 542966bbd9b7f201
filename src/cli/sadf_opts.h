/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sadf_opts.h - the command line of gpsnap sadf.
 */
#ifndef GS_CLI_SADF_OPTS_H
#define GS_CLI_SADF_OPTS_H

#include "cli/opt.h"
#include "cli/sar_opts.h"
#include "sadf/sadf.h"

struct sadf_cli {
	/* one form of output at most */
	bool table, lines, json, xml, svg, head;
	bool one_line, comments, strict, version;
	const char *drawing; /* -O; NULL: as usual */
	bool local, made_local, epoch; /* -T -t -U */
	const char *file; /* NULL: not given */
	struct times when;
	int64_t every_ns;
	uint64_t memory_bytes;
	struct opt_texts cpus, disks, nets, filesystems;
	/* options that gpsnap replaces or lacks */
	bool convert, raw;
	const char *pcp;
};

extern const struct opt_cmd sadf_opts;

/* The values of -O. */
struct sadf_drawing {
	struct svg_opt svg;
	bool one_day, show_idle;
};

/* "packed,height=900"; NULL is "".  GS_E_USAGE: a word does not exist, or does
 * not apply to gpsnap. */
int sadf_drawing(const char *list, struct sadf_drawing *ret,
	struct gs_err *err);

/*
 * Parses a command line: the words after "--" as gpsnap sar does, with their
 * operands appended to the others; options before "--" override sar's of the
 * same meaning. ret_rest: numbers; the operand that is not a number is
 * ret->file.  Returns CLI_GO, or the exit status of the error that it printed.
 */
int sadf_start(int argc, char **argv, struct sadf_cli *ret,
	struct sar_cli *ret_sar, struct opt_rest *ret_rest);

#endif
