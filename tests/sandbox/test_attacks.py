#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Attacks from inside each command that reads recordings: while it reads one, a
shim tries to read the user's files, to open sockets, to start programs, to make
and remove files.  Each attempt must be refused, and the command must still do its
work.  With the sandbox off each attempt must succeed: else it would prove
nothing."""
import os
import pty
import shutil
import subprocess
import sys

import attacklib
import gstest
from attacklib import KILLED, Room, run
from gstest import check, equal

# How each is called, within a room; what it may do as part of its work.
READERS = {
    'replay': [['replay', '@'], ['replay', '@', '-V', 'sessions', '-f',
                                 'json', '--tz', 'Europe/Berlin'],
               ['replay', '@@', '--follow']],
    'pidstat': [['pidstat', '-f', '@', '2']],
    'sar': [['sar', '-f', '@'], ['sar', '-f', '@', '--table']],
    'sadf': [['sadf', '-f', '@', '-j']],
    'findings': [['findings', '@'], ['findings', '@@', '--explain']],
    'info': [['info', '@'], ['info', '@@']],
    'diff': [['diff', '@', '@'], ['diff', '@@', '@', '-V', 'hosts']],
    'verify': [['verify', '@', '--threads', '1'],
               ['verify', '@@', '--threads', '2']],
    'report': [['report', '@', '-o', 'out.html', '--force'],
               ['report', '@', '-o', '-']],
    'export': [['export', '@', '-f', 'openmetrics'], ['export', '@']],
    'cut': [['cut', '@', '-o', 'out.gpsnap'], ['cut', '@', '-o', '-']],
    'merge': [['merge', '@', '-o', 'out.gpsnap']],
    'thin': [['thin', '@', '-o', 'out.gpsnap', '--every', '10s']],
    'share': [['share', '@', 'out.gpsnap'],
              ['share', '@', 'out.gpsnap', '--anonymize', '--key', 'key'],
              ['share', '@', 'out.age', '--encrypt-to', 'someone']],
    'who': [['who', '%key', '-']],
    'recover': [['recover', '@', '-o', 'out.gpsnap']],
    'archive': [['archive', '@@', '--to', '.', '--older-than', '0d']],
    'summarize': [['summarize', '%copy']],
    'convert': [['convert', '@', '-o', 'out.gpsnap']],
}

# It has a test of its own, beside a database.
ELSEWHERE = {'load'}

# They read the kernel, a database, their own recorder: no recordings; web starts
# commands that do.
NOT_READERS = {'record', 'live', 'status', 'mark', 'metrics', 'help', 'web'}


def names(room, argv):
    return [{'@': room.sample, '@@': room.file('in'),
             '%key': room.file('key'),
             '%copy': room.file('copy/x.gpsnap')}.get(word, word) for word in argv]


def commands():
    lines = gstest.gpsnap('help', '--commands').decode().splitlines()
    return {line.split('\t')[0] for line in lines}


def test_every_command_is_known():
    equal(commands(), set(READERS) | ELSEWHERE | NOT_READERS,
          'commands: a new one that reads recordings needs a sandbox, and a '
          'line here')
    for name in sorted(commands()):
        listed = gstest.gpsnap('help', '--options', name).decode()
        equal('--no-sandbox' in listed, name not in NOT_READERS,
              '%s has --no-sandbox' % name)


def prepare(room):
    """A program that stands for age, and a key file."""
    os.makedirs(room.file('bin'))
    with open(room.file('bin/age'), 'w', encoding='utf-8') as f:
        f.write('#!/bin/sh\nexec cat\n')
    os.chmod(room.file('bin/age'), 0o755)
    os.environ['PATH'] = room.file('bin') + ':' + os.environ['PATH']
    os.makedirs(room.file('copy'))
    shutil.copy(room.sample, room.file('copy/x.gpsnap'))
    gstest.gpsnap('share', room.sample, room.file('first.gpsnap'),
                  '--anonymize', '--key', room.file('key'))


def attack_one(room, argv, force):
    argv = names(room, argv)
    what = ' '.join(argv[:2] + argv[3:])
    room.clean()
    plain = run(room, argv, '')
    after = ['out.gpsnap', 'out.age', 'key']
    made = [n for n in after if os.path.exists(room.file('work/' + n))]
    room.clean()
    done = run(room, argv, 'all')
    attacklib.check_refused(what, done.stderr, force)
    equal(done.returncode, plain.returncode, '%s: status:\n%s' % (
        what, done.stderr))
    for name in made:
        check(os.path.exists(room.file('work/' + name)), '%s: %s is not '
              'there' % (what, name))
    for attack in KILLED:
        room.clean()
        attacklib.check_killed(what, run(room, argv, attack), attack, force)


def test_attacks(force):
    with Room() as room:
        prepare(room)
        for name in sorted(READERS):
            for argv in READERS[name]:
                attack_one(room, argv, force)


def test_a_terminal(force):
    with Room() as room:
        master, slave = pty.openpty()
        p = subprocess.Popen(
            [gstest.binary('gpsnap'), 'replay', room.sample], stdin=slave,
            stdout=slave, stderr=subprocess.PIPE, text=True,
            cwd=room.file('work'), env=dict(room.env('all'), TERM='xterm'))
        os.close(slave)
        said = ''
        for line in p.stderr:
            said += line
            if line.startswith('attack over:'):
                break
        p.terminate()
        p.stderr.close()
        p.wait()
        os.close(master)
        attacklib.check_refused('the terminal', said, force)


def test_they_are_done_without_it():
    with Room() as room:
        argv = ['info', room.sample, '--no-sandbox']
        got = attacklib.outcome(run(room, argv, 'all').stderr)
        for name in sorted(attacklib.BY_FILES | attacklib.BY_CALLS |
                           attacklib.BY_CLOSING):
            equal(got.get(name), 'done', 'without a sandbox: ' + name)
        for attack in set(KILLED) - {'uring'}:
            done = run(room, argv, attack)
            check('attack %s: done' % attack in done.stderr,
                  'without a sandbox: ' + attack)


def main():
    test_every_command_is_known()
    test_they_are_done_without_it()
    force = attacklib.need_sandbox()
    test_a_terminal(force)
    test_attacks(force)


main()
sys.exit(0)
