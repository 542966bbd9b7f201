#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Threads of a program with named threads, nice values, policies and CPUs,
grouped by what they have in common: the sums are what the kernel's files say
before and after."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest

# Each thread burns CPU time of its own when told to, and sleeps otherwise.
PROGRAM = r'''
import ctypes, os, sys, threading, time
libc = ctypes.CDLL(None)
cpu = {min(os.sched_getaffinity(0))}
go = threading.Semaphore(0)
done = threading.Semaphore(0)

def work(name, seconds, set_up):
    libc.prctl(15, name.encode(), 0, 0, 0)
    set_up()
    done.release()
    while True:
        go.acquire()
        end = time.thread_time() + seconds
        while time.thread_time() < end:
            pass
        done.release()

def batch():
    os.sched_setscheduler(0, 3, os.sched_param(0))

def nice():
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 5)

def pinned():
    os.sched_setaffinity(0, cpu)

def start(name, seconds, set_up):
    t = threading.Thread(target=work, args=(name, seconds, set_up),
                         daemon=True)
    t.start()
    done.acquire()
    return t.native_id

libc.prctl(15, b'gs-program', 0, 0, 0)
print(start('gs-scan', 0.05, batch), start('gs-scan', 0.05, nice),
      start('gs-write', 0.05, pinned), flush=True)
for line in sys.stdin:
    for _ in range(3):
        go.release()
    for _ in range(3):
        done.acquire()
    print('done', flush=True)
os._exit(0)
'''


class Program:
    def __init__(self):
        self.child = subprocess.Popen(
            [sys.executable, '-c', PROGRAM], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.pid = self.child.pid
        tids = list(map(int, self.child.stdout.readline().split()))
        self.name = dict(zip(tids, ('gs-scan', 'gs-scan', 'gs-write')))
        self.name[self.pid] = 'gs-program'
        self.batch, self.nice, self.pinned = tids

    def work(self):
        self.child.stdin.write('go\n')
        self.child.stdin.flush()
        gstest.equal(self.child.stdout.readline(), 'done\n', 'the program')

    def close(self):
        self.child.stdin.close()
        self.child.wait()

    def read(self):
        """By thread: run and delay (us), slices, switches of both kinds."""
        out = {}
        for tid in self.name:
            base = '/proc/%d/task/%d/' % (self.pid, tid)
            with open(base + 'schedstat') as f:
                run, delay, slices = map(int, f.read().split())
            with open(base + 'status') as f:
                status = dict(line.split(':\t', 1) for line in f
                              if ':\t' in line)
            out[tid] = {
                'cpu': run // 1000, 'run_delay': delay // 1000,
                'timeslices': slices,
                'csw_vol': int(status['voluntary_ctxt_switches']),
                'csw_invol': int(status['nonvoluntary_ctxt_switches']),
                'cpus': status['Cpus_allowed_list'].strip()}
        return out

    def rest(self):
        """What the files say while nothing changes."""
        last = [None]

        def still():
            now, last[0] = last[0], self.read()
            return now == last[0]
        gstest.wait_for('threads at rest', still)
        return last[0]


METRICS = ('cpu', 'run_delay', 'timeslices', 'csw_vol', 'csw_invol')


def table(path, keys, *more):
    out = gstest.replay_json(
        path, '-V', 'threads', '-g', keys, '-c', '+' + ',+'.join(
            ('threads', *('thread.' + m for m in METRICS), 'nice', 'policy',
             'cpus_allowed', *more)),
        '--limit', '0')
    return out[0]['rows']


def check_sums(row, tids, before, after, what):
    gstest.equal(row['threads'], len(tids), what + ': threads')
    for metric in METRICS:
        want = sum(after[t][metric] - before[t][metric] for t in tids)
        if metric in ('cpu', 'run_delay'):
            got = row['thread.' + metric] * 1e6
            gstest.check(abs(got - want) <= 1, '%s: %s: got %r, want %r' % (
                what, metric, got, want))
        else:
            gstest.equal(row['thread.' + metric], want, '%s: %s' % (what, metric))


def check_all(path, program, before, after):
    tids = program.name
    rows = [r for r in table(path, 'host,command,thread')
            if r['command'] == 'gs-program']
    gstest.equal(sorted(r['thread'] for r in rows),
                 sorted(set(tids.values())), 'names')
    for row in rows:
        check_sums(row, [t for t in tids if tids[t] == row['thread']],
                   before, after, row['thread'])
    by_name = {r['thread']: r for r in rows}
    gstest.check(by_name['gs-scan']['thread.cpu'] >= 0.1, 'CPU time of gs-scan')
    gstest.equal(by_name['gs-scan']['nice'], '%d..5' % os.nice(0),
                 'nice values')
    gstest.equal(by_name['gs-write']['cpus_allowed'],
                 after[program.pinned]['cpus'], 'CPUs')
    # all threads of the process
    rows = [r for r in table(path, 'process')
            if r['process'] == str(program.pid)]
    gstest.equal(len(rows), 1, 'rows of the process')
    check_sums(rows[0], list(tids), before, after, 'the process')
    # and of its control group, among others
    with open('/proc/%d/cgroup' % program.pid) as f:
        groups = f.read()
    rows = [r for r in table(path, 'cgroup,thread')
            if r['thread'] == 'gs-write']
    gstest.equal(len(rows), 1, 'control groups')
    gstest.check(rows[0]['cgroup'] in groups, rows[0]['cgroup'])


def main():
    program = Program()
    with gstest.TempDir() as tmp:
        path = tmp.file('x.gpsnap')
        before = program.rest()
        with gstest.Recorder(path, '-i', '0.2', '--all', '--threads',
                             '--with', 'sched') as r:
            r.wait_ticks(2)
            program.work()
            after = program.rest()
            r.wait_ticks(3)
        check_all(path, program, before, after)
        # the sums stay when the threads have ended
        with gstest.Recorder(tmp.file('y.gpsnap'), '-i', '0.2', '--all',
                             '--threads') as r:
            r.wait_ticks(2)
            program.work()
            program.rest()
            r.wait_ticks(2)
            program.close()
            r.wait_ticks(3)
        rows = [x for x in table(tmp.file('y.gpsnap'), 'command,thread')
                if x['command'] == 'gs-program']
        gstest.equal({x['thread']: x['threads'] for x in rows},
                     dict.fromkeys(program.name.values(), 0), 'living')
        gstest.check(sum(x['thread.cpu'] for x in rows) >= 0.15, 'CPU time')
        gstest.gpsnap('replay', path, '-V', 'processes', '-g', 'thread',
                      status=64)


main()
