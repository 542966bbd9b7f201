/* SPDX-License-Identifier: Apache-2.0 */
/*
 * keyfile.h - pseudonyms (alias.h) in a file, which stays with the sender.
 *
 *   gpsnap-key 1
 *   user-1<TAB>o'brien
 *   db-1<TAB>Gr\xc3\xb6\xc3\x9fe DB
 *   end 2 1c291ca3
 *
 * Lines of text; in names all bytes but printable ASCII, and the backslash,
 * are written as \xHH.  The last line has the number of names and the CRC32C
 * of everything before it: a file that was cut or changed is refused, since
 * its numbers could be given to other names.
 *
 * Use: keyfile_open(), which locks the file; keyfile_save() whenever there are
 * new names; keyfile_close().  keyfile_read() takes no lock.
 */
#ifndef GS_ANONYMIZE_KEYFILE_H
#define GS_ANONYMIZE_KEYFILE_H

#include "anonymize/alias.h"
#include "base/err.h"

/* Maximum size of a file. */
#define KEYFILE_MAX_BYTES (256u << 20)

struct keyfile {
	char *path;
	int lock;
	struct aliases *aliases;
	size_t n_saved; /* names in the file; SIZE_MAX: there is no file */
};

#define KEYFILE_INIT { .lock = -1 }

/* Opens the file, which need not exist, and waits for its lock, path.lock in
 * the same directory.  Call keyfile_close() even after a failure. */
int keyfile_open(struct keyfile *k, const char *path, struct gs_err *err);

/* Replaces the file atomically, mode 0600, if there are new names or it does
 * not exist yet. */
int keyfile_save(struct keyfile *k, struct gs_err *err);

void keyfile_close(struct keyfile *k);

/* The names of a file, which must exist; the caller frees *ret. */
int keyfile_read(const char *path, struct aliases **ret, struct gs_err *err);

/* Parses text from memory, for tests; path is for messages. */
int keyfile_parse(const char *path, const char *text, size_t len,
	struct aliases *to, struct gs_err *err);

#endif
