/* SPDX-License-Identifier: Apache-2.0 */
#include "base/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"

const char *tempfile_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

int tempfile_open(void)
{
	struct buf path = BUF_INIT;
	int fd;

	buf_printf(&path, "%s/gpsnap-XXXXXX", tempfile_dir());
	fd = mkostemp(path.ptr, O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	else
		(void)unlink(path.ptr); /* it exists as long as it is open */
	buf_release(&path);
	return fd;
}
