/* SPDX-License-Identifier: Apache-2.0 */
/*
 * err.h - how errors are returned.
 *
 * A call that can fail for more than one reason returns 0 or a negative enum
 * gs_status.  Where it takes a struct gs_err, the message says what it was
 * doing, on which file or host, at which offset, what was expected and what
 * was found.  Libraries never print; a main prints the message once.
 *
 * gs_err may be NULL everywhere: then only the status is returned.
 */
#ifndef GS_BASE_ERR_H
#define GS_BASE_ERR_H

#include <stdarg.h>

#include "base/compiler.h"

#define GS_STATUS_MAP(X)                                                \
	X(-1, IO, "input/output error")                                 \
	X(-2, FORMAT, "not a gpsnap recording or damaged")              \
	X(-3, LIMIT, "larger than the limit")                           \
	X(-4, USAGE, "wrong usage")                                     \
	X(-5, NOTFOUND, "not found")                                    \
	X(-6, EXISTS, "exists already")                                 \
	X(-7, BUSY, "in use by another process")                        \
	X(-8, GONE, "ended")                                            \
	X(-9, DENIED, "permission denied")                              \
	X(-10, VERSION, "written by a newer gpsnap")                    \
	X(-11, PROTOCOL, "unexpected answer")                           \
	X(-12, NOSPACE, "no space left")                                \
	X(-13, MEMORY, "memory limit exceeded")                         \
	X(-14, AGAIN, "begin again")

enum gs_status {
	GS_OK = 0,
#define X(num, name, text) GS_E_##name = num,
	GS_STATUS_MAP(X)
#undef X
};

/* A message is cut, never overrun, at this many bytes. */
#define GS_ERR_MSG_MAX 2048

struct gs_err {
	enum gs_status status;
	char msg[GS_ERR_MSG_MAX];
};

/* Fills err (if any) with status and message; returns status. */
int gs_fail(struct gs_err *err, enum gs_status status, const char *fmt, ...)
	GS_PRINTF(3, 4);

/* As gs_fail(), with ": " and the text of errno value errnum appended; the
 * status follows errnum (ENOENT: NOTFOUND, ENOSPC: NOSPACE, ...). */
int gs_fail_errno(struct gs_err *err, int errnum, const char *fmt, ...)
	GS_PRINTF(3, 4);

/* The call can be made again in another way: the message that err holds gets
 * "text: " before it and stays the reason.  Returns GS_E_AGAIN. */
int gs_err_again(struct gs_err *err, const char *text);

/* Puts "text: " before the message that err holds. */
void gs_err_prefix(struct gs_err *err, const char *fmt, ...) GS_PRINTF(2, 3);

#endif
