/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copy_events.c - the events of a copy, and what it says of damage of its source.
 */
#include "edit/copy_int.h"

#include <stdlib.h>

#include "base/compiler.h"
#include "base/mem.h"

bool copy_wants_host(struct copy *c, uint32_t index)
{
	size_t i;

	for (i = 0; i < world_hosts(c->filter.world); i++) {
		if (world_host(c->filter.world, i)->index == index)
			return row_filter_host(&c->filter, i)->wanted;
	}
	return false;
}

static bool wants_event(struct copy *c, const struct event *e)
{
	if (!c->ret->any && e->wall_ns < c->o->from_ns)
		return false;
	return e->host == EVENT_NO_HOST || c->o->pick->n_host == 0 ||
	    copy_wants_host(c, e->host);
}

static void encode_event(struct copy *c, const struct event *e, struct span said)
{
	char *text;

	if (c->o->redact)
		said = redact_event(c->o->redact, e, said);
	text = gs_strndup(said.ptr, span_len(said));
	encoder_event(c->encoder, e->kind, e->wall_ns, e->host, e->value, text);
	free(text);
}

void copy_encode_events(struct copy *c, const struct tick *t)
{
	size_t i;

	for (i = 0; i < t->n_event; i++) {
		const struct event *e = &t->event[i];

		if (wants_event(c, e))
			encode_event(c, e,
			    span_of(tick_text_at(t, e->off), e->len));
	}
}

void copy_encode_damage(struct copy *c, uint64_t missing, int64_t wall_ns)
{
	struct event e = { .kind = EVENT_HOLE, .wall_ns = wall_ns,
		.value = (int64_t)GS_MIN(missing, INT64_MAX),
		.host = EVENT_NO_HOST };

	if (missing > 0 && c->gap.damage[0])
		encode_event(c, &e, span_str(c->gap.damage));
}

void copy_pass_events(struct copy *c, const struct tick *t)
{
	size_t i;

	for (i = 0; i < t->n_event; i++) {
		const struct event *e = &t->event[i];

		tick_add_event(&c->passed, e->kind, e->wall_ns, e->host,
		    e->value, tick_text_at(t, e->off), e->len);
	}
}
