/* SPDX-License-Identifier: Apache-2.0 */
#include "base/user.h"

#include <pwd.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

#ifdef GS_PORTABLE
/* fgetpwent() reads the file itself, into memory of its own. */
static const struct passwd *find(uint32_t uid)
{
	FILE *f = fopen("/etc/passwd", "re");
	const struct passwd *pw;

	if (!f)
		return NULL;
	do
		pw = fgetpwent(f);
	while (pw && pw->pw_uid != uid);
	(void)fclose(f); /* only read */
	return pw;
}

/* What login set for the user that we run as. */
static char *from_login(uint32_t uid, const char *variable)
{
	const char *value = uid == getuid() && uid == geteuid()
	    ? getenv(variable) : NULL;

	return value && value[0] != '\0' ? gs_strdup(value) : NULL;
}
#else
static const struct passwd *find(uint32_t uid)
{
	return getpwuid(uid);
}

static char *from_login(uint32_t uid, const char *variable)
{
	(void)uid; /* the C library knows all users */
	(void)variable;
	return NULL;
}
#endif

char *user_name(uint32_t uid)
{
	const struct passwd *pw = find(uid);

	return pw ? gs_strdup(pw->pw_name) : from_login(uid, "LOGNAME");
}

char *user_home(uint32_t uid)
{
	const struct passwd *pw = find(uid);

	return pw ? gs_strdup(pw->pw_dir) : from_login(uid, "HOME");
}

uint32_t user_group(uint32_t uid)
{
	const struct passwd *pw = find(uid);

	return pw ? pw->pw_gid : uid;
}
