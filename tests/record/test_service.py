#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""gpsnap record as a service: what it tells the service manager and the
journal, and that the files of one directory go on after it was killed.

The manager is a datagram socket of this test; the unit itself is read by
systemd-analyze, where there is one."""
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import time

from rec import HUP, KILL, TERM, Skip, main, wait_for, want, want_in

WATCHDOG_S = 1.5


class Manager:
    """What systemd is for a service of Type=notify."""

    def __init__(self, p, name=None):
        self.name = name or p.path('notify')
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.sock.bind(self.name.replace('@', '\0', 1))
        self.out = p.path('journal')
        self.journal = open(self.out, 'wb')

    def start(self, p, *args, **env):
        st = os.fstat(self.journal.fileno())
        return p.start(*args, session=True, stderr=self.journal,
                       NOTIFY_SOCKET=self.name,
                       JOURNAL_STREAM='%d:%d' % (st.st_dev, st.st_ino), **env)

    def hear(self, timeout):
        """The next message; None if there is none in time."""
        if not select.select([self.sock], [], [], timeout)[0]:
            return None
        return self.sock.recv(65536).decode()

    def text(self):
        with open(self.out) as f:
            return f.read()


def ready_when_written(p):
    m = Manager(p)
    proc = m.start(p, '-i', 0.3, '-o', 'd/')
    said = m.hear(10)
    want(said.split('\n')[0], 'READY=1', 'the first message')
    want_in('\nSTATUS=', said, 'with its state')
    # The tick is in the file by then, not on its way there.
    rec = p.read('d/' + p.files('d')[0])
    want(len(rec.ticks) >= 1, True, 'ticks written')
    want(proc.poll(), None, 'it runs')
    p.end(proc, TERM)
    want_in('<6>gpsnap: d/: recording, 1 of 1 host answer', m.text(),
            'the journal')


def abstract_socket(p):
    m = Manager(p, '@gpsnap-test-%d' % os.getpid())
    proc = m.start(p, '-i', 0.1, '-o', 'a.gpsnap')
    want_in('READY=1', m.hear(10), 'the first message')
    p.end(proc, TERM)


def watchdog(p):
    """Signs of life come while it runs, and not while it hangs."""
    m = Manager(p)
    proc = m.start(p, '-i', 0.1, '-o', 'a.gpsnap',
                   WATCHDOG_USEC=int(WATCHDOG_S * 1e6))
    want_in('WATCHDOG=1', m.hear(10), 'with READY')
    for _ in range(3):
        want_in('WATCHDOG=1', m.hear(WATCHDOG_S) or '', 'in time')
    proc.send_signal(signal.SIGSTOP)
    while m.hear(0.1):
        pass
    want(m.hear(WATCHDOG_S), None, 'stopped: a sign of life')
    proc.send_signal(signal.SIGCONT)
    want_in('WATCHDOG=1', m.hear(WATCHDOG_S) or '', 'when it goes on')
    p.end(proc, TERM)


def children_know_nothing_of_it(p):
    m = Manager(p)
    proc = m.start(p, '-i', 0.1, '-o', 'a.gpsnap', '--', 'sh', '-c',
                   'env > env; exec sleep 60', WATCHDOG_USEC=60000000)
    wait_for(lambda: os.path.exists(p.path('env')) and
             os.path.getsize(p.path('env')) > 0, 'the command')
    wait_for(lambda: 'PATH=' in open(p.path('env')).read(), 'its variables')
    with open(p.path('env')) as f:
        want(re.findall('^(?:NOTIFY|WATCHDOG).*', f.read(), re.M), [],
             'variables')
    p.end(proc, TERM)


def journal_levels(p):
    """Trouble is a warning, an end without a recording an error."""
    m = Manager(p)
    proc = m.start(p, '-i', 0.1, '-o', 'a.gpsnap', '--hosts', 'localhost,bad',
                   '--agent-command', 'sh -c \'[ $0 = localhost ] && exec ' +
                   p.path('bin/gpsnap-agent') + '; exit 1\' {host}')
    wait_for(lambda: 'bad' in m.text() or proc.poll() is not None, 'trouble')
    p.end(proc, TERM)
    for line in m.text().splitlines():
        want(bool(re.match(r'<[346]>', line)), True, line)
    want(bool(re.search('^<4>gpsnap: .*bad', m.text(), re.M)), True,
         'a warning')
    proc = m.start(p, '-i', 0.1, '-o', p.path('no', 'such', 'a.gpsnap'))
    want(p.end(proc)[0], 2, 'status')
    want(bool(re.search('^<3>gpsnap: .*no such directory', m.text(), re.M)),
         True, 'an error')


def no_journal_no_levels(p):
    proc = p.start('-i', 0.1, '-n', 2, '-o', 'a.gpsnap',
                   JOURNAL_STREAM='1:2')
    _, err = p.end(proc)
    want_in('gpsnap: ', err, 'stderr')
    want('<6>' in err, False, 'levels')


def goes_on_in_its_directory(p):
    """Killed, and started again as the manager would: one directory, whose
    missing stretch is a hole."""
    m = Manager(p)
    for sig in (KILL, TERM):
        proc = m.start(p, '-i', 0.1, '-o', 'd/')
        while 'READY=1' not in (m.hear(10) or 'READY=1'):
            pass
        wait_for(lambda: sum(len(p.read('d/' + n).ticks)
                             for n in p.files('d')) >= 3, 'ticks')
        p.end(proc, sig)
        time.sleep(0.4)  # longer than the interval: else nothing is missing
    want(len(p.files('d')), 2, 'files')
    done = subprocess.run(
        [p.path('bin/gpsnap'), 'replay', 'd', '-V', 'hosts'], cwd=p.dir,
        capture_output=True, text=True, check=False)
    want(done.returncode in (0, 1), True, done.stderr)
    want_in('nothing recorded', done.stdout, 'replay')


def a_lost_file_is_a_named_hole(p):
    """The pieces of a recording know each other."""
    proc = p.start('-i', 0.1, '-o', 'd/', session=True)
    for n in (1, 2, 3):
        wait_for(lambda: os.path.isdir(p.path('d')) and
                 len(p.files('d')) == n and all(
            len(p.read('d/' + f).ticks) >= 3 for f in p.files('d')),
            'file %d' % n)
        if n < 3:
            proc.send_signal(HUP)
    p.end(proc, TERM)
    (second,) = [f for f in p.files('d')
                 if p.read('d/' + f).headers[0].file_number == 2]
    os.remove(p.path('d', second))
    done = subprocess.run(
        [p.path('bin/gpsnap'), 'replay', 'd', '-V', 'hosts'], cwd=p.dir,
        capture_output=True, text=True, check=False)
    want(done.returncode, 1, 'status')
    want_in('file 2 of the recording', done.stdout, 'replay')


# ---- the unit ------------------------------------------------------------

def unit(p):
    """The installed one, for an OS user that there is, with the programs under test."""
    with open(os.environ['GS_UNIT']) as f:
        text = f.read()
    (program,) = re.findall(r'^ExecStart=(\S+) record ', text, re.M)
    path = p.path('gpsnap@.service')
    with open(path, 'w') as f:
        f.write(text.replace(program, p.path('bin/gpsnap')))
    return path


def analyze(p, *args):
    if not shutil.which('systemd-analyze'):
        raise Skip('there is no systemd-analyze')
    path = unit(p)
    instance = p.path('gpsnap@daemon.service')
    os.symlink(path, instance)
    done = subprocess.run(['systemd-analyze', *args, instance],
                          capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def unit_is_well_formed(p):
    status, said = analyze(p, 'verify', '--man=no', '--recursive-errors=no')
    # Without a running manager it can't look at some of its surroundings.
    ours = [line for line in said.splitlines() if 'gpsnap@' in line]
    want((status, ours), (0, []), 'verify')


def nightly_units_are_well_formed(p):
    """The archive's service and its timer."""
    if not shutil.which('systemd-analyze'):
        raise Skip('there is no systemd-analyze')
    directory = os.path.dirname(os.environ['GS_UNIT'])
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..',
                          '..', 'dist')
    for name, where in (('gpsnap-archive@%s.service', directory),
                        ('gpsnap-archive@%s.timer', source)):
        with open(os.path.join(where, name % '')) as f:
            text = f.read()
        (program,) = re.findall(r'^ExecStart=(\S+) archive ', text, re.M) or \
            ['nothing']
        with open(p.path(name % 'daemon'), 'w') as f:
            f.write(text.replace(program, p.path('bin/gpsnap')))
    done = subprocess.run(
        ['systemd-analyze', 'verify', '--man=no', '--recursive-errors=no',
         p.path('gpsnap-archive@daemon.service'),
         p.path('gpsnap-archive@daemon.timer')],
        capture_output=True, text=True, timeout=60)
    said = done.stdout + done.stderr
    want([line for line in said.splitlines() if 'gpsnap-archive@' in line],
         [], 'verify')


def unit_is_hardened(p):
    status, said = analyze(p, 'security', '--offline=yes', '--threshold=21')
    want(status, 0, 'exposure: ' + said[-300:])


if __name__ == '__main__':
    main([ready_when_written, abstract_socket, watchdog,
          children_know_nothing_of_it, journal_levels, no_journal_no_levels,
          goes_on_in_its_directory, a_lost_file_is_a_named_hole,
          unit_is_well_formed,
          nightly_units_are_well_formed, unit_is_hardened])
