/* SPDX-License-Identifier: Apache-2.0 */
/*
 * charset.h - the character set of the user.
 */
#ifndef GS_CLI_CHARSET_H
#define GS_CLI_CHARSET_H

#include <stdbool.h>

/* Sets LC_CTYPE from the environment; nothing else of the locale: numbers keep
 * their point in all. */
void charset_use(void);

/* What is printed may be UTF-8.  A screen asks the locale, too. */
bool charset_is_utf8(void);

#endif
