/* SPDX-License-Identifier: Apache-2.0 */
/*
 * textkind.h - what the texts of a recording tell: of every column that holds
 * text, whose name it is.
 *
 * Whoever hands a recording on has to know this of every text in it.  So a
 * column without a row in the table counts as TEXT_UNKNOWN and is left out of
 * what is shared, and a test tells that it is missing.
 */
#ifndef GS_ANONYMIZE_TEXTKIND_H
#define GS_ANONYMIZE_TEXTKIND_H

#include "metric/metric.h"

enum text_kind {
	TEXT_UNKNOWN, /* nobody has said */
	TEXT_PLAIN, /* a word of the kernel's or the database's, a version */
	TEXT_VERSION, /* such a word that somebody may have added to */
	TEXT_WORDS, /* the same of several words: types, time zones */
	TEXT_BOOT, /* a number that is of one host only */
	TEXT_HOST,
	TEXT_USER,
	TEXT_DATABASE,
	TEXT_APPLICATION,
	TEXT_ADDRESS,
	TEXT_OBJECT, /* a table, ... */
	TEXT_GROUP, /* of resources, in the database */
	TEXT_CLUSTER,
	TEXT_PROGRAM, /* up to 15 bytes, which a program may set */
	TEXT_PATH,
	TEXT_DEVICE, /* a disk, a network interface */
	TEXT_QUERY,
	TEXT_TITLE, /* a command line, or what was written over it */
	TEXT_KIND_COUNT
};

/* Of a column that holds text. */
enum text_kind text_kind_of(enum entity_id e, unsigned col);

/* "hosts", "users", ...; NULL where there is nothing to tell. */
const char *text_kind_name(enum text_kind kind);

#endif
