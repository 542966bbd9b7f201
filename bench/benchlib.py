# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share: build, measured runs, tables."""
import json
import os
import resource
import statistics
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(TOP, 'build', 'bench')
os.environ.setdefault('GPSNAP_NO_CATALOG', '1')  # costs are the agents'
BIN = os.environ.get('GS_BIN') or os.path.join(BUILD, 'bin')
sys.path.insert(0, os.path.join(TOP, 'tests'))
sys.path.insert(0, os.path.join(TOP, 'tests', 'lib'))


def stop(why):
    """Nothing could be measured."""
    print('%s: %s' % (os.path.basename(sys.argv[0]), why), file=sys.stderr)
    sys.exit(2)


def build():
    """Packages, then everything in build/bench, as users get it; GS_BIN
    names a directory of binaries that are there already."""
    if os.environ.get('GS_BIN'):
        return
    script = '''
        cd "$1" && . tools/packages.sh &&
        need_packages $packages_build $packages_bench &&
        cmake -S . -B build/bench -G Ninja -DCMAKE_BUILD_TYPE=Release \
            -DGS_TESTS=OFF -DGS_BENCH=ON >/dev/null &&
        ninja -C build/bench --quiet'''
    if subprocess.run(['bash', '-c', script, 'build', TOP]).returncode != 0:
        stop('it does not build')


def machine():
    """A line that says what the figures were taken on."""
    model = 'unknown CPU'
    with open('/proc/cpuinfo') as f:
        for line in f:
            if line.startswith('model name'):
                model = line.split(':', 1)[1].strip()
                break
    return '%s, %d CPUs, Linux %s' % (model, os.cpu_count(),
                                      os.uname().release)


def cpu_ns(pid):
    """Of all its threads that live."""
    total = 0
    for task in os.listdir('/proc/%d/task' % pid):
        with open('/proc/%d/task/%s/schedstat' % (pid, task)) as f:
            total += int(f.read().split()[0])
    return total


def begins(stream):
    """Reads all of it; what it begins with."""
    first = part = stream.read(1 << 16)
    while part:
        part = stream.read(1 << 16)
    return first


class Run:
    """A child that has ended: its status, output, CPU and memory.  keep: all of the
    output, and not only its beginning.  The kernel counts what this process has when
    it starts a child as memory of the child, so a long output is not kept."""

    def __init__(self, argv, stdout=subprocess.PIPE, keep=True, **more):
        start = time.monotonic()
        child = subprocess.Popen(argv, stdout=stdout, **more)
        self.out = b'' if not child.stdout else child.stdout.read() \
            if keep else begins(child.stdout)
        self.before_wait(child.pid)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = self.status = os.waitstatus_to_exitcode(status)
        self.cpu = usage.ru_utime + usage.ru_stime
        self.wall = time.monotonic() - start
        self.rss_mb = usage.ru_maxrss / 1024.0
        if child.stdout:
            child.stdout.close()

    def before_wait(self, pid):
        """Called when the child has ended, before it is waited for: its /proc
        files are still there."""


def runs(argv, times):
    """Median CPU seconds and the largest memory of several runs."""
    all_runs = [Run(argv) for _ in range(times)]
    for run in all_runs:
        if run.status not in (0, 1):
            stop('%s: exit status %d' % (' '.join(argv), run.status))
    return (statistics.median(r.cpu for r in all_runs),
            max(r.rss_mb for r in all_runs), all_runs[-1].out)


def table(head, rows):
    """Prints it; for bench/all it is also a line of JSON in $GS_BENCH_TABLES."""
    if os.environ.get('GS_BENCH_TABLES'):
        with open(os.environ['GS_BENCH_TABLES'], 'a') as f:
            json.dump([os.path.basename(sys.argv[0]), head, rows], f)
            f.write('\n')
    cells = [head] + [[str(c) for c in row] for row in rows]
    width = [max(len(row[i]) for row in cells) for i in range(len(head))]
    for row in cells:
        print('  '.join(c.ljust(w) if i == 0 else c.rjust(w)
                        for i, (c, w) in enumerate(zip(row, width))))
    sys.stdout.flush()


def need_root():
    if os.geteuid() != 0:
        stop('needs root, for a pid namespace and for /proc/<pid>/io')


def raise_limits():
    """As many descriptors and processes as the system allows."""
    for what in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC):
        _, hard = resource.getrlimit(what)
        resource.setrlimit(what, (hard, hard))
