/* SPDX-License-Identifier: Apache-2.0 */
/*
 * journal.h - how much a message matters, for a journal that sorts by it.
 */
#ifndef GS_CLI_JOURNAL_H
#define GS_CLI_JOURNAL_H

/* As syslog(3) has them. */
enum journal_level {
	JOURNAL_ERROR = 3,
	JOURNAL_WARNING = 4,
	JOURNAL_INFO = 6
};

/* What a line begins with: "<4>" if the standard error is systemd's journal,
 * else "". */
const char *journal_prefix(enum journal_level level);

#endif
