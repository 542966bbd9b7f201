#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A group of tens of thousands of keys, with more summaries than it has keys, in
no order and of no stretch of it: who asks for one must not go through all.

    hostile_summaries.py FILE"""
import os
import struct
import sys

import zstandard

from hostile_files import (GROUP, KEY, LIST_MAGIC, SECOND, START, block, data,
                           fixed, header, index, number, varint, zigzag)
import reader

KEYS, SUMMARIES = 65000, 150000
BESIDE_MAGIC = 0x184D2A5A
REPAIR, SUMMARY = 1, 2  # flags of the frame's index


def compressed(raw):
    return zstandard.ZstdCompressor(level=1).compress(raw)


def beside(tag, raw):
    body = struct.pack('<I', len(raw)) + compressed(raw)
    b = struct.pack('<II4s', BESIDE_MAGIC, len(body) + 16, tag) + body
    return b + struct.pack('<II', reader.crc32c(b), len(b) + 12) + tag


def keys(n):
    listed = b''.join(
        zigzag(0 if i == 0 else 1) + zigzag(0 if i == 0 else SECOND) +
        varint(KEY) for i in range(n))
    ticks = b''.join(
        data(1, number(1, i + 1) + fixed(2, START + (i + 1) * SECOND) +
             number(3, 1) + header() + block(0, i, [])) for i in range(n))
    raw = data(1, data(2, ticks))
    return struct.pack('<II4sI', LIST_MAGIC, 8 + len(listed), b'GPSL', n) + \
        listed + compressed(raw), len(raw)


def summaries(n):
    return beside(b'GPSS', b''.join(
        data(1, number(1, 10**6 + n - i) + fixed(2, START) +
             number(3, 10**6 + n - i + 1) + fixed(4, START + SECOND) + number(5, 1))
        for i in range(n)))


def main():
    main_frame, raw_len = keys(KEYS)
    body = main_frame + summaries(SUMMARIES)
    body += reader.repair_frame(body)
    with open(sys.argv[1], 'wb') as f:
        f.write(index(GROUP, 1, body, raw_len, layout=2,
                      flags=REPAIR | SUMMARY) + body)
    print(os.path.getsize(sys.argv[1]))


if __name__ == '__main__':
    main()
