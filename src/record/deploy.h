/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deploy.h - how an agent gets to another host.
 *
 * The remote starts `sh`, and nothing that would have to be quoted for the
 * login shell on the way.  sh gets a script on its standard input that looks
 * for an agent of this very version and becomes it; if there is none it asks
 * for the program, which follows on the same connection, puts it into the
 * first directory that may hold programs, and becomes that.  The agent
 * removes its file as soon as it runs, so nothing stays behind however the
 * connection ends.
 *
 * What the other side says begins with DEPLOY_MARK on a line; all before it
 * is a greeting of the login shell, or worse, and is passed over.  Nothing is
 * sent before it was asked for, so that whoever reads ahead finds nothing.
 */
#ifndef GS_RECORD_DEPLOY_H
#define GS_RECORD_DEPLOY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define DEPLOY_MARK "#gpsnap# "
/* Bytes before the agent's first word. */
#define DEPLOY_NOISE_MAX ((size_t)256 << 10)
/* An agent whose connection is gone without its knowing: to be set longer
 * where ticks are rarer. */
#define DEPLOY_IDLE_S 600u

enum deploy_want {
	DEPLOY_AUTO, /* if there is none of this version */
	DEPLOY_ALWAYS,
	DEPLOY_NEVER
};

struct deploy {
	char *image; /* the agent program, owned */
	size_t len;
	char machine[65]; /* that it is for */
	char *version; /* what it says to --version */
	char *path; /* where to look first on the other side, or NULL */
	unsigned idle_s; /* without requests for so long, it ends */
};

/* Reads the agent program of this host.  path: an agent on the other side to
 * look for first, or NULL. */
int deploy_open(struct deploy *d, const char *agent, const char *version,
	const char *path, struct gs_err *err);
void deploy_release(struct deploy *d);

/* Appends the script, a whole command for sh. */
void deploy_script(const struct deploy *d, enum deploy_want want,
	struct buf *to);

/* What the other side said so far, without the lines that were taken. */
enum deploy_step {
	DEPLOY_WAIT, /* nothing that is for us yet */
	DEPLOY_SEND, /* the image is wanted */
	DEPLOY_READY, /* an agent runs, and what follows is its answers */
	DEPLOY_FAILED
};

/* Looks for the next marked line in the len bytes at p.  *ret_used: bytes up
 * to its end; *ret_noise: how many of them stand before the mark. */
enum deploy_step deploy_hear(const struct deploy *d, const char *p,
	size_t len, size_t *ret_used, size_t *ret_noise, struct gs_err *err);

#endif
