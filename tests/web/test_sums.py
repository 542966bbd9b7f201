#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sums of /metrics, made tick by tick, are those of gpsnap replay for all of the
same recording."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))

import gstest
from gstest import check, equal
from weblib import SAMPLES

METRICS = {'cpu': 'seconds', 'utime': 'seconds', 'read_bytes': '', 'majflt': '',
           'run_delay': 'seconds'}


def dump(sample):
    out = subprocess.run([os.environ['GS_DUMP'], sample], check=True,
                         stdout=subprocess.PIPE).stdout.decode()
    found = {}
    for line in out.splitlines():
        m = re.fullmatch(r'gpsnap_(\w+?)(?:\{(.*)\})? (\S+)', line)
        if m:
            labels = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"',
                                     m.group(2) or ''))
            found.setdefault(m.group(1), []).append(
                (labels, float(m.group(3))))
    return found


def key(labels, names):
    return tuple(labels.get(n) for n in names)


def compare(what, mine, theirs):
    """Each of them, within what rounding makes of it."""
    for k in set(mine) | set(theirs):
        a, b = mine.get(k, 0), theirs.get(k, 0)
        check(abs(a - b) <= 1e-6 * max(1, abs(b)),
              '%s %s: %r, replay %r' % (what, k, a, b))


def text(v):
    return None if v is None else str(v)


def check_processes(sample, found, family, names):
    for metric, unit in METRICS.items():
        name = '%s_%s%s_total' % (family, metric, '_' + unit if unit else '')
        mine = {key(labels, names): v for labels, v in found.get(name, [])}
        rows = gstest.replay_json(
            sample, '-V', 'processes', '-g', ','.join(names), '-l', '0',
            '-c', ','.join(names) + ',process.' + metric)[0]['rows']
        theirs = {}
        for r in rows:
            k = tuple(text(r[n]) for n in names)
            theirs[k] = theirs.get(k, 0) + (r['process.' + metric] or 0)
        theirs = {k: v for k, v in theirs.items() if k[0] is not None}
        compare(name, mine, theirs)
        if metric == 'utime':
            check(sum(mine.values()) > 0, name)


def check_waits(sample, found):
    mine = {key(labels, ('class', 'server')): v
            for labels, v in found['wait_seconds_total']}
    rows = gstest.replay_json(sample, '-V', 'time_model', '-l', '0',
                              '--min-pct', '0')[0]['rows']
    theirs = {(r['stat'], r['server']): r['seconds'] for r in rows
              if r['stat'] != 'DB time' and r['stat'][0] not in ' ('}
    compare('waits', mine, theirs)
    check(len(mine) > 1, 'classes')


def check_kernel(found):
    """Totals as the kernel has them: more than the range's."""
    idle = found['host_cpu_idle_seconds_total']
    check(all(v > 0 and set(labels) == {'host'} for labels, v in idle),
          str(idle))
    equal({v for _, v in found['host_up']}, {1.0}, 'hosts')


def main():
    if 'GS_DUMP' not in os.environ:
        gstest.skip('GS_DUMP is not set')
    for name in ('postgresql15-incident', 'greenplum6-spill', 'greenplum6'):
        sample = os.path.join(SAMPLES, name + '.gpsnap')
        found = dump(sample)
        check_processes(sample, found, 'user',
                        ('host', 'server', 'user', 'database'))
        if name.startswith('greenplum'):
            check_processes(sample, found, 'segment',
                            ('segment', 'server', 'host'))
        check_waits(sample, found)
        check_kernel(found)
    return 0


sys.exit(main())
