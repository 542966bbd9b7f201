/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shim.c - preloaded into a program of sysstat: it sees a series of captured
 * trees in place of the kernel's, one after the other.
 *
 * GS_TREES names a directory with 00, 01, ... each with proc and sys.  The
 * program gets a mount namespace of its own, in which the first stands where
 * the kernel's are (GS_STEP: which one is the first).  Where it would wait for
 * the next sample the next one is mounted at once; its clock is what the trees
 * say.  Status 77: not allowed here.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <time.h>
#include <unistd.h>

#define STATUS_SKIP 77

static int step;

static int put(const char *what, const char *where)
{
	char from[4096];
	int n = snprintf(from, sizeof(from), "%s/%02d/%s", getenv("GS_TREES"),
	    step, what);

	if (n < 0 || (size_t)n >= sizeof(from))
		return -1;
	return mount(from, where, NULL, MS_BIND, NULL);
}

static int put_both(void)
{
	return put("sys", "/sys") < 0 ? -1 : put("proc", "/proc");
}

__attribute__((constructor)) static void begin(void)
{
	const char *first = getenv("GS_STEP");

	if (!getenv("GS_TREES"))
		return;
	step = first ? atoi(first) : 0;
	if (unshare(CLONE_NEWNS) < 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    put_both() < 0)
		_exit(STATUS_SKIP);
}

int pause(void)
{
	step++;
	if (put_both() < 0)
		_exit(STATUS_SKIP - 1); /* asked for more than there is */
	return -1;
}

unsigned alarm(unsigned seconds)
{
	(void)seconds;
	return 0;
}

/* btime + uptime, as a recorder of trees takes it. */
time_t time(time_t *ret)
{
	long long btime = 0, up = 0;
	char line[256];
	FILE *f = fopen("/proc/uptime", "r");
	time_t t;

	if (f) {
		if (fscanf(f, "%lld", &up) != 1)
			up = 0;
		(void)fclose(f);
	}
	f = fopen("/proc/stat", "r");
	while (f && fgets(line, sizeof(line), f))
		(void)sscanf(line, "btime %lld", &btime);
	if (f)
		(void)fclose(f);
	t = (time_t)(btime + up);
	if (ret)
		*ret = t;
	return t;
}
