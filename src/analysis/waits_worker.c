/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_worker.c - the process of a backend of the catalog, which works while its row
 * stays as it is.
 */
#include "analysis/waits_int.h"

struct seen *waits_of_worker(const struct waits *s, const struct row *process)
{
	struct seen *b = NULL;

	HASH_FIND_PTR(s->working, &process, b);
	return b;
}

void waits_set_worker(struct waits *s, struct seen *b, const struct row *process)
{
	struct seen *other;

	if (b->worker == process)
		return;
	if (b->worker)
		HASH_DEL(s->working, b);
	b->worker = process;
	if (!process)
		return;
	other = waits_of_worker(s, process);
	if (other) {
		HASH_DEL(s->working, other);
		other->worker = NULL;
	}
	HASH_ADD_PTR(s->working, worker, b);
}
