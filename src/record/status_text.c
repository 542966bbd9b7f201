/* SPDX-License-Identifier: Apache-2.0 */
#include "record/status_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/when.h"
#include "base/wrap.h"

#define LABEL ((size_t)12)
#define HOSTS_SHOWN 10
/* A tick this late is missing; no tick waits that long for answers. */
#define OVERDUE_NS (10 * GS_NSEC_PER_SEC)
#define HOUR_S 3600.0

struct status_page {
	const struct status_report *b;
	const struct zone *zone;
	struct page page;
};

static void add_age(struct buf *to, int64_t from_ns, int64_t to_ns)
{
	char age[WHEN_SPAN_MAX];

	when_age(age, (double)GS_MAX(to_ns - from_ns, 0) / 1e9);
	buf_add_str(to, age);
}

/* ---- what is wrong --------------------------------------------------- */

static void separate(struct buf *to, size_t n)
{
	if (n > 0)
		buf_add_str(to, "; ");
}

static int64_t interval_ns(const struct status_report *b)
{
	return (int64_t)(b->interval_seconds * 1e9 + 0.5);
}

/* Its answer is on the way, or the host is gone without notice. */
static bool is_silent(
    const struct status_report *b, const struct status_report_host *h)
{
	return strcmp(h->state, "late") == 0 && h->since_ns > 0 &&
	    b->now - h->since_ns > interval_ns(b) + OVERDUE_NS;
}

static uint64_t count_silent(const struct status_report *b)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < b->n_at; i++)
		n += is_silent(b, &b->at[i]);
	return n;
}

static uint64_t count_unasked(const struct status_report *b)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < b->n_server; i++)
		n += strcmp(b->server[i].state, "up") != 0;
	return n;
}

static void add_database(const struct status_report *b, struct buf *to)
{
	if (b->n_server > 1)
		buf_printf(to, "%" PRIu64 " of %zu database servers can't be "
		    "asked", count_unasked(b), b->n_server);
	else
		buf_add_str(to, "the database can't be asked");
}

size_t status_text_troubles(const struct status_report *b, struct buf *to)
{
	int64_t last_ns = b->last_tick ? b->last_tick : b->started;
	uint64_t silent = count_silent(b);
	size_t n = 0;

	if (b->now - last_ns > interval_ns(b) + OVERDUE_NS) {
		separate(to, n++);
		buf_add_str(to, b->last_tick ? "the last tick is "
		    : "no tick yet after ");
		add_age(to, last_ns, b->now);
		buf_add_str(to, b->last_tick ? " old" : "");
	}
	if (b->last_tick && b->hosts_up < b->hosts) {
		separate(to, n++);
		buf_printf(to, "%" PRIu64 " of %" PRIu64 " host%s not "
		    "recorded", b->hosts - b->hosts_up, b->hosts,
		    units_plural(b->hosts));
	}
	if (silent > 0) {
		separate(to, n++);
		buf_printf(to, "%" PRIu64 " host%s silent", silent,
		    units_plural(silent));
	}
	if (b->last_tick && b->database && strcmp(b->database, "down") == 0) {
		separate(to, n++);
		add_database(b, to);
	}
	if (b->ticks_losing > 0) {
		separate(to, n++);
		buf_printf(to, "nothing is written: %" PRIu64 " tick%s lost",
		    b->ticks_losing, units_plural(b->ticks_losing));
	}
	if (b->ticks_queued > 2) {
		separate(to, n++);
		buf_printf(to, "%" PRIu64 " ticks wait for the disk",
		    b->ticks_queued);
	}
	return n;
}

/* ---- the page -------------------------------------------------------- */

static void add_recorder(struct status_page *p)
{
	const struct status_report *b = p->b;

	buf_printf(&p->page.line, "pid %" PRIu64, b->pid);
	if (b->user)
		buf_printf(&p->page.line, " of %s", b->user);
	if (b->host)
		buf_printf(&p->page.line, " on %s", b->host);
	if (b->version)
		buf_printf(&p->page.line, ", gpsnap %s", b->version);
	page_add(&p->page, "recorder");
	if (status_text_troubles(b, &p->page.line) == 0)
		buf_add_str(&p->page.line, "records all that it should");
	page_add(&p->page, "state");
}

static void add_since(struct status_page *p)
{
	char span[WHEN_SPAN_MAX];

	zone_add_date_time(p->zone, p->b->started, 0, &p->page.line);
	buf_add_char(&p->page.line, ' ');
	zone_add_label(p->zone, &p->page.line);
	buf_add_str(&p->page.line, ", for ");
	add_age(&p->page.line, p->b->started, p->b->now);
	if (p->b->interval_seconds > 0) {
		when_span(span, interval_ns(p->b));
		buf_printf(&p->page.line, ", every %s", span);
	}
	page_add(&p->page, "since");
}

static void add_files(struct status_page *p)
{
	const struct status_report *b = p->b;
	double hours = (double)(b->last_tick - b->first_tick) / 1e9 / HOUR_S;

	buf_add_str(&p->page.line, b->file ? b->file : "the standard output");
	if (b->file) {
		buf_add_str(&p->page.line, ", ");
		units_add_bytes(&p->page.line, b->file_bytes);
	}
	page_add(&p->page, "file");
	buf_printf(&p->page.line, "%" PRIu64 " tick%s, ", b->ticks_written,
	    units_plural(b->ticks_written));
	units_add_bytes(&p->page.line, b->bytes);
	if (b->files > 1)
		buf_printf(&p->page.line, " in %" PRIu64 " files", b->files);
	/* Before that a single key weighs too much. */
	if (hours >= 1 / 60.0) {
		buf_add_str(&p->page.line, ", ");
		units_add_bytes(&p->page.line,
		    (uint64_t)((double)b->bytes / hours));
		buf_add_str(&p->page.line, " an hour");
	}
	if (b->marks > 0)
		buf_printf(&p->page.line, ", %" PRIu64 " mark%s", b->marks,
		    units_plural(b->marks));
	page_add(&p->page, "written");
}

static void add_last(struct status_page *p)
{
	const struct status_report *b = p->b;

	if (b->last_tick == 0)
		return;
	zone_add_time(p->zone, b->last_tick, 0, &p->page.line);
	buf_add_str(&p->page.line, ", ");
	add_age(&p->page.line, b->last_tick, b->now);
	buf_printf(&p->page.line, " ago, of %" PRIu64 " processes, %" PRIu64
	    " of them quiet", b->processes, b->processes_quiet);
	page_add(&p->page, "last tick");
}

static void add_missing(struct status_page *p)
{
	const struct status_report *b = p->b;
	const struct {
		uint64_t n;
		const char *one, *many;
	} part[] = {
		{ b->ticks_late, "tick late", "ticks late" },
		{ b->ticks_skipped, "tick skipped", "ticks skipped" },
		{ b->ticks_lost, "tick not written", "ticks not written" },
		{ b->answers_missed, "answer too late for its tick",
		    "answers too late for their ticks" },
		{ b->connections_lost, "connection failed",
		    "connections failed" },
	};
	size_t i, n = 0;

	for (i = 0; i < GS_LEN(part); i++) {
		if (part[i].n > 0)
			buf_printf(&p->page.line, "%s%" PRIu64 " %s",
			    n++ ? ", " : "", part[i].n,
			    part[i].n == 1 ? part[i].one : part[i].many);
	}
	if (n == 0)
		buf_add_str(&p->page.line, "nothing so far");
	page_add(&p->page, "missing");
}

static bool is_plainly_up(const struct status_report_host *h)
{
	return strcmp(h->state, "up") == 0;
}

static void add_state(struct status_page *p,
	const struct status_report_host *h)
{
	struct buf *line = &p->page.line;

	buf_add_str(line, h->state);
	if (h->since_ns && (strcmp(h->state, "down") == 0 ||
	    strcmp(h->state, "late") == 0)) {
		buf_add_str(line, " for ");
		add_age(line, h->since_ns, p->b->now);
	}
	if (h->why)
		buf_printf(line, ": %s", h->why);
}

/* Those that answer are only counted. */
static void add_hosts(struct status_page *p)
{
	const struct status_report *b = p->b;
	size_t i, shown = 0, hidden = 0;

	if (b->n_at == 1 && is_plainly_up(&b->at[0]))
		buf_printf(&p->page.line, "%s, up", b->at[0].name);
	else
		buf_printf(&p->page.line, "%" PRIu64 " of %" PRIu64 " up",
		    b->hosts_up, b->hosts);
	page_add(&p->page, b->n_at == 1 ? "host" : "hosts");
	for (i = 0; i < b->n_at; i++) {
		const struct status_report_host *h = &b->at[i];

		if (is_plainly_up(h))
			continue;
		if (shown == HOSTS_SHOWN) {
			hidden++;
			continue;
		}
		shown++;
		buf_printf(&p->page.line, "%s ", h->name);
		add_state(p, h);
		page_add(&p->page, "");
	}
	if (hidden > 0) {
		buf_printf(&p->page.line, "and %zu more", hidden);
		page_add(&p->page, "");
	}
}

/* A line for each server that is asked; an older recorder has one word for
 * all. */
static void add_servers(struct status_page *p)
{
	const struct status_report *b = p->b;
	size_t i;

	if (!b->database || strcmp(b->database, "none") == 0)
		return;
	if (b->n_server == 0) {
		buf_add_str(&p->page.line, b->database);
		page_add(&p->page, "database");
	}
	for (i = 0; i < b->n_server; i++) {
		if (b->n_server > 1)
			buf_printf(&p->page.line, "%s ", b->server[i].name);
		add_state(p, &b->server[i]);
		page_add(&p->page, i > 0 ? "" : b->n_server > 1 ? "databases"
		                                    : "database");
	}
}

static void add_overhead(struct status_page *p)
{
	const struct status_report *b = p->b;

	buf_printf(&p->page.line, "recorder %.2f%% of one CPU, ", b->cpu_percent);
	units_add_bytes(&p->page.line, b->rss_bytes);
	if (b->agents > 0) {
		buf_printf(&p->page.line, "; %" PRIu64 " agent%s %.2f%%, ",
		    b->agents, units_plural(b->agents), b->agents_cpu_percent);
		units_add_bytes(&p->page.line, b->agents_rss_bytes);
	}
	page_add(&p->page, "overhead");
}

static void add_watch(struct status_page *p,
	const struct status_report_watch *w)
{
	struct buf *line = &p->page.line;

	utf8_add_safe(line, w->name, strlen(w->name));
	if (w->times == 0) {
		buf_add_str(line, ": never held");
		return;
	}
	buf_add_str(line, w->held > 0 ? ": holds for " : ": over for ");
	add_age(line, w->since_ns, p->b->now);
	buf_printf(line, ", %" PRIu64 " time%s", w->times,
	    units_plural(w->times));
	if (w->runs + w->not_run == 0)
		return;
	buf_printf(line, ", its command ran %" PRIu64 " time%s", w->runs,
	    units_plural(w->runs));
	if (w->failed > 0)
		buf_printf(line, ", failed %" PRIu64, w->failed);
	if (w->not_run > 0)
		buf_printf(line, ", was left out %" PRIu64 " as too often",
		    w->not_run);
}

static void add_watches(struct status_page *p)
{
	const struct status_report *b = p->b;
	size_t i;

	for (i = 0; i < b->n_watch; i++) {
		add_watch(p, &b->watch[i]);
		page_add(&p->page, i > 0 ? "" : "watched");
	}
	if (b->n_watch == 0)
		return;
	if (b->kept_seconds > 0) {
		buf_printf(&p->page.line, "%" PRIu64 " tick%s in memory, ",
		    b->kept_ticks, units_plural(b->kept_ticks));
		units_add_bytes(&p->page.line, b->kept_bytes);
		if (b->kept_dropped > 0)
			buf_printf(&p->page.line, ", %" PRIu64 " dropped for "
			    "lack of it", b->kept_dropped);
		page_add(&p->page, "");
	}
	if (b->fast_until > 0) {
		buf_printf(&p->page.line, "sampled every %g s for ",
		    b->interval_seconds);
		add_age(&p->page.line, b->now, b->fast_until);
		page_add(&p->page, "");
	}
	buf_printf(&p->page.line, "%" PRIu64 " tick%s judged, %" PRIu64
	    " dropped, %.2f s of CPU, ", b->watch_ticks,
	    units_plural(b->watch_ticks), b->watch_dropped,
	    b->watch_cpu_seconds);
	units_add_bytes(&p->page.line, b->watch_bytes);
	page_add(&p->page, "");
}

static void add_error(struct status_page *p)
{
	const struct status_report *b = p->b;

	if (!b->last_error)
		return;
	zone_add_date_time(p->zone, b->last_error_time, 0, &p->page.line);
	buf_printf(&p->page.line, " %s", b->last_error);
	page_add(&p->page, "last error");
}

void status_text(const struct status_report *b, const struct zone *zone,
	size_t width, struct buf *to)
{
	struct status_page p = { .b = b, .zone = zone, .page = { .to = to,
		.width = width, .column = LABEL } };

	add_recorder(&p);
	add_since(&p);
	if (b->directory) {
		buf_add_str(&p.page.line, b->directory);
		page_add(&p.page, "directory");
	}
	add_files(&p);
	add_last(&p);
	add_hosts(&p);
	add_servers(&p);
	add_watches(&p);
	add_missing(&p);
	add_overhead(&p);
	add_error(&p);
	buf_release(&p.page.line);
}

void status_text_line(const struct status_report *b, const struct zone *zone,
	struct buf *to)
{
	struct buf safe = BUF_INIT;
	const char *where = b->directory ? b->directory : b->file;

	buf_printf(to, "%-8" PRIu64 " %-11s ", b->pid,
	    b->user ? b->user : "-");
	zone_add_date_time(zone, b->started, 0, to);
	buf_printf(to, "  %4" PRIu64 " of %-4" PRIu64 " ", b->hosts_up,
	    b->hosts);
	where = where ? where : "the standard output";
	utf8_add_safe(&safe, where, strlen(where));
	buf_printf(to, "%s\n", buf_str(&safe));
	buf_release(&safe);
}
