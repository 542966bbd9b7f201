# SPDX-License-Identifier: Apache-2.0
"""How far a command is: a line on a terminal, from the second second on, and
nothing where nobody looks."""
import os
import pty
import re
import select
import signal
import subprocess
import tempfile
import time

import editlib
import gstest

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..',
                      'samples', 'postgresql15-day.gpsnap')


def slow(stderr):
    """Its output is read from the second second on."""
    p = subprocess.Popen([gstest.binary('gpsnap'), 'export', SAMPLE],
                         env=editlib.ENV,
                         stdout=subprocess.PIPE, stderr=stderr)
    time.sleep(1.2)
    size = 0
    while True:
        data = p.stdout.read1(65536)
        size += len(data)
        if not data:
            break
    p.stdout.close()
    gstest.check(size > 1 << 20, 'more than a pipe holds')
    gstest.check(p.wait() in (0, 1), 'exported')


def on_terminal():
    own, theirs = pty.openpty()
    slow(theirs)
    text = b''
    while select.select([own], [], [], 0)[0]:
        text += os.read(own, 4096)
    os.close(theirs)
    os.close(own)
    gstest.check(re.search(rb'\d\d:\d\d:\d\d, \d+ %, \d+\.\ds left\x1b\[K',
                           text), 'a line: %r' % text)
    gstest.check(text.endswith(b'\r\x1b[K'), 'erased: %r' % text)


def elsewhere():
    own, theirs = os.pipe()
    slow(theirs)
    os.close(theirs)
    gstest.equal(os.read(own, 4096), b'', 'no terminal')
    os.close(own)


def interrupted():
    """Each file gets its name at the end, so there is none."""
    with tempfile.TemporaryDirectory() as place:
        to = os.path.join(place, 'to')
        p = subprocess.Popen([gstest.binary('gpsnap'), 'export', '--wide', '-o',
                              to, '-'], env=editlib.ENV, stdin=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        with open(SAMPLE, 'rb') as f:
            p.stdin.write(f.read()[:200000])
        p.stdin.flush()
        gstest.wait_for('files', lambda: os.path.isdir(to) and os.listdir(to))
        p.send_signal(signal.SIGINT)
        _, said = p.communicate()
        gstest.equal(p.returncode, 2, 'status')
        gstest.check(b'stopped' in said, said.decode())
        gstest.equal(os.listdir(to), [], 'files')


on_terminal()
elsewhere()
interrupted()
