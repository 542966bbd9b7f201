/* SPDX-License-Identifier: Apache-2.0 */
/*
 * survey_page.c - what a survey found, as text.
 */
#include <inttypes.h>

#include "base/arith.h"
#include "base/units.h"
#include "base/when.h"
#include "base/wrap.h"
#include "replay/survey.h"

#define LABEL ((size_t)11)
#define HOLES_SHOWN 5
#define ABSENCES_SHOWN 100
#define WIDTH_FLOOR ((size_t)30)

struct survey_page {
	const struct survey *s;
	const struct zone *zone;
	struct page page;
};

static void add_file(struct survey_page *p, const char *path)
{
	const struct survey *s = p->s;

	buf_printf(&p->page.line, "%s, ", path);
	if (s->n_file > 1)
		buf_printf(&p->page.line, "%zu files, ", s->n_file);
	units_add_bytes(&p->page.line, s->size_bytes);
	buf_add_str(&p->page.line, survey_ending(s));
	if (s->bad_footer)
		buf_add_str(&p->page.line, ", the index at the end is damaged");
	page_add(&p->page, s->n_file > 1 ? "files" : "file");
}

static void add_share(struct survey_page *p, uint64_t bytes, const char *title)
{
	units_add_bytes(&p->page.line, bytes);
	buf_printf(&p->page.line, ", %.2f%% of the bytes",
	    100.0 * (double)bytes / (double)p->s->size_bytes);
	page_add(&p->page, title);
}

static void add_kept_page(struct survey_page *p)
{
	if (p->s->page_bytes == 0)
		return;
	buf_add_str(&p->page.line, "kept ready, ");
	add_share(p, p->s->page_bytes, "report");
}

static void add_summaries(struct survey_page *p)
{
	const struct survey *s = p->s;

	if (s->summaries == 0)
		return;
	buf_printf(&p->page.line, "%zu of %zu stretch%s, ", s->summaries,
	    s->stretches, s->stretches == 1 ? "" : "es");
	add_share(p, s->summary_bytes, "summaries");
}

/* A gist is of one stretch or of many. */
static void add_gists(struct survey_page *p)
{
	const struct survey *s = p->s;

	if (s->gists == 0)
		return;
	buf_printf(&p->page.line, "%zu, ", s->gists);
	add_share(p, s->gist_bytes, "gists");
}

/* The longest interval is the usual one; it may have been shorter meanwhile. */
static void add_paces(struct survey_page *p)
{
	const struct survey *s = p->s;
	size_t usual = 0, i;
	char span[WHEN_SPAN_MAX];

	for (i = 1; i < s->n_pace; i++) {
		if (s->pace[i].interval_ns > s->pace[usual].interval_ns)
			usual = i;
	}
	for (i = 0; i < s->n_pace; i++) {
		when_span(span, s->pace[usual].interval_ns);
		if (i == 0)
			buf_printf(&p->page.line, " every %s", span);
		if (i == usual)
			continue;
		when_span(span, s->pace[i].interval_ns);
		buf_printf(&p->page.line, ", %" PRIu64 " of them every %s, "
		    "%" PRIu64 " time%s", s->pace[i].ticks, span,
		    s->pace[i].times, units_plural(s->pace[i].times));
	}
}

static void add_time(struct survey_page *p)
{
	const struct survey *s = p->s;
	char span[WHEN_SPAN_MAX];

	zone_add_date_time(p->zone, s->first_ns, 0, &p->page.line);
	buf_add_str(&p->page.line, " to ");
	zone_add_date_time(p->zone, s->last_ns, 0, &p->page.line);
	buf_add_char(&p->page.line, ' ');
	zone_add_label(p->zone, &p->page.line);
	if (s->last_ns < s->first_ns) {
		buf_add_str(&p->page.line, "; the clock was set back");
	} else {
		when_age(span, (double)(s->last_ns - s->first_ns) / 1e9);
		buf_printf(&p->page.line, ", %s", span);
	}
	page_add(&p->page, "time");
	buf_printf(&p->page.line, "%" PRIu64, s->ticks);
	add_paces(p);
	buf_printf(&p->page.line, ", %" PRIu64 " key%s", s->keys,
	    s->keys == 1 ? "" : "s");
	if (s->skipped > 0)
		buf_printf(&p->page.line, ", %" PRIu64 " skipped", s->skipped);
	page_add(&p->page, "ticks");
}

static void add_hosts(struct survey_page *p)
{
	size_t i;

	for (i = 0; i < p->s->n_host; i++)
		buf_printf(&p->page.line, "%s%s", i ? ", " : "", p->s->host[i]);
	page_add(&p->page, p->s->n_host == 1 ? "host" : "hosts");
}

/* NULL: it is no server, or does not say. */
static const char *version_of(const struct header *h, size_t host)
{
	const char *version = header_server(h, host).server_version;

	return h->host[host].catalog && version && version[0] != '\0' ? version
	    : NULL;
}

static void add_server_name(struct buf *to, const struct header *h, size_t host)
{
	const struct header_host server = header_server(h, host);
	const char *name = header_server_name(&server);

	buf_printf(to, "%s: ", name ? name : h->host[host].name);
}

static void add_database(struct survey_page *p)
{
	const struct header *h = p->s->header;
	size_t i, n = 0;
	bool any = false;

	for (i = 0; h && i < h->n_host; i++)
		n += version_of(h, i) != NULL;
	for (i = 0; h && i < h->n_host; i++) {
		const char *version = version_of(h, i);

		if (!version)
			continue;
		if (n > 1)
			add_server_name(&p->page.line, h, i);
		buf_add_str(&p->page.line, version);
		page_add(&p->page, any ? "" : "database");
		any = true;
	}
}

static void add_edge(struct survey_page *p, int64_t ns)
{
	if (ns == INT64_MIN)
		buf_add_str(&p->page.line, "the start");
	else if (ns == INT64_MAX)
		buf_add_str(&p->page.line, "the end");
	else
		zone_add_date_time(p->zone, ns, 0, &p->page.line);
}

/* False: between recordings that were merged, whose numbers say nothing of how many
 * ticks are missing. */
static bool fits(const struct survey *s, const struct cursor_gap *gap)
{
	int64_t length_ns = gs_difference(gap->to_ns, gap->from_ns);

	return !s->header || s->header->n_source < 2 || gap->from_ns == INT64_MIN ||
	    gap->to_ns == INT64_MAX || s->header->interval_ns <= 0 ||
	    length_ns / s->header->interval_ns / 2 <= (int64_t)gap->ticks;
}

static void add_holes(struct survey_page *p)
{
	const struct survey *s = p->s;
	size_t i, shown = GS_MIN(s->n_gap, HOLES_SHOWN);

	if (s->n_gaps == 0) {
		buf_add_str(&p->page.line, "none");
		page_add(&p->page, "holes");
	}
	for (i = 0; i < shown; i++) {
		const struct cursor_gap *gap = &s->gap[i];

		add_edge(p, gap->from_ns);
		buf_add_str(&p->page.line, " to ");
		add_edge(p, gap->to_ns);
		buf_printf(&p->page.line, ": %s", gap->why);
		if (gap->ticks > 0 && fits(s, gap))
			buf_printf(&p->page.line, ", %" PRIu64 " tick%s",
			    gap->ticks, units_plural(gap->ticks));
		page_add(&p->page, i ? "" : "holes");
	}
	if (s->n_gaps > shown) {
		buf_printf(&p->page.line, "and %zu more", s->n_gaps - shown);
		page_add(&p->page, "");
	}
}

/* Damage of the files' bytes that is not part of a hole. */
static void add_damage(struct survey_page *p)
{
	if (p->s->n_harmless == 0)
		return;
	buf_printf(&p->page.line, "%" PRIu64 " place%s, no tick lost: gpsnap verify "
	    "says where", p->s->n_harmless, units_plural(p->s->n_harmless));
	page_add(&p->page, "damage");
}

/* A line for each host that was absent. */
static void add_absences(struct survey_page *p)
{
	const struct survey *s = p->s;
	size_t i, shown = GS_MIN(s->n_absence, ABSENCES_SHOWN);
	char span[WHEN_SPAN_MAX];

	for (i = 0; i < shown; i++) {
		const struct survey_absence *a = &s->absence[i];

		buf_printf(&p->page.line, "%s: ", a->host);
		if (a->never) {
			buf_add_str(&p->page.line, "never answered");
		} else {
			when_age(span, (double)a->missing_ns / 1e9);
			buf_printf(&p->page.line, "did not answer for %s, ", span);
			add_edge(p, a->from_ns);
			buf_add_str(&p->page.line, " to ");
			add_edge(p, a->to_ns);
		}
		if (a->n > 1 && !a->never)
			buf_printf(&p->page.line, " and %zu times more", a->n - 1);
		page_add(&p->page, i ? "" : "absent");
	}
	if (s->n_absence > shown) {
		buf_printf(&p->page.line, "and %zu hosts more",
		    s->n_absence - shown);
		page_add(&p->page, "");
	}
}

static void add_rows(struct survey_page *p)
{
	const struct survey *s = p->s;
	uint64_t processes = s->rows[ENTITY_PROCESS];
	size_t e, n = 0;

	for (e = 0; e < ENTITY_COUNT; e++) {
		if (s->rows_max[e] == 0)
			continue;
		buf_printf(&p->page.line, "%s%zu %s", n++ ? ", " : "",
		    s->rows_max[e], s->rows_max[e] == 1
		    ? entity_get((enum entity_id)e)->name
		    : entity_get((enum entity_id)e)->plural);
	}
	buf_add_str(&p->page.line, n > 0 ? " (most at a time)" : "none");
	page_add(&p->page, "rows");
	if (processes == 0)
		return;
	buf_printf(&p->page.line, "%.1f bytes per process and tick, %" PRIu64
	    " of these", (double)s->size_bytes / (double)processes,
	    processes);
	page_add(&p->page, "density");
}

/* Contents that a recording has or has not. */
static void add_content(struct survey_page *p)
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
	uint32_t content = p->s->content;
	const char *before = "";
	size_t i;

	buf_add_str(&p->page.line, content & CONTENT_ALL ? "all processes"
	                                            : "selected processes");
	for (i = 0; i < GS_LEN(parts); i++) {
		if (content & (uint32_t)parts[i].flag)
			buf_printf(&p->page.line, ", %s", parts[i].name);
	}
	page_add(&p->page, "content");
	for (i = 0; i < GS_LEN(parts); i++) {
		if (content & (uint32_t)parts[i].flag)
			continue;
		buf_printf(&p->page.line, "%s%s", before, parts[i].name);
		before = ", ";
	}
	if (*before)
		page_add(&p->page, "without");
}

/* Its clock was so far ahead of the first source's. */
static void add_clock(struct survey_page *p, int64_t ns)
{
	char span[WHEN_SPAN_MAX];

	if (ns == 0)
		return;
	when_span(span, ns < 0 ? -ns : ns);
	buf_printf(&p->page.line, ", its clock %s %s", span,
	    ns < 0 ? "behind" : "ahead");
}

/* How it was made from other recordings. */
static void add_editing(struct survey_page *p)
{
	const struct header *h = p->s->header;
	char span[WHEN_SPAN_MAX];
	size_t i, k;

	if (header_is_edited(h)) {
		buf_add_str(&p->page.line, h->edited);
		page_add(&p->page, "edited");
	}
	if (h->thinned_ns > 0) {
		when_span(span, h->thinned_ns);
		buf_printf(&p->page.line, "from ticks every %s", span);
		page_add(&p->page, "thinned");
	}
	for (i = 0; i < h->n_source; i++) {
		for (k = 0; k < RECORDING_ID_LEN; k++)
			buf_printf(&p->page.line, "%02x",
			    h->source[i].recording_id[k]);
		buf_add_str(&p->page.line, ", begun ");
		zone_add_date_time(p->zone, h->source[i].started_ns, 0,
		    &p->page.line);
		if (h->source[i].recorder_host[0])
			buf_printf(&p->page.line, " on %s",
			    h->source[i].recorder_host);
		add_clock(p, h->source[i].clock_ns);
		page_add(&p->page, i ? "" : "made of");
	}
}

static void add_origin(struct survey_page *p)
{
	const struct header *h = p->s->header;
	size_t i;

	buf_printf(&p->page.line, "gpsnap %s",
	    h->program_version ? h->program_version : "?");
	if (h->recorder_host && h->recorder_host[0])
		buf_printf(&p->page.line, " on %s", h->recorder_host);
	buf_printf(&p->page.line, ", format %" PRIu32, h->format_version);
	page_add(&p->page, "made by");
	if (h->options && h->options[0]) {
		buf_add_str(&p->page.line, h->options);
		page_add(&p->page, "command");
	}
	for (i = 0; i < RECORDING_ID_LEN; i++)
		buf_printf(&p->page.line, "%02x", h->recording_id[i]);
	if (p->s->first_number == h->file_number)
		buf_printf(&p->page.line, ", file %" PRIu32, h->file_number);
	else
		buf_printf(&p->page.line, ", files %" PRIu32 " to %" PRIu32,
		    p->s->first_number, h->file_number);
	page_add(&p->page, "recording");
	add_editing(p);
	for (i = 0; i < h->n_refused; i++) {
		buf_printf(&p->page.line, "%s: %s", h->refused[i].what,
		    h->refused[i].why);
		page_add(&p->page, i ? "" : "refused");
	}
	for (i = 0; i < h->n_unknown; i++)
		buf_printf(&p->page.line, "%s%s", i ? ", " : "", h->unknown[i]);
	if (h->n_unknown > 0)
		page_add(&p->page, "unknown");
}

void survey_page(const struct survey *s, const char *name,
	const struct zone *zone, size_t width, struct buf *to)
{
	struct survey_page p = { .s = s, .zone = zone, .page = { .to = to,
		.width = GS_MAX(width, WIDTH_FLOOR), .column = LABEL } };

	add_file(&p, name);
	add_time(&p);
	add_summaries(&p);
	add_gists(&p);
	add_kept_page(&p);
	add_hosts(&p);
	add_database(&p);
	add_holes(&p);
	add_damage(&p);
	add_absences(&p);
	add_rows(&p);
	if (s->header) {
		add_content(&p);
		add_origin(&p);
	}
	buf_release(&p.page.line);
}
