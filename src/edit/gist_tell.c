/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/gist_tell.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model/tick_encoder.h"

/* The rows of one host at places that do not change. */
struct seat {
	uint32_t index; /* of the host */
	struct table table[ENTITY_COUNT];
};

struct gist_tell {
	const struct gist_plan *plan;
	struct world *world;
	struct tick_encoder *encoder;
	struct seat *seat;
	size_t n_seat;
	uint32_t *place; /* in the tables, by serial */
	size_t place_cap;
	uint32_t at; /* number of the tick */
};

struct gist_tell *gist_tell_new(const struct gist_plan *p, struct header *h,
	uint64_t seq)
{
	struct gist_tell *g = gs_calloc(1, sizeof(*g));

	g->plan = p;
	g->world = world_new();
	g->encoder = encoder_new(h);
	encoder_no_key(g->encoder);
	encoder_set_seq(g->encoder, seq);
	return g;
}

void gist_tell_free(struct gist_tell *g)
{
	size_t i;
	int e;

	encoder_free(g->encoder);
	for (i = 0; i < g->n_seat; i++) {
		for (e = 0; e < ENTITY_COUNT; e++)
			free(g->seat[i].table[e].slot);
	}
	free(g->seat);
	free(g->place);
	world_free(g->world);
	free(g);
}

/* ---- rows ------------------------------------------------------------------ */

static struct seat *seat_of(struct gist_tell *g, uint32_t index)
{
	size_t i;

	for (i = 0; i < g->n_seat; i++) {
		if (g->seat[i].index == index)
			return &g->seat[i];
	}
	g->seat = gs_realloc(g->seat, (g->n_seat + 1) * sizeof(*g->seat));
	g->seat[g->n_seat] = (struct seat) { .index = index };
	return &g->seat[g->n_seat++];
}

static void seat(struct gist_tell *g, struct row *r)
{
	struct table *t = &seat_of(g, r->host->index)->table[r->entity];

	GS_GROW(g->place, &g->place_cap, (size_t)r->serial + 1);
	GS_GROW(t->slot, &t->cap, t->n_slot + 1);
	g->place[r->serial] = (uint32_t)t->n_slot;
	t->slot[t->n_slot++] = r;
}

/* The rows with which the stretch begins, as a reader numbers them. */
static int seat_first(struct gist_tell *g, struct gs_err *err)
{
	struct row **row;
	size_t h, n, i;
	int e;

	for (h = 0; h < world_hosts(g->world); h++) {
		struct table *t = world_host(g->world, h)->table;

		for (e = 0; e < ENTITY_COUNT; e++) {
			if (!world_by_identity(g->world, &t[e], &row, &n))
				return gs_fail(err, GS_E_FORMAT,
				    "rows can't be told apart");
			for (i = 0; i < n; i++)
				seat(g, row[i]);
			free(row);
		}
	}
	return GS_OK;
}

/* Rows that the last tick opened take a seat, and those that it closed leave. */
static void seat_rows(struct gist_tell *g)
{
	struct row *const *touched;
	size_t n, i;

	touched = world_touched(g->world, &n);
	for (i = 0; i < n; i++) {
		struct row *r = touched[i];
		struct table *t = &seat_of(g, r->host->index)->table[r->entity];

		if (r->first_tick == r->touched_tick && !r->closed)
			seat(g, r);
		else if (r->closed && r->first_tick != r->touched_tick)
			t->slot[g->place[r->serial]] = NULL;
	}
}

/* ---- ticks ----------------------------------------------------------------- */

static bool is_due(void *ctx, const struct row *r, const uint64_t **ret_later)
{
	const struct gist_tell *g = ctx;

	return gist_plan_tells(g->plan, r, g->at, ret_later);
}

static const uint64_t *begins_at_0(void *ctx, const struct row *r)
{
	const struct gist_tell *g = ctx;

	return gist_plan_begins_at_0(g->plan, r, g->at);
}

static void encode(struct gist_tell *g, const struct tick *t)
{
	size_t i;

	encoder_begin(g->encoder, t->wall_ns);
	for (i = 0; i < t->n_event && g->at > 0; i++) {
		const struct event *e = &t->event[i];
		char *text = gs_strndup(tick_text_at(t, e->off), e->len);

		encoder_event(g->encoder, e->kind, e->wall_ns, e->host,
		    e->value, text);
		free(text);
	}
	for (i = 0; i < t->n_block; i++) {
		uint32_t index = t->block[i]->host;
		const struct host *h = world_host_of(g->world, index);
		struct encoder_rows rows = { .world = g->world,
			.clock = &h->clock, .table = seat_of(g, index)->table,
			.is_due = is_due, .begins_at_0 = begins_at_0,
			.ctx = g };

		(void)encoder_block_of(g->encoder, index, &rows);
	}
}

int gist_tell_first(struct gist_tell *g, const struct tick *t,
	struct gs_err *err)
{
	int r = world_apply(g->world, t, err);

	if (r == GS_OK)
		r = seat_first(g, err);
	if (r < 0)
		return r;
	encode(g, t);
	(void)encoder_end(g->encoder);
	encoder_forget_texts(g->encoder);
	g->at++;
	return GS_OK;
}

int gist_tell_next(struct gist_tell *g, const struct tick *t,
	const struct tick **ret, struct gs_err *err)
{
	int r = world_apply(g->world, t, err);

	if (r < 0)
		return r;
	seat_rows(g);
	encode(g, t);
	*ret = encoder_end(g->encoder);
	g->at++;
	if ((*ret)->seq != t->seq || (*ret)->key)
		return gs_fail(err, GS_E_LIMIT, "a gist needs a key");
	return GS_OK;
}
