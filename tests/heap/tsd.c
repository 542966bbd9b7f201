/* SPDX-License-Identifier: Apache-2.0 */
/* tsd - a library with a variable like jemalloc's (tsd.h). */
#include "tsd.h"

__thread struct tsd_s je_tsd_tls;

static __thread char in_front[24];

struct tsd_s *tsd_mine(void)
{
	in_front[0] = 1;
	return &je_tsd_tls;
}
