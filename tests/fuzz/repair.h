/* SPDX-License-Identifier: Apache-2.0 */
/*
 * repair.h - checksums made right, so that a fuzzer gets past them.
 */
#ifndef TESTS_FUZZ_REPAIR_H
#define TESTS_FUZZ_REPAIR_H

#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "format/besideframe.h"
#include "format/frame.h"

/* Of every index frame in the len bytes at p, and of the frame after it. */
static inline void repair_index_frames(char *p, size_t len)
{
	size_t i;

	for (i = 0; i + FRAME_INDEX_LEN <= len; i++) {
		uint32_t n;

		if (gs_get_le32(p + i) != FRAME_SKIP_MAGIC ||
		    memcmp(p + i + 8, "GPSN", 4) != 0)
			continue;
		n = gs_get_le32(p + i + 32);
		if (n <= len - i - FRAME_INDEX_LEN)
			gs_put_le32(p + i + 56,
			    frame_crc32c(p + i + FRAME_INDEX_LEN, n));
		gs_put_le32(p + i + 60, frame_crc32c(p + i, 60));
	}
}

/* Of a frame beside a group, of at least 24 bytes: also both lengths. */
static inline void repair_beside(char *p, size_t len)
{
	gs_put_le32(p + 4, (uint32_t)len - 8);
	gs_put_le32(p + len - 8, (uint32_t)len);
	gs_put_le32(p + len - BESIDE_TAIL, frame_crc32c(p, len - BESIDE_TAIL));
}

#endif
