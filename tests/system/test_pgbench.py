#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Under pgbench, each backend's CPU and IO in a recording is what /proc said,
and replay shows the difference.

pgbench is stopped before and after it works, so that its backends are at
rest while they are read by hand; the recorder does not know.
"""
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
import reader

COUNTERS = ('minflt', 'majflt', 'utime', 'stime', 'run_delay', 'start',
            'rchar', 'wchar', 'syscr', 'syscw', 'read_bytes', 'write_bytes',
            'cancelled_write_bytes')
CLIENTS = 4


def backends(pg):
    return [int(p) for p in pg.sql(
        "select pid from pg_stat_activity where application_name = "
        "'pgbench'").split()]


def hold(pg, bench, pids, recorder):
    """Stops pgbench and reads its backends once they rest, for three ticks: an idle one
    may still wake, to hand in its statistics."""
    bench.send_signal(signal.SIGSTOP)
    gstest.wait_for('backends that wait', lambda: pg.sql(
        "select count(*) from pg_stat_activity where application_name = "
        "'pgbench' and state not like 'idle%' and "
        "wait_event_type is distinct from 'Lock'") == '0')
    gstest.settle(pids)
    for _ in range(20):
        hand = {pid: gstest.by_hand(pid) for pid in pids}
        at_ns = time.time_ns()
        recorder.wait_ticks(3)
        if hand == {pid: gstest.by_hand(pid) for pid in pids}:
            return at_ns, hand
    return gstest.fail('backends do not rest')


def snapshots(path):
    """(host's wall time, {pid: row}) of every tick."""
    data = reader.read(path)
    out = [(state.hosts[0].block.wall_ns,
            {row['pid']: row for _, row in state.rows('process')})
           for state in data.ticks()]
    gstest.equal(data.damage, [], 'damage')
    return out


def at(ticks, wall_ns):
    """Rows of the first tick after a time at which all rested."""
    for when, rows in ticks:
        if when >= wall_ns:
            return rows
    gstest.fail('no tick after %d' % wall_ns)


def compare(rows, hand, when):
    for pid, want in hand.items():
        what = '%s, backend %d' % (when, pid)
        gstest.check(pid in rows, what + ' is not recorded')
        for name in COUNTERS:
            gstest.equal(rows[pid].get(name), want[name],
                         '%s, %s' % (what, name))
        gstest.equal(rows[pid].get('cpu'), want['run_ns'] // 1000,
                     what + ', cpu')


def check_replay(path, hand):
    """The backends were born in the recording: all that they ever did is in
    it.  An idle backend still wakes once to hand in its statistics."""
    (table,) = gstest.replay_json(
        path, '-V', 'processes', '--limit', '0', '--columns',
        'pid,cpu_seconds,read_chars_per_second,write_bytes_per_second')
    rows = {row['pid']: row for row in table['rows']}
    covered = table['covered_seconds']
    for pid, want in hand.items():
        row = rows[pid]
        what = 'replay of backend %d, ' % pid
        gstest.near(row['cpu_seconds'], want['run_ns'] / 1e9, 1e-3,
                    what + 'CPU')
        gstest.near(row['read_chars_per_second'] * covered, want['rchar'],
                    1e-3, what + 'bytes read')
        gstest.near(row['write_bytes_per_second'] * covered,
                    want['write_bytes'], 1e-3, what + 'bytes written')


def main():
    gstest.binary('gpsnap')
    with gstest.Postgres() as pg, gstest.TempDir() as tmp:
        path = tmp.file('pgbench.gpsnap')
        pg.run('pgbench', '-i', '-q', '-s', '5')
        with gstest.Recorder(path, '-i', '0.5') as recorder:
            recorder.wait_ticks(1)
            bench = pg.popen(['pgbench', '-n', '-c', str(CLIENTS), '-T',
                              '60'], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
            gstest.wait_for('backends',
                            lambda: len(backends(pg)) == CLIENTS)
            pids = backends(pg)
            first = hold(pg, bench, pids, recorder)
            bench.send_signal(signal.SIGCONT)
            recorder.wait_ticks(8)
            second = hold(pg, bench, pids, recorder)
            recorder.stop()
            bench.kill()
            bench.wait()
        ticks = snapshots(path)
        compare(at(ticks, first[0]), first[1], 'before')
        compare(at(ticks, second[0]), second[1], 'after')
        check_replay(path, second[1])
        worked = sum(second[1][p]['run_ns'] - first[1][p]['run_ns']
                     for p in pids)
        gstest.check(worked > 100e6, 'pgbench did hardly work: %d ns' %
                     worked)
        print('%d backends, %d ticks, %.3f s of CPU: equal' %
              (len(pids), len(ticks), worked / 1e9))


if __name__ == '__main__':
    main()
