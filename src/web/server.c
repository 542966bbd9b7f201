/* SPDX-License-Identifier: Apache-2.0 */
#include "web/server.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct server {
	struct server_options o;
	struct http *http;
	struct site *site;
	pthread_t thread;
	bool started;
};

bool server_is_local(const char *address)
{
	return strncmp(address, "127.", 4) == 0 ||
	    strcmp(address, "::1") == 0;
}

/* ---- requests ---------------------------------------------------------- */

static bool is_metrics(const char *target)
{
	size_t len = strlen("/metrics");

	return strncmp(target, "/metrics", len) == 0 &&
	    (target[len] == '\0' || target[len] == '?');
}

/* Prometheus has no token: who may connect may read them, but no other site's
 * page in a browser of this host. */
static void serve_metrics(struct server *s, struct http_request *q)
{
	bool local = server_is_local(s->o.address);

	if (!q->is_get || q->has_body)
		site_refuse(q, 405, "only GET is answered");
	else if (!site_may(q, s->o.cert ? "https" : "http", !local))
		site_refuse(q, 403, "asked by another site's page, or under a "
		    "name that is not this host's");
	else
		exporter_serve(s->o.exporter, q);
}

static void serve(void *ctx, struct http_request *q)
{
	struct server *s = ctx;

	if (s->o.exporter && is_metrics(q->target))
		serve_metrics(s, q);
	else if (s->site)
		site_serve(s->site, q);
	else
		site_refuse(q, 404, "there is only /metrics");
}

static void over(void *ctx, void *user)
{
	struct server *s = ctx;

	if (s->site)
		site_over(s->site, user);
}

static size_t watch(void *ctx, struct pollfd p[HTTP_WATCH_MAX],
	int *timeout_ms)
{
	struct server *s = ctx;

	return s->site ? site_watch(s->site, p, timeout_ms) : 0;
}

static void turn(void *ctx)
{
	struct server *s = ctx;

	if (s->site)
		site_turn(s->site);
	if (s->o.exporter)
		exporter_turn(s->o.exporter);
}

/* ---- life -------------------------------------------------------------- */

int server_open(const struct server_options *o, struct server **ret,
	struct gs_err *err)
{
	struct server *s = gs_calloc(1, sizeof(*s));
	const struct http_options ho = { .address = o->address,
		.port = o->port, .cert = o->cert, .key = o->key,
		.login = o->login, .serve = serve, .over = over,
		.watch = watch, .turn = turn, .ctx = s };
	int r;

	s->o = *o;
	s->site = o->site ? site_new(o->site) : NULL;
	r = http_open(&ho, &s->http, err);
	if (r == GS_OK)
		*ret = s;
	else
		server_close(s);
	return r;
}

uint16_t server_port(const struct server *s)
{
	return http_port(s->http);
}

void server_run(struct server *s)
{
	http_run(s->http);
}

void server_stop(struct server *s)
{
	http_stop(s->http);
}

void server_wake(struct server *s)
{
	http_wake(s->http);
}

static void *run(void *ctx)
{
	server_run(ctx);
	return NULL;
}

int server_start(struct server *s, struct gs_err *err)
{
	sigset_t all, was;
	int r;

	(void)sigfillset(&all); /* valid arguments */
	(void)pthread_sigmask(SIG_SETMASK, &all, &was);
	r = pthread_create(&s->thread, NULL, run, s);
	(void)pthread_sigmask(SIG_SETMASK, &was, NULL);
	if (r != 0)
		return gs_fail_errno(err, r, "a thread");
	s->started = true;
	return GS_OK;
}

void server_close(struct server *s)
{
	if (!s)
		return;
	if (s->started) {
		server_stop(s);
		(void)pthread_join(s->thread, NULL); /* it is there */
	}
	http_close(s->http);
	site_free(s->site);
	free(s);
}
