/* SPDX-License-Identifier: Apache-2.0 */
#include "history/server.h"

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

int server_ask(PGconn *pg, const char *sql, PGresult **ret,
	struct gs_err *err)
{
	PGresult *r = PQexec(pg, sql);

	if (PQresultStatus(r) != PGRES_TUPLES_OK &&
	    PQresultStatus(r) != PGRES_COMMAND_OK) {
		PQclear(r);
		return server_failed(pg, "database", err);
	}
	*ret = r;
	return GS_OK;
}

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
	int status = server_ask(pg, "SELECT version()", &r, err);

	if (status < 0)
		return status;
	*ret = dialect_of(PQntuples(r) ? PQgetvalue(r, 0, 0) : "",
	    PQserverVersion(pg));
	PQclear(r);
	/* notices are about known facts, such as existing tables */
	status = server_ask(pg, "SET client_min_messages = warning", &r, err);
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
	if (PQsetClientEncoding(*ret, "UTF8") != 0)
		return server_failed(*ret, "database", err);
	return identify(*ret, ret_dialect, err);
}
