/* SPDX-License-Identifier: Apache-2.0 */
#include "record/runnable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

/* The search path of execvp() without PATH. */
#define PATH_DEFAULT "/bin:/usr/bin"

/* 0 or the errno value that running the file would give. */
static int try_file(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno;
	if (!S_ISREG(st.st_mode) || access(path, X_OK) < 0)
		return EACCES;
	return 0;
}

/* ENOENT only if no directory has it. */
static int search(const char *name, const char *path)
{
	struct buf full = BUF_INIT;
	int found = ENOENT;

	for (;;) {
		size_t len = strcspn(path, ":");
		int e;

		buf_reset(&full);
		buf_add(&full, path, len);
		buf_printf(&full, "%s%s", len > 0 ? "/" : "./", name);
		e = try_file(buf_str(&full));
		if (e == 0 || e == EACCES)
			found = e;
		if (e == 0 || path[len] == '\0')
			break;
		path += len + 1;
	}
	buf_release(&full);
	return found;
}

int runnable_check(const char *name, struct gs_err *err)
{
	const char *path = getenv("PATH");
	int e;

	if (name[0] == '\0')
		e = ENOENT;
	else if (strchr(name, '/'))
		e = try_file(name);
	else
		e = search(name, path ? path : PATH_DEFAULT);
	if (e == 0)
		return 0;
	(void)gs_fail_errno(err, e, "%s", name); /* for its text */
	return e == ENOENT || e == ENOTDIR ? RUNNABLE_NOT_FOUND
	                                   : RUNNABLE_NOT;
}
