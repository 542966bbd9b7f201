/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waitgrid_sessions.c - the lines of sessions in the view waits.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/mem.h"
#include "waitgrid/waitgrid_int.h"

/* A session, all its backends together. */
struct session_sum {
	uint64_t session;
	const struct wait_backend *leader;
	const struct wait_event *top; /* what it did most, CPU* included */
	int64_t top_ns;
	struct wait_at at[WAIT_WINDOWS_MAX];
};

static int by_session(const void *a, const void *b)
{
	const struct session_sum *x = a, *y = b;

	return x->session < y->session ? -1 : x->session > y->session;
}

static void add_to_session(struct session_sum *s, const struct wait_item *it,
	size_t k, bool longest)
{
	s->at[k].ns = gs_sum(s->at[k].ns, it->sum->time_ns);
	s->at[k].segment_ns = gs_sum(s->at[k].segment_ns, it->segment->time_ns);
	s->at[k].samples += it->sum->samples;
	if (!longest)
		return;
	if (!s->leader || (uint64_t)it->backend->pid == s->session ||
	    s->leader->content >= 0)
		s->leader = it->backend;
}

static bool is_client(const struct wait_item *it)
{
	return wait_event_works(it->event) &&
	    it->backend->part == WAIT_FOREGROUND;
}

/* One activity of a session, all its backends on the coordinator together. */
struct activity {
	uint64_t session;
	const struct wait_event *event;
	int64_t ns;
};

static int by_activity(const void *a, const void *b)
{
	const struct activity *x = a, *y = b;
	uintptr_t xe = (uintptr_t)x->event, ye = (uintptr_t)y->event;

	if (x->session != y->session)
		return x->session < y->session ? -1 : 1;
	return xe < ye ? -1 : xe > ye;
}

/* Each activity once; the caller frees it. */
static struct activity *sum_activities(const struct wait_items *of,
	size_t *ret_n)
{
	struct activity *a = gs_calloc(of->n + 1, sizeof(*a));
	size_t i, n = 0, kept = 0;

	for (i = 0; i < of->n; i++) {
		const struct wait_item *it = &of->item[i];

		if (is_client(it) && it->backend->content < 0)
			a[n++] = (struct activity) { it->backend->session,
				it->event, it->time_ns };
	}
	if (n > 1)
		qsort(a, n, sizeof(*a), by_activity);
	for (i = 0; i < n; i++) {
		if (kept > 0 && by_activity(&a[kept - 1], &a[i]) == 0)
			a[kept - 1].ns = gs_sum(a[kept - 1].ns, a[i].ns);
		else
			a[kept++] = a[i];
	}
	*ret_n = kept;
	return a;
}

/* Equal times: the first name, so that the same recording shows the same. */
static bool is_more(const struct activity *a, const struct session_sum *s)
{
	char x[WAIT_NAME_MAX], y[WAIT_NAME_MAX];

	if (!s->top || a->ns != s->top_ns)
		return !s->top || a->ns > s->top_ns;
	(void)wait_event_name(a->event, x);
	(void)wait_event_name(s->top, y);
	return strcmp(x, y) < 0;
}

static void find_tops(struct session_sum *s, size_t n,
	const struct wait_items *of)
{
	size_t i, n_activity;
	struct activity *a = sum_activities(of, &n_activity);

	for (i = 0; i < n_activity; i++) {
		const struct session_sum key = { .session = a[i].session };
		struct session_sum *found = bsearch(&key, s, n, sizeof(*s),
		    by_session);

		if (found && is_more(&a[i], found)) {
			found->top = a[i].event;
			found->top_ns = a[i].ns;
		}
	}
	free(a);
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Those of the items, once each, in order of their numbers, without sums; the caller frees
 * them.  There are many items of each. */
static struct session_sum *list_sessions(const struct wait_items *of,
	size_t *ret_n)
{
	uint64_t *number = gs_calloc(of->n + 1, sizeof(*number));
	struct session_sum *s;
	size_t i, n = 0, kept = 0;

	for (i = 0; i < of->n; i++) {
		if (is_client(&of->item[i]))
			number[n++] = of->item[i].backend->session;
	}
	qsort(number, n, sizeof(*number), by_number);
	for (i = 0; i < n; i++) {
		if (kept == 0 || number[kept - 1] != number[i])
			number[kept++] = number[i];
	}
	s = gs_calloc(kept + 1, sizeof(*s));
	for (i = 0; i < kept; i++)
		s[i].session = number[i];
	free(number);
	*ret_n = kept;
	return s;
}

/* Sessions of the longest window, in order of their numbers. */
static struct session_sum *sum_sessions(const struct wait_lines *l,
	size_t *ret_n)
{
	const struct wait_items *all = wait_lines_all(l);
	struct session_sum *s = list_sessions(all, ret_n);
	size_t i, k, kept = *ret_n;

	for (k = 0; k < l->n_window; k++) {
		for (i = 0; i < l->of[k].n; i++) {
			const struct wait_item *it = &l->of[k].item[i];
			struct session_sum key, *found;

			if (!is_client(it))
				continue;
			key.session = it->backend->session;
			found = bsearch(&key, s, kept, sizeof(*s),
			    by_session);
			if (found)
				add_to_session(found, it, k,
				    k == l->n_window - 1);
		}
	}
	find_tops(s, kept, all);
	return s;
}

static const struct session_sum *most_of(struct session_sum *s, size_t n,
	size_t last)
{
	struct session_sum *best = NULL;
	size_t i;

	for (i = 0; i < n; i++) {
		if (s[i].leader && (!best ||
		    s[i].at[last].ns > best->at[last].ns ||
		    (s[i].at[last].ns == best->at[last].ns &&
		    s[i].at[last].segment_ns > best->at[last].segment_ns)))
			best = &s[i];
	}
	return best;
}

void wait_add_sessions(struct wait_lines *to,
	const struct wait_lines *by_backend, size_t most)
{
	size_t n, k, last = to->n_window - 1;
	struct session_sum *s = sum_sessions(by_backend, &n);

	for (; most > 0; most--) {
		char name[2 * WAIT_NAME_MAX], top[WAIT_NAME_MAX] = "";
		const struct session_sum *best = most_of(s, n, last);
		struct wait_line *line;

		if (!best)
			break;
		if (best->top)
			(void)wait_event_name(best->top, top);
		(void)snprintf(name, sizeof(name), "%" PRIu64 " %.40s%s%s",
		    best->session, best->leader->user ? best->leader->user
		    : "", top[0] ? ", most: " : "", top);
		line = wait_lines_add(to, "session", name, true);
		for (k = 0; k <= last; k++)
			line->at[k] = best->at[k];
		s[best - s].leader = NULL; /* shown already */
	}
	free(s);
}
