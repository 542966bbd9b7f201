/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deploy.h - copies an agent to another host and starts it.
 *
 * The remote command starts `sh`, so that nothing has to be quoted for the
 * login shell.  sh gets a script on its standard input that looks
 * for an agent of this very version and execs it.  If there is none it asks
 * for the program, which follows on the same connection, writes it to the
 * first directory that may hold programs, and execs it.  The agent
 * removes its file as soon as it runs, so no file is left however the
 * connection ends.
 *
 * Each line for us begins with DEPLOY_MARK; all before it is output of the
 * login shell, and is skipped.  Nothing is sent before it was asked for, so
 * that a program that reads ahead gets nothing.
 */
#ifndef GS_RECORD_DEPLOY_H
#define GS_RECORD_DEPLOY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/scan.h"

#define DEPLOY_MARK "#gpsnap# "
/* Maximum bytes before the agent's first output. */
#define DEPLOY_NOISE_MAX ((size_t)256 << 10)
/* Ends an agent that does not notice that its connection is gone; set it
 * longer if the interval is longer. */
#define DEPLOY_IDLE_S 600u

enum deploy_want {
	DEPLOY_AUTO, /* if there is none of this version */
	DEPLOY_ALWAYS,
	DEPLOY_NEVER
};

struct deploy {
	char *image; /* the agent program, owned */
	size_t len;
	char machine[65]; /* that it is built for */
	char *version; /* its output of --version */
	char *path; /* on the other side, tried first; or NULL */
	unsigned idle_s; /* it ends after so long without a request */
};

/* Reads the agent program of this host.  path: an agent on the other side that
 * is tried first, or NULL. */
int deploy_open(struct deploy *d, const char *agent, const char *version,
	const char *path, struct gs_err *err);
void deploy_release(struct deploy *d);

/* The agent for a machine as `uname -m` says it: this host's, or one that is
 * part of this program.  False: there is none. */
bool deploy_image(const struct deploy *d, struct span machine,
	const char **ret, size_t *ret_len);

/* Appends the script, a whole command for sh. */
void deploy_script(const struct deploy *d, enum deploy_want want,
	struct buf *to);

/* The state after the output of the other side so far. */
enum deploy_step {
	DEPLOY_WAIT, /* no marked line yet */
	DEPLOY_SEND, /* the image is wanted */
	DEPLOY_READY, /* an agent runs; its answers follow */
	DEPLOY_FAILED
};

/* Looks for the next marked line in the len bytes at p.  *ret_used: bytes up
 * to its end; *ret_noise: how many of them are before the mark. */
enum deploy_step deploy_parse(const struct deploy *d, const char *p,
	size_t len, size_t *ret_used, size_t *ret_noise, struct gs_err *err);

/* The machine in the marked line that asks for an image, among the len bytes
 * at p, up to that line's end. */
struct span deploy_machine(const char *p, size_t len);

#endif
