/* SPDX-License-Identifier: Apache-2.0 */
#include "view/uncounted.h"

#include <string.h>

#include "model/unread.h"
#include "view/view_int.h"

/* So many hosts are named. */
#define NAMES_MAX 3

static bool counts_no_delays(const struct host *h)
{
	const struct row *r = host_row(h);
	uint64_t on;

	return r && row_get(r, COL(HOST, TASK_DELAYACCT), &on) && on == 0;
}

/* "on sdw1, sdw2 and 5 more"; the name of the n-th host. */
static void add_host(struct buf *to, size_t n, const char *name)
{
	if (n <= NAMES_MAX)
		buf_printf(to, "%s%s", n == 1 ? " on " : ", ", name);
}

static void add_more(struct buf *to, size_t n)
{
	if (n > NAMES_MAX)
		buf_printf(to, " and %zu more", n - NAMES_MAX);
}

/* The host's row about the IO of processes; NULL: all of it is readable. */
static const struct row *unread_io(const struct world *w, const struct host *h)
{
	const char *io = metric_source_path(SOURCE_IO);
	const struct table *t = &h->table[ENTITY_SOURCE];
	uint64_t n;
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		const struct row *r = t->slot[i];

		if (r && row_get(r, COL(SOURCE, PROCESSES), &n) && n > 0 &&
		    span_eq(row_text(w, r, COL(SOURCE, FILE)), io))
			return r;
	}
	return NULL;
}

bool uncounted_unread_note(const struct engine *e, const struct view *v,
	struct buf *to)
{
	size_t hosts = world_hosts(e->world), n = 0, i;
	struct unread u = { .processes = 0 };
	struct buf names = BUF_INIT;
	uint64_t processes = 0;

	for (i = 0; v->entity == ENTITY_PROCESS && !v->table &&
	    i < hosts; i++) {
		const struct host *h = world_host(e->world, i);
		const struct row *r = unread_io(e->world, h);

		if (!r)
			continue;
		(void)row_get(r, COL(SOURCE, PROCESSES), &processes);
		(void)row_get(r, COL(SOURCE, ERROR), &u.error);
		u.processes += processes;
		if (hosts > 1)
			add_host(&names, ++n, h->name ? h->name : "?");
	}
	if (u.processes > 0) {
		u.file = span_str(metric_source_path(SOURCE_IO));
		buf_add_str(to, "?: ");
		unread_add_what(&u, to);
		buf_add_str(to, buf_str(&names));
		add_more(to, n);
		buf_add_str(to, ": ");
		unread_add_remedy(&u, to);
	}
	buf_release(&names);
	return u.processes > 0;
}

/* What is so of some hosts, these, and what more there is to say; false: of none. */
static bool note_hosts(const struct engine *e,
	bool (*is_so)(const struct host *h), const char *what,
	const char *more, struct buf *to)
{
	size_t hosts = world_hosts(e->world), n = 0, i;

	for (i = 0; i < hosts; i++) {
		const struct host *h = world_host(e->world, i);

		if (!is_so(h))
			continue;
		if (n++ == 0)
			buf_add_str(to, what);
		if (hosts > 1)
			add_host(to, n, h->name ? h->name : "?");
	}
	add_more(to, n);
	if (n > 0)
		buf_add_str(to, more);
	return n > 0;
}

bool uncounted_note(const struct engine *e, const struct view *v,
	struct buf *to)
{
	return strcmp(v->name, "offcpu") == 0 && note_hosts(e,
	    counts_no_delays,
	    "offcpu: BLKIO and delays of memory are not counted",
	    ": sysctl kernel.task_delayacct=1 counts them, for processes started "
	    "afterwards", to);
}

static bool shows_spill(const struct view *v)
{
	size_t i;

	for (i = 0; v->entity == ENTITY_PROCESS && i < v->n_figure; i++) {
		const struct figure *f = &v->figure[i];

		if (f->n_from > 0 && f->from[0] == COL(PROCESS, SPILL))
			return true;
	}
	return false;
}

static bool is_spill_cut(const struct host *h)
{
	const struct row *r = host_row(h);
	uint64_t cut;

	return r && row_get(r, COL(HOST, SPILL_CUT), &cut) && cut != 0;
}

bool uncounted_spill_note(const struct engine *e, const struct view *v,
	struct buf *to)
{
	return shows_spill(v) && note_hosts(e, is_spill_cut,
	    "spill: not all temporary files could be listed in time",
	    ": sizes are those of the last complete list, or not known", to);
}
