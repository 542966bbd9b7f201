/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_note.c - the notes and the list of hosts of the merged recording.
 */
#include "merge/merge_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void merge_add_note(struct merge *m, char *text)
{
	size_t i;

	for (i = 0; i < m->n_note; i++) {
		if (strcmp(m->note[i], text) == 0) {
			free(text);
			return;
		}
	}
	GS_GROW(m->note, &m->note_cap, m->n_note + 1);
	m->note[m->n_note++] = text;
}

size_t merge_host_named(struct merge *m, const char *name, bool catalog)
{
	size_t i;

	for (i = 0; i < m->n_host; i++) {
		if (m->host[i].catalog == catalog &&
		    strcmp(m->host[i].name, name) == 0)
			return i;
	}
	GS_GROW(m->host, &m->host_cap, m->n_host + 1);
	m->host[m->n_host] = (struct merge_host) { .name = gs_strdup(name),
		.catalog = catalog };
	m->relisted = true;
	return m->n_host++;
}
