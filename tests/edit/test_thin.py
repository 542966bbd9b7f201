#!/usr/bin/python3
"""gpsnap thin: what counters grew by between the ticks that stay is what it
was, told by replay of both files, and by a reader that shares nothing with
gpsnap."""
import collections
import csv
import os
import random
import subprocess

import editlib
import gstest
import reader

ALL = 'all.gpsnap'
EXPORTED = (('process', 'cpu'), ('process', 'minflt'),
            ('process', 'read_bytes'), ('disk', 'reads'))
SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..',
                       '..', 'samples')

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


def walk(path):
    """(time, growth of the tick) of a file."""
    with open(path, 'rb') as f:
        r = reader.Reader(f.read())
    for state in r.ticks():
        yield state.tick.wall_ns, state


def identity(name, host, row):
    if name == 'process':
        return name, host, row['pid'], row['start']
    return name, host, row.get('name')


def add_growth(to, state):
    for name, host, row, grown in state.growth():
        for metric, amount in grown.items():
            to[identity(name, host, row) + (metric,)] += amount


def compare_growth(src, out):
    """Interval by interval, counter by counter, row by row."""
    have = walk(src)
    now = collections.Counter()
    n = counters = 0
    seen = set()
    for wall_ns, state in walk(out):
        want = collections.Counter()
        for at, source in have:
            add_growth(want, source)
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


def exported(path):
    """Sums of what gpsnap export says of counters."""
    out = collections.Counter()
    said = editlib.gpsnap('export', path, '-f', 'csv', status=0).decode()
    for row in csv.reader(said.splitlines()):
        if (row[2], row[4]) in EXPORTED:
            out[row[2], row[4]] += float(row[5])
    return {k: round(v, 3) for k, v in out.items()}


def check_sums(tmp, src, every):
    out = os.path.join(tmp, every + '.gpsnap')
    editlib.gpsnap('thin', src, '-o', out, '--every', every)
    editlib.gpsnap('verify', out)
    ticks = [wall_ns for wall_ns, _ in walk(out)]
    seen = compare_growth(src, out)
    gstest.check({'process', 'disk'} <= seen, 'grew: %r' % seen)
    gstest.check(b'\nthinned ' in editlib.gpsnap('info', out), 'info')
    gstest.check(b' (thinned from ' in editlib.gpsnap('replay', out),
                 'the head of replay')
    same_sums(src, out, ())
    same(exported(out), exported(src), 'export')
    rng = random.Random(7)
    for _ in range(4):
        a, b = sorted(rng.sample(range(len(ticks)), 2))
        same_sums(src, out, times(ticks, a, b))


def check_again(tmp, src):
    """Coarser yet, also of a part that was cut, in a group, in a pipe."""
    one = os.path.join(tmp, '10s.gpsnap')
    two, both = os.path.join(tmp, 'two'), os.path.join(tmp, 'both')
    editlib.gpsnap('thin', one, '-o', two, '--every', '1m')
    editlib.gpsnap('thin', src, '-o', both, '--every', '1m')
    ticks = [wall_ns for wall_ns, _ in walk(two)]
    gstest.equal(ticks, [wall_ns for wall_ns, _ in walk(both)], 'ticks')
    compare_growth(src, two)
    same_sums(both, two, ())
    same_sums(both, two, times(ticks, 1, 4))
    cut = os.path.join(tmp, 'cut')
    editlib.gpsnap('cut', two, '-o', cut, *times(ticks, 1, 4))
    editlib.same_everywhere(cut, [], two, list(times(ticks, 1, 4)), 'cut')
    with open(src, 'rb') as f:
        piped = editlib.gpsnap('thin', '-', '-o', '-', '--every', '1m',
                               stdin=f.read())
    with open(cut, 'wb') as f:
        f.write(piped)
    same_sums(cut, both, ())


def check_refusals(tmp, src):
    two = os.path.join(tmp, 'two')
    for path, every in ((src, '500ms'), (src, '1s'), (two, '10s')):
        done = subprocess.run(
            [gstest.binary('gpsnap'), 'thin', path, '-o',
             os.path.join(tmp, 'no'), '--every', every],
            env=editlib.ENV, capture_output=True, check=False)
        gstest.equal(done.returncode, 64, 'thin to ' + every)
        gstest.check(b': expected a longer interval' in done.stderr,
                     done.stderr.decode())
    gstest.check(not os.path.exists(os.path.join(tmp, 'no')), 'no file')


def check_marks_and_holes(src, out):
    (a,) = editlib.tables(src, 'sessions', [])
    (b,) = editlib.tables(out, 'sessions', [])
    gstest.equal(b['remarks'], a['remarks'], 'marks')
    gstest.equal(b['holes'], a['holes'], 'holes')
    gstest.equal(b['covered_seconds'], a['covered_seconds'], 'time')


def check_absent(tmp, src):
    """What was not recorded of processes is nothing of them that is 0."""
    few, out = os.path.join(tmp, 'few'), os.path.join(tmp, 'few-10s')
    editlib.gpsnap('cut', src, '-o', few, '--metrics', 'process.cpu,'
                   'process.utime,process.stime,process.cutime,process.title')
    editlib.gpsnap('thin', few, '-o', out, '--every', '10s')
    for view in ('processes', 'sessions', 'queries'):
        (table,) = editlib.tables(out, view, [])
        gstest.check(table['rows'], view)
        for row in table['rows']:
            known = [c for c in ('io_bytes_per_second', 'memory',
                                 'read_bytes_per_second',
                                 'write_bytes_per_second')
                     if row.get(c) is not None]
            gstest.equal(known, [], '%s: %r' % (view, row))


def main():
    with editlib.scratch() as tmp:
        subprocess.run([gstest.binary('make_recordings'), tmp], check=True)
        src = os.path.join(tmp, ALL)
        check_sums(tmp, src, '1m')
        check_sums(tmp, src, '10s')
        check_again(tmp, src)
        check_refusals(tmp, src)
        check_absent(tmp, src)
        check_marks_and_holes(src, os.path.join(tmp, 'two'))
    for name, every in (('postgresql15', '7s'), ('greenplum6', '5s')):
        with editlib.scratch() as tmp:
            check_sums(tmp, os.path.join(SAMPLES, name + '.gpsnap'), every)


if __name__ == '__main__':
    main()
