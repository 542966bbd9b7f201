/* SPDX-License-Identifier: Apache-2.0 */
/*
 * server.h - a server with a page, metrics or both, in the caller's thread or
 * in one of its own.
 */
#ifndef GS_WEB_SERVER_H
#define GS_WEB_SERVER_H

#include "web/exporter.h"
#include "web/site.h"

struct server_options {
	const char *address;
	uint16_t port; /* 0: any */
	const char *cert, *key, *login; /* as in http_options */
	const struct site_options *site; /* NULL: no page */
	struct exporter *exporter; /* not owned; NULL: no metrics */
};

struct server;

/* All of o but itself must outlive it.  Errors are those of http_open(); *ret is
 * set on success only. */
int server_open(const struct server_options *o, struct server **ret,
	struct gs_err *err);
uint16_t server_port(const struct server *s);
void server_close(struct server *s);

/* Until server_stop(), which a signal's handler may call, or here: */
void server_run(struct server *s);
void server_stop(struct server *s);

/* In a thread of its own, which no signal reaches; server_close() ends it. */
int server_start(struct server *s, struct gs_err *err);

/* There is something new for the exporter. */
void server_wake(struct server *s);

/* True for an address of this host alone. */
bool server_is_local(const char *address);

#endif
