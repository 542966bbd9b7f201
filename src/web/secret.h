/* SPDX-License-Identifier: Apache-2.0 */
/*
 * secret.h - a word that nobody can guess, and its comparison.
 */
#ifndef GS_WEB_SECRET_H
#define GS_WEB_SECRET_H

#include <stdbool.h>

#include "base/err.h"

#define SECRET_LEN 32 /* hexadecimal digits: 128 bits */

int secret_make(char to[SECRET_LEN + 1], struct gs_err *err);

/* In a time that tells nothing but the length of given. */
bool secret_is(const char *given, const char *secret);

#endif
