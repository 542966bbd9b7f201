/* SPDX-License-Identifier: Apache-2.0 */
#include "record/status_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/scan.h"

const struct status_report_field status_report_fields[] = {
#define FIELD(kind, name)                                                  \
	{ #name, STATUS_REPORT_##kind, offsetof(struct status_report, name) },
	STATUS_REPORT_MAP(FIELD)
#undef FIELD
};

const size_t n_status_report_fields = GS_LEN(status_report_fields);

static void *field_of(
    struct status_report *b, const struct status_report_field *f)
{
	return (char *)b + f->offset;
}

static struct status_report_host host_of(const char *name, const char *state,
	int64_t since_ns, const char *why)
{
	return (struct status_report_host) { .name = gs_strdup(name),
		.state = gs_strdup(state), .since_ns = since_ns,
		.why = why ? gs_strdup(why) : NULL };
}

void status_report_add_host(struct status_report *b, const char *name,
	const char *state, int64_t since_ns, const char *why)
{
	GS_GROW(b->at, &b->at_cap, b->n_at + 1);
	b->at[b->n_at++] = host_of(name, state, since_ns, why);
}

void status_report_add_server(struct status_report *b, const char *name,
	const char *state, int64_t since_ns, const char *why)
{
	GS_GROW(b->server, &b->server_cap, b->n_server + 1);
	b->server[b->n_server++] = host_of(name, state, since_ns, why);
}

void status_report_add_watch(struct status_report *b,
	const struct status_report_watch *w)
{
	GS_GROW(b->watch, &b->watch_cap, b->n_watch + 1);
	b->watch[b->n_watch] = *w;
	b->watch[b->n_watch++].name = gs_strdup(w->name);
}

/* ---- writing --------------------------------------------------------- */

/* Replaces newlines and tabs by blanks. */
static void put_words(struct buf *to, const char *text)
{
	for (; *text; text++)
		buf_add_char(to, *text == '\n' || *text == '\t' ? ' '
		    : *text);
}

static void put_field(const struct status_report *b,
	const struct status_report_field *f, struct buf *to)
{
	const void *at = (const char *)b + f->offset;

	if (f->kind == STATUS_REPORT_WORDS && !*(char *const *)at)
		return;
	buf_printf(to, "%s ", f->name);
	switch (f->kind) {
	case STATUS_REPORT_NUMBER:
		buf_printf(to, "%" PRIu64, *(const uint64_t *)at);
		break;
	case STATUS_REPORT_TIME:
		buf_printf(to, "%" PRId64, *(const int64_t *)at);
		break;
	case STATUS_REPORT_REAL:
		buf_printf(to, "%.6f", *(const double *)at);
		break;
	case STATUS_REPORT_WORDS:
		put_words(to, *(char *const *)at);
		break;
	}
	buf_add_char(to, '\n');
}

static void put_hosts(const char *word, const struct status_report_host *h,
	size_t n, struct buf *to)
{
	size_t i;

	for (i = 0; i < n; i++) {
		buf_printf(to, "%s ", word);
		put_words(to, h[i].name);
		buf_printf(to, "\t%s\t%" PRId64 "\t", h[i].state,
		    h[i].since_ns);
		put_words(to, h[i].why ? h[i].why : "");
		buf_add_char(to, '\n');
	}
}

/* "watch NAME\tSINCE\tHELD\tTIMES\tRUNS\tFAILED\tNOT_RUN" */
static void put_watches(const struct status_report *b, struct buf *to)
{
	size_t i;

	for (i = 0; i < b->n_watch; i++) {
		const struct status_report_watch *w = &b->watch[i];

		buf_add_str(to, "watch ");
		put_words(to, w->name);
		buf_printf(to, "\t%" PRId64 "\t%" PRIu64 "\t%" PRIu64
		    "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
		    w->since_ns, w->held, w->times, w->runs, w->failed,
		    w->not_run);
	}
}

void status_report_put(const struct status_report *b, struct buf *to)
{
	size_t i;

	for (i = 0; i < n_status_report_fields; i++)
		put_field(b, &status_report_fields[i], to);
	put_hosts("at", b->at, b->n_at, to);
	put_hosts("server", b->server, b->n_server, to);
	put_watches(b, to);
}

/* ---- reading --------------------------------------------------------- */

static bool read_number(struct span s, uint64_t *ret)
{
	return scan_u64(&s, ret) && span_empty(s);
}

static bool read_time(struct span s, int64_t *ret)
{
	uint64_t v;

	if (!scan_s64(&s, &v) || !span_empty(s))
		return false;
	*ret = (int64_t)v;
	return true;
}

static bool read_real(struct span s, double *ret)
{
	char *text = gs_strndup(s.ptr, span_len(s));
	bool ok = units_real(text, ret, NULL) == 0;

	free(text);
	return ok;
}

static bool read_words(struct span s, char **to)
{
	free(*to);
	*to = gs_strndup(s.ptr, span_len(s));
	return true;
}

static bool read_field(struct status_report *b,
    const struct status_report_field *f, struct span value)
{
	void *at = field_of(b, f);

	switch (f->kind) {
	case STATUS_REPORT_NUMBER:
		return read_number(value, at);
	case STATUS_REPORT_TIME:
		return read_time(value, at);
	case STATUS_REPORT_REAL:
		return read_real(value, at);
	case STATUS_REPORT_WORDS:
		return read_words(value, at);
	}
	return false;
}

typedef void (*add_fn)(struct status_report *b, const char *name,
	const char *state, int64_t since_ns, const char *why);

/* "sdw1\tdown\t1700000000000000000\tConnection refused" */
static bool read_host(struct status_report *b, struct span s, add_fn add)
{
	struct span name, state, since;
	int64_t since_ns;
	char *word[3];
	size_t i;

	if (b->n_at >= STATUS_REPORT_HOSTS_MAX ||
	    b->n_server >= STATUS_REPORT_HOSTS_MAX ||
	    !scan_until(&s, '\t', &name) || !scan_until(&s, '\t', &state) ||
	    !scan_until(&s, '\t', &since) || !read_time(since, &since_ns))
		return false;
	word[0] = gs_strndup(name.ptr, span_len(name));
	word[1] = gs_strndup(state.ptr, span_len(state));
	word[2] = gs_strndup(s.ptr, span_len(s));
	add(b, word[0], word[1], since_ns,
	    word[2][0] != '\0' ? word[2] : NULL);
	for (i = 0; i < GS_LEN(word); i++)
		free(word[i]);
	return true;
}

static bool read_watch(struct status_report *b, struct span s)
{
	struct status_report_watch w = { .since_ns = 0 };
	uint64_t *const number[] = { &w.held, &w.times, &w.runs, &w.failed,
		&w.not_run };
	struct span name, word;
	size_t i;

	if (b->n_watch >= STATUS_REPORT_WATCHES_MAX ||
	    !scan_until(&s, '\t', &name) || !scan_until(&s, '\t', &word) ||
	    !read_time(word, &w.since_ns))
		return false;
	for (i = 0; i < GS_LEN(number); i++) {
		bool more = scan_until(&s, '\t', &word);

		if (!more && i + 1 < GS_LEN(number))
			return false;
		if (!more)
			word = s;
		if (!read_number(word, number[i]))
			return false;
	}
	w.name = gs_strndup(name.ptr, span_len(name));
	status_report_add_watch(b, &w);
	free(w.name);
	return true;
}

static bool read_line(struct status_report *b, struct span line)
{
	struct span name;
	size_t i;

	if (!scan_until(&line, ' ', &name))
		return false;
	if (span_eq(name, "at"))
		return read_host(b, line, status_report_add_host);
	if (span_eq(name, "watch"))
		return read_watch(b, line);
	if (span_eq(name, "server"))
		return read_host(b, line, status_report_add_server);
	for (i = 0; i < n_status_report_fields; i++) {
		if (span_eq(name, status_report_fields[i].name))
			return read_field(b, &status_report_fields[i], line);
	}
	return true; /* of a newer version */
}

int status_report_read(struct status_report *b, const char *text, size_t len,
	struct gs_err *err)
{
	struct span all = span_of(text, len), line;
	unsigned n = 0;

	*b = (struct status_report)STATUS_REPORT_INIT;
	while (scan_line(&all, &line)) {
		n++;
		if (read_line(b, line))
			continue;
		status_report_release(b);
		return gs_fail(err, GS_E_PROTOCOL,
		    "line %u of the recorder's answer is not as it should "
		    "be", n);
	}
	if (b->pid == 0) {
		status_report_release(b);
		return gs_fail(err, GS_E_PROTOCOL,
		    "the recorder's answer is empty");
	}
	return 0;
}

static void free_hosts(struct status_report_host *h, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		free(h[i].name);
		free(h[i].state);
		free(h[i].why);
	}
	free(h);
}

void status_report_release(struct status_report *b)
{
	size_t i;

	for (i = 0; i < n_status_report_fields; i++) {
		if (status_report_fields[i].kind == STATUS_REPORT_WORDS)
			free(*(char **)field_of(b, &status_report_fields[i]));
	}
	free_hosts(b->at, b->n_at);
	free_hosts(b->server, b->n_server);
	for (i = 0; i < b->n_watch; i++)
		free(b->watch[i].name);
	free(b->watch);
	*b = (struct status_report)STATUS_REPORT_INIT;
}
