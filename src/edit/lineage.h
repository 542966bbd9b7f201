/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lineage.h - which recording a file is of that was made of others.
 */
#ifndef GS_EDIT_LINEAGE_H
#define GS_EDIT_LINEAGE_H

#include "model/header.h"

/* Another recording, but always the same one for the same command. */
void lineage_derive(uint8_t id[RECORDING_ID_LEN], const char *command);

/* Names from among the recordings that h was made of, once.  recorder_host,
 * which may be NULL, and clock_ns: as in struct header_source. */
void lineage_add(struct header *h, const struct header *from,
	char *recorder_host, int64_t clock_ns);

/* Those that an earlier header named, too. */
void lineage_keep(struct header *h, const struct header *was);

#endif
