#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The portable gpsnap (tools/portable.sh) needs nothing: in an empty root it
does what the gpsnap of this build does, records with the agent that is in it,
and brings another host its agent; in a root that has psql and its libraries,
it records a database."""
import os
import shutil
import subprocess
import sys

import packlib
from packlib import gstest

DIR = os.environ['GS_PORTABLE']
VERSION = packlib.run(gstest.binary('gpsnap'), '--version').split()[1]
HERE = os.path.join(DIR, 'gpsnap-%s-%s' % (VERSION, os.uname().machine))
QEMU = 'qemu-aarch64-static'
SAMPLES = os.path.join(gstest.TOP, 'samples')
SAMPLE = os.path.join(SAMPLES, 'greenplum6.gpsnap')
COMMANDS = [
    ['help', 'replay'], ['info', SAMPLE], ['verify', SAMPLE],
    ['replay', SAMPLE, '-V', 'sessions'], ['findings', SAMPLE],
    ['replay', SAMPLE, '-V', 'processes', '-f', 'json'],
    ['replay', SAMPLE, '-V', 'disks', '-f', 'csv'], ['export', SAMPLE],
    ['sar', '-f', SAMPLE, '-u'], ['sadf', '-j', SAMPLE, '--', '-u'],
    ['diff', SAMPLE, SAMPLE], ['metrics'], ['load', '--print', 'schema'],
]


def said(program, argv, **more):
    """Status, standard output and error."""
    done = subprocess.run([*program, *argv], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, **more)
    return done.returncode, done.stdout, done.stderr


def is_static(path):
    done = packlib.run('readelf', '-l', '-d', path)
    gstest.check('INTERP' not in done and 'NEEDED' not in done,
                 '%s is not static' % path)


def same_as_ours(program, root=''):
    """Every offline command, with this host's files and without."""
    env = {'LC_ALL': 'C.UTF-8', 'TZ': 'UTC', 'PATH': '/usr/sbin:/usr/bin'}
    for argv in COMMANDS:
        want = said([gstest.binary('gpsnap')], argv, env=env)
        there = [a.replace(SAMPLE, '/tmp/sample.gpsnap') if root else a
                 for a in argv]
        got = said(program, there, env=env)
        if root:
            got = (got[0], *(part.replace(b'/tmp/sample.gpsnap',
                                          SAMPLE.encode())
                             for part in got[1:]))
        gstest.equal(got[0], want[0], 'status of %r: %r' % (argv, got[2]))
        if not root:
            gstest.equal(got[1], want[1], 'output of %r' % argv)
        else: # widths may follow the name of the file
            gstest.equal(got[1].split(), want[1].split(),
                         'output of %r' % argv)


class Empty(packlib.Root):
    """A root with a /proc, a /tmp, and the program."""

    def __init__(self, path, program):
        super().__init__(path)
        os.makedirs(os.path.join(path, 'usr', 'bin'))
        shutil.copy2(program, os.path.join(path, 'usr', 'bin', 'gpsnap'))
        shutil.copy2(SAMPLE, os.path.join(path, 'tmp', 'sample.gpsnap'))

    def enter(self):
        """Arguments that run the program in it."""
        return ['unshare', '--mount', '--pid', '--fork',
                '--mount-proc=' + os.path.join(self.path, 'proc'),
                'chroot', self.path, '/usr/bin/gpsnap']


def in_empty_root(tmp):
    if not packlib.can_chroot():
        print('not run in a root of its own: only root may')
        return
    root = Empty(os.path.join(tmp, 'empty'), HERE)
    same_as_ours(root.enter(), root.path)
    root.record_and_replay()
    row = root.run('gpsnap', 'replay', '/root/a.gpsnap', '-V', 'processes',
                   '-f', 'csv')
    gstest.check('gpsnap-agent' in row, 'name of the agent: ' + row)
    status, _, why = said(root.enter(), [
        'record', '-i', '0.1', '-n', '2', '-o', '/root/b.gpsnap', '--dsn',
        'host=/x'], env={'PATH': '/usr/sbin:/usr/bin'})
    gstest.equal(status, 2, 'without a psql: %r' % why)
    gstest.check(b'no psql is in GPHOME' in why, repr(why))


def by_psql(tmp):
    """Only psql and its libraries; the server is outside."""
    if not packlib.can_chroot():
        return
    with gstest.Postgres() as pg:
        root = Empty(os.path.join(tmp, 'psql'), HERE)
        psql = os.path.realpath(os.path.join(pg.bin, 'psql'))
        home = os.path.join(root.path, 'opt', 'bin')
        os.makedirs(home)
        shutil.copy2(psql, os.path.join(home, 'psql'))
        root.add_libraries('/opt/bin/psql')
        os.makedirs(root.path + pg.tmp.path)
        packlib.run('mount', '--bind', pg.tmp.path, root.path + pg.tmp.path)
        try:
            env = {'GPHOME': '/opt', 'PGHOST': pg.tmp.path,
                   'PGPORT': str(pg.port), 'PGUSER': pg.owner.pw_name,
                   'PATH': '/usr/sbin:/usr/bin'}
            status, _, why = said(root.enter(), [
                'record', '-q', '-i', '0.5', '-n', '6', '-o',
                '/root/c.gpsnap'], env=env)
        finally:
            packlib.run('umount', root.path + pg.tmp.path)
        gstest.check(status in (0, 1), 'record: %r' % why)
        out = gstest.gpsnap('replay', root.path + '/root/c.gpsnap', '-V',
                            'backends', '-f', 'csv', '-l', '0').decode()
        gstest.check('checkpointer' in out, 'rows of the catalog: ' + out)


def old_kernels(tmp):
    """Files as kernels from 3.10 on have them: a host whose files these are,
    and what threads waited for, are sampled as by our own build."""
    tree = os.path.join(SAMPLES, 'proc', 'greenplum6-6.18', 'tick-01')
    sched = os.path.join(SAMPLES, 'proc', 'sched')
    ages = sorted(n for n in os.listdir(sched) if n.startswith('linux-'))
    gstest.check('linux-3.10' in ages, repr(ages))
    for age in ages:
        root = os.path.join(tmp, age)
        shutil.copytree(tree, root, symlinks=True)
        for pid in os.listdir(os.path.join(root, 'proc')):
            if pid.isdigit():
                shutil.copy2(os.path.join(sched, age),
                             os.path.join(root, 'proc', pid, 'sched'))
        got = []
        for program in (HERE, gstest.binary('gpsnap')):
            out = os.path.join(tmp, 'old.gpsnap')
            status, _, why = said([program], [
                'record', '-q', '--all', '--no-catalog', '--root', root, '-i',
                '0.1', '-n', '2', '-o', out])
            gstest.check(status in (0, 1), '%s: %r' % (age, why))
            rows = said([program], ['export', out])[1].decode()
            os.remove(out)
            got.append(sorted({','.join(line.split(',')[1:6])
                               for line in rows.splitlines()
                               if ',process,' in line}))
        gstest.check(len(got[0]) > 100, '%s: %d values' % (age, len(got[0])))
        gstest.equal(got[0], got[1], 'processes of ' + age)


def serves_nothing(tmp):
    """It says so, before it listens or records."""
    out = os.path.join(tmp, 'served.gpsnap')
    for argv in (['web', SAMPLE], ['record', '--metrics', ':1', '-n', '1', '-o',
                                   out]):
        status, _, why = said([HERE], argv)
        gstest.check(status == 2 and b'portable gpsnap' in why,
                     '%r: %d %r' % (argv, status, why))
    gstest.check(not os.path.exists(out), 'it recorded')


STAND_IN = '''
import os, sys
read = sys.stdin.buffer.raw.read
script = b''
while not script.endswith(b'\\n}\\n'):
    script += read(65536)
want = os.path.getsize(sys.argv[1])
line = '[ "$(uname -m)" != aarch64 ] || n=%d' % want
assert line.encode() in script, script
os.write(1, b'#gpsnap# need aarch64\\n')
got = b''
while len(got) < want:
    got += read(want - len(got))
assert got == open(sys.argv[1], 'rb').read(), 'another program'
os.execvp(sys.argv[2], [sys.argv[2], sys.argv[1], '--preamble'])
'''


def brings_arm64(tmp):
    """A host that is an arm64 gets the agent for it."""
    agent = os.path.join(DIR, 'gpsnap-agent-aarch64')
    if os.uname().machine == 'aarch64' or not shutil.which(QEMU):
        print('no agent brought: no %s' % QEMU)
        return
    stand_in = os.path.join(tmp, 'stand_in.py')
    with open(stand_in, 'w') as f:
        f.write(STAND_IN)
    out = os.path.join(tmp, 'arm.gpsnap')
    status, _, why = said([HERE], [
        'record', '-q', '--no-catalog', '-i', '0.5', '-n', '4', '-o', out,
        '--hosts', 'arm', '--agent-command',
        '%s %s %s %s {host} {agent}' % (sys.executable, stand_in, agent, QEMU)])
    gstest.check(status in (0, 1), 'record: %r' % why)
    rows = gstest.gpsnap('replay', out, '-V', 'hosts', '-f', 'csv').decode()
    gstest.check('arm' in rows, 'hosts: ' + rows)


def on_arm64():
    """The program for arm64, by qemu."""
    there = os.path.join(DIR, 'gpsnap-%s-aarch64' % VERSION)
    if not os.path.exists(there) or not shutil.which(QEMU):
        print('not run: the program for arm64, by %s' % QEMU)
        return
    is_static(there)
    same_as_ours([QEMU, there])


def main():
    if not os.path.exists(HERE):
        gstest.skip('no %s: tools/portable.sh' % HERE)
    is_static(HERE)
    same_as_ours([HERE])
    with gstest.TempDir() as tmp:
        serves_nothing(tmp.path)
        in_empty_root(tmp.path)
        by_psql(tmp.path)
        old_kernels(tmp.path)
        brings_arm64(tmp.path)
    on_arm64()


if __name__ == '__main__':
    main()
