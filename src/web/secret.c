/* SPDX-License-Identifier: Apache-2.0 */
#include "web/secret.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

int secret_make(char to[SECRET_LEN + 1], struct gs_err *err)
{
	unsigned char raw[SECRET_LEN / 2];
	size_t i;

	if (getrandom(raw, sizeof(raw), 0) != (ssize_t)sizeof(raw))
		return gs_fail_errno(err, errno, "random numbers");
	for (i = 0; i < sizeof(raw); i++)
		(void)snprintf(to + 2 * i, 3, "%02x", raw[i]); /* fits */
	return GS_OK;
}

bool secret_is(const char *given, const char *secret)
{
	size_t n = strlen(given), len = strlen(secret), i;
	unsigned char differs = n != len;

	for (i = 0; i < n; i++)
		differs |= (unsigned char)given[i] ^
		    (unsigned char)secret[len ? i % len : 0];
	return differs == 0;
}
