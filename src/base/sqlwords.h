/*
 * sqlwords.h - words of SQL that are not names of people's making.
 */
#ifndef GS_BASE_SQLWORDS_H
#define GS_BASE_SQLWORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/scan.h"

enum sqlword_list {
	SQLWORD_KEY,
	SQLWORD_TYPE, /* and languages, access methods */
	SQLWORD_FUNCTION, /* where a parenthesis follows */
	SQLWORD_CATALOG, /* what the catalogs hold; settings */
	SQLWORD_COUNT
};

/* Upper and lower case are the same. */
bool sqlword_is(enum sqlword_list list, struct span w);

/* A letter as an identifier without quotes has it. */
static inline char sqlword_fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* All of a list, in lower case, in the order of bytes. */
const char *const *sqlword_all(enum sqlword_list list, size_t *ret_n);

#endif
