/* SPDX-License-Identifier: Apache-2.0 */
#include "sysstat/spool.h"

#include <errno.h>
#include <unistd.h>

#include "base/tempfile.h"

void spool_release(struct spool *s)
{
	if (s->file)
		(void)fclose(s->file); /* nobody wants it any more */
	buf_release(&s->memory);
	*s = (struct spool) SPOOL_INIT;
}

static void fail(struct spool *s)
{
	s->error = errno ? errno : EIO;
}

/* NULL, and errno. */
static FILE *open_file(void)
{
	int fd = tempfile_open();

	if (fd >= 0)
		return fdopen(fd, "w+");
	errno = -fd;
	return NULL;
}

static void to_file(struct spool *s)
{
	errno = 0;
	if (!s->file)
		s->file = open_file();
	if (!s->file || fwrite(s->memory.ptr, 1, s->memory.len, s->file) !=
	    s->memory.len)
		fail(s);
	buf_reset(&s->memory);
}

void spool_add(struct spool *s, const char *p, size_t len)
{
	buf_add(&s->memory, p, len);
	if (s->memory.len >= SPOOL_MEMORY)
		to_file(s);
}

static bool flush_file(struct spool *s,
	bool (*write)(void *arg, const char *p, size_t len), void *arg)
{
	char bytes[1 << 16];
	bool wanted = true;
	size_t n;

	errno = 0;
	if (fflush(s->file) != 0 || fseek(s->file, 0, SEEK_SET) != 0) {
		fail(s);
		return false;
	}
	while (wanted && (n = fread(bytes, 1, sizeof(bytes), s->file)) > 0)
		wanted = write(arg, bytes, n);
	if (wanted && (ferror(s->file) || fseek(s->file, 0, SEEK_SET) != 0 ||
	    ftruncate(fileno(s->file), 0) != 0))
		fail(s);
	return wanted && !s->error;
}

bool spool_flush(struct spool *s,
	bool (*write)(void *arg, const char *p, size_t len), void *arg)
{
	bool ok = !s->error && (!s->file || flush_file(s, write, arg));

	if (ok && s->memory.len > 0)
		ok = write(arg, s->memory.ptr, s->memory.len);
	buf_reset(&s->memory);
	return ok;
}
