/* SPDX-License-Identifier: Apache-2.0 */
#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/compiler.h"

int io_write_all(int fd, const char *p, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

int io_check_descriptors(unsigned n, struct gs_err *err)
{
	int fd[IO_DESCRIPTORS_MAX], e = 0;
	unsigned i;

	n = GS_MIN(n, IO_DESCRIPTORS_MAX);
	for (i = 0; i < n; i++) {
		fd[i] = open("/dev/null", O_RDONLY | O_CLOEXEC);
		if (fd[i] < 0)
			break;
	}
	if (i < n)
		e = errno;
	while (i > 0)
		(void)close(fd[--i]); /* nothing was written to it */
	if (e != EMFILE && e != ENFILE)
		return GS_OK; /* or there is no /dev/null */
	return gs_fail_errno(err, e, "%u file descriptors are needed (ulimit "
	    "-n)", n);
}
