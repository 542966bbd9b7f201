/* SPDX-License-Identifier: Apache-2.0 */
#include "format/wirecheck.h"

#include "format/wire.h"
#include "metric/metric.h"

/* Entities whose rows an agent sends. */
static const bool of_agents[ENTITY_COUNT] = {
	[ENTITY_HOST] = true,
	[ENTITY_CPU] = true,
	[ENTITY_DISK] = true,
	[ENTITY_NET] = true,
	[ENTITY_FS] = true,
	[ENTITY_CGROUP] = true,
	[ENTITY_PROCESS] = true,
	[ENTITY_AGENT] = true,
	[ENTITY_POSTMASTER] = true,
	[ENTITY_THREAD] = true,
};

struct sums {
	size_t opened, cells, columns;
};

static int too_much(struct gs_err *err, const char *what, size_t n,
	size_t max)
{
	return gs_fail(err, GS_E_LIMIT, "%zu %s: the limit is %zu", n,
	    what, max);
}

static int check_column(const Gpsnap__V1__Column *m, struct sums *s,
	struct gs_err *err)
{
	if (m->sum)
		return gs_fail(err, GS_E_PROTOCOL,
		    "sums, which no agent sends");
	s->cells += m->n_row_gap + m->n_diff + m->n_text + m->n_gone_gap;
	if (s->cells > WIRE_CELLS_MAX)
		return too_much(err, "values", s->cells, WIRE_CELLS_MAX);
	return 0;
}

static int check_opened(const Gpsnap__V1__EntityDelta *m, struct sums *s,
	struct gs_err *err)
{
	uint32_t slot = 0;
	size_t i;

	s->opened += m->n_opened_gap;
	if (s->opened > WIRE_ROWS_MAX)
		return too_much(err, "new rows", s->opened, WIRE_ROWS_MAX);
	for (i = 0; i < m->n_opened_gap; i++) {
		slot += (uint32_t)m->opened_gap[i];
		if (slot >= WIRE_SLOTS_MAX)
			return gs_fail(err, GS_E_LIMIT,
			    "row number %u: must be below %u", slot,
			    WIRE_SLOTS_MAX);
	}
	return 0;
}

static int check_entity(const Gpsnap__V1__EntityDelta *m, struct sums *s,
	struct gs_err *err)
{
	int e = entity_by_file_id(m->entity);
	int r = 0;
	size_t i;

	if (e >= 0 && !of_agents[e])
		return gs_fail(err, GS_E_PROTOCOL,
		    "rows of %s, which no agent sends",
		    entity_get((enum entity_id)e)->name);
	if (m->n_ended_gap > 0)
		return gs_fail(err, GS_E_PROTOCOL,
		    "rows that end late, which no agent sends");
	s->columns += m->n_column;
	if (s->columns > WIRE_COLUMNS_MAX)
		return too_much(err, "columns", s->columns, WIRE_COLUMNS_MAX);
	r = check_opened(m, s, err);
	for (i = 0; r == 0 && i < m->n_column; i++)
		r = check_column(m->column[i], s, err);
	return r;
}

static int check_block(const Gpsnap__V1__HostBlock *m, struct gs_err *err)
{
	struct sums s = { 0 };
	size_t i;
	int r = 0;

	if (m->n_entity > WIRE_COLUMNS_MAX)
		return too_much(err, "entities", m->n_entity,
		    WIRE_COLUMNS_MAX);
	for (i = 0; r == 0 && i < m->n_entity; i++)
		r = check_entity(m->entity[i], &s, err);
	return r;
}

int wirecheck_answer(const Gpsnap__V1__Answer *m, struct gs_err *err)
{
	size_t i;

	if (m->n_text > WIRE_TEXTS_MAX)
		return too_much(err, "texts", m->n_text, WIRE_TEXTS_MAX);
	if (m->n_event > WIRE_EVENTS_MAX)
		return too_much(err, "events", m->n_event, WIRE_EVENTS_MAX);
	for (i = 0; i < m->n_text; i++) {
		if (m->text[i]->id >= WIRE_TEXT_IDS_MAX)
			return gs_fail(err, GS_E_LIMIT,
			    "text number %u: must be below %u",
			    m->text[i]->id, WIRE_TEXT_IDS_MAX);
	}
	return m->block ? check_block(m->block, err) : 0;
}
