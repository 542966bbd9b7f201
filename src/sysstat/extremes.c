/* SPDX-License-Identifier: Apache-2.0 */
#include "sysstat/extremes.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void extremes_release(struct extremes *e)
{
	size_t i;

	for (i = 0; i < e->n; i++) {
		free(e->row[i].host);
		free(e->row[i].name);
		free(e->row[i].least);
		free(e->row[i].most);
	}
	free(e->row);
	*e = (struct extremes) EXTREMES_INIT;
}

/* Rows mostly come in the same order. */
struct extremes_row *extremes_find(struct extremes *e, const char *host,
	const char *name)
{
	size_t i;

	for (i = 0; i < e->n; i++) {
		size_t at = (e->next + i) % e->n;
		struct extremes_row *r = &e->row[at];

		if (strcmp(r->name, name) == 0 && strcmp(r->host, host) == 0) {
			e->next = at + 1;
			return r;
		}
	}
	return NULL;
}

static struct extremes_row *add(struct extremes *e, const char *host,
	const char *name, size_t n)
{
	struct extremes_row *r;

	GS_GROW(e->row, &e->cap, e->n + 1);
	r = &e->row[e->n++];
	/* all absent */
	*r = (struct extremes_row) { .host = gs_strdup(host),
		.name = gs_strdup(name), .least = gs_calloc(n, sizeof(*r->least)),
		.most = gs_calloc(n, sizeof(*r->most)) };
	return r;
}

static double size_of(const struct value *v)
{
	return v->kind == VALUE_WHOLE ? (double)v->whole : v->real;
}

void extremes_add(struct extremes *e, const char *host, const char *name,
	const struct value *v, size_t n)
{
	struct extremes_row *r = extremes_find(e, host, name);
	size_t i;

	if (!r)
		r = add(e, host, name, n);
	for (i = 0; i < n; i++) {
		if (v[i].kind == VALUE_ABSENT)
			continue;
		if (r->least[i].kind == VALUE_ABSENT ||
		    size_of(&v[i]) < size_of(&r->least[i]))
			r->least[i] = v[i];
		if (r->most[i].kind == VALUE_ABSENT ||
		    size_of(&v[i]) > size_of(&r->most[i]))
			r->most[i] = v[i];
	}
}
