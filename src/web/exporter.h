/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exporter.h - /metrics: what a recorder sees, for Prometheus.
 *
 * The recorder hands over each tick and goes on at once: it is copied into a
 * queue, and what does not find room is left out, as a hole.  Another thread
 * takes ticks out, and answers.  The text is made when it is asked for, at most
 * once for a tick.
 */
#ifndef GS_WEB_EXPORTER_H
#define GS_WEB_EXPORTER_H

#include <stdbool.h>

#include "model/tick.h"
#include "web/http.h"

/* Ticks in the queue. */
#define EXPORTER_QUEUE 4

/* Memory for what is known of hosts and sessions. */
#define EXPORTER_MEMORY ((size_t)512 << 20)

/* Of the recorder. */
struct exporter_counts {
	uint64_t ticks, written, lost, skipped, late, downs, bytes;
	uint64_t hosts, hosts_up, processes;
	int64_t wall_ns; /* of the newest tick */
};

struct exporter;

struct exporter *exporter_new(int64_t interval_ns, const char *version);
void exporter_free(struct exporter *x);

/* From the recorder's thread.  again: the newest tick repeated as a key; without
 * counts. */
void exporter_push(struct exporter *x, const struct tick *t, bool again,
	const struct exporter_counts *c);

/* From the other one. */
void exporter_turn(struct exporter *x);
void exporter_serve(struct exporter *x, struct http_request *q);

/* The text of the newest tick; NULL: there is none, err says why. */
const struct buf *exporter_text(struct exporter *x, bool openmetrics,
	struct gs_err *err);

#endif
