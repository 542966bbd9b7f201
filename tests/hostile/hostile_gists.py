#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Small files with gists, and keys, of which each costs little and all together, or
each pair of rows, very much.

    hostile_gists.py FILE NAME"""
import struct
import sys

import zstandard

from hostile_files import (GROUP, KEY, LIST_MAGIC, RAW_MAX, SECOND, START, File,
                           block, column, data, entity, fixed, header, index,
                           number, text, varint, zigzag)
from hostile_summaries import beside
import reader

BESIDE_MAGIC = 0x184D2A5A
NUMBERS = 16  # columns of numbers of texts
# Columns of which --find asks the bounds.
BOUNDED = ('hosts.busy_percent', 'sessions.cpu_percent', 'sessions.memory')
REPAIR, BESIDE = 1, 2  # flags of the frame's index
DISK = 4
HEAD = struct.Struct('<IIIQqQqIQq')


def at(seq):
    return START + seq * SECOND


def ticks(n):
    return zigzag(0) * 2 + varint(KEY) + \
        (zigzag(1) + zigzag(SECOND) + varint(KEY)) * (n - 1)


def keys(n, fields=lambda i: b'', streams=b'', hosts=b''):
    """A group, as list and data frame, and the length of what is in it."""
    raw = data(1, data(2, b''.join(
        data(1, number(1, i + 1) + fixed(2, at(i + 1)) + number(3, 1) +
             header(hosts) + fields(i)) for i in range(n)) + streams))
    listed = ticks(n)
    return struct.pack('<II4sI', LIST_MAGIC, 8 + len(listed), b'GPSL', n) + \
        listed + zstandard.compress(raw), len(raw)


def gist(first, n, raw, record_len, base=(0, 0), packed=None, remarks=0,
         tag=b'GPSK'):
    """Of n ticks from that one on."""
    last = first + n - 1
    body = HEAD.pack(len(raw), n, remarks, first, at(first), last, at(last),
                     record_len, *base) + (packed or zstandard.compress(raw))
    b = struct.pack('<II4s', BESIDE_MAGIC, len(body) + 16, tag) + body
    return b + struct.pack('<II', reader.crc32c(b), len(b) + 12) + tag


def column_of(b):
    return varint(len(b)) + b


def columns(texts=b'\0', text=b'', number=b'', clocks=(b'',) * 7):
    """What follows the remarks: texts per tick, texts, their numbers, clocks."""
    return b''.join(column_of(b) for b in (texts, text, *[number] * NUMBERS,
                                           *clocks))


def two_keys(first=1, n_text=0, texts=b'', number=b'', **more):
    """The gist of two keys of a host that do not differ.  Its second tick has texts,
    with one number after the other in each place."""
    record = data(1, data(2, data(1, b'')))
    beside = ticks(2) + b'\0' * 10 + columns(varint(n_text), texts, number)
    return gist(first, 2, record + beside, len(record), **more)


def file(group, gists):
    body, raw_len = group
    body += b''.join(gists)
    body += reader.repair_frame(body)
    return index(GROUP, 1, body, raw_len, layout=2,
                 flags=REPAIR | BESIDE) + body


def rows_alike():
    """Two keys of rows that all have one identity."""
    n = 300000
    f = File()
    for seq in (1, 2):
        f.add(True, header() + block(0, seq, [entity(
            DISK, n, [column(2, n, b'\x02' * n)])]))
    return f.end()


def two_bases(make):
    """Gists that begin from another one each than the gist before."""
    big = b'\0' * (RAW_MAX - 1000000)
    packed = zstandard.compress(big)
    bases = [gist(i, 2, big, 0, packed=packed) for i in (1, 2)]
    return file(keys(500, lambda i: block(0, i, [])), bases + [
        make(i, base=(1 + i % 2, at(1 + i % 2))) for i in range(3, 500)])


def gists_of_two_bases():
    return two_bases(two_keys)


def gists_that_fail():
    return two_bases(lambda i, base: gist(i, 2, b'xy', 1, base))


def numbered(n, more=b''):
    """A gist with n texts of 320 bytes, each of 33 in the gist."""
    texts = (b'\1' * NUMBERS + b'\0') * n + more
    return file(keys(2, lambda i: block(0, i + 1, [])), [two_keys(
        n_text=n + len(more) // 2, texts=texts,
        number=b'\1' + b'\0' * (n - 1))])  # 2^64 - 1 each time


def texts_of_numbers():
    """And after them, one that has no number."""
    return numbered(200000, b'\1\0')


def texts_too_many():
    """More than a gist may have."""
    return numbered(900000)


def rows_with_long_names():
    """Whose texts differ at their end; a gist puts rows in their order."""
    n, texts, entity_id = 100000, 28, 24
    names = b''.join(text(i + 1, b'a' * 1039998 + b'%02d' % i)
                     for i in range(texts))
    rows = number(1, entity_id) + data(4, zigzag(0) + b'\x02' * (n - 1)) + \
        data(5, b'\x02' * n) + \
        data(6, number(1, 1) + number(6, n) + number(8, n))
    streams = data(2, number(1, entity_id) + number(2, 1) + number(3, 1) +
                   data(4, (zigzag(0) + b'\x02' * (n - 1)) * 2) +
                   data(6, b''.join(varint(1 + i * 7 % texts)
                                    for i in range(n)) * 2))
    return file(keys(2, lambda i: names + block(0, i + 1, [rows]), streams),
                [two_keys()])


def one_key_often():
    """The same key again and again: each time, what comes after all is asked for."""
    n, groups = 60000, 4
    tick = data(1, number(1, 1) + fixed(2, at(1)) + number(3, 1) + header() +
                block(0, 1, []))
    raw = data(1, data(2, tick * n))
    listed = varint(KEY).join([zigzag(0) * 2] * n) + varint(KEY)
    body = struct.pack('<II4sI', LIST_MAGIC, 8 + len(listed), b'GPSL', n) + \
        listed + zstandard.compress(raw)
    one = index(GROUP, 1, body, len(raw), layout=2)
    next_ones = index(GROUP, 1, body, len(raw), layout=2,
                      back_prev=len(one + body))
    return one + body + (next_ones + body) * (groups - 1)


def summaries(n):
    """Of each two keys, by which --find need not look at any tick."""
    bounds = b''.join(data(10, data(1, name.encode()) + varint(2 << 3 | 1) +
                           struct.pack('<d', 0) + varint(3 << 3 | 1) +
                           struct.pack('<d', 1)) for name in BOUNDED)
    raw = b''.join(data(1, number(1, i) + fixed(2, at(i)) + number(3, i + 1) +
                        fixed(4, at(i + 1)) + number(5, 1) + bounds +
                        number(11, SECOND)) for i in range(1, n))
    return beside(b'GPSS', raw)


def gists_to_the_end():
    """From each key one that says that it is of all that follow, of which none need
    be looked at; what is in it can't be read."""
    n, junk = 20000, zstandard.compress(b'xy')
    return file(keys(n, lambda i: block(0, i + 1, [])),
                [gist(i, n - i + 1, b'xy', 1, packed=junk)
                 for i in range(1, n)] + [summaries(n)])


def gist_of_other_rows():
    """Its ticks are ticks, but the second one closes a row that is not there."""
    n = 6
    closes = data(6, data(9, number(1, DISK) + data(2, zigzag(7)) +
                          data(3, b'\x01')))
    record = data(1, data(2, data(1, b'') + data(1, closes)))
    beside = ticks(3) + b'\0' * 15 + columns(b'\0\0', clocks=[b'\0'] * 7)
    return file(keys(n, lambda i: block(0, i + 1, [])),
                [gist(2, 3, record + beside, len(record))])


def with_clock(first, ahead=0, **more):
    """The gist of two keys with the host's clock, that many seconds ahead."""
    last = first + 1
    record = data(1, data(2, data(1, data(6, b''))))
    clock = (1, last, 0, last * SECOND - at(last) + ahead * SECOND,
             -ahead * SECOND, 0, 0)
    beside = ticks(2) + b'\0' * 10 + columns(clocks=map(zigzag, clock))
    return gist(first, 2, record + beside, len(record), **more)


def gists_of_many_archives():
    """As archives put together in turn: of the last gist it shows that it is read."""
    n = 400
    return file(keys(n, lambda i: block(0, i + 1, [])),
                [with_clock(1), with_clock(2)] +
                [with_clock(i, 1000 if i == n - 1 else 0,
                            base=(1 + i % 2, at(1 + i % 2)))
                 for i in range(3, n)])


def gist_of_many_remarks():
    """Each takes five bytes, and more memory."""
    n = 1 << 20
    record = data(1, data(2, data(1, b'')))
    beside = ticks(2) + b'\0' * 10 + b'\0' * (5 * n) + columns()
    return file(keys(3, lambda i: block(0, i + 1, [])),
                [gist(1, 2, record + beside, len(record), remarks=n)])


def waits(number_of, n=65536, events=512):
    """Of one session, each of another event than the one before."""
    listed = b''.join(varint(4) + text_of(b'%d:%d' % (number_of, i))
                      for i in range(events))
    return struct.pack('<Q', of_catalog('c')) + varint(1) + varint(n) + \
        varint(events) + varint(1) + listed + varint(1) + varint(0) + zigzag(0) + varint(n) + b''.join(
            varint(i % events) for i in range(n)) + (b'\1' + b'\0' * 7) * n


def fnv(b, start=0xcbf29ce484222325):
    for byte in b:
        start = (start ^ byte) * 0x100000001b3 % (1 << 64)
    return start


def of_catalog(name):
    """The relations of sessions, of which there are none, where there is a catalog."""
    return fnv(struct.pack('<QQ', fnv(name.encode()), 0))


def text_of(b):
    return varint(len(b)) + b


def gists_of_many_waits():
    """And of other events in each gist."""
    n = 60
    record = data(1, data(2, data(1, b'')))
    c = columns()
    clocks = column_of(b'') * 7
    catalog = data(12, number(1, 1) + data(2, 'c') + number(3, 1))
    return file(keys(n, lambda i: block(0, i + 1, [entity(7, 1)]),
                     hosts=catalog),
                [gist(i, 2, record + ticks(2) + b'\0' * 10 +
                      c[:len(c) - len(clocks)] + waits(i) + clocks,
                      len(record), tag=b'GPSW') for i in range(1, n)])


NAMES = {f.__name__: f for f in (
    rows_alike, gists_of_two_bases, gists_that_fail, texts_of_numbers,
    texts_too_many, rows_with_long_names, one_key_often, gists_to_the_end,
    gist_of_other_rows, gists_of_many_archives, gist_of_many_remarks,
    gists_of_many_waits)}


def main():
    with open(sys.argv[1], 'wb') as f:
        f.write(NAMES[sys.argv[2]]())


if __name__ == '__main__':
    main()
