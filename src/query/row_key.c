/* SPDX-License-Identifier: Apache-2.0 */
#include "query/row_key.h"

#include <string.h>

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

bool row_key(const struct row *row, uint64_t key[ROW_KEY])
{
	bool known = false;

	memset(key, 0, ROW_KEY * sizeof(*key));
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
