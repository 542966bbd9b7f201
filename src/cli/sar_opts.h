/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_opts.h - the command line of gpsnap sar; gpsnap sadf takes the same after
 * its "--".
 */
#ifndef GS_CLI_SAR_OPTS_H
#define GS_CLI_SAR_OPTS_H

#include "cli/opt.h"
#include "cli/times.h"
#include "sar/sar_table.h"

struct sar_cli {
	/* which activities */
	struct opt_texts cpu, memory, load, net, fs; /* -u -r -q -n -F */
	bool swap_space, swapping, paging, io, disk, switches, tables, huge;
	bool all;
	struct opt_texts cpus, disks, nets, filesystems; /* -P, --dev, ... */
	bool omit_idle;
	/* which part of the recording */
	const char *file;
	struct times when;
	bool local;
	uint64_t memory_bytes;
	int64_t every_ns; /* -i */
	/* output format */
	bool readable, pretty, human, strict, comments, table, extremes;
	bool version;
	int64_t decimals;
	/* not recorded by gpsnap */
	const char *interrupts, *power, *persistent, *output;
	bool serial;
};

/* Options of sar and sadf; T: the struct of either. */
#define SAR_EVERY_OPTION(T) \
	{ OPT_DURATION, 'i', "every", "INTERVAL", \
	    "time between samples; then the only operand is COUNT", \
	    .min = 1000000, .max = INT64_MAX, .offset = OPT_AT(T, every_ns) }
#define SAR_ROW_OPTIONS(T) \
	{ OPT_TEXTS, 'P', "cpus", "0,2-4,all|ALL", "of these CPUs", \
	    .group = "Which rows", .offset = OPT_AT(T, cpus) }, \
	{ OPT_TEXTS, 0, "dev", "DISK,...", "of these disks", \
	    .offset = OPT_AT(T, disks) }, \
	{ OPT_TEXTS, 0, "iface", "NAME,...", "of these network interfaces", \
	    .offset = OPT_AT(T, nets) }, \
	{ OPT_TEXTS, 0, "fs", "NAME,...", \
	    "of these file systems, by device or where they are mounted", \
	    .offset = OPT_AT(T, filesystems) }

extern const struct opt_cmd sar_opts;

/* -s and -e without a value mean 08:00:00 and 18:00:00: they become --from and
 * --to with these. */
void sar_default_times(int argc, char **argv);

/* Which activities (bits by enum sar_activity_id) and rows; ret_choice points
 * into o, and is to be released.  GS_E_USAGE: unknown, or not recorded. */
int sar_selection(const struct sar_cli *o, uint64_t *ret_activities,
	struct sar_choice *ret_choice, struct gs_err *err);

#endif
