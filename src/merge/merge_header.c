/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_header.c - the header of a merged recording: from the first source,
 * with additions from the others.
 */
#include "merge/merge_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "edit/lineage.h"

static void clear_lists(struct header *h)
{
	size_t i;

	while (h->n_host > 0)
		header_remove_host(h, h->host[0].index);
	for (i = 0; i < h->n_source; i++)
		free(h->source[i].recorder_host);
	h->n_source = 0;
}

/* Marks the hosts of an input, unless its recorder no longer has them. */
static void note_input(struct merge *m, const struct input *l)
{
	size_t i;

	for (i = 0; i < l->n_host; i++) {
		const struct host *h = world_host(l->filter.world, i);
		struct merge_host *x;

		if (!l->host[i].is_known)
			continue;
		x = &m->host[l->host[i].out];
		x->due |= !l->ended && (h->named || h->sampled);
	}
}

bool merge_note_due(struct merge *m)
{
	bool changed = false;
	size_t i;

	for (i = 0; i < m->n_host; i++)
		m->host[i].due = false;
	for (i = 0; i < m->n_input; i++) {
		if (m->input[i]->begun)
			note_input(m, m->input[i]);
	}
	for (i = 0; i < m->n_host; i++) {
		changed |= m->host[i].ended == m->host[i].due;
		m->host[i].ended = !m->host[i].due;
	}
	return changed;
}

/* Hosts that have ended are left out: readers expect samples of each host in
 * the header. */
static void add_hosts(struct merge *m, struct header *h)
{
	size_t i;

	for (i = 0; i < m->n_host; i++) {
		const struct merge_host *x = &m->host[i];

		if (x->catalog)
			header_add_catalog(h, (uint32_t)i, x->name);
		else if (!x->ended)
			header_add_host(h, (uint32_t)i, x->name);
	}
}

static bool is_refused(const struct header *h, const struct header_refused *r)
{
	size_t i;

	for (i = 0; i < h->n_refused; i++) {
		if (strcmp(h->refused[i].what, r->what) == 0 &&
		    strcmp(h->refused[i].why, r->why) == 0)
			return true;
	}
	return false;
}

static void add_input(const struct input *l, struct header *h)
{
	const struct header *from = l->filter.header;
	size_t i;

	h->content |= from->content;
	h->compat |= from->compat;
	h->incompat |= from->incompat & ~FEATURE_LEFT_OUT;
	h->thinned_ns = GS_MAX(h->thinned_ns, from->thinned_ns);
	for (i = 0; i < from->n_refused; i++) {
		if (h->n_refused < HEADER_LIST_MAX &&
		    !is_refused(h, &from->refused[i]))
			header_add_refused(h, from->refused[i].what,
			    from->refused[i].why);
	}
	if (h->n_source < HEADER_LIST_MAX)
		lineage_add(h, from, from->recorder_host, l->shift_ns);
}

static bool has_name(const struct header_host *h, const char *name)
{
	return h->catalog && strcmp(h->name, name) == 0;
}

/* Version and settings of its server, from the owner of the catalog. */
static void set_server(struct header *h, const struct merge *m, size_t at)
{
	const struct merge_host *x = &m->host[at];
	const struct header *from = x->owner->filter.header;
	const char *name = world_host(x->owner->filter.world, x->at)->name;
	struct header_host s = { .name = NULL };
	size_t i;

	for (i = 0; i < from->n_host; i++) {
		if (has_name(&from->host[i], name))
			s = header_server(from, i);
	}
	header_clear_server(h, (uint32_t)at);
	for (i = 0; i < s.n_setting; i++)
		header_add_setting(h, (uint32_t)at, s.setting[i].name,
		    s.setting[i].value);
	if (s.server_version)
		header_set_server_version(h, (uint32_t)at, s.server_version);
}

static void set_servers(const struct merge *m, struct header *h)
{
	size_t i;

	for (i = 0; i < m->n_host; i++) {
		if (m->host[i].catalog && m->host[i].owner &&
		    m->host[i].owner->filter.header)
			set_server(h, m, i);
	}
}

static const struct input *lead_of(const struct merge *m)
{
	size_t i = 0;

	while (!m->input[i]->begun || !m->input[i]->filter.header)
		i++;
	return m->input[i];
}

void merge_set_header(struct merge *m)
{
	const struct header *was = encoder_header(m->encoder);
	struct header *h = header_dup(lead_of(m)->filter.header);
	size_t i;

	clear_lists(h);
	h->incompat &= ~FEATURE_LEFT_OUT;
	memcpy(h->recording_id, m->id, RECORDING_ID_LEN);
	h->file_number = 1;
	h->started_ns = m->started_ns;
	h->interval_ns = m->interval_ns;
	add_hosts(m, h);
	lineage_keep(h, was);
	for (i = 0; i < m->n_input; i++) {
		if (m->input[i]->begun && m->input[i]->filter.header)
			add_input(m->input[i], h);
	}
	set_servers(m, h);
	encoder_set_header(m->encoder, h);
}
