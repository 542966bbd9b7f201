/* SPDX-License-Identifier: Apache-2.0 */
/*
 * labelcol_host.c - the columns of labelcol.h about hosts.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "query/labelcol.h"

static const struct cell absent = { .kind = CELL_ABSENT };

struct cell labelcol_host(FIGURE_ARGS)
{
	return g->n_part == 1 ? figure_text(v, g->part[0]->host->name)
	                      : absent;
}

struct cell labelcol_session_host(FIGURE_ARGS)
{
	const struct session *s = grouping_label(g)->session;

	return s && s->kind != SESSION_OS && !g->residual ? absent
	    : labelcol_host(v, f, g);
}

static const struct host *host_of(const struct figure_env *v,
	const struct group *g)
{
	if (!g)
		return v->subject;
	return g->n_part > 0 ? g->part[0]->host : NULL;
}

struct cell labelcol_host_name(FIGURE_ARGS)
{
	const struct host *h = host_of(v, g);

	return h ? figure_text(v, h->name) : absent;
}

struct cell labelcol_host_state(FIGURE_ARGS)
{
	const struct presence *p = v->engine->presence;
	const struct host *h = host_of(v, g);

	if (!h)
		return absent;
	if (!presence_was_there(p, h))
		return figure_text(v, "never answered");
	if (!host_is_recorded(h))
		return figure_text(v, "not recorded");
	return figure_text(v, presence_is_there(p, h, v->engine->to_ns,
	    engine_sampled_ns(v->engine)) ? "answers" : "silent");
}

struct cell labelcol_host_covered(FIGURE_ARGS)
{
	const struct host *h = host_of(v, g);

	return h ? cell_real(engine_host_covered_s(v->engine, h)) : absent;
}

/* From the newest answer; absent for a host that does not answer. */
static struct cell clock_ms(const struct group *g, int64_t ns)
{
	return g->n_live > 0 ? cell_real((double)ns / 1e6) : absent;
}

struct cell labelcol_clock_offset(FIGURE_ARGS)
{
	return g->n_part == 1
	    ? clock_ms(g, g->part[0]->host->clock.offset_ns) : absent;
}

struct cell labelcol_round_trip(FIGURE_ARGS)
{
	return g->n_part == 1 && g->part[0]->host->clock.rtt_ns > 0
	    ? clock_ms(g, g->part[0]->host->clock.rtt_ns) : absent;
}

struct cell labelcol_hosts(FIGURE_ARGS)
{
	return cell_int((int64_t)g->n_part);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "sdw1,sdw2"; the same whichever answered first. */
struct cell labelcol_host_names(FIGURE_ARGS)
{
	const char **name = gs_calloc(g->n_part + 1, sizeof(*name));
	struct buf b = BUF_INIT;
	struct cell c;
	size_t i, n = 0;

	for (i = 0; i < g->n_part; i++) {
		if (g->part[i]->host->name)
			name[n++] = g->part[i]->host->name;
	}
	if (n > 1)
		qsort(name, n, sizeof(*name), by_text);
	for (i = 0; i < n; i++)
		buf_printf(&b, "%s%s", i > 0 ? "," : "", name[i]);
	c = figure_text(v, buf_str(&b));
	buf_release(&b);
	free(name);
	return c;
}
