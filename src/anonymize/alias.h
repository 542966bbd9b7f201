/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alias.h - pseudonyms: what stands for a name in what is given away.
 *
 * A name of a kind has one pseudonym, for ever, which says the kind and a
 * number: user-3.  Numbers are given in the order in which names come.  Which
 * name it was only this dictionary knows, which stays with whoever made it
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
	ALIAS_LOGIN, /* user and database, where nobody can tell which is which */
	ALIAS_HOST, /* first part of its name */
	ALIAS_DOMAIN, /* what follows */
	ALIAS_ADDRESS,
	ALIAS_APPLICATION,
	ALIAS_OBJECT, /* in the database; what is no other kind of name */
	ALIAS_GROUP, /* of resources */
	ALIAS_CLUSTER,
	ALIAS_DIRECTORY, /* part of a path */
	ALIAS_DEVICE,
	ALIAS_PROGRAM,
	ALIAS_BOOT, /* of a host */
	ALIAS_WORD, /* in a text */
	ALIAS_KIND_COUNT
};

/* Names of a kind; those beyond get the number 0, which is nobody's. */
#define ALIAS_MAX (1u << 20)

/* Names are no longer; what is gets the number 0. */
#define ALIAS_NAME_MAX (1u << 16)

struct alias {
	enum alias_kind kind;
	uint32_t number; /* from 1, per kind */
	struct span name;
};

struct aliases;

struct aliases *aliases_new(void);
void aliases_free(struct aliases *a);

/* Appends the pseudonym of a name, which is given one if it has none. */
void alias_put(struct aliases *a, enum alias_kind kind, struct span name,
	struct buf *to);

/* Appends the pseudonym that a name has as any kind; false: it has none. */
bool alias_put_known(const struct aliases *a, struct span name,
	struct buf *to);

/* How a pseudonym is written. */
void alias_write(enum alias_kind kind, uint32_t number, struct buf *to);

/* Takes a pseudonym from the front: user-3.  False, nothing taken: none
 * stands there.  It need not be known. */
bool alias_scan(struct span *s, enum alias_kind *ret_kind,
	uint32_t *ret_number);

/* NULL: nobody's. */
const struct alias *alias_get(const struct aliases *a, enum alias_kind kind,
	uint32_t number);

/* All of them in the order in which they came; i below aliases_count(). */
size_t aliases_count(const struct aliases *a);
const struct alias *alias_at(const struct aliases *a, size_t i);

/* Puts one back that was given before: numbers of a kind come in their
 * order.  False: this can't be. */
bool alias_restore(struct aliases *a, enum alias_kind kind, uint32_t number,
	struct span name);

#endif
