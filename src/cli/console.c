/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/console.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/units.h"
#include "base/utf8.h"
#include "base/wrap.h"
#include "cli/journal.h"

#define WIDTH_DEFAULT 80
#define WIDTH_LIMIT 4096

static const char *limit_option; /* NULL: the command has none */

/* A message continues with a list of names, on lines of its own. */
#define LIST_FOLLOWS ":\n"

static void add_list(struct buf *to, const char *list)
{
	struct buf safe = BUF_INIT;

	utf8_add_safe(&safe, list, strlen(list));
	wrap_add(to, buf_str(&safe), 4, 4, WIDTH_DEFAULT - 1);
	buf_release(&safe);
}

/* Messages quote users, recordings and agents: all of it is made safe for a
 * terminal, and a quoted newline does not begin a line. */
static void say(enum journal_level level, const char *who, const char *text)
{
	const char *list = strstr(text, LIST_FOLLOWS);
	size_t len = list ? (size_t)(list - text) + 1 : strlen(text);
	struct buf b = BUF_INIT;

	buf_printf(&b, "%s%s: ", journal_prefix(level), who);
	utf8_add_safe(&b, text, len);
	buf_add_char(&b, '\n');
	if (list) {
		buf_printf(&b, "%s    ", journal_prefix(level));
		add_list(&b, list + strlen(LIST_FOLLOWS));
	}
	(void)fwrite(b.ptr, 1, b.len, stderr); /* nowhere to report it */
	buf_release(&b);
}

int cli_wrong_usage(const struct opt_cmd *c, const char *text)
{
	char who[64];

	(void)snprintf(who, sizeof(who), "gpsnap %s", c->name); /* fits */
	say(JOURNAL_ERROR, who, text);
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
	say(JOURNAL_ERROR, "gpsnap", more.msg);
	return EXIT_CANNOT;
}

void cli_notice(const char *fmt, ...)
{
	char text[GS_ERR_MSG_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap); /* cut is fine */
	va_end(ap);
	say(JOURNAL_INFO, "gpsnap", text);
}

void cli_warning(const char *fmt, ...)
{
	char text[GS_ERR_MSG_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap); /* cut is fine */
	va_end(ap);
	say(JOURNAL_WARNING, "gpsnap", text);
}

/* Reports a write error, once.  EPIPE is not reported: the reader has seen
 * enough. */
static void tell(int errnum)
{
	if (errnum != EPIPE)
		cli_notice("standard output: %s", strerror(errnum));
}

bool cli_write(const char *p, size_t len)
{
	if (ferror(stdout))
		return false;
	if (fwrite(p, 1, len, stdout) == len && fflush(stdout) == 0)
		return true;
	tell(errno);
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
	tell(errno);
	return EXIT_CANNOT;
}

size_t cli_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize ws;
	int64_t v;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 0)
		return ws.ws_col;
	if (columns && units_int(columns, 1, WIDTH_LIMIT, &v, NULL) == 0)
		return (size_t)v;
	return WIDTH_DEFAULT;
}
