# SPDX-License-Identifier: Apache-2.0
"""Both programs on this host at the same time, under load.

The instants of pidstat's first and last sample are taken from when it writes;
gpsnap's are the ticks next to them.  A thread can use no more CPU time than
passes, so a task's figures may be apart by what fits into the time between
those instants, and by what rounding does; what all tasks did together, by 1 %
where such a difference of the instants is less.  Tasks that come or go in
between are left out: at the instant of one program's sample there is none.

    test_beside.py [SECONDS]    # 6 in the suite
"""
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..'), os.path.join(HERE, '..', 'lib')]
import gstest  # noqa: E402
import reader  # noqa: E402

SECONDS = int(sys.argv[1]) if len(sys.argv) > 1 else 6
APART = 0.01
TRIES = 4
TICK_S = 0.01  # of CPU time, as both programs get it
LOAD = (
    # CPU time and system calls, switches, memory that comes and goes
    'f = open("/dev/null", "wb")\nwhile True:\n'
    '    sum(range(20000)); f.write(bytes(1 << 20))',
    'import time\nwhile True: time.sleep(0.002)',
)


class Sampled:
    """What a program says of the time between two instants."""

    def __init__(self, text, begin, end, pids):
        self.begin, self.end, self.pids = begin, end, pids
        self.tables, heading = {}, ()
        for line in text.splitlines():
            words = line.split()
            if not words or words[0] != 'Average:':
                continue
            if words[1] == 'UID':
                heading = words[3:-1]
                continue
            for name, word in zip(heading, words[3:]):
                self.tables.setdefault(name, {})[words[2]] = word


def wait_for_second():
    time.sleep(1 - time.time() % 1)


def pids():
    return {name for name in os.listdir('/proc') if name.isdigit()}


def real():
    """A pidstat that begins with a second, where gpsnap has a tick."""
    wait_for_second()
    before = pids()
    proc = subprocess.Popen(
        ['pidstat', '-urwv', '-p', 'ALL', '1', str(SECONDS)],
        stdout=subprocess.PIPE)
    out, at = b'', []
    while True:
        select.select([proc.stdout], [], [])
        now = time.time()
        more = os.read(proc.stdout.fileno(), 1 << 20)
        if not more:
            break
        # the banner, then a report at a time
        if not at or now - at[-1] > 0.5:
            at.append(now)
        out += more
    proc.wait()
    gstest.equal(len(at), SECONDS + 1, 'reports that came one by one')
    return Sampled(out.decode(), at[0], at[-1], before & pids())


def ticks(path):
    """Wall times of the samples."""
    return [host.block.wall_ns / 1e9 for state in reader.read(path).ticks()
            for host in state.hosts.values() if host.fresh]


def both(folder):
    program, to = gstest.binary('gpsnap'), folder + '/x.gpsnap'
    load = [subprocess.Popen([sys.executable, '-c', text])
            for text in LOAD]
    recorder = subprocess.Popen(
        [program, 'record', '--all', '-i', '0.1', '-d', str(SECONDS + 4),
         '--no-catalog', '-q', '--with', 'fd', '-o', to])
    try:
        time.sleep(1.5)  # its first samples
        theirs = real()
    finally:
        recorder.wait()
        for p in load:
            p.kill()
            p.wait()
    try:
        return theirs, ours(program, to, theirs)
    finally:
        os.unlink(to)


def ours(program, path, theirs):
    """Of the ticks next to their samples."""
    at = ticks(path)
    begin = min(at, key=lambda t: abs(t - theirs.begin))
    end = min(at, key=lambda t: abs(t - begin - SECONDS))
    text = subprocess.run(
        [program, 'pidstat', '-f', path, '--strict', '-urwv', '-p', 'ALL',
         '--from', '%.3f' % (begin - 0.05), '--to', '%.3f' % (end + 0.05),
         '1', str(SECONDS)], check=True, stdout=subprocess.PIPE,
        text=True).stdout
    return Sampled(text, begin, end, theirs.pids)


def common(a, b, name):
    """(pid, one's, the other's) of the tasks that existed all the time."""
    return [(pid, float(a.tables[name][pid]), float(b.tables[name][pid]))
            for pid in a.pids & set(a.tables[name])]


def tasks_apart(a, b, skew):
    """Those whose CPU time the instants do not explain."""
    threads = {pid: max(x, y) for pid, x, y in common(a, b, 'threads')}
    span = (a.end - a.begin + b.end - b.begin) / 2
    wrong = []
    for pid, x, y in common(a, b, '%CPU'):
        # ticks of user and system time, at both ends
        may = skew * threads.get(pid, 1) + 4 * TICK_S
        if abs(x - y) / 100 * span > may:
            wrong.append('task %s: %.2f and %.2f %%CPU, may differ by %.2f' %
                         (pid, x, y, may / span * 100))
    return wrong


def sums_apart(a, b, share):
    wrong = []
    for name in ('%CPU', 'VSZ', 'RSS', 'cswch/s', 'threads'):
        x, y = (sum(values) for values in
                list(zip(*common(a, b, name)))[1:])
        print('%-8s %12.2f %12.2f  %.3f %%' % (
            name, x, y, 100 * abs(x - y) / max(x, 1)))
        if abs(x - y) > share * max(x, 1):
            wrong.append('%s of all tasks: %.2f and %.2f' % (name, x, y))
    return wrong


def apart(a, b):
    """What the instants of the samples do not explain."""
    skew = abs(a.begin - b.begin) + abs(a.end - b.end)
    share = max(APART, skew / SECONDS)
    print('%d s, instants %+.0f and %+.0f ms apart' % (
        SECONDS, 1e3 * (b.begin - a.begin), 1e3 * (b.end - a.end)))
    return tasks_apart(a, b, skew) + sums_apart(a, b, share)


def main():
    if not shutil.which('pidstat'):
        gstest.skip('pidstat is not installed')
    wrong = []
    with tempfile.TemporaryDirectory(prefix='gpsnap-pidstat-') as folder:
        for _ in range(TRIES):
            wrong = apart(*both(folder))
            if not wrong:
                return
            print('\n'.join(wrong))
    gstest.fail('they do not agree')


main()
