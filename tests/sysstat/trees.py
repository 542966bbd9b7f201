# SPDX-License-Identifier: Apache-2.0
"""Makes series of trees that stand for /proc and /sys, one per sample."""
import os
import random
import shutil

UNAME = os.uname()
BTIME = 1790000000
HZ = os.sysconf('SC_CLK_TCK')


class Task:
    """A process or a thread: what its files say."""

    def __init__(self, pid, comm, start, **more):
        self.pid, self.comm, self.start = pid, comm, start
        self.ppid, self.uid, self.state, self.flags = 1, 0, 'S', 4194304
        self.minflt = self.cminflt = self.majflt = self.cmajflt = 0
        self.utime = self.stime = self.cutime = self.cstime = 0
        self.gtime = self.cgtime = self.blkio = 0
        self.vsize, self.rss, self.cpu = 10 << 20, 300, 0
        self.prio = self.policy = 0
        self.run = self.delay = self.slices = 0
        self.vol = self.nonvol = 0
        self.rchar = self.wchar = self.syscr = self.syscw = 0
        self.read = self.write = self.cancelled = 0
        self.cmdline = comm.replace(b' ', b'_') + b'\0-x\0a b\0'
        self.fds, self.stack, self.stackref = 3, 132, 12
        self.missing = ()      # files that may not be read
        self.stat_fields = 52  # older kernels have less
        self.threads = []      # others than the main one; it if also given
        self.main = None       # the main thread's own figures
        self.__dict__.update(more)

    def n_threads(self):
        return 1 + len(self.threads)

    def stat(self, n_threads):
        f = [0] * 53
        f[3], f[4], f[5], f[6], f[8] = self.state, self.ppid, 1, 1, -1
        f[9], f[10], f[11] = self.flags, self.minflt, self.cminflt
        f[12], f[13] = self.majflt, self.cmajflt
        f[14], f[15] = self.utime, self.stime
        f[16], f[17] = self.cutime, self.cstime
        f[18], f[20], f[22] = 20, n_threads, self.start
        f[23], f[24], f[25] = self.vsize, self.rss, 2 ** 64 - 1
        f[39], f[40], f[41] = self.cpu, self.prio, self.policy
        f[42], f[43], f[44] = self.blkio, self.gtime, self.cgtime
        return b'%d (%s) %s\n' % (self.pid, self.comm, b' '.join(
            str(v).encode() for v in f[3:self.stat_fields + 1]))

    def status(self, n_threads):
        name = self.comm.replace(b'\\', b'\\\\').replace(b'\n', b'\\n')
        vm = '' if self.vsize == 0 else 'VmSize:\t%8d kB\nVmRSS:\t%8d kB\n' \
            % (self.vsize // 1024, self.rss * 4)
        return b'Name:\t%s\n' % name + (
            'State:\t%s (x)\nTgid:\t%d\nPid:\t%d\nPPid:\t%d\n'
            'Uid:\t%d\t%d\t%d\t%d\nGid:\t0\t0\t0\t0\n%s'
            'Threads:\t%d\nvoluntary_ctxt_switches:\t%d\n'
            'nonvoluntary_ctxt_switches:\t%d\n' % (
                self.state, self.pid, self.pid, self.ppid, self.uid,
                self.uid, self.uid, self.uid, vm, n_threads, self.vol,
                self.nonvol)).encode()

    def io(self):
        return ('rchar: %d\nwchar: %d\nsyscr: %d\nsyscw: %d\n'
                'read_bytes: %d\nwrite_bytes: %d\n'
                'cancelled_write_bytes: %d\n' % (
                    self.rchar, self.wchar, self.syscr, self.syscw,
                    self.read, self.write, self.cancelled)).encode()

    def smaps(self):
        if self.vsize == 0:
            return b''
        return (b'5600-5700 r-xp 0 00:01 7 /bin/x\nSize: 4 kB\n'
                b'Referenced: 4 kB\n'
                b'7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0'
                b'                          [stack]\n'
                b'Size:                %d kB\nRss:                 16 kB\n'
                b'Referenced:          %d kB\n' %
                (self.stack, self.stackref))


def put(path, data):
    with open(path, 'wb') as f:
        f.write(data if isinstance(data, bytes) else data.encode())


def put_task(folder, task, n_threads):
    os.makedirs(folder if 'fd' in task.missing else folder + '/fd')
    for i in range(0 if 'fd' in task.missing else task.fds):
        os.symlink('/dev/null', '%s/fd/%d' % (folder, i))
    files = {
        'stat': task.stat(n_threads), 'status': task.status(n_threads),
        'schedstat': '%d %d %d\n' % (task.run, task.delay, task.slices),
        'cmdline': b'' if task.vsize == 0 else task.cmdline,
        'smaps': task.smaps(), 'io': task.io()}
    for name, text in files.items():
        if name not in task.missing:
            put(folder + '/' + name, text)


def put_process(folder, task):
    put_task(folder, task, task.n_threads())
    main = task.main or task
    for t in [main] + task.threads:
        put_task('%s/task/%d' % (folder, t.pid), t, task.n_threads())


class Host:
    """What a series has beside its processes."""

    def __init__(self, cpus, uptime_cs=1000000):
        self.cpus, self.uptime_cs = cpus, uptime_cs
        self.offline = 0
        self.fields = 10   # of a CPU's line; older kernels have less
        self.has_sys = True
        self.jiffies = [[1000 * (n + 1)] * 10 for n in range(cpus)]
        self.memtotal = 16307244

    def pass_time(self, centiseconds, rng):
        self.uptime_cs += centiseconds
        for cpu in self.jiffies:
            left = centiseconds * HZ // 100
            for field in (0, 2, 4, 6):
                part = rng.randint(0, max(left // 3, 0))
                cpu[field] += part
                left -= part
            cpu[3] += max(left, 0)

    def put(self, root, tasks):
        proc = root + '/proc'
        os.makedirs(proc + '/sys/kernel/random')
        put(proc + '/uptime', '%d.%02d 1.00\n' % divmod(self.uptime_cs, 100))
        rows = [[sum(c[f] for c in self.jiffies)
                 for f in range(self.fields)]]
        lines = ['cpu  ' + ' '.join(map(str, rows[0]))]
        lines += ['cpu%d ' % i + ' '.join(map(str, c[:self.fields]))
                  for i, c in enumerate(self.jiffies)
                  if i < self.cpus - self.offline]
        put(proc + '/stat', '\n'.join(lines) + '\nintr 1 0\nctxt 5\n'
            'btime %d\nprocesses 9\nprocs_running 1\nprocs_blocked 0\n'
            % BTIME)
        put(proc + '/meminfo', 'MemTotal: %12d kB\nMemFree: %12d kB\n'
            % (self.memtotal, 1000))
        put(proc + '/sys/kernel/osrelease', UNAME.release + '\n')
        put(proc + '/sys/kernel/hostname', UNAME.nodename + '\n')
        put(proc + '/sys/kernel/arch', UNAME.machine + '\n')
        put(proc + '/sys/kernel/task_delayacct', '1\n')
        put(proc + '/sys/kernel/random/boot_id', 'b\n')
        put(proc + '/self', b'')
        os.makedirs(root + '/sys')
        for i in range(self.cpus if self.has_sys else 0):
            os.makedirs('%s/sys/devices/system/cpu/cpu%d' % (root, i))
        os.makedirs(root + '/etc')
        shutil.copy('/etc/passwd', root + '/etc/passwd')
        for t in tasks:
            put_process('%s/%d' % (proc, t.pid), t)
