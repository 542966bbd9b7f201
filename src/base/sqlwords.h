/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sqlwords.h - words of SQL that are not names of people's making.
 */
#ifndef GS_BASE_SQLWORDS_H
#define GS_BASE_SQLWORDS_H

#include "base/wordlist.h"

enum sqlword_list {
	SQLWORD_KEY,
	SQLWORD_TYPE, /* and languages, access methods */
	SQLWORD_FUNCTION, /* where a parenthesis follows */
	SQLWORD_CATALOG, /* what the catalogs hold; settings */
	SQLWORD_COUNT
};

/* Upper and lower case are the same. */
bool sqlword_is(enum sqlword_list list, struct span w);

const struct wordlist *sqlword_list(enum sqlword_list list);

#endif
