/* SPDX-License-Identifier: Apache-2.0 */
/*
 * journal.h - the priority of a message in the journal.
 */
#ifndef GS_CLI_JOURNAL_H
#define GS_CLI_JOURNAL_H

/* As in syslog(3). */
enum journal_level {
	JOURNAL_ERROR = 3,
	JOURNAL_WARNING = 4,
	JOURNAL_INFO = 6
};

/* The prefix of a line: "<4>" if the standard error is systemd's journal, else
 * "". */
const char *journal_prefix(enum journal_level level);

#endif
