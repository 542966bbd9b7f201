/* SPDX-License-Identifier: Apache-2.0 */
#include "pg/ident.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "pg/params.h"

/* Kept short: a server may log them. */
const char ident_version_sql[] =
    "SELECT version(),"
    "(extract(epoch from pg_postmaster_start_time())*1e6)::int8,"
    "current_setting('server_version_num'),pg_is_in_recovery(),"
    "(extract(epoch from pg_conf_load_time())*1e6)::int8";

/* No setting: where the extension is, in the same answer. */
#define STATEMENTS_SCHEMA "pg_stat_statements"

/* Settings that are facts of the cluster's row. */
static const struct fact {
	const char *setting;
	size_t off; /* of the char * in struct ident */
} facts[] = {
	{ "cluster_name", offsetof(struct ident, name) },
	{ "port", offsetof(struct ident, port) },
	{ "data_directory", offsetof(struct ident, datadir) },
	{ "max_connections", offsetof(struct ident, max_connections) },
	{ "superuser_reserved_connections",
	    offsetof(struct ident, reserved) },
	{ "gp_vmem_protect_limit", offsetof(struct ident, vmem_mb) },
	{ "gp_resource_manager", offsetof(struct ident, manager) },
	{ "track_activity_query_size", offsetof(struct ident, query_bytes) },
	{ STATEMENTS_SCHEMA, offsetof(struct ident, statements) },
};

static char **fact_of(struct ident *id, const struct fact *f)
{
	return (char **)(void *)((char *)id + f->off);
}

void ident_release(struct ident *id)
{
	size_t i;

	for (i = 0; i < GS_LEN(facts); i++)
		free(*fact_of(id, &facts[i]));
	for (i = 0; i < id->n_setting; i++) {
		free(id->setting[i].name);
		free(id->setting[i].value);
	}
	free(id->setting);
	free(id->text);
	free(id->version);
	*id = (struct ident) { 0 };
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

bool ident_same(const struct ident *a, const struct ident *b)
{
	size_t i;

	if (!same_text(a->text, b->text) || a->recovery != b->recovery ||
	    a->n_setting != b->n_setting)
		return false;
	for (i = 0; i < a->n_setting; i++) {
		if (!same_text(a->setting[i].name, b->setting[i].name) ||
		    !same_text(a->setting[i].value, b->setting[i].value))
			return false;
	}
	return true;
}

/* ---- version --------------------------------------------------------- */

/* PostgreSQL 9.4.26 (Greenplum Database 6.24.0 build commit:...) on ...
 * PostgreSQL 14.4 (Cloudberry Database 1.6.0 build 1) on ...
 * PostgreSQL 14.4 (Apache Cloudberry 2.0.0-incubating build 1) on ...
 * PostgreSQL 15.20 (Debian 15.20-0+deb12u1) on ... */
enum flavour ident_flavour(const char *text, struct span *ret_version)
{
	static const struct {
		const char *before;
		enum flavour flavour;
	} known[] = {
		{ "(Greenplum Database ", FL_GREENPLUM },
		{ "(Cloudberry Database ", FL_CLOUDBERRY },
		{ "(Apache Cloudberry ", FL_CLOUDBERRY },
		{ "Cloudberry ", FL_CLOUDBERRY },
		{ "Greenplum ", FL_GREENPLUM },
		{ "PostgreSQL ", FL_POSTGRES },
	};
	const char *p = NULL;
	size_t i;

	for (i = 0; !p && i < GS_LEN(known); i++) {
		p = strstr(text, known[i].before);
		if (p)
			p += strlen(known[i].before);
	}
	*ret_version = span_of(p ? p : text,
	    strcspn(p ? p : text, " ,)"));
	return p ? known[i - 1].flavour : FL_POSTGRES;
}

static const char *value_at(const PGresult *r, int row, int col)
{
	return PQgetisnull(r, row, col) ? NULL : PQgetvalue(r, row, col);
}

static bool to_number(const char *s, int64_t *ret)
{
	struct span t;
	uint64_t v;

	if (!s)
		return false;
	t = span_str(s);
	if (!scan_s64(&t, &v) || !span_empty(t))
		return false;
	*ret = (int64_t)v;
	return true;
}

bool ident_parse_version(struct ident *id, const PGresult *r)
{
	const char *text;
	struct span version;
	int64_t num;

	if (PQresultStatus(r) != PGRES_TUPLES_OK || PQntuples(r) != 1 ||
	    PQnfields(r) != 5)
		return false;
	text = value_at(r, 0, 0);
	if (!text || !to_number(value_at(r, 0, 2), &num) || num < 0 ||
	    num > 10000000)
		return false;
	ident_release(id);
	id->text = gs_strndup(text, strnlen(text, IDENT_VALUE_MAX));
	id->server.flavour = ident_flavour(id->text, &version);
	id->server.version_num = (int)num;
	id->version = gs_strndup(version.ptr, span_len(version));
	id->has_start = to_number(value_at(r, 0, 1), &id->start_us);
	id->recovery = !PQgetisnull(r, 0, 3) &&
	    PQgetvalue(r, 0, 3)[0] == 't';
	if (!to_number(value_at(r, 0, 4), &id->load_us))
		id->load_us = 0;
	return true;
}

/* ---- settings -------------------------------------------------------- */

void ident_settings_sql(struct buf *out)
{
	size_t i;

	buf_reset(out);
	/* settings of the client are our own */
	buf_printf(out, "SELECT name,left(setting,%d)AS setting,unit,"
	    "source FROM pg_settings "
	    "WHERE source NOT IN('default','override','client','session',"
	    "'interactive','test')OR name IN(", IDENT_VALUE_MAX);
	for (i = 0; i < GS_LEN(facts); i++)
		buf_printf(out, "'%s',", facts[i].setting);
	extra_settings_list(out);
	buf_printf(out, ")UNION ALL SELECT extname,quote_ident(nspname),NULL,"
	    "'default' FROM pg_extension JOIN pg_namespace n ON "
	    "n.oid=extnamespace WHERE extname='" STATEMENTS_SCHEMA "' "
	    "ORDER BY name LIMIT %d", IDENT_SETTINGS_MAX);
}

static bool contains(const char *text, const char *word)
{
	return strcasestr(text, word) != NULL;
}

static bool may_be_secret(const char *name, const char *value)
{
	static const char *const names[] = { "passw", "secret", "token",
		"credential", "conninfo", "_command", "api_key",
		"access_key", "private_key" };
	static const char *const values[] = { "password", "passwd", "secret" };
	const char *scheme = strstr(value, "://");
	size_t i;

	if (strcmp(name, "password_encryption") == 0)
		return false;
	for (i = 0; i < GS_LEN(names); i++) {
		if (contains(name, names[i]))
			return true;
	}
	for (i = 0; i < GS_LEN(values); i++) {
		if (contains(value, values[i]))
			return true;
	}
	return scheme && strchr(scheme, '@'); /* user:password@host */
}

const char *ident_shown(const char *name, const char *value)
{
	return *value && may_be_secret(name, value) ? "(not recorded)" : value;
}

static bool is_default(const char *source)
{
	static const char *const not_set[] = { "default", "override",
		"client", "session", "interactive", "test" };
	size_t i;

	for (i = 0; i < GS_LEN(not_set); i++) {
		if (strcmp(source, not_set[i]) == 0)
			return true;
	}
	return false;
}

static void add_setting(struct ident *id, const char *name,
	const char *value, const char *unit)
{
	struct buf b = BUF_INIT;
	const char *shown = ident_shown(name, value);

	buf_add(&b, shown, strnlen(shown, IDENT_VALUE_MAX));
	if (unit && *unit)
		buf_printf(&b, " %s", unit);
	GS_GROW(id->setting, &id->setting_cap, id->n_setting + 1);
	id->setting[id->n_setting++] = (struct ident_setting) {
		gs_strdup(name), gs_strdup(buf_str(&b)) };
	buf_release(&b);
}

static void set_fact(struct ident *id, const char *name, const char *value)
{
	size_t i;

	for (i = 0; i < GS_LEN(facts); i++) {
		if (strcmp(facts[i].setting, name) != 0)
			continue;
		free(*fact_of(id, &facts[i]));
		*fact_of(id, &facts[i]) = gs_strndup(value,
		    strnlen(value, IDENT_VALUE_MAX));
	}
}

static enum need manager_of(const char *manager)
{
	if (!manager)
		return NEED_NOTHING;
	if (strncmp(manager, "group", 5) == 0)
		return NEED_GROUPS;
	return strcmp(manager, "queue") == 0 ? NEED_QUEUES : NEED_NOTHING;
}

bool ident_parse_settings(struct ident *id, const PGresult *r)
{
	int i;

	if (PQresultStatus(r) != PGRES_TUPLES_OK || PQnfields(r) != 4)
		return false;
	for (i = 0; i < PQntuples(r) && i < IDENT_SETTINGS_MAX; i++) {
		const char *name = value_at(r, i, 0);
		const char *value = value_at(r, i, 1);
		const char *source = value_at(r, i, 3);

		if (!name || !value)
			continue;
		id->extra |= extra_setting(name);
		set_fact(id, name, value);
		if (source && !is_default(source))
			add_setting(id, name, value, value_at(r, i, 2));
	}
	id->server.manager = manager_of(id->manager);
	id->server.statements = id->statements != NULL;
	return true;
}

bool ident_is_unchanged(const struct ident *id, const struct ident *before)
{
	return id->has_start && before->has_start &&
	    id->start_us == before->start_us && id->load_us != 0 &&
	    id->load_us == before->load_us &&
	    id->recovery == before->recovery &&
	    same_text(id->text, before->text);
}

size_t ident_query_bytes(const struct ident *id)
{
	int64_t v;

	return to_number(id->query_bytes, &v) && v > 0 ? (size_t)v : SIZE_MAX;
}

static bool has_setting(const struct ident *id, const char *name)
{
	size_t i;

	for (i = 0; i < id->n_setting; i++) {
		if (strcmp(id->setting[i].name, name) == 0)
			return true;
	}
	return false;
}

void ident_keep(struct ident *id, const struct ident *before)
{
	size_t i;

	for (i = 0; i < before->n_setting; i++) {
		const struct ident_setting *s = &before->setting[i];

		if (extra_setting(s->name) && !has_setting(id, s->name))
			add_setting(id, s->name, s->value, NULL);
	}
}

/* ---- what becomes of it ---------------------------------------------- */

static void put_number(struct cells now, unsigned col, const char *text,
	int64_t scale)
{
	int64_t v;

	if (to_number(text, &v) && v >= 0 && v < INT64_MAX / scale)
		cells_set(now, col, (uint64_t)(v * scale));
}

static void put_text(struct rowset *s, struct cells now, unsigned col,
	const char *text)
{
	if (text)
		rowset_text(s, now, col, span_str(text));
}

void ident_put(const struct ident *id, struct rowset *s, const char *host,
	int64_t spare)
{
	struct cells now;

	rowset_open(s, ENTITY_CLUSTER, 0);
	now = rowset_now(s, ENTITY_CLUSTER);
	if (id->has_start)
		cells_set(now, COL(CLUSTER, START), (uint64_t)id->start_us);
	put_text(s, now, COL(CLUSTER, HOST), host ? host : "");
	put_text(s, now, COL(CLUSTER, FLAVOUR),
	    flavour_name(id->server.flavour));
	put_text(s, now, COL(CLUSTER, VERSION), id->version);
	cells_set(now, COL(CLUSTER, VERSION_NUM),
	    (uint64_t)id->server.version_num);
	put_text(s, now, COL(CLUSTER, NAME), id->name);
	put_number(now, COL(CLUSTER, PORT), id->port, 1);
	put_text(s, now, COL(CLUSTER, DATADIR), id->datadir);
	put_number(now, COL(CLUSTER, MAX_CONNECTIONS), id->max_connections, 1);
	put_number(now, COL(CLUSTER, RESERVED), id->reserved, 1);
	cells_set(now, COL(CLUSTER, RECOVERY), id->recovery);
	put_number(now, COL(CLUSTER, VMEM_LIMIT), id->vmem_mb, 1024);
	put_text(s, now, COL(CLUSTER, RESOURCE_MANAGER), id->manager);
	if (spare >= 0)
		cells_set(now, COL(CLUSTER, SPARE_CONNECTIONS),
		    (uint64_t)spare);
	rowset_put(s, ENTITY_CLUSTER, now);
	rowset_close(s, ENTITY_CLUSTER, CLOSE_EXITED);
}

void ident_describe(const struct ident *id, struct header *h,
	uint32_t catalog)
{
	size_t i;

	header_clear_server(h, catalog);
	header_set_server_version(h, catalog, id->text ? id->text : "");
	for (i = 0; i < id->n_setting; i++)
		header_add_setting(h, catalog, id->setting[i].name,
		    id->setting[i].value);
}
