/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crc32c.h - the checksum of frames: CRC-32C, as of iSCSI.
 *
 * isa-l computes it, where the build has it; else this processor's own
 * instruction does, and where there is none, a table.
 */
#ifndef GS_FORMAT_CRC32C_H
#define GS_FORMAT_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* The register after len more bytes; nothing is inverted. */
uint32_t crc32c_update(uint32_t crc, const void *p, size_t len);

/* The same by the table; for tests. */
uint32_t crc32c_update_by_table(uint32_t crc, const void *p, size_t len);

#endif
