/*
 * cmd_info.c - gpsnap info: what a recording holds, without its figures.
 */
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "base/when.h"
#include "base/wrap.h"
#include "base/zone.h"
#include "cli/commands.h"
#include "cli/start.h"
#include "cli/survey.h"
#include "render/cell.h"

#define LABEL ((size_t)11)
#define HOLES_SHOWN 5
#define WIDTH_FLOOR ((size_t)30)

struct info {
	bool utc;
	const char *tz;
};

static const struct opt options[] = {
	{ OPT_FLAG, 'u', "utc", NULL,
	    "times in UTC, not in the recording's zone",
	    .offset = OPT_AT(struct info, utc) },
	{ OPT_TEXT, 0, "tz", "ZONE", "times in ZONE: Europe/Berlin, +01:00",
	    .offset = OPT_AT(struct info, tz) },
};

static const char *const usage[] = { "FILE... [OPTION...]", NULL };

static const char *const about[] = {
	"Says which time and hosts every FILE covers (- is the standard "
	"input), what is missing, how many rows it has, what it contains "
	"that may be confidential, and how it was made.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap info incident.gpsnap", "before you send it to anybody" },
	{ NULL, NULL }
};

static const struct opt_exit exits[] = {
	{ EXIT_DONE, "done" },
	{ EXIT_GAPS, "done; a file is damaged" },
	{ EXIT_CANNOT, "a file is no recording, or can't be read" },
	{ EXIT_WRONG_USAGE, "wrong usage" },
	{ 0, NULL }
};

const struct opt_cmd info_opts = {
	.name = "info",
	.summary = "say what a recording holds",
	.usage = usage,
	.about = about,
	.opt = options,
	.n_opt = GS_LEN(options),
	.example = examples,
	.exits = exits,
};

/* What the lines about one file need. */
struct page {
	const struct survey *s;
	const struct zone *zone;
	size_t width;
	struct buf *to;
	struct buf line;
};

/* Ends the line that was gathered. */
static void put(struct page *p, const char *label)
{
	struct buf safe = BUF_INIT;

	utf8_add_safe(&safe, buf_str(&p->line), p->line.len);
	buf_printf(p->to, "%-*s", (int)LABEL, label);
	wrap_add(p->to, buf_str(&safe), LABEL, LABEL, p->width);
	buf_reset(&p->line);
	buf_release(&safe);
}

static void add_size(struct buf *to, uint64_t bytes)
{
	static const struct cell_style style = { .utf8 = false };
	struct cell c = cell_int((int64_t)bytes);

	cell_add_text(to, Q_BYTES, &c, &style);
	buf_add_str(to, bytes < 1024 ? " bytes" : "iB");
}

static void put_file(struct page *p, const char *path)
{
	const struct survey *s = p->s;

	buf_printf(&p->line, "%s, ", path);
	add_size(&p->line, s->size_bytes);
	buf_add_str(&p->line, s->written ? ", still being written" :
	    s->closed ? ", closed" : ", not closed");
	put(p, "file");
}

static void put_time(struct page *p)
{
	const struct survey *s = p->s;
	char span[WHEN_SPAN_MAX];

	zone_add_date_time(p->zone, s->first_ns, 0, &p->line);
	buf_add_str(&p->line, " to ");
	zone_add_date_time(p->zone, s->last_ns, 0, &p->line);
	buf_add_char(&p->line, ' ');
	zone_add_label(p->zone, &p->line);
	when_age(span, (double)(s->last_ns - s->first_ns) / 1e9);
	buf_printf(&p->line, ", %s", span);
	put(p, "time");
	buf_printf(&p->line, "%" PRIu64, s->ticks);
	if (s->header && s->header->interval_ns > 0) {
		when_span(span, s->header->interval_ns);
		buf_printf(&p->line, " every %s", span);
	}
	buf_printf(&p->line, ", %" PRIu64 " key%s", s->keys,
	    s->keys == 1 ? "" : "s");
	put(p, "ticks");
}

static void put_hosts(struct page *p)
{
	size_t i;

	for (i = 0; i < p->s->n_host; i++)
		buf_printf(&p->line, "%s%s", i ? ", " : "", p->s->host[i]);
	put(p, p->s->n_host == 1 ? "host" : "hosts");
}

static void add_edge(struct page *p, int64_t ns)
{
	if (ns == INT64_MIN)
		buf_add_str(&p->line, "the start");
	else if (ns == INT64_MAX)
		buf_add_str(&p->line, "the end");
	else
		zone_add_date_time(p->zone, ns, 0, &p->line);
}

static void put_holes(struct page *p)
{
	const struct survey *s = p->s;
	size_t i, shown = GS_MIN(s->n_gap, HOLES_SHOWN);

	if (s->n_gaps == 0) {
		buf_add_str(&p->line, "none");
		put(p, "holes");
	}
	for (i = 0; i < shown; i++) {
		const struct cursor_gap *gap = &s->gap[i];

		add_edge(p, gap->from_ns);
		buf_add_str(&p->line, " to ");
		add_edge(p, gap->to_ns);
		buf_printf(&p->line, ": %s", gap->why);
		put(p, i ? "" : "holes");
	}
	if (s->n_gaps > shown) {
		buf_printf(&p->line, "and %zu more", s->n_gaps - shown);
		put(p, "");
	}
}

static void put_rows(struct page *p)
{
	const struct survey *s = p->s;
	uint64_t processes = s->rows[ENTITY_PROCESS];
	size_t e, n = 0;

	for (e = 0; e < ENTITY_COUNT; e++) {
		if (s->rows_max[e] == 0)
			continue;
		buf_printf(&p->line, "%s%zu %s", n++ ? ", " : "",
		    s->rows_max[e], s->rows_max[e] == 1
		    ? entity_get((enum entity_id)e)->name
		    : entity_get((enum entity_id)e)->plural);
	}
	if (n > 0)
		buf_add_str(&p->line, " (most at a time)");
	put(p, "rows");
	if (processes == 0)
		return;
	buf_printf(&p->line, "%.1f bytes per process and tick, %" PRIu64
	    " of these", (double)s->size_bytes / (double)processes,
	    processes);
	put(p, "density");
}

static void put_content(struct page *p)
{
	static const struct {
		enum content_flag flag;
		const char *with, *without;
	} parts[] = {
		{ CONTENT_ALL, "all processes", "selected processes" },
		{ CONTENT_TITLES, "titles of database processes",
		    "no titles" },
		{ CONTENT_ARGUMENTS, "arguments of other processes",
		    "no arguments of other processes" },
		{ CONTENT_QUERY_TEXT, "query texts", "no query texts" },
		{ CONTENT_ADDRESSES, "client addresses",
		    "no client addresses" },
	};
	size_t i;

	for (i = 0; i < GS_LEN(parts); i++)
		buf_printf(&p->line, "%s%s", i ? ", " : "",
		    p->s->header->content & (uint32_t)parts[i].flag
		    ? parts[i].with : parts[i].without);
	put(p, "content");
}

static void put_origin(struct page *p)
{
	const struct header *h = p->s->header;
	size_t i;

	buf_printf(&p->line, "gpsnap %s",
	    h->program_version ? h->program_version : "?");
	if (h->recorder_host)
		buf_printf(&p->line, " on %s", h->recorder_host);
	buf_printf(&p->line, ", format %" PRIu32, h->format_version);
	put(p, "made by");
	if (h->options) {
		buf_add_str(&p->line, h->options);
		put(p, "with");
	}
	for (i = 0; i < RECORDING_ID_LEN; i++)
		buf_printf(&p->line, "%02x", h->recording_id[i]);
	buf_printf(&p->line, ", file %" PRIu32, h->file_number);
	put(p, "recording");
	for (i = 0; i < h->n_refused; i++) {
		buf_printf(&p->line, "%s: %s", h->refused[i].what,
		    h->refused[i].why);
		put(p, i ? "" : "refused");
	}
	for (i = 0; i < h->n_unknown; i++)
		buf_printf(&p->line, "%s%s", i ? ", " : "", h->unknown[i]);
	if (h->n_unknown > 0)
		put(p, "unknown");
}

static int show(const char *path, const struct info *o, struct buf *to)
{
	struct survey s;
	struct gs_err err;
	struct zone zone;
	struct page p = {
		.s = &s, .zone = &zone, .to = to,
		.width = GS_MAX(cli_width(), WIDTH_FLOOR),
	};
	int status = EXIT_CANNOT;

	if (survey_read(path, &s, &err) < 0) {
		(void)cli_cannot(&err); /* status is that already */
		goto out;
	}
	if (s.ticks == 0) {
		(void)gs_fail(&err, GS_E_FORMAT, "%s: %s: no tick in it is "
		    "whole", path, s.gap[0].why); /* for its text */
		(void)cli_cannot(&err);
		goto out;
	}
	zone = zone_fixed(o->utc ? 0 : s.utc_offset_s);
	if (o->tz && zone_parse(&zone, o->tz, &err) < 0)
		goto out; /* was parsed before */
	status = s.n_damaged ? EXIT_GAPS : EXIT_DONE;
	put_file(&p, path);
	put_time(&p);
	put_hosts(&p);
	put_holes(&p);
	put_rows(&p);
	if (s.header) {
		put_content(&p);
		put_origin(&p);
	}
out:
	buf_release(&p.line);
	survey_release(&s);
	return status;
}

int cmd_info(int argc, char **argv)
{
	struct info o = { 0 };
	struct opt_rest rest;
	struct buf text = BUF_INIT;
	struct zone zone;
	struct gs_err err;
	int i, worst = EXIT_DONE;
	int status = cli_start(&info_opts, argc, argv, &o, &rest);

	if (status != CLI_GO)
		return status;
	if (rest.n == 0)
		return cli_usage(&info_opts, "expected a file");
	if (o.utc && o.tz)
		return cli_usage(&info_opts,
		    "--utc and --tz: expected only one of them");
	if (o.tz && zone_parse(&zone, o.tz, &err) < 0)
		return cli_usage(&info_opts, "--tz: %s", err.msg);
	for (i = 0; i < rest.n; i++) {
		buf_reset(&text);
		if (i > 0)
			buf_add_char(&text, '\n');
		status = show(rest.arg[i], &o, &text);
		worst = GS_MAX(worst, status);
		if (!cli_write(buf_str(&text), text.len))
			break;
	}
	buf_release(&text);
	return cli_finish(worst);
}
