#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Recordings that somebody made to hurt whoever reads them.

Every checksum in them is right: what is wrong is what they say.  Nothing of
gpsnap is used, so that a file can claim what gpsnap would never write.
attacks() yields (name, function that makes the bytes).
"""
import os
import re
import struct
import sys

import zstandard

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..'))
from reader import crc32c  # noqa: E402

MAGIC = 0x184D2A5D
LIST_MAGIC = 0x184D2A5C
INDEX = struct.Struct('<II4sBBHQqIIQQI')
START = 1_700_000_000_000_000_000
SECOND = 1_000_000_000
KEY, DELTA, GROUP = 1, 2, 3
HOST = 1
PROCESS = 7  # ids in files, which never change
RAW_MAX = 64 << 20


def few(n):
    """With sanitizers what is read message by message takes ten times as long."""
    return n if os.environ.get('GS_SANITIZE') != '1' else n // 12


MANY = few(60 << 20)


# ---- protobuf ---------------------------------------------------------

BYTE = [bytes((v,)) for v in range(0x80)]


def varint(v):
    if 0 <= v < 0x80:
        return BYTE[v]
    out = bytearray()
    v &= (1 << 64) - 1
    while v >= 0x80:
        out.append(v & 0x7f | 0x80)
        v >>= 7
    out.append(v)
    return bytes(out)


def zigzag(v):
    return varint(v << 1 if v >= 0 else (-v << 1) - 1)


def number(field, v):
    return varint(field << 3) + varint(v)


def fixed(field, v):
    return varint(field << 3 | 1) + struct.pack('<q', v)


def data(field, b):
    if isinstance(b, str):
        b = b.encode()
    return varint(field << 3 | 2) + varint(len(b)) + b


# ---- frames -----------------------------------------------------------

def index(kind, seq, comp, raw_len, back_key=0, back_prev=0, comp_len=None,
          layout=1, wall_ns=None, flags=0):
    if wall_ns is None:
        wall_ns = START + seq * SECOND
    head = INDEX.pack(MAGIC, 56, b'GPSN', layout, kind, flags, seq,
                      wall_ns, len(comp) if comp_len is None else comp_len, raw_len,
                      back_key, back_prev, crc32c(comp))
    return head + struct.pack('<I', crc32c(head))


class File:
    """Ticks one after the other, with what a reader follows."""

    def __init__(self):
        self.bytes = bytearray()
        self.key_at = 0
        self.seq = 0
        self.entries = []

    def add(self, key, body):
        """A tick of these fields, besides number, time and kind."""
        self.seq += 1
        tick = number(1, self.seq) + fixed(2, START + self.seq * SECOND)
        if key:
            tick += number(3, 1)
        return self.put(key, self.seq, START + self.seq * SECOND,
                        data(1, data(1, tick + body)))

    def put(self, key, seq, wall_ns, raw):
        """A frame of a Recording."""
        assert len(raw) <= RAW_MAX, len(raw)
        comp = zstandard.ZstdCompressor(level=3).compress(raw)
        at = len(self.bytes)
        if key:
            prev, self.key_at = self.key_at, at
            head = index(KEY, seq, comp, len(raw), 0, at - prev,
                         wall_ns=wall_ns)
        else:
            head = index(DELTA, seq, comp, len(raw), at - self.key_at,
                         at - self.key_at, wall_ns=wall_ns)
        self.bytes += head + comp
        return self

    def end(self):
        return bytes(self.bytes)


def header(more=b'', hosts=('h',)):
    h = number(1, 1) + data(4, b'0123456789abcdef') + number(5, 1)
    h += fixed(6, START) + varint(7 << 3) + zigzag(SECOND)
    h += data(9, '0.1.0') + data(11, hosts[0])
    for i, name in enumerate(hosts):
        h += data(12, (number(1, i) if i else b'') + data(2, name))
    return data(4, h + more)


def block(host, seq, entities):
    b = number(1, host) if host else b''
    at = START + seq * SECOND
    b += number(2, 1) + number(3, seq) + fixed(4, at)
    b += fixed(5, seq * SECOND) + fixed(6, seq * SECOND)
    for e in entities:
        b += data(9, e)
    return data(6, b)



def entity(eid, opened=0, columns=(), first=0):
    """opened: so many rows from slot first on, each appeared."""
    e = number(1, eid)
    if opened:
        e += data(4, zigzag(first) + b'\x02' * (opened - 1))
        e += data(5, b'\x02' * opened)
    for c in columns:
        e += data(6, c)
    return e


def column(metric, rows=None, values=b'', field=3, first=0):
    """values: packed; rows: of so many, from slot first on."""
    c = number(1, metric)
    if rows:
        c += data(2, zigzag(first) + b'\x02' * (rows - 1))
    return c + data(field, values)


# Numbers of the process that are no texts.
NUMBERS = [1, 2] + list(range(5, 43))


def process_rows(n, first=0, columns=1, pid=0):
    pids = b''.join(zigzag(1000 + pid + i) for i in range(n)) \
        if pid is not None else b'\x02' * n
    cols = [column(NUMBERS[0], n, pids, first=first)]
    cols += [column(m, None, b'\x02' * n) for m in NUMBERS[1:columns]]
    return entity(PROCESS, n, cols, first)


def text(i, b):
    return data(5, number(1, i) + data(2, b))


def one_key(body):
    return File().add(True, header() + body).end()


# ---- attacks on memory -------------------------------------------------

def rows_times_columns():
    n = 1 << 20
    return one_key(block(0, 1, [process_rows(n, columns=40, pid=None)]))


def rows_of_many_hosts():
    f = File()
    names = ['h%d' % i for i in range(40)]
    f.add(True, header(hosts=names))
    for h in range(40):
        f.add(False, block(h, 2, [process_rows(25000, columns=3,
                                               pid=None)]))
    return f.end()


def rows_of_every_host():
    names = ['h%d' % i for i in range(2048)]
    f = File().add(True, header(hosts=names))
    return f.add(False, b''.join(
        block(h, 2, [process_rows(200, columns=20, pid=None)])
        for h in range(2048))).end()


def columns_of_every_host():
    """Arrays of each host, entity and column are kept from tick to tick."""
    names = ['h%d' % i for i in range(24)]
    f = File().add(True, header(hosts=names))
    for h in range(few(24)):
        gone = [number(1, m) + data(5, b'\x02' * 600000)
                for m in NUMBERS[:20]]
        f.add(False, b''.join(block(i, 2 + h, []) for i in range(h)) +
              block(h, 2 + h, [entity(PROCESS, columns=gone)]))
    return f.end()


def texts_between_keys():
    f = File().add(True, header())
    for i in range(10):
        f.add(False, b''.join(
            text(1 + i * 60 + k, struct.pack('<I', i * 60 + k) * 262144)
            for k in range(60)))
    return f.end()


def texts_by_the_million():
    f = File().add(True, header())
    n = few(700000)
    for i in range(6):
        f.add(False, b''.join(text(1 + i * n + k, b'%07x' % (i * n + k))
                              for k in range(n)))
    return f.end()


def text_ids_far_away():
    return one_key(text((1 << 24) - 1, b'x') + text(1 << 24, b'y'))


def repeat(field, b, room=MANY):
    one = data(field, b)
    return one * (room // len(one))


def empty_texts():
    return one_key(repeat(5, b''))


def empty_hosts():
    return one_key(repeat(6, b''))


def empty_events():
    return one_key(repeat(7, b''))


def empty_entities():
    return one_key(data(6, fixed(4, START) + repeat(9, b'')))


def empty_columns():
    return one_key(block(0, 1, [number(1, PROCESS) + repeat(6, b'')]))


def described_entities():
    return one_key(repeat(8, b''))


def unknown_fields():
    return one_key(number(99, 0) * (60 << 20 >> 2))


def unknown_groups():
    return one_key((varint(99 << 3 | 3) + varint(99 << 3 | 4)) * 100000)


def packed_numbers():
    n = 60 << 20
    return one_key(block(0, 1, [entity(PROCESS, 0,
                                       [column(1, None, b'\0' * n)])]))


def many_records():
    raw = data(1, b'') * (60 << 19)
    return alone(raw)


def events():
    e = data(7, number(1, 16) + fixed(2, START) + data(5, 'x' * 20))
    return one_key(e * ((60 << 20) // len(e)))


def events_of_every_tick():
    f = File()
    for i in range(12):
        f.add(i == 0, (header() if i == 0 else b'') + b''.join(
            data(7, number(1, 16) + fixed(2, START) +
                 data(5, b'%d,%d' % (i, k) * 2000))
            for k in range(few(3000))))
    return f.end()


def header_of(field, b, n):
    return one_key_header(data(field, b) * n)


def one_key_header(more):
    return File().add(True, header(more)).end()


def header_settings():
    return header_of(16, data(1, 'a') + data(2, 'b'), 1000000)


def header_settings_long():
    return header_of(16, data(1, 'a') + data(2, 'b' * 6000), few(9999))


def header_metrics():
    metric = data(3, number(1, 1) + data(2, 'm'))
    return header_of(14, number(1, 7) + data(2, 'e') + metric * 100000, 40)


def header_hosts():
    return one_key_header(b''.join(data(12, number(1, i) + data(2, 'x%d' % i))
                                   for i in range(1, 300000)))


def header_sources():
    return header_of(18, data(1, '0123456789abcdef'), 1000000)


def header_version():
    return one_key_header(data(9, 'x' * (50 << 20)))


def header_each_key():
    f = File()
    for _ in range(6):
        f.add(True, header(data(16, data(1, 'a') + data(2, 'b' * 5000)) *
                           few(9000)))
    return f.end()


def alone(raw, kind=KEY, raw_len=None):
    comp = zstandard.ZstdCompressor(level=3).compress(raw)
    return index(kind, 1, comp, len(raw) if raw_len is None
                 else raw_len) + comp


def window_of_zstd():
    params = zstandard.ZstdCompressionParameters.from_level(
        3, window_log=27, enable_ldm=True)
    raw = data(1, data(1, number(1, 1) + fixed(2, START) + number(3, 1) +
                       header()))
    comp = zstandard.ZstdCompressor(compression_params=params).compress(raw)
    return index(KEY, 1, comp, len(raw)) + comp


def size_of_zstd():
    comp = bytearray(zstandard.ZstdCompressor(level=3).compress(b'x' * 70000))
    return index(KEY, 1, bytes(comp), 64 << 20) + bytes(comp)


def big_claim():
    """The zstd frame claims 64 MiB, and has a byte."""
    comp = struct.pack('<IBQ', 0xFD2FB528, 0xC0 | 0x20, 64 << 20)
    comp += struct.pack('<I', 1 | 1 << 3)[:3] + b'x'
    return index(KEY, 1, comp, 64 << 20) + comp


# ---- groups ------------------------------------------------------------

def group(ticks, raw, layout=2):
    """ticks: kinds; of numbers 1, 2, ... and their seconds."""
    entries = b''.join(
        zigzag(0 if i == 0 else 1) + zigzag(0 if i == 0 else SECOND) +
        varint(k) for i, k in enumerate(ticks))
    listed = struct.pack('<II4sI', LIST_MAGIC, 8 + len(entries), b'GPSL',
                         len(ticks)) + entries
    comp = zstandard.ZstdCompressor(level=3).compress(raw)
    body = listed + comp
    return index(GROUP, 1, body, len(raw), layout=layout) + body


def group_ticks():
    n = MANY // 960
    return group([KEY] * n, data(1, data(2, data(1, b'') * n)))


def group_streams():
    raw = data(1, data(2, data(1, b'') + data(2, b'') * (MANY // 2)))
    return group([KEY], raw)


def group_values():
    n = 60 << 20
    stream = number(1, 7) + number(2, 1) + number(3, 1) + \
        data(5, b'\0' * n)
    return group([KEY], data(1, data(2, data(1, number(1, 1)) +
                                     data(2, stream))))


def group_planes():
    """Values of ten bytes."""
    n = 6 << 20
    stream = number(1, 7) + number(2, 1) + number(3, 1) + \
        data(8, b'\x80' * (9 * n) + b'\0' * n)
    return group([KEY], data(1, data(2, data(1, number(1, 1)) +
                                     data(2, stream))), layout=4)


def group_again():
    """Every tick of it takes a column of a million rows."""
    n, ticks = 350000, 60
    body = b''
    for i in range(ticks):
        col = number(1, NUMBERS[i % 40]) + number(6, n) + number(7, n)
        body += data(1, number(1, i + 1) + fixed(2, START + (i + 1) * SECOND) +
                     number(3, 1) + block(i % 8, 1, [number(1, PROCESS) +
                                                     data(6, col)]))
    streams = b''
    for m in NUMBERS:
        k = (ticks + 39) // 40
        streams += data(2, number(1, PROCESS) + number(2, m) + number(3, 1) +
                        data(4, b'\x02' * (n * k)) +
                        data(5, b'\x02' * (n * k)))
    raw = data(1, data(2, body + streams))
    if len(raw) > RAW_MAX:
        raise ValueError(len(raw))
    return group([KEY] * ticks, raw)


# ---- indexes -----------------------------------------------------------

def footer(entries, n):
    body = struct.pack('<II', MAGIC, len(entries) + 20) + entries
    body += struct.pack('<III', n, crc32c(entries), len(entries) + 28)
    return body + struct.pack('<I', crc32c(body)) + b'GPSE'


def footer_ticks():
    """Groups that the footer alone knows: three bytes each a tick."""
    f = one_key(b'')
    n = 65535
    tick = zigzag(1) + zigzag(0) + varint(DELTA)
    entry = b'\0' * 3 + zigzag(0) + zigzag(0) + varint(GROUP)
    entry += varint(n) + (zigzag(0) + zigzag(0) + varint(KEY)) + \
        tick * (n - 1)
    # the first entry is the frame that there is
    k = 40
    return f + b'\0' * (64 * k) + footer(entry * k, k)


def small_footers():
    one = one_key(b'')
    entry = varint(0) + varint(len(one) - 64) + varint(40) + zigzag(1) + \
        zigzag(START) + varint(KEY)
    return (one + footer(entry, 1)) * 80000


# ---- attacks on time ---------------------------------------------------

def skip_frames():
    """Skippable frames that claim all that is behind them."""
    n = 1 << 16
    total = n * 16
    out = bytearray(one_key(b''))
    for i in range(n):
        out += struct.pack('<II4sI', MAGIC, total - i * 16 - 8, b'GPSX', 0)
    return bytes(out)


def skip_frames_with_tails():
    """The same, with ends that fit: only the checksum is wrong."""
    n = 1 << 14
    out = bytearray(one_key(b''))
    half = n * 28
    for i in range(n):
        out += struct.pack('<II', MAGIC, half + 28 - 8) + b'\1' * 20
    for i in range(n):
        out += struct.pack('<IIIII4s', 0, 0, 0, half + 28, 0, b'GPSE') + \
            b'\0' * 4
    return bytes(out)


def index_frames(length, n=1 << 16):
    """Index frames, and nothing else; each claims so many bytes."""
    out = bytearray(one_key(b''))
    start = len(out)
    for i in range(n):
        left = (n - i - 1) * 64
        head = INDEX.pack(MAGIC, 56, b'GPSN', 1, KEY, 0, i + 2,
                          START + i * SECOND, length(i, left), 100, 0, 0, 7)
        out += head + struct.pack('<I', crc32c(head))
    assert len(out) - start == n * 64
    return bytes(out)


def index_frames_of_all_that_follows():
    return index_frames(lambda i, left: left)


def index_frames_of_odd_lengths():
    return index_frames(lambda i, left: max(0, left // 2 - 1) | 1,
                        1 << 18)


def index_frames_too_long():
    return index_frames(lambda i, left: left + 1 + i)


def index_frames_empty():
    return index_frames(lambda i, left: 0)


def magics():
    return one_key(b'') + struct.pack('<I', MAGIC) * (1 << 19)


def tiny_frames():
    f = File()
    f.add(True, header())
    raw = data(1, data(1, number(1, 1) + fixed(2, START)))
    comp = zstandard.ZstdCompressor(level=3).compress(raw)
    for i in range(15000):
        f.bytes += index(DELTA, i + 2, comp, len(raw), len(f.bytes),
                         len(f.bytes)) + comp
    return f.end()


# ---- escapes -----------------------------------------------------------

# What turns a terminal's colours, title, direction and lines: C0, DEL, C1 as
# UTF-8 and as bytes, bidirectional overrides, separators of lines.
EVIL = (b'\x1b]0;EVIL\x07\x1b[31m\x7f\xc2\x9b31m\xe2\x80\xae'
        b'\xe2\x81\xa6\xe2\x80\xa8\x9b5m\r\nEVILLINE\b')
EVIL8 = EVIL.replace(b'\x9b5m', b'')  # where UTF-8 is due


# What the database says of itself: of a host of its own.
CATALOG = (10, 11, 12, 13, 14, 15, 16, 17, 18)


def metrics():
    """{entity id: [(metric id, class, name)]}, of metrics.def."""
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..',
                       'src', 'metric')
    ids = {}
    with open(os.path.join(top, 'entities.def'), encoding='utf-8') as f:
        for m in re.finditer(r'^ENTITY\((\d+), (\w+),', f.read(), re.M):
            ids[m[2]] = int(m[1])
    found = {}
    with open(os.path.join(top, 'metrics.def'), encoding='utf-8') as f:
        for m in re.finditer(r'^METRIC\((\w+),\s*(\d+),\s*\w+,\s*'
                             r'"([^"]+)",\s*(\w+)', f.read(), re.M):
            found.setdefault(ids[m[1]], []).append((int(m[2]), m[4], m[3]))
    return found


TITLES = [b'postgres:  6000, us%ser db%sb 10.0.0.1(5) con7 cmd3 SELECT%s',
          b'postgres: us%ser db%sb [local] idle%s',
          b'postgres:  6000, checkpointer%s%s%s', b'%s%s%s', b'/x%sy %s %s']
QUERIES = [b'select %s%s%s from x']


def planted_entity(eid, columns, n, ids):
    """n rows; each text cell has an escape, each number is its row's."""
    cols = []
    for mid, kind, name in columns:
        if kind == 'TEXT':
            values = b''.join(varint(ids(eid, name, i)) for i in range(n))
            cols.append(column(mid, n, values, field=4))
        else:
            if name == 'ppid':
                values = zigzag(100) * n
            elif name == 'state':
                values = zigzag(ord('S')) * n
            else:
                values = b''.join(zigzag(100 + i) for i in range(n))
            cols.append(column(mid, n, values))
    return entity(eid, n, cols)


def escapes(without=()):
    """without: entities that it has no rows of."""
    texts = {}

    def ids(_eid, name, i):
        t = EVIL + b'%d' % i
        if name == 'title':
            t = TITLES[i % len(TITLES)] % (EVIL, EVIL, EVIL)
        elif name == 'query':
            t = QUERIES[0] % (EVIL, EVIL, EVIL)
        elif name in ('role', 'mode', 'status', 'kind'):
            t = EVIL[:3] + b'p' if i % 2 else b'p'
        return texts.setdefault(t, len(texts) + 1)

    def rows_of(catalog):
        return [planted_entity(e, cols, 5, ids)
                for e, cols in sorted(metrics().items())
                if (e in CATALOG) == catalog and e not in without]

    hosts, catalog = rows_of(False), rows_of(True)
    evil = EVIL8.decode()
    more = data(9, evil) + data(10, evil) + data(11, evil) + data(15, evil)
    more += data(17, evil)
    more += data(12, number(1, 1) + data(2, evil + 'other'))
    more += data(12, number(1, 2) + data(2, 'catalog' + evil) + number(3, 1))
    more += data(13, data(1, evil) + data(2, evil))
    more += data(16, data(1, evil) + data(2, evil))
    more += data(14, number(1, 7) + data(2, evil) + data(
        3, number(1, 60000) + data(2, evil)))
    more += data(18, data(1, b'f' * 16) + fixed(2, START) + data(3, evil))
    f = File()
    for i in range(8):
        body = b''.join(block(h, i + 1, [] if i else
                              catalog if h == 2 else hosts)
                        for h in range(3))
        body += b''.join(data(7, number(1, k) + fixed(
            2, START + (i + 1) * SECOND) + number(4, k % 3) + data(5, EVIL))
            for k in range(1, 18))
        if i == 0:
            body = header(more, hosts=(evil,)) + b''.join(
                text(n, t) for t, n in texts.items()) + body
        f.seq += i == 4  # a hole
        f.add(i in (0, 4), body)
    return f.end()


MEMORY = [rows_times_columns, rows_of_many_hosts, rows_of_every_host,
          columns_of_every_host, texts_between_keys, texts_by_the_million,
          text_ids_far_away, empty_texts, empty_hosts, empty_events,
          empty_entities, empty_columns, described_entities, unknown_fields,
          unknown_groups, packed_numbers, many_records, events,
          events_of_every_tick, header_settings, header_settings_long,
          header_metrics, header_hosts, header_sources, header_version,
          header_each_key, window_of_zstd, size_of_zstd, big_claim,
          group_ticks, group_streams, group_values, group_planes,
          group_again, footer_ticks, small_footers]
def servers(n, first=0):
    """Backends, each of a database server of its own."""
    pids = b''.join(zigzag(1000 + first + i) for i in range(n))
    parents = b''.join(zigzag(1000000 + first + i) for i in range(n))
    return entity(PROCESS, n, [
        column(1, n, pids, first=first), column(4, None, b'\x01' * n, field=4),
        column(6, None, parents), column(69, None, parents)], first)


def a_server_per_process():
    """Each tick has one more, so that all are named again."""
    n = 20000
    f = File().add(True, header() + text(1, b'postgres: a b [local] idle') +
                   block(0, 1, [servers(n)]))
    for i in range(5):
        f.add(False, block(0, 2 + i, [servers(1, n + i)]))
    return f.end()


def a_life_per_tick():
    """At each tick a process ends, and another one begins in its place."""
    def life(slot, start):
        values = [(1, zigzag(1000)), (2, zigzag(start)), (32, zigzag(1000))]
        return [column(metric, 1, v, first=slot) for metric, v in values] + \
            [column(3, 1, b'\x01', field=4, first=slot)]

    f = File().add(True, header() + text(1, b'x') + block(0, 1, [
        entity(PROCESS, 1, life(0, 1))]))
    for i in range(few(40000)):
        old, new = i % 2, (i + 1) % 2
        f.add(False, block(0, i + 2, [
            number(1, PROCESS) + data(2, zigzag(old)) + data(3, b'\x01') +
            data(4, zigzag(new)) + data(5, b'\x02') +
            b''.join(data(6, c) for c in life(new, i + 2))]))
    return f.end()


def a_year_without_ticks():
    f = File().add(True, header() + block(0, 1, []))
    f.seq += 366 * 86400
    return f.add(True, header() + block(0, f.seq + 1, [])).end()


TIME = [a_server_per_process, skip_frames, skip_frames_with_tails,
        index_frames_of_all_that_follows, index_frames_of_odd_lengths,
        index_frames_too_long, a_life_per_tick, index_frames_empty, magics,
        tiny_frames, a_year_without_ticks]


def attacks():
    return [(f.__name__, f) for f in MEMORY + TIME]


def main():
    """[FILE ATTACK]: writes that one; without it their names."""
    known = dict(attacks())
    if len(sys.argv) != 3:
        print('\n'.join(known))
        return
    with open(sys.argv[1], 'wb') as f:
        f.write(known[sys.argv[2]]())


if __name__ == '__main__':
    main()
