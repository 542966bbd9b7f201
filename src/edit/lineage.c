/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/lineage.h"

#include <string.h>

#include "base/fnv.h"

void lineage_derive(uint8_t id[RECORDING_ID_LEN], const char *command)
{
	uint64_t h = fnv_add(FNV_BASIS, command, strlen(command));
	size_t i;

	for (i = 0; i < RECORDING_ID_LEN; i++) {
		h = (h ^ id[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
		id[i] = (uint8_t)(id[i] ^ (h >> 32));
	}
}

/* Of its first n. */
static bool is_source(const struct header *h, size_t n, const uint8_t *id)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (memcmp(h->source[i].recording_id, id,
		    RECORDING_ID_LEN) == 0)
			return true;
	}
	return false;
}

void lineage_add(struct header *h, const struct header *from,
	char *recorder_host, int64_t clock_ns)
{
	struct header_source s = { .started_ns = from->started_ns,
		.recorder_host = recorder_host, .clock_ns = clock_ns };

	if (is_source(h, h->n_source, from->recording_id))
		return;
	memcpy(s.recording_id, from->recording_id, RECORDING_ID_LEN);
	header_add_source(h, &s);
}

void lineage_keep(struct header *h, const struct header *was)
{
	size_t i, own = h->n_source;

	/* no two of them are the same */
	for (i = 0; i < was->n_source; i++) {
		if (!is_source(h, own, was->source[i].recording_id))
			header_add_source(h, &was->source[i]);
	}
}
