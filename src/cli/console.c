/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/console.h"
#include "cli/status_line.h"
#include "cli/width.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scan.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/wrap.h"

#define LIST_WIDTH 79

static const char *limit_option; /* NULL: the command has none */

/* Of a message in a journal: as in syslog(3). */
enum level { LEVEL_ERROR = 3, LEVEL_WARNING = 4, LEVEL_INFO = 6 };

/* A message continues with a list of names, on lines of its own. */
#define LIST_FOLLOWS ":\n"

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

/* "<4>" in a journal. */
static void add_level(struct buf *to, enum level level)
{
	if (is_journal())
		buf_printf(to, "<%d>", (int)level);
}

static void add_list(struct buf *to, const char *list)
{
	struct buf safe = BUF_INIT;

	utf8_add_safe(&safe, list, strlen(list));
	wrap_add(to, buf_str(&safe), 4, 4, LIST_WIDTH);
	buf_release(&safe);
}

/* A terminal breaks a long line within words. */
static void add_message(struct buf *to, const char *text, size_t len)
{
	struct buf safe = BUF_INIT;
	size_t width = width_of_errors(), at = to->len;

	utf8_add_safe(&safe, text, len);
	if (width > 0)
		wrap_add(to, buf_str(&safe), at, 4, width - 1);
	else
		buf_printf(to, "%s\n", buf_str(&safe));
	buf_release(&safe);
}

/* Messages quote users, recordings and agents: all of it is made safe for a
 * terminal, and a quoted newline does not begin a line. */
static void print(enum level level, const char *who, const char *text)
{
	const char *list = strstr(text, LIST_FOLLOWS);
	size_t len = list ? (size_t)(list - text) + 1 : strlen(text);
	struct buf b = BUF_INIT;

	add_level(&b, level);
	buf_printf(&b, "%s: ", who);
	add_message(&b, text, len);
	if (list) {
		add_level(&b, level);
		buf_add_str(&b, "    ");
		add_list(&b, list + strlen(LIST_FOLLOWS));
	}
	status_line_make_room();
	(void)fwrite(b.ptr, 1, b.len, stderr); /* nowhere to report it */
	buf_release(&b);
}

int cli_wrong_usage(const struct opt_cmd *c, const char *text)
{
	char who[64];

	(void)snprintf(who, sizeof(who), "gpsnap %s", c->name); /* fits */
	print(LEVEL_ERROR, who, text);
	(void)fprintf(stderr, "try gpsnap %s --help\n", c->name);
	return EXIT_WRONG_USAGE;
}

int cli_usage(const struct opt_cmd *c, const char *fmt, ...)
{
	char text[GS_ERR_MSG_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap); /* cut is fine */
	va_end(ap);
	return cli_wrong_usage(c, text);
}

void cli_limit_option(const char *name)
{
	limit_option = name;
}

int cli_cannot(const struct gs_err *err)
{
	struct gs_err more = *err;

	if (err->status == GS_E_MEMORY && limit_option)
		(void)gs_fail(&more, err->status, "%.1900s: allow more with "
		    "--%s SIZE", err->msg, limit_option);
	print(LEVEL_ERROR, "gpsnap", more.msg);
	return EXIT_CANNOT;
}

int cli_fail(const struct opt_cmd *c, const struct gs_err *err)
{
	return err->status == GS_E_USAGE ? cli_wrong_usage(c, err->msg)
	                                 : cli_cannot(err);
}

GS_PRINTF(2, 0)
static void vprint(enum level level, const char *fmt, va_list ap)
{
	char text[GS_ERR_MSG_MAX];

	(void)vsnprintf(text, sizeof(text), fmt, ap); /* cut is fine */
	print(level, "gpsnap", text);
}

void cli_notice(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vprint(LEVEL_INFO, fmt, ap);
	va_end(ap);
}

void cli_notice_text(void *unused, const char *text)
{
	(void)unused;
	cli_notice("%s", text);
}

void cli_warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vprint(LEVEL_WARNING, fmt, ap);
	va_end(ap);
}

void cli_warning_lines(const char *text)
{
	struct span all = span_str(text), line;

	while (scan_line(&all, &line))
		cli_warning("%.*s", (int)span_len(line), line.ptr);
}

/* Reports a write error, once.  EPIPE is not reported: the reader has seen
 * enough. */
static void report_failure(int errnum)
{
	if (errnum != EPIPE)
		cli_notice("standard output: %s", strerror(errnum));
}

bool cli_write(const char *p, size_t len)
{
	if (ferror(stdout))
		return false;
	if (isatty(STDOUT_FILENO))
		status_line_make_room();
	if (fwrite(p, 1, len, stdout) == len && fflush(stdout) == 0)
		return true;
	report_failure(errno);
	return false;
}

int cli_finish(int status)
{
	static bool is_closed;

	if (is_closed)
		return status; /* of the first call */
	if (ferror(stdout))
		return EXIT_CANNOT; /* reported when it happened */
	is_closed = true;
	if (fclose(stdout) == 0)
		return status;
	report_failure(errno);
	return EXIT_CANNOT;
}

int cli_print(struct buf *text)
{
	(void)cli_write(buf_str(text), text->len); /* cli_finish() looks */
	buf_release(text);
	return cli_finish(EXIT_DONE);
}

size_t cli_width(void)
{
	return width_of(STDOUT_FILENO);
}

size_t cli_height(void)
{
	struct winsize ws;

	if (!isatty(STDOUT_FILENO) ||
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) < 0)
		return 0;
	return ws.ws_row;
}
