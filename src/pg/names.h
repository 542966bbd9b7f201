/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.h - names of relations of other databases than the one that we are
 * connected to: pg_locks and views of progress only have their numbers.
 *
 * Each relation is asked for once, over a connection to its database that is
 * closed after the answer: one at a time, at most one in NAMES_EVERY_NS, given up
 * after NAMES_TIMEOUT_NS.  A database that refuses it is tried NAMES_TRIES times.
 */
#ifndef GS_PG_NAMES_H
#define GS_PG_NAMES_H

#include "base/buf.h"
#include "base/scan.h"
#include "pg/conn.h"
#include "pg/params.h"
#include "pg/rowset.h"

#define NAMES_EVERY_NS (30 * GS_NSEC_PER_SEC)
#define NAMES_TIMEOUT_NS GS_NSEC_PER_SEC
#define NAMES_TRIES 3u

/* Relations that are kept; further ones stay without a name. */
#define NAMES_MAX 4096u

/* Relations in one question. */
#define NAMES_AT_ONCE 100u

struct relation_name; /* one relation */

struct names {
	struct relation_name *list;
	size_t n_wanted; /* not asked for yet */
	struct conn conn;
	char *database; /* that it is connected to, or was last */
	int64_t next_ns; /* connect not before */
	int64_t deadline_ns; /* of the connection */
	struct buf sql;
};

/* The name, as the server shows it in that database; empty: not known.  Then it
 * will be asked for. */
struct span names_find(struct names *n, struct span database, uint64_t oid);

/* Puts the name in the cell of a row, given those of its database's name and of
 * its number, unless it has one. */
void names_put(struct names *n, struct rowset *s, struct cells now,
	unsigned database, unsigned relation, unsigned object);

/* Connects, if something is wanted and it is time.  p: to connect as MAIN does,
 * with another database.  may: the server has room for one more connection. */
void names_connect(struct names *n, const struct params *p, uint32_t as_uid,
	bool may, int64_t now_ns);

/* Does what can be done without waiting; true: there are new names. */
bool names_advance(struct names *n, int64_t now_ns);

/* As conn_wait(). */
bool names_wait(const struct names *n, struct catalog_wait *ret,
	int64_t *due_ns);

/* All are forgotten: another server. */
void names_clear(struct names *n);
void names_release(struct names *n);

#endif
