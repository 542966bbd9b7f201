#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A host that is late and comes back, and a recorder that stands still: each
is an event of its own, and nobody is blamed for what another did."""
import json
import os
import re
import signal
import subprocess
import time

from rec import TERM, main, size, wait_for, want, want_in


def record(p, *args, **env):
    """Fake agents on a and b; pid.NAME says who is which."""
    with open(p.path('carrier'), 'w') as f:
        f.write('#!/bin/sh\necho $$ >pid.$1.new; mv pid.$1.new pid.$1\n'
                'exec %s "$1"\n' % p.path('bin/gpsnap-agent'))
    os.chmod(p.path('carrier'), 0o755)
    return p.start('--hosts', 'a,b', '--agent-command', './carrier {host}',
                   '-o', 'a.gpsnap', *args, **env)


def texts(p, kind):
    if size(p.path('a.gpsnap')) < 1:
        return []
    return [e.text.decode() for e in p.read('a.gpsnap').events(kind)]


def ticks(p, n):
    """Waits for so many more."""
    wait_for(lambda: size(p.path('a.gpsnap')) > 0, 'the file')
    wanted = len(p.read('a.gpsnap').ticks) + n
    wait_for(lambda: len(p.read('a.gpsnap').ticks) >= wanted, 'ticks')


def gpsnap(p, *args):
    return subprocess.run([p.path('bin/gpsnap'), *args], cwd=p.dir,
                          env=p.env({}), capture_output=True, text=True,
                          check=False).stdout


def view(p, name):
    out = gpsnap(p, 'replay', 'a.gpsnap', '-V', name, '-f', 'json')
    return [r for line in out.splitlines() for r in json.loads(line)['rows']]


def shown(p, *kinds):
    """Views list the events."""
    for name in ('events', 'overview'):
        listed = [r['event'] for r in view(p, name) if 'event' in r]
        for k in kinds:
            want_in(k, listed, name)


def late_host_returns(p):
    proc = record(p, '-i', 0.2, '--host-timeout', 60)
    wait_for(lambda: len(texts(p, 'host up')) == 2, 'both are up')
    ticks(p, 3)
    with open(p.path('pid.b')) as f:
        b = int(f.read())
    os.kill(b, signal.SIGSTOP)
    wait_for(lambda: texts(p, 'host late'), 'late')
    ticks(p, 4)
    # a machine that is slow was late before
    want(p.busy() or texts(p, 'host in time') == [], True, 'not back yet')
    before = len(texts(p, 'host in time'))
    os.kill(b, signal.SIGCONT)
    wait_for(lambda: len(texts(p, 'host in time')) > before, 'back')
    p.end(proc, TERM)
    rec = p.read('a.gpsnap')
    late, back = [[e for e in rec.events(k) if e.host == 2]
                  for k in ('host late', 'host in time')]
    want(back[0].text, b'answers in time again', 'text')
    waits = [(b.value, a.value) for a, b in zip(late, back)]
    want(any(b > a + 600000000 for b, a in waits), True,
         'since it was asked, late: %r' % waits)
    want(rec.events('host down'), [], 'never down')
    # each end has its beginning
    want(len(late) - len(back) in (0, 1), True, 'pairs')
    shown(p, 'host late', 'host in time')


def recorder_stands_still(p):
    """While it waits for answers; longer than a host may be silent."""
    proc = record(p, '-i', 1, '--host-timeout', 2, FAKE_DELAY_MS=500)
    wait_for(lambda: len(texts(p, 'host up')) == 2, 'both are up')
    ticks(p, 2)
    wait_for(lambda: 0.05 < time.time() % 1 < 0.3, 'a tick begins')
    before = len(texts(p, 'host late'))
    proc.send_signal(signal.SIGSTOP)
    time.sleep(3.5)
    proc.send_signal(signal.SIGCONT)
    wait_for(lambda: texts(p, 'stood still'), 'the event')
    ticks(p, 2)
    said = p.end(proc, TERM)[1]
    rec = p.read('a.gpsnap')
    (at,) = [i for i, t in enumerate(rec.ticks)
             if any(e.kind == 18 for e in t.event)]
    (e,) = rec.events('stood still')
    want(e.host, 0, 'of the recorder')
    want(e.value > 1500000000, True, 'for how long: %d' % e.value)
    gap = rec.ticks[at].wall_ns - rec.ticks[at - 1].wall_ns
    want(abs(gap - 1000000000 - e.value) < 500000000, True,
         'ticks %d ns apart, stood still for %d' % (gap, e.value))
    want_in('the recorder did nothing for ', e.text.decode(), 'text')
    want(rec.events('clock set') + rec.events('suspended'), [],
         'it was nothing else')
    want(texts(p, 'host down'), [], 'no host is blamed')
    want(len(texts(p, 'host late')), before, 'none was late')
    shown(p, 'stood still')
    skipped = re.search(r'(\d+) skipped', said)
    want_in(', %s ticks skipped' % skipped.group(1),
            gpsnap(p, 'replay', 'a.gpsnap', '-V', 'hosts'), 'above the table')
    want_in(', %s skipped\n' % skipped.group(1),
            gpsnap(p, 'info', 'a.gpsnap'), 'info')


if __name__ == '__main__':
    main([late_host_returns, recorder_stands_still])
