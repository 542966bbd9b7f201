#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Agents that are late, die, or speak another language."""
import os
import signal
import time

from rec import (TERM, main, size, wait_for, want, want_in, want_slots,
                 want_well)


def late_answer_is_in_the_next_frame(p):
    """Every fifth answer misses the deadline of 160 ms."""
    want_well(p.run('-i', 0.2, '-n', 16, '-o', 'a.gpsnap',
                    FAKE_SLOW_EVERY=5, FAKE_SLOW_MS=250))
    rec = p.read('a.gpsnap')
    blocks = [(t.host[0].sequence if t.host else 0) for t in rec.ticks]
    want(0 in blocks, True, 'some tick has no answer: %r' % blocks)
    some = [b for b in blocks if b]
    want(some, list(range(some[0], some[0] + len(some))),
         'no answer is lost')
    want(len(rec.ticks), 16, 'ticks')
    want_slots(p, rec.walls(), 2 * 10**8)


def slow_first_sample_is_no_base(p):
    """An agent that reads its first counters long after its clocks, within
    the deadline of 400 ms and beyond it: time and usage agree all the same."""
    for ms in 250, 700:
        name = '%d.gpsnap' % ms
        want_well(p.run('-i', 0.5, '-n', 3, '-o', name, FAKE_READ_MS=ms,
                        FAKE_HOG=1))
        rec = p.read(name)
        samples = [t.host[0] for t in rec.ticks if t.host]
        hog = [r['cpu'] for rows in rec.usage for r in rows if 'cpu' in r]
        used = (hog[-1] - hog[0]) / 1e6
        passed = (samples[-1].boot_ns - samples[0].boot_ns) / 1e9
        want(abs(used - passed) < 0.15, True,
             '%d ms: CPU %.3f s of %.3f s' % (ms, used, passed))
        want(samples[0].wall_ns > rec.ticks[0].wall_ns - 10**8 or p.busy(),
             True, '%d ms: the first sample is older than its tick' % ms)


def both_are_in_the_first_tick(p):
    """The first tick waits for the base of a slow host, which was asked for
    before it."""
    with open(p.path('carrier'), 'w') as f:
        f.write('#!/bin/sh\nexec %s "$1"\n' % p.path('bin/gpsnap-agent'))
    os.chmod(p.path('carrier'), 0o755)
    # its answers come 0.2 s before the next multiple, and 0.3 s after it
    time.sleep((1.25 - time.time()) % 1)
    want_well(p.run('-i', 1, '-n', 2, '--hosts', 'a,b', '--agent-command',
                    './carrier {host}', '-o', 'a.gpsnap',
                    FAKE_DELAY_MS_a=500))
    first = {h.host: h.sequence for h in p.read('a.gpsnap').ticks[0].host}
    want(p.busy() or first.get(0, 0) > 1, True, 'the slow one: %r' % first)
    want(p.busy() or first.get(1, 0) > 0, True, 'the other: %r' % first)


def dies_and_comes_back(p):
    proc = p.start('-i', 0.2, '-o', 'a.gpsnap', FAKE_DIE_AFTER=4)
    wait_for(lambda: size(p.path('a.gpsnap')), 'the file')
    wait_for(lambda: len(p.read('a.gpsnap').events('host up')) > 1, 'return')
    status, err = p.end(proc, TERM)
    want(status, 1, 'status: done with gaps')
    want_in('out of luck', err, 'its last words')
    rec = p.read('a.gpsnap')
    want(rec.damage, [], 'damage')
    want(len(rec.events('host up')) >= 2, True, 'up again')
    down = rec.events('host down')
    want_in(b'out of luck', down[0].text, 'down')
    want(0 in rec.rows and rec.rows[-1] in (0, 3), True, 'rows go and come')
    connections = {t.host[0].connection for t in rec.ticks if t.host}
    want({1, 2} <= connections, True, 'connections: %r' % connections)


def dies_at_once(p):
    status, err = p.run('-i', 0.2, '-o', 'a.gpsnap', FAKE_DIE_AFTER=0)
    want(status, 2, 'status')
    want_in('out of luck', err, 'message')
    want(os.path.exists(p.path('a.gpsnap')), False, 'file')


def another_protocol(p):
    status, err = p.run('-i', 0.2, '-o', 'a.gpsnap', FAKE_PROTOCOL=2)
    want(status, 2, 'status')
    want_in('speaks protocol 2, need 1: install the same version', err,
            'message')


def chatters(p):
    """Something that is no agent at all."""
    for text, message in (('echo welcome to this host; sleep 5', 'agent on'),
                          ('exec sleep 0', 'closed its output'),
                          ('exit 9', 'exit status 9'),
                          ('kill -SEGV $$', 'killed by signal 11')):
        os.unlink(p.path('bin/gpsnap-agent'))
        with open(p.path('bin/gpsnap-agent'), 'w') as f:
            f.write('#!/bin/sh\n' + text + '\n')
        os.chmod(p.path('bin/gpsnap-agent'), 0o755)
        status, err = p.run('-i', 0.1, '-d', '2s', '-o', 'a.gpsnap')
        want(status, 2, text)
        if message != 'closed its output':
            want_in(message, err, text)


def is_not_left_behind(p):
    """No zombie, no orphan."""
    proc = p.start('-i', 0.1, '-o', 'a.gpsnap')
    wait_for(lambda: size(p.path('a.gpsnap')) > 500, 'ticks')
    with open('/proc/%d/task/%d/children' % (proc.pid, proc.pid)) as f:
        (agent,) = map(int, f.read().split())
    os.kill(agent, signal.SIGKILL)
    wait_for(lambda: not os.path.exists('/proc/%d' % agent), 'reaped')
    p.end(proc, TERM)
    proc = p.start('-i', 0.1, '-o', 'b.gpsnap')
    wait_for(lambda: size(p.path('b.gpsnap')) > 500, 'ticks')
    with open('/proc/%d/task/%d/children' % (proc.pid, proc.pid)) as f:
        (agent,) = map(int, f.read().split())
    p.end(proc, signal.SIGKILL)
    wait_for(lambda: not os.path.exists('/proc/%d' % agent),
             'ends with its input')


if __name__ == '__main__':
    main([late_answer_is_in_the_next_frame, slow_first_sample_is_no_base,
          both_are_in_the_first_tick, dies_and_comes_back,
          dies_at_once, another_protocol, chatters, is_not_left_behind])
