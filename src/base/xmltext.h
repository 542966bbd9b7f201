/* SPDX-License-Identifier: Apache-2.0 */
/*
 * xmltext.h - text inside XML, SVG and HTML.
 */
#ifndef GS_BASE_XMLTEXT_H
#define GS_BASE_XMLTEXT_H

#include "base/buf.h"

/* As an attribute's value or an element's text: control characters and what
 * is no UTF-8 as \xHH, the characters of markup escaped. */
void xml_add_text(struct buf *to, const char *s);

#endif
