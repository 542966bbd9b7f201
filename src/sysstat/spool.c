#include "sysstat/spool.h"

#include <unistd.h>

void spool_release(struct spool *s)
{
	if (s->file)
		(void)fclose(s->file); /* nobody wants it any more */
	buf_release(&s->memory);
	*s = (struct spool) SPOOL_INIT;
}

static void to_file(struct spool *s)
{
	if (!s->file)
		s->file = tmpfile();
	if (!s->file || fwrite(s->memory.ptr, 1, s->memory.len, s->file) !=
	    s->memory.len)
		s->lost = true;
	buf_reset(&s->memory);
}

void spool_add(struct spool *s, const char *p, size_t len)
{
	buf_add(&s->memory, p, len);
	if (s->memory.len >= SPOOL_MEMORY)
		to_file(s);
}

static bool flush_file(FILE *f,
	bool (*write)(void *arg, const char *p, size_t len), void *arg)
{
	char bytes[1 << 16];
	size_t n;

	if (fflush(f) != 0 || fseek(f, 0, SEEK_SET) != 0)
		return false;
	while ((n = fread(bytes, 1, sizeof(bytes), f)) > 0) {
		if (!write(arg, bytes, n))
			return false;
	}
	return !ferror(f) && fseek(f, 0, SEEK_SET) == 0 &&
	    ftruncate(fileno(f), 0) == 0;
}

bool spool_flush(struct spool *s,
	bool (*write)(void *arg, const char *p, size_t len), void *arg)
{
	bool ok = !s->lost && (!s->file || flush_file(s->file, write, arg));

	if (ok && s->memory.len > 0)
		ok = write(arg, s->memory.ptr, s->memory.len);
	buf_reset(&s->memory);
	return ok;
}
