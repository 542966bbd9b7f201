/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void (*end_here)(void);

void gs_on_exhausted(void (*fn)(void))
{
	end_here = fn;
}

static struct gs_undo *undo; /* added and dropped by one thread only */

void gs_undo_add(struct gs_undo *u)
{
	u->next = undo;
	undo = u;
}

void gs_undo_drop(struct gs_undo *u)
{
	struct gs_undo **at = &undo;

	while (*at && *at != u)
		at = &(*at)->next;
	if (*at)
		*at = u->next;
}

static atomic_flag ends = ATOMIC_FLAG_INIT;
static _Thread_local bool ends_here;

/* One thread ends the process; others wait for that. */
static void end_alone(void)
{
	if (ends_here || !atomic_flag_test_and_set(&ends)) {
		ends_here = true;
		return;
	}
	for (;;)
		(void)pause(); /* a signal changes nothing */
}

void gs_out_of_memory(void)
{
	static const char text[] = "gpsnap: out of memory\n";
	void (*fn)(void);

	end_alone();
	fn = end_here;
	end_here = NULL; /* it may run out of memory, too */
	for (; fn && undo; undo = undo->next)
		undo->fn(undo->arg);
	if (fn)
		fn();
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

void gs_give_back(void)
{
#ifdef __GLIBC__
	(void)malloc_trim(0); /* freeing nothing is fine */
#endif
}

char *gs_strdup(const char *s)
{
	return gs_strndup(s, strlen(s));
}

char gs_no_text[] = "";

void gs_free_text(char *text)
{
	if (text != gs_no_text)
		free(text);
}

void gs_set_text(char **to, struct span s)
{
	if (*to && span_eq(s, *to))
		return;
	gs_free_text(*to);
	*to = gs_strndup(s.ptr, span_len(s));
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
