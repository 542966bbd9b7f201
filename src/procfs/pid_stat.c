/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/pid.h"

/*
 * /proc/<pid>/stat, one line, Linux 2.6.24 and later (44 fields; 52 since
 * 3.5); field 2 is the comm in parentheses, which may hold any bytes:
 *
 * 1064 (postgres) S 1 1064 1064 0 -1 4194304 33454 302418 0 45 2 45 873 413
 * 20 0 1 0 280975 163950592 33618 18446744073709551615 94060636303360
 * 94060641554073 140734100960704 0 0 0 0 19935232 84487 1 0 0 17 1 0 0 0 0 0
 */
#define FIELD_PPID 4
#define FIELD_FLAGS 9
#define FIELD_UTIME 14
#define FIELD_STIME 15
#define FIELD_START 22
#define FIELD_CODE 26
#define FIELD_STACK 28
#define FIELD_LAST 44
#define NO_COL 0xffff

#define P(SYM) (uint16_t) COL(PROCESS, SYM)

/* Column of each field from the fourth on. */
static const uint16_t field_col[FIELD_LAST + 1] = {
	[4] = P(PPID), [5] = P(PGRP), [6] = P(OS_SESSION), [7] = P(TTY),
	[8] = P(TPGID), [9] = P(FLAGS), [10] = P(MINFLT), [11] = P(CMINFLT),
	[12] = P(MAJFLT), [13] = P(CMAJFLT), [14] = P(UTIME),
	[15] = P(STIME), [16] = P(CUTIME), [17] = P(CSTIME),
	[18] = P(PRIORITY), [19] = P(NICE), [20] = P(THREADS),
	[21] = NO_COL /* itrealvalue */, [22] = P(START), [23] = P(VSIZE),
	[24] = P(RSS), [25] = P(RSS_LIMIT), [26] = NO_COL, [27] = NO_COL,
	[28] = NO_COL, [29] = NO_COL, [30] = NO_COL, [31] = NO_COL,
	[32] = NO_COL, [33] = NO_COL, [34] = NO_COL, [35] = NO_COL,
	[36] = NO_COL, [37] = NO_COL, [38] = NO_COL, [39] = P(PROCESSOR),
	[40] = P(RT_PRIORITY), [41] = P(POLICY), [42] = P(BLKIO_DELAY),
	[43] = P(GUEST_TIME), [44] = P(CGUEST_TIME),
};

/* Takes "pid (comm) S" from the front. */
static bool head(struct span *s, uint64_t *ret_pid, struct span *ret_comm,
	char *ret_state)
{
	struct span t = *s;
	const char *close;
	uint64_t pid;

	if (!scan_u64(&t, &pid) || !span_starts(t, " ("))
		return false;
	t.ptr += 2;
	close = memrchr(t.ptr, ')', span_len(t));
	if (!close || t.end - close < 3 || close[1] != ' ')
		return false;
	*ret_pid = pid;
	*ret_comm = (struct span) { t.ptr, close };
	*ret_state = close[2];
	s->ptr = close + 3;
	return true;
}

/* Skips the rest of a word that is not a number we need. */
static void skip_word(struct span *s)
{
	struct span word;

	(void)scan_word(s, &word); /* the end of the text is detected later */
}

/* Start and end of the code, and start of the stack. */
static struct span image_of(struct span text)
{
	struct span rest = text;
	unsigned n;

	for (n = FIELD_CODE; n <= FIELD_STACK; n++)
		skip_word(&rest);
	return (struct span) { text.ptr, rest.ptr };
}

bool pid_stat_brief(struct span text, struct pid_brief *ret)
{
	struct pid_brief b;
	uint64_t val[FIELD_START + 1] = { 0 };
	unsigned n;

	if (!head(&text, &b.pid, &b.comm, &b.state))
		return false;
	for (n = FIELD_PPID; n <= FIELD_START; n++) {
		if (!scan_s64(&text, &val[n]))
			return false;
	}
	b.ppid = val[FIELD_PPID];
	b.flags = val[FIELD_FLAGS];
	b.cpu = val[FIELD_UTIME] + val[FIELD_STIME];
	b.start = val[FIELD_START];
	for (; n < FIELD_CODE; n++)
		skip_word(&text);
	b.image = image_of(text);
	*ret = b;
	return true;
}

/* Without an address space (kernel threads, zombies) a 0 is not a size. */
static void fix_memory(struct cells c, uint64_t page_size)
{
	uint64_t v;

	if (!cells_get(c, COL(PROCESS, VSIZE), &v))
		return;
	if (v == 0) {
		cells_unset(c, COL(PROCESS, VSIZE));
		cells_unset(c, COL(PROCESS, RSS));
		return;
	}
	cells_set(c, COL(PROCESS, VSIZE), v / 1024);
	if (cells_get(c, COL(PROCESS, RSS), &v))
		cells_set(c, COL(PROCESS, RSS), v * (page_size / 1024));
}

static void fix_delay(struct cells c, int delayacct)
{
	uint64_t v;

	if (cells_get(c, COL(PROCESS, BLKIO_DELAY), &v) &&
	    (delayacct == 0 || (delayacct < 0 && v == 0)))
		cells_unset(c, COL(PROCESS, BLKIO_DELAY));
}

bool pid_stat_scan(struct span text, const struct pid_stat_opt *opt,
	struct cells c, struct pid_stat_more *ret)
{
	struct pid_stat_more more = { .image = span_of("", 0) };
	uint64_t val[FIELD_LAST + 1];
	uint64_t pid;
	unsigned field, n;
	char state;

	if (!head(&text, &pid, &more.comm, &state))
		return false;
	for (n = FIELD_PPID; n <= FIELD_LAST; n++) {
		if (n == FIELD_CODE)
			more.image = image_of(text);
		if (field_col[n] == NO_COL)
			skip_word(&text);
		else if (!scan_s64(&text, &val[n]))
			break;
	}
	if (n <= FIELD_START)
		return false;
	cells_set(c, COL(PROCESS, PID), pid);
	cells_set(c, COL(PROCESS, STATE), (unsigned char)state);
	for (field = FIELD_PPID; field < n; field++) {
		if (field_col[field] != NO_COL)
			cells_set(c, field_col[field], val[field]);
	}
	fix_memory(c, opt->page_size);
	fix_delay(c, opt->delayacct);
	*ret = more;
	return true;
}
