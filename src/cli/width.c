/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/width.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/units.h"

#define WIDTH_DEFAULT 80
#define WIDTH_LIMIT 4096
#define WIDTH_LEAST ((size_t)20)

size_t width_of(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize ws;
	int64_t v;

	if (ioctl(fd, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 0)
		return ws.ws_col;
	if (columns && units_int(columns, 1, WIDTH_LIMIT, &v, NULL) == 0)
		return (size_t)v;
	return WIDTH_DEFAULT;
}

size_t width_of_errors(void)
{
	return isatty(STDERR_FILENO)
	    ? GS_MAX(width_of(STDERR_FILENO), WIDTH_LEAST) : 0;
}
