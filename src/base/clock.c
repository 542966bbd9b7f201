/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include <time.h>

static int64_t now_ns(clockid_t id)
{
	struct timespec ts = { 0 };

	(void)clock_gettime(id, &ts); /* these clocks exist since 2.6.39 */
	return (int64_t)ts.tv_sec * GS_NSEC_PER_SEC + ts.tv_nsec;
}

int64_t gs_clock_wall_ns(void)
{
	return now_ns(CLOCK_REALTIME);
}

int64_t gs_clock_mono_ns(void)
{
	return now_ns(CLOCK_MONOTONIC);
}

int64_t gs_clock_boot_ns(void)
{
	return now_ns(CLOCK_BOOTTIME);
}
