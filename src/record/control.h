/* SPDX-License-Identifier: Apache-2.0 */
/*
 * control.h - what others may ask of a recorder while it runs.
 *
 * A socket of the abstract namespace, @gpsnap/UID/RANDOM: it has no file, so
 * that nothing is left behind by a recorder that was killed, any recording
 * can have one, and whoever looks for recorders finds them all in
 * /proc/net/unix (ask.h).  One request, a line, and one answer:
 *
 *	status          ok\n and lines (report.h)
 *	mark TEXT       ok\n, or error WHY\n
 *
 * Anybody on the host can connect; the kernel says who it is, and only the
 * recorder's own user and root are served.  So many are served at a time,
 * each for so long, and the next one is taken in only when the loop has been
 * round: whatever they do or leave undone, no tick waits for them.
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
	/* Text is what that user says; err tells why it was not taken. */
	int (*mark)(void *arg, uid_t uid, const char *text,
		struct gs_err *err);
	void *arg;
};

struct control;

/* Listens.  Fails where there are no such sockets: a recorder does without. */
struct control *control_open(uv_loop_t *loop, const struct control_ops *ops,
	struct gs_err *err);

/* Closes its handles; the loop must run until it has nothing left, then
 * control_free().  NULL is fine for both. */
void control_close(struct control *c);
void control_free(struct control *c);

#endif
