/* SPDX-License-Identifier: Apache-2.0 */
/*
 * anon.h - replaces the names in a text by pseudonyms (alias.h).
 *
 * The kind of the text decides: a name is replaced as a whole, a path or host
 * name part by part, so that containment stays visible.  In process titles,
 * messages and versions every word is replaced that is not known to be common
 * (plain.h), in query texts every word that is not SQL's
 * (base/masktext.h).  Numbers stay.  Common names stay: localhost,
 * postgres, /usr/bin.  The same name has the same pseudonym everywhere.
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

/* The replacement of a text of that kind; false: the text is left out.  *ret is
 * valid until the next call.  Literals of query texts must be masked before; of
 * command lines only program, directory and port are left. */
bool anon_text(struct anon *a, enum text_kind kind, struct span text,
	struct span *ret);

/* The same for a title that was parsed before; t points into text. */
bool anon_known_title(struct anon *a, struct span text,
	const struct title *t, struct span *ret);

/* The same for the value of a setting of the server. */
bool anon_setting(struct anon *a, const char *name, struct span value,
	struct span *ret);

#endif
