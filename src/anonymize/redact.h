/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redact.h - takes out of a recording what is nobody else's business, and tells
 * what it still says.
 *
 * Of the texts of queries the literals are masked; of command lines only
 * those of database servers stay, and of these the program, the directory
 * and the port; titles of their processes stay as they are.  Columns that
 * nobody has classified (textkind.h) are left out.  No figure changes.
 *
 * On request pseudonyms stand for all names (anon.h), in texts, the header and
 * events; then settings that an extension made up are left out, and the words
 * of marks, unless these shall be kept.
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

/* Texts of a kind that are kept to be shown. */
#define REDACT_FIRST_MAX 3

struct redact;

/* With a (not owned; NULL: names stay) marks_stay as they are written. */
struct redact *redact_new(struct anon *a, bool marks_stay);
void redact_free(struct redact *v);

/* What to write for the text of a cell; false: nothing, it is left out.
 * *ret is valid until the next call. */
bool redact_text(struct redact *v, enum entity_id e, unsigned col,
	struct span text, struct span *ret);

/* The same for the title of a process that was taken apart with what else is
 * known; t points into text.  TITLE_NONE: it is taken apart alone. */
bool redact_title(struct redact *v, struct span text, const struct title *t,
	struct span *ret);

void redact_header(struct redact *v, struct header *h);

/* The text to write for that of an event; as of redact_text(). */
struct span redact_event(struct redact *v, const struct event *e,
	struct span text);

/* What went through: how many different texts of a kind, and the first of
 * them, as "a, b, c". */
size_t redact_count(const struct redact *v, enum text_kind kind);
const char *redact_first(const struct redact *v, enum text_kind kind);

/* Remarks of users that have their words, and settings of the server. */
size_t redact_marks(const struct redact *v);
size_t redact_settings(const struct redact *v);

#endif
