/* SPDX-License-Identifier: Apache-2.0 */
#include "base/path.h"

#include <string.h>

#include "base/mem.h"

char *path_directory(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return gs_strdup(".");
	return slash == path ? gs_strdup("/")
	                     : gs_strndup(path, (size_t)(slash - path));
}
