/* SPDX-License-Identifier: Apache-2.0 */
/*
 * passwd.h - user names by uid, from /etc/passwd only: the agent is static and
 * uses no name service, so users of a directory service have no name here.
 */
#ifndef GS_PROCFS_PASSWD_H
#define GS_PROCFS_PASSWD_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/scan.h"

#define PASSWD_BYTES_MAX (1u << 20) /* of the file; more is not read */
#define PASSWD_NAME_MAX 64u /* longer names are left out */

struct passwd_user {
	uint32_t uid;
	uint32_t off, len; /* within names */
};

struct passwd {
	struct passwd_user *user; /* by uid, the first of its lines first */
	size_t n, cap;
	struct buf names;
};

void passwd_release(struct passwd *p);

/* Replaces all users by those in the text of a file. */
void passwd_scan(struct passwd *p, struct span text);

/* The name, valid until the next passwd_scan(); empty if there is none. */
struct span passwd_name(const struct passwd *p, uint64_t uid);

#endif
