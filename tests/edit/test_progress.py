# SPDX-License-Identifier: Apache-2.0
"""How far a command is: a line on a terminal, from the second second on, and
nothing where nobody looks."""
import array
import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import tempfile
import termios
import time

import editlib
import gstest

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..',
                      'samples', 'postgresql15-day.gpsnap')


def unread(pipe):
    """The bytes in it."""
    n = array.array('i', [0])
    fcntl.ioctl(pipe, termios.FIONREAD, n)
    return n[0]


def slow(stderr):
    """Its output is read when it has waited for that into its second second."""
    p = subprocess.Popen([gstest.binary('gpsnap'), 'export', SAMPLE],
                         env=editlib.ENV,
                         stdout=subprocess.PIPE, stderr=stderr)
    gstest.wait_for('output', lambda: unread(p.stdout) > 1 << 15)
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
    gstest.check(re.search(rb'\d\d:\d\d:\d\d, \d+ %, \d+\.\ds per second, '
                           rb'\d+\.\ds left\x1b\[K', text), 'a line: %r' % text)
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


def hold(p, sig):
    """Stops it or lets it go on, and its child: archive works in one."""
    if p.poll() is None:
        p.send_signal(sig)
        for pid in gstest.children(p.pid):
            try:
                os.kill(pid, sig)
            except ProcessLookupError:
                pass  # it has just ended


def begun(argv):
    """The program on a terminal, held as soon as it has said what is left: until
    then it runs for a moment at a time, so that the fastest machine takes
    seconds."""
    own, theirs = pty.openpty()
    os.set_blocking(own, False)
    p = subprocess.Popen([gstest.binary('gpsnap'), *argv], env=editlib.ENV,
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=theirs)
    os.close(theirs)
    text, end = b'', time.monotonic() + 60
    while b' left\x1b[K' not in text and p.poll() is None:
        gstest.check(time.monotonic() < end, 'no line of %s: %r' % (argv, text))
        time.sleep(0.002)
        hold(p, signal.SIGSTOP)
        time.sleep(0.25)
        try:
            text += os.read(own, 65536)
        except OSError:  # nothing yet, or the other end is closed
            pass
        if b' left\x1b[K' not in text:
            hold(p, signal.SIGCONT)
    os.set_blocking(own, True)
    gstest.check(b' left\x1b[K' in text, 'no line of %s: %r' % (argv, text))
    return p, own, text


def said(p, own):
    text = b''
    while True:
        try:
            data = os.read(own, 4096)
        except OSError:  # the other end is closed
            break
        if not data:
            break
        text += data
    os.close(own)
    return p.wait(), text


def day(place):
    path = os.path.join(place, 'day', 'x.gpsnap')
    os.mkdir(os.path.dirname(path))
    subprocess.run([gstest.binary('make_test_day'), '-p', '300', '-t', '2500',
                    path, os.path.join(place, 'unclosed')], check=True)
    return path


def each_command():
    """Done, rate, left; and what remains of a run that was interrupted."""
    with tempfile.TemporaryDirectory() as place:
        path = day(place)
        where = os.path.dirname(path)
        with open(path, 'rb') as f:
            data = f.read()
        made = os.path.join(place, 'made')

        def again():
            for name in os.listdir(where):
                os.unlink(os.path.join(where, name))
            with open(path, 'wb') as f:
                f.write(data)
            if os.path.exists(made):
                os.unlink(made)

        stops = 0
        per_second = rb', \d+ %, [\dhms.]+ per second, [\dhms.]+ left'
        bytes_ = rb', \d+ %, [\d.]+ (bytes|[KM]iB)/s, [\dhms.]+ left'
        for argv, rate, stopped in (
                (('verify', where), bytes_, None),
                (('archive', '--older-than', '0', where), bytes_,
                 b'stay as they were'),
                (('merge', path, '-o', made), per_second,
                 b'nothing was written'),
                (('thin', path, '--every', '1m', '-o', made), per_second,
                 b'nothing was written'),
                (('report', path, '-o', made), per_second,
                 b'nothing was written'),
                (('export', path), per_second, b'the output is not whole'),
                (('replay', path, '-f', 'text', '--no-summaries'), per_second,
                 None),
                (('diff', path + '@..+2h', path + '@+2h..'), per_second, None),
                (('pidstat', '-f', path, '600'), per_second, None)):
            p, own, text = begun(argv)
            gstest.check(re.search(rate, text), '%s: %r' % (argv[0], text))
            if stopped:
                p.send_signal(signal.SIGINT)
            hold(p, signal.SIGCONT)
            status, text = said(p, own)
            # it may be at its end
            if status > 0:
                stops += 1
                gstest.check(stopped and stopped in text,
                             '%s: %r' % (argv[0], text))
                gstest.equal(os.listdir(where), ['x.gpsnap'], argv[0])
                gstest.check(not os.path.exists(made), argv[0])
            again()
        gstest.check(stops >= 3, '%d of 5 stopped' % stops)


on_terminal()
elsewhere()
interrupted()
each_command()
