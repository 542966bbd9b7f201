/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_conn_pool.c - state shared by the agent connections of a loop.
 */
#include "record/agent_conn_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "record/host_limits.h"

/* ssh must not use the libraries or the Python of a database. */
static bool is_foreign(const char *var)
{
	return strncmp(var, "LD_LIBRARY_PATH=", 16) == 0 ||
	    strncmp(var, "LD_PRELOAD=", 11) == 0 ||
	    strncmp(var, "PYTHON", 6) == 0;
}

static char **children_env(void)
{
	size_t n = 0, kept = 0, i;
	char **env;

	while (environ[n])
		n++;
	env = gs_calloc(n + 1, sizeof(*env));
	for (i = 0; i < n; i++) {
		if (!is_foreign(environ[i]))
			env[kept++] = gs_strdup(environ[i]);
	}
	return env;
}

void agent_conn_pool_init(struct agent_conn_pool *p, uv_loop_t *loop)
{
	*p = (struct agent_conn_pool) { .loop = loop };
	p->env = children_env();
	p->codec = wire_codec_new();
	wire_codec_limit(p->codec);
	p->read = gs_malloc(LINK_READ_BYTES);
}

void agent_conn_pool_release(struct agent_conn_pool *p)
{
	size_t i;

	for (i = 0; p->env && p->env[i]; i++)
		free(p->env[i]);
	free(p->env);
	free(p->read);
	tick_release(&p->answer.tick);
	wire_codec_free(p->codec);
	*p = (struct agent_conn_pool) { 0 };
}

bool agent_conn_pool_in_part(struct agent_conn_pool *p)
{
	bool in_part = p->in_part;

	p->in_part = false;
	return in_part;
}

/* ---- what links hold ------------------------------------------------- */

static size_t rows_of(const struct world *w, size_t *ret_slots)
{
	const struct host *h;
	size_t rows = 0;
	int e;

	*ret_slots = 0;
	if (world_hosts(w) == 0)
		return 0;
	h = world_host(w, 0);
	for (e = 0; e < ENTITY_COUNT; e++) {
		rows += h->table[e].n_live;
		*ret_slots += h->table[e].n_slot;
	}
	return rows;
}

static int too_many(struct gs_err *err, const char *what, size_t n,
	size_t max)
{
	return gs_fail(err, GS_E_LIMIT, "%zu %s: at most %zu are recorded", n,
	    what, max);
}

static void recount(struct agent_conn *l, size_t rows, size_t held)
{
	struct agent_conn_pool *p = l->pool;

	p->rows += rows - l->rows;
	p->held += held - l->held;
	l->rows = rows;
	l->held = held;
}

/* If all together hold too much, a host with more than an equal share is
 * refused: hosts like the others never are. */
int agent_conn_count(struct agent_conn *l, struct gs_err *err)
{
	struct agent_conn_pool *p = l->pool;
	size_t slots, rows = rows_of(l->world, &slots);

	recount(l, rows, l->rx.cap + l->budget.used_bytes);
	if (rows > WIRE_ROWS_MAX)
		return too_many(err, "rows", rows, WIRE_ROWS_MAX);
	if (slots > WIRE_SLOTS_MAX)
		return too_many(err, "numbers of rows", slots,
		    WIRE_SLOTS_MAX);
	if (world_text_bytes(l->world) > HOST_TEXTS_MAX)
		return too_many(err, "bytes of texts",
		    world_text_bytes(l->world), HOST_TEXTS_MAX);
	if (l->held > HOST_HELD_MAX)
		return too_many(err, "bytes", l->held, HOST_HELD_MAX);
	if (p->rows > HOSTS_ROWS_MAX && rows > HOSTS_ROWS_MAX / p->n_link)
		return gs_fail(err, GS_E_LIMIT, "%zu rows: all hosts together"
		    " have more than %zu", rows, HOSTS_ROWS_MAX);
	if (p->held > HOSTS_HELD_MAX &&
	    l->held > HOSTS_HELD_MAX / p->n_link)
		return gs_fail(err, GS_E_LIMIT, "%zu bytes: all hosts "
		    "together take more than %zu", l->held, HOSTS_HELD_MAX);
	return 0;
}
