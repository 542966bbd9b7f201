/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sections.c - which tables a comparison has.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "diff/diff_int.h"
#include "metric/section.h"

/* The page.  Sessions have no identity of their own in two recordings. */
static const struct {
	const char *title, *view, *keys;
	const char *elsewhere; /* keys if the recordings are not the same */
	const char *segment; /* keys for one segment; NULL: not of segments */
} page[] = {
	{ "hosts", "hosts", NULL, NULL, NULL },
	{ "waits", "system_event", NULL, NULL, NULL },
	{ "sessions", "sessions", NULL, "user,database", "session,segment" },
	{ "statements", "queries", NULL, NULL, NULL },
	{ "processes", "processes", "command", "command", "command,segment" },
	{ "disks", "disks", NULL, NULL, NULL },
};

static bool is_same_recording(const struct diff *d)
{
	return memcmp(d->side[0].header->recording_id,
	    d->side[1].header->recording_id, RECORDING_ID_LEN) == 0;
}

static bool is_by_segment(const struct diff *d)
{
	return d->side[0].segment != NULL;
}

static struct diff_section *add(struct diff *d, const char *title,
	const char *view)
{
	struct diff_section *s = &d->section[d->n++];

	*s = (struct diff_section) { .title = title, .words = d->o->words };
	s->words.view = view;
	s->words.compared = true;
	s->words.with_sides = d->o->for_people;
	return s;
}

/* ---- the page ----------------------------------------------------------- */

static bool is_on_page(struct span name)
{
	size_t i;

	for (i = 0; i < GS_LEN(page); i++) {
		if (span_eq(name, page[i].title))
			return true;
	}
	return false;
}

static int check_names(const char *list, struct gs_err *err)
{
	struct span rest = span_str(list), name;
	struct buf all = BUF_INIT;
	size_t i;
	int r = GS_OK;

	for (i = 0; i < GS_LEN(page); i++)
		buf_printf(&all, "%s%s", i ? ", " : "", page[i].title);
	while (r == GS_OK && grid_next_name(&rest, &name)) {
		if (!is_on_page(name))
			r = gs_fail(err, GS_E_USAGE, "--sections: no section "
			    "\"%.*s\"; there are: %s",
			    (int)GS_MIN(span_len(name), 60), name.ptr,
			    buf_str(&all));
	}
	buf_release(&all);
	return r;
}

static int choose_page(struct diff *d, struct gs_err *err)
{
	const struct ask_words *w = &d->o->words;
	bool same = is_same_recording(d);
	size_t i;
	int r = d->o->sections ? check_names(d->o->sections, err) : GS_OK;

	if (r == GS_OK && (w->where || w->session || w->server || w->columns))
		r = gs_fail(err, GS_E_USAGE, "--where, --session, --server and "
		    "--columns need one table: -V VIEW, --entity ENTITY or "
		    "--group-by KEYS");
	for (i = 0; r == GS_OK && i < GS_LEN(page); i++) {
		struct diff_section *s;

		if ((d->o->sections && !grid_list_has(d->o->sections,
		    page[i].title)) || (is_by_segment(d) && !page[i].segment))
			continue;
		s = add(d, page[i].title, page[i].view);
		s->lines = true;
		s->words.group_by = is_by_segment(d) ? page[i].segment
		    : same ? page[i].keys : page[i].elsewhere;
	}
	return r;
}

/* ---- one table ---------------------------------------------------------- */

/* Groups of one segment have it as their last key. */
static const char *keys_of(struct diff *d)
{
	const char *keys = d->o->words.group_by;
	struct buf b = BUF_INIT;

	if (!keys || !is_by_segment(d))
		return keys;
	buf_printf(&b, "%s,segment", keys);
	free(d->keys);
	d->keys = gs_strdup(buf_str(&b));
	buf_release(&b);
	return d->keys;
}

static const char *view_of_entity(const char *name)
{
	size_t i;

	for (i = 0; view_at(i); i++) {
		const struct view *v = view_find(view_at(i));
		const char *of = view_metrics(v);

		if (of && strcmp(of, name) == 0 && !view_is_overview(v) &&
		    strcmp(view_at(i), "sessions") != 0 &&
		    strcmp(view_at(i), "queries") != 0 &&
		    strcmp(view_at(i), "statements") != 0)
			return view_at(i);
	}
	return NULL;
}

/* Locks have nothing but states. */
static bool has_amounts(const struct entity *e)
{
	unsigned i;

	for (i = 0; i < e->ncols; i++) {
		if (e->metrics[i].cls == CLASS_COUNTER ||
		    e->metrics[i].cls == CLASS_GAUGE)
			return true;
	}
	return false;
}

/* The entities with a view of figures, in the order of the registry; NULL after
 * the last. */
static const struct entity *entity_at(size_t i)
{
	int e;

	for (e = 0; e < ENTITY_COUNT; e++) {
		const struct entity *of = entity_get((enum entity_id)e);

		if (has_amounts(of) && view_of_entity(of->name) && i-- == 0)
			return of;
	}
	return NULL;
}

void diff_list_entities(struct buf *to)
{
	const struct entity *e;
	size_t i;

	for (i = 0; (e = entity_at(i)) != NULL; i++)
		buf_printf(to, "%-10s  %s\n", e->name, e->help);
}

static int no_entity(const char *name, struct gs_err *err)
{
	const struct entity *e;
	struct buf b = BUF_INIT;
	size_t i;
	int r;

	for (i = 0; (e = entity_at(i)) != NULL; i++)
		buf_printf(&b, "%s%s", i > 0 ? ", " : "", e->name);
	r = gs_fail(err, GS_E_USAGE, "--entity: no entity \"%.60s\" with a "
	    "view; there are: %s", name, buf_str(&b));
	buf_release(&b);
	return r;
}

/* Processes and threads have no identity in another recording. */
static const char *usual_keys(const struct diff *d, const char *view)
{
	bool segment = is_by_segment(d);

	if (strcmp(view, "processes") == 0)
		return segment ? "command,segment" : "command";
	if (strcmp(view, "threads") == 0)
		return segment ? "command,thread,segment" : "command,thread";
	return NULL;
}

static int choose_entity(struct diff *d, struct gs_err *err)
{
	const char *view = view_of_entity(d->o->entity);
	struct diff_section *s;

	if (!view)
		return no_entity(d->o->entity, err);
	s = add(d, view, view);
	s->lines = s->all = true;
	s->words.group_by = keys_of(d);
	if (!s->words.group_by)
		s->words.group_by = usual_keys(d, view);
	s->words.all_metrics = true;
	return GS_OK;
}

/* Names are put into classes where they are keys. */
static void choose_names(const struct diff *d, struct ask_words *w)
{
	bool cgroup = w->group_by && grid_list_has(w->group_by, "cgroup");
	bool named = cgroup || (w->group_by &&
	    (grid_list_has(w->group_by, "command") ||
	    grid_list_has(w->group_by, "thread")));

	w->normalize = named && !d->o->literal;
	if (!cgroup && d->n > 1) /* of the page */
		w->n_flatten = 0;
}

/* "-a,+b" without the signs. */
static void add_unsigned(struct buf *to, const char *names)
{
	struct span rest = span_str(names ? names : ""), name;

	while (names && grid_next_name(&rest, &name)) {
		name.ptr += !span_empty(name) &&
		    (*name.ptr == '-' || *name.ptr == '+');
		buf_printf(to, "%s%.*s", to->len ? "," : "",
		    (int)span_len(name), name.ptr);
	}
}

static void name_columns(struct diff *d)
{
	struct buf b = BUF_INIT;

	add_unsigned(&b, d->o->metrics);
	add_unsigned(&b, d->o->words.sort);
	d->columns = b.len > 0 ? gs_strdup(buf_str(&b)) : NULL;
	buf_release(&b);
}

/* Further metrics are columns that are asked for; what is no metric there is a
 * column of lines, or is reported with them. */
static void choose_metrics(const struct diff *d, struct diff_section *s)
{
	s->words.rates = s->lines && !d->o->totals;
	s->words.stand_ins = s->lines;
	if (s->lines && d->columns)
		s->words.columns = d->columns;
}

void diff_list_sections(struct buf *to)
{
	int k;
	size_t i;

	buf_add_str(to, "the page:\n");
	for (i = 0; i < GS_LEN(page); i++)
		buf_printf(to, "  %-10s  view %s\n", page[i].title,
		    page[i].view);
	buf_add_str(to, "of --entity and --group-by, by what their figures are "
	    "about:\n");
	for (k = 1; k <= SECTION_COUNT; k++) {
		enum metric_section s = (enum metric_section)
		    (k % SECTION_COUNT); /* other is last */

		buf_printf(to, "  %-10s  %s\n", metric_section_name(s),
		    metric_section_help(s));
	}
	buf_add_str(to, "  all         all of these\n");
}

static const char *view_of_keys(const char *keys)
{
	return grid_list_has(keys, "device") ? "cgroup_io"
	    : grid_list_has(keys, "thread") ? "threads" : "processes";
}

int sections_choose(struct diff *d, struct gs_err *err)
{
	const struct diff_options *o = d->o;
	struct diff_section *s;
	int r = GS_OK;
	size_t i;

	if (about_is_asked(d))
		r = about_check(d, err);
	if (r < 0)
		return r;
	if (o->entity) {
		r = choose_entity(d, err);
	} else if (o->words.view) {
		s = add(d, NULL, o->words.view);
		s->words.group_by = keys_of(d);
	} else if (o->words.group_by) {
		s = add(d, NULL, view_of_keys(o->words.group_by));
		s->title = s->words.view;
		s->lines = true;
		s->words.group_by = keys_of(d);
	} else {
		r = choose_page(d, err);
	}
	if (r == GS_OK && o->fail_if)
		r = gate_choose(d, err);
	name_columns(d);
	for (i = 0; r == GS_OK && i < d->n; i++) {
		choose_names(d, &d->section[i].words);
		choose_metrics(d, &d->section[i]);
		r = ask_new(&d->section[i].words, &d->section[i].ask, err);
		if (r == GS_OK && view_is_overview(ask_view(d->section[i].ask)))
			r = gs_fail(err, GS_E_USAGE, "the overview can't be "
			    "compared: leave out -V");
	}
	return r;
}
