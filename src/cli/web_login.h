/* SPDX-License-Identifier: Apache-2.0 */
/*
 * web_login.h - the certificate of a server and the password of its users, from
 * files.
 */
#ifndef GS_CLI_WEB_LOGIN_H
#define GS_CLI_WEB_LOGIN_H

#include "base/err.h"

struct web_login {
	char *cert, *key, *login; /* NULL: none; login: "USER:PASSWORD" */
};

/* Names may be NULL.  GS_E_DENIED: others can read the password or the key. */
int web_login_read(struct web_login *to, const char *cert, const char *key,
	const char *password, struct gs_err *err);
void web_login_release(struct web_login *l);

#endif
