/* SPDX-License-Identifier: Apache-2.0 */
/*
 * keyfile.h - pseudonyms (alias.h) in a file, which stays with the sender.
 *
 *   gpsnap-key 1
 *   user-1<TAB>o'brien
 *   db-1<TAB>Gr\xc3\xb6\xc3\x9fe DB
 *   end 2 1c291ca3
 *
 * Lines of text; in names all but printable ASCII, and the backslash, stands
 * as \xHH.  The last line has the number of names and the CRC32C of all
 * that stands before it: a file that was cut or changed is refused, since
 * numbers would be given to other names.
 *
 * Use: keyfile_open(), which locks against others; keyfile_save() as often as
 * there is something new; keyfile_close().  keyfile_read() only looks.
 */
#ifndef GS_ANONYMIZE_KEYFILE_H
#define GS_ANONYMIZE_KEYFILE_H

#include "anonymize/alias.h"
#include "base/err.h"

/* A file is no larger. */
#define KEYFILE_MAX_BYTES (256u << 20)

struct keyfile {
	char *path;
	int lock;
	struct aliases *aliases;
	size_t n_saved; /* names in the file; SIZE_MAX: there is none */
};

#define KEYFILE_INIT { .lock = -1 }

/* The file, which need not exist, and its lock, path.lock beside it: waits
 * while another has it.  keyfile_close() in any case. */
int keyfile_open(struct keyfile *k, const char *path, struct gs_err *err);

/* Replaces the file if there are new names, or if there is none yet: mode
 * 0600, whole or not at all. */
int keyfile_save(struct keyfile *k, struct gs_err *err);

void keyfile_close(struct keyfile *k);

/* The names of a file, which must exist; the caller's. */
int keyfile_read(const char *path, struct aliases **ret, struct gs_err *err);

/* From memory, for tests; path is for the messages. */
int keyfile_parse(const char *path, const char *text, size_t len,
	struct aliases *to, struct gs_err *err);

#endif
