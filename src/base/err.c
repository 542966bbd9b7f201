/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void format(struct gs_err *err, const char *fmt, va_list ap)
	GS_PRINTF(2, 0);

static void format(struct gs_err *err, const char *fmt, va_list ap)
{
	(void)vsnprintf(err->msg, sizeof(err->msg), fmt, ap); /* cut is fine */
}

int gs_fail(struct gs_err *err, enum gs_status status, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return status;
	err->status = status;
	va_start(ap, fmt);
	format(err, fmt, ap);
	va_end(ap);
	return status;
}

static enum gs_status from_errno(int errnum)
{
	switch (errnum) {
	case ENOENT:
	case ENOTDIR:
		return GS_E_NOTFOUND;
	case EEXIST:
		return GS_E_EXISTS;
	case EACCES:
	case EPERM:
		return GS_E_DENIED;
	case ENOSPC:
	case EDQUOT:
		return GS_E_NOSPACE;
	case EPIPE:
	case ESRCH:
		return GS_E_GONE;
	default:
		return GS_E_IO;
	}
}

int gs_fail_errno(struct gs_err *err, int errnum, const char *fmt, ...)
{
	enum gs_status status = from_errno(errnum);
	va_list ap;
	size_t len;

	if (!err)
		return status;
	err->status = status;
	va_start(ap, fmt);
	format(err, fmt, ap);
	va_end(ap);
	len = strlen(err->msg);
	(void)snprintf(err->msg + len, sizeof(err->msg) - len, ": %s",
	    strerror(errnum));
	return status;
}

void gs_err_prefix(struct gs_err *err, const char *fmt, ...)
{
	char old[GS_ERR_MSG_MAX];
	va_list ap;
	size_t len;

	if (!err)
		return;
	memcpy(old, err->msg, sizeof(old));
	va_start(ap, fmt);
	format(err, fmt, ap);
	va_end(ap);
	len = strlen(err->msg);
	if (snprintf(err->msg + len, sizeof(err->msg) - len, ": %s", old) < 0)
		err->msg[len] = '\0';
}

int gs_err_again(struct gs_err *err, const char *text)
{
	gs_err_prefix(err, "%s", text);
	if (err)
		err->status = GS_E_AGAIN;
	return GS_E_AGAIN;
}
