#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""examples.py: every example of the manual pages and of --help works.

Each block of examples runs in an empty directory, which is HOME as well.
Recordings that it reads and does not make are there; in ~/gpsnap, too.  The
time 14:05 stands for one in that recording, a range of diff for all of it, a host
of diff for this one, and process 4711 for this one.  A recorder that would run for
long is interrupted; for those that ask or follow a recorder one records into
~/gpsnap/.
pgbench, ssh, docker and page.sh are stand-ins.  What is loaded goes to a server of the
test's own.

A command exits with status 0; what looks for moments, also with 3.
"""
import concurrent.futures
import contextlib
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest

LONG_S = 3  # a recorder that takes longer is interrupted
AT_ONCE = 8  # blocks: they wait, most of the time
HOST = os.uname().nodename
FINDS = (0, 3)  # there is such a moment, or not
STAND_INS = {
    'pgbench': 'sleep 0.5\n',
    # runs here what should run there
    'ssh': 'while [ "${1#-}" != "$1" ]; do shift; [ "${1#*=}" = "$1" ] || '
           'shift; done\nshift\nexec "$@"\n',
    'docker': 'shift 3\nexec "$@"\n',
}


def man_blocks(path):
    """Lists of command lines: the literal displays under EXAMPLES."""
    with open(path, encoding='utf-8') as f:
        page = f.read()
    section = re.search(r'^\.Sh EXAMPLES\n(.*?)(?=^\.Sh |\Z)', page,
                        re.MULTILINE | re.DOTALL)
    if not section:
        return []
    text = section.group(1)
    shown = re.findall(r'^\.Bd -literal.*?\n(.*?)^\.Ed$|^\.Dl (.*)$', text,
                       re.MULTILINE | re.DOTALL)
    return [commands(block or line) for block, line in shown]


def commands(text):
    """Command lines; what ends with a pipe goes on."""
    text = text.replace('\\e', '\\').replace('\\-', '-').replace('\\&', '')
    text = re.sub(r'([|\\])\n\s*',
                  lambda m: '| ' if m.group(1) == '|' else '', text)
    return [re.sub(r'^\$ ', '', line.strip())
            for line in text.splitlines() if line.strip()]


def help_blocks(program, command):
    """The same of a help text, one block for each example."""
    out = gstest.gpsnap('help', *([command] if command else [])).decode()
    section = re.search(r'^Examples:\n(.*?)(?=^\S|\Z)', out,
                        re.MULTILINE | re.DOTALL)
    lines = section.group(1).splitlines() if section else []
    examples = [line.strip() for line in lines
                if re.match(r'  [a-z]', line)]
    # the overview's show one recording from its beginning to its use
    return [examples] if not command else [[e] for e in examples]


def is_long(command):
    """A recorder, or a server, without an end of its own in a few seconds."""
    if command.startswith('gpsnap live') or ' --follow' in command:
        return ' -n ' not in command
    if command.startswith('gpsnap web'):
        return True
    if not re.match(r'(nohup )?gpsnap (record|--record)\b', command) or \
            ' -- ' in command or '--help' in command:
        return False
    m = re.search(r' -d (\d+)(m|h|s|)\b', command)
    return not m or m.group(2) in ('m', 'h') or int(m.group(1)) > LONG_S


def first_minute(path):
    """HH:MM of the first tick, UTC."""
    (first, *_) = [frame for frame, _ in __import__('reader').read(
        path).frames()]
    return time.strftime('%H:%M', time.gmtime(first.wall_ns // 10**9))


def loads(block):
    """It needs a database, which all blocks share."""
    return any(' --dsn ' in c and ' load ' in c for c in block)


class Place:
    """What a block finds when it begins."""

    def __init__(self, base):
        self.base = base
        self.minute = first_minute(base)
        self.pg = None
        self.database = threading.Lock()

    def real(self, command):
        """With times, hosts and processes that there are."""
        command = command.replace('14:05', self.minute)
        command = re.sub('--pids 4711', '--pids %d' % os.getpid(), command)
        if command.startswith('gpsnap diff'):
            command = re.sub(r'@[0-9:+.s-]+', '@+0s..', command)
            command = re.sub('--host sdw[0-9]', '--host ' + HOST, command)
        return command

    def prepare(self, home, block):
        made = set()
        for command in block:
            wrote = set(re.findall(r'(?:-o|--record) (\S+\.gpsnap)', command))
            for name in re.findall(r'(?<![\w~/])[\w-]+\.gpsnap', command):
                if name not in wrote | made:
                    shutil.copy(self.base, os.path.join(home, name))
            made |= wrote
            if re.search(r'~/gpsnap\b', command):
                os.makedirs(os.path.join(home, 'gpsnap'), exist_ok=True)
                shutil.copy(self.base, os.path.join(
                    home, 'gpsnap', 'host-20260101T000000Z.gpsnap'))
        self.prepare_key(home, block)
        with open(os.path.join(home, 'page.sh'), 'w', encoding='utf-8') as f:
            f.write('#!/bin/sh\ncat >page\n')
        os.chmod(os.path.join(home, 'page.sh'), 0o755)
        os.symlink(os.path.join(gstest.TOP, 'proto'),
                   os.path.join(home, 'proto'))

    def prepare_key(self, home, block):
        """One that a share has made before, if no command here does."""
        text = '\n'.join(block)
        key = re.search(r'gpsnap who (\S+)', text)
        if not key or '--anonymize' in text:
            return
        path = key.group(1).replace('~', home)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        gstest.gpsnap('share', self.base, os.path.join(home, '.shared'),
                      '--anonymize', '--key', path)

    def server(self):
        """Variables by which a database is reached; it is made if need be."""
        if not self.pg:
            self.pg = gstest.Postgres()
            self.pg.__enter__()
            self.pg.sql('CREATE DATABASE history')
        return {k: v for k, v in self.pg.env().items()
                if k.startswith('PG')}

    def close(self):
        if self.pg:
            self.pg.__exit__()

    def environment(self, home, block):
        tools = os.path.join(home, '.bin')
        os.mkdir(tools)
        for name, body in STAND_INS.items():
            path = os.path.join(tools, name)
            with open(path, 'w', encoding='utf-8') as f:
                f.write('#!/bin/sh\n' + body)
            os.chmod(path, 0o755)
        env = {k: v for k, v in os.environ.items()
               if k.startswith(('ASAN_', 'UBSAN_', 'LSAN_'))}
        env.update(HOME=home, GPSNAP_NO_CATALOG='1', LC_ALL='C.UTF-8', TZ='UTC', PATH=':'.join(
            [os.environ['GS_BIN'], tools, os.environ['PATH']]))
        if loads(block):
            with self.database:
                env.update(self.server())
        return env


def is_under_way(home):
    """A recorder has written a tick."""
    paths = glob.glob(os.path.join(home, '**', '*.gpsnap'), recursive=True)
    return any(os.path.getsize(p) > 0 for p in paths)


def run(command, home, env):
    """(status, stderr).  In the background is in the foreground here."""
    long = is_long(command)
    line = re.sub(r'\s*&$', '', command)
    child = subprocess.Popen(
        ['sh', '-c', ('exec ' if long else '') + line], cwd=home, env=env,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True)
    if long:
        if 'live' not in command:
            gstest.wait_for('a tick of ' + command,
                            lambda: is_under_way(home))
        time.sleep(1)
        child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    return child.returncode, (out + err).decode('utf-8', 'replace')


class Recorder:
    """Records into ~/gpsnap/ while a block asks for a recorder."""

    def __init__(self, block, home, env):
        self.child = None
        if not any(re.match('gpsnap (status|mark)', c) or ' --follow' in c
                   for c in block):
            return
        shutil.rmtree(os.path.join(home, 'gpsnap'), ignore_errors=True)
        self.child = subprocess.Popen(
            ['gpsnap', 'record', '-q', '-i', '0.2'], cwd=home, env=env,
            stdin=subprocess.DEVNULL, start_new_session=True)
        gstest.wait_for('a tick', lambda: is_under_way(
            os.path.join(home, 'gpsnap')))

    def end(self):
        if self.child:
            self.child.terminate()
            self.child.wait()


def right(command):
    """Statuses that it may end with."""
    if ' --find ' in command or command.startswith('gpsnap findings '):
        return FINDS # also nothing: the machine may be calm
    # whatever else is recorded on this machine just now; beside a load the host may not
    # have answered in a second of a few
    gaps = command == 'gpsnap status' or command.startswith('gpsnap pidstat ')
    return (0, 1) if gaps else (0,)


def check_block(place, where, block):
    """Prints what did not work; how many commands that were."""
    bad = 0
    with gstest.TempDir() as tmp:
        place.prepare(tmp.path, block)
        env = place.environment(tmp.path, block)
        recorder = Recorder(block, tmp.path, env)
        with place.database if loads(block) else contextlib.nullcontext():
            for command in block:
                status, said = run(place.real(command), tmp.path, env)
                if status not in right(command):
                    print('%s: %s: exit status %d\n%s' % (
                        where, command, status, said[-2000:]))
                    bad += 1
        recorder.end()
    return bad


def check_blocks(place, blocks):
    """The same of all, several at once."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return sum(pool.map(lambda b: check_block(place, *b), blocks))


def main():
    program = gstest.binary('gpsnap')
    gstest.own_network()
    for tool in ('zstd', 'protoc'):
        if not shutil.which(tool):
            gstest.skip('%s is not installed' % tool)
    blocks = []
    for path in sorted(glob.glob(os.path.join(gstest.TOP, 'man', '*.[1-9]'))):
        blocks += [(os.path.basename(path), b) for b in man_blocks(path)]
    names = [line.split('\t')[0] for line in gstest.gpsnap(
        'help', '--commands').decode().splitlines()]
    for name in [None] + names:
        blocks += [('help ' + (name or ''), b)
                   for b in help_blocks(program, name)]
    n = sum(len(b) for _, b in blocks)
    gstest.check(n >= 15, 'only %d examples found' % n)
    with gstest.TempDir() as tmp:
        os.environ['GPSNAP_NO_CATALOG'] = '1'
        base = tmp.file('base.gpsnap')
        gstest.gpsnap('record', '-i', '0.2', '-n', '10', '-q', '-o', base)
        place = Place(base)
        try:
            bad = check_blocks(place, blocks)
        finally:
            place.close()
    gstest.check(bad == 0, '%d of %d examples' % (bad, n))
    print('%d examples work' % n)


if __name__ == '__main__':
    main()
