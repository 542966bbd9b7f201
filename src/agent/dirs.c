/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/dirs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Offset in an entry of getdents64; see getdents(2). */
#define AT_RECLEN 16
#define AT_TYPE 18
#define AT_NAME 19

int dirs_open(struct dirs *d, const struct root *r, int at_fd,
	const char *path, int flags)
{
	d->n = d->at = 0;
	d->status = 0;
	d->fd = root_open(r, at_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC |
	    O_NONBLOCK | flags);
	return d->fd < 0 ? d->fd : 0;
}

const char *dirs_next(struct dirs *d, unsigned char *ret_type)
{
	for (;;) {
		const char *entry, *name;
		unsigned short len;

		if (d->at >= d->n) {
			d->n = syscall(SYS_getdents64, d->fd, d->buf,
			    sizeof(d->buf));
			d->at = 0;
			d->status = d->n < 0 ? -errno : 0;
			if (d->n <= 0)
				return NULL;
		}
		entry = d->buf + d->at;
		memcpy(&len, entry + AT_RECLEN, sizeof(len));
		d->at += len;
		name = entry + AT_NAME;
		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			continue;
		*ret_type = (unsigned char)entry[AT_TYPE];
		return name;
	}
}

void dirs_close(struct dirs *d)
{
	(void)close(d->fd); /* was only read */
}
