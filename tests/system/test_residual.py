#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Under pgbench -C, where backends live for milliseconds, the CPU of all
rows and of what exited children left at their parent is what the control
group was charged, within 1 %.

The residual is computed here from the stored rows: what the postmaster's
cutime and cstime grew by, less what its vanished children were seen to use;
and replay is asked for the same.
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
import reader

SHARE = 0.01


class Sums:
    """Adds up CPU seconds of a tree of processes, tick by tick."""

    def __init__(self, postmaster, hz):
        self.postmaster = postmaster
        self.hz = hz
        self.rows = self.residual = 0.0
        self.now = {}  # (pid, start): row
        self.short = set()

    def step(self, rows):
        new = {(r['pid'], r['start']): r for r in rows
               if r['pid'] == self.postmaster or
               r.get('ppid') == self.postmaster}
        if self.now:
            for key, row in new.items():
                was = self.now.get(key)
                self.rows += (row['cpu'] - (was['cpu'] if was else 0)) / 1e6
                if not was:
                    self.short.add(key)
            self.residual += self.left_behind(new)
        self.now = new

    def left_behind(self, new):
        """What the postmaster got of children beyond what we saw of them."""
        def reaped(rows):
            (row,) = [r for k, r in rows.items() if k[0] == self.postmaster]
            return (row['cutime'] + row['cstime']) / self.hz
        gone = sum(row['cpu'] / 1e6 for key, row in self.now.items()
                   if key not in new)
        return max(0.0, reaped(new) - reaped(self.now) - gone)


def sum_of(path, postmaster):
    data = reader.read(path)
    sums = None
    for state in data.ticks():
        if sums is None:
            (host,) = state.rows('host')
            sums = Sums(postmaster, host[1]['clock_ticks'])
        sums.step([row for _, row in state.rows('process')])
    gstest.equal(data.damage, [], 'damage')
    return sums


def replayed(path, postmaster):
    """CPU seconds of the server's rows and of its exited children."""
    (table,) = gstest.replay_json(path, '-V', 'processes', '--limit', '0',
                                  '--columns',
                                  'pid,parent,cpu_seconds,command')
    rows = residual = 0.0
    for row in table['rows']:
        if postmaster in (row['pid'], row['parent']):
            rows += row['cpu_seconds']
        elif row['command'] == 'exited children of %d' % postmaster:
            residual += row['cpu_seconds']
    return rows, residual


def main():
    gstest.binary('gpsnap')
    with gstest.Cgroup('residual') as cgroup, \
            gstest.Postgres(cgroup) as pg, gstest.TempDir() as tmp:
        path = tmp.file('residual.gpsnap')
        pg.run('pgbench', '-i', '-q', '-s', '1')
        lasting = gstest.steady_children(pg)
        with gstest.Recorder(path, '-i', '0.5') as recorder:
            recorder.wait_ticks(2)
            before = cgroup.cpu_ns()
            bench = pg.popen(['pgbench', '-n', '-C', '-c', '2', '-T', '6'],
                             stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
            gstest.equal(bench.wait(), 0, 'exit status of pgbench')
            gstest.wait_for('the end of all backends',
                            lambda: set(pg.children()) <= lasting)
            charged = (cgroup.cpu_ns() - before) / 1e9
            recorder.wait_ticks(2)
            recorder.stop()
        sums = sum_of(path, pg.server.pid)
        print('charged %.3f s, rows %.3f s, exited children %.3f s, '
              '%d backends seen' % (charged, sums.rows, sums.residual,
                                    len(sums.short)))
        rows, residual = replayed(path, pg.server.pid)
        print('replay: rows %.3f s, exited children %.3f s' %
              (rows, residual))
        gstest.near(rows + residual, charged, SHARE, 'replay')
        gstest.check(sums.residual > sums.rows,
                     'short-lived backends do not make up the residual')
        gstest.near(sums.rows + sums.residual, charged, SHARE,
                    'rows + exited children')


if __name__ == '__main__':
    main()
