/* SPDX-License-Identifier: Apache-2.0 */
/*
 * anon.h - puts pseudonyms (alias.h) in place of the names in a text.
 *
 * By the kind of the text: a name goes as a whole, a path and the name of a
 * host part by part, so that what is in what can still be seen; of process
 * titles, messages and versions every word that is not known to be nobody's
 * (plain.h), of texts of queries every word that is not SQL's
 * (base/masktext.h).  Numbers stay.  Names that everybody has stay: localhost,
 * postgres, /usr/bin.  The same name has the same pseudonym wherever it
 * stands.
 */
#ifndef GS_ANONYMIZE_ANON_H
#define GS_ANONYMIZE_ANON_H

#include "anonymize/alias.h"
#include "anonymize/textkind.h"
#include "title/title.h"

struct anon;

/* Pseudonyms come from a, and are added to it; not owned. */
struct anon *anon_new(struct aliases *a);
void anon_free(struct anon *a);

/* The text to write in place of one of a kind; false: none.  *ret is valid
 * until the next call.  Of texts of queries literals were masked before; of
 * command lines only program, directory and port are left. */
bool anon_text(struct anon *a, enum text_kind kind, struct span text,
	struct span *ret);

/* The same of a title that was taken apart; t points into text. */
bool anon_known_title(struct anon *a, struct span text,
	const struct title *t, struct span *ret);

/* The value of a setting of the server; NULL as for anon_text(). */
bool anon_setting(struct anon *a, const char *name, struct span value,
	struct span *ret);

#endif
