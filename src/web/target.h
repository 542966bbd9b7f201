/* SPDX-License-Identifier: Apache-2.0 */
/*
 * target.h - the target of a request, "/view?view=sessions&from=-1h": its path
 * and parameters.
 *
 * A path has letters, digits and / . _ - only, and names no file: nothing is
 * decoded in it.  Texts of parameters are decoded, and have no control
 * characters.
 */
#ifndef GS_WEB_TARGET_H
#define GS_WEB_TARGET_H

#include <stddef.h>

#include "base/err.h"

#define TARGET_MAX 8192 /* bytes of a target */
#define TARGET_PARAMS_MAX 24

struct target {
	char *path; /* begins with / */
	struct target_param {
		char *name, *value;
	} param[TARGET_PARAMS_MAX];
	size_t n;
	char *text; /* they point into it */
};

/* GS_E_USAGE: not such a target.  ret is released on failure, too. */
int target_parse(const char *raw, struct target *ret, struct gs_err *err);
void target_release(struct target *t);

#endif
