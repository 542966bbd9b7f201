/* SPDX-License-Identifier: Apache-2.0 */
#include "pg/params.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <libpq-fe.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "model/own.h"
#include "pg/libpq.h"

/* Every server since 9.0 has these. */
#define EVERYWHERE \
	"-c search_path=pg_catalog -c DateStyle=ISO "                   \
	"-c IntervalStyle=postgres -c client_min_messages=error "       \
	"-c default_transaction_read_only=on"

/* Our queries never wait long for a lock, are not worth JIT or parallel
 * workers, use no slot of a resource group, and are not worth a line of the
 * server's log.  A setting for superusers would end the connection of any
 * other user. */
static const struct {
	const char *name;
	const char *value;
	bool super;
} extra_table[] = {
	{ "lock_timeout", "2000", false },
	{ "jit", "off", false },
	{ "max_parallel_workers_per_gather", "0", false },
	{ "idle_session_timeout", "0", false },
	{ "gp_resource_group_bypass", "on", false },
	{ "optimizer", "off", false },
	{ "log_statement", "none", true },
	{ "log_min_duration_statement", "-1", true },
	{ "log_min_duration_sample", "-1", true },
	{ "log_transaction_sample_rate", "0", true },
	{ "log_duration", "off", true },
};
_Static_assert(GS_LEN(extra_table) <= EXTRA_SETTINGS_MAX, "bits");

uint32_t extra_setting(const char *name)
{
	unsigned i;

	for (i = 0; i < GS_LEN(extra_table); i++) {
		if (strcmp(extra_table[i].name, name) == 0)
			return 1u << i;
	}
	return 0;
}

uint32_t extra_settings_of_superusers(void)
{
	uint32_t bits = 0;
	unsigned i;

	for (i = 0; i < GS_LEN(extra_table); i++) {
		if (extra_table[i].super)
			bits |= 1u << i;
	}
	return bits;
}

uint32_t extra_settings_in(const char *message)
{
	uint32_t found = 0;
	unsigned i;

	for (i = 0; i < GS_LEN(extra_table); i++) {
		if (strstr(message, extra_table[i].name))
			found |= 1u << i;
	}
	return found;
}

void extra_settings_list(struct buf *out)
{
	unsigned i;

	for (i = 0; i < GS_LEN(extra_table); i++)
		buf_printf(out, "%s'%s'", i ? "," : "", extra_table[i].name);
}

/* Takes ownership of value, which may be NULL. */
static void set(struct params *p, const char *key, char *value)
{
	size_t i;

	for (i = 0; i < p->n && strcmp(p->key[i], key) != 0; i++)
		;
	if (i == p->n) {
		size_t cap = p->cap;

		/* both lists end with NULL */
		GS_GROW(p->key, &cap, p->n + 2);
		GS_GROW(p->value, &p->cap, p->n + 2);
		p->key[p->n++] = gs_strdup(key);
		p->key[p->n] = p->value[p->n] = NULL;
	} else {
		free(p->value[i]);
	}
	p->value[i] = value;
}

static void set_copy(struct params *p, const char *key, const char *value)
{
	if (value && *value)
		set(p, key, gs_strdup(value));
}

static const char *get(const struct params *p, const char *key)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		if (strcmp(p->key[i], key) == 0)
			return p->value[i];
	}
	return NULL;
}

static int parse_dsn(struct params *p, const char *dsn, struct gs_err *err)
{
	char *why = NULL;
	PQconninfoOption *list, *o;
	int r = libpq_choose(err);

	if (r < 0)
		return r;
	list = PQconninfoParse(dsn, &why);
	if (!list) {
		r = gs_fail(err, GS_E_USAGE, "%s",
		    why ? why : "out of memory");
		if (err && strchr(err->msg, '\n'))
			*strchr(err->msg, '\n') = '\0';
	}
	for (o = list; o && o->keyword; o++)
		set_copy(p, o->keyword, o->val);
	PQconninfoFree(list);
	PQfreemem(why);
	return r;
}

/* libpq's own default, a database of the user's name, seldom exists. */
static void choose_database(struct params *p)
{
	if (!get(p, "dbname") && !get(p, "service") &&
	    !getenv("PGDATABASE") && !getenv("PGSERVICE"))
		set_copy(p, "dbname", "postgres");
}

int params_init(struct params *p, const struct catalog_options *opt,
	struct gs_err *err)
{
	int r = GS_OK;

	*p = (struct params) { 0 };
	set_copy(p, "host", opt->host);
	set_copy(p, "port", opt->port);
	set_copy(p, "dbname", opt->dbname);
	set_copy(p, "user", opt->user);
	set_copy(p, "requirepeer", opt->peer);
	if (opt->dsn)
		r = parse_dsn(p, opt->dsn, err);
	if (r < 0) {
		params_release(p);
		return r;
	}
	choose_database(p);
	if (!get(p, "options"))
		set_copy(p, "options", getenv("PGOPTIONS"));
	if (get(p, "options"))
		p->user_options = gs_strdup(get(p, "options"));
	set_copy(p, "application_name", opt->application ? opt->application
	                                                 : OWN_APPLICATION);
	/* notice a host that is gone within half a minute */
	set_copy(p, "keepalives_idle", "10");
	set_copy(p, "keepalives_interval", "5");
	set_copy(p, "keepalives_count", "3");
	set_copy(p, "tcp_user_timeout", "30000");
	return GS_OK;
}

void params_release(struct params *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		free(p->key[i]);
		free(p->value[i]);
	}
	free(p->key);
	free(p->value);
	free(p->user_options);
	*p = (struct params) { 0 };
}

void params_settings(struct params *p, uint32_t extra,
	int64_t statement_timeout_ns, bool plain)
{
	struct buf b = BUF_INIT;
	unsigned i;

	if (p->user_options)
		buf_printf(&b, "%s ", p->user_options);
	buf_printf(&b, EVERYWHERE " -c statement_timeout=%" PRId64,
	    statement_timeout_ns / GS_NSEC_PER_MSEC);
	for (i = 0; i < GS_LEN(extra_table); i++) {
		if (extra & 1u << i)
			buf_printf(&b, " -c %s=%s", extra_table[i].name,
			    extra_table[i].value);
	}
	set_copy(p, "options", buf_str(&b));
	set_copy(p, "client_encoding", plain ? "SQL_ASCII" : "UTF8");
	buf_release(&b);
}
