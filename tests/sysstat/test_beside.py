"""Both programs on this host at the same time, under load: what all tasks did
together is the same.  The instants of their samples are apart by so much of a
window as is allowed here."""
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'lib')]
import gstest  # noqa: E402

SECONDS = 6
APART = 0.03
TRIES = 3
LOAD = '''
import os, time
end = time.time() + %d
with open(os.devnull, 'wb') as f:
    while time.time() < end:
        sum(range(20000))
        f.write(bytes(1 << 20))
''' % (SECONDS + 4)


def averages(out):
    """{first heading: {pid: figures}}"""
    tables, heading = {}, None
    for line in out.splitlines():
        words = line.split()
        if not words or words[0] != 'Average:':
            continue
        if words[1] == 'UID':
            heading = words[3:-1]
            continue
        tables.setdefault(heading[0], {})[words[2]] = \
            words[3:3 + len(heading)]
    return tables


def both(folder):
    program, to = gstest.binary('gpsnap'), folder + '/x.gpsnap'
    load = [subprocess.Popen([sys.executable, '-c', LOAD])
            for _ in range(2)]
    recorder = subprocess.Popen(
        [program, 'record', '--all', '-i', '0.1', '-d', str(SECONDS + 3),
         '--no-catalog', '-q', '-o', to])
    time.sleep(1)  # its first samples
    begin = time.time()
    real = subprocess.run(
        ['pidstat', '-urw', '-p', 'ALL', '1', str(SECONDS)], check=True,
        stdout=subprocess.PIPE, text=True).stdout
    end = time.time()
    for p in [recorder, *load]:
        p.wait()
    ours = subprocess.run(
        [program, 'pidstat', '-f', to, '--strict', '-urw', '-p', 'ALL',
         '--from', '%.2f' % (begin + 0.02), '--to', '%.2f' % end,
         str(SECONDS - 0.3)], check=True, stdout=subprocess.PIPE,
        text=True).stdout
    os.unlink(to)
    return averages(real), averages(ours)


def total(table, pids, column):
    return sum(float(table[pid][column]) for pid in pids)


def apart(real, ours):
    """The worst of %CPU, VSZ and context switches."""
    worst = 0
    for heading, column in (('%usr', 4), ('minflt/s', 2), ('cswch/s', 1)):
        pids = set(real[heading]) & set(ours[heading])
        a = total(real[heading], pids, column)
        b = total(ours[heading], pids, column)
        print('%s %d: %.2f %.2f' % (heading, column, a, b))
        worst = max(worst, abs(a - b) / max(a, 1))
    return worst


def main():
    if not shutil.which('pidstat'):
        gstest.skip('pidstat is not installed')
    with tempfile.TemporaryDirectory(prefix='gpsnap-pidstat-') as folder:
        for _ in range(TRIES):
            if apart(*both(folder)) <= APART:
                return
    gstest.fail('they do not agree')


main()
