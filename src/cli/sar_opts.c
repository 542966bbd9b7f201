/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sar_opts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "cli/confine.h"
#include "cli/memory.h"
#include "cli/start.h"

#define AT(field) .offset = OPT_AT(struct sar_cli, field)

static const struct opt options[] = {
	{ OPT_PATH, 'f', "file", "PATH",
	    "the recording: a file, a directory, or - for the standard input; "
	    "without it, today's in ~/gpsnap/",
	    .group = "Which part", AT(file) },
	FROM_TO_OPTIONS(struct sar_cli, when, 's', 'e'),
	SAR_EVERY_OPTION(struct sar_cli),
	HOST_OPTION(struct sar_cli, when),
	{ OPT_MAYBES, 'u', "cpu", "ALL",
	    "CPU time, with ALL of every kind; the default",
	    .group = "Reports", AT(cpu) },
	{ OPT_MAYBES, 'r', "memory", "ALL", "memory, with ALL more of it",
	    AT(memory) },
	{ OPT_FLAG, 'S', "swap-space", NULL, "swap space", AT(swap_space) },
	{ OPT_FLAG, 'W', "swapping", NULL, "swapping", AT(swapping) },
	{ OPT_FLAG, 'B', "paging", NULL, "paging", AT(paging) },
	{ OPT_FLAG, 'H', "huge", NULL, "huge pages", AT(huge) },
	{ OPT_MAYBES, 'q', "load", "LOAD,CPU,IO,MEM,PSI,ALL",
	    "queue and load, and pressure", AT(load) },
	{ OPT_FLAG, 'w', "switches", NULL, "new tasks and context switches",
	    AT(switches) },
	{ OPT_FLAG, 'v', "tables", NULL, "kernel tables", AT(tables) },
	{ OPT_FLAG, 'b', "io", NULL, "transfers of all disks", AT(io) },
	{ OPT_FLAG, 'd', "disks", NULL, "disks", AT(disk) },
	{ OPT_MAYBES, 'F', "filesystems", "MOUNT",
	    "file systems, with MOUNT by where they are mounted", AT(fs) },
	{ OPT_TEXTS, 'n', "net", "DEV,EDEV,...|ALL",
	    "network: DEV, EDEV, SOCK, IP, EIP, TCP, ETCP, UDP", AT(net) },
	{ OPT_FLAG, 'A', "all", NULL, "all of these, and each CPU", AT(all) },
	SAR_ROW_OPTIONS(struct sar_cli),
	{ OPT_FLAG, 'z', "omit-idle", NULL, "omit rows that did nothing",
	    AT(omit_idle) },
	{ OPT_FLAG, 'h', "readable", NULL, "the same as --pretty --human",
	    .group = "How to show it", AT(readable) },
	{ OPT_FLAG, 'p', "pretty", NULL, "names after the figures",
	    AT(pretty) },
	{ OPT_FLAG, 0, "human", NULL, "sizes such as 1.2M, percents with a %",
	    AT(human) },
	{ OPT_INT, 0, "dec", "0|1|2", "digits after the point", .dflt = "2",
	    .min = 0, .max = 2, AT(decimals) },
	{ OPT_FLAG, 0, "table", NULL,
	    "all hosts in one table, not one after the other",
	    AT(table) },
	{ OPT_FLAG, 'x', "extremes", NULL,
	    "minimum and maximum of each figure, above its average",
	    AT(extremes) },
	{ OPT_FLAG, 'C', "comments", NULL, "marks of gpsnap mark",
	    AT(comments) },
	{ OPT_FLAG, 't', "local", NULL,
	    "times in the recording's zone; the default", AT(local) },
	{ OPT_FLAG, 0, "strict", NULL,
	    "exactly as sar, even where gpsnap knows better",
	    AT(strict) },
	ZONE_OPTIONS(struct sar_cli, when, 0),
	{ OPT_FLAG, 'V', "version", NULL, "show the version", AT(version) },
	MEMORY_OPTION_AS("memory-limit", struct sar_cli, memory_bytes),
	{ OPT_MAYBE, 'I', "interrupts", NULL, "", .hidden = true,
	    AT(interrupts) },
	{ OPT_TEXT, 'm', "power", "KEYWORD", "", .hidden = true, AT(power) },
	{ OPT_TEXT, 'j', "persistent", "TYPE", "", .hidden = true,
	    AT(persistent) },
	{ OPT_FLAG, 'y', "serial", NULL, "", .hidden = true, AT(serial) },
	{ OPT_MAYBE, 'o', "output-file", NULL, "", .hidden = true,
	    AT(output) },
};

static const char *const usage[] = {
	"[-f PATH] [-DAYS] [OPTION...] [INTERVAL [COUNT]]",
	NULL
};

static const char *const about[] = {
	"Prints what sysstat's sar would have printed of a host, had sadc "
	"collected while that was recorded: the same options, figures and "
	"layout. INTERVAL is in seconds, not shorter than the recording's; "
	"without it, every sample is shown. -1, -2, ... is the day so many "
	"days ago.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap sar -f incident.gpsnap -u ALL -P ALL",
	    "every CPU, second by second" },
	{ "gpsnap sar -f incident.gpsnap -s 14:05 -r -d 1 60",
	    "memory and disks, for a minute" },
	{ "gpsnap sar -f incident.gpsnap --table -q 1",
	    "the load of all hosts, side by side" },
	{ NULL, NULL }
};

const struct opt_cmd sar_opts = {
	.name = "sar",
	.summary = "print sar's reports of any past moment",
	OPT_TABLES,
	.exits = cli_exits,
	CONFINED,
};

void sar_default_times(int argc, char **argv)
{
	static char from[] = "--from=08:00:00", to[] = "--to=18:00:00";
	int i;

	for (i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
		bool is_from = strcmp(argv[i], "-s") == 0;
		const char *next = i + 1 < argc ? argv[i + 1] : "--";

		if (!is_from && strcmp(argv[i], "-e") != 0)
			continue;
		/* "-1h" is a time */
		if (next[0] == '-' && !isdigit((unsigned char)next[1]))
			argv[i] = is_from ? from : to;
	}
}

/* ---- selection -------------------------------------------------------- */

#define BIT(A) (UINT64_C(1) << SAR_A_##A)

struct keyword {
	const char *name;
	uint64_t activities; /* 0: gpsnap does not record it */
};

static const struct keyword loads[] = {
	{ "", BIT(QUEUE) },
	{ "LOAD", BIT(QUEUE) },
	{ "CPU", BIT(PSI_CPU) },
	{ "IO", BIT(PSI_IO) },
	{ "MEM", BIT(PSI_MEM) },
	{ "PSI", BIT(PSI_CPU) | BIT(PSI_IO) | BIT(PSI_MEM) },
	{ "ALL", BIT(QUEUE) | BIT(PSI_CPU) | BIT(PSI_IO) | BIT(PSI_MEM) },
	{ NULL, 0 }
};

#define NET_ALL (BIT(NET_DEV) | BIT(NET_EDEV) | BIT(NET_SOCK) | BIT(NET_IP) | \
	BIT(NET_EIP) | BIT(NET_TCP) | BIT(NET_ETCP) | BIT(NET_UDP))

static const struct keyword nets[] = {
	{ "DEV", BIT(NET_DEV) },
	{ "EDEV", BIT(NET_EDEV) },
	{ "SOCK", BIT(NET_SOCK) },
	{ "IP", BIT(NET_IP) },
	{ "EIP", BIT(NET_EIP) },
	{ "TCP", BIT(NET_TCP) },
	{ "ETCP", BIT(NET_ETCP) },
	{ "UDP", BIT(NET_UDP) },
	{ "ALL", NET_ALL },
	{ "NFS", 0 }, { "NFSD", 0 }, { "ICMP", 0 }, { "EICMP", 0 },
	{ "SOCK6", 0 }, { "IP6", 0 }, { "EIP6", 0 }, { "ICMP6", 0 },
	{ "EICMP6", 0 }, { "UDP6", 0 }, { "FC", 0 }, { "SOFT", 0 },
	{ NULL, 0 }
};

static const struct keyword cpus[] = {
	{ "", BIT(CPU) }, { "ALL", BIT(CPU_ALL) }, { NULL, 0 }
};

static const struct keyword memories[] = {
	{ "", BIT(MEMORY) }, { "ALL", BIT(MEMORY_ALL) }, { NULL, 0 }
};

static const struct keyword filesystems[] = {
	{ "", BIT(FS) }, { "MOUNT", BIT(FS_MOUNT) }, { NULL, 0 }
};

/* Options that take keywords. */
static const struct worded {
	size_t offset; /* struct opt_texts fields */
	const char *option;
	const struct keyword *keyword;
	const char *expected;
} worded[] = {
	{ OPT_AT(struct sar_cli, cpu), "-u", cpus, "ALL, or nothing" },
	{ OPT_AT(struct sar_cli, memory), "-r", memories, "ALL, or nothing" },
	{ OPT_AT(struct sar_cli, fs), "-F", filesystems,
	    "MOUNT, or nothing" },
	{ OPT_AT(struct sar_cli, load), "-q", loads,
	    "some of LOAD, CPU, IO, MEM, PSI, ALL" },
	{ OPT_AT(struct sar_cli, net), "-n", nets,
	    "some of DEV, EDEV, SOCK, IP, EIP, TCP, ETCP, UDP, ALL" },
};

static const struct {
	size_t offset; /* bool fields */
	uint64_t activities;
} flags[] = {
	{ OPT_AT(struct sar_cli, swap_space), BIT(SWAP_SPACE) },
	{ OPT_AT(struct sar_cli, swapping), BIT(SWAP) },
	{ OPT_AT(struct sar_cli, paging), BIT(PAGE) },
	{ OPT_AT(struct sar_cli, huge), BIT(HUGE) },
	{ OPT_AT(struct sar_cli, switches), BIT(PCSW) },
	{ OPT_AT(struct sar_cli, tables), BIT(KTABLES) },
	{ OPT_AT(struct sar_cli, io), BIT(IO) },
	{ OPT_AT(struct sar_cli, disk), BIT(DISK) },
	{ OPT_AT(struct sar_cli, all), BIT(CPU_ALL) | BIT(PCSW) | BIT(SWAP) |
	    BIT(PAGE) | BIT(IO) | BIT(MEMORY_ALL) | BIT(SWAP_SPACE) |
	    BIT(HUGE) | BIT(KTABLES) | BIT(QUEUE) | BIT(DISK) | NET_ALL |
	    BIT(FS) | BIT(PSI_CPU) | BIT(PSI_IO) | BIT(PSI_MEM) },
};

static const struct keyword *find_keyword(const struct keyword *k,
	const char *word)
{
	while (k->name && strcmp(k->name, word) != 0)
		k++;
	return k->name ? k : NULL;
}

static int add_word(const struct worded *w, const char *word, uint64_t *to,
	struct gs_err *err)
{
	const struct keyword *k = find_keyword(w->keyword, word);

	if (!k)
		return gs_fail(err, GS_E_USAGE, "%s %s: expected %s",
		    w->option, word, w->expected);
	if (!k->activities)
		return gs_fail(err, GS_E_USAGE, "%s %s: gpsnap does not "
		    "record this: expected %s", w->option, word, w->expected);
	*to |= k->activities;
	return GS_OK;
}

static int add_list(const struct worded *w, const char *list, uint64_t *to,
	struct gs_err *err)
{
	char *copy, *word, *rest = NULL;
	int r = GS_OK;

	if (!*list)
		return add_word(w, list, to, err);
	copy = gs_strdup(list);
	for (word = strtok_r(copy, ",", &rest); word && r == GS_OK;
	    word = strtok_r(NULL, ",", &rest))
		r = add_word(w, word, to, err);
	free(copy);
	return r;
}

/* Each adds to the ones before, except that -u replaces -u ALL. */
static int add_words(const struct worded *w, const struct opt_texts *given,
	uint64_t *to, struct gs_err *err)
{
	size_t i = w->keyword == cpus && given->n > 0 ? given->n - 1 : 0;
	int r = GS_OK;

	for (; i < given->n && r == GS_OK; i++)
		r = add_list(w, given->text[i], to, err);
	return r;
}

/* Options of sar that a recording can't serve. */
static int check_recorded(const struct sar_cli *o, struct gs_err *err)
{
	const char *what = o->interrupts ? "-I: interrupts by number"
		: o->power ? "-m: power management"
		: o->serial ? "-y: serial lines"
		: o->persistent ? "-j: persistent names of disks" : NULL;

	if (o->output)
		return gs_fail(err, GS_E_USAGE, "-o: recordings are made by "
		    "gpsnap record");
	if (!what)
		return GS_OK;
	return gs_fail(err, GS_E_USAGE, "%s: gpsnap does not record this",
	    what);
}

/* The longer form of a report replaces the shorter. */
static uint64_t without_less(uint64_t a)
{
	if (a & BIT(CPU_ALL))
		a &= ~BIT(CPU);
	if (a & BIT(MEMORY_ALL))
		a &= ~BIT(MEMORY);
	return a;
}

/* Joins several lists to "a,b"; NULL if there are no names. */
static char *joined(const struct opt_texts *given)
{
	struct buf list = BUF_INIT;
	char *copy = NULL;
	size_t i;

	for (i = 0; i < given->n; i++)
		buf_printf(&list, "%s%s", i ? "," : "", given->text[i]);
	if (strspn(buf_str(&list), ",") < list.len)
		copy = gs_strdup(buf_str(&list));
	buf_release(&list);
	return copy;
}

static int set_cpus(const struct sar_cli *o, struct sar_choice *c,
	struct gs_err *err)
{
	char *list = joined(&o->cpus);
	int r = GS_OK;

	if (o->cpus.n > 0)
		r = sar_choice_cpus(c, list ? list : "", err);
	if (r < 0)
		gs_err_prefix(err, "-P");
	if (o->all && o->cpus.n == 0)
		c->every_cpu = true;
	free(list);
	return r;
}

static int set_choice(const struct sar_cli *o, struct sar_choice *c,
	struct gs_err *err)
{
	*c = (struct sar_choice) { .disks = joined(&o->disks),
		.nets = joined(&o->nets),
		.filesystems = joined(&o->filesystems),
		.omit_idle = o->omit_idle };
	return set_cpus(o, c, err);
}

int sar_selection(const struct sar_cli *o, uint64_t *ret_activities,
	struct sar_choice *ret_choice, struct gs_err *err)
{
	const char *at = (const char *)o;
	uint64_t activities = 0;
	int r = check_recorded(o, err);
	size_t i;

	for (i = 0; r == GS_OK && i < GS_LEN(worded); i++) {
		const struct opt_texts *given = (const void *)
		    (at + worded[i].offset);

		r = add_words(&worded[i], given, &activities, err);
	}
	for (i = 0; i < GS_LEN(flags); i++) {
		if (*(const bool *)(at + flags[i].offset))
			activities |= flags[i].activities;
	}
	if (r == GS_OK)
		r = set_choice(o, ret_choice, err);
	if (r == GS_OK)
		*ret_activities = activities ? without_less(activities)
		                             : BIT(CPU);
	return r;
}
