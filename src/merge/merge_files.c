/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_files.c - finds the recordings of a merge, and joins successive ones.
 */
#include "merge/merge_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "replay/recfile.h"

/* A file that was found. */
struct found {
	struct recfile is; /* first: recfile_sort() */
	size_t operand; /* that named it */
};

/* The files of one recording. */
struct group {
	size_t first, end; /* of the files */
	size_t operand; /* the first of theirs */
	int64_t from_ns, to_ns;
	const char *recorder;
	size_t input; /* that it is of */
};

struct survey {
	struct merge *m;
	struct found *file;
	size_t n, cap;
	struct group *group;
	size_t n_group, group_cap;
};

/* ---- files ------------------------------------------------------------ */

static void add_found(struct survey *s, struct recfile *f, size_t operand)
{
	if (f->refused) {
		merge_add_note(s->m, gs_strdup(f->refused));
		s->m->n_refused++;
		recfile_release(f);
		return;
	}
	GS_GROW(s->file, &s->cap, s->n + 1);
	s->file[s->n++] = (struct found) { *f, operand };
}

static int add_operand(struct survey *s, const char *path, size_t operand,
	struct gs_err *err)
{
	struct recfile *list = NULL, one;
	size_t i, n = 0;
	int r;

	if (strcmp(path, "-") == 0)
		return gs_fail(err, GS_E_USAGE, "-: merge reads "
		    "recordings twice: write it to a file first");
	if (path_is_directory(path)) {
		r = recfile_list(path, false, &list, &n, err);
		for (i = 0; i < n; i++)
			add_found(s, &list[i], operand);
		free(list);
		return r;
	}
	r = recfile_open(path, &one, err);
	if (r == GS_OK)
		add_found(s, &one, operand);
	return r;
}

/* ---- recordings -------------------------------------------------------- */

static void find_groups(struct survey *s)
{
	size_t i = 0, k;

	recfile_sort(s->file, s->n, sizeof(*s->file));
	while (i < s->n) {
		const struct header *h = s->file[i].is.header;
		struct group g = { .first = i, .operand = SIZE_MAX,
			.recorder = h->recorder_host ? h->recorder_host : "" };

		for (k = i; k < s->n && recfile_same(&s->file[i].is,
		    &s->file[k].is); k++)
			g.operand = GS_MIN(g.operand, s->file[k].operand);
		g.end = i = k;
		GS_GROW(s->group, &s->group_cap, s->n_group + 1);
		s->group[s->n_group++] = g;
	}
}

/* The files of the groups of an input. */
static size_t paths_of(const struct survey *s, size_t input, char **path)
{
	size_t i, k, n = 0;

	for (i = 0; i < s->n_group; i++) {
		const struct group *g = &s->group[i];

		for (k = g->first; g->input == input && k < g->end; k++)
			path[n++] = s->file[k].is.path;
	}
	return n;
}

static void note_kind(const struct recfile *f, struct input *l)
{
	char **to = f->header->thinned_ns > 0 ? &l->thin : &l->full;

	if (!*to)
		*to = gs_strdup(f->path);
}

/* Days of a recording may be thinned, and others not. */
static void note_thinned(const struct survey *s, size_t input, struct input *l)
{
	size_t i, k;

	for (i = 0; i < s->n_group; i++) {
		const struct group *g = &s->group[i];

		for (k = g->first; g->input == input && k < g->end; k++)
			note_kind(&s->file[k].is, l);
	}
}

static int open_input(struct survey *s, size_t input, struct input **ret,
	struct gs_err *err)
{
	char **path = gs_calloc(s->n, sizeof(*path));
	size_t n = paths_of(s, input, path);
	int r = input_open(path, n, &s->m->pick, ret, err);

	if (r == GS_OK)
		note_thinned(s, input, *ret);
	free(path);
	return r;
}

/* Finds the range of each recording; opens it as an input for that. */
static int find_ranges(struct survey *s, struct gs_err *err)
{
	size_t i;
	int r = GS_OK;

	for (i = 0; i < s->n_group; i++)
		s->group[i].input = i;
	for (i = 0; r == GS_OK && i < s->n_group; i++) {
		struct input *l = NULL;

		r = open_input(s, i, &l, err);
		if (r < 0)
			break;
		s->group[i].from_ns = l->first_ns;
		s->group[i].to_ns = l->last_ns;
		input_free(l);
	}
	return r;
}

static int by_start(const void *x, const void *y)
{
	const struct group *a = x, *b = y;

	return (a->from_ns > b->from_ns) - (a->from_ns < b->from_ns);
}

/* The last group of an input. */
struct input_end {
	int64_t to_ns;
	const char *recorder;
	size_t operand; /* first of those that it has */
	size_t number; /* groups of it have that */
};

/* Joins successive recordings of a recorder to one input; returns how many
 * inputs there are. */
static size_t find_inputs(struct survey *s, struct input_end *end)
{
	size_t i, k, n = 0;

	qsort(s->group, s->n_group, sizeof(*s->group), by_start);
	for (i = 0; i < s->n_group; i++) {
		struct group *g = &s->group[i];

		for (k = 0; k < n; k++) {
			if (end[k].to_ns < g->from_ns &&
			    strcmp(end[k].recorder, g->recorder) == 0)
				break;
		}
		if (k == n)
			end[n++] = (struct input_end) { .operand = g->operand,
				.recorder = g->recorder, .number = k };
		end[k].to_ns = g->to_ns;
		end[k].operand = GS_MIN(end[k].operand, g->operand);
		g->input = k;
	}
	return n;
}

static int by_operand(const void *x, const void *y)
{
	const struct input_end *a = x, *b = y;

	if (a->operand != b->operand)
		return a->operand < b->operand ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static int open_inputs(struct survey *s, struct gs_err *err)
{
	struct input_end *end = gs_calloc(s->n_group, sizeof(*end));
	size_t i, n = find_inputs(s, end);
	int r = GS_OK;

	qsort(end, n, sizeof(*end), by_operand);
	for (i = 0; r == GS_OK && i < n; i++) {
		struct input *l = NULL;

		r = open_input(s, end[i].number, &l, err);
		if (r < 0)
			break;
		GS_GROW(s->m->input, &s->m->input_cap, s->m->n_input + 1);
		s->m->input[s->m->n_input++] = l;
	}
	free(end);
	return r;
}

int merge_find(struct merge *m, char *const *path, size_t n, struct gs_err *err)
{
	struct survey s = { .m = m };
	size_t i;
	int r = GS_OK;

	for (i = 0; r == GS_OK && i < n; i++)
		r = add_operand(&s, path[i], i, err);
	if (r == GS_OK && s.n == 0)
		r = gs_fail(err, GS_E_USAGE, "expected a recording");
	if (r == GS_OK) {
		find_groups(&s);
		r = find_ranges(&s, err);
	}
	m->plain = s.n_group == 1;
	if (r == GS_OK)
		r = open_inputs(&s, err);
	for (i = 0; i < s.n; i++)
		recfile_release(&s.file[i].is);
	free(s.file);
	free(s.group);
	return r;
}
