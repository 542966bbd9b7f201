/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plain.h - words that are nobody's names: what stays in a text of which all
 * else is replaced.
 *
 * What is in no list is a name.  A list may lack a word, which then has a
 * pseudonym; it must have none that tells who somebody is.
 */
#ifndef GS_ANONYMIZE_PLAIN_H
#define GS_ANONYMIZE_PLAIN_H

#include "base/wordlist.h"

enum plain {
	PLAIN_WORD, /* of messages, values of settings, process titles */
	PLAIN_VERSION, /* parts of what a kernel or server is called */
	PLAIN_UNIT, /* behind a number */
	PLAIN_PROGRAM, /* and threads of the kernel */
	PLAIN_PATH, /* one part; numbers behind it are no matter */
	PLAIN_APPLICATION,
	PLAIN_ROLE, /* users, databases, resource groups that all have */
	PLAIN_HOST,
	PLAIN_DEVICE, /* what stands before its number */
	PLAIN_COUNT
};

/* Upper and lower case are the same. */
bool plain_is(enum plain which, struct span w);
const struct wordlist *plain_list(enum plain which);

#endif
