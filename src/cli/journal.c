/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/journal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scan.h"

/* JOURNAL_STREAM is "DEVICE:INODE" of the stream that systemd opened; the
 * standard error may be another one now. */
static bool is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	uint64_t device, inode;
	struct span s;
	struct stat st;

	if (!stream || fstat(STDERR_FILENO, &st) < 0)
		return false;
	s = span_str(stream);
	if (!scan_u64(&s, &device) || span_empty(s) || *s.ptr++ != ':' ||
	    !scan_u64(&s, &inode))
		return false;
	return device == st.st_dev && inode == st.st_ino;
}

const char *journal_prefix(enum journal_level level)
{
	if (!is_journal())
		return "";
	switch (level) {
	case JOURNAL_ERROR:
		return "<3>";
	case JOURNAL_WARNING:
		return "<4>";
	case JOURNAL_INFO:
		break;
	}
	return "<6>";
}
