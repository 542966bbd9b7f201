#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Escapes of a recording never reach a terminal or a log.

Every text of a recording, and names of files and words of the command line,
hold what changes a terminal's state or begins a line of its own.  No output of
any command on a text's way has any of it; JSON and CSV have it as data.
"""
import json
import os
import pty
import re
import select
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
import gstest  # noqa: E402
import hostile_files  # noqa: E402

VIEWS = ('overview sessions queries processes segments connections locks skew '
         'matrix spill top events hosts cpus disks nets filesystems cgroups '
         'agents postmasters clusters backends pglocks replicas groups vmems '
         'databases wal slots progress pgstatements '
         'collectors workfiles waits time_model system_event session_event '
         'query_event histogram active threads').split()

# What a terminal or a reader of lines takes for more than text.
UNSAFE = re.compile('[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f'
                    '\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffd'
                    '\udc80-\udcff]')


def run(*argv, stdin=None):
    p = subprocess.run([gstest.binary('gpsnap'), *argv], check=False,
                       input=stdin, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=120)
    gstest.check(p.returncode in (0, 1, 2, 3, 64),
                 '%r: exit status %d' % (argv, p.returncode))
    return p


def complain(argv, where, text, m):
    gstest.fail('%s on %s: %r' % (
        ' '.join(repr(a) for a in argv), where,
        text[max(0, m.start() - 60):m.end() + 40]))


def check_safe(argv, where, data, allowed=''):
    """As text: no unsafe character, no line that a text has begun."""
    text = data.decode('utf-8', 'surrogateescape')
    for m in UNSAFE.finditer(text):
        if m.group() not in allowed:
            complain(argv, where, text, m)
    m = re.search('^EVILLINE', text, re.M)
    if m:
        complain(argv, where, text, m)


def check_text(*argv, stdin=None, allowed=''):
    p = run(*argv, stdin=stdin)
    check_safe(argv, 'stdout', p.stdout, allowed)
    check_safe(argv, 'stderr', p.stderr)
    return p


def check_json(*argv):
    """Whatever a string holds is in JSON's own escapes."""
    p = run(*argv)
    check_safe(argv, 'stdout', p.stdout)
    check_safe(argv, 'stderr', p.stderr)
    for line in p.stdout.decode().splitlines():
        json.loads(line)


def check_replay(path):
    for view in VIEWS:
        check_text('replay', path, '-V', view)
        check_json('replay', path, '-V', view, '-f', 'json')
    check_text('replay', path, '-V', 'processes', '--ticks', '-l', '0')
    check_text('replay', path, '-V', 'sessions', '--session', 'con7')
    check_text('replay', path, '--find', 'process.rss > 0')
    check_text('replay', path, '-g', 'user,database')
    check_text('replay', path, '-V', 'nets', '-f', 'vertical')
    check_text('replay', path, '-f', 'openmetrics')


def check_sysstat(path):
    host = ['--host', 'no\x1b[31msuch']
    check_text('sar', '-f', path, '-A', allowed='\t')
    check_text('sar', '-f', path, '-A', '-C', '--table', allowed='\t')
    check_text('sar', '-f', path, *host)
    check_text('sadf', path, '--', '-A', allowed='\t')
    check_text('sadf', '-d', path, '--', '-A')
    check_text('sadf', '-x', path, '--', '-A', allowed='\t')
    check_text('sadf', '-g', path, '--', '-A', allowed='\t')
    check_text('sadf', '-H', path)
    check_text('sadf', '-j', path, '--', '-A', allowed='\t')
    check_text('pidstat', '-f', path, '-p', 'ALL', '-l', '1')
    check_text('pidstat', '-f', path, '-urdsvRwtl', '-h', '-U', '1')
    check_text('pidstat', '-f', path, '-o', 'JSON', '1', allowed='\t')


def check_edit(path, tmp):
    for i, argv in enumerate([['cut'], ['merge'], ['thin', '--every', '3s'],
                              ['recover'], ['convert'], ['share'],
                              ['share', '--anonymize', '--key',
                               tmp.file('key')]]):
        out = tmp.file('out%d.gpsnap' % i)
        check_text(*argv, path, '-o', out)
        check_text(*argv, path, '-o', out)  # it exists now
        check_text(argv[0], path, '-o', tmp.file('none/\x1b[31m\nEVILLINE'))
    check_text('cut', path, '-o', tmp.file('x'), '--hosts', '\x9b\nEVILLINE')
    check_text('who', tmp.file('key'))
    check_text('who', tmp.file('key'), 'x\x1b[31m\nEVILLINE')
    check_json('who', tmp.file('key'), '-f', 'json')


def check_words(path):
    """Words of the command line, which scripts take from elsewhere."""
    evil = 'x\x1b]0;t\x07\u202e\x9b1m\nEVILLINE\x7f'
    for argv in (['replay', evil], ['verify', evil], ['info', evil],
                 ['export', evil], [evil], ['--' + evil], ['help', evil],
                 ['replay', path, '--' + evil], ['mark', evil],
                 ['replay', path, '-V', evil], ['replay', path, '-s', evil],
                 ['replay', path, '-c', evil], ['replay', path, '-w', evil],
                 ['replay', path, '-g', evil], ['replay', path, '--tz', evil],
                 ['replay', path, '--from', evil], ['replay', path, '--find',
                                                    evil],
                 ['replay', path, '-W', evil], ['replay', path, '-e', evil],
                 ['replay', path, '-f', evil], ['replay', path, '--session',
                                                evil],
                 ['load', path, '--tables', evil, '--dsn', 'x'],
                 ['load', path, '--dsn', evil],
                 ['export', path, '--entities', evil],
                 ['export', path, '--metrics', evil],
                 ['export', path, '--hosts', evil],
                 ['sar', '-f', path, '-P', evil], ['sar', '-n', evil],
                 ['sadf', evil], ['pidstat', '-f', evil],
                 ['pidstat', '-f', path, '-p', evil],
                 ['archive', evil], ['status', evil]):
        check_text(*argv, allowed='\r')


def check_names(data, tmp):
    """A file and a directory whose names are unsafe, whole and damaged."""
    folder = tmp.file('d\x1b[31m\nEVILLINE')
    os.mkdir(folder)
    path = os.path.join(folder, 'f\x1b]0;x\x07\x9b\nEVILLINE.gpsnap')
    for content in (data, data[:200] + b'x' * 50 + data[200:], b'none'):
        with open(path, 'wb') as f:
            f.write(content)
        for command in ('replay', 'verify', 'info'):
            check_text(command, path)
            check_text(command, folder)
        check_text('recover', path, '-o', tmp.file('r%d' % len(content)))
    check_text('archive', folder, '--dry-run')
    check_text('archive', folder, '--older-than', '0d')


def check_header_names(tmp):
    """Hosts that have no row of their own: their names are the header's."""
    path = tmp.file('unnamed.gpsnap')
    with open(path, 'wb') as f:
        f.write(hostile_files.escapes(without=(hostile_files.HOST,)))
    check_sysstat(path)
    for view in ('hosts', 'overview', 'agents', 'processes'):
        check_text('replay', path, '-V', view)
    check_text('info', path)


def read_until(fd, text):
    """What the terminal was sent, up to there and a little more."""
    got, end = b'', time.monotonic() + 60
    while time.monotonic() < end:
        if select.select([fd], [], [], 1)[0]:
            got += os.read(fd, 65536)
        elif text in got:
            return got
    return gstest.fail('%r is not in %r' % (text, got[-400:]))


def check_terminal(path, tmp):
    """The list of findings is of texts of the recording."""
    env = dict(os.environ, TERM='xterm', LC_ALL='C.UTF-8', GPSNAP_CONFIG='',
               XDG_STATE_HOME=tmp.file('state'))
    pid, fd = pty.fork()
    if pid == 0:
        os.execve(gstest.binary('gpsnap'), ['gpsnap', 'replay', path], env)
    sent = read_until(fd, b'(! lists them)')
    os.write(fd, b'!')
    sent += read_until(fd, b'the worst first')
    os.close(fd)
    os.waitpid(pid, 0)
    for m in re.finditer('[\u061c\u200b-\u200f\u2028-\u202e\u2066-\u206f]',
                         sent.decode('utf-8', 'replace')):
        complain(['tui', '!'], path, sent.decode('utf-8', 'replace'), m)


def main():
    data = hostile_files.escapes()
    with gstest.TempDir() as tmp:
        path = tmp.file('escapes.gpsnap')
        with open(path, 'wb') as f:
            f.write(data)
        check_text('verify', path)
        check_text('info', path)
        check_text('replay', '-', stdin=data)
        check_text('export', path, '-f', 'openmetrics')
        check_json('export', path, '-f', 'json')
        check_replay(path)
        check_sysstat(path)
        check_edit(path, tmp)
        check_words(path)
        check_names(data, tmp)
        check_header_names(tmp)
        check_terminal(path, tmp)


if __name__ == '__main__':
    main()
