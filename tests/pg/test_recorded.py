#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What replay shows of recordings of real servers, against what is known of
them; recordings/README.md."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest

HERE = os.path.dirname(os.path.abspath(__file__))


def rows(name, view, *argv):
    """Rows of the last table."""
    path = os.path.join(HERE, 'recordings', name + '.gpsnap')
    return gstest.replay_json(path, '-V', view, '-l', '0', *argv,
                              status=0)[-1]['rows']


def test_full():
    """A coordinator that takes nobody any more has as many connections left
    as are reserved: its WAL sender is one of the 60."""
    all = {(r['segment'], r['role']): r for r in rows('full6', 'connections')}
    row = all[-1, 'coordinator']
    gstest.equal((row['used'], row['max_connections'], row['reserved'],
                  row['left']), (49, 60, 10, 10), 'a full coordinator')
    row = all[0, 'primary']
    gstest.equal((row['used'], row['max_connections'], row['left']),
                 (2, 60, 57), 'a primary with a mirror')


def test_mode():
    """A coordinator is never in step with a mirror: it has none."""
    modes = {(r['segment'], r['role']): r['mode']
             for r in rows('full6', 'segments')}
    gstest.equal(modes[-1, 'coordinator'], None, "the coordinator's mode")
    gstest.equal(modes[0, 'primary'], 'synced', "a primary's mode")
    gstest.equal(modes[-1, 'standby'], 'synced', "the standby's mode")


def test_segment_activity():
    """What segments said 5 s ago does not outlive what the coordinator says
    now: sessions 144, 146 and 147 ended within the tick of 10:06:31."""
    path = os.path.join(HERE, 'recordings', 'segact6.gpsnap')
    live = {t['to'][11:19]: [r['session'] for r in t['rows']
                             if (r['session'] or '').startswith('con') and
                             r['state'] != 'ended']
            for t in gstest.replay_json(path, '-V', 'sessions', '-l', '0',
                                        '--every', '1s', '--utc', status=0)}
    gone = {'con144', 'con146', 'con147'}
    gstest.check(gone < set(live['10:06:30']), 'at first they are there')
    for at in ('10:06:31', '10:06:32', '10:06:33', '10:06:34'):
        gstest.equal(gone & set(live[at]), set(), 'ended sessions at ' + at)
    for at, names in live.items():
        gstest.equal(len(names), len(set(names)), 'each once at ' + at)


def test_detector():
    """Executors of the deadlock detector, session 6, are its own."""
    got = {r['session']: r for r in rows('segact6', 'sessions')}
    gstest.check('con6' not in got, 'session 6 is nobody')
    (detector,) = [r for r in got.values() if (r['command'] or '').startswith(
        'global deadlock detector')]
    gstest.equal(detector['processes'], 5, 'processes of the detector')


def test_name():
    """A cluster_name that looks like a client at work makes no sessions:
    the servers' own processes stay what they are."""
    name = 'prod: DW con7 seg1 [local] idle'
    got = rows('name7', 'sessions')
    gstest.equal(sorted({r['user'] for r in got if r['session'] and
                         r['session'].startswith('con')}), ['gpadmin'],
                 'users of sessions')
    gstest.equal([r['session'] for r in got if r['session'] and
                  r['session'].isdigit()], [], 'backends of no session')
    commands = [r['command'] for r in got]
    for command, number in (('checkpointer', 7), ('walreceiver', 3),
                            ('walsender', 3), ('ftsprobe process', 1)):
        gstest.equal(commands.count(command), number, command)
    gstest.check(all(r['state'] == 'S' for r in got
                     if r['command'] == 'checkpointer'), 'their state')
    (server,) = {r['server'] for r in got
                 if (r['session'] or '').startswith('con')}
    gstest.equal(server, name, 'the server')


def main():
    for name, test in sorted(globals().items()):
        if name.startswith('test_'):
            test()


if __name__ == '__main__':
    main()
