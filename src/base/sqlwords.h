/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sqlwords.h - words of SQL and of the catalogs, which are not names that
 * users chose.
 */
#ifndef GS_BASE_SQLWORDS_H
#define GS_BASE_SQLWORDS_H

#include "base/wordlist.h"

enum sqlword_list {
	SQLWORD_KEY,
	SQLWORD_TYPE, /* and languages, access methods */
	SQLWORD_FUNCTION, /* followed by a parenthesis */
	SQLWORD_CATALOG, /* names in the catalogs */
	SQLWORD_SETTING,
	SQLWORD_COUNT
};

/* Case is ignored. */
bool sqlword_is(enum sqlword_list list, struct span w);

const struct wordlist *sqlword_list(enum sqlword_list list);

#endif
