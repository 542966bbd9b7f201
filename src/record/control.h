/* SPDX-License-Identifier: Apache-2.0 */
/*
 * control.h - the control socket of a running recorder.
 *
 * A socket of the abstract namespace, @gpsnap/UID/RANDOM: it has no file, so
 * a recorder that was killed leaves nothing, any recording can have one, and
 * all recorders can be found in /proc/net/unix (ask.h).  One request, a line,
 * and one answer:
 *
 *	status          ok\n and lines (status_report.h)
 *	mark TEXT       ok\n, or error WHY\n
 *
 * Any user of the host can connect; the kernel tells who it is, and only the
 * recorder's own user and root are served.  At most CONTROL_CLIENTS are served
 * at a time, each for CONTROL_PATIENCE_MS, and one is accepted per round of
 * the loop: no tick waits for a client, whatever it does.
 */
#ifndef GS_RECORD_CONTROL_H
#define GS_RECORD_CONTROL_H

#include <sys/types.h>
#include <uv.h>

#include "base/buf.h"
#include "base/err.h"

#define CONTROL_NAME "gpsnap/" /* of a socket; UID "/" RANDOM follow */
#define CONTROL_MARK_MAX ((size_t)1000) /* bytes of a TEXT */
#define CONTROL_LINE_MAX ((size_t)1100) /* of a request */
#define CONTROL_CLIENTS 4
#define CONTROL_PATIENCE_MS 2000

struct control_ops {
	/* Appends the answer to "status". */
	void (*status)(void *arg, struct buf *to);
	/* Text comes from that user; err says why it was not taken. */
	int (*mark)(void *arg, uid_t uid, const char *text,
		struct gs_err *err);
	void *arg;
};

struct control;

/* Listens.  Fails where there are no such sockets: a recorder can run without
 * one. */
struct control *control_open(uv_loop_t *loop, const struct control_ops *ops,
	struct gs_err *err);

/* Closes its handles; run the loop until it has nothing left, then call
 * control_free().  NULL is allowed for both. */
void control_close(struct control *c);
void control_free(struct control *c);

#endif
