#include "cli/start.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/quant.h"
#include "base/utf8.h"
#include "base/wrap.h"
#include "cli/config.h"
#include "cli/confine.h"
#include "cli/journal.h"
#include "cli/memory.h"

#define WIDTH_DEFAULT 80
#define WIDTH_LIMIT 4096

const struct opt_exit cli_exits[] = {
	{ EXIT_DONE, "done" },
	{ EXIT_GAPS, "done, but data is missing or damaged" },
	{ EXIT_CANNOT, "it could not be done: no recording, or it can't be "
	    "read or written" },
	{ EXIT_WRONG_USAGE, "wrong usage" },
	{ 0, NULL }
};

/* Opened the wrong way round: to read or write there fails as it would
 * without, with EBADF.  open() takes the lowest number that is free. */
void cli_own_standard(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)open("/dev/null", /* no such file: as before */
			    fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void cli_many_files(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) < 0)
		return;
	l.rlim_cur = l.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &l); /* else fewer files */
}

/* What follows in a message is a list of names, for lines of its own. */
#define LIST_FOLLOWS ":\n"

static void add_list(struct buf *to, const char *list)
{
	struct buf safe = BUF_INIT;

	utf8_add_safe(&safe, list, strlen(list));
	wrap_add(to, buf_str(&safe), 4, 4, WIDTH_DEFAULT - 1);
	buf_release(&safe);
}

/* Messages quote what a user, a recording or an agent says: all of it is made
 * safe, and no newline of theirs begins a line. */
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
	(void)fwrite(b.ptr, 1, b.len, stderr); /* nowhere left to complain */
	buf_release(&b);
}

static int wrong_usage(const struct opt_cmd *c, const char *text)
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
	return wrong_usage(c, text);
}

int cli_cannot(const struct gs_err *err)
{
	struct gs_err more = *err;

	if (err->status == GS_E_MEMORY && memory_option())
		(void)gs_fail(&more, err->status, "%.1900s: allow more with "
		    "--%s SIZE", err->msg, memory_option());
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

/* Takes --no-config, which every command has, and the options of sandboxes out
 * of the words; how many are left. */
static int without_common(const struct opt_cmd *c, int argc, char **argv)
{
	bool options = true, sandbox = c->n_common > 0;
	int i, n = 0;

	for (i = 0; i < argc; i++) {
		options = options && strcmp(argv[i], "--") != 0;
		if (options && strcmp(argv[i], "--no-config") == 0)
			config_off();
		else if (!options || !sandbox || !confine_option(argv[i]))
			argv[n++] = argv[i];
	}
	argv[n] = NULL;
	return n;
}

int cli_start(const struct opt_cmd *c, int argc, char **argv, void *to,
	struct opt_rest *ret)
{
	struct gs_err err;
	struct buf text = BUF_INIT;

	if (opt_parse_over(c, without_common(c, argc, argv), argv, to,
	    strcmp(c->name, "help") == 0 ? NULL : config_apply, ret, &err) < 0)
		return wrong_usage(c, err.msg);
	if (!ret->help && memory_begin(c, to, &err) < 0)
		return wrong_usage(c, err.msg);
	if (!ret->help)
		return CLI_GO;
	opt_help(c, cli_width(), &text);
	(void)cli_write(text.ptr, text.len); /* cli_finish() looks again */
	buf_release(&text);
	return cli_finish(EXIT_DONE);
}

/* Tells a failure to write, once.  The errno of a pipe without a reader is
 * not worth a word: whoever closed it has seen enough. */
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
		return EXIT_CANNOT; /* told when it happened */
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
	if (columns && quant_int(columns, 1, WIDTH_LIMIT, &v, NULL) == 0)
		return (size_t)v;
	return WIDTH_DEFAULT;
}
