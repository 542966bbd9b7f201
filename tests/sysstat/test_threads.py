# SPDX-License-Identifier: Apache-2.0
"""The view of threads: what it says is in the trees that were recorded."""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'lib')]
import gstest  # noqa: E402
import sys_record  # noqa: E402
from gstest import check, equal, near  # noqa: E402

def view(recording, *args):
    out = subprocess.run(
        [gstest.binary('gpsnap'), 'replay', '-f', 'json', '-l', '0', *args, recording], stdout=subprocess.PIPE, check=True).stdout
    table = json.loads(out)
    names = [c['name'] for c in table['columns']]
    return table, [dict(zip(names, row)) if isinstance(row, list) else row
                   for row in table['rows']]


def words(tree, pid, tid, file):
    path = '%s/proc/%d/task/%d/%s' % (tree, pid, tid, file)
    with open(path, encoding='latin-1') as f:
        return f.read().rsplit(')', 1)[-1].split()


def figures(trees, steps, table, rows):
    """Of threads that are in all trees."""
    tree = ['%s/%02d' % (trees, n) for n in range(steps)]
    for tid in (400, 402, 1, 99999):
        pid = 400 if tid == 402 else tid
        (row,) = [r for r in rows if r['tid'] == tid]
        equal(row['pid'], pid, 'process of %d' % tid)
        # all zero is what a kernel says that does not count
        sched = [s for s in (words(t, pid, tid, 'schedstat') for t in tree)
                 if s != ['0'] * 3]
        near(row['cpu_seconds'], (int(sched[-1][0]) - int(sched[0][0])) / 1e9,
             1e-4, 'CPU of %d' % tid)
        stat = [words(t, pid, tid, 'stat') for t in (tree[0], tree[-1])]
        for name, at in (('user_percent', 11), ('system_percent', 12)):
            near(row[name], (int(stat[1][at]) - int(stat[0][at])) /
                 table['covered_seconds'], 1e-4, '%s of %d' % (name, tid))


def identity(rows):
    names = sorted((r['tid'], r['thread'], r['state']) for r in rows
                   if r['pid'] == 400)
    equal(names, [(400, 'threads', 'S'), (401, 'new thread', 'S'),
                  (401, 'worker 0', 'ended'), (402, 'worker 1', 'S'),
                  (403, 'worker 2', 'ended')], 'threads of 400')
    for row in rows:
        if row['pid'] == 400:
            equal(row['command'], 'threads', 'program')
            equal(row['user'], 'daemon', 'user')
            check(row['session'], 'a session')


def main():
    with tempfile.TemporaryDirectory(prefix='gpsnap-threads-') as folder:
        rec, steps = sys_record.record_series(folder, 'trees', cpus=2,
                                              seed=7)
        trees = folder + '/trees'
        table, rows = view(rec, '-V', 'threads')
        figures(trees, steps, table, rows)
        identity(rows)
        processes = view(rec, '-V', 'processes')[1]
        (process,) = [p for p in processes if p['pid'] == 400]
        equal({r['session'] for r in rows if r['pid'] == 400},
              {process['session']}, 'session, as of the process')
        found = view(rec, '-V', 'thread', '--where', 'thread ~ "^worker"')[1]
        equal(len(found), 3, 'by name: %r' % found)


main()
