/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/index_keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/newfile.h"
#include "replay/recfile.h"
#include "replay/survey_index.h"

#define STEP ((size_t)64 << 10)

struct index_keeper {
	int to; /* the bytes; -1: all of them were sent */
	int end; /* at its end the other process is done */
};

/* All bytes up to the end; false: too many, or they can't be read. */
static bool receive(int fd, struct buf *to)
{
	for (;;) {
		ssize_t n = read(fd, buf_reserve(to, STEP), STEP);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0;
		to->len += (size_t)n;
		if (to->len > SURVEY_INDEX_MAX)
			return false;
	}
}

static void write_index(const char *dir, const struct buf *all)
{
	struct buf path = BUF_INIT;
	struct newfile *f = NULL;
	struct gs_err err;

	recfile_path(dir, SURVEY_INDEX_NAME, &path);
	if (newfile_begin(buf_str(&path), true, 0640, &f, &err) == GS_OK &&
	    newfile_add(f, all->ptr, all->len, &err) == GS_OK)
		(void)newfile_finish(f, &err); /* the next one tries again */
	newfile_free(f);
	buf_release(&path);
}

/* Nothing of the other process's is used but the directory's name: also not its
 * terminal, which would stay open. */
static void serve(const char *dir, int from, int end)
{
	struct buf all = BUF_INIT;
	int fd, null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (fd = 0; null >= 0 && fd <= STDERR_FILENO; fd++)
		(void)dup2(null, fd); /* else they stay as they are */
	(void)signal(SIGINT, SIG_IGN); /* the pipe ends then */
	if (receive(from, &all) &&
	    survey_index_is_whole(all.ptr, all.len))
		write_index(dir, &all);
	(void)close(end); /* says that it is done */
	_exit(0);
}

/* Descriptors of other keepers would keep their pipes open. */
static void close_others(int from, int end)
{
	int fd;

	for (fd = STDERR_FILENO + 1; fd < 64; fd++) {
		if (fd != from && fd != end)
			(void)close(fd); /* it may not be open */
	}
}

static struct index_keeper *begin(const char *dir, const int to[2],
	const int end[2])
{
	struct index_keeper *k;
	pid_t pid = fork();

	if (pid < 0)
		return NULL;
	if (pid == 0) {
		close_others(to[0], end[1]);
		serve(dir, to[0], end[1]);
	}
	k = gs_calloc(1, sizeof(*k));
	k->to = to[1];
	k->end = end[0];
	(void)close(to[0]); /* the other process has them */
	(void)close(end[1]);
	return k;
}

struct index_keeper *index_keeper_begin(const char *dir)
{
	struct index_keeper *k;
	int to[2], end[2];

	if (access(dir, W_OK) < 0 || pipe2(to, O_CLOEXEC) < 0)
		return NULL;
	if (pipe2(end, O_CLOEXEC) < 0) {
		(void)close(to[0]); /* nothing was written */
		(void)close(to[1]);
		return NULL;
	}
	k = begin(dir, to, end);
	if (!k) {
		(void)close(to[0]); /* nothing was written */
		(void)close(to[1]);
		(void)close(end[0]);
		(void)close(end[1]);
	}
	return k;
}

static void end_bytes(struct index_keeper *k)
{
	if (k->to >= 0)
		(void)close(k->to); /* that is how it learns */
	k->to = -1;
}

void index_keeper_keep(struct index_keeper *k, const void *bytes, size_t len)
{
	if (!k || k->to < 0)
		return;
	(void)io_write_all(k->to, bytes, len); /* a part is not taken */
	end_bytes(k);
}

void index_keeper_end(struct index_keeper *k)
{
	char c;

	if (!k)
		return;
	end_bytes(k);
	while (read(k->end, &c, 1) < 0 && errno == EINTR)
		continue;
	(void)close(k->end); /* only waited on */
	free(k);
}
