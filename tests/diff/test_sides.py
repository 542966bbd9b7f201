#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a side may be: a path with an @ in it, a directory, a host, two zones; the
same on both sides is no difference; the figures of one host are those of a file
that was cut to it."""
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
from gstest import equal

SAMPLES = os.path.join(gstest.TOP, 'samples')
INCIDENT = os.path.join(SAMPLES, 'postgresql15-incident.gpsnap')
SPILL = os.path.join(SAMPLES, 'greenplum6-spill.gpsnap')


def diff(*argv):
    return [json.loads(line) for line in
            gstest.gpsnap('diff', '-f', 'json', '-l', '0',
                          *argv).decode().splitlines()]


def test_paths(tmp):
    odd = tmp.file('a@..b@+1x')
    shutil.copy(INCIDENT, odd)
    plain = diff(INCIDENT + '@..+20s', INCIDENT + '@+30s..')
    same = diff(odd + '@..+20s', odd + '@+30s..')
    equal([t['rows'] for t in plain], [t['rows'] for t in same],
          'a path with @')
    equal(diff(odd, odd)[0]['baseline']['files'], [odd], 'the file itself')
    many = tmp.file('many')
    os.mkdir(many)
    shutil.copy(INCIDENT, os.path.join(many, 'x.gpsnap'))
    equal(diff(many + '@..+20s', INCIDENT + '@+30s..')[0]['rows'],
          plain[0]['rows'], 'a directory')


def test_itself():
    for path in (INCIDENT, SPILL):
        for table in diff(path, path):
            equal(table['rows'], [], '%s: %s' % (path, table['view']))
        rows = diff(path, path, '-V', 'processes')[0]['rows']
        gstest.check(rows, 'nothing in %s' % path)
        for row in rows:
            equal((row['change'], row['cpu_seconds_diff'] or 0), (None, 0),
                  'processes of %s' % path)


def test_host(tmp):
    """Beside the recording cut to each host."""
    name = {}
    for host in ('mdwh2', 'sdw1h2'):
        name[host] = tmp.file(host + '.gpsnap')
        gstest.gpsnap('cut', SPILL, '-o', name[host], '--host', host)
    for view in ('hosts', 'processes', 'disks', 'cgroups'):
        cut = diff(*name.values(), '-V', view)[0]
        both = diff(SPILL, '--host', 'mdwh2', '--host', 'sdw1h2', '-V',
                    view)[0]
        equal(len(both['hosts']), 1, 'hosts of B')
        figures = [c['name'] for c in both['columns']
                   if c['name'] not in ('host', 'change') and
                   not c['name'].endswith(('_base', '_diff', '_ratio'))]
        host_b = [r for r in cut['rows'] if r['change'] != 'gone']
        same_b = [r for r in both['rows'] if r['change'] != 'gone']
        if view in ('processes', 'cgroups'):
            continue  # rows of one key may be summed up
        equal(sorted(json.dumps([r[f] for f in figures]) for r in host_b),
              sorted(json.dumps([r[f] for f in figures]) for r in same_b),
              'figures of sdw1h2 in %s' % view)


def test_zones():
    """13:00 means 13:00 of each side's zone."""
    a, b = diff(INCIDENT + '@17:51:00..17:51:10',
                INCIDENT + '@17:51:20..17:51:30', '-V', 'hosts'), \
        diff(INCIDENT + '@19:51:00..19:51:10',
             INCIDENT + '@19:51:20..19:51:30', '-V', 'hosts', '--tz',
             '+02:00')
    equal(a[0]['rows'], b[0]['rows'], 'another zone')


with gstest.TempDir() as tmp_dir:
    test_paths(tmp_dir)
    test_itself()
    test_host(tmp_dir)
    test_zones()
print('ok')
