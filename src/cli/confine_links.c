/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/confine_links.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/console.h"
#include "replay/recfile.h"

static bool begins_as_recording(int fd)
{
	unsigned char b[4];
	uint32_t magic;

	if (pread(fd, b, sizeof(b), 0) != sizeof(b))
		return false;
	magic = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
	    (uint32_t)b[3] << 24;
	return magic == 0xFD2FB528u || (magic & ~0xFu) == 0x184D2A50u;
}

/* Why it is skipped; NULL: it is a recording.  It never waits for a pipe, and
 * never opens anything but a regular file. */
static const char *refusal(const char *path, uid_t owner, struct stat *ret)
{
	const char *why = NULL;
	int fd;

	if (stat(path, ret) == 0 && !S_ISREG(ret->st_mode))
		return "that is no file";
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, ret) < 0)
		why = "that can't be opened";
	else if (!S_ISREG(ret->st_mode))
		why = "that is no file";
	else if (ret->st_uid != geteuid() && ret->st_uid != owner)
		why = "that is neither yours nor of who owns the directory";
	else if (!begins_as_recording(fd))
		why = "that is no recording";
	if (fd >= 0)
		(void)close(fd); /* only read from */
	return why;
}

static void add_link(struct sandbox *s, const char *path, uid_t owner)
{
	char *to = realpath(path, NULL);
	const char *why;
	struct stat st;

	if (!to) /* dangling link: its reader reports it */
		return;
	why = refusal(to, owner, &st);
	if (why && sandbox_can_hold_files())
		cli_notice("%s leads to %s: %s; skipped: name it to read it",
		    path, to, why);
	else if (!why)
		sandbox_add_seen(s, to, &st, "a link leads there");
	free(to);
}

void confine_links(struct sandbox *s, const char *dir)
{
	struct buf path = BUF_INIT;
	struct stat here, st;
	struct dirent *e;
	DIR *d = opendir(dir);

	if (d && fstat(dirfd(d), &here) < 0) {
		(void)closedir(d); /* only read from */
		return;
	}
	while (d && (e = readdir(d)) != NULL) {
		if (!recfile_is_name(e->d_name))
			continue;
		recfile_path(dir, e->d_name, &path);
		if (lstat(buf_str(&path), &st) == 0 && S_ISLNK(st.st_mode))
			add_link(s, buf_str(&path), here.st_uid);
	}
	if (d)
		(void)closedir(d); /* only read from */
	buf_release(&path);
}
