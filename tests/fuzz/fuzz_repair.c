/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_repair.c - any bytes with any repair frame after them; and a group of
 * any bytes, of which some side by side are spoilt, comes back as it was.
 *
 * {where, 2 bytes; how many; with what; bytes}
 */
#include <stdlib.h>
#include <string.h>

#include "format/frame.h"
#include "format/repair.h"
#include "fuzz.h"

static void spoil(char *p, size_t len, const uint8_t *how)
{
	size_t chunk = (len + 127) / 128;
	size_t at = (how[0] + 256U * how[1]) % len;
	size_t n = how[2] % chunk + 1;

	for (; n > 0 && at < len; n--, at++)
		p[at] = (char)(p[at] ^ how[3]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf b = BUF_INIT;
	uint32_t crc;
	char *copy;

	if (size < 5)
		return 0;
	copy = malloc(size);
	if (!copy)
		abort();
	memcpy(copy, data, size);
	(void)repair_mend(copy, size, 1); /* must not crash */
	free(copy);
	buf_add(&b, data + 4, size - 4);
	repair_add(&b);
	crc = frame_crc32c(b.ptr, b.len);
	spoil(b.ptr, size - 4, data);
	if (frame_crc32c(b.ptr, b.len) != crc &&
	    (!repair_mend(b.ptr, b.len, crc) ||
	    frame_crc32c(b.ptr, b.len) != crc ||
	    memcmp(b.ptr, data + 4, size - 4) != 0))
		abort();
	buf_release(&b);
	return 0;
}
