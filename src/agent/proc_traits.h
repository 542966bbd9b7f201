/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc_traits.h - what system calls tell of a process: whether it ran, and what
 * others can change while it sleeps.  A file of /proc takes twenty times as
 * long.  Only where root.own_pids holds.
 */
#ifndef GS_AGENT_PROC_TRAITS_H
#define GS_AGENT_PROC_TRAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/row.h"

/* The CPU clock of a process in ns, ended threads included; 0 if it can not be
 * read or has not run. */
uint64_t proc_clock(uint32_t pid);

/* False if no process has that pid, not even one that ended and was not waited
 * for. */
bool proc_has_clock(uint32_t pid);

/* Hash of the CPUs that it may run on; 0 if they can not be read. */
uint64_t proc_affinity(uint32_t pid);

#endif
