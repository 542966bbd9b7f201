/* SPDX-License-Identifier: Apache-2.0 */
/*
 * textkind.h - classifies the text columns of a recording by the kind of name
 * in them.
 *
 * Sharing a recording needs this of every text in it.  A column without a row
 * in the table is TEXT_UNKNOWN and is left out of shared recordings, and a
 * test reports that the row is missing.
 */
#ifndef GS_ANONYMIZE_TEXTKIND_H
#define GS_ANONYMIZE_TEXTKIND_H

#include "metric/metric.h"

enum text_kind {
	TEXT_UNKNOWN, /* not classified */
	TEXT_PLAIN, /* a word of the kernel's or the database's, a version */
	TEXT_VERSION, /* such a word with a possible local suffix */
	TEXT_WORDS, /* several such words: types, time zones */
	TEXT_BOOT, /* a boot id, unique to one host */
	TEXT_HOST,
	TEXT_USER,
	TEXT_DATABASE,
	TEXT_APPLICATION,
	TEXT_ADDRESS,
	TEXT_OBJECT, /* a table, ... */
	TEXT_GROUP, /* resource group or queue of the database */
	TEXT_CLUSTER,
	TEXT_PROGRAM, /* up to 15 bytes, which a program may set */
	TEXT_PATH,
	TEXT_DEVICE, /* a disk, a network interface */
	TEXT_QUERY,
	TEXT_TITLE, /* a command line, or what was written over it */
	TEXT_KIND_COUNT
};

/* The kind of a text column. */
enum text_kind text_kind_of(enum entity_id e, unsigned col);

/* "hosts", "users", ...; NULL for kinds that are not listed. */
const char *text_kind_name(enum text_kind kind);

#endif
