/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pseudonyms.h - the key file of gpsnap share --anonymize: its path, its names,
 * its summary.
 */
#ifndef GS_CLI_PSEUDONYMS_H
#define GS_CLI_PSEUDONYMS_H

#include "anonymize/anon.h"
#include "anonymize/keyfile.h"
#include "base/buf.h"
#include "base/err.h"

struct pseudonyms {
	struct keyfile key;
	struct anon *anon;
	size_t n_before; /* names in the file at the start */
};

#define PSEUDONYMS_INIT { .key = KEYFILE_INIT }

/* path NULL: share.key in the directory of the user's own files, which is made.
 * pseudonyms_close() in any case. */
int pseudonyms_open(struct pseudonyms *p, const char *path,
	struct gs_err *err);
int pseudonyms_save(struct pseudonyms *p, struct gs_err *err);
void pseudonyms_close(struct pseudonyms *p);

/* Appends how many names there are, and where. */
void pseudonyms_tell(const struct pseudonyms *p, struct buf *to);

#endif
