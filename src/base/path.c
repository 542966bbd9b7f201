/* SPDX-License-Identifier: Apache-2.0 */
#include "base/path.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"

char *path_directory(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return gs_strdup(".");
	return slash == path ? gs_strdup("/")
	                     : gs_strndup(path, (size_t)(slash - path));
}

bool path_is_same(const char *a, const char *b)
{
	struct stat x, y;

	return strcmp(a, b) == 0 || (stat(a, &x) == 0 && stat(b, &y) == 0 &&
	    x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

int path_check_directory(const char *path, struct gs_err *err)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return gs_fail_errno(err, errno, "%s", path);
	return S_ISDIR(st.st_mode) ? GS_OK
	    : gs_fail(err, GS_E_USAGE, "%s: is no directory", path);
}

int path_make_directory(const char *path, struct gs_err *err)
{
	if (mkdir(path, 0750) == 0 || errno == EEXIST)
		return path_check_directory(path, err);
	return gs_fail_errno(err, errno, "%s", path);
}
