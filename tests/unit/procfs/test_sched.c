/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_sched.c - /proc/PID/sched as kernels of each age print it, and cut at
 * each byte.
 */
#include <stdio.h>

#include "procfs/pid.h"

#include "scancase.h"

#define DIR_ GS_SOURCE_DIR "/samples/proc/sched/"

#define WAKEUPS                                                               \
	"wakeups=49002 wakeups_local=31007 wakeups_remote=17995 "             \
	"wakeups_sync=8801 wakeups_migrate=290 wakeups_affine=1204 "          \
	"wakeups_affine_attempts=2877 migrations=311 migrations_forced=5 "    \
	"migrations_failed_affine=12 migrations_failed_running=44 "           \
	"migrations_failed_hot=97 "
#define WAITS "wait_sum=4310882 wait_count=50211 wait_max=27305 "
#define SLEPT "sleep_sum=912004551 "
#define SLEEP_MAX "sleep_max=60004118 "
#define BLOCKED "block_sum=8450019 "
#define BLOCK_MAX "block_max=412877 "
#define REST                                                                  \
	"iowait_sum=7990114 iowait_count=6120 exec_max=3999 slice_max=11998"
#define NEW "slice=2800000"

struct sample {
	const char *name;
	const char *expected;
};

static const struct sample samples[] = {
	{ "linux-3.10", WAKEUPS WAITS SLEEP_MAX BLOCK_MAX REST },
	{ "linux-3.10-no-schedstats", "" },
	{ "linux-4.18", WAKEUPS WAITS SLEPT SLEEP_MAX BLOCK_MAX REST },
	{ "linux-5.16", WAKEUPS WAITS SLEPT SLEEP_MAX BLOCKED BLOCK_MAX REST },
	{ "linux-6.12", WAKEUPS WAITS SLEPT SLEEP_MAX BLOCKED BLOCK_MAX REST
	    " " NEW " forceidle_sum=1500 ext_enabled=0" },
	{ "linux-6.12-off", "migrations=311 " NEW " ext_enabled=0" },
	{ "name-with-newline", "migrations=311 " NEW " ext_enabled=0" },
};

static void sample(void **state)
{
	const struct sample *k = *state;
	char path[512], text[8192];
	struct scancase c = { k->name, pid_sched_scan, text, k->expected };
	FILE *f;
	size_t n;

	(void)snprintf(path, sizeof(path), DIR_ "%s", k->name);
	f = fopen(path, "re");
	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	assert_int_equal(fclose(f), 0);
	assert_in_range(n, 500, sizeof(text) - 2);
	scancase_run(&c, ENTITY_PROCESS);
}

#define HEAD "sh (1, #threads: 1)\n" \
	"---------------------------------------------------------\n"

static const struct scancase cases[] = {
	{ "negative values are absent", pid_sched_scan,
	    HEAD "wait_max : -1.500000\nnr_wakeups : -7\nwait_sum : -0.1\n",
	    "" },
	{ "less than a millisecond", pid_sched_scan,
	    HEAD "wait_max : 0.000999\nwait_sum : 0.012999\n",
	    "wait_sum=12 wait_max=0" },
	{ "the largest", pid_sched_scan,
	    HEAD "nr_wakeups : 9223372036854775807\n"
	    "wait_sum : 9223372036854.775807\n",
	    "wakeups=9223372036854775807 wait_sum=9223372036854775" },
	{ "more than 64 bits", pid_sched_scan,
	    HEAD "nr_wakeups : 99999999999999999999\n"
	    "wait_sum : 18446744073709551615.0\n", "" },
	{ "no value, no key", pid_sched_scan,
	    HEAD "nr_wakeups\nnr_wakeups:\n:5\nse.:5\nse.statistics.:5\n",
	    "" },
	{ "other keys of the same beginning", pid_sched_scan,
	    HEAD "nr_wakeups_passive : 5\nse.avg.slice : 6\nslices : 7\n",
	    "" },
	{ "no rule", pid_sched_scan, "sh (1, #threads: 1)\nnr_wakeups : 5\n",
	    "" },
	{ "a name with a short rule", pid_sched_scan,
	    "a\n-------------\nnr_wakeups:5\n" HEAD "nr_wakeups : 6\n",
	    "wakeups=6" },
	{ "nothing", pid_sched_scan, "", "" },
};

static void one(void **state)
{
	scancase_run(*state, ENTITY_PROCESS);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, sample, samples);
	CASES_TABLE(&c, one, cases);
	return cases_run(&c, "procfs sched");
}
