/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metrics_server.h - --metrics [ADDR]:PORT of a command that records: what the
 * recorder sees, for Prometheus, in a thread of its own.
 */
#ifndef GS_CLI_METRICS_SERVER_H
#define GS_CLI_METRICS_SERVER_H

#include "record/recorder.h"
#include "web/server.h"

#define METRICS_OPTION(T, MEMBER) \
	{ OPT_TEXT, 0, "metrics", "[ADDR]:PORT", \
	    "serve /metrics there for Prometheus; without ADDR to this host " \
	    "only", .offset = OPT_AT(T, MEMBER) }

struct metrics_server {
	struct exporter *exporter; /* NULL: none was asked for */
	struct server *server; /* may be another's */
	char address[64];
	uint16_t port;
};

/* "[ADDR]:PORT".  GS_E_USAGE. */
int metrics_parse(const char *text, struct metrics_server *to,
	struct gs_err *err);

/* Listens, and serves until it is closed; the recorder's ticks must have their
 * blocks (lean is false then).  text NULL: nothing.  GS_E_USAGE and others. */
int metrics_server_open(struct metrics_server *m, const char *text,
	struct recorder_options *ro, struct gs_err *err);
void metrics_server_close(struct metrics_server *m);

/* For a recorder's functions of these names. */
void metrics_server_tick(struct metrics_server *m, const struct tick *t,
	const struct recorder_status *s);
void metrics_server_repeat(struct metrics_server *m, const struct tick *t);

#endif
