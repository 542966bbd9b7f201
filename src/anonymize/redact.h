/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redact.h - removes private texts from a recording that is shared, and lists
 * those that it still has.
 *
 * Literals in query texts are masked.  Only command lines of database servers
 * stay, cut to the program, the directory and the port; titles of their
 * processes stay as they are.  Columns that are not classified (textkind.h)
 * are left out.  No figure changes.
 *
 * On request pseudonyms replace all names (anon.h), in texts, the header and
 * events; settings that an extension has added are left out then, and the
 * texts of marks, unless marks_stay is set.
 */
#ifndef GS_ANONYMIZE_REDACT_H
#define GS_ANONYMIZE_REDACT_H

#include "anonymize/anon.h"
#include "anonymize/textkind.h"
#include "base/buf.h"
#include "base/scan.h"
#include "model/header.h"
#include "model/tick.h"
#include "title/title.h"

/* Number of texts of each kind that redact_first() shows. */
#define REDACT_FIRST_MAX 3

struct redact;

/* a: not owned; NULL: names stay.  marks_stay: with a, marks keep their
 * texts. */
struct redact *redact_new(struct anon *a, bool marks_stay);
void redact_free(struct redact *v);

/* The replacement of the text of a cell; false: the text is left out.
 * *ret is valid until the next call. */
bool redact_text(struct redact *v, enum entity_id e, unsigned col,
	struct span text, struct span *ret);

/* The same for a process title that was parsed with its context; t points into
 * text.  TITLE_NONE: it is parsed without context. */
bool redact_title(struct redact *v, struct span text, const struct title *t,
	struct span *ret);

void redact_header(struct redact *v, struct header *h);

/* The replacement of the text of an event; valid as with redact_text(). */
struct span redact_event(struct redact *v, const struct event *e,
	struct span text);

/* Number of different texts of a kind that were kept, and the first of them,
 * as "a, b, c". */
size_t redact_count(const struct redact *v, enum text_kind kind);
const char *redact_first(const struct redact *v, enum text_kind kind);

/* Number of marks whose texts were kept, and of settings of the server. */
size_t redact_marks(const struct redact *v);
size_t redact_settings(const struct redact *v);

#endif
