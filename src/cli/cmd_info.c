/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_info.c - gpsnap info: what a recording holds, without its figures.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "base/when.h"
#include "base/wrap.h"
#include "base/zone.h"
#include "cli/cmds.h"
#include "cli/memory.h"
#include "cli/start.h"
#include "cli/survey.h"
#include "cli/times.h"
#include "replay/recfile.h"

#define LABEL ((size_t)11)
#define HOLES_SHOWN 5
#define ABSENCES_SHOWN 100
#define WIDTH_FLOOR ((size_t)30)

struct info {
	struct times when;
	uint64_t memory_bytes;
};

static const struct opt options[] = {
	ZONE_OPTIONS(struct info, when, 'u'),
	MEMORY_OPTION(struct info, memory_bytes),
};

static const char *const usage[] = { "PATH... [OPTION...]", NULL };

static const char *const about[] = {
	"Shows for every PATH the time range and hosts, what is missing, the "
	"number of rows, what may be confidential, and how it was made. PATH "
	"is a file, - for the standard input, or a directory: then each "
	"recording in it, which may have several files.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap info incident.gpsnap", "check it before you give it away" },
	{ NULL, NULL }
};

const struct opt_cmd info_opts = {
	.name = "info",
	.summary = "show what a recording holds",
	OPT_TABLES,
	.exits = cli_exits,
	CONFINED,
};

struct page {
	const struct survey *s;
	const struct zone *zone;
	size_t width;
	struct buf *to;
	struct buf line;
};

/* Ends the current line. */
static void put(struct page *p, const char *label)
{
	wrap_add_labelled(p->to, label, LABEL, &p->line, p->width);
	buf_reset(&p->line);
}

static void put_file(struct page *p, const char *path)
{
	const struct survey *s = p->s;

	buf_printf(&p->line, "%s, ", path);
	if (s->n_file > 1)
		buf_printf(&p->line, "%zu files, ", s->n_file);
	units_add_bytes(&p->line, s->size_bytes);
	buf_add_str(&p->line, s->written ? ", still being written" :
	    s->closed ? ", closed" : ", not closed");
	if (s->bad_footer)
		buf_add_str(&p->line, ", the index at the end is damaged");
	put(p, s->n_file > 1 ? "files" : "file");
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

static void put_database(struct page *p)
{
	const struct header *h = p->s->header;
	bool any = false;
	size_t i;

	for (i = 0; h && i < h->n_host; i++) {
		const char *version = header_server(h, i).server_version;

		if (!h->host[i].catalog || !version || version[0] == '\0')
			continue;
		buf_add_str(&p->line, version);
		put(p, any ? "" : "database");
		any = true;
	}
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
		if (gap->ticks)
			buf_printf(&p->line, ", %" PRIu64 " tick%s",
			    gap->ticks, units_plural(gap->ticks));
		put(p, i ? "" : "holes");
	}
	if (s->n_gaps > shown) {
		buf_printf(&p->line, "and %zu more", s->n_gaps - shown);
		put(p, "");
	}
}

/* Damage of the files' bytes that is not part of a hole. */
static void put_damage(struct page *p)
{
	if (p->s->n_harmless == 0)
		return;
	buf_printf(&p->line, "%" PRIu64 " place%s, no tick lost: gpsnap verify "
	    "says where", p->s->n_harmless, units_plural(p->s->n_harmless));
	put(p, "damage");
}

/* A line for each host that was absent. */
static void put_absences(struct page *p)
{
	const struct survey *s = p->s;
	size_t i, shown = GS_MIN(s->n_absence, ABSENCES_SHOWN);
	char span[WHEN_SPAN_MAX];

	for (i = 0; i < shown; i++) {
		const struct survey_absence *a = &s->absence[i];

		buf_printf(&p->line, "%s: ", a->host);
		if (a->never) {
			buf_add_str(&p->line, "never answered");
		} else {
			when_age(span, (double)a->missing_ns / 1e9);
			buf_printf(&p->line, "did not answer for %s, ", span);
			add_edge(p, a->from_ns);
			buf_add_str(&p->line, " to ");
			add_edge(p, a->to_ns);
		}
		if (a->n > 1 && !a->never)
			buf_printf(&p->line, " and %zu times more", a->n - 1);
		put(p, i ? "" : "absent");
	}
	if (s->n_absence > shown) {
		buf_printf(&p->line, "and %zu hosts more",
		    s->n_absence - shown);
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
	buf_add_str(&p->line, n > 0 ? " (most at a time)" : "none");
	put(p, "rows");
	if (processes == 0)
		return;
	buf_printf(&p->line, "%.1f bytes per process and tick, %" PRIu64
	    " of these", (double)s->size_bytes / (double)processes,
	    processes);
	put(p, "density");
}

/* Contents that a recording has or has not. */
static void put_content(struct page *p)
{
	static const struct {
		enum content_flag flag;
		const char *name;
	} parts[] = {
		{ CONTENT_TITLES, "titles of database processes" },
		{ CONTENT_ARGUMENTS, "arguments of other processes" },
		{ CONTENT_QUERY_TEXT, "query texts" },
		{ CONTENT_ADDRESSES, "client addresses" },
	};
	uint32_t content = p->s->header->content;
	const char *before = "";
	size_t i;

	buf_add_str(&p->line, content & CONTENT_ALL ? "all processes"
	                                            : "selected processes");
	for (i = 0; i < GS_LEN(parts); i++) {
		if (content & (uint32_t)parts[i].flag)
			buf_printf(&p->line, ", %s", parts[i].name);
	}
	put(p, "content");
	for (i = 0; i < GS_LEN(parts); i++) {
		if (content & (uint32_t)parts[i].flag)
			continue;
		buf_printf(&p->line, "%s%s", before, parts[i].name);
		before = ", ";
	}
	if (*before)
		put(p, "without");
}

/* Its clock was so far ahead of the first source's. */
static void put_clock(struct page *p, int64_t ns)
{
	char span[WHEN_SPAN_MAX];

	if (ns == 0)
		return;
	when_span(span, ns < 0 ? -ns : ns);
	buf_printf(&p->line, ", its clock %s %s", span,
	    ns < 0 ? "behind" : "ahead");
}

/* How it was made from other recordings. */
static void put_editing(struct page *p)
{
	const struct header *h = p->s->header;
	char span[WHEN_SPAN_MAX];
	size_t i, k;

	if (h->edited && h->edited[0]) {
		buf_add_str(&p->line, h->edited);
		put(p, "edited");
	}
	if (h->thinned_ns > 0) {
		when_span(span, h->thinned_ns);
		buf_printf(&p->line, "from ticks every %s", span);
		put(p, "thinned");
	}
	for (i = 0; i < h->n_source; i++) {
		for (k = 0; k < RECORDING_ID_LEN; k++)
			buf_printf(&p->line, "%02x",
			    h->source[i].recording_id[k]);
		buf_add_str(&p->line, ", begun ");
		zone_add_date_time(p->zone, h->source[i].started_ns, 0,
		    &p->line);
		if (h->source[i].recorder_host[0])
			buf_printf(&p->line, " on %s",
			    h->source[i].recorder_host);
		put_clock(p, h->source[i].clock_ns);
		put(p, i ? "" : "made of");
	}
}

static void put_origin(struct page *p)
{
	const struct header *h = p->s->header;
	size_t i;

	buf_printf(&p->line, "gpsnap %s",
	    h->program_version ? h->program_version : "?");
	if (h->recorder_host && h->recorder_host[0])
		buf_printf(&p->line, " on %s", h->recorder_host);
	buf_printf(&p->line, ", format %" PRIu32, h->format_version);
	put(p, "made by");
	if (h->options && h->options[0]) {
		buf_add_str(&p->line, h->options);
		put(p, "command");
	}
	for (i = 0; i < RECORDING_ID_LEN; i++)
		buf_printf(&p->line, "%02x", h->recording_id[i]);
	if (p->s->first_number == h->file_number)
		buf_printf(&p->line, ", file %" PRIu32, h->file_number);
	else
		buf_printf(&p->line, ", files %" PRIu32 " to %" PRIu32,
		    p->s->first_number, h->file_number);
	put(p, "recording");
	put_editing(p);
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

/* A page about the files of one recording, called name. */
static int show(const char *name, char *const *path, size_t n, bool all,
	const struct info *o, struct buf *to)
{
	struct survey s;
	struct gs_err err;
	struct zone zone;
	struct page p = {
		.s = &s, .zone = &zone, .to = to,
		.width = GS_MAX(cli_width(), WIDTH_FLOOR),
	};
	int status = EXIT_CANNOT;

	if (survey_recording(path, n, all, &s, &err) < 0) {
		(void)cli_cannot(&err); /* status says it already */
		goto out;
	}
	if (s.ticks == 0) {
		(void)gs_fail(&err, GS_E_FORMAT, "%s: %s: no tick in it is "
		    "whole", path[0], s.gap[0].why); /* for its text */
		(void)cli_cannot(&err);
		goto out;
	}
	if (times_zone(&o->when, s.utc_offset_s, &zone, &err) < 0)
		goto out; /* was parsed before */
	status = survey_is_damaged(&s) || s.n_absence > 0 ? EXIT_GAPS
	                                                  : EXIT_DONE;
	put_file(&p, name);
	put_time(&p);
	put_hosts(&p);
	put_database(&p);
	put_holes(&p);
	put_damage(&p);
	put_absences(&p);
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

/* Writes what was gathered so far. */
struct pages {
	const struct info *o;
	size_t n;
	int worst;
	bool stopped; /* the output failed */
};

static void add_page(struct pages *p, const char *name, char *const *path,
	size_t n, bool all)
{
	struct buf text = BUF_INIT;
	int status;

	if (p->stopped)
		return;
	if (p->n > 0)
		buf_add_char(&text, '\n');
	status = show(name, path, n, all, p->o, &text);
	p->worst = GS_MAX(p->worst, status);
	if (status != EXIT_CANNOT) {
		p->n++;
		p->stopped = !cli_write(text.ptr, text.len);
	}
	buf_release(&text);
}

/* One page for each recording in a directory. */
static void add_directory(struct pages *p, const char *dir)
{
	struct recfile *file = NULL;
	struct gs_err err;
	char **path;
	size_t i, end, n = 0;

	if (recfile_list(dir, true, &file, &n, &err) < 0) {
		p->worst = cli_cannot(&err);
		return;
	}
	path = gs_calloc(n, sizeof(*path));
	for (i = 0; i < n; i++)
		path[i] = file[i].path;
	for (i = 0; i < n; i = end) {
		end = i + 1;
		while (file[i].header && end < n && file[end].header &&
		    recfile_same(&file[i], &file[end]))
			end++;
		add_page(p, end - i > 1 ? dir : path[i], path + i, end - i,
		    true);
	}
	for (i = 0; i < n; i++)
		recfile_release(&file[i]);
	free(path);
	free(file);
}

int cmd_info(int argc, char **argv)
{
	struct info o = { 0 };
	struct opt_rest rest;
	struct pages p = { .o = &o, .worst = EXIT_DONE };
	struct zone zone;
	struct gs_err err;
	int i;
	int status = cli_start(&info_opts, argc, argv, &o, &rest);

	if (status != CLI_GO)
		return status;
	if (rest.n == 0)
		return cli_usage(&info_opts,
		    "expected a recording, a directory, or -");
	status = times_check(&info_opts, &o.when);
	if (status != CLI_GO)
		return status;
	if (times_zone(&o.when, 0, &zone, &err) < 0)
		return cli_usage(&info_opts, "%s", err.msg);
	status = cli_confine(&info_opts, &(struct confine) { .read = rest.arg,
	    .n_read = (size_t)rest.n });
	if (status != CLI_GO)
		return status;
	cli_many_files();
	for (i = 0; i < rest.n; i++) {
		char *path = rest.arg[i];

		if (path_is_directory(path))
			add_directory(&p, path);
		else
			add_page(&p, path, &path, 1, false);
	}
	return cli_finish(p.worst);
}
