/* SPDX-License-Identifier: Apache-2.0 */
#include "history/server.h"

#include <poll.h>
#include <string.h>

#include "base/compiler.h"
#include "pg/conn.h"
#include "pg/ident.h"
#include "pg/libpq.h"
#include "pg/params.h"

int server_failed(PGconn *pg, const char *doing, struct gs_err *err)
{
	char why[CONN_WHY_MAX];

	conn_one_line(PQerrorMessage(pg), why);
	return gs_fail(err, GS_E_IO, "%s%s%s", doing, *doing ? ": " : "",
	    why);
}

/* ---- statements -------------------------------------------------------- */

/* A signal that came just before poll() is seen after this. */
#define LOOK_MS 200

/* Until the server sends something or, with POLLOUT, takes something; at once if the
 * connection is lost, which libpq then says. */
static int wait_for(PGconn *pg, short events, server_stopped_fn is_stopped,
	struct gs_err *err)
{
	struct pollfd p = { .fd = PQsocket(pg), .events = events };

	do {
		if (is_stopped && is_stopped())
			return gs_fail(err, GS_E_GONE, "stopped");
	} while (p.fd >= 0 && poll(&p, 1, LOOK_MS) <= 0);
	if (p.revents & ~POLLOUT)
		(void)PQconsumeInput(pg); /* the result says what is wrong */
	return GS_OK;
}

/* Sends all that libpq holds; what fails is said by the result. */
static int flush(PGconn *pg, server_stopped_fn is_stopped, struct gs_err *err)
{
	int r = GS_OK;

	while (r == GS_OK && PQflush(pg) == 1)
		r = wait_for(pg, POLLIN | POLLOUT, is_stopped, err);
	return r;
}

/* Versions of libpq differ in whether one that is lost is busy. */
static bool is_busy(PGconn *pg)
{
	return PQisBusy(pg) && PQstatus(pg) == CONNECTION_OK;
}

/* Of the last statement, as PQexec() returns it; what the ones before returned is
 * freed. */
static int last_result(PGconn *pg, server_stopped_fn is_stopped,
	PGresult **ret, struct gs_err *err)
{
	PGresult *next = NULL, *last = NULL;
	int r = flush(pg, is_stopped, err);

	do {
		while (r == GS_OK && is_busy(pg))
			r = wait_for(pg, POLLIN, is_stopped, err);
		next = r == GS_OK ? PQgetResult(pg) : NULL;
		if (next) {
			PQclear(last);
			last = next;
		}
	} while (next && PQresultStatus(next) != PGRES_COPY_IN);
	*ret = last;
	return r;
}

static int run(PGconn *pg, const char *sql, const char *doing,
	server_stopped_fn is_stopped, PGresult **ret, struct gs_err *err)
{
	if (PQsendQuery(pg, sql) != 1)
		return server_failed(pg, doing, err);
	return last_result(pg, is_stopped, ret, err);
}

int server_ask(PGconn *pg, const char *sql, server_stopped_fn is_stopped,
	PGresult **ret, struct gs_err *err)
{
	PGresult *result = NULL;
	int r = run(pg, sql, "database", is_stopped, &result, err);

	if (r == GS_OK && PQresultStatus(result) != PGRES_TUPLES_OK &&
	    PQresultStatus(result) != PGRES_COMMAND_OK)
		r = server_failed(pg, "database", err);
	if (r == GS_OK)
		*ret = result;
	else
		PQclear(result);
	return r;
}

/* What fails is said by the result. */
static int send_rows(PGconn *pg, const struct buf *rows,
	server_stopped_fn is_stopped, struct gs_err *err)
{
	int r = GS_OK, sent = 0, tries;

	/* It takes an int.  0: it has no memory for more; without what is on its way it
	 * may have. */
	for (tries = 0; r == GS_OK && (sent = PQputCopyData(pg, rows->ptr,
	    (int)rows->len)) == 0; tries++)
		r = tries == 0 ? flush(pg, is_stopped, err)
		    : gs_fail(err, GS_E_IO, "libpq has no memory for rows");
	if (r == GS_OK && sent == 1)
		(void)PQputCopyEnd(pg, NULL);
	return r;
}

int server_copy(PGconn *pg, const char *sql, const struct buf *rows,
	const char *doing, server_stopped_fn is_stopped, struct gs_err *err)
{
	PGresult *result = NULL;
	int r = run(pg, sql, doing, is_stopped, &result, err);

	if (r == GS_OK && PQresultStatus(result) == PGRES_COPY_IN) {
		PQclear(result);
		result = NULL;
		r = send_rows(pg, rows, is_stopped, err);
		if (r == GS_OK)
			r = last_result(pg, is_stopped, &result, err);
	}
	if (r == GS_OK && PQresultStatus(result) != PGRES_COMMAND_OK)
		r = server_failed(pg, doing, err);
	PQclear(result);
	return r;
}

/* ---- connecting -------------------------------------------------------- */

/* libpq quotes text that it can't parse, which may be a password. */
static int refuse_dsn(struct gs_err *err)
{
	return gs_fail(err, GS_E_USAGE, "--dsn: no connection string: "
	    "expected \"host=... dbname=...\" or postgresql://..., with %%40 "
	    "for an @ within a name or a password");
}

/* With a second @ libpq would take the rest of a password for a host, and
 * name it. */
static bool is_dsn(const char *dsn)
{
	const char *at = strstr(dsn, "://") ? strchr(dsn, '@') : NULL;

	return !at || !strchr(at + 1, '@');
}

enum dialect dialect_of(const char *version, int version_num)
{
	struct span number;
	bool old = version_num < 110000;

	switch (ident_flavour(version, &number)) {
	case FL_GREENPLUM:
		return old ? DIALECT_GREENPLUM6 : DIALECT_GREENPLUM7;
	case FL_CLOUDBERRY:
		return DIALECT_GREENPLUM7;
	case FL_POSTGRES:
		break;
	}
	return old ? DIALECT_PLAIN : DIALECT_POSTGRES;
}

static int identify(PGconn *pg, enum dialect *ret, struct gs_err *err)
{
	PGresult *r = NULL;
	int status = server_ask(pg, "SELECT version()", NULL, &r, err);

	if (status < 0)
		return status;
	*ret = dialect_of(PQntuples(r) ? PQgetvalue(r, 0, 0) : "",
	    PQserverVersion(pg));
	PQclear(r);
	/* notices are about known facts, such as existing tables */
	status = server_ask(pg, "SET client_min_messages = warning", NULL, &r,
	    err);
	if (status == GS_OK)
		PQclear(r);
	return status;
}

uint32_t server_last_character(const PGconn *pg)
{
	static const struct {
		const char *name;
		uint32_t last;
	} known[] = {
		{ "UTF8", UINT32_MAX },
		{ "SQL_ASCII", UINT32_MAX }, /* takes any bytes */
		{ "LATIN1", 0xff },
	};
	const char *name = PQparameterStatus(pg, "server_encoding");
	size_t i;

	for (i = 0; name && i < GS_LEN(known); i++) {
		if (strcmp(name, known[i].name) == 0)
			return known[i].last;
	}
	return 0x7f;
}

/* Without a DSN libpq takes its own default. */
static int not_connected(PGconn *pg, const char *dsn, struct gs_err *err)
{
	char why[CONN_WHY_MAX];

	if (dsn)
		return server_failed(pg, "", err);
	conn_one_line(PQerrorMessage(pg), why);
	return gs_fail(err, GS_E_IO, "%s: name a database with --dsn", why);
}

int server_connect(const char *dsn, PGconn **ret, enum dialect *ret_dialect,
	struct gs_err *err)
{
	/* load like any other, which views show: not the recorder's */
	const struct catalog_options opt = { .dsn = dsn,
		.application = "gpsnap load" };
	struct params p;

	if (dsn && !is_dsn(dsn))
		return refuse_dsn(err);
	if (libpq_load(err) < 0)
		return GS_E_NOTFOUND;
	if (params_init(&p, &opt, NULL) < 0)
		return refuse_dsn(err);
	*ret = PQconnectdbParams((const char *const *)p.key,
	    (const char *const *)p.value, 0);
	params_release(&p);
	if (PQstatus(*ret) != CONNECTION_OK)
		return not_connected(*ret, dsn, err);
	if (PQsetClientEncoding(*ret, "UTF8") != 0 ||
	    PQsetnonblocking(*ret, 1) != 0)
		return server_failed(*ret, "database", err);
	return identify(*ret, ret_dialect, err);
}
