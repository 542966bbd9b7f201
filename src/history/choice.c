/* SPDX-License-Identifier: Apache-2.0 */
#include "history/choice.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "base/scan.h"

/* The next word of a list with commas, as a copy; NULL at the end. */
static char *next_word(struct span *list)
{
	struct span w;

	return scan_item(list, ',', &w) ? gs_strndup(w.ptr, span_len(w)) : NULL;
}

static bool fits(const char *pattern, const char *name)
{
	return fnmatch(pattern, name, 0) == 0;
}

/* ---- entities ---------------------------------------------------------- */

static int no_entity(const char *word, struct gs_err *err)
{
	struct buf names = BUF_INIT;
	int e;

	for (e = 0; e < ENTITY_COUNT; e++)
		buf_printf(&names, "%s, ",
		    entity_get((enum entity_id)e)->plural);
	(void)gs_fail(err, GS_E_USAGE, "--entities: no entity %s; there are:\n"
	    "%sevents", word, buf_str(&names));
	buf_release(&names);
	return GS_E_USAGE;
}

static bool add_entity(struct choice *c, const char *word)
{
	bool any = fits(word, "event") || fits(word, "events");
	int e;

	c->events |= any;
	for (e = 0; e < ENTITY_COUNT; e++) {
		const struct entity *en = entity_get((enum entity_id)e);

		if (!fits(word, en->name) && !fits(word, en->plural))
			continue;
		c->entity[e] = any = true;
	}
	return any;
}

/* ---- metrics ----------------------------------------------------------- */

static int no_metric(const char *word, struct gs_err *err)
{
	const char *near = NULL;
	int e;
	unsigned i;

	for (e = 0; e < ENTITY_COUNT; e++) {
		const struct entity *en = entity_get((enum entity_id)e);

		for (i = 0; i < en->ncols; i++) {
			const struct metric *m = &en->metrics[i];
			const char *n = strchr(word, '.') ? m->full_name
			                                  : m->name;

			if (suggest_is_close(word, n) && (!near ||
			    suggest_distance(word, n) <
			    suggest_distance(word, near)))
				near = n;
		}
	}
	if (near)
		return gs_fail(err, GS_E_USAGE, "--metrics: no metric %s (did "
		    "you mean %s?)", word, near);
	return gs_fail(err, GS_E_USAGE, "--metrics: no metric %s; "
	    "gpsnap-metrics(7) has them all", word);
}

static bool add_metric(struct choice *c, const char *word)
{
	bool any = false;
	int e;
	unsigned i;

	for (e = 0; e < ENTITY_COUNT; e++) {
		const struct entity *en = entity_get((enum entity_id)e);

		for (i = 0; i < en->ncols; i++) {
			if (!fits(word, en->metrics[i].name) &&
			    !fits(word, en->metrics[i].full_name))
				continue;
			c->metric[e][i / 64] |= UINT64_C(1) << (i % 64);
			any = true;
		}
	}
	return any;
}

/* Adds what each word of the list names; NULL: all. */
static int add_words(struct choice *c, const char *words,
	bool (*add)(struct choice *c, const char *word),
	int (*fail)(const char *word, struct gs_err *err), struct gs_err *err)
{
	struct span list = span_str(words ? words : "*");
	char *w;
	int r = GS_OK;

	while (r == GS_OK && (w = next_word(&list)) != NULL) {
		if (!add(c, w))
			r = fail(w, err);
		free(w);
	}
	return r;
}

int choice_init(struct choice *c, const char *entities, const char *metrics,
	const char *hosts, struct gs_err *err)
{
	struct span list = span_str(hosts ? hosts : "");
	char *w;
	int r;

	*c = (struct choice) { .host = NULL };
	while ((w = next_word(&list)) != NULL) {
		if (w[0] == '\0') {
			free(w);
			continue;
		}
		c->host = gs_realloc(c->host, (c->n_host + 1) *
		    sizeof(*c->host));
		c->host[c->n_host++] = w;
	}
	c->fitted = gs_calloc(c->n_host + 1, sizeof(*c->fitted));
	r = hosts && c->n_host == 0
	    ? gs_fail(err, GS_E_USAGE, "--hosts: no names in \"%.100s\"", hosts)
	    : add_words(c, entities, add_entity, no_entity, err);
	if (r == GS_OK)
		r = add_words(c, metrics, add_metric, no_metric, err);
	if (metrics && !entities)
		c->events = false; /* they have no metrics */
	if (r < 0)
		choice_release(c);
	return r;
}

void choice_release(struct choice *c)
{
	size_t i;

	for (i = 0; i < c->n_host; i++)
		free(c->host[i]);
	free(c->host);
	free(c->fitted);
	*c = (struct choice) { .host = NULL };
}

bool choice_has_metric(const struct choice *c, enum entity_id e, unsigned col)
{
	return c->metric[e][col / 64] >> (col % 64) & 1;
}

bool choice_has_host(const struct choice *c, const char *name)
{
	bool has = c->n_host == 0;
	size_t i;

	for (i = 0; i < c->n_host; i++) {
		if (fits(c->host[i], name))
			has = c->fitted[i] = true;
	}
	return has;
}

const char *choice_unknown_host(const struct choice *c)
{
	size_t i;

	for (i = 0; i < c->n_host; i++) {
		if (!c->fitted[i])
			return c->host[i];
	}
	return NULL;
}

bool choice_found_none(const struct choice *c)
{
	size_t i;

	for (i = 0; i < c->n_host; i++) {
		if (c->fitted[i])
			return false;
	}
	return c->n_host > 0;
}
