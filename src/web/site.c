/* SPDX-License-Identifier: Apache-2.0 */
#include "web/site.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "render/jsonout.h"
#include "report/page_html.h"
#include "view/view.h"
#include "web/asks.h"
#include "web/growth.h"
#include "web/job.h"
#include "web/keep.h"
#include "web/secret.h"

#define JSON "application/json"

/* A request that a command answers. */
struct asked {
	struct http_request *q; /* NULL: free */
	const struct asks_row *row;
	struct asks_line line;
	bool runs;
	bool sent; /* its answer is on the way: memory, until it is taken */
	uint64_t number; /* in order of arrival */
	struct job job;
	struct buf key; /* its answer is kept under this; empty: it is not */
	struct growth of; /* of the recording, before it was read */
};

struct site {
	struct site_options o;
	struct asked asked[SITE_JOBS_MAX + SITE_WAITING_MAX];
	uint64_t number;
	struct buf page;
	struct keep keep;
};

/* ---- who may ask ------------------------------------------------------- */

/* Any port, as another one may lead here: ssh -L. */
static bool is_port(const char *p)
{
	return *p == '\0' ||
	    (*p == ':' && p[1 + strspn(p + 1, "0123456789")] == '\0');
}

static bool is_loopback(const char *host)
{
	static const char *const names[] = { "localhost", "[::1]" };
	size_t i, len = strspn(host, "0123456789.");

	if (strncmp(host, "127.", 4) == 0 && is_port(host + len))
		return true;
	for (i = 0; i < GS_LEN(names); i++) {
		len = strlen(names[i]);
		if (strncmp(host, names[i], len) == 0 && is_port(host + len))
			return true;
	}
	return false;
}

static bool is_own_origin(const struct http_request *q, const char *scheme)
{
	size_t len = strlen(scheme);

	return strncmp(q->origin, scheme, len) == 0 &&
	    strncmp(q->origin + len, "://", 3) == 0 &&
	    strcmp(q->origin + len + 3, q->host) == 0;
}

bool site_may(const struct http_request *q, const char *scheme,
	bool any_host)
{
	if (!q->host || (!any_host && !is_loopback(q->host)))
		return false;
	if (q->origin && !is_own_origin(q, scheme))
		return false;
	return !q->site || strcmp(q->site, "same-origin") == 0 ||
	    strcmp(q->site, "none") == 0;
}

/* ---- answers ----------------------------------------------------------- */

static void send_text(struct http_request *q, unsigned status,
	const struct buf *text, bool retry)
{
	http_send(q, &(struct http_answer) { .status = status, .type = JSON,
	    .retry = retry }, buf_str(text), text->len);
}

static void refuse(struct http_request *q, unsigned status, const char *text,
	bool retry)
{
	struct buf b = BUF_INIT;
	struct jsonout j;

	if (!jsonout_begin(&j, &b))
		gs_out_of_memory();
	jsonout_open_map(&j);
	jsonout_str(jsonout_name(&j, "error"), text);
	jsonout_close_map(&j);
	jsonout_end(&j);
	send_text(q, status, &b, retry);
	buf_release(&b);
}

void site_refuse(struct http_request *q, unsigned status, const char *text)
{
	refuse(q, status, text, false);
}

static void send_state(struct site *s, struct http_request *q)
{
	struct growth g = growth_of(s->o.path, s->o.n_path);
	struct buf b = BUF_INIT;
	struct jsonout j;

	if (!jsonout_begin(&j, &b))
		gs_out_of_memory();
	jsonout_open_map(&j);
	jsonout_int(jsonout_name(&j, "files"), (int64_t)g.files);
	jsonout_int(jsonout_name(&j, "bytes"), (int64_t)g.bytes);
	jsonout_int(jsonout_name(&j, "changed"), g.changed_ns / 1000000);
	jsonout_close_map(&j);
	jsonout_end(&j);
	send_text(q, 200, &b, false);
	buf_release(&b);
}

static void send_views(struct http_request *q)
{
	struct buf b = BUF_INIT;
	struct jsonout j;
	const char *name;
	size_t i;

	if (!jsonout_begin(&j, &b))
		gs_out_of_memory();
	jsonout_open_list(&j);
	for (i = 0; (name = view_at(i)) != NULL; i++) {
		jsonout_open_map(&j);
		jsonout_str(jsonout_name(&j, "name"), name);
		jsonout_str(jsonout_name(&j, "help"),
		    view_help(view_find(name)));
		jsonout_close_map(&j);
	}
	jsonout_close_list(&j);
	jsonout_end(&j);
	send_text(q, 200, &b, false);
	buf_release(&b);
}

static void send_page(struct site *s, struct http_request *q)
{
	struct buf policy = BUF_INIT;

	page_add_policy(&policy, true);
	buf_add_str(&policy, "; frame-ancestors 'none'");
	http_send(q, &(struct http_answer) { .status = 200,
	    .type = "text/html; charset=utf-8", .policy = buf_str(&policy) },
	    buf_str(&s->page), s->page.len);
	buf_release(&policy);
}

/* ---- commands ---------------------------------------------------------- */

static void forget(struct asked *a)
{
	if (a->runs)
		job_release(&a->job);
	asks_release(&a->line);
	buf_release(&a->key);
	*a = (struct asked) { .q = NULL };
}

static void end_job(struct asked *a)
{
	job_release(&a->job);
	a->runs = false;
	a->sent = true;
}

static size_t running(const struct site *s)
{
	size_t i, n = 0;

	for (i = 0; i < GS_LEN(s->asked); i++)
		n += s->asked[i].runs;
	return n;
}

static struct asked *next_waiting(struct site *s)
{
	struct asked *next = NULL;
	size_t i;

	for (i = 0; i < GS_LEN(s->asked); i++) {
		struct asked *a = &s->asked[i];

		if (a->q && !a->runs && !a->sent && (!next || a->number < next->number))
			next = a;
	}
	return next;
}

static void start_next(struct site *s)
{
	struct asked *a;
	struct gs_err err;

	while (running(s) < SITE_JOBS_MAX && (a = next_waiting(s)) != NULL) {
		if (job_start(&a->job, a->line.word, s->o.time_ms, &err) < 0) {
			refuse(a->q, 503, err.msg, true);
			a->sent = true;
			continue;
		}
		a->runs = true;
	}
}

static void send_file(struct asked *a, int fd, uint64_t len)
{
	http_send_file(a->q, &(struct http_answer) { .status = 200,
	    .type = a->row->type }, fd, len);
}

static void send_output(struct site *s, struct asked *a)
{
	uint64_t len;
	int fd = job_take(&a->job, &len);

	if (a->key.len > 0)
		keep_put(&s->keep, &a->key, &a->of, fd, len);
	send_file(a, fd, len);
}

static void set_key(struct site *s, struct asked *a)
{
	size_t i;

	for (i = 0; i < a->line.n; i++)
		buf_add(&a->key, a->line.word[i],
		    strlen(a->line.word[i]) + 1);
	a->of = growth_of(s->o.path, s->o.n_path);
}

/* False: there is no such answer that is still true. */
static bool send_kept(struct site *s, struct asked *a)
{
	uint64_t len;
	int fd = a->key.len > 0 ? keep_get(&s->keep, &a->key, &a->of, &len)
	                        : -1;

	if (fd < 0)
		return false;
	send_file(a, fd, len);
	a->sent = true;
	return true;
}

static void send_late(const struct site *s, struct asked *a)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "took longer than %lld s, and was ended: a shorter range "
	    "takes less", (long long)(s->o.time_ms / 1000));
	refuse(a->q, 504, buf_str(&b), false);
	buf_release(&b);
}

static void step(struct site *s, struct asked *a)
{
	enum job_state is = job_step(&a->job);
	struct buf said = BUF_INIT;

	if (is == JOB_RUNS)
		return;
	job_add_said(&a->job, &said);
	if (said.len == 0)
		buf_add_str(&said, "the command that reads the recording "
		    "failed");
	switch (is) {
	case JOB_DONE:
		send_output(s, a);
		break;
	case JOB_LATE:
		send_late(s, a);
		break;
	case JOB_LARGE:
		refuse(a->q, 507, "the answer is larger than 64 MiB: a "
		    "shorter range, fewer columns or a limit make it smaller",
		    false);
		break;
	case JOB_REFUSED:
		refuse(a->q, 400, buf_str(&said), false);
		break;
	case JOB_FAILED:
	case JOB_RUNS:
		refuse(a->q, 422, buf_str(&said), false);
		break;
	}
	buf_release(&said);
	end_job(a);
}

static void ask(struct site *s, struct http_request *q,
	const struct asks_row *row, const struct target *t)
{
	const struct asks_of of = { s->o.path, s->o.n_path, s->o.title,
		s->o.memory };
	struct asked *a = NULL;
	struct gs_err err;
	size_t i;

	for (i = 0; i < GS_LEN(s->asked) && !a; i++)
		a = s->asked[i].q ? NULL : &s->asked[i];
	if (!a) {
		refuse(q, 503, "too many requests at a time", true);
		return;
	}
	if (asks_line(row, t, &of, &a->line, &err) < 0) {
		site_refuse(q, 400, err.msg);
		return;
	}
	a->q = q;
	a->row = row;
	a->number = ++s->number;
	q->user = a;
	if (asks_keeps(row, t))
		set_key(s, a);
	if (!send_kept(s, a))
		start_next(s);
}

/* ---- requests ---------------------------------------------------------- */

/* The name below /TOKEN/; NULL: it is not below that. */
static const char *own_name(const struct site *s, char *path)
{
	char *slash = strchr(path + 1, '/');

	if (!slash)
		return NULL;
	*slash = '\0';
	return secret_is(path + 1, s->o.token) ? slash + 1 : NULL;
}

static void answer(struct site *s, struct http_request *q, struct target *t)
{
	const char *name = own_name(s, t->path);
	const struct asks_row *row = name ? asks_find(name) : NULL;

	if (!name)
		site_refuse(q, 403, "the address lacks the token that gpsnap "
		    "web printed");
	else if (row)
		ask(s, q, row, t);
	else if (t->n > 0)
		site_refuse(q, 400, "there are no parameters here");
	else if (strcmp(name, "") == 0)
		send_page(s, q);
	else if (strcmp(name, "state") == 0)
		send_state(s, q);
	else if (strcmp(name, "views") == 0)
		send_views(q);
	else
		site_refuse(q, 404, "there is no such path");
}

void site_serve(struct site *s, struct http_request *q)
{
	struct target t;
	struct gs_err err;

	if (!q->is_get || q->has_body) {
		site_refuse(q, 405, "only GET is answered");
		return;
	}
	if (!site_may(q, s->o.scheme, s->o.any_host)) {
		site_refuse(q, 403, "asked by another site's page, or under a "
		    "name that is not this host's");
		return;
	}
	if (target_parse(q->target, &t, &err) < 0) {
		site_refuse(q, 400, err.msg);
		return;
	}
	answer(s, q, &t);
	target_release(&t);
}

void site_over(struct site *s, void *user)
{
	struct asked *a = user;

	(void)s;
	forget(a);
}

/* A process that has closed its messages ends, or is up to something. */
#define ENDS_MS 2

size_t site_watch(struct site *s, struct pollfd p[HTTP_WATCH_MAX],
	int *timeout_ms)
{
	size_t i, n = 0;

	_Static_assert(SITE_JOBS_MAX < HTTP_WATCH_MAX, "each has one");
	for (i = 0; i < GS_LEN(s->asked); i++) {
		const struct asked *a = &s->asked[i];

		if (a->runs && a->job.said_fd >= 0)
			p[n++] = (struct pollfd) { .events = POLLIN,
				.fd = a->job.said_fd };
		else if (a->runs)
			*timeout_ms = GS_MIN(*timeout_ms, ENDS_MS);
	}
	return n;
}

void site_turn(struct site *s)
{
	size_t i;

	for (i = 0; i < GS_LEN(s->asked); i++) {
		if (s->asked[i].runs)
			step(s, &s->asked[i]);
	}
	start_next(s);
}

struct site *site_new(const struct site_options *o)
{
	struct site *s = gs_calloc(1, sizeof(*s));

	s->o = *o;
	page_served(o->title, &s->page);
	return s;
}

void site_free(struct site *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < GS_LEN(s->asked); i++)
		forget(&s->asked[i]);
	keep_release(&s->keep);
	buf_release(&s->page);
	free(s);
}
