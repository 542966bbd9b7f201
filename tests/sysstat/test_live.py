# SPDX-License-Identifier: Apache-2.0
"""gpsnap pidstat --live and -e: what it says of itself and of what it runs,
how signals end it, and what a closed output does."""
import json
import os
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'lib')]
import gstest  # noqa: E402
from gstest import check, equal  # noqa: E402

EVERY = '0.2'
WORK = 'while [ $i -lt %d ]; do i=$((i+1)); done; '


def start(*args, **how):
    return subprocess.Popen(
        [gstest.binary('gpsnap'), 'pidstat', *args], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, **how)


def run(*args, status=0):
    with start(*args, stdin=subprocess.DEVNULL) as proc:
        out, said = proc.communicate()
    equal(proc.returncode, status, '%s: %s' % (' '.join(args), said))
    return out, said


def read_rows(proc, wanted, n):
    """Lines until n of them have the word."""
    lines = []
    while n > 0:
        line = proc.stdout.readline()
        check(line, 'the output ended: %r' % lines)
        lines.append(line)
        n -= wanted in line.split()
    return lines


def rest_of(proc, status):
    out, said = proc.communicate(timeout=60)
    equal(proc.returncode, status, said)
    return out


def program():
    """It is shown alone, from its beginning; its status is the exit status."""
    with start('-u', EVERY, '-e', 'sh', '-c', 'i=0; ' + WORK % 20000 +
               'read x; exit 3', stdin=subprocess.PIPE) as proc:
        lines = read_rows(proc, 'sh', 3)
        heading = [n for n, x in enumerate(lines) if '%usr' in x]
        equal(heading, [2], 'one program, one heading')
        pids = {x.split()[2] for x in lines[3:]}
        equal(len(pids), 1, 'one process')
        # what it did before it was sampled counts
        check(any(float(x.split()[7]) > 0 for x in lines[3:]),
              'no CPU time: %r' % lines)
        rest = rest_of(proc, 3)  # closes its standard input
    end = rest[rest.index('\nAverage:'):].split()
    equal((end[2], end[-1]), (pids.pop(), 'sh'), 'averages')


def statuses():
    run(EVERY, '-e', 'sh', '-c', 'exit 7', status=7)
    run(EVERY, '-e', 'sh', '-c', 'kill -9 $$', status=128 + 9)
    run(EVERY, '-e', '/no/such/program', status=127)
    run(EVERY, '-e', '/etc', status=126)
    for args, why in ((('-e', 'true'), 'INTERVAL'), ((EVERY, '-e'), 'program'),
                      (('0', '-e', 'true'), 'INTERVAL'),
                      (('-f', 'x', EVERY, '-e', 'true'), 'in a recording'),
                      ((EVERY, '-ex'), 'words of its own'),
                      ((EVERY, '2', '3', '-e', 'true'), 'unexpected 3')):
        out, said = run(*args, status=64)
        check(not out and why in said, '%s: %s' % (args, said))


def outlives():
    """pidstat -e waits for the end of the command, even if all reports are
    printed before."""
    with start('-p', '1', '-o', 'JSON', EVERY, '2', '-e', 'sh', '-c',
               'read x; exit 5', stdin=subprocess.PIPE) as proc:
        lines = []
        while not lines or not lines[-1].endswith(']}]}}\n'):
            lines.append(proc.stdout.readline())
        equal(rest_of(proc, 5), '', 'nothing behind the end')
    host = json.loads(''.join(lines))['sysstat']['hosts'][0]
    equal(len(host['statistics']), 2, 'reports')
    for report in host['statistics']:
        names = [row['PID'] for row in report['task-cpu-load']]
        equal((len(names), names[0]), (2, '1'), 'what -p names, too')


def several():
    me = str(os.getpid())
    out, _ = run('--live', '-p', me, '-p', '1,SELF', '-p', me, EVERY, '1')
    names = [x.split()[-1] for x in out.splitlines()
             if x.startswith('Average:')][1:]
    equal(len(names), 3, 'tasks: %r' % names)
    check('gpsnap' in names, 'SELF')


def signals():
    for sig in (signal.SIGINT, signal.SIGTERM):
        with start('--live', '-p', '1', EVERY) as proc:
            pid = read_rows(proc, '1', 2)[-1].split()[2]
            proc.send_signal(sig)
            rest = rest_of(proc, 0)
        last = rest[rest.index('\nAverage:'):].split()
        equal(last[2], pid, 'averages behind an empty line')
        with start('--live', '-o', 'JSON', '-p', '1', EVERY) as proc:
            proc.stdout.readline()
            proc.send_signal(sig)
            rest = rest_of(proc, 0)
        check(rest.endswith(']}]}}\n'), 'it is closed: %r' % rest[-20:])
    with start('--live', '-p', '1', '3600') as proc:
        equal(proc.stdout.readline().split()[0], 'Linux', 'the first line')
        proc.send_signal(signal.SIGINT)
        equal(rest_of(proc, 0), '', 'during the first interval')


def closed():
    """The reader is gone: it ends at the next report."""
    with start('--live', '-p', 'ALL', EVERY) as proc:
        proc.stdout.readline()
        proc.stdout.close()
        equal(proc.wait(60), 2, 'a closed output')


def boot():
    out, _ = run('--live', '-u', '-p', '1')
    lines = out.splitlines()
    equal((len(lines), 'Average' in out), (4, False), 'one report: ' + out)


def main():
    program()
    statuses()
    outlives()
    several()
    signals()
    closed()
    boot()


main()
