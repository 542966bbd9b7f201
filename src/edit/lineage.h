/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lineage.h - the identity and the sources of a derived recording.
 */
#ifndef GS_EDIT_LINEAGE_H
#define GS_EDIT_LINEAGE_H

#include "model/header.h"

/* Derives the id of a new recording; always the same one for the same
 * command. */
void lineage_derive(uint8_t id[RECORDING_ID_LEN], const char *command);

/* Adds from to the sources of h, unless it is there.  recorder_host,
 * which may be NULL, and clock_ns: as in struct header_source. */
void lineage_add(struct header *h, const struct header *from,
	char *recorder_host, int64_t clock_ns);

/* Adds the sources that an earlier header named. */
void lineage_keep(struct header *h, const struct header *was);

#endif
