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
	/* what gpsnap has another way of, or none */
	bool convert, raw;
	const char *pcp;
};

extern const struct opt_cmd sadf_opts;

/* What -O says. */
struct sadf_drawing {
	struct svg_opt svg;
	bool one_day, show_idle;
};

/* "packed,height=900"; NULL is "".  GS_E_USAGE: there is no such word, or
 * gpsnap has no use for it. */
int sadf_drawing(const char *list, struct sadf_drawing *ret,
	struct gs_err *err);

/*
 * Parses a command line: what stands behind "--" as gpsnap sar does, its
 * operands with the others; sar's options are overridden by those of the same
 * meaning before it.  ret_rest: numbers; the operand that is none is
 * ret->file.  Returns CLI_GO, or the exit status of what it told.
 */
int sadf_start(int argc, char **argv, struct sadf_cli *ret,
	struct sar_cli *ret_sar, struct opt_rest *ret_rest);

#endif
