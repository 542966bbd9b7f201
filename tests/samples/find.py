#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""find.py: the intervals of --find are those that the tables of each sample
tell, worked out here, of the recordings in samples/ and of one with a hole.
"""
import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest


def number(name, test):
    return lambda row: row[name] is not None and test(row[name])


# thing, view, columns that say which row it is, condition here and there
CASES = (
    ('host', 'hosts', ('host',), 'host.busy > 99.5%',
     number('busy_percent', lambda v: v > 99.5)),
    ('host', 'hosts', ('host',), 'host.memory_available < 22.7G',
     number('memory_available', lambda v: v < 22.7 * 1024**3)),
    ('disk', 'disks', ('host', 'disk'), 'disk.util > 2 and disk = vda',
     lambda row: row['disk'] == 'vda' and (row['util_percent'] or 0) > 2),
    ('cpu', 'cpus', ('host', 'cpu'), 'cpu.system > 30% or iowait > 5',
     lambda row: (row['system_percent'] or 0) > 30 or
     (row['iowait_percent'] or 0) > 5),
    ('session', 'sessions', ('session', 'user', 'database'),
     'session.cpu > 10 and session is present',
     lambda row: row['session'] is not None and
     (row['cpu_percent'] or 0) > 10),
    ('process', 'processes', ('pid', 'host', 'session', 'command'),
     'process.io >= 1M and pid is present',
     lambda row: row['pid'] is not None and
     (row['io_bytes_per_second'] or 0) >= 1024**2),
    ('wait', 'system_event', ('event',), 'wait.sessions >= 0.9',
     number('sessions', lambda v: v >= 0.9)),
)


def tables(path, view, *options):
    """One object per sample, each with the edges of its time."""
    out = gstest.gpsnap('replay', path, '-V', view, '-f', 'json', '-l', '0',
                        *options, status=None)
    return [json.loads(line) for line in out.decode().splitlines()]


def is_blind(table):
    blind = sum(max(0, seconds(min(h['to'], table['to'])) -
                    seconds(max(h['from'], table['from'])))
                for h in table['holes'])
    return blind > (seconds(table['to']) - seconds(table['from'])) / 2


def seconds(iso):
    """Of the day: all samples are of one."""
    h, m, s = iso.rstrip('Z').split('T')[1].split(':')
    return int(h) * 3600 + int(m) * 60 + float(s)


def intervals(every, key, holds):
    """The same by hand: (row, start, end)."""
    found, running = [], {}
    for table in every:
        now = set() if is_blind(table) else {
            tuple(row[k] for k in key) for row in table['rows']
            if holds(row)}
        for row in set(running) - now:
            found.append((row, *running.pop(row)))
        for row in now:
            start = running[row][0] if row in running else table['from']
            running[row] = (start, table['to'])
    found += [(row, *t) for row, t in running.items()]
    return sorted(found, key=str)


def check(path, what, *options):
    hits = 0
    for thing, view, key, text, holds in gstest.some(CASES, len(what)):
        want = intervals(tables(path, view, *(options or ('--ticks',))), key,
                         holds)
        out = gstest.gpsnap('replay', path, '--find', text, '-f', 'json',
                            '-l', '0', *options, status=None)
        got = sorted([(tuple(row[k] for k in key), row['start'], row['end'])
                      for row in json.loads(out)['rows']], key=str)
        gstest.equal(got, want, '%s: %s' % (what, text))
        hits += len(want)
    return hits


def with_a_hole(path, to):
    with open(path, 'rb') as f:
        data = bytearray(f.read())
    data[len(data) // 2] ^= 0x55
    with open(to, 'wb') as f:
        f.write(data)


def main():
    hits = 0
    samples = sorted(glob.glob(os.path.join(gstest.TOP, 'samples',
                                            '*.gpsnap')))
    for path in samples:
        name = os.path.basename(path)
        hits += check(path, name)
        hits += check(path, name + ', steps', '--every', '3s')
        if name.endswith('-day.gpsnap'):
            continue # of one group, of which damage leaves nothing
        with gstest.TempDir() as tmp:
            holed = tmp.file(name)
            with_a_hole(path, holed)
            hits += check(holed, name + ' with a hole')
    gstest.check(hits > gstest.few(100), 'only %d intervals' % hits)
    print('%d intervals' % hits)


if __name__ == '__main__':
    main()
