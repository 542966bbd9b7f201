#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""SIGINT, SIGTERM, SIGHUP, with and without a terminal."""
import fcntl
import os
import pty
import re
import signal
import struct
import termios
import time

from rec import (HUP, INT, TERM, gstest, main, size, wait_for, want, want_in,
                 want_well)


def started(p, proc, name='a.gpsnap', bytes_=700):
    wait_for(lambda: size(p.path(name)) > bytes_ or proc.poll() is not None,
             'ticks')


def ends_cleanly(p, sig, word):
    proc = p.start('-i', 0.1, '-o', 'a.gpsnap', session=True)
    started(p, proc)
    status, err = p.end(proc, sig)
    want_well((status, err))
    rec = p.read('a.gpsnap')
    want(rec.closed, True, 'closed')
    want(rec.damage, [], 'damage')
    want(rec.events('stop')[0].text, word, 'reason')
    want(rec.ticks[-1].event[-1].kind, 8, 'last event')


def interrupt(p):
    ends_cleanly(p, INT, b'interrupted')


def terminate(p):
    ends_cleanly(p, TERM, b'terminated')


def hup_rotates_without_terminal(p):
    proc = p.start('-i', 0.1, '-o', 'd/', session=True)
    wait_for(lambda: os.path.isdir(p.path('d')) and p.files('d') and
             size(p.path('d', p.files('d')[0])) > 700, 'ticks')
    proc.send_signal(HUP)
    wait_for(lambda: len(p.files('d')) == 2, 'second file')
    time.sleep(0.3)
    want(proc.poll(), None, 'still runs')
    p.end(proc, TERM)
    a, b = (p.read('d/' + n) for n in
            sorted(p.files('d'), key=lambda n: p.read('d/' + n).seqs()[0]))
    want(a.closed and b.closed, True, 'closed')
    want(b.seqs()[0], a.seqs()[-1], 'seam')
    want((a.headers[0].file_number, b.headers[0].file_number), (1, 2),
         'numbers')


def ignored_hup_stays_ignored(p):
    proc = p.start('-i', 0.1, '-o', 'a.gpsnap', session=True,
                   preexec=lambda: signal.signal(HUP, signal.SIG_IGN))
    started(p, proc)
    proc.send_signal(HUP)
    time.sleep(0.3)
    want(proc.poll(), None, 'still runs')
    want(p.files(''), ['a.gpsnap'], 'no other file')
    p.end(proc, TERM)


class Terminal:
    """A session with a terminal of its own."""

    def __init__(self, p, *args, columns=0):
        pid, self.fd = pty.fork()
        if pid == 0:
            fcntl.ioctl(2, termios.TIOCSWINSZ,
                        struct.pack('HHHH', 24, columns, 0, 0))
            os.chdir(p.dir)
            os.execve(p.path('bin/gpsnap'), ['gpsnap', 'record', *args],
                      p.env({'COLUMNS': '200'}))
        self.pid = pid
        self.text = b''

    def read_until(self, pattern, timeout=15):
        end = time.monotonic() + timeout
        while not re.search(pattern, self.text):
            if time.monotonic() > end:
                raise AssertionError('%r not in %r' % (pattern, self.text))
            self.text += os.read(self.fd, 4096)

    def wait(self):
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def lines_fit(p):
    """Messages are broken between words, the status line between parts."""
    t = Terminal(p, '--on', 'lock pileup', '-o', 'a.gpsnap', columns=50)
    t.read_until(rb'try gpsnap record')
    want(t.wait(), 64, 'usage')
    os.close(t.fd)
    lines = t.text.decode().split('\r\n')
    want(lines[:3], ['gpsnap record: --on: no rule lock pileup (did you',
                     '    mean lock pile-up?); gpsnap findings',
                     '    --explain lists them'], 'broken between words')
    t = Terminal(p, '-i', '0.1', '-n', '20', '-o', 'a.gpsnap', columns=50)
    t.read_until(rb'a\.gpsnap: 20 ticks')
    t.wait()
    os.close(t.fd)
    seen = re.findall(rb'\r(\d\d:[^\x1b]*)\x1b\[K', t.text)
    want([s for s in seen if not re.search(
        rb'(ticks|B|bytes|late|lost|skipped|and tick)$', s)], [], 'whole parts')
    want(len(seen) > 0, True, 'a status line')


def status_line(p):
    t = Terminal(p, '-i', '0.1', '-n', '20', '-o', 'a.gpsnap')
    t.read_until(rb'\r\d\d:\d\d:\d\d 3 processes, 1 quiet, \d+ ticks, ')
    t.read_until(rb'a\.gpsnap: 20 ticks')
    want(t.wait() in gstest.OF_BUSY, True, 'status')
    os.close(t.fd)


def interrupt_from_terminal(p):
    t = Terminal(p, '-i', '0.1', '-o', 'a.gpsnap')
    t.read_until(rb'[5-9] ticks')
    os.write(t.fd, b'\x03')
    t.read_until(rb'next: gpsnap replay a\.gpsnap')
    want(t.wait() in gstest.OF_BUSY, True, 'status')
    want(p.read('a.gpsnap').closed, True, 'closed')
    os.close(t.fd)


def hang_up_ends_cleanly(p):
    t = Terminal(p, '-i', '0.1', '-o', 'a.gpsnap')
    t.read_until(rb'[5-9] ticks')
    os.close(t.fd)
    want(t.wait() in gstest.OF_BUSY, True, 'status')
    rec = p.read('a.gpsnap')
    want(rec.closed, True, 'closed')
    want(rec.events('stop')[0].text, b'terminal was closed', 'reason')


def second_signal_ends_at_once(p):
    """While the first waits for a disk that hangs."""
    order = p.path('order')
    with open(order, 'w') as f:
        f.write('ok')
    proc = p.start('-i', 0.1, '-o', 'a.gpsnap', session=True, GS_SHIM=order,
                   LD_PRELOAD=os.environ['GS_SHIM_LIB'])
    started(p, proc)
    with open(order, 'w') as f:
        f.write('stall')
    time.sleep(0.3)
    proc.send_signal(INT)
    time.sleep(0.3)
    want(proc.poll(), None, 'waits for the disk')
    want(p.end(proc, INT)[0], -INT, 'status')


if __name__ == '__main__':
    main([interrupt, terminate, hup_rotates_without_terminal,
          ignored_hup_stays_ignored, lines_fit, status_line,
          interrupt_from_terminal, hang_up_ends_cleanly,
          second_signal_ends_at_once])
