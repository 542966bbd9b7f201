/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/default_dir.h"

#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

const char *default_dir(struct buf *path)
{
	const char *home = getenv("HOME");
	const struct passwd *pw;

	if (!home || home[0] == '\0') {
		pw = getpwuid(getuid());
		home = pw ? pw->pw_dir : ".";
	}
	buf_printf(path, "%s/gpsnap/", home);
	return buf_str(path);
}
