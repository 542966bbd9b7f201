/* SPDX-License-Identifier: Apache-2.0 */
/*
 * logins.h - names of users and databases of one server, by which titles are
 * split whose names have blanks.
 *
 * A title has user and database side by side: "bi user my db".  Two words are
 * two names.  More are split where both names are known and no other way of
 * splitting has two known names; else they stay one text (title.user_db).
 */
#ifndef GS_ANALYSIS_LOGINS_H
#define GS_ANALYSIS_LOGINS_H

#include "title/title.h"

/* Names that are known of one server; more are not learned. */
#define LOGINS_MAX 4096u

/* Bytes of a name; the server takes 63. */
#define LOGIN_BYTES_MAX 256u

enum login_kind {
	LOGIN_USER = 1,
	LOGIN_DATABASE = 2
};

struct logins;

struct logins *logins_new(void);
void logins_free(struct logins *l);
void logins_clear(struct logins *l);

/* Users and databases. */
size_t logins_count(const struct logins *l);

/* True if it was not known. */
bool logins_add(struct logins *l, enum login_kind kind, struct span name);

/* What a title tells without any doubt.  names: what is known of the server's
 * own name.  True if anything was not known. */
bool logins_learn(struct logins *l, const struct title_names *names,
	const struct title *t);

/* Sets user and database of a title that has them as one text, by the names
 * in n lists (each may be NULL).  False: they stay as they are. */
bool logins_split(const struct logins *const *of, size_t n, struct title *t);

/* Takes that back. */
void logins_unsplit(struct title *t);

#endif
