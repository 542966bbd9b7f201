#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Time and memory of commands that read a stranger's recording are bounded.

    test_files.py [--all] [--bin DIR] [ATTACK]...

Each attack of hostile_files.py is read by some commands (--all: by all of COMMANDS;
with sanitizers every second attack is tried).
The test passes if the exit status is 0, 1 or 2; the peak of memory is within
--memory, by default 256 MiB; the CPU time is at most linear in the unpacked size
of the file; and, if memory was not enough (status 2), the error names the file
and what helps.  The table shows what was seen.
"""
import argparse
import json
import os
import re
import resource
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
import gstest  # noqa: E402

MIB = 1 << 20
LIMIT = 256 * MIB
# Whatever is linear in 64 MiB of protobuf ends within this, also on a machine
# that is slow.
CPU_S = 60
# What is linear in the 16 MB of these takes a second, or ten on a machine that is slow and
# busy; what is quadratic 30 at least.
CPU_OF_TIME_S = 20
CPU_OF_COPY_S = 40  # written, and read again
OUT = ['-o', '@', '--force', '-q']
COMMANDS = {
    'replay': ['replay', '%', '-V', 'processes', '-f', 'json', '-l', '0'],
    'verify': ['verify', '%'],
    'info': ['info', '%'],
    'export': ['export', '%'],
    'cut': ['cut', '%'] + OUT,
    'merge': ['merge', '%', '%'] + OUT,
    'thin': ['thin', '%', '--every', '10s'] + OUT,
    'share': ['share', '%', '--anonymize', '--key', '@.key'] + OUT,
    'recover': ['recover', '%'] + OUT,
    'convert': ['convert', '%'] + OUT,
    'pidstat': ['pidstat', '-f', '%', '-p', 'ALL', '1'],
    'sar': ['sar', '-f', '%', '-A'],
    'sadf': ['sadf', '-j', '%', '--', '-A'],
    'overview': ['replay', '%'],
    'sessions': ['replay', '%', '-V', 'sessions', '--ticks'],
    'events': ['replay', '%', '-V', 'events', '-l', '0'],
    'load': ['load', '%', '--dsn', 'host=/none'],
    'findings': ['findings', '%'],
    'report': ['report', '%'] + OUT,
    'diff': ['diff', '%', '%'],
    'nested': ['replay', '%', '-V', 'sessions', '--every', '1h', '-g',
               'user,host'],
    'waits': ['replay', '%', '-V', 'time_model'],
}


def turn(i):
    """Without --all: one of the commands for attack i, in turn."""
    return [list(COMMANDS)[i % len(COMMANDS)]]


TIME = ('small_footers', 'index_frames_of_odd_lengths', 'skip_frames',
        'index_frames_of_all_that_follows', 'magics', 'a_life_per_tick',
        'rows_alike', 'gists_of_two_bases', 'gists_that_fail',
        'texts_of_numbers', 'texts_too_many', 'rows_with_long_names',
        'one_key_often', 'gists_to_the_end', 'clusters_of_hosts',
        'clusters_of_ports', 'clusters_of_again')


def limits():
    """Of the command: an endless one ends, and the machine lives."""
    resource.setrlimit(resource.RLIMIT_CPU, (4 * CPU_S, 4 * CPU_S))
    resource.setrlimit(resource.RLIMIT_FSIZE, (512 * MIB, 512 * MIB))


class Run:
    def __init__(self, argv, tmp):
        names = [tmp.file(n) for n in ('stdout', 'stderr')]
        with open(names[0], 'wb') as out, open(names[1], 'wb') as err:
            child = subprocess.Popen(argv, stdin=subprocess.DEVNULL,
                                     stdout=out, stderr=err,
                                     preexec_fn=limits)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = status
        self.status = os.waitstatus_to_exitcode(status)
        self.rss = usage.ru_maxrss * 1024
        self.cpu = usage.ru_utime + usage.ru_stime
        with open(names[1], 'rb') as f:
            self.err = f.read().decode('utf-8', 'replace')


def argv_of(gpsnap, command, path, tmp, more=()):
    argv = [gpsnap]
    for word in COMMANDS[command]:
        word = word.replace('%', path)
        argv.append(word.replace('@', tmp.file('out.gpsnap')))
    return argv[:2] + list(more) + argv[2:]


def check(name, command, run, limit=LIMIT):
    """Complaints, if any."""
    bad = []
    if run.status not in ((0, 1, 2, 3) if command == 'findings' else (0, 1, 2)):
        bad.append('exit status %d: %s' % (run.status, run.err[-300:]))
    if not gstest.SANITIZED and run.rss > limit:
        bad.append('%d MiB' % (run.rss // MIB))
    most = CPU_S if name not in TIME else \
        CPU_OF_COPY_S if command == 'share' else CPU_OF_TIME_S
    if not gstest.SANITIZED and run.cpu > most:
        bad.append('%.1f s of CPU' % run.cpu)
    wants = re.search('fits into', run.err)
    if wants and (run.status != 2 or not re.search('--memory(-limit)? SIZE',
                                                   run.err)):
        bad.append('status %d: %s' % (run.status, run.err[-300:]))
    # what is made is read again in the end, and may be what does not fit
    if wants and not re.search('(%s|out)[.]gpsnap' % name, run.err):
        bad.append('it does not say of which file: ' + run.err[-300:])
    return ['%s, %s: %s' % (name, command, b) for b in bad]


def write(script, *args):
    """What it prints.  It is a process whose memory is not ours, and has large pages: in
    small ones it would take ten times as long where a page fault is slow."""
    return subprocess.run(
        [sys.executable, '-B', os.path.join(HERE, script), *args], check=True,
        stdout=subprocess.PIPE,
        env=dict(os.environ, GLIBC_TUNABLES='glibc.malloc.hugetlb=1')).stdout.decode()


def make(name, tmp):
    path = tmp.file(name + '.gpsnap')
    write('hostile_files.py', path, name)
    return path


def names():
    return write('hostile_files.py').split()


def try_attack(name, commands, gpsnap, tmp):
    bad = []
    path = make(name, tmp)
    for command in commands:
        run = Run(argv_of(gpsnap, command, path, tmp), tmp)
        bad += check(name, command, run)
        left = [f for f in os.listdir(tmp.path) if f.endswith('.part')]
        if left:
            bad.append('%s, %s: %r is left' % (name, command, left))
        print('%-34s %9d B  %-9s %2d %7.1f MiB %6.2f s' % (
            name, os.path.getsize(path), command, run.status,
            run.rss / MIB, run.cpu), flush=True)
    os.unlink(path)
    return bad


def try_memory(gpsnap, tmp):
    """--memory is what bounds it, and what helps."""
    name = 'rows_of_many_hosts'
    path = make(name, tmp)
    bad = []
    runs = {}
    for size in (64, 256, 2048):
        more = ['--memory', '%dM' % size]
        runs[size] = Run(argv_of(gpsnap, 'verify', path, tmp, more), tmp)
        bad += check(name, 'verify ' + ' '.join(more), runs[size],
                     size * MIB)
    if [runs[s].status for s in sorted(runs)] != [2, 2, 0]:
        bad.append('--memory: %r' % [(s, runs[s].status) for s in runs])
    if 'tick ' not in runs[64].err or ' at offset ' not in runs[64].err:
        bad.append('it does not say where: ' + runs[64].err)
    little = Run(argv_of(gpsnap, 'verify', path, tmp, ['--memory', '1M']),
                 tmp)
    if little.status != 64:
        bad.append('--memory 1M: status %d' % little.status)
    return bad


def try_hole(gpsnap, tmp):
    """Windows that end in a hole of a year take no time and no memory: 300 million of
    them."""
    path = make('a_year_without_ticks', tmp)
    run = Run([gpsnap, 'replay', path, '-V', 'hosts', '--every', '100ms', '-W',
               '10s,1m'], tmp)
    bad = check('a_year_without_ticks', 'windows', run)
    if run.cpu > CPU_OF_TIME_S:
        bad.append('windows in a hole: %.1f s of CPU' % run.cpu)
    return bad


def try_summaries(gpsnap, tmp):
    """Summaries that are of nothing in the file."""
    path = tmp.file('summaries.gpsnap')
    write('hostile_summaries.py', path)
    run = Run([gpsnap, 'replay', path, '--find', 'host.busy > 90%'], tmp)
    run.status = 0 if run.status == 3 else run.status # nothing was found
    bad = check('summaries', 'find', run)
    if run.cpu > CPU_OF_TIME_S:
        bad.append('many summaries: %.1f s of CPU' % run.cpu)
    return bad


def try_gists(gpsnap, tmp):
    """Rows that are alike, and what gists may say of them."""
    bad = []
    for name, command in (('rows_alike', ['verify']),
                          ('gists_of_two_bases', ['replay', '-V', 'sessions']),
                          ('gists_that_fail', ['replay', '-V', 'sessions']),
                          ('texts_of_numbers',
                           ['replay', '-V', 'sessions']),
                          ('texts_too_many', ['replay', '-V', 'sessions']),
                          ('rows_with_long_names',
                           ['replay', '-V', 'sessions']),
                          ('one_key_often', ['replay', '-V', 'hosts']),
                          ('gists_to_the_end',
                           ['replay', '--find', 'session.cpu > 400'])):
        run = Run([gpsnap, *command, make_gists(name, tmp)], tmp)
        run.status = 0 if run.status == 3 else run.status  # nothing was found
        bad += check(name, command[0], run)
    return bad


def try_clusters(gpsnap, tmp):
    """Each key is of another cluster."""
    share = ['share', '-o', tmp.file('out.gpsnap'), '--force', '-q']
    replay = ['replay', '-V', 'clusters']
    bad = []
    for attack, command in (('hosts', replay), ('hosts', ['info']),
                            ('ports', replay), ('again', share)):
        name = 'clusters_of_' + attack
        path = tmp.file(name + '.gpsnap')  # check() looks for it in errors
        write('hostile_clusters.py', path, attack)
        run = Run([gpsnap, *command, path], tmp)
        bad += check(name, command[0], run)
    return bad


def make_gists(name, tmp):
    path = tmp.file(name + '.gpsnap')
    write('hostile_gists.py', path, name)
    return path


def try_many_archives(gpsnap, tmp):
    """Each gist has another base than the one before, and all are read."""
    path = make_gists('gists_of_many_archives', tmp)
    said = subprocess.run([gpsnap, 'replay', path, '-V', 'sessions', '-f',
                           'json'], capture_output=True, check=False).stdout
    if json.loads(said)['covered_seconds'] < 1000:
        return ['gists of many archives: the last one is not read']
    return []


def try_remarks(gpsnap, tmp):
    """A gist that does not fit into the memory is left aside."""
    path = make_gists('gist_of_many_remarks', tmp)
    run = Run([gpsnap, 'replay', path, '-V', 'sessions', '--memory', '60M'],
              tmp)
    return [] if run.status == 0 else ['gist of many remarks: ' + run.err]


def try_other_rows(gpsnap, tmp):
    """A gist whose ticks the world does not take is as good as none."""
    path = make_gists('gist_of_other_rows', tmp)
    bad = []
    for argv in (['-V', 'sessions'], ['-V', 'processes', '--every', '4s'],
                 ['-V', 'sessions', '--baseline', '..+4s', '--from', '+4s'],
                 ['--find', 'session.cpu > 1']):
        got, want = (subprocess.run([gpsnap, 'replay', path, *argv, *more],
                                    capture_output=True, check=False)
                     for more in ((), ('--no-summaries',)))
        if (got.returncode, got.stdout) != (want.returncode, want.stdout) or \
                b'hole' in got.stdout:
            bad.append('a gist of other rows: %s: %s' % (
                ' '.join(argv), got.stdout.decode()))
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--all', action='store_true')
    parser.add_argument('--bin', default=os.environ.get('GS_BIN'))
    parser.add_argument('attack', nargs='*')
    args = parser.parse_args()
    os.environ['GS_BIN'] = args.bin
    gpsnap = gstest.binary('gpsnap')
    bad = []
    with gstest.TempDir() as tmp:
        asked = list(enumerate(names()))
        for i, name in ([a for a in asked if a[1] in args.attack]
                        if args.attack else gstest.some(asked, each=2)):
            bad += try_attack(name, COMMANDS if args.all else turn(i),
                              gpsnap, tmp)
        if not args.attack:
            bad += try_memory(gpsnap, tmp)
            bad += try_other_rows(gpsnap, tmp)
            bad += try_many_archives(gpsnap, tmp)
            bad += try_remarks(gpsnap, tmp)
        if not args.attack and not gstest.SANITIZED:  # these are about time
            bad += try_hole(gpsnap, tmp) + try_summaries(gpsnap, tmp) + \
                try_gists(gpsnap, tmp) + try_clusters(gpsnap, tmp)
    gstest.check(not bad, '\n'.join(bad))


if __name__ == '__main__':
    main()
