/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool state_dir(struct buf *to)
{
	const char *xdg = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (xdg && *xdg == '/')
		buf_printf(to, "%s/gpsnap", xdg);
	else if (home && *home == '/')
		buf_printf(to, "%s/.local/state/gpsnap", home);
	else
		return false;
	return true;
}

bool state_make_dir(struct buf *to)
{
	struct buf part = BUF_INIT;
	struct stat st;
	const char *p;

	if (!state_dir(to))
		return false;
	for (p = buf_str(to); *p; p++) {
		buf_add_char(&part, *p);
		if (p[1] == '/' || p[1] == '\0')
			(void)mkdir(buf_str(&part), 0700); /* may exist */
	}
	buf_release(&part);
	return stat(buf_str(to), &st) == 0 && S_ISDIR(st.st_mode) &&
	    st.st_uid == geteuid() && access(buf_str(to), W_OK) == 0;
}
