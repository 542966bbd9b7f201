/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http.h - an HTTP server in one thread, with limits: connections, bytes of a
 * request, time to send it, time to take the answer.
 *
 * libmicrohttpd parses and sends; this waits, limits, and hands each whole
 * request to a function, which answers at once or later.
 *
 * Use: http_open(), http_run() in any thread until http_stop(), http_close().
 */
#ifndef GS_WEB_HTTP_H
#define GS_WEB_HTTP_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* Connections at a time; the next ones wait until one is closed. */
#define HTTP_CONNECTIONS_MAX 64
/* Bytes of a request with all its headers. */
#define HTTP_REQUEST_MAX ((size_t)24 << 10)
/* A request must be complete within this time, also one that follows another on
 * its connection. */
#define HTTP_PATIENCE_MS 10000
/* While all connections are in use, one that has waited so long for its request
 * is closed. */
#define HTTP_HASTE_MS 1000
/* An answer must be taken within this time. */
#define HTTP_TAKE_MS 300000

#define HTTP_WATCH_MAX 32

struct http;

/* Valid until it is over. */
struct http_request {
	const char *target; /* as it was sent */
	/* Headers; NULL: none, or not one Host. */
	const char *host, *origin, *site, *accept;
	bool is_get; /* or HEAD; else anything */
	bool has_body;
	void *user; /* of who answers later */
};

struct http_answer {
	unsigned status;
	const char *type; /* of the content */
	const char *policy; /* Content-Security-Policy; NULL: nothing at all */
	bool retry; /* later */
};

struct http_options {
	const char *address; /* "127.0.0.1", "::1" */
	uint16_t port; /* 0: any that is free */
	const char *cert, *key; /* PEM texts; NULL: without TLS */
	const char *login; /* "USER:PASSWORD"; NULL: nobody is asked */
	/* Called for each request. */
	void (*serve)(void *ctx, struct http_request *q);
	/* The request with this user is over: its answer was taken, or nobody
	 * waits for it. */
	void (*over)(void *ctx, void *user);
	/* Descriptors that turn() waits for; returns their number, and may lower
	 * the time until the next turn.  NULL: none. */
	size_t (*watch)(void *ctx, struct pollfd p[HTTP_WATCH_MAX],
		int *timeout_ms);
	/* Called whenever something may have happened, and once a second. */
	void (*turn)(void *ctx);
	void *ctx;
};

/* Listens.  GS_E_BUSY and others: it can't. */
int http_open(const struct http_options *o, struct http **ret,
	struct gs_err *err);
uint16_t http_port(const struct http *h);
void http_run(struct http *h);
void http_close(struct http *h);

/* From any thread, or a signal's handler. */
void http_stop(struct http *h);
void http_wake(struct http *h);

/* The body is copied; or it is the whole of an open file, which is closed.
 * Nothing, if it has an answer already: nobody waited for this one. */
void http_send(struct http_request *q, const struct http_answer *a,
	const char *body, size_t len);
void http_send_file(struct http_request *q, const struct http_answer *a,
	int fd, uint64_t len);

#endif
