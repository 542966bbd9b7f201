/* SPDX-License-Identifier: Apache-2.0 */
/*
 * repair.h - parity of a group's bytes, which restores damaged ones.
 *
 * The list and the zstd frame of a group, n bytes, are followed by a repair
 * frame, which is skippable, too; it counts as bytes of the group.  The n
 * bytes are divided into 128 chunks of c = n / 128 bytes, rounded up; the last
 * may be short or absent.
 *
 *      0  4  magic 0x184D2A5B
 *      4  4  length of what follows: 8 + 2 c
 *      8  4  tag "GPSR"
 *     12  4  n
 *     16  c  exclusive or of all even chunks, the first among them
 *   16+c  c  of all odd ones
 *
 * So up to c damaged bytes next to each other can be restored anywhere; the
 * checksum of the whole tells where they are.
 */
#ifndef GS_FORMAT_REPAIR_H
#define GS_FORMAT_REPAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Appends the repair frame of all bytes in b. */
void repair_add(struct buf *b);

/* Length of the bytes before the repair frame, of len bytes that end with one;
 * 0: no such length is possible. */
size_t repair_covers(size_t len);

/* Restores the len bytes at p, which end with a repair frame, to bytes with
 * that CRC32C.  False: they are damaged in more than one place, and may have
 * been changed. */
bool repair_mend(void *p, size_t len, uint32_t crc);

#endif
