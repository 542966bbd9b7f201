/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alias.h - pseudonyms that replace names in a recording that is shared.
 *
 * A name of a kind has one pseudonym, for ever, which is the kind and a
 * number: user-3.  Numbers are given in the order in which names come.  Only
 * this dictionary can map a pseudonym to its name; it stays with its owner
 * (keyfile.h).
 */
#ifndef GS_ANONYMIZE_ALIAS_H
#define GS_ANONYMIZE_ALIAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/scan.h"

enum alias_kind {
	ALIAS_USER,
	ALIAS_DATABASE,
	ALIAS_LOGIN, /* user and database, if they can't be separated */
	ALIAS_HOST, /* first part of its name */
	ALIAS_DOMAIN, /* the rest of its name */
	ALIAS_ADDRESS,
	ALIAS_APPLICATION,
	ALIAS_OBJECT, /* in the database; any name of no other kind */
	ALIAS_GROUP, /* resource group */
	ALIAS_CLUSTER,
	ALIAS_DIRECTORY, /* part of a path */
	ALIAS_DEVICE,
	ALIAS_PROGRAM,
	ALIAS_BOOT, /* of a host */
	ALIAS_WORD, /* in a text */
	ALIAS_KIND_COUNT
};

/* Maximum names of a kind; further ones share the number 0. */
#define ALIAS_MAX (1u << 20)

/* Maximum length of a name; longer ones share the number 0. */
#define ALIAS_NAME_MAX (1u << 16)

struct alias {
	enum alias_kind kind;
	uint32_t number; /* from 1, per kind */
	struct span name;
};

struct aliases;

struct aliases *aliases_new(void);
void aliases_free(struct aliases *a);

/* Appends the pseudonym of a name; makes one if it has none. */
void alias_put(struct aliases *a, enum alias_kind kind, struct span name,
	struct buf *to);

/* Appends the pseudonym that a name has as any kind; false: it has none. */
bool alias_put_known(const struct aliases *a, struct span name,
	struct buf *to);

/* Appends the text of a pseudonym. */
void alias_write(enum alias_kind kind, uint32_t number, struct buf *to);

/* Takes a pseudonym from the front: user-3.  False, nothing taken: there is
 * none.  It need not be known. */
bool alias_scan(struct span *s, enum alias_kind *ret_kind,
	uint32_t *ret_number);

/* NULL: it is not known. */
const struct alias *alias_get(const struct aliases *a, enum alias_kind kind,
	uint32_t number);

/* All of them in the order in which they came; i below aliases_count(). */
size_t aliases_count(const struct aliases *a);
const struct alias *alias_at(const struct aliases *a, size_t i);

/* Restores a pseudonym that was given before: numbers of a kind must be in
 * order.  False: it is invalid. */
bool alias_restore(struct aliases *a, enum alias_kind kind, uint32_t number,
	struct span name);

#endif
