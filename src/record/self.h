/* SPDX-License-Identifier: Apache-2.0 */
/*
 * self.h - recognizes names of this host.
 */
#ifndef GS_RECORD_SELF_H
#define GS_RECORD_SELF_H

#include <stdbool.h>

/* True for localhost, for the node's own name, and for a numeric address of
 * one of its interfaces.  No name server is asked: a name that only DNS
 * maps to this host is reached like any other host. */
bool self_is(const char *name, const char *nodename);

/* True for names that every host has: localhost, 127.0.0.1, ::1. */
bool self_is_loopback(const char *name);

#endif
