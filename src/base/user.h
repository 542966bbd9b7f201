/* SPDX-License-Identifier: Apache-2.0 */
/*
 * user.h - names of OS users.
 *
 * A static program must not load the modules of the C library that ask sssd or
 * LDAP: they are of another C library.  It reads /etc/passwd, and for the user
 * that it runs as, LOGNAME and HOME.
 */
#ifndef GS_BASE_USER_H
#define GS_BASE_USER_H

#include <stdint.h>

/* A user's name; the caller frees it.  NULL: it has none. */
char *user_name(uint32_t uid);

/* A user's home directory; the caller frees it.  NULL: not known. */
char *user_home(uint32_t uid);

/* A user's first group.  uid: not known. */
uint32_t user_group(uint32_t uid);

#endif
