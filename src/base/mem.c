#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gs_out_of_memory(void)
{
	static const char text[] = "gpsnap: out of memory\n";

	(void)fwrite(text, 1, sizeof(text) - 1, stderr); /* about to abort */
	abort();
}

void *gs_malloc(size_t len_bytes)
{
	void *p = malloc(len_bytes ? len_bytes : 1);

	if (!p)
		gs_out_of_memory();
	return p;
}

void *gs_calloc(size_t n, size_t len_bytes)
{
	void *p = calloc(n ? n : 1, len_bytes ? len_bytes : 1);

	if (!p)
		gs_out_of_memory();
	return p;
}

void *gs_realloc(void *p, size_t len_bytes)
{
	p = realloc(p, len_bytes ? len_bytes : 1);
	if (!p)
		gs_out_of_memory();
	return p;
}

char *gs_strndup(const char *s, size_t len_bytes)
{
	char *p = gs_malloc(len_bytes + 1);

	if (len_bytes) /* s may be NULL: an empty span */
		memcpy(p, s, len_bytes);
	p[len_bytes] = '\0';
	return p;
}

char *gs_strdup(const char *s)
{
	return gs_strndup(s, strlen(s));
}

void *gs_grow(void *p, size_t *cap, size_t want, size_t len_bytes)
{
	size_t n = *cap;

	if (want <= n)
		return p;
	if (want > (size_t)-1 / 2 / len_bytes)
		gs_out_of_memory();
	n = n < 8 ? 8 : n;
	while (n < want)
		n += n / 2;
	p = gs_realloc(p, n * len_bytes);
	*cap = n;
	return p;
}
