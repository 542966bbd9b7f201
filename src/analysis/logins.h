/* SPDX-License-Identifier: Apache-2.0 */
/*
 * logins.h - known users and databases of one server.  With them, titles whose
 * names contain blanks are split.
 *
 * A title has user and database side by side: "bi user my db".  Two words are
 * two names.  More words are split if exactly one split gives two known names;
 * else they stay one text (title.user_db).
 */
#ifndef GS_ANALYSIS_LOGINS_H
#define GS_ANALYSIS_LOGINS_H

#include "title/title.h"

/* Names kept per server; more are not learned. */
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

/* Users and databases. */
size_t logins_count(const struct logins *l);

/* True if it was not known before. */
bool logins_add(struct logins *l, enum login_kind kind, struct span name);

/* Learns the names in an unambiguous title. names: the server's own name, as
 * far as known.  True if a name is new. */
bool logins_learn(struct logins *l, const struct title_names *names,
	const struct title *t);

/* Splits a title's combined text into user and database, by the names in n
 * lists (each may be NULL).  False: the title is unchanged. */
bool logins_split(const struct logins *const *of, size_t n, struct title *t);

/* Undoes logins_split(). */
void logins_unsplit(struct title *t);

#endif
