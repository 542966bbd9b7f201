#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""CPU time counts once where a recorded process has a parent that is not
recorded, and that parent's own parent is.

    chain (recorded) - middle (busy, then left) - inner (never recorded)
        - worker (recorded)

worker, inner and middle end in this order, at different ticks.  Each adds its
CPU time, and that of the children it waited for, to its parent: chain's counter
grows by all of it when middle ends.  What replay shows for all of them must be
what the kernel says that chain's children used.
"""
import os
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
import reader

TICK = 0.1
# Together less than a second: more in one tick is taken for an old life.
MIDDLE_MS, WORKER_MS = 300, 600
SHARE = 0.15  # one that is busy is selected a tick late at most; twice is 2.0


def spin(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def work(seconds):
    """Uses so much CPU time, some of it in each tick."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        spin(0.02)
        time.sleep(0.04)


def child(run):
    """A child that runs a function, and ends; its pid."""
    pid = os.fork()
    if pid == 0:
        run()
        os._exit(0)
    return pid


def say(name):
    os.write(1, b'%s %d\n' % (name.encode(), os.getpid()))


def worker():
    say('worker')
    work(WORKER_MS / 1000)


def inner():
    say('inner')
    os.waitpid(child(worker), 0)
    time.sleep(3 * TICK)


def middle():
    say('middle')
    pid = child(inner)
    spin(MIDDLE_MS / 1000)
    say('idle')
    os.waitpid(pid, 0)
    time.sleep(3 * TICK)


def chain():
    """It is busy all the time, so it is recorded."""
    say('chain')
    pid = child(middle)
    while os.waitpid(pid, os.WNOHANG)[0] == 0:
        spin(0.02)
        time.sleep(0.02)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    os.write(1, b'used %d\n' % ((used.ru_utime + used.ru_stime) * 1e6))
    for _ in range(20):
        spin(0.02)
        time.sleep(0.05)


def listen(proc, said, until):
    """Adds what the chain says, up to a word."""
    while until not in said:
        name, value = proc.stdout.readline().split()
        said[name.decode()] = int(value)


def busy():
    """A process that uses more CPU time than the middle of the chain, which
    waits for its child: of the busiest, the middle is not one."""
    while True:
        spin(0.005)
        time.sleep(0.02)


def run_chain(recorder):
    said = {}
    with subprocess.Popen([sys.executable, __file__, 'chain'],
                          stdout=subprocess.PIPE) as proc:
        listen(proc, said, 'idle')
        others = [child(busy) for _ in range(3)]
        listen(proc, said, 'used')
        recorder.wait_ticks(3)
    for pid in others:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return said


def rows_of(path, pid):
    """Numbers of the ticks in which a pid has a row."""
    return [i for i, state in enumerate(reader.read(path).ticks())
            if any(row['pid'] == pid for _, row in state.rows('process'))]


def replayed(path, said):
    """CPU seconds of the rows, and of exited children, below the chain."""
    (table,) = gstest.replay_json(path, '-V', 'processes', '--limit', '0',
                                  '--columns',
                                  'pid,parent,cpu_seconds,command')
    pids = [said[name] for name in ('middle', 'inner', 'worker')]
    rows = exited = 0.0
    for row in table['rows']:
        if row['pid'] in pids:
            rows += row['cpu_seconds']
        elif row['command'] in ['exited children of %d' % pid
                                for pid in pids + [said['chain']]]:
            exited += row['cpu_seconds'] or 0.0
    return rows, exited


def main():
    gstest.own_processes()
    with gstest.TempDir() as tmp:
        path = tmp.file('exits.gpsnap')
        server = tmp.file('postgres')  # or else all processes are recorded
        shutil.copy('/bin/sleep', server)
        with subprocess.Popen([server, '1000']) as database, \
                gstest.Recorder(path, '-i', str(TICK),
                                '--busiest', '3') as recorder:
            recorder.wait_ticks(3)
            said = run_chain(recorder)
            recorder.stop()
            database.kill()
        seen = {name: rows_of(path, said[name])
                for name in ('chain', 'middle', 'inner', 'worker')}
        print({name: (len(at), at[:1], at[-1:]) for name, at in seen.items()})
        rows, exited = replayed(path, said)
        used = said['used'] / 1e6
        print('used %.3f s; rows %.3f s, exited children %.3f s: %.3f s' % (
            used, rows, exited, rows + exited))
        gstest.check(seen['worker'] and seen['middle'],
                     'a process has no row that must have one')
        gstest.check(seen['middle'][-1] < seen['worker'][-1] <
                     seen['chain'][-1],
                     'the middle is recorded when its children end')
        gstest.near(rows + exited, used, SHARE, 'rows and exited children')


if __name__ == '__main__':
    if sys.argv[1:] == ['chain']:
        chain()
    else:
        main()
