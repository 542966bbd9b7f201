/* SPDX-License-Identifier: Apache-2.0 */
/*
 * charset.c - see charset.h.
 *
 * The portable gpsnap asks the environment alone: the files of a locale are of
 * another C library, and may not be there.
 */
#include "cli/charset.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"

#ifdef GS_PORTABLE
bool charset_is_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *value = NULL;
	size_t i;

	for (i = 0; i < GS_LEN(names) && (!value || !*value); i++)
		value = getenv(names[i]);
	return value && (strcasestr(value, "utf-8") ||
	    strcasestr(value, "utf8"));
}

void charset_use(void)
{
	/* without a file of it, screens are ASCII */
	(void)setlocale(LC_CTYPE, charset_is_utf8() ? "C.UTF-8" : "C");
}
#else
bool charset_is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void charset_use(void)
{
	(void)setlocale(LC_CTYPE, "");
}
#endif
