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
	if (b->worker == process)
		return;
	if (b->worker)
		HASH_DEL(s->working, b);
	b->worker = NULL;
	/* two rows of one process would wake one of them */
	if (!process || waits_of_worker(s, process))
		return;
	b->worker = process;
	HASH_ADD_PTR(s->working, worker, b);
}
