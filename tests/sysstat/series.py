# SPDX-License-Identifier: Apache-2.0
"""The series of trees that both programs are shown."""
import copy
import os
import random

from trees import BTIME, Host, Task  # noqa: F401

NEAR = 2 ** 64
FIRST = BTIME + 10000  # of the first tree


BUSY = (1, 301, 302, 303, 304, 306, 308, 309, 310, 311, 312, 313, 314, 315,
        502, 600, 700, 800, 801, 99999)


def run_task(t, rng, cs):
    """What a busy task does in so many centiseconds."""
    user, system = rng.randint(0, cs), rng.randint(0, cs // 3)
    t.utime += user
    t.stime += system
    t.gtime += rng.randint(0, user // 4) if rng.random() < 0.2 else 0
    t.run += (user + system) * 10 ** 7
    t.delay += rng.randint(0, cs * 10 ** 7)
    t.slices += 3
    t.minflt += rng.randint(0, 5000)
    t.majflt += rng.randint(0, 3)
    t.vol += rng.randint(0, 900)
    t.nonvol += rng.randint(0, 90)
    t.cpu = rng.randint(0, 1)
    t.read += rng.randint(0, 1 << 22)
    t.write += rng.randint(0, 1 << 24)
    t.cancelled += rng.randint(0, 1 << 12)
    t.rchar += 1 << 20
    t.blkio += rng.randint(0, 20)
    if rng.random() < 0.5:
        t.rss += rng.randint(0, 500)
    if rng.random() < 0.3:
        t.vsize += 4096 * rng.randint(0, 100)
    if rng.random() < 0.3:
        t.fds = rng.randint(1, 12)
        t.stackref = rng.randint(4, 130)


def reap(t, rng):
    """Its children end."""
    t.cutime += rng.randint(0, 300)
    t.cstime += rng.randint(0, 100)
    t.cgtime += rng.randint(0, 10)
    t.cminflt += rng.randint(0, 10000)
    t.cmajflt += rng.randint(0, 10)


def add_threads(t, n, rng, cpus):
    """Splits the process: its own figures are the sums."""
    t.main = Task(t.pid, t.comm, t.start, vsize=t.vsize, rss=t.rss,
                  uid=t.uid)
    t.threads = [Task(t.pid + 1 + i, b'worker %d' % i, t.start + 5,
                      vsize=t.vsize, rss=t.rss, uid=t.uid)
                 for i in range(n)]
    for x in [t.main] + t.threads:
        x.cpu = rng.randint(0, cpus - 1)


def run_threads(t, rng, cs):
    for x in [t.main] + t.threads:
        was = copy.copy(x)
        if rng.random() < 0.7:
            run_task(x, rng, cs // 3)
        for name in ('utime', 'stime', 'gtime', 'minflt', 'majflt', 'read',
                     'write', 'cancelled', 'rchar', 'blkio'):
            setattr(t, name, getattr(t, name) + getattr(x, name) -
                    getattr(was, name))
    for name in ('vol', 'nonvol', 'run', 'delay', 'slices', 'cpu'):
        setattr(t, name, getattr(t.main, name))
    for x in [t.main] + t.threads:
        x.vsize, x.rss = t.vsize, t.rss
        x.stack, x.stackref, x.fds = t.stack, t.stackref, t.fds


def first_tasks(up):
    old = up - 90000
    return [
        Task(1, b'init', 1, minflt=1234, utime=50, stime=70),
        Task(2, b'kthreadd', 2, vsize=0, rss=0, flags=0x200040,
             fds=0, stack=0, stackref=0),
        Task(17, b'ksoftirqd/0', 3, vsize=0, rss=0, flags=0x200040,
             fds=0, prio=99, policy=1),
        Task(300, b'(sd-pam)', old, uid=1),
        Task(301, b'Web Content (x) y', old, uid=2),
        Task(302, b')( 7 R 8', old, uid=65534),
        Task(303, b'no_io', old, uid=33, missing=('io',)),
        Task(304, b'batch', old, policy=3),
        Task(305, b'near', old, utime=2 ** 40, stime=2 ** 40,
             read=NEAR - 2 ** 20, write=2 ** 63, minflt=2 ** 62,
             vol=2 ** 60),
        Task(306, b'guest', old, utime=100, gtime=100),
        Task(307, b'odd', old, utime=100, gtime=500),
        Task(308, b'no_stack', old, utime=9, missing=('smaps',)),
        Task(309, b'no_fd', old, utime=9, missing=('fd',)),
        Task(310, b'no_sched', old, utime=9, missing=('schedstat',)),
        Task(311, b'no_line', old, utime=9, cmdline=b''),
        Task(312, b'old_kernel', old, utime=9, stat_fields=42),
        Task(313, b'', old, utime=9),
        Task(314, b'gr\xf6\xc3\x9f\te\ne', old, utime=9),
        Task(315, b'all_of_15_chars', old, utime=9),
        Task(316, b'zombie', old, state='Z', vsize=0, rss=0, fds=0),
        Task(317, b'class of idlers', old, policy=5),
        Task(318, b'new class', old, policy=7),
        Task(319, b'huge', old, vsize=2 ** 60, rss=2 ** 40),
        Task(320, b'large', old, vsize=2 ** 50, rss=2 ** 26),
        Task(400, b'threads', old, uid=1),
        Task(500, b'quiet', old),
        Task(501, b'unknown user', old, uid=4242),
        Task(502, b'q"u\\o\x1b[1m', old),
        Task(600, b'dies', old, utime=900),
        Task(700, b'reused', old, utime=1000, stime=1000, minflt=10000,
             read=1 << 30, vol=1000),
        Task(70000, b'parent', old, cutime=500, cminflt=70000),
        Task(99999, b'postgres', old, uid=1, policy=6,
             cmdline=b'postgres: user db [local] idle\0\0\0\0'),
    ]


def find(tasks, pid):
    return next((t for t in tasks if t.pid == pid), None)


def change(tasks, step, host, rng):
    """What comes and goes."""
    up = host.uptime_cs
    if step == 1:
        tasks.append(Task(800, b'born', up - 20))
        tasks.append(Task(801, b'appeared', 500, utime=4000, minflt=999))
    if step == 2:
        tasks.remove(find(tasks, 600))
        tasks.remove(find(tasks, 700))
        tasks.append(Task(700, b'another', up - 30, utime=3, stime=1))
        find(tasks, 304).prio = 5
        find(tasks, 304).policy = 2
        find(tasks, 307).utime += 900
        find(tasks, 501).comm = b'renamed'
    if step == 3:
        tasks.append(Task(600, b'back', up - 10, utime=7))
        tasks.remove(find(tasks, 800))
        find(tasks, 305).read = (find(tasks, 305).read + 2 ** 21) % NEAR
    t = find(tasks, 400)
    if step == 2:
        t.threads.pop()
    if step == 3:
        t.threads[0] = Task(401, b'new thread', up - 15, vsize=t.vsize,
                            rss=t.rss, uid=t.uid)


def make(folder, cpus, seed, steps=5, offline=0, old=False):
    """Writes folder/00, 01, ...; the sizes of steps are odd."""
    rng = random.Random(seed)
    host = Host(cpus)
    host.offline = offline
    if old:  # user, nice, system and idle time; no CPUs in /sys
        host.fields, host.has_sys = 4, False
    tasks = first_tasks(host.uptime_cs)
    add_threads(find(tasks, 400), 3, rng, cpus)
    for step in range(steps):
        if step > 0:
            cs = rng.choice((100, 100, 101, 99, 237, 500))
            host.pass_time(cs, rng)
            change(tasks, step, host, rng)
            for t in tasks:
                if t.main:
                    run_threads(t, rng, cs)
                elif t.pid in BUSY and (step == 1 or rng.random() < 0.8):
                    run_task(t, rng, cs)
            if rng.random() < 0.7:
                reap(find(tasks, 70000), rng)
        root = '%s/%02d' % (folder, step)
        os.mkdir(root)
        host.put(root, tasks)
    return steps
