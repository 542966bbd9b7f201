/* SPDX-License-Identifier: Apache-2.0 */
#include "format/crc32c.h"

#include <string.h>

#ifdef GS_ISAL
#include <isa-l/crc.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

/* Half a byte at a time: it is for processors older than their instruction
 * (x86-64 before 2008, arm64 before 2014). */
uint32_t crc32c_update_by_table(uint32_t crc, const void *p, size_t len)
{
	static const uint32_t table[16] = {
		0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1,
		0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
		0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
		0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
	};
	const unsigned char *q = p;
	size_t i;

	for (i = 0; i < len; i++) {
		crc ^= q[i];
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return crc;
}

#ifdef GS_ISAL
uint32_t crc32c_update(uint32_t crc, const void *p, size_t len)
{
	unsigned char *q = (unsigned char *)(uintptr_t)p; /* only read */

	while (len > 0) {
		int n = len > (1 << 30) ? 1 << 30 : (int)len;

		crc = crc32_iscsi(q, n, crc);
		q += n;
		len -= (size_t)n;
	}
	return crc;
}
#else
#if defined(__x86_64__)
static int has_instruction(void)
{
	return __builtin_cpu_supports("sse4.2");
}

__attribute__((target("sse4.2")))
static uint32_t by_instruction(uint32_t crc, const unsigned char *p,
	size_t len)
{
	uint64_t v;

	for (; len >= sizeof(v); p += sizeof(v), len -= sizeof(v)) {
		memcpy(&v, p, sizeof(v));
		crc = (uint32_t)__builtin_ia32_crc32di(crc, v);
	}
	while (len-- > 0)
		crc = __builtin_ia32_crc32qi(crc, *p++);
	return crc;
}
#elif defined(__aarch64__)
#define HAS_CRC32 (1ul << 7) /* HWCAP_CRC32 of <asm/hwcap.h> */

static int has_instruction(void)
{
	return (getauxval(AT_HWCAP) & HAS_CRC32) != 0;
}

__attribute__((target("+crc")))
static uint32_t by_instruction(uint32_t crc, const unsigned char *p,
	size_t len)
{
	uint64_t v;

	for (; len >= sizeof(v); p += sizeof(v), len -= sizeof(v)) {
		memcpy(&v, p, sizeof(v));
		crc = __builtin_aarch64_crc32cx(crc, v);
	}
	while (len-- > 0)
		crc = __builtin_aarch64_crc32cb(crc, *p++);
	return crc;
}
#else
#define has_instruction() 0
#define by_instruction crc32c_update_by_table
#endif

uint32_t crc32c_update(uint32_t crc, const void *p, size_t len)
{
	return has_instruction() ? by_instruction(crc, p, len)
	                         : crc32c_update_by_table(crc, p, len);
}
#endif
