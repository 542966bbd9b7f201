/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/opt.h"

#include <string.h>

#include "cases.h"

struct settings {
	bool all, quiet;
	const char *out, *from, *user;
	int64_t interval_ns, count;
	uint64_t size_bytes;
	double free_percent, ratio;
	int format;
	struct opt_texts pids, reports;
	bool run;
};

static const char *const formats[] = { "text", "json", "csv", NULL };

static const struct opt table[] = {
	{ OPT_PATH, 'o', "output", "FILE", "where to write",
	    .group = "Output", .offset = OPT_AT(struct settings, out) },
	{ OPT_ENUM, 'f', "format", "FORMAT", "how to write",
	    .dflt = "json", .values = formats,
	    .offset = OPT_AT(struct settings, format) },
	{ OPT_DURATION, 'i', "interval", "TIME", "time between two samples",
	    .dflt = "5s", .group = "Sampling", .min = 100000000,
	    .max = 3600000000000,
	    .offset = OPT_AT(struct settings, interval_ns) },
	{ OPT_INT, 'n', "count", "N", "samples to take", .min = 1,
	    .max = 1000, .offset = OPT_AT(struct settings, count) },
	{ OPT_FLAG, 'a', "all", NULL, "everything",
	    .offset = OPT_AT(struct settings, all) },
	{ OPT_FLAG, 'q', "quiet", NULL, "say nothing",
	    .offset = OPT_AT(struct settings, quiet) },
	{ OPT_SIZE, 0, "keep-size", "SIZE", "bytes to keep",
	    .offset = OPT_AT(struct settings, size_bytes) },
	{ OPT_PERCENT, 0, "min-free", "P", "room to leave",
	    .offset = OPT_AT(struct settings, free_percent) },
	{ OPT_REAL, 0, "ratio", "R", "a number",
	    .offset = OPT_AT(struct settings, ratio), .hidden = true },
	{ OPT_TIME, 0, "from", "TIME", "where to begin",
	    .offset = OPT_AT(struct settings, from) },
	{ OPT_MAYBE, 'U', "user", "USER", "names",
	    .offset = OPT_AT(struct settings, user) },
	{ OPT_TEXTS, 'p', "pid", "PID", "numbers",
	    .offset = OPT_AT(struct settings, pids) },
	{ OPT_MAYBES, 'r', "report", "WORD", "reports",
	    .offset = OPT_AT(struct settings, reports) },
	{ OPT_COMMAND, 'e', "run", "COMMAND", "what to run",
	    .offset = OPT_AT(struct settings, run) },
};

static const char *const usage[] = { "[OPTION...] FILE", NULL };

static const struct opt_cmd cmd = {
	.name = "test", .summary = "test something", .usage = usage,
	.opt = table, .n_opt = GS_LEN(table),
};

struct row {
	const char *name; /* the command line, split at blanks */
	const char *want; /* settings and operands; or the error */
};

static const struct row rows[] = {
	{ "", "i=5000 f=1 |" },
	{ "-i1", "i=1000 f=1 |" },
	{ "-i 1", "i=1000 f=1 |" },
	{ "--interval=1", "i=1000 f=1 |" },
	{ "--interval 250ms", "i=250 f=1 |" },
	{ "--int 2", "i=2000 f=1 |" },
	{ "-aq", "i=5000 f=1 all quiet |" },
	{ "-aqi3", "i=3000 f=1 all quiet |" },
	{ "-aqi 3 x", "i=3000 f=1 all quiet |x" },
	{ "a b", "i=5000 f=1 |a b" },
	{ "a -f csv b -a", "i=5000 f=2 all |a b" },
	{ "- -a", "i=5000 f=1 all |-" },
	{ "a -- -a b", "i=5000 f=1 |a -- -a b" },
	{ "--", "i=5000 f=1 |--" },
	{ "-- --", "i=5000 f=1 |-- --" },
	{ "-o - -n 7", "i=5000 f=1 n=7 o=- |" },
	{ "-o=x", "i=5000 f=1 o==x |" },
	{ "--output=", "i=5000 f=1 o= |" },
	{ "--keep-size 1K --min-free 5%", "i=5000 f=1 size=1024 free=5 |" },
	{ "--from -1h --ratio 0.5", "i=5000 f=1 from=-1h ratio=0.5 |" },
	{ "-i1 -i2", "i=2000 f=1 |" },
	{ "-U", "i=5000 f=1 U= |" },
	{ "-U root 5", "i=5000 f=1 U=root |5" },
	{ "-U 5 2", "i=5000 f=1 U= |5 2" },
	{ "-U 5x", "i=5000 f=1 U=5x |" },
	{ "-U -a", "i=5000 f=1 all U= |" },
	{ "-aU root", "i=5000 f=1 all U= |root" },
	{ "-Ua root", "i=5000 f=1 all U= |root" },
	{ "--user root", "i=5000 f=1 U= |root" },
	{ "--user=root", "i=5000 f=1 U=root |" },
	{ "--user=5", "i=5000 f=1 U=5 |" },
	{ "-p 1 -p2 --pid=3 x", "i=5000 f=1 p=1 p=2 p=3 |x" },
	{ "-p", "--pid: expected PID" },
	{ "-r -r ALL -ar --report --report=x 5",
	    "i=5000 f=1 all r= r=ALL r= r= r=x |5" },
	{ "1 -e ls -a -- b", "i=5000 f=1 e |1 -- ls -a -- b" },
	{ "1 -ae ls", "i=5000 f=1 all e |1 -- ls" },
	{ "--run ls --all", "i=5000 f=1 e |-- ls --all" },
	{ "-els", "-e: expected COMMAND in words of its own" },
	{ "-e", "i=5000 f=1 e |--" },
	{ "--run=ls", "option --run takes no argument" },
	{ "--help --nonsense", "help" },
	{ "-ah", "help" },
	{ "--intervall=1",
	    "unknown option --intervall (did you mean --interval?)" },
	{ "--zzzzzzzz", "unknown option --zzzzzzzz" },
	{ "--=x", "unknown option --" },
	{ "-x", "unknown option -x" },
	{ "-ax", "unknown option -x" },
	{ "--f x", "option --f is short for --format and --from" },
	{ "--all=1", "option --all takes no argument" },
	{ "-i", "--interval: expected TIME" },
	{ "--output", "--output: expected FILE" },
	{ "-i 5x", "--interval: \"5x\": expected a duration such as 5, 0.5s, "
	    "250ms, 1m30s, 2h or 7d" },
	{ "-i 0.05", "--interval: \"0.05\": expected a duration from 100ms "
	    "to 1h" },
	{ "-n 0", "--count: \"0\": expected a whole number from 1 to 1000" },
	{ "-f xml", "--format: \"xml\": expected one of text, json, csv" },
	{ "--keep-size x", "--keep-size: \"x\": expected a size such as "
	    "4096, 100M or 1.5GiB" },
	{ "--from 25:00", "--from: \"25:00\": no such date or time "
	    "of day" },
};

/* Splits text at blanks into at most max words. */
static int split(char *text, char **word, int max)
{
	int n = 0;
	char *p;

	for (p = strtok(text, " "); p && n < max; p = strtok(NULL, " "))
		word[n++] = p;
	word[n] = NULL;
	return n;
}

static void show(const struct settings *s, const struct opt_rest *rest,
	struct buf *to)
{
	size_t j;
	int i;

	buf_printf(to, "i=%lld f=%d ", (long long)s->interval_ns / 1000000,
	    s->format);
	if (opt_given(&cmd, rest, "count"))
		buf_printf(to, "n=%lld ", (long long)s->count);
	if (s->all)
		buf_add_str(to, "all ");
	if (s->quiet)
		buf_add_str(to, "quiet ");
	if (s->user)
		buf_printf(to, "U=%s ", s->user);
	for (j = 0; j < s->pids.n; j++)
		buf_printf(to, "p=%s ", s->pids.text[j]);
	for (j = 0; j < s->reports.n; j++)
		buf_printf(to, "r=%s ", s->reports.text[j]);
	if (s->run)
		buf_add_str(to, "e ");
	if (s->out)
		buf_printf(to, "o=%s ", s->out);
	if (opt_given(&cmd, rest, "keep-size"))
		buf_printf(to, "size=%llu ",
		    (unsigned long long)s->size_bytes);
	if (opt_given(&cmd, rest, "min-free"))
		buf_printf(to, "free=%g ", s->free_percent);
	if (s->from)
		buf_printf(to, "from=%s ", s->from);
	if (opt_given(&cmd, rest, "ratio"))
		buf_printf(to, "ratio=%g ", s->ratio);
	buf_add_char(to, '|');
	for (i = 0; i < rest->n; i++) {
		if (rest->dashes && i == rest->n_before)
			buf_printf(to, "%s--", i ? " " : "");
		buf_printf(to, "%s%s",
		    i || (rest->dashes && !rest->n_before) ? " " : "",
		    rest->arg[i]);
	}
	if (rest->dashes && rest->n == rest->n_before)
		buf_add_str(to, "--");
}

static void parses(void **state)
{
	const struct row *row = *state;
	char line[256] = "test ";
	char *argv[32];
	struct settings s = { 0 };
	struct opt_rest rest;
	struct gs_err err;
	struct buf got = BUF_INIT;
	int argc;

	strncat(line, row->name, sizeof(line) - 6);
	argc = split(line, argv, 31);
	if (opt_parse(&cmd, argc, argv, &s, &rest, &err) < 0) {
		assert_int_equal(err.status, GS_E_USAGE);
		buf_add_str(&got, err.msg);
	} else if (rest.help) {
		buf_add_str(&got, "help");
	} else {
		assert_null(rest.arg[rest.n]);
		show(&s, &rest, &got);
	}
	assert_string_equal(buf_str(&got), row->want);
	buf_release(&got);
}

static void help_fits_the_width(void **state)
{
	static const size_t widths[] = { 0, 40, 60, 80, 200 };
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(widths); i++) {
		size_t width = GS_MAX(widths[i], 40);
		struct buf b = BUF_INIT;
		char *line;

		opt_help(&cmd, widths[i], &b);
		for (line = strtok(b.ptr, "\n"); line;
		     line = strtok(NULL, "\n")) {
			if (strlen(line) > width)
				fail_msg("%zu: %s", width, line);
			if (line[strlen(line) - 1] == ' ')
				fail_msg("blank at the end: %s", line);
		}
		buf_release(&b);
	}
}

static void help_text(void **state)
{
	static const char want[] =
	    "usage: gpsnap test [OPTION...] FILE\n"
	    "\n"
	    "test something\n"
	    "\n"
	    "Output:\n"
	    "  -o, --output=FILE         where to write\n"
	    "  -f, --format=FORMAT       how to write: text, json or csv "
	    "(default json)\n"
	    "  -h, --help                show this text\n"
	    "\n"
	    "Sampling:\n"
	    "  -i, --interval=TIME       time between two samples "
	    "(default 5s)\n"
	    "  -n, --count=N             samples to take\n"
	    "  -a, --all                 everything\n"
	    "  -q, --quiet               say nothing\n"
	    "      --keep-size=SIZE      bytes to keep\n"
	    "      --min-free=P          room to leave\n"
	    "      --from=TIME           where to begin\n"
	    "  -U, --user[=USER]         names\n"
	    "  -p, --pid=PID             numbers\n"
	    "  -r, --report[=WORD]       reports\n"
	    "  -e, --run COMMAND         what to run\n";
	struct buf b = BUF_INIT;

	(void)state;
	opt_help(&cmd, 80, &b);
	assert_string_equal(buf_str(&b), want);
	buf_release(&b);
}

static void list(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	opt_list(&cmd, &b);
	assert_non_null(strstr(buf_str(&b),
	    "-f\t--format\ttext|json|csv\tFORMAT\thow to write\n"));
	assert_non_null(strstr(buf_str(&b),
	    "-\t--min-free\tpercent\tP\troom to leave\n"));
	assert_null(strstr(buf_str(&b), "--ratio"));
	buf_release(&b);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, parses, rows);
	cases_add(&c, "help width", help_fits_the_width, NULL);
	cases_add(&c, "help text", help_text, NULL);
	cases_add(&c, "list", list, NULL);
	return cases_run(&c, "opt");
}
