# SPDX-License-Identifier: Apache-2.0
"""Time off the CPU, by cause: two hogs under a quota, a reader of a cold file
and a process that is limited in memory, recorded; the view names each cause,
the parts are the whole, and they are what the kernel says to a reader of ours.
As root, with control groups."""
import ctypes
import fcntl
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import taskstats  # noqa: E402

BIN = os.environ['GS_BIN']
SWITCH = '/proc/sys/kernel/task_delayacct'
SECONDS = int(os.environ.get('GS_OFFCPU_SECONDS', '6'))
MIB = 1 << 20
TOTALS = {'run_queue_seconds': 3, 'block_io_seconds': 5,
          'reclaim_seconds': 40}  # words of struct taskstats


def skip(why):
    print('skipped:', why)
    sys.exit(77)


def put(path, text):
    with open(path, 'w') as f:
        f.write(str(text))


class Groups:
    """Control groups of this test, of version 1 or 2."""

    def __init__(self):
        self.made = []
        root = '/sys/fs/cgroup'
        name = 'gpsnap-offcpu-%d' % os.getpid()
        if os.path.isdir(root + '/cpu') and os.path.isdir(root + '/memory'):
            self.quota = self.make(root + '/cpu/' + name)
            put(self.quota + '/cpu.cfs_period_us', 100000)
            put(self.quota + '/cpu.cfs_quota_us', 50000)
            self.limit = self.make(root + '/memory/' + name)
            put(self.limit + '/memory.limit_in_bytes', 24 * MIB)
        else:
            self.quota = self.make(root + '/' + name + '-cpu')
            put(self.quota + '/cpu.max', '50000 100000')
            self.limit = self.make(root + '/' + name + '-memory')
            put(self.limit + '/memory.max', 24 * MIB)

    def make(self, path):
        os.mkdir(path)
        self.made.append(path)
        return path

    def remove(self):
        for path in self.made:
            os.rmdir(path)


def hog(_):
    while True:
        pass


def read_cold(path):
    """Blocks of a file that is not in memory; nobody delays it on its CPU."""
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    fd = os.open(path, os.O_RDONLY)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)
    while True:
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        for at in range(0, os.fstat(fd).st_size, 65536):
            os.pread(fd, 4096, at)


def read_limited(path):
    """More than fits: what it reads is reclaimed, by itself.  Block by block:
    what the kernel reads ahead leaves hardly anything to wait for."""
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    fd = os.open(path, os.O_RDONLY)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)
    while True:
        for at in range(0, os.fstat(fd).st_size, 4096):
            os.pread(fd, 4096, at)


def start(name, group, work, path):
    pid = os.fork()
    if pid:
        return pid
    try:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)
        if group:
            put(group + '/cgroup.procs', os.getpid())
        put('/proc/self/comm', name)
        work(path)
    finally:
        os._exit(1)


def totals(kernel, pid):
    """In seconds, with the instant."""
    words = kernel.words(pid, taskstats.TGID)
    if not words:
        skip('the kernel tells no delays: CAP_NET_ADMIN')
    out = {k: words[i] / 1e9 for k, i in TOTALS.items()}
    out['cpu_seconds'] = time.clock_gettime(~pid << 3 | 2)
    out['wall_seconds'] = time.monotonic()
    return out


def table(path):
    columns = 'pid,command,cpu_seconds,wall_seconds,run_queue_seconds,' \
        'block_io_seconds,irq_seconds,sleep_seconds,reclaim_seconds,' \
        'cause,off_cpu_seconds'
    out = subprocess.run(
        [BIN + '/gpsnap', 'replay', path, '-V', 'offcpu', '--columns',
         columns, '--limit', '0', '-f', 'json'],
        stdout=subprocess.PIPE, check=False)
    assert out.returncode in (0, 1), out.returncode
    return {r['pid']: r for line in out.stdout.splitlines()
            for r in json.loads(line).get('rows', [])}


def check(name, row, before, after):
    wall = row['wall_seconds']
    parts = sum(row[k] or 0 for k in (
        'cpu_seconds', 'run_queue_seconds', 'block_io_seconds',
        'irq_seconds', 'sleep_seconds'))
    print(name, json.dumps(row))
    assert abs(parts - wall) <= 0.02 * wall, (name, parts, wall)
    # what it did outside of the range is at most that time
    rest = after['wall_seconds'] - before['wall_seconds'] - wall
    for key in list(TOTALS) + ['cpu_seconds']:
        told = after[key] - before[key]
        if key == 'block_io_seconds' and told > rest + row[key]:
            continue  # cut off, as more than there was
        # a wait for a CPU is added at its end
        assert -0.02 <= told - row[key] <= rest + 0.05 * wall + 0.2, (
            name, key, row[key], told, rest)


def run(groups, folder):
    for name in ('cold', 'limited'):
        with open(os.path.join(folder, name), 'wb') as f:
            for _ in range(48):
                f.write(os.urandom(MIB))
            f.flush()
            os.fsync(f.fileno())
            os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    pids = {
        'hog1': start('hog1', groups.quota, hog, None),
        'hog2': start('hog2', groups.quota, hog, None),
        'cold': start('cold', None, read_cold, folder + '/cold'),
        'limited': start('limited', groups.limit, read_limited,
                         folder + '/limited')}
    kernel = taskstats.Kernel()
    try:
        before = {k: totals(kernel, p) for k, p in pids.items()}
        got = subprocess.run(
            [BIN + '/gpsnap', 'record', '--all', '--threads', '-i', '1',
             '-d', str(SECONDS), '-o', folder + '/a.gpsnap'],
            stderr=subprocess.PIPE, preexec_fn=lambda: os.nice(-15),
            check=False)
        assert got.returncode in (0, 1), got  # 1: the machine was too busy
        after = {k: totals(kernel, p) for k, p in pids.items()}
    finally:
        for pid in pids.values():
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    rows = table(folder + '/a.gpsnap')
    for name, pid in pids.items():
        check(name, rows[pid], before[name], after[name])
    for name in ('hog1', 'hog2'):
        assert rows[pids[name]]['cause'] == 'runq', name
    assert rows[pids['cold']]['cause'] == 'blkio'
    assert rows[pids['limited']]['cause'] in ('blkio', 'reclaim', 'thrash')
    assert rows[pids['limited']]['reclaim_seconds'] > 0


def main():
    if os.geteuid() != 0:
        skip('not root')
    try:
        groups = Groups()
    except OSError as e:
        skip('no control groups: %s' % e)
    with open('/tmp/gpsnap-delayacct.lock', 'w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with open(SWITCH) as f:
            was = f.read()
        try:
            put(SWITCH, 1)
        except OSError as e:
            groups.remove()
            skip('%s: %s' % (SWITCH, e.strerror))
        try:
            with tempfile.TemporaryDirectory(dir=os.getcwd()) as folder:
                run(groups, folder)
        finally:
            put(SWITCH, was)
            end = time.monotonic() + 10
            while True:
                try:
                    groups.remove()
                    break
                except OSError:  # its processes are not gone yet
                    assert time.monotonic() < end, 'groups stay'
                    time.sleep(0.05)


main()
