/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads.h - --threads: how many a command begins.
 */
#ifndef GS_CLI_THREADS_H
#define GS_CLI_THREADS_H

#include <stddef.h>
#include <stdint.h>

/* The number asked for, or if that is 0, as many as there are CPUs that the last
 * minute left idle; from 1 to most.  The limit of the process's memory grows by
 * each_bytes for each but the first. */
size_t threads_begin(int64_t asked, size_t most, size_t each_bytes);

#endif
