/* SPDX-License-Identifier: Apache-2.0 */
#include "query/row_key.h"

#include <string.h>

#include "base/fnv.h"

#define BIT(e) (UINT64_C(1) << ENTITY_##e)

/* Rows of a host that a new agent names again. */
#define OF_HOST (BIT(CPU) | BIT(DISK) | BIT(NET) | BIT(FS) | BIT(CGROUP) | \
	BIT(CGROUP_IO) | BIT(AGENT))

/* A reset of counters makes a new row of the same database, and of the same
 * server, of which there is one in a catalog. */
static bool counters_key(const struct row *row, uint64_t key[ROW_KEY])
{
	if (row->entity == ENTITY_WAL) {
		key[0] = 0;
		return true;
	}
	return row->entity == ENTITY_DATABASE &&
	    row_get(row, COL(DATABASE, OID), &key[0]);
}

/* By its names: a text has another number once all rows with it are gone. */
static uint64_t hash_names(const struct world *w, const struct row *row)
{
	const struct entity *en = entity_get(row->entity);
	uint64_t h = FNV_BASIS, v = 0;
	unsigned i;

	for (i = 0; i < en->ncols; i++) {
		const struct metric *m = &en->metrics[i];
		struct span text;

		if (!(m->flags & F_ID) || !row_get(row, i, &v))
			continue;
		if (metric_is_text(m)) {
			text = row_text(w, row, i);
			h = fnv_add(h, text.ptr, span_len(text));
		} else {
			h = fnv_add(h, &v, sizeof(v));
		}
	}
	return h;
}

/* Of an agent its host is enough: there is one at a time. */
static void of_host_key(const struct world *w, const struct row *row,
	uint64_t key[ROW_KEY])
{
	key[0] = row->entity == ENTITY_AGENT ? 0 : hash_names(w, row);
	key[2] = row->host->index;
}

bool row_key(const struct world *w, const struct row *row,
	uint64_t key[ROW_KEY])
{
	bool known = false;

	memset(key, 0, ROW_KEY * sizeof(*key));
	if (OF_HOST >> row->entity & 1) {
		of_host_key(w, row, key);
		return true;
	}
	key[0] = row->serial;
	if (row->entity == ENTITY_PROCESS)
		known = row_get(row, COL(PROCESS, PID), &key[0]) &&
		    row_get(row, COL(PROCESS, START), &key[1]);
	else if (row->entity == ENTITY_THREAD)
		known = row_get(row, COL(THREAD, TID), &key[0]) &&
		    row_get(row, COL(THREAD, START), &key[1]) &&
		    row_get(row, COL(THREAD, PID), &key[4]);
	else
		known = counters_key(row, key);
	if (known) {
		key[2] = row->host->index;
		key[3] = row->host->boot_ids;
	} else if (row->entity == ENTITY_HOST) {
		key[0] = row->host->index;
	}
	return known;
}
