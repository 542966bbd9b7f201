#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What sessions of recorded Greenplums waited for, and what their servers
did, against what was read beside the recordings; recordings/README.md."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest

HERE = os.path.dirname(os.path.abspath(__file__))


def tables(name, view, *argv):
    path = os.path.join(HERE, 'recordings', name + '.gpsnap')
    return gstest.replay_json(path, '-V', view, '-l', '0', '-W', 'off',
                              *argv, status=0)


def rows(name, view, *argv):
    """Rows of the last table."""
    return tables(name, view, *argv)[-1]['rows']


def sessions(table):
    """Rows of sessions of the cluster, by name."""
    found = {}
    for row in table['rows']:
        if (row['session'] or '').startswith('con'):
            found.setdefault(row['session'], []).append(row)
    return found


def near(got, want, of, what):
    gstest.check(abs(got - want) <= of * 0.001, '%s: %s, not %s' % (
        what, got, want))


def test_state():
    """Four sessions wait for locks on segments, by titles and pg_locks of
    every second; their coordinator processes know nothing of it."""
    want = {'con30': '3', 'con40': '1', 'con94': '1', 'con100': '3'}
    for table in tables('waits6', 'sessions', '--ticks'):
        found = sessions(table)
        for name, segment in want.items():
            row = found[name][0]
            gstest.equal((row['state'], row['wait_segments'],
                          row['blocker']), ('lock', segment, 'con30'),
                         name + ' at ' + table['to'])
    for table in tables('waits7', 'sessions', '--ticks'):
        row = sessions(table)['con34'][0]
        gstest.equal((row['state'], row['wait_segments'], row['blocker']),
                     ('lock', '1', 'con45'), 'con34 at ' + table['to'])


def test_waited():
    """WAITED counts from when an executor says that it waits, and not from
    when locks were asked for: once in 10 s.  By titles and pg_stat_activity of
    every second con34 waited from between 11:14:27.136 and 11:14:28 on, con48
    from between 11:14:27.236 and 11:14:28 on."""
    longest = {'con34': 27.136, 'con48': 27.236, 'con46': 25.258}
    seen = dict.fromkeys(longest, 0)
    for table in tables('late7', 'locks', '--ticks', '--utc'):
        now = float(table['to'][17:-1])
        for row in table['rows']:
            if row['waited_seconds'] is None:
                continue
            name, waited = row['session'], row['waited_seconds']
            seen[name] += 1
            most = now - longest[name]
            gstest.check(most - 1.2 < waited <= most, '%s at %s: %s, not %s' %
                         (name, table['to'], waited, most))
    gstest.check(min(seen.values()) > 3, 'they wait: %s' % seen)


def test_once():
    """A session of which the catalog still speaks when its processes have
    ended is one row."""
    for table in tables('waits7', 'sessions', '--ticks'):
        for name, found in sessions(table).items():
            gstest.equal(len(found), 1, name + ' at ' + table['to'])


def test_time():
    """A coordinator process that waits for executors does what they do, and
    the sum stays whole."""
    model = {r['stat']: r for r in rows('waits6', 'time_model')}
    total = model['DB time']['seconds']
    covered = tables('waits6', 'time_model')[-1]['covered_seconds']
    events = {r['event']: r['seconds'] for r in rows('waits6',
                                                     'system_event')
              if r['event'] not in ('Client:ClientRead', 'IdleTx')}
    near(sum(events.values()), total, total, 'classes add up')
    near(events['Lock'], 4 * covered, total, 'four sessions wait for locks')
    gstest.check(events['CPU*'] > 0.4 * total, 'executors that run')
    gstest.check(events.get('Unknown', 0) < 0.1 * total,
                 'what is not known: %s of %s' % (events.get('Unknown'),
                                                  total))


def test_queue():
    """Greenplum 6 says "lock" of who waits for a resource queue; nobody
    waited for a lock."""
    events = {r['event'] for r in rows('queue6', 'system_event')}
    gstest.check('Queue:ResourceQueue' in events, 'a queue: %s' % events)
    gstest.check('Lock' not in events, 'no lock: %s' % events)
    states = {r['state'] for t in tables('queue6', 'sessions', '--ticks')
              for f in sessions(t).values() for r in f}
    gstest.check('queue' in states and 'lock' not in states,
                 'states of sessions: %s' % states)


def test_spill():
    """The four processes of session 169 have ended, and their files with
    them; five others have one file each, by gp_toolkit.gp_workfile_entries."""
    found = rows('spill6', 'spill')
    living = [(r['session'], r['segment'], r['files']) for r in found
              if r['state'] != 'ended']
    gstest.equal(sorted(living), [('con170', 1, 1)] + [
        ('con173', segment, 1) for segment in range(4)], 'living')
    gone = [r for r in found if r['state'] == 'ended']
    gstest.equal(sorted((r['session'], r['segment'], r['operator'],
                         r['spill'], r['files']) for r in gone),
                 [('con169', segment, 'Sort', 0, 0)
                  for segment in range(4)], 'ended')
    gstest.equal(sorted(r['spill_peak'] for r in gone),
                 [33292288, 33325056, 33357824, 33423360], 'their peaks')


def test_segments():
    """A coordinator was restarted, and a primary killed: what they did before
    is in the row of the same server."""
    found = rows('failover7', 'segments')
    gstest.equal([r for r in found if r['segment'] is None], [],
                 'servers of no segment')
    cpu = {(r['segment'], r['port']): r['cpu_seconds'] for r in found}
    gstest.equal(len(cpu), len(found), 'a row each')
    gstest.check(cpu[-1, 18432] > 4, 'the coordinator before its restart: '
                 '%s' % cpu)
    gstest.check(cpu[2, 18502] > 0.5, 'the primary that was killed: %s' % cpu)


def main():
    for name, test in sorted(globals().items()):
        if name.startswith('test_'):
            test()


if __name__ == '__main__':
    main()
