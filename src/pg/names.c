/* SPDX-License-Identifier: Apache-2.0 */
#include "pg/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "pg/libpq.h"

struct relation_name {
	char *key; /* oid, a space, the database */
	const char *database; /* in key */
	uint64_t oid;
	char *name; /* NULL: not known */
	unsigned tries;
	bool wanted; /* not asked for yet, or in vain, but not too often */
	bool asked; /* over the present connection */
	UT_hash_handle hh;
};

struct span names_find(struct names *n, struct span database, uint64_t oid)
{
	struct buf key = BUF_INIT;
	struct relation_name *r;
	size_t at;

	buf_printf(&key, "%" PRIu64 " ", oid);
	at = key.len;
	buf_add(&key, database.ptr, span_len(database));
	HASH_FIND(hh, n->list, key.ptr, key.len, r);
	if (!r && HASH_COUNT(n->list) < NAMES_MAX) {
		r = gs_calloc(1, sizeof(*r));
		r->key = gs_strndup(key.ptr, key.len);
		r->database = r->key + at;
		r->oid = oid;
		r->wanted = true;
		n->n_wanted++;
		HASH_ADD_KEYPTR(hh, n->list, r->key, key.len, r);
	}
	buf_release(&key);
	return span_str(r && r->name ? r->name : "");
}

void names_put(struct names *n, struct rowset *s, struct cells now,
	unsigned database, unsigned relation, unsigned object)
{
	struct span of = rowset_get_text(s, now, database), name;

	if (cells_has(now, object) || span_empty(of) ||
	    !cells_has(now, relation))
		return;
	name = names_find(n, of, now.val[relation]);
	if (!span_empty(name))
		rowset_text(s, now, object, name);
}

/* ---- the connection ----------------------------------------------------- */

static const struct relation_name *first_wanted(const struct names *n)
{
	const struct relation_name *r;

	for (r = n->list; r; r = r->hh.next) {
		if (r->wanted)
			return r;
	}
	return NULL;
}

/* Of the relations that the present connection is for: it tells no more. */
static void end(struct names *n, bool answered)
{
	struct relation_name *r;

	conn_close(&n->conn);
	for (r = n->list; r; r = r->hh.next) {
		if (!r->wanted || strcmp(r->database, n->database) != 0 ||
		    (answered && !r->asked))
			continue;
		r->asked = false;
		r->tries++;
		if (r->name || answered || r->tries == NAMES_TRIES) {
			r->wanted = false;
			n->n_wanted--;
		}
	}
}

/* As p has it, but with this database, whether p names one or the environment. */
static void open_database(struct names *n, const struct params *p,
	const char *database, uint32_t as_uid, int64_t now_ns)
{
	const char **key = gs_calloc(p->n + 2, sizeof(*key));
	const char **value = gs_calloc(p->n + 2, sizeof(*value));
	size_t i, k = 0;

	for (i = 0; i < p->n; i++) {
		if (strcmp(p->key[i], "dbname") == 0)
			continue;
		key[k] = p->key[i];
		value[k++] = p->value[i];
	}
	key[k] = "dbname";
	value[k] = database;
	conn_open(&n->conn, key, value, as_uid, now_ns);
	free(key);
	free(value);
}

void names_connect(struct names *n, const struct params *p, uint32_t as_uid,
	bool may, int64_t now_ns)
{
	const struct relation_name *r = n->n_wanted && may &&
	    now_ns >= n->next_ns && n->conn.state == CONN_CLOSED
	    ? first_wanted(n) : NULL;

	if (!r)
		return;
	gs_set_text(&n->database, span_str(r->database));
	n->next_ns = now_ns + NAMES_EVERY_NS;
	n->deadline_ns = now_ns + NAMES_TIMEOUT_NS;
	open_database(n, p, r->database, as_uid, now_ns);
}

static void ask(struct names *n, int64_t now_ns)
{
	struct relation_name *r;
	unsigned k = 0;

	buf_reset(&n->sql);
	buf_add_str(&n->sql, "SELECT oid::bigint, oid::regclass::text "
	    "FROM pg_catalog.pg_class WHERE oid IN (");
	for (r = n->list; r && k < NAMES_AT_ONCE; r = r->hh.next) {
		if (!r->wanted || strcmp(r->database, n->database) != 0)
			continue;
		buf_printf(&n->sql, "%s%" PRIu64, k++ ? ", " : "", r->oid);
		r->asked = true;
	}
	buf_add_str(&n->sql, ")");
	conn_ask(&n->conn, buf_str(&n->sql), now_ns, n->deadline_ns);
}

/* What was asked for and has no row does not exist any more. */
static bool apply(struct names *n, const PGresult *res)
{
	bool ok = PQresultStatus(res) == PGRES_TUPLES_OK &&
	    PQnfields(res) == 2;
	int i, rows = ok ? PQntuples(res) : 0;
	struct relation_name *r;

	for (r = n->list; r && rows > 0; r = r->hh.next) {
		if (!r->asked)
			continue;
		for (i = 0; i < rows; i++) {
			if (strtoull(PQgetvalue(res, i, 0), NULL, 10) ==
			    r->oid)
				gs_set_text(&r->name,
				    span_str(PQgetvalue(res, i, 1)));
		}
	}
	end(n, ok);
	return rows > 0;
}

bool names_advance(struct names *n, int64_t now_ns)
{
	while (n->conn.state != CONN_CLOSED) {
		enum conn_step step = conn_advance(&n->conn, now_ns);

		if (step == CONN_OPENED)
			ask(n, now_ns);
		else if (step == CONN_ANSWER)
			return apply(n, n->conn.result);
		else if (step != CONN_NOTHING || now_ns >= n->deadline_ns)
			end(n, false);
		else
			break;
	}
	return false;
}

bool names_wait(const struct names *n, struct catalog_wait *ret,
	int64_t *due_ns)
{
	if (n->conn.state == CONN_CLOSED)
		return false;
	*due_ns = GS_MIN(*due_ns, n->deadline_ns);
	return conn_wait(&n->conn, ret, due_ns);
}

void names_clear(struct names *n)
{
	struct relation_name *r, *next;

	conn_close(&n->conn);
	HASH_ITER(hh, n->list, r, next) {
		HASH_DEL(n->list, r);
		free(r->key);
		free(r->name);
		free(r);
	}
	n->n_wanted = 0;
}

void names_release(struct names *n)
{
	names_clear(n);
	free(n->database);
	buf_release(&n->sql);
}
