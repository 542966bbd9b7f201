/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pick.h - selects a part of a recording: hosts, entities, columns, sessions.
 *
 * Nothing of the rest is written.  The rows of hosts and the identity columns
 * always stay: no other row could be read without them.
 */
#ifndef GS_EDIT_PICK_H
#define GS_EDIT_PICK_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/sessions.h"
#include "base/err.h"
#include "model/world.h"

struct pick_name {
	char *text;
	bool found; /* in the ticks read so far */
};

struct pick {
	struct pick_name *host; /* n_host 0: all */
	size_t n_host;
	struct pick_name *session; /* n_session 0: all */
	size_t n_session;
	bool entity[ENTITY_COUNT];
	bool some_columns; /* col leaves something out */
	uint64_t col[ENTITY_COUNT][COL_WORDS_MAX];
	uint64_t reaped[COL_WORDS_MAX]; /* of pick_hidden() */
	bool all; /* nothing is left out */
};

/* Lists as users write them, "a,b"; NULL: all.  GS_E_USAGE: a name can't
 * exist. */
int pick_init(struct pick *p, const char *hosts, const char *sessions,
	const char *entities, const char *metrics, struct gs_err *err);
void pick_release(struct pick *p);

/* Matches the recorder's name of the host.  A database catalog belongs to no
 * host and always matches. */
bool pick_has_host(struct pick *p, const struct host *h);

bool pick_has_name(struct pick *p, const char *name);

/* s: may be NULL where n_session is 0. */
bool pick_has_row(struct pick *p, const struct sessions *s,
	const struct row *r);

/* Columns of a row that is picked, a bit each, which must be left out: of a postmaster
 * whose sessions are picked, counters that its ended children are in, since nobody could
 * tell any more which of these they are.  NULL: none.  s: as above. */
const uint64_t *pick_hidden(const struct pick *p, const struct sessions *s,
	const struct row *r);

/* Fails with GS_E_NOTFOUND if a host or session was not found. */
int pick_check_found(const struct pick *p, struct gs_err *err);

#endif
