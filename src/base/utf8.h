/* SPDX-License-Identifier: Apache-2.0 */
/*
 * utf8.h - foreign text, made safe to show.
 */
#ifndef GS_BASE_UTF8_H
#define GS_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Decodes one character of the len (> 0) bytes at p.  Returns the bytes it
 * takes; *ret is the code point, or 0xFFFD with return value 1 if the bytes
 * are not valid UTF-8 (overlong and surrogates included). */
size_t utf8_decode(const char *p, size_t len, uint32_t *ret);

/* Appends p.  Control characters (C0, DEL, C1) and invalid UTF-8 bytes are
 * written as \xHH, so that they reach no terminal; bidirectional overrides and
 * other invisible format characters become \u{HEX}. */
void utf8_add_safe(struct buf *to, const char *p, size_t len);

/* Terminal columns of valid text: 0, 1 or 2 per character. */
size_t utf8_width(const char *p, size_t len);

/* How many bytes of p fit into columns, whole characters only. */
size_t utf8_fit(const char *p, size_t len, size_t columns);

#endif
