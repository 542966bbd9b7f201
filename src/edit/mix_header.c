/*
 * mix_header.c - what a merged recording says about itself: what the first of
 * its sources says, and what the others have beside it.
 */
#include "edit/mix_int.h"

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

static void add_hosts(struct mix *m, struct header *h)
{
	size_t i;

	for (i = 0; i < m->n_host; i++) {
		const struct mix_host *x = &m->host[i];

		if (x->catalog)
			header_add_catalog(h, (uint32_t)i, x->name);
		else
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

static void add_lane(const struct lane *l, struct header *h)
{
	const struct header *from = l->feed.header;
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

/* What the database says is taken from one of them. */
static void set_database(struct mix *m, struct header *h)
{
	const struct header *from = NULL;
	size_t i;

	for (i = 0; i < m->n_host; i++) {
		if (m->host[i].catalog && m->host[i].owner)
			from = m->host[i].owner->feed.header;
	}
	if (!from)
		return;
	header_clear_database(h);
	for (i = 0; i < from->n_setting; i++)
		header_add_setting(h, from->setting[i].name,
		    from->setting[i].value);
	if (from->server_version)
		header_set_server_version(h, from->server_version);
}

static const struct lane *lead_of(const struct mix *m)
{
	size_t i = 0;

	while (!m->lane[i]->begun || !m->lane[i]->feed.header)
		i++;
	return m->lane[i];
}

void mix_set_header(struct mix *m)
{
	const struct header *was = maker_header(m->maker);
	struct header *h = header_dup(lead_of(m)->feed.header);
	size_t i;

	clear_lists(h);
	h->incompat &= ~FEATURE_LEFT_OUT;
	memcpy(h->recording_id, m->id, RECORDING_ID_LEN);
	h->file_number = 1;
	h->started_ns = m->started_ns;
	h->interval_ns = m->interval_ns;
	add_hosts(m, h);
	lineage_keep(h, was);
	for (i = 0; i < m->n_lane; i++) {
		if (m->lane[i]->begun && m->lane[i]->feed.header)
			add_lane(m->lane[i], h);
	}
	set_database(m, h);
	maker_set_header(m->maker, h);
}
