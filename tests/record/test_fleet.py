#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Several hosts, each a fake agent, reached by its own command."""
import json
import os
import signal
import subprocess

from rec import (TERM, main, size, wait_for, want, want_in, want_slots,
                 want_well)

STEP = 500000000  # ns


def fakes(p, hosts, *args, **env):
    """A recorder of those hosts at every half second."""
    return p.start('-i', 0.5, '--hosts', hosts, '--agent-command',
                   p.path('bin/gpsnap-agent') + ' {host}', '-o', 'a.gpsnap',
                   *args, **env)


def run(p, hosts, *args, **env):
    return p.end(fakes(p, hosts, *args, **env))


def blocks(rec, index):
    """Per tick the host's sequence number, or 0."""
    ticks = rec.ticks
    if 'terminated' in texts(rec, 'stop'):
        ticks = ticks[:-1]  # takes no sample
    return [next((h.sequence for h in t.host if h.host == index), 0)
            for t in ticks]


def texts(rec, kind, index=None):
    return [e.text.decode() for e in rec.events(kind)
            if index is None or e.host == index + 1]


def on_time(p, rec):
    """Each tick at its time; most of them, where the machine is busy."""
    walls = rec.walls()
    if 'terminated' in texts(rec, 'stop'):
        del walls[-1]  # whenever that was
    want_slots(p, walls, STEP)
    late = max(w % STEP for w in walls)
    want(p.busy() or late < STEP / 5, True,
         'ticks at their times: %d ms' % (late / 1e6))


def answers_all(p, rec, index, but=1):
    """No tick without it, after the first ones; most of them have it, where
    the machine is busy."""
    got = blocks(rec, index)[but:]
    want(got.count(0) <= (len(got) / 2 if p.busy() else 0), True,
         'host %d is in each tick: %r' % (index, got))


def three_hosts(p):
    status, err = run(p, 'a,b,c', '-n', 4)
    want_well((status, err))
    rec = p.read('a.gpsnap')
    want([(h.index, h.name) for h in rec.headers[0].host],
         [(0, 'a'), (1, 'b'), (2, 'c')], 'header')
    for i in range(3):
        answers_all(p, rec, i, 0)
    want(rec.rows[-1], 9, 'rows')
    want(p.busy() or rec.rows == [9] * 4, True, 'rows: %r' % rec.rows)
    want(sorted(texts(rec, 'host connecting')), ['a', 'b', 'c'], 'events')
    want(sorted(texts(rec, 'host up')), ['a', 'b', 'c'], 'events')
    out = subprocess.run([p.path('bin/gpsnap'), 'replay', 'a.gpsnap', '-V',
                          'hosts', '-f', 'json'], cwd=p.dir, check=True,
                         stdout=subprocess.PIPE).stdout
    rows = json.loads(out)['rows']
    want([r['host'] for r in rows], ['a', 'b', 'c'],
         'their names, not the one that all of them say')


def slow_delays_nobody(p):
    status, err = run(p, 'a,b,c', '-n', 8, FAKE_DELAY_MS_b=1200)
    want_well((status, err))
    rec = p.read('a.gpsnap')
    on_time(p, rec)
    answers_all(p, rec, 0)
    answers_all(p, rec, 2)
    got = [b for b in blocks(rec, 1) if b]
    want(got, list(range(got[0], got[0] + len(got))), 'none is lost')
    want(len(texts(rec, 'host late', 1)) >= 1, True, 'late')
    want(p.busy() or len(texts(rec, 'host late')) ==
         len(texts(rec, 'host late', 1)), True, 'late is b only')


def late_is_told_once(p):
    """Stopped: late, then lost, then started again; the others go on."""
    proc = fakes(p, 'a,b,c', '-d', 8, '--host-timeout', 2)
    wait_for(lambda: size(p.path('a.gpsnap')) > 800, 'ticks')
    (b,) = [pid for pid in children(proc.pid) if argv(pid)[1:] == ['b']]
    os.kill(b, signal.SIGSTOP)
    status, err = p.end(proc)
    want(status, 1, 'status: with gaps: ' + err)
    want_in(', b was away ', err.splitlines()[-1], 'why')
    rec = p.read('a.gpsnap')
    on_time(p, rec)
    answers_all(p, rec, 0)
    answers_all(p, rec, 2)
    want(len(texts(rec, 'host late', 1)), 1, 'late')
    want(p.busy() or len(texts(rec, 'host late')) == 1, True, 'others are not')
    want(texts(rec, 'host down'), ['agent on b: no answer for 2 s'], 'down')
    want(len(texts(rec, 'host up', 1)), 2, 'up again')
    want(blocks(rec, 1)[-1] > 0, True, 'there at the end')
    want(os.path.exists('/proc/%d' % b), False, 'the stopped one is gone')


def dead_from_the_start(p):
    status, err = run(p, 'a,b,c', '-n', 6, FAKE_DIE_AFTER_b=0)
    want(status, 1, 'status: with gaps')
    want_in('agent on b: out of luck', err, 'said')
    rec = p.read('a.gpsnap')
    on_time(p, rec)
    answers_all(p, rec, 0)
    answers_all(p, rec, 2)
    want(texts(rec, 'host down'), ['agent on b: out of luck'],
         'the same failure is told once')


def none_is_there(p):
    status, err = run(p, 'a,b', '-n', 3, FAKE_DIE_AFTER=0)
    want(status, 1, 'status: ' + err)
    rec = p.read('a.gpsnap')
    want(rec.rows, [0] * 3, 'rows')
    want(len(texts(rec, 'host down')), 2, 'down')


def greetings_are_passed_over(p):
    """With a mark after it whatever was said; without, it is no agent, and
    that is the reason."""
    status, err = run(p, 'a,b', '-n', 5, FAKE_PREAMBLE=1,
                      FAKE_GREETING_b='Welcome!\nAll is logged. ' * 40)
    want_well((status, err))
    answers_all(p, p.read('a.gpsnap'), 1, 0)
    os.unlink(p.path('a.gpsnap'))
    status, err = run(p, 'a,b', '-n', 5, '--host-timeout', 1,
                      FAKE_GREETING_b='Welcome!\n' * 40)
    want(status, 1, 'status')
    rec = p.read('a.gpsnap')
    on_time(p, rec)
    answers_all(p, rec, 0)
    want_in('agent on b', texts(rec, 'host down')[0], 'reason')


def clocks_differ(p):
    status, err = run(p, 'a,b', '-n', 4, FAKE_CLOCK_S_b=7200)
    want_well((status, err))
    rec = p.read('a.gpsnap')
    on_time(p, rec)
    answers_all(p, rec, 1, 0)
    for t in rec.ticks:
        for h in t.host:
            off = h.offset_ns - (7200 * 10 ** 9 if h.host == 1 else 0)
            want(abs(off) <= h.rtt_ns, True, 'offset %d' % h.offset_ns)


def names_of(rec):
    """Per tick the names of the hosts that have rows in it."""
    names, out = {}, []
    for t in rec.ticks:
        if t.HasField('header'):
            names = {h.index: h.name for h in t.header.host}
        out.append([names.get(h.host, '?') for h in t.host if h.sequence])
    return out


def never_twice(rec, *names):
    """No tick has more than one of these names, which are one host; returns
    those that are recorded."""
    got = [set(names).intersection(tick) for tick in names_of(rec)]
    want([g for g in got if len(g) > 1], [], 'twice in a tick')
    return sorted(set().union(*got))


def keeps(p, rec, first, *others):
    """One name is recorded: the first, if it was in time for the first tick,
    as it is unless the machine is busy.  False: it was not."""
    (got,) = never_twice(rec, first, *others)
    want(got == first or p.busy(), True, 'recorded: ' + got)
    return got == first


def one_host_with_two_names(p):
    status, err = run(p, 'a,b,c', '-n', 6, FAKE_BOOT_c='x', FAKE_BOOT_a='x')
    want_well((status, err))
    rec = p.read('a.gpsnap')
    want(max(rec.rows), 6, 'rows: %r' % rec.rows)
    if not keeps(p, rec, 'a', 'c'):
        return
    answers_all(p, rec, 0, 0)
    want([h.name for h in rec.headers[-1].host], ['a', 'b'],
         'header')
    # anybody can send another's boot id: c's own counters must have shown
    # that they are of one kernel
    want(texts(rec, 'note'), [
        'c and a say that they are one host: c is not recorded until that is '
        'decided', 'c is the same host as a'], 'note')
    out = subprocess.run([p.path('bin/gpsnap'), 'replay', 'a.gpsnap', '-V',
                          'hosts', '--ticks', '-f', 'json'], cwd=p.dir,
                         check=True, stdout=subprocess.PIPE).stdout
    for line in out.splitlines():
        table = json.loads(line)
        want([r['host'] for r in table['rows']], ['a', 'b'], 'hosts')


def the_first_name_answers_last(p):
    """Within the first tick: which one answers first does not matter."""
    status, err = run(p, 'a,b,c', '-n', 6, FAKE_BOOT_c='x', FAKE_BOOT_a='x',
                      FAKE_DELAY_MS_a=150)
    want_well((status, err))
    rec = p.read('a.gpsnap')
    want(max(rec.rows), 6, 'rows: %r' % rec.rows)
    if keeps(p, rec, 'a', 'c'):
        want(texts(rec, 'note')[-1], 'c is the same host as a', 'note')


def the_first_name_comes_later(p):
    """A host keeps the name that it has in the recording."""
    status, err = run(p, 'a,b,c', '-n', 12, FAKE_BOOT_c='x', FAKE_BOOT_a='x',
                      FAKE_FIRST_MS_a=1700)
    want_well((status, err))
    rec = p.read('a.gpsnap')
    want(never_twice(rec, 'a', 'c'), ['c'], 'recorded')
    answers_all(p, rec, 2)
    want(texts(rec, 'note')[-1], 'a is the same host as c', 'note')
    want([h.name for h in rec.headers[-1].host], ['b', 'c'], 'header')


def three_names(p):
    status, err = run(p, 'a,b,c', '-n', 8, FAKE_BOOT='x', FAKE_DELAY_MS_b=50)
    want_well((status, err))
    rec = p.read('a.gpsnap')
    keeps(p, rec, 'a', 'b', 'c')
    want(max(rec.rows), 3, 'rows: %r' % rec.rows)


def clone_is_another_host(p):
    """The same boot id, but not the counters: recorded once that is known,
    and from then on in each tick."""
    status, err = run(p, 'a,b,c', '-n', 10, FAKE_BOOT_c='x', FAKE_BOOT_a='x',
                      FAKE_SWITCHES_c=5000)
    want_well((status, err))
    rec = p.read('a.gpsnap')
    want(p.busy() or texts(rec, 'note') == [
        'c and a say that they are one host: c is not recorded until that is '
        'decided', 'c is not the same host as a: both are recorded'], True,
         'note: %r' % texts(rec, 'note'))
    got = blocks(rec, 2)
    first = next(i for i, b in enumerate(got) if b)
    want(p.busy() or 0 < first <= 3, True, 'c: %r' % got)
    answers_all(p, rec, 2, first)
    answers_all(p, rec, 0, 0)
    want(rec.rows[-1], 9, 'rows')
    want([h.name for h in rec.headers[-1].host], ['a', 'b', 'c'], 'header')


def clone_of_another_age(p):
    """It can't be decided: there is no time that both have been through."""
    status, err = run(p, 'a,b,c', '-n', 10, FAKE_BOOT_c='x', FAKE_BOOT_a='x',
                      FAKE_UPTIME_S_c=7200)
    want_well((status, err))
    rec = p.read('a.gpsnap')
    want_in(' are one host: both are recorded', texts(rec, 'note')[-1],
            'note')
    answers_all(p, rec, 2, 6)
    want(rec.rows[-1], 9, 'rows')


def name_is_free_again(p):
    """The host of the other name is lost before it is decided."""
    status, err = run(p, 'a,b,c', '-n', 8, FAKE_BOOT_c='x', FAKE_BOOT_a='x',
                      FAKE_DIE_AFTER_a=1, FAKE_DELAY_MS_c=150)
    want(status, 1, 'status: with gaps: ' + err)
    rec = p.read('a.gpsnap')
    want(never_twice(rec, 'a', 'c')[-1], 'c', 'recorded')
    want('c' in [h.name for h in rec.headers[-1].host], True, 'header')


def many_hosts(p):
    """More than the usual limit of open files allows; not all at once."""
    names = ['h%03d' % i for i in range(400)]
    with open(p.path('list'), 'w') as f:
        f.write('# all of them\n' + '\n'.join(names) + '  # the last\n\n')
    proc = p.start(
        '-i', 1, '--hosts-file', 'list', '--connect-parallel', 64,
        '--agent-command', p.path('bin/gpsnap-agent') + ' {host}', '-o',
        'a.gpsnap')
    wait_for(lambda: size(p.path('a.gpsnap')) > 0, 'the file')
    wait_for(lambda: len(texts(p.read('a.gpsnap'), 'host up')) == 400,
             'all hosts', 60)
    status, err = p.end(proc, TERM)
    want_well((status, err))
    rec = p.read('a.gpsnap')
    want(texts(rec, 'host down'), [], 'down')
    want(len(rec.headers[0].host), 400, 'header')
    want(sorted(texts(rec, 'host up')), names, 'hosts')


def environment_is_clean(p):
    """What a database's greenplum_path.sh sets is not for children, nor for
    gpsnap itself."""
    os.rename(p.path('bin/gpsnap-agent'), p.path('bin/fake'))
    with open(p.path('bin/gpsnap-agent'), 'w') as f:
        f.write('#!/bin/sh\nenv >%s\nexec %s "$@"\n' % (
            p.path('env'), p.path('bin/fake')))
    os.chmod(p.path('bin/gpsnap-agent'), 0o755)
    os.mkdir(p.path('lib'))
    for name in ('libpq.so.5', 'libuv.so.1', 'libzstd.so.1'):
        with open(p.path('lib', name), 'w') as f:
            f.write('of another age')
    status, err = p.run('-i', 0.2, '-n', 1, '-o', 'a.gpsnap',
                        LD_LIBRARY_PATH=p.path('lib'), PYTHONHOME='/nowhere',
                        KEPT=1)
    want_well((status, err))
    with open(p.path('env')) as f:
        env = dict(line.rstrip('\n').split('=', 1) for line in f
                   if '=' in line)
    want('KEPT' in env, True, 'KEPT')
    want([k for k in env if k.startswith(('LD_LIB', 'PYTHON'))], [],
         'environment')


def children(pid):
    with open('/proc/%d/task/%d/children' % (pid, pid)) as f:
        return [int(c) for c in f.read().split()]


def argv(pid):
    with open('/proc/%d/cmdline' % pid) as f:
        return f.read().split('\0')[:-1]


if __name__ == '__main__':
    main([three_hosts, slow_delays_nobody, late_is_told_once,
          dead_from_the_start, none_is_there, greetings_are_passed_over,
          clocks_differ, one_host_with_two_names, the_first_name_answers_last,
          the_first_name_comes_later, three_names, clone_is_another_host,
          clone_of_another_age, name_is_free_again, many_hosts,
          environment_is_clean])
