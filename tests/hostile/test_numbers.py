#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Times of a recording may be any number: no sum of them overflows.

Each copy of a sample has one time of the database, or the difference between
two clocks, set to what no clock shows.  Views that count from it end well; with
sanitizers an overflow is status 99.
"""
import os
import subprocess
import sys

import zstandard

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'lib'), os.path.join(HERE, '..')]
import gstest  # noqa: E402
import hostile_files  # noqa: E402
import reader  # noqa: E402

SAMPLE = os.path.join(HERE, '..', '..', 'samples',
                      'postgresql15-incident.gpsnap')
NUMBERS = (-1 << 63, (1 << 63) - 1)
# Entity and metric; or a clock of the host: ticks with others out of bounds are
# damaged.
TIMES = [('cluster', 'start'), ('collector', 'last'), ('backend', 'start'),
         ('backend', 'query_start'), ('backend', 'xact_start'),
         ('backend', 'state_change'), 'offset_ns']
VIEWS = ['sessions', 'queries', 'connections', 'waits', 'active', 'top']


def ticks(pb):
    """The ticks of the sample, one per frame."""
    with open(SAMPLE, 'rb') as f:
        data = f.read()
    at = 0
    while True:
        frame = reader.index_at(data, at)
        if not frame:
            return
        at += reader.INDEX.size
        raw = zstandard.ZstdDecompressor().decompressobj().decompress(
            data[at:at + frame.comp_len])
        at += frame.comp_len
        yield from (r.tick for r in pb.Recording.FromString(raw).record
                    if r.HasField('tick'))


def plant(tick, time, value, ids):
    """All rows that a key tick opens have this value; how many places."""
    n = 0
    for e in tick.header.entity:
        for m in e.metric:
            ids[e.name, m.name] = e.id, m.id
    for host in tick.host:
        if isinstance(time, str):
            setattr(host, time, value)
            n += 1
            continue
        if not tick.key:
            continue
        entity, metric = ids[time]
        for c in (c for e in host.entity if e.entity == entity
                  for c in e.column if c.metric == metric):
            c.diff[:] = [value] * len(c.diff)
            n += len(c.diff)
    return n


def make(path, pb, time, value):
    out = hostile_files.File()
    ids = {}
    n = 0
    for tick in ticks(pb):
        n += plant(tick, time, value, ids)
        out.put(tick.key, tick.seq, tick.wall_ns,
                pb.Recording(record=[pb.Record(tick=tick)])
                .SerializeToString())
    with open(path, 'wb') as f:
        f.write(out.end())
    gstest.check(n > 0, '%s is not in the sample' % (time,))


def main():
    pb = reader.load_proto()
    bad = []
    with gstest.TempDir() as tmp:
        path = tmp.file('numbers.gpsnap')
        for time in TIMES:
            for value in NUMBERS:
                make(path, pb, time, value)
                for view in VIEWS:
                    p = subprocess.run(
                        [gstest.binary('gpsnap'), 'replay', path, '-V', view,
                         '-l', '0'], stdout=subprocess.DEVNULL,
                        stderr=subprocess.PIPE, check=False)
                    if p.returncode not in (0, 1, 3):
                        bad.append('%s = %d, %s: status %d: %s' % (
                            time, value, view, p.returncode,
                            p.stderr.decode()[:300]))
    gstest.check(not bad, '\n'.join(bad))


if __name__ == '__main__':
    main()
