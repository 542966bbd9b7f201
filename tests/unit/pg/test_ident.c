/* SPDX-License-Identifier: Apache-2.0 */
#include "pg/ident.h"

#include <string.h>

#include "cases.h"
#include "pg/params.h"
#include "sheet.h"

struct version_case {
	const char *name;
	const char *text;
	enum flavour flavour;
	const char *version;
};

static const struct version_case version_cases[] = {
	{ "PostgreSQL", "PostgreSQL 15.20 (Debian 15.20-0+deb12u1) on x86_64",
	    FL_POSTGRES, "15.20" },
	{ "beta", "PostgreSQL 18beta1, compiled by gcc", FL_POSTGRES,
	    "18beta1" },
	{ "Greenplum 6", "PostgreSQL 9.4.26 (Greenplum Database "
	    "6.0.0-beta.1+722b6a3 build dev) on x86_64-unknown-linux-gnu",
	    FL_GREENPLUM, "6.0.0-beta.1+722b6a3" },
	{ "Greenplum 7", "PostgreSQL 12.12 (Greenplum Database 7.1.0 build "
	    "commit:e7c2b1) on x86_64-pc-linux-gnu", FL_GREENPLUM, "7.1.0" },
	{ "Cloudberry 1", "PostgreSQL 14.4 (Cloudberry Database 1.6.0 build "
	    "1) on x86_64-pc-linux-gnu", FL_CLOUDBERRY, "1.6.0" },
	{ "Cloudberry 2", "PostgreSQL 14.4 (Apache Cloudberry "
	    "2.0.0-incubating build 1) on x86_64", FL_CLOUDBERRY,
	    "2.0.0-incubating" },
	{ "nothing known", "whatever 3", FL_POSTGRES, "whatever" },
	{ "empty", "", FL_POSTGRES, "" },
};

static void tells_flavour(void **state)
{
	const struct version_case *row = *state;
	struct span version;

	assert_int_equal(ident_flavour(row->text, &version), row->flavour);
	assert_true(span_eq(version, row->version));
}

struct setting_case {
	const char *name; /* of the setting, too */
	const char *value;
	bool hidden;
};

static const struct setting_case setting_cases[] = {
	{ "work_mem", "4096", false },
	{ "password_encryption", "scram-sha-256", false },
	{ "ssl_key_file", "server.key", false },
	{ "log_line_prefix", "%m user@host ", false },
	{ "primary_conninfo", "host=a", true },
	{ "archive_command", "cp %p /x/%f", true },
	{ "ssl_passphrase_command", "echo x", true },
	{ "Archive_Command", "cp", true },
	{ "my.api_token", "abc", true },
	{ "my.Secret", "abc", true },
	{ "my.dsn", "host=a PASSWORD=b", true },
	{ "my.url", "http://me:x@host/", true },
	{ "my.plain_url", "http://host/", false },
	{ "restore_command", "", false }, /* nothing to tell */
};

static void hides_secrets(void **state)
{
	const struct setting_case *row = *state;

	assert_string_equal(ident_shown(row->name, row->value),
	    row->hidden ? "(not recorded)" : row->value);
}

static void take_both(struct ident *id, const char *version,
	const char *settings)
{
	PGresult *r = sheet(version);

	assert_true(ident_parse_version(id, r));
	PQclear(r);
	r = sheet(settings);
	assert_true(ident_parse_settings(id, r));
	PQclear(r);
}

/* As a Greenplum 6 answered. */
static void reads_a_server(void **state)
{
	struct ident id = { 0 };
	struct header *h = header_new();
	struct rowset s;
	const struct row *row;
	uint64_t v;

	(void)state; /* none */
	take_both(&id, "version|start|num|recovery|load\n"
	    "PostgreSQL 9.4.26 (Greenplum Database 6.24.0 build dev) on x|"
	    "1795209867947350|90426|f|1795209867947360\n",
	    "name|setting|unit|source\n"
	    "gp_resource_manager|group|~|configuration file\n"
	    "gp_vmem_protect_limit|8192|~|configuration file\n"
	    "lock_timeout|0|ms|default\n"
	    "max_connections|250|~|configuration file\n"
	    "port|6000|~|command line\n"
	    "search_path|pg_catalog|~|client\n"
	    "shared_buffers|4000|32kB|configuration file\n"
	    "superuser_reserved_connections|3|~|default\n");
	assert_int_equal(id.server.flavour, FL_GREENPLUM);
	assert_int_equal(id.server.version_num, 90426);
	assert_int_equal(id.server.manager, NEED_GROUPS);
	assert_int_equal(id.extra, extra_setting("lock_timeout"));
	ident_describe(&id, h, 0);
	assert_int_equal(h->n_setting, 5);
	assert_string_equal(h->setting[4].name, "shared_buffers");
	assert_string_equal(h->setting[4].value, "4000 32kB");
	assert_string_equal(h->server_version, "PostgreSQL 9.4.26 (Greenplum "
	    "Database 6.24.0 build dev) on x");
	ident_describe(&id, h, 0);
	assert_int_equal(h->n_setting, 5); /* instead of those before */

	rowset_init(&s);
	rowset_begin(&s);
	ident_put(&id, &s, "mdw", 7);
	rowset_end(&s);
	row = world_catalog(s.world, 0)->table[ENTITY_CLUSTER].slot[0];
	assert_true(span_eq(row_text(s.world, row, COL(CLUSTER, HOST)),
	    "mdw"));
	assert_true(span_eq(row_text(s.world, row, COL(CLUSTER, VERSION)),
	    "6.24.0"));
	assert_true(row_get(row, COL(CLUSTER, VMEM_LIMIT), &v));
	assert_int_equal(v, 8192 * 1024);
	assert_true(row_get(row, COL(CLUSTER, SPARE_CONNECTIONS), &v));
	assert_int_equal(v, 7);
	assert_false(row_get(row, COL(CLUSTER, DATADIR), &v));
	rowset_release(&s);
	header_free(h);
	ident_release(&id);
}

struct load_case {
	const char *name;
	const char *now; /* before: x|7|150000|f|9 */
	bool unchanged;
};

static const struct load_case load_cases[] = {
	{ "the same", "x|7|150000|f|9", true },
	{ "loaded again", "x|7|150000|f|10", false },
	{ "promoted", "x|7|150000|t|9", false },
	{ "started again", "x|8|150000|f|9", false },
	{ "start not known", "x|~|150000|f|9", false },
	{ "load not known", "x|7|150000|f|~", false },
	{ "another version", "y|7|150000|f|9", false },
};

static void take_version(struct ident *id, const char *row)
{
	char text[64];
	PGresult *r;

	(void)snprintf(text, sizeof(text), "a|b|c|d|e\n%s\n", row);
	r = sheet(text);
	assert_true(ident_parse_version(id, r));
	PQclear(r);
}

static void settings_are_those_before(void **state)
{
	const struct load_case *row = *state;
	struct ident before = { 0 }, now = { 0 };

	take_version(&before, "x|7|150000|f|9");
	take_version(&now, row->now);
	assert_int_equal(ident_is_unchanged(&now, &before), row->unchanged);
	ident_release(&before);
	ident_release(&now);
}

struct bad_case {
	const char *name;
	const char *sheet;
};

static const struct bad_case bad_cases[] = {
	{ "no row", "a|b|c|d|e\n" },
	{ "two rows", "a|b|c|d|e\nx|1|150000|f|1\nx|1|150000|f|1\n" },
	{ "fewer columns", "a|b|c|d\nx|1|150000|f\n" },
	{ "no version", "a|b|c|d|e\n~|1|150000|f|1\n" },
	{ "no number", "a|b|c|d|e\nx|1|15devel|f|1\n" },
	{ "negative", "a|b|c|d|e\nx|1|-5|f|1\n" },
	{ "huge", "a|b|c|d|e\nx|1|99999999999999999999|f|1\n" },
};

static void refuses(void **state)
{
	const struct bad_case *row = *state;
	struct ident id = { 0 };
	PGresult *r = sheet(row->sheet);

	assert_false(ident_parse_version(&id, r));
	assert_false(ident_parse_settings(&id, r) && PQnfields(r) != 4);
	PQclear(r);
	ident_release(&id);
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, tells_flavour, version_cases);
	CASES_TABLE(&c, hides_secrets, setting_cases);
	CASES_TABLE(&c, refuses, bad_cases);
	CASES_TABLE(&c, settings_are_those_before, load_cases);
	cases_add(&c, "reads a server", reads_a_server, NULL);
	return cases_run(&c, "ident");
}
