#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A reader of .gpsnap files that shares nothing with gpsnap.

It knows zstd, protobuf (proto/gpsnap.proto) and the text of
gpsnap-archive(5), so that it tells whether that page is enough to write a
reader from.  As a module: read(path) yields ticks with the full state of all
hosts.  As a program:

    reader.py FILE [--entity NAME]... [--columns a,b,...]

prints a JSON line per tick: stored integers and texts by metric name.  Exit
status 0: whole, 1: something was damaged or missing, 2: no recording.
"""
import argparse
import importlib.util
import itertools
import json
import os
import struct
import subprocess
import sys
import tempfile

import zstandard
from google.protobuf.message import DecodeError

MAGIC = 0x184D2A5D
LIST_MAGIC = 0x184D2A5C
REPAIR_MAGIC = 0x184D2A5B
CHUNKS = 128  # of the bytes of a group, for its repair frame
INDEX = struct.Struct('<II4sBBHQqIIQQII')
FRAME_MAX = 128 << 20
WRONG = (zstandard.ZstdError, DecodeError, KeyError, ValueError, IndexError,
         struct.error)
MASK = (1 << 64) - 1
VERSION = 1  # of the format
THINNED = 1  # incompatible: slots that end, and sums
LEFT_OUT = 2  # incompatible: numbers of ticks are left out
SERVERS = 4  # incompatible: several catalogs, one per server
DENSE = 8  # incompatible: columns of the same rows together
KNOWN = THINNED | LEFT_OUT | SERVERS | DENSE
ID = 1  # flag of a metric that tells rows apart
GROWN = 1  # a sum: by how much the counter grew
SIGNED = 8  # flag of a metric whose integers are signed
CLOSED = {1: 'exited', 2: 'left', 3: 'host lost', 4: 'unreadable',
          5: 'unseen'}
OPENED = {0: 'continued', 1: 'born', 2: 'appeared'}
EVENTS = {1: 'note', 2: 'hole', 3: 'clock step', 4: 'host up',
          5: 'host down', 6: 'refused', 7: 'start', 8: 'stop', 9: 'late',
          10: 'host connecting', 11: 'host late', 12: 'database up',
          13: 'database down', 14: 'segment', 15: 'session', 16: 'mark',
          17: 'host in time', 18: 'stood still', 19: 'suspended'}


def crc_table():
    table = []
    for n in range(256):
        for _ in range(8):
            n = (n >> 1) ^ (0x82F63B78 if n & 1 else 0)
        table.append(n)
    return table


CRC_TABLE = crc_table()


def crc_register(crc, data):
    table = CRC_TABLE
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc


def crc32c(data):
    return crc_register(0xFFFFFFFF, data) ^ 0xFFFFFFFF


def exclusive_or(*parts):
    """Of bytes, as if all were as long as the longest."""
    out = 0
    for part in parts:
        out ^= int.from_bytes(part, 'little')
    return out.to_bytes(max(map(len, parts)), 'little')


def chunks_of(data):
    """The chunks that a repair frame is about, and the two parities."""
    size = -(-len(data) // CHUNKS)
    chunks = [data[i:i + size] for i in range(0, len(data), size)]
    none = bytes(size)
    return chunks, [exclusive_or(none, *chunks[i::2]) for i in (0, 1)]


def repair_frame(data):
    parity = b''.join(chunks_of(data)[1])
    return struct.pack('<II4sI', REPAIR_MAGIC, 8 + len(parity), b'GPSR',
                       len(data)) + parity


def mend(comp, crc):
    """The bytes of a group that had this CRC, or None."""
    n = next((n for n in range(len(comp))
              if n + 16 + 2 * -(-n // CHUNKS) == len(comp)), 0)
    if n == 0:
        return None
    data, tail = comp[:n], comp[n:]
    if crc32c(data + repair_frame(data)) == crc:
        return data + repair_frame(data)
    chunks, parity = chunks_of(data)
    size = len(parity[0])
    error = [exclusive_or(parity[i], tail[16 + i * size:16 + (i + 1) * size])
             for i in (0, 1)]
    want = crc32c(comp) ^ crc
    does, rest = [0] * len(chunks), len(tail)
    for i in reversed(range(len(chunks))):
        register = crc_register(0, error[i % 2][:len(chunks[i])])
        does[i] = crc_register(register, bytes(rest)) if i + 3 >= len(chunks) \
            else crc_register(does[i + 2], bytes(2 * size))
        rest += len(chunks[i])
    bad = [any(e) for e in error]
    for i in range(len(chunks)):
        which = [i, i + 1] if all(bad) else [i] if bad[i % 2] else []
        if not which or which[-1] == len(chunks) or want != does[i] ^ (
                does[i + 1] if all(bad) else 0):
            continue
        for k in which:
            chunks[k] = exclusive_or(chunks[k], error[k % 2])[:len(chunks[k])]
        mended = b''.join(chunks) + tail
        return mended if crc32c(mended) == crc else None
    return None


def load_proto():
    """The module that protoc makes of gpsnap.proto."""
    proto = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                         '..', 'proto')
    with tempfile.TemporaryDirectory() as out:
        subprocess.run(['protoc', '--proto_path=' + proto,
                        '--python_out=' + out, 'gpsnap.proto'], check=True)
        spec = importlib.util.spec_from_file_location(
            'gpsnap_pb2', os.path.join(out, 'gpsnap_pb2.py'))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


class Unknown(Exception):
    """The file has something that a reader must know and this one does
    not."""


# {layout: kinds of frames that have it}
LAYOUTS = {1: (1, 2), 2: (3,), 3: (3,), 4: (3,), 5: (3,)}


class Frame:
    """An index frame, and where it stands."""

    def __init__(self, offset, fields):
        (_, _, _, version, self.kind, flags, self.seq, self.wall_ns, self.comp_len,
         self.raw_len, self.back_key, self.back_prev_key, self.crc,
         _) = fields
        self.offset = offset
        self.layout = version
        self.sparse = version in (3, 5)
        self.repair = self.kind == 3 and bool(flags & 1)


def index_at(data, at):
    """The valid index frame at an offset, or None."""
    if at + INDEX.size > len(data):
        return None
    fields = INDEX.unpack_from(data, at)
    magic, length, tag, version, kind = fields[:5]
    if magic != MAGIC or length != INDEX.size - 8 or tag != b'GPSN':
        return None
    if crc32c(data[at:at + INDEX.size - 4]) != fields[-1]:
        return None
    if version > max(LAYOUTS):
        raise Unknown('layout %d at %d' % (version, at))
    if kind not in LAYOUTS.get(version, ()):
        return None
    frame = Frame(at, fields)
    if frame.comp_len > FRAME_MAX or frame.raw_len > FRAME_MAX:
        return None
    return frame


def footer_len(data, at):
    """Length of the footer at an offset; 0: there is none."""
    if at + 28 > len(data):
        return 0
    magic, length = struct.unpack_from('<II', data, at)
    end = at + 8 + length
    if magic != MAGIC or length < 20 or end > len(data):
        return 0
    _, _, whole, crc, tag = struct.unpack_from('<IIII4s', data, end - 20)
    if tag != b'GPSE' or whole != length + 8:
        return 0
    return whole if crc32c(data[at:end - 8]) == crc else 0


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value & MASK, at


def list_ticks(data, pos, count, seq, wall):
    """(seq, wall_ns, kind, left_out) of each tick of a group, and where they
    end."""
    ticks = []
    for _ in range(count):
        dseq, pos = varint(data, pos)
        dwall, pos = varint(data, pos)
        kind, pos = varint(data, pos)
        seq = (seq + unzigzag(dseq)) & MASK
        wall += unzigzag(dwall)
        ticks.append((seq, wall, kind & 3, kind >> 2))
    return ticks, pos


def group_list(frame, comp):
    """The ticks that the list of a group names, and its length."""
    magic, length, tag, count = struct.unpack_from('<II4sI', comp, 0)
    if magic != LIST_MAGIC or tag != b'GPSL':
        raise ValueError('no list')
    ticks, end = list_ticks(comp, 16, count, frame.seq, frame.wall_ns)
    if end != length + 8 or ticks[0][:2] != (frame.seq, frame.wall_ns):
        raise ValueError('the list does not fit')
    if any(t[3] for t in ticks) != frame.sparse:
        raise ValueError('the layout does not fit')
    return ticks, end


def join_planes(planes):
    """The values whose bytes are there: the first ones of all, ..."""
    k, parts = 0, list(planes)
    n = sum(b < 0x80 for b in planes)
    values = [0] * n
    going = range(n)
    while going:
        layer, parts = parts[:len(going)], parts[len(going):]
        for i, byte in zip(going, layer, strict=True):
            values[i] |= (byte & 0x7F) << k
        going = [i for i, byte in zip(going, layer) if byte >= 0x80]
        k += 7
    if parts:
        raise ValueError('bytes after the last plane')
    return [signed(unzigzag(v & MASK)) for v in values]


def fill_columns(group):
    """Gives the columns of a group's ticks their values."""
    for stream in group.stream:
        stream.diff.extend(join_planes(stream.planes))
    streams = {(s.entity, s.metric, s.key): s for s in group.stream}
    taken = {}
    fields = (('rows', 'row_gap'), ('diffs', 'diff'), ('texts', 'text'),
              ('gones', 'gone_gap'))
    for tick in group.tick:
        for host in tick.host:
            for entity in host.entity:
                for column in entity.column:
                    name = (entity.entity, column.metric, tick.key)
                    for count, field in fields:
                        n = getattr(column, count)
                        at = taken.get((name, field), 0)
                        values = getattr(streams[name], field)[at:at + n]
                        if len(values) != n:
                            raise ValueError('values are missing')
                        getattr(column, field).extend(values)
                        taken[name, field] = at + n


def footer_entries(data, at):
    """(offset, comp_len, raw_len, seq, wall_ns, kind, left_out) of each
    tick."""
    length = struct.unpack_from('<I', data, at + 4)[0]
    count = struct.unpack_from('<I', data, at + length - 12)[0]
    pos = at + 8
    end = seq = wall = 0
    entries = []
    for _ in range(count):
        skip, pos = varint(data, pos)
        comp, pos = varint(data, pos)
        raw, pos = varint(data, pos)
        dseq, pos = varint(data, pos)
        dwall, pos = varint(data, pos)
        kind, pos = varint(data, pos)
        offset = end + skip
        seq = (seq + unzigzag(dseq)) & MASK
        wall += unzigzag(dwall)
        end = offset + INDEX.size + comp
        if kind != 3:
            entries.append((offset, comp, raw, seq, wall, kind, 0))
            continue
        n, pos = varint(data, pos)
        ticks, pos = list_ticks(data, pos, n, seq, wall)
        entries += [(offset, comp, raw) + tick for tick in ticks]
        seq, wall = ticks[-1][:2]
    return entries


def spread(tick):
    """Makes single columns of those of the same rows."""
    for delta in (d for host in tick.host for d in host.entity):
        for columns in delta.columns:
            metrics = slots(columns.metric_gap)
            n = len(columns.row_gap) or 1
            if len(columns.diff) != n * len(metrics):
                raise ValueError('values do not match rows')
            for i, metric in enumerate(metrics):
                diff = columns.diff[i * n:(i + 1) * n]
                if columns.running:
                    diff = itertools.accumulate(
                        diff, lambda a, b: signed(a + b))
                has = [(slot, d) for slot, d in zip(
                    slots(columns.row_gap or [0]), diff)
                       if d or not columns.padded]
                delta.column.add(metric=metric, diff=[d for _, d in has],
                                 row_gap=gaps([slot for slot, _ in has]))


def signed(value):
    """Modulo 2^64."""
    return (value + (1 << 63) & MASK) - (1 << 63)


def unzigzag(value):
    return (value >> 1) ^ -(value & 1)


def slots(gaps):
    at = 0
    out = []
    for gap in gaps:
        at += gap
        out.append(at)
    return out


def gaps(rows):
    return [b - a for a, b in zip([0, *rows], rows)]


def difference(metric, was, now):
    """What a counter grew by, by its two values."""
    if now >= was:
        return now - was
    half = 1 << 31
    if metric.bits == 32 and half <= was < 2 * half and now < half:
        return now + 2 * half - was
    return 0


class Table:
    """Rows of one entity of one host: slot -> {metric id: value}."""

    def __init__(self):
        self.rows = {}
        self.opened = {}  # slot: how, at the last tick
        self.closed = []  # (row, why), at the last tick
        self.before = {}  # slot: what the row was at the tick before
        self.ended = []  # (slot, row), at the last tick
        self.sums = {}  # (slot, metric id, which): amount, at the last tick


class Host:
    def __init__(self, index):
        self.index = index
        self.block = None
        self.fresh = False
        self.tables = {}

    def table(self, entity):
        return self.tables.setdefault(entity, Table())


class State:
    """The state after a tick: hosts, texts, names of what is recorded."""

    def __init__(self):
        self.hosts = {}
        self.texts = {0: b''}
        self.entities = {}  # id: name
        self.metrics = {}  # entity id: {metric id: Metric}
        self.header = None
        self.tick = None
        self.frame = None

    def take_header(self, header):
        if header.format_version > VERSION or header.incompatible & ~KNOWN:
            raise Unknown('format %d with features %#x' % (
                header.format_version, header.incompatible))
        self.header = header
        self.describe(header.entity)

    def describe(self, entities):
        for entity in entities:
            self.entities[entity.id] = entity.name
            known = self.metrics.setdefault(entity.id, {})
            for metric in entity.metric:
                known[metric.id] = metric

    def apply(self, tick):
        follows = self.tick is not None and \
            tick.seq == self.tick.seq + 1 + tick.left_out
        if tick.HasField('header') and self.header is not None:
            follows &= tick.header.recording_id == self.header.recording_id
        for host in self.hosts.values():
            host.fresh = False
            for table in host.tables.values():
                table.opened, table.closed = {}, []
                table.ended, table.sums = [], {}
                table.before = {s: dict(r) for s, r in table.rows.items()}
        if tick.HasField('header'):
            self.take_header(tick.header)
        self.describe(tick.entity)
        if tick.key:
            self.texts = {0: b''}
        for text in tick.text:
            self.texts[text.id] = text.text
        for block in tick.host:
            host = self.hosts.setdefault(block.host, Host(block.host))
            host.block = block
            host.fresh = True
            before = host.tables
            if tick.key:
                host.tables = {}
            for delta in block.entity:
                if tick.key and follows:
                    self.close_before(host, before, delta)
                table = host.table(delta.entity)
                self.apply_entity(table, delta, tick.key)
                if tick.key and follows:
                    self.go_on(table, before.get(delta.entity), delta)
                self.sum_up(table, delta)
        if tick.key:
            named = {block.host for block in tick.host}
            self.hosts = {i: h for i, h in self.hosts.items() if i in named}
        self.tick = tick

    @staticmethod
    def close_before(host, before, delta):
        """A key closes slots of the numbering of the tick before it."""
        old = before.get(delta.entity)
        whys = delta.closed_why or [0] * len(delta.closed_gap)
        for slot, why in zip(slots(delta.closed_gap), whys):
            if old and slot in old.rows:
                host.table(delta.entity).closed.append(
                    (old.rows[slot], why))

    def identity(self, entity_id, row):
        """What tells a row from others, by number of the metric."""
        known = self.metrics[entity_id]
        return tuple(sorted((m, v) for m, v in row.items()
                            if known[m].flags & ID))

    def go_on(self, table, old, delta):
        """Which rows of a key were which before it."""
        gone = set(slots(delta.closed_gap))
        by_identity = {}
        for slot, row in (old.before if old else {}).items():
            if slot not in gone:
                by_identity.setdefault(
                    self.identity(delta.entity, row), []).append(row)
        for slot, row in table.rows.items():
            same = by_identity.get(self.identity(delta.entity, row))
            if same:
                table.before[slot] = same.pop(0)

    @staticmethod
    def sum_up(table, delta):
        for column in delta.column:
            if column.sum:
                for slot, amount in zip(slots(column.row_gap), column.diff,
                                        strict=True):
                    table.sums[slot, column.metric, column.sum] = \
                        amount & MASK
        whys = delta.ended_why or [0] * len(delta.ended_gap)
        for slot, why in zip(slots(delta.ended_gap), whys):
            row = table.rows.pop(slot)
            table.ended.append((slot, row))
            table.closed.append((row, why))

    def growth(self):
        """[(entity name, host, row, {metric: by how much it grew})] at the
        last tick: of counters, of rows that are there or ended."""
        out = []
        for index, host in self.hosts.items():
            for entity_id, table in host.tables.items():
                if not host.fresh:
                    continue
                for slot, row in [*table.rows.items(), *table.ended]:
                    grown = self.row_growth(entity_id, table, slot, row)
                    if any(grown.values()):
                        out.append((self.entities[entity_id], index,
                                    self.named(entity_id, row), grown))
        return out

    def row_growth(self, entity_id, table, slot, row):
        before = table.before.get(slot)
        grown = {}
        for metric_id, metric in self.metrics[entity_id].items():
            if metric_id not in row and \
                    (slot, metric_id, GROWN) not in table.sums:
                continue
            if getattr(metric, 'class') != 'counter':
                continue
            now = row.get(metric_id, 0)
            if (slot, metric_id, GROWN) in table.sums:
                amount = table.sums[slot, metric_id, GROWN]
            elif before is None:
                amount = now if table.opened.get(slot) == 1 else 0
            elif metric_id not in before:
                amount = 0
            else:
                amount = difference(metric, before[metric_id], now)
            grown[metric.name] = amount
        return grown

    def apply_entity(self, table, delta, key):
        if not key:
            whys = delta.closed_why or [0] * len(delta.closed_gap)
            for slot, why in zip(slots(delta.closed_gap), whys):
                table.closed.append((table.rows.pop(slot), why))
        hows = delta.opened_how or [0] * len(delta.opened_gap)
        for slot, how in zip(slots(delta.opened_gap), hows):
            if slot in table.rows:
                raise ValueError('slot %d opened twice' % slot)
            table.rows[slot] = {}
            table.opened[slot] = how
        rows = []
        for column in delta.column:
            if column.sum:
                continue
            if column.row_gap:
                rows = slots(column.row_gap)
            metric = column.metric
            if column.diff:
                for slot, diff in zip(rows, column.diff, strict=True):
                    row = table.rows[slot]
                    row[metric] = (row.get(metric, 0) + diff) & MASK
            elif column.text:
                for slot, text in zip(rows, column.text, strict=True):
                    table.rows[slot][metric] = self.texts[text]
            for slot in slots(column.gone_gap):
                del table.rows[slot][metric]

    def named(self, entity_id, row):
        """A row with names, signed where the metric is."""
        out = {}
        for metric_id, value in row.items():
            metric = self.metrics[entity_id][metric_id]
            if metric.flags & SIGNED and value >= 1 << 63:
                value -= 1 << 64
            out[metric.name] = value
        return out

    def tables(self, entity_name, host=None):
        """[(host index, id of the entity, its table)]."""
        return [(index, entity_id, h.tables[entity_id])
                for entity_id, name in self.entities.items()
                if name == entity_name
                for index, h in self.hosts.items()
                if host in (None, index) and entity_id in h.tables]

    def rows(self, entity_name, host=None):
        """[(host index, named row)] of an entity."""
        return [(index, self.named(entity_id, row))
                for index, entity_id, table in self.tables(entity_name, host)
                for row in table.rows.values()]

    def ended(self, entity_name, host=None):
        """The same of those that closed at the last tick, with figures."""
        return [(index, self.named(entity_id, row))
                for index, entity_id, table in self.tables(entity_name, host)
                for _, row in table.ended]

    def notes(self, entity_name, host=None):
        """([(how, named row)] opened, [(why, named row)] closed)."""
        opened, closed = [], []
        for _, entity_id, table in self.tables(entity_name, host):
            there = {**table.rows, **dict(table.ended)}
            for slot, how in table.opened.items():
                opened.append((OPENED.get(how, how),
                               self.named(entity_id, there[slot])))
            for row, why in table.closed:
                closed.append((CLOSED.get(why, why),
                               self.named(entity_id, row)))
        return opened, closed


class Reader:
    def __init__(self, data):
        self.data = data
        self.proto = load_proto()
        self.damage = []  # (offset, what)
        self.entries = None  # of the footer, if the file is closed

    def frames(self):
        """Index frames with whole data, in the order of the file."""
        data, at = self.data, 0
        torn = None
        start, named, sound = 0, [], True  # of the file at hand
        while at < len(data):
            frame = index_at(data, at)
            if frame:
                end = at + INDEX.size + frame.comp_len
                comp = self.sound(frame, data[at + INDEX.size:end])
                if comp:
                    torn = None
                    if self.begins_file(frame, comp):
                        start, named, sound = at, [], True
                    named += self.named(frame, comp, at - start)
                    yield frame, comp
                    at = end
                    continue
            else:
                length = footer_len(data, at)
                if length:
                    self.entries = footer_entries(data, at)
                    if sound and named != [(e[0], *e[3:6])
                                           for e in self.entries]:
                        self.damage.append((at, 'frames and index differ'))
                    torn = None
                    at += length
                    start, named, sound = at, [], True
                    continue
            if torn is None:
                torn = at
                sound = False
                self.damage.append((at, 'no whole frame'))
            at = data.find(struct.pack('<I', MAGIC), at + 1)
            if at < 0:
                break

    @staticmethod
    def named(frame, comp, at):
        """(offset, seq, wall_ns, kind) of each tick of a frame."""
        ticks = [(frame.seq, frame.wall_ns, frame.kind, 0)]
        if frame.kind == 3:
            try:
                ticks, _ = group_list(frame, comp)
            except WRONG:
                pass  # said when its ticks are read
        return [(at, *tick[:3]) for tick in ticks]

    @staticmethod
    def begins_file(frame, comp):
        """It is a key that knows of no key before it."""
        if frame.back_prev_key:
            return False
        try:
            return frame.kind == 1 or (
                frame.kind == 3 and group_list(frame, comp)[0][0][2] == 1)
        except WRONG:
            return False

    def sound(self, frame, comp):
        """The bytes of a frame as they were written, or None."""
        if len(comp) < frame.comp_len:
            return None
        if crc32c(comp) == frame.crc:
            return comp
        mended = mend(comp, frame.crc) if frame.repair else None
        if mended:
            self.damage.append((frame.offset, 'restored'))
        return mended

    def ticks_of(self, unzip, frame, comp):
        """The ticks of a frame: one, or those of a group."""
        named, skip = [(frame.seq, frame.wall_ns, frame.kind, 0)], 0
        if frame.kind == 3:
            named, skip = group_list(frame, comp)
        record = self.record_of(unzip, frame, comp[skip:])
        if frame.kind == 3:
            fill_columns(record.group)
        ticks = record.group.tick if frame.kind == 3 else [record.tick]
        if [(t.seq, t.key, t.left_out) for t in ticks] != \
                [(seq, kind == 1, out) for seq, _, kind, out in named]:
            raise ValueError('index and tick differ')
        if [t.wall_ns for t in ticks] != [wall for _, wall, _, _ in named]:
            self.damage.append((frame.offset, 'index has another time'))
        for tick in ticks:
            spread(tick)
        return ticks

    def record_of(self, unzip, frame, comp):
        raw = unzip.decompress(comp, max_output_size=frame.raw_len)
        if len(raw) != frame.raw_len:
            raise ValueError('wrong length')
        recording = self.proto.Recording()
        recording.ParseFromString(raw)
        (record,) = recording.record
        return record

    def ticks(self):
        """The State after each tick that can be read; one object, reused."""
        state = State()
        unzip = zstandard.ZstdDecompressor()
        ready = False
        last = key_at = tag = before = None
        for frame, tick, error in self.unpacked(unzip):
            if not error:
                if tick.key and frame is not before and \
                        not self.is_linked(frame, ready, key_at):
                    self.damage.append((frame.offset, 'no key before'))
                before = frame
                if tick.key:
                    key_at = frame.offset
                if tick.key:
                    tag = tick.key_tag
                ready = tick.key or (
                    ready and last + 1 + tick.left_out == tick.seq and
                    tick.key_tag == tag and
                    (frame.kind != 2 or
                     frame.offset - frame.back_key == key_at))
                last = tick.seq
                error = self.applied(state, tick) if ready else \
                    'tick without its key'
            if error:
                self.damage.append((frame.offset, error))
                ready = False
                continue
            state.frame = frame
            yield state

    @staticmethod
    def is_linked(frame, ready, key_at):
        """The key before this one is where this one says."""
        back = frame.back_prev_key
        return back == 0 or (back <= frame.offset and
                             (not ready or frame.offset - back == key_at))

    def unpacked(self, unzip):
        """(frame, tick, what is wrong with the frame)"""
        for frame, comp in self.frames():
            try:
                ticks = self.ticks_of(unzip, frame, comp)
            except WRONG as error:
                yield frame, None, repr(error)
                continue
            for tick in ticks:
                yield frame, tick, None

    @staticmethod
    def applied(state, tick):
        try:
            state.apply(tick)
        except WRONG as error:
            return repr(error)
        return None


def read(path):
    with open(path, 'rb') as f:
        return Reader(f.read())


def text(value):
    if isinstance(value, bytes):
        return value.decode('utf-8', 'backslashreplace')
    return value


def as_json(state, entities, columns):
    tick = state.tick
    out = {'seq': tick.seq, 'wall_ns': tick.wall_ns, 'key': tick.key,
           'hosts': [], 'events': []}
    for event in tick.event:
        out['events'].append({
            'kind': EVENTS.get(event.kind, event.kind),
            'wall_ns': event.wall_ns, 'value': event.value,
            'host': event.host - 1 if event.host else None,
            'text': text(event.text)})
    for index, host in sorted(state.hosts.items()):
        block = host.block
        entry = {'host': index, 'fresh': host.fresh,
                 'wall_ns': block.wall_ns, 'mono_ns': block.mono_ns,
                 'boot_ns': block.boot_ns, 'rows': {}}
        for name in state.entities.values():
            if entities and name not in entities:
                continue
            entry['rows'][name] = [
                {k: text(v) for k, v in row.items()
                 if not columns or k in columns}
                for _, row in state.rows(name, index)]
        out['hosts'].append(entry)
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('file')
    parser.add_argument('--entity', action='append')
    parser.add_argument('--columns')
    args = parser.parse_args()
    columns = args.columns.split(',') if args.columns else None
    reader = read(args.file)
    n = 0
    for state in reader.ticks():
        n += 1
        print(json.dumps(as_json(state, args.entity, columns)))
    for offset, what in reader.damage:
        print('%s: offset %d: %s' % (args.file, offset, what),
              file=sys.stderr)
    return 2 if n == 0 else 1 if reader.damage else 0


if __name__ == '__main__':
    sys.exit(main())
