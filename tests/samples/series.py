#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""series.py: every figure of --series is that of the table that --every shows for
its step, and no other; rows that are left out are in the sum of the others; times
of steps add up to those of the range.
"""
import collections
import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest

SAMPLES = os.path.join(gstest.TOP, 'samples')
# View or groups, what names a row there, a figure.
ASKED = ((('-V', 'hosts'), ('host',), 'busy_percent'),
         (('-V', 'disks'), ('host', 'disk'), 'util_percent'),
         (('-g', 'user'), ('user',), 'cpu_seconds'),
         (('-g', 'host,command'), ('host', 'command'), 'memory'),
         (('-V', 'processes'), ('pid', 'host', 'command'), 'cpu_percent'))


def tables(path, *options):
    out = gstest.gpsnap('replay', path, '-f', 'json', *options, status=None)
    return [json.loads(line) for line in out.splitlines()]


def whole(row):
    """No figure adds up to less than its parts, of which some are unknown."""
    return [v for v in row if v is not None]


def check(path, options, keys, figure, every):
    what = '%s %s' % (os.path.basename(path), ' '.join(options))
    steps = tables(path, *options, '--every', every, '-l', '0')
    steps = [s for s in steps if s['covered_seconds'] > 0 or s['holes']]
    [series] = tables(path, *options, '--every', every, '-l', '0', '--series',
                      figure)
    rows = {r['time']: r for r in series['rows']}
    gstest.check(len(rows) >= len(steps) > 1, what + ': steps')
    n = 0
    for step in steps:
        got = rows.pop(step['from'])
        values = [v for k, v in got.items() if k != 'time' and v is not None]
        wanted = {}
        for row in step['rows']:
            wanted.setdefault(tuple(row[k] for k in keys), row[figure])
        wanted = [v for v in wanted.values() if v is not None]
        gstest.equal(sorted(values), sorted(wanted),
                     '%s: %s' % (what, step['from']))
        n += len(wanted)
    for row in rows.values():  # of holes
        gstest.equal([v for k, v in row.items() if k != 'time' and
                      v is not None], [], what + ': a gap')
    return n


def check_others(path):
    options = ('-V', 'processes', '--every', '20s', '--series', 'cpu_seconds')
    [all_of] = tables(path, *options, '-l', '0')
    [some] = tables(path, *options, '-l', '2')
    gstest.equal(len(some['columns']), 4, 'time, two processes, the others')
    for a, b in zip(all_of['rows'], some['rows']):
        gstest.near(sum(whole(v for k, v in a.items() if k != 'time')),
                    sum(whole(v for k, v in b.items() if k != 'time')), 1e-9,
                    'sum at ' + a['time'])


def check_sums(path, *steps):
    """Segments are asked each 5 s and 30 s, but have their time in every step."""
    def seconds(*options):
        found = collections.Counter()
        for table in tables(path, '-V', 'time_model', '--min-pct', '0',
                            *options):
            for row in table['rows']:
                found[row['stat']] += row['seconds']
        return found

    want = seconds()
    gstest.check(want["  segments' processes"] > 600, path)
    for every in steps:
        got = seconds('--every', every)
        for stat, value in want.items():
            # events that are less than the top ones of a step have no line
            if ':' not in stat or value == 0:
                gstest.near(got[stat], value, 1e-6, '%s: %s of steps of %s'
                            % (os.path.basename(path), stat, every))


def main():
    paths = sorted(glob.glob(os.path.join(SAMPLES, 'incidents', '*.gpsnap')))
    paths = paths[::4] + [os.path.join(SAMPLES, name) for name in (
        'greenplum6-spill.gpsnap', 'postgresql15-incident.gpsnap')]
    n = 0
    for path in paths:
        for options, keys, figure in ASKED:
            n += check(path, options, keys, figure, '7s')
    n += check(os.path.join(SAMPLES, 'incidents', 'hole.gpsnap'),
               *ASKED[0], '2s')
    check_others(paths[-1])
    for name in ('greenplum7-mixed', 'greenplum6-deadlock'):
        check_sums(os.path.join(SAMPLES, 'incidents', name + '.gpsnap'),
                   '1s', '7s')
    gstest.check(n > 1500, '%d figures' % n)
    print('%d figures' % n)


if __name__ == '__main__':
    main()
