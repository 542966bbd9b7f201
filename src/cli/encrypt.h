/* SPDX-License-Identifier: Apache-2.0 */
/*
 * encrypt.h - a file that is written through age(1), which encrypts it.
 *
 * The standard output is encrypted meanwhile, so nothing readable is ever on a
 * disk.  The file gets its name when it is complete.
 *
 * Use: encrypt_begin(); write, and close the standard output; encrypt_end().
 */
#ifndef GS_CLI_ENCRYPT_H
#define GS_CLI_ENCRYPT_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/newfile.h"

struct encrypt {
	const char *path;
	struct newfile *file;
	pid_t age;
	int out; /* the standard output as it was */
};

/* recipient: as age -r takes it.  GS_E_NOTFOUND: age is not installed;
 * GS_E_EXISTS: path exists. */
int encrypt_begin(struct encrypt *e, const char *path, bool force,
	const char *recipient, struct gs_err *err);

/* Gives the file its name if all went well so far and age succeeded; else
 * removes it.  Restores the descriptor of the standard output. */
int encrypt_end(struct encrypt *e, bool good, struct gs_err *err);

#endif
