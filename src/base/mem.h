/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mem.h - allocation that does not fail.
 *
 * These abort when memory is exhausted.  A size that came from input must have
 * been checked against a named limit before.
 */
#ifndef GS_BASE_MEM_H
#define GS_BASE_MEM_H

#include <stddef.h>

#include "base/compiler.h"
#include "base/scan.h"

/* Calls the function that was last given to gs_on_exhausted(), which does not
 * return.  Without one, or if it returns, prints a message and aborts. */
void gs_out_of_memory(void) GS_NORETURN;

/* What is undone, newest first, before the process ends for lack of memory: a
 * half-written file is removed.  fn must not allocate. */
struct gs_undo {
	void (*fn)(void *arg);
	void *arg;
	struct gs_undo *next;
};

void gs_undo_add(struct gs_undo *u); /* u: not owned */
void gs_undo_drop(struct gs_undo *u); /* nothing if it was not added */

/* For a main that has set itself a memory limit: fn ends the process.  Almost
 * nothing can be allocated any more when fn is called. */
void gs_on_exhausted(void (*fn)(void));

void *gs_malloc(size_t len_bytes);
void *gs_calloc(size_t n, size_t len_bytes);
void *gs_realloc(void *p, size_t len_bytes);
char *gs_strdup(const char *s);
char *gs_strndup(const char *s, size_t len_bytes);

/* Gives freed memory back to the system, where the C library can. */
void gs_give_back(void);

/* The text with which many fields begin, and which most of them keep: "", which is
 * never freed.  Who uses it sets the field with gs_set_text(), and frees it with
 * gs_free_text(). */
extern char gs_no_text[];
void gs_free_text(char *text);

/* Replaces *to, which may be NULL, by a copy of s, if it differs. */
void gs_set_text(char **to, struct span s);

/* Grows an array so that it holds want elements of len_bytes each; *cap is
 * its capacity in elements.  Never shrinks; doubles, so that appending is
 * linear in the end.  Returns the (moved) array. */
void *gs_grow(void *p, size_t *cap, size_t want, size_t len_bytes);

/* GS_GROW(array, cap, want): array keeps its type. */
#define GS_GROW(p, cap, want) \
	((p) = gs_grow((p), (cap), (want), sizeof(*(p))))

#endif
