/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tempdir.h - a directory of a test's own, and its end.
 */
#ifndef TESTS_LIB_TEMPDIR_H
#define TESTS_LIB_TEMPDIR_H

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tempdir {
	char path[64];
};

static inline void tempdir_make(struct tempdir *t)
{
	(void)strcpy(t->path, "/tmp/gpsnap-test-XXXXXX");
	if (!mkdtemp(t->path))
		abort();
}

/* Path of a file in it, in one of a few buffers used in turn. */
static inline const char *tempdir_file(const struct tempdir *t,
	const char *name)
{
	static char buf[4][512];
	static unsigned i;
	char *p = buf[i++ % 4];

	(void)snprintf(p, sizeof(buf[0]), "%s/%s", t->path, name);
	return p;
}

/* Removes it with its files; it has no directories. */
static inline void tempdir_remove(const struct tempdir *t)
{
	DIR *d = opendir(t->path);
	struct dirent *e;

	while (d && (e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") != 0 &&
		    strcmp(e->d_name, "..") != 0)
			(void)unlinkat(dirfd(d), e->d_name, 0);
	}
	if (d)
		(void)closedir(d);
	(void)rmdir(t->path);
}

#endif
