/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plain.h - lists of common words, which are no names: these stay in a text,
 * all others are replaced.
 *
 * A word that is in no list is a name.  A list may lack a word, which then
 * gets a pseudonym; it must not have a word that identifies somebody.
 */
#ifndef GS_ANONYMIZE_PLAIN_H
#define GS_ANONYMIZE_PLAIN_H

#include "base/wordlist.h"

enum plain {
	PLAIN_WORD, /* of messages, values of settings, process titles */
	PLAIN_VERSION, /* parts of versions of kernels and servers */
	PLAIN_UNIT, /* after a number */
	PLAIN_PROGRAM, /* and threads of the kernel */
	PLAIN_PATH, /* one part; a number at its end is ignored */
	PLAIN_APPLICATION,
	PLAIN_ROLE, /* default users, databases, resource groups */
	PLAIN_HOST,
	PLAIN_DEVICE, /* the part before its number */
	PLAIN_COUNT
};

/* Ignores case. */
bool plain_is(enum plain which, struct span w);
const struct wordlist *plain_list(enum plain which);

#endif
