/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waitgrid_asked.c - checks whether waits of the selected event and classes
 * were seen; if not, lists those that were, the most similar first.
 */
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "waitgrid/waitgrid_int.h"

#define NAMES_MAX 12 /* names in the list */

struct names {
	char **name;
	size_t n, cap;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names that were seen; each once, sorted. */
static void list(struct names *l, const struct waits *w, bool classes)
{
	char name[WAIT_NAME_MAX];
	size_t i, n = 0;

	for (i = 0; i < waits_count(w); i++) {
		const struct wait_event *e = waits_get(w, i)->event;

		(void)wait_event_name(e, name);
		GS_GROW(l->name, &l->cap, l->n + 1);
		l->name[l->n++] = gs_strdup(classes ? e->class : name);
	}
	qsort(l->name, l->n, sizeof(*l->name), by_name);
	for (i = 0; i < l->n; i++) {
		if (n > 0 && strcmp(l->name[n - 1], l->name[i]) == 0)
			free(l->name[i]);
		else
			l->name[n++] = l->name[i];
	}
	l->n = n;
}

static void release(struct names *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		free(l->name[i]);
	free(l->name);
}

static const char *nearest(const struct names *l, const char *word)
{
	const char *best = NULL;
	size_t i;

	for (i = 0; i < l->n; i++) {
		if (suggest_is_close(word, l->name[i]) && (!best ||
		    suggest_distance(word, l->name[i]) <
		    suggest_distance(word, best)))
			best = l->name[i];
	}
	return best;
}

static void tell(const struct waits *w, const char *option, const char *word,
	bool classes, struct buf *to)
{
	struct names l = { .n = 0 };
	const char *near;
	size_t i;

	list(&l, w, classes); /* there is at least one */
	near = nearest(&l, word);
	buf_printf(to, "%s %s: not seen here", option, word);
	if (near)
		buf_printf(to, " (did you mean %s?)", near);
	for (i = 0; i < GS_MIN(l.n, (size_t)NAMES_MAX); i++)
		buf_printf(to, "%s%s", i > 0 ? ", " : "; there were ",
		    l.name[i]);
	if (l.n > NAMES_MAX)
		buf_printf(to, " and %zu more", l.n - NAMES_MAX);
	release(&l);
}

bool waitgrid_unseen(const struct waits *w, const struct wait_ask *a,
	struct buf *to)
{
	bool event = !a->event, class = !a->classes;
	char name[WAIT_NAME_MAX];
	size_t i;

	if (waits_count(w) == 0)
		return false;
	for (i = 0; i < waits_count(w) && !(event && class); i++) {
		const struct wait_event *e = waits_get(w, i)->event;

		(void)wait_event_name(e, name);
		event = event || strcmp(a->event, name) == 0;
		class = class || waitgrid_is_listed(a->classes, e->class);
	}
	if (!event)
		tell(w, "--event", a->event, false, to);
	else if (!class)
		tell(w, "--class", a->classes, true, to);
	return !event || !class;
}
