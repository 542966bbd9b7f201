/* SPDX-License-Identifier: Apache-2.0 */
/*
 * texts.h - texts by id, reference counted.
 *
 * Equal texts have one id.  An id is valid as long as it has references; then
 * it is reused for another text.  Id 0 is the empty text and always valid.
 */
#ifndef GS_MODEL_TEXTS_H
#define GS_MODEL_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/scan.h"

struct texts;

struct texts *texts_new(void);
void texts_free(struct texts *t);

/* The id of a text, with one more reference.  *ret_new (may be NULL) is true
 * if no id had this text: a sender has to send it first. */
uint32_t texts_intern(struct texts *t, const char *p, size_t len,
	bool *ret_new);

void texts_ref(struct texts *t, uint32_t id);
void texts_unref(struct texts *t, uint32_t id);

/* Its bytes; valid until the last reference goes. */
struct span texts_get(const struct texts *t, uint32_t id);
size_t texts_bytes(const struct texts *t);

/* The most bytes that a text takes besides its own. */
#define TEXTS_EXTRA 96u

/* A number of the caller's own per id, 0 when the id is new; valid until the
 * next texts_intern(). */
uint32_t *texts_mark(const struct texts *t, uint32_t id);

#endif
