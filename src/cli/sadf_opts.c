/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sadf_opts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/units.h"
#include "cli/confine.h"
#include "cli/memory.h"
#include "cli/start.h"

#define AT(field) .offset = OPT_AT(struct sadf_cli, field)

static const struct opt options[] = {
	{ OPT_PATH, 'f', "file", "PATH",
	    "the recording: a file, a directory, or - for the standard input; "
	    "the same as the operand; without it, today's in ~/gpsnap/",
	    .group = "Which part", AT(file) },
	FROM_TO_OPTIONS(struct sadf_cli, when, 's', 'e'),
	SAR_EVERY_OPTION(struct sadf_cli),
	HOST_OPTION(struct sadf_cli, when),
	{ OPT_FLAG, 'p', "lines", NULL,
	    "a line per value, with tabs, for awk; the default form",
	    .group = "Form", AT(lines) },
	{ OPT_FLAG, 'd', "table", NULL,
	    "a line per row, with semicolons, for a database", AT(table) },
	{ OPT_FLAG, 'j', "json", NULL, "JSON", AT(json) },
	{ OPT_FLAG, 'x', "xml", NULL, "XML", AT(xml) },
	{ OPT_FLAG, 'g', "svg", NULL, "charts for a browser, as SVG",
	    AT(svg) },
	{ OPT_FLAG, 'H', "head", NULL,
	    "only the header; without a form, about the recording", AT(head) },
	{ OPT_FLAG, 'h', "one-line", NULL,
	    "with -d: all activities side by side", AT(one_line) },
	{ OPT_TEXT, 'O', "drawing", "OPTION,...",
	    "with -g: autoscale, bwcol, height=PIXELS, oneday, packed, "
	    "showidle, showinfo, showtoc, skipempty", AT(drawing) },
	{ OPT_FLAG, 'C', "comments", NULL, "marks of gpsnap mark, too",
	    AT(comments) },
	{ OPT_FLAG, 0, "strict", NULL,
	    "figures as of sadf, even where gpsnap knows better", AT(strict) },
	SAR_ROW_OPTIONS(struct sadf_cli),
	{ OPT_FLAG, 'T', "local", NULL, "times in the zone of this machine",
	    .group = "Times, in UTC by default", AT(local) },
	{ OPT_FLAG, 't', "recorded", NULL, "times in the recording's zone",
	    AT(made_local) },
	{ OPT_FLAG, 'U', "epoch", NULL,
	    "with -d and -p: in seconds since 1970", AT(epoch) },
	TZ_OPTION(struct sadf_cli, when),
	{ OPT_FLAG, 'V', "version", NULL, "show the version", AT(version) },
	MEMORY_OPTION(struct sadf_cli, memory_bytes),
	{ OPT_FLAG, 'c', "convert", NULL, "", .hidden = true, AT(convert) },
	{ OPT_FLAG, 'r', "raw", NULL, "", .hidden = true, AT(raw) },
	{ OPT_MAYBE, 'l', "pcp", NULL, "", .hidden = true, AT(pcp) },
};

static const char *const usage[] = {
	"[OPTION...] [PATH] [-DAYS] [INTERVAL [COUNT]] [-- SAR-OPTION...]",
	NULL
};

static const char *const about[] = {
	"Writes what sysstat's sar would have measured on a host, had sadc "
	"collected while that was recorded, in the formats of sysstat's sadf: "
	"for awk, for a database, as JSON, XML, or charts. The options of "
	"gpsnap sar after -- select the activities; without any it is CPU "
	"time. INTERVAL is in seconds, not shorter than the recording's; "
	"without it, every sample is shown. -1, -2, ... is the day so many "
	"days ago.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap sadf -d incident.gpsnap -- -r -n DEV",
	    "memory and network for a database" },
	{ "gpsnap sadf -j incident.gpsnap 10 -- -A | jq .",
	    "everything, every ten seconds" },
	{ "gpsnap sadf -g -t incident.gpsnap -- -A >incident.svg",
	    "charts of it" },
	{ NULL, NULL }
};

const struct opt_cmd sadf_opts = {
	.name = "sadf",
	.summary = "write what sar measures as sadf does: CSV, JSON, XML, SVG",
	OPT_TABLES,
	.exits = cli_exits,
	CONFINED,
};

/* ---- drawings -------------------------------------------------------- */

#define HEIGHT_MAX 100000

static const struct {
	const char *name;
	size_t offset; /* bool fields */
} words[] = {
	{ "autoscale", OPT_AT(struct sadf_drawing, svg.autoscale) },
	{ "bwcol", OPT_AT(struct sadf_drawing, svg.grey) },
	{ "oneday", OPT_AT(struct sadf_drawing, one_day) },
	{ "packed", OPT_AT(struct sadf_drawing, svg.packed) },
	{ "showidle", OPT_AT(struct sadf_drawing, show_idle) },
	{ "showinfo", OPT_AT(struct sadf_drawing, svg.info) },
	{ "showtoc", OPT_AT(struct sadf_drawing, svg.toc) },
	{ "skipempty", OPT_AT(struct sadf_drawing, svg.skip_empty) },
};

/* sadf's own options. */
static const struct {
	const char *name, *why;
} no_words[] = {
	{ "customcol", "colours cannot be chosen, but bwcol has none" },
	{ "debug", "there is nothing to debug in gpsnap's drawings" },
	{ "hz=", "it is in the recording" },
	{ "pcparchive=", "gpsnap writes no PCP archives" },
};

static int refuse_word(const char *word, struct gs_err *err)
{
	size_t i;

	for (i = 0; i < GS_LEN(no_words); i++) {
		if (strncmp(word, no_words[i].name,
		    strlen(no_words[i].name)) == 0)
			return gs_fail(err, GS_E_USAGE, "-O %s: %s", word,
			    no_words[i].why);
	}
	return gs_fail(err, GS_E_USAGE, "-O %s: expected some of autoscale, "
	    "bwcol, height=PIXELS, oneday, packed, showidle, showinfo, "
	    "showtoc, skipempty", word);
}

static int add_word(const char *word, struct sadf_drawing *d,
	struct gs_err *err)
{
	int64_t height;
	size_t i;

	for (i = 0; i < GS_LEN(words); i++) {
		if (strcmp(word, words[i].name) != 0)
			continue;
		*(bool *)((char *)d + words[i].offset) = true;
		return GS_OK;
	}
	if (strncmp(word, "height=", 7) != 0)
		return refuse_word(word, err);
	if (units_int(word + 7, 1, HEIGHT_MAX, &height, err) < 0) {
		gs_err_prefix(err, "-O height");
		return GS_E_USAGE;
	}
	d->svg.height = (unsigned)height;
	return GS_OK;
}

int sadf_drawing(const char *list, struct sadf_drawing *ret,
	struct gs_err *err)
{
	char *copy, *word, *rest = NULL;
	int r = GS_OK;

	*ret = (struct sadf_drawing) { .one_day = false };
	if (!list)
		return GS_OK;
	copy = gs_strdup(list);
	for (word = strtok_r(copy, ",", &rest); word && r == GS_OK;
	    word = strtok_r(NULL, ",", &rest))
		r = add_word(word, ret, err);
	free(copy);
	return r;
}

/* ---- the two parts of the command line ------------------------------- */

static bool is_number(const char *word)
{
	return isdigit((unsigned char)*word) &&
	    strspn(word, "0123456789.wdhmsun") == strlen(word);
}

/* Numbers stay; a path is stored as by -f. */
static int split_operands(struct sadf_cli *o, struct opt_rest *rest)
{
	int i, n = 0;

	for (i = 0; i < rest->n; i++) {
		if (is_number(rest->arg[i])) {
			rest->arg[n++] = rest->arg[i];
			continue;
		}
		if (o->file)
			return cli_usage(&sadf_opts, "unexpected %s: the "
			    "recording is %s", rest->arg[i], o->file);
		o->file = rest->arg[i];
	}
	rest->n = n;
	return CLI_GO;
}

/* Names may stand before "--" and after it. */
static bool add_texts(const struct opt_texts *more, struct opt_texts *to)
{
	size_t i;

	for (i = 0; i < more->n && to->n < OPT_TEXTS_MAX; i++)
		to->text[to->n++] = more->text[i];
	return i == more->n;
}

static int add_rows(const struct sadf_cli *o, struct sar_cli *sar)
{
	if (add_texts(&o->cpus, &sar->cpus) &&
	    add_texts(&o->disks, &sar->disks) &&
	    add_texts(&o->nets, &sar->nets) &&
	    add_texts(&o->filesystems, &sar->filesystems))
		return CLI_GO;
	return cli_usage(&sadf_opts, "-P, --dev, --iface, --fs: expected at "
	    "most %d of one", OPT_TEXTS_MAX);
}

/* Other options before "--" override those after it. */
static void override(const struct sadf_cli *o, struct sar_cli *sar)
{
	const struct {
		const char *own, **sar;
	} both[] = {
		{ o->when.from, &sar->when.from },
		{ o->when.to, &sar->when.to },
		{ o->when.host, &sar->when.host },
		{ o->when.tz, &sar->when.tz },
	};
	size_t i;

	for (i = 0; i < GS_LEN(both); i++) {
		if (both[i].own)
			*both[i].sar = both[i].own;
	}
	if (o->every_ns)
		sar->every_ns = o->every_ns;
	sar->strict |= o->strict;
	sar->comments |= o->comments;
}

/* The words after "--"; their operands are appended to the others. */
static int parse_sar(struct opt_rest *rest, struct sar_cli *ret)
{
	int n = rest->n - rest->n_before;
	struct opt_rest more;
	struct gs_err err;

	/* parsing begins after the first word */
	if (opt_parse(&sar_opts, n + 1, rest->arg + rest->n_before - 1, ret,
	    &more, &err) < 0)
		return cli_usage(&sadf_opts, "after --: %s", err.msg);
	if (more.help || ret->version)
		return cli_usage(&sadf_opts, "after --: gpsnap sar --help "
		    "lists what may stand there");
	rest->n = rest->n_before + more.n;
	return CLI_GO;
}

int sadf_start(int argc, char **argv, struct sadf_cli *ret,
	struct sar_cli *ret_sar, struct opt_rest *ret_rest)
{
	int status = cli_start(&sadf_opts, argc, argv, ret, ret_rest);

	if (status == CLI_GO)
		status = parse_sar(ret_rest, ret_sar);
	if (status == CLI_GO && !ret->file)
		ret->file = ret_sar->file;
	if (status == CLI_GO)
		status = split_operands(ret, ret_rest);
	if (status == CLI_GO)
		status = add_rows(ret, ret_sar);
	if (status == CLI_GO)
		override(ret, ret_sar);
	return status;
}
