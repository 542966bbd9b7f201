# SPDX-License-Identifier: Apache-2.0
"""What counters grew by, told by replay and by a reader that shares nothing
with gpsnap: to compare recordings of which ticks were left out with their
sources."""
import collections
import csv
import functools

import editlib
import gstest
import reader

EXPORTED = (('process', 'cpu'), ('process', 'minflt'),
            ('process', 'read_bytes'), ('disk', 'reads'))

# Columns that sum up what counters grew by, and of whom: view, who, columns.
SUMS = (
    ('sessions', ('session',), ('cpu_seconds',)),
    ('queries', ('query',), ('cpu_seconds',)),
    ('processes', ('host', 'pid', 'session'), ('cpu_seconds',)),
)


def times(ticks, a, b):
    """A range whose edges are those two ticks."""
    return ('--from', '%.3f' % (ticks[a] / 1e9), '--to',
            '%.3f' % (ticks[b] / 1e9), '--utc')


def walk(*paths):
    """(time, state after the tick) of files that follow each other; a tick
    that is there twice comes once."""
    data = b''
    for path in paths:
        with open(path, 'rb') as f:
            data += f.read()
    r = reader.Reader(data)
    last = None
    for state in r.ticks():
        if state.tick.seq != last:
            yield state.tick.wall_ns, state
        last = state.tick.seq
    gstest.equal(r.damage, [], 'damage of %r' % (paths,))


def identity(name, host, row):
    if name == 'process':
        return name, host, row['pid'], row['start']
    return name, host, row.get('name')


def add_growth(to, state):
    for name, host, row, grown in state.growth():
        for metric, amount in grown.items():
            to[identity(name, host, row) + (metric,)] += amount


@functools.cache
def growth_of(path):
    """(time, what counters grew by up to it) of each tick of a file that
    stays as it is."""
    out = []
    for at, state in walk(path):
        grown = collections.Counter()
        add_growth(grown, state)
        out.append((at, grown))
    return out


def compare_growth(src, *out):
    """Interval by interval, counter by counter, row by row."""
    have = iter(growth_of(src))
    now = collections.Counter()
    n = counters = 0
    seen = set()
    for wall_ns, state in walk(*out):
        want = collections.Counter()
        for at, grown in have:
            want.update(grown)
            if at == wall_ns:
                break
        now.clear()
        add_growth(now, state)
        # + leaves out what is 0
        same(+now, +want, 'growth up to %d' % wall_ns)
        counters += len(+now)
        seen |= {k[0] for k in now}
        n += 1
    gstest.check(next(have, None) is None, 'the last tick stays')
    gstest.check(n > 3 and counters > 100, '%d ticks, %d counters' % (
        n, counters))
    return seen


def sums(path, view, who, columns, options):
    (table,) = editlib.tables(path, view, list(options))
    out = collections.Counter()
    for row in table['rows']:
        # queries of a session share a line where they can't be told apart
        key = tuple(str(row.get(w)).split('/')[0] for w in who)
        for c in columns:
            if row.get(c) is not None:
                out[key + (c,)] += row[c]
    return {k: round(v, 6) for k, v in out.items() if abs(v) > 1e-9}


def same_sums(src, out, options):
    for view, who, columns in SUMS:
        same(sums(out, view, who, columns, options),
             sums(src, view, who, columns, options),
             '%s %s' % (view, ' '.join(options)))


def same(got, want, what):
    for key in sorted(set(got) | set(want)):
        gstest.equal(got.get(key), want.get(key), '%s: %r' % (what, key))


def same_holes(a, b):
    """Of the recorder, and of hosts."""
    gstest.equal(*(sorted((h['why'], h['from'], round(h['seconds'], 2))
                          for h in t['holes']) for t in (a, b)), 'holes')


def exported(path):
    """Sums of what gpsnap export says of counters."""
    out = collections.Counter()
    # 1: a host was away for longer than two ticks
    said = editlib.gpsnap('export', path, '-f', 'csv',
                          status=(0, 1)).decode()
    for row in csv.reader(said.splitlines()):
        if (row[2], row[4]) in EXPORTED:
            out[row[2], row[4]] += float(row[5])
    return {k: round(v, 3) for k, v in out.items()}
