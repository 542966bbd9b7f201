#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Who was there: a host that never answers, and one that is away for a while,
in every view and its head; figures of a host are of the time it covers."""
import json
import os
import signal
import subprocess

from rec import TERM, main, size, wait_for, want, want_in, want_well


def gpsnap(p, *args):
    """(status, stdout) of a gpsnap that has nothing to complain of."""
    done = subprocess.run([p.path('bin/gpsnap'), *args], cwd=p.dir,
                          env=p.env({'COLUMNS': '200'}), capture_output=True,
                          text=True, check=False)
    want(done.stderr, '', 'stderr')
    return done.returncode, done.stdout


def table(p, view, *args):
    status, out = gpsnap(p, 'replay', 'a.gpsnap', '-V', view, '-f', 'json',
                         *args)
    return status, [json.loads(line) for line in out.splitlines()]


def fakes(p):
    """A carrier of fake agents: hosts whose name begins with x refuse, others
    while there is a file hold.NAME; pid.NAME says who it is."""
    with open(p.path('carrier'), 'w') as f:
        f.write('#!/bin/sh\n'
                'case $1 in x*) echo no route >&2; exit 1;; esac\n'
                '[ -e hold.$1 ] && { echo down >&2; exit 1; }\n'
                'echo $$ >pid.$1.new; mv pid.$1.new pid.$1\n'
                'exec %s "$1"\n' % p.path('bin/gpsnap-agent'))
    os.chmod(p.path('carrier'), 0o755)


def record(p, hosts, *args):
    fakes(p)
    return p.start('-i', 0.2, '--hosts', hosts, '--agent-command',
                   './carrier {host}', '-o', 'a.gpsnap', *args)


def ticks(p, host=None):
    """Walls of ticks so far; of those that have a sample of a host."""
    rec = p.read('a.gpsnap')
    seen, last = [], None
    for t in rec.ticks:
        for h in t.host:
            if h.host == host and h.sequence and last != (h.connection,
                                                          h.sequence):
                last = (h.connection, h.sequence)
                seen.append((t.wall_ns, h))
    return rec.walls() if host is None else seen


def count(p, host, n):
    """Waits until a host has so many samples more than now."""
    wait_for(lambda: size(p.path('a.gpsnap')) > 0, 'the file')
    wanted = len(ticks(p, host)) + n
    wait_for(lambda: len(ticks(p, host)) >= wanted,
             '%d samples of host %d' % (n, host))


def absent(p, path):
    """What info says of hosts that were not there."""
    status, out = gpsnap(p, 'info', '--utc', path)
    lines = out.splitlines()
    n = next((i for i, s in enumerate(lines) if s.startswith('absent')),
             len(lines))
    own = [s[11:] for i, s in enumerate(lines) if i == n or (
        i > n and not s[:11].strip() and
        all(not t[:11].strip() for t in lines[n + 1:i]))]
    return status, own


def never_answered(p):
    proc = record(p, 'a,b,x1')
    count(p, 1, 5)
    want(p.end(proc, TERM)[0], 1, 'status of record')
    for view in ('hosts', 'sessions', 'overview', 'waits', 'processes'):
        status, tables = table(p, view)
        want(status, 1, 'status of ' + view)
        for t in tables:
            want([(c['host'], c['covered_seconds'], c['answered'])
                  for c in t['host_coverage'] if c['host'] == 'x1'],
                 [('x1', 0, False)],
                 'coverage in ' + view)
            want(['x1 did not answer' in h['why'] for h in t['holes']],
                 [True], 'holes of ' + view)
        status, out = gpsnap(p, 'replay', 'a.gpsnap', '-V', view, '--width',
                             '200')
        want(status, 1, 'status of %s as text' % view)
        want_in('x1 never answered\n', out, view)
        want_in('x1 did not answer\n', out, view)
    (hosts,) = table(p, 'hosts')[1]
    rows = {r['host']: r for r in hosts['rows']}
    want(sorted(rows), ['a', 'b', 'x1'], 'rows')
    want(rows['x1']['state'], 'never answered', 'state')
    want(rows['a']['state'], 'answers', 'state')
    # what is not known is not zero
    want({v for k, v in rows['x1'].items()
          if k not in ('host', 'state', 'own_covered_seconds')}, {None},
         'its figures')
    want(gpsnap(p, 'export', 'a.gpsnap', '-f', 'csv')[0], 1, 'export')
    want(absent(p, 'a.gpsnap'), (1, ['x1: never answered']), 'info')
    want(table(p, 'hosts', '--ticks')[0], 1, 'each tick')
    out = gpsnap(p, 'replay', 'a.gpsnap', '-V', 'hosts', '--ticks')[1]
    want(out.count('x1 never answered\n') > 3, True,
         'above each tick')


def all_there(p):
    """Nothing is said, and nothing is missing."""
    proc = record(p, 'a,b')
    count(p, 0, 5)
    want_well(p.end(proc, TERM), 'status of record')
    count(p, 1, 0)
    status, (t,) = table(p, 'hosts')
    start = ticks(p, 0)[0][0], ticks(p, 1)[0][0]
    if start[0] == start[1]:  # both were there from the first
        want(status, 0, 'status')
        want('host_coverage' in t, False, 'coverage')
        want(t['holes'], [], 'holes')
        want('less' in gpsnap(p, 'replay', 'a.gpsnap')[1], False, 'head')
        want(absent(p, 'a.gpsnap'), (0, []), 'info')
    want({r['state'] for r in t['rows']}, {'answers'}, 'state')


def away_for_a_while(p):
    proc = record(p, 'a,b')
    count(p, 1, 5)
    open(p.path('hold.b'), 'w').close()
    with open(p.path('pid.b')) as f:
        os.kill(int(f.read()), signal.SIGKILL)
    count(p, 0, 6)
    os.unlink(p.path('hold.b'))
    count(p, 1, 5)
    want(p.end(proc, TERM)[0], 1, 'status of record')
    seen = ticks(p, 1)
    runs = [[h for _, h in seen if h.connection == c]
            for c in sorted({h.connection for _, h in seen})]
    want(len(runs), 2, 'connections')
    truth = sum(r[-1].mono_ns - r[0].mono_ns for r in runs) / 1e9
    away = [next(w for w, h in seen if h is r[i])
            for r, i in ((runs[0], -1), (runs[1], 0))]
    status, (t,) = table(p, 'hosts')
    want(status, 1, 'status')
    rows = {r['host']: r for r in t['rows']}
    want(len(t['rows']), 2, 'one row for each host')
    want(abs(rows['b']['own_covered_seconds'] - truth) < 0.01, True,
         'covers %r, not %r' % (rows['b']['own_covered_seconds'], truth))
    want(rows['a']['own_covered_seconds'] > truth + 1, True, 'the other')
    (cover,) = t['host_coverage']
    want((cover['host'], cover['answered']), ('b', True), 'coverage')
    want(cover['covered_seconds'], rows['b']['own_covered_seconds'], 'same')
    (hole,) = t['holes']
    want('b did not answer' in hole['why'], True, hole['why'])
    want(abs(hole['seconds'] - (away[1] - away[0]) / 1e9) < 0.001, True,
         'length of the hole: %r' % hole)
    status, (line, *more) = absent(p, 'a.gpsnap')
    want((status, more), (1, []), 'info')
    want(line.startswith('b: did not answer for %.1fs, ' % hole['seconds']),
         True, 'info: %s; %.3f s' % (line, hole['seconds']))
    # of a directory, in several files
    os.mkdir(p.path('d'))
    os.rename(p.path('a.gpsnap'), p.path('d/a.gpsnap'))
    want(absent(p, 'd'), (status, [line]), 'info of a directory')
    os.rename(p.path('d/a.gpsnap'), p.path('a.gpsnap'))
    # of a range when it was there nothing is missing
    (lo, hi) = seen[0][0], away[0]
    at = ('--from', '%.3f' % (lo / 1e9), '--to', '%.3f' % (hi / 1e9))
    status, (t,) = table(p, 'hosts', *at)
    want((status, t['holes']), (0, []), 'while it was there')
    # n + 1 faults at the n-th sample; a row is of both hosts
    (t,) = table(p, 'processes', '-l', '0')[1]
    rate = 0
    for of in (runs, [[h for _, h in ticks(p, 0)]]):
        faults = sum(n + 1 for r in of for n in
                     range(r[0].sequence + 1, r[-1].sequence + 1))
        rate += faults * 1e9 / sum(r[-1].mono_ns - r[0].mono_ns for r in of)
    want(len(t['rows']), 3, 'processes')
    for r in t['rows']:
        want(abs(r['faults_per_second'] - rate) < rate / 1e6, True,
             'faults: %r, not %r' % (r['faults_per_second'], rate))


def clocks_of_agents(p):
    fakes(p)
    proc = p.start('-i', 0.2, '--hosts', 'a,b', '--agent-command',
                   './carrier {host}', '-o', 'a.gpsnap', FAKE_CLOCK_S_b=60)
    count(p, 1, 3)
    p.end(proc, TERM)
    (t,) = table(p, 'agents')[1]
    rows = {r['host']: r for r in t['rows']}
    for index, name in enumerate('ab'):
        last = ticks(p, index)[-1][1]
        want(rows[name]['clock_offset_ms'], last.offset_ns / 1e6, 'offset')
        want(rows[name]['round_trip_ms'], last.rtt_ns / 1e6, 'round trip')
    want(59000 < rows['b']['clock_offset_ms'] < 61000, True, 'of b')


if __name__ == '__main__':
    main([never_answered, all_there, away_for_a_while, clocks_of_agents])
