#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""holes.py: a hole has one beginning and one end, and what a range covers is one
time: in tables, --find, --series, info, sadf and on the page.
"""
import glob
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'lib'),
                os.path.join(HERE, '..', 'report')]
import gstest
import pagefile

SAMPLES = os.path.join(gstest.TOP, 'samples')
AGENT_LOST = os.path.join(SAMPLES, 'incidents', 'agent-lost.gpsnap')
# What the lines above tables say, but for what is of one kind of table.
HEAD = ('from', 'to', 'covered_seconds', 'ticks', 'holes', 'host_coverage',
        'interval_seconds')
RANGES = ((), ('--from', '19:42:35'), ('--to', '19:42:35'),
          ('--from', '19:42:26', '--to', '19:42:40'))


def replay(path, *options):
    out = gstest.gpsnap('replay', path, '-V', 'hosts', '-f', 'json', *options,
                        status=None)
    return [json.loads(line) for line in out.splitlines()]


def head(table):
    return {name: table.get(name) for name in HEAD}


def page_holes(path, *options):
    """As seconds of the day, and why."""
    data = subprocess.run([gstest.binary('gpsnap'), 'report', path, '--data',
                           '-o', '-', *options], stdout=subprocess.PIPE,
                          check=False).stdout
    return sorted((h['from'] % 86400000, h['to'] % 86400000, h['why'])
                  for h in pagefile.data_of(data)['holes'])


def ms(time):
    hour, minute, second = re.search(r'T(\d+):(\d+):([\d.]+)Z', time).groups()
    return int((int(hour) * 3600 + int(minute) * 60) * 1000 +
               float(second) * 1000)


def check(path, *options):
    what = '%s %s' % (os.path.basename(path), ' '.join(options))
    [table] = replay(path, *options)
    for more in (('--find', 'busy >= 0'), ('--series', 'busy')):
        [other] = replay(path, *options, *more)
        gstest.equal(head(other), head(table), what + ' ' + more[0])
    gstest.equal(page_holes(path, *options), sorted(
        (ms(h['from']), ms(h['to']), h['why']) for h in table['holes']),
        what + ' page')
    return len(table['holes'])


def check_lost():
    """A host's hole begins at its last answer: there is a table of the first
    sample that it missed, too."""
    [table] = replay(AGENT_LOST)
    [hole] = table['holes']
    ticks = replay(AGENT_LOST, '--ticks')
    silent = [t for t in ticks if t['rows'][0]['busy_percent'] is None]
    gstest.equal((silent[0]['from'], silent[-1]['to']),
                 (hole['from'], hole['to']), 'tables of the hole')
    for a, b in zip(ticks, ticks[1:]):
        gstest.equal(b['from'], a['to'], 'a table that is missing')
    gstest.equal([bool(t['holes']) for t in silent], [True] * len(silent),
                 'each has a hole')
    [first] = replay(AGENT_LOST, '--at', '19:42:30')
    gstest.equal(first['rows'][0]['state'], 'silent', 'its state')
    [series] = replay(AGENT_LOST, '--series', 'busy')
    gstest.equal([r['time'] for r in series['rows']],
                 [t['from'] for t in ticks], 'steps of the series')
    info = gstest.gpsnap('info', AGENT_LOST, status=None).decode()
    gstest.check('for %.1fs' % hole['seconds'] in info, 'info')
    sadf = gstest.gpsnap('sadf', '-d', AGENT_LOST, '--', '-u',
                         status=None).decode()
    gstest.check('%s UTC;HOLE until %s UTC' % tuple(
        hole[end][:19].replace('T', ' ') for end in ('from', 'to')) in sadf,
        'sadf')


def rates(*options):
    """Of each disk, and the time that they are of."""
    [table] = replay(AGENT_LOST, '-V', 'disks', *options)
    names = [row['disk'] for row in table['rows']]
    gstest.equal(len(names), len(set(names)), 'a line of each disk')
    return (table['host_coverage'][0]['covered_seconds']
            if table.get('host_coverage') else table['covered_seconds'],
            {row['disk']: row['reads_per_second'] for row in table['rows']})


def check_devices():
    """What a new agent names again is the same device."""
    all_s, both = rates()
    parts = [rates('--to', '19:42:30'), rates('--from', '19:42:44')]
    gstest.check(abs(sum(s for s, _ in parts) - all_s) < 0.1, 'covered')
    for disk, rate in both.items():
        reads = sum(s * r[disk] for s, r in parts)
        gstest.check(abs(reads - rate * all_s) < 1,
                     '%s: %r and %r' % (disk, reads, rate * all_s))
    for view in ('cpus', 'nets', 'filesystems', 'agents', 'cgroups'):
        [before] = replay(AGENT_LOST, '-V', view, '--to', '19:42:30')
        [table] = replay(AGENT_LOST, '-V', view)
        gstest.equal(len(table['rows']), len(before['rows']), view)


def main():
    paths = sorted(glob.glob(os.path.join(SAMPLES, 'incidents', '*.gpsnap')))
    n = sum(check(path) for path in paths[::5] + [
        os.path.join(SAMPLES, 'incidents', 'greenplum6-deadlock.gpsnap')])
    n += sum(check(AGENT_LOST, *options) for options in RANGES)
    check_lost()
    check_devices()
    with gstest.TempDir() as tmp:
        with open(os.path.join(SAMPLES, 'incidents', 'hole.gpsnap'),
                  'rb') as f:
            data = bytearray(f.read())
        data[len(data) // 2] ^= 255
        path = tmp.file('damaged.gpsnap')
        with open(path, 'wb') as f:
            f.write(data)
        n += check(path)
    gstest.check(n >= 5, '%d holes' % n)
    print('%d holes' % n)


if __name__ == '__main__':
    main()
