/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clock.h - time as signed nanoseconds.
 *
 * wall: CLOCK_REALTIME, may step.  mono: CLOCK_MONOTONIC, never steps and
 * stops while the machine sleeps.  boot: CLOCK_BOOTTIME, the axis of process
 * start times.
 */
#ifndef GS_BASE_CLOCK_H
#define GS_BASE_CLOCK_H

#include <stdint.h>

#define GS_NSEC_PER_SEC INT64_C(1000000000)
#define GS_NSEC_PER_MSEC INT64_C(1000000)
#define GS_NSEC_PER_USEC INT64_C(1000)

int64_t gs_clock_wall_ns(void);
int64_t gs_clock_mono_ns(void);
int64_t gs_clock_boot_ns(void);

#endif
