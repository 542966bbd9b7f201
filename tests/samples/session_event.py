#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""session_event.py: what a backend's process used is in -V session_event what it is
in -V processes: both divide by the same time, also where the process began or
ended in the range.  The recorder's own backends are not in it, nor their executors.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest

SAMPLES = os.path.join(gstest.TOP, 'samples')
NAMES = ('greenplum6-spill', 'postgresql15-incident', 'incidents/rollbacks')
FIGURES = (('process_cpu_percent', 'cpu_percent'),
           ('process_io_bytes_per_second', 'io_bytes_per_second'))


def rows(path, view):
    [table] = gstest.replay_json(path, '-V', view, '-l', '0')
    return table['rows']


def check(path):
    n = 0
    processes = {}
    for row in rows(path, 'processes'):
        processes.setdefault(row['pid'], []).append(row)
    for row in rows(path, 'session_event'):
        for ours, theirs in FIGURES:
            if row[ours] is None:
                continue
            found = [p[theirs] or 0 for p in processes[row['pid']]]
            near = min(found, key=lambda v: abs(v - row[ours]))
            gstest.near(row[ours], near, 1e-6, '%s of %d in %s' % (
                ours, row['pid'], path))
            n += 1
    return n


def check_own(path):
    own = {str(row['session']) for row in rows(path, 'backends')
           if row['application'] == 'gpsnap'}
    gstest.check(own, 'the recorder asked')
    for row in rows(path, 'session_event'):
        gstest.check(row['session'] not in own,
                     'session %s is the recorder\'s' % row['session'])


def check_numbers(path):
    """A backend in utility mode has no session; no wait began after the tick."""
    for row in rows(path, 'session_event'):
        gstest.check(row['session'] is None or int(row['session']) < 1 << 63,
                     'session of %r' % row)
    for table in gstest.replay_json(path, '-V', 'active', '--ticks', '-l', '0'):
        for row in table['rows']:
            gstest.check((row['wait_time_seconds'] or 0) >= 0, '%r' % row)


def main():
    for name in ('greenplum6-spill', 'incidents/greenplum7-mixed',
                 'incidents/greenplum6-deadlock'):
        check_numbers(os.path.join(SAMPLES, name + '.gpsnap'))
    check_own(os.path.join(SAMPLES, 'incidents', 'greenplum7-mixed.gpsnap'))
    n = sum(check(os.path.join(SAMPLES, name + '.gpsnap')) for name in NAMES)
    gstest.check(n > 150, '%d figures' % n)
    print('%d figures' % n)


if __name__ == '__main__':
    main()
