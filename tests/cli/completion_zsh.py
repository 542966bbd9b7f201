# SPDX-License-Identifier: Apache-2.0
"""completion_zsh.py WORDS: the line that zsh makes of WORDS and a tab, typed on
a terminal."""
import os
import pty
import re
import select
import sys
import time

START = (b"fpath=(%s/completion $fpath); autoload -U compinit; compinit -D -u; "
         b"PS1='%%'; print rea''dy\r" % os.environ['SOURCE'].encode())


def read(fd, until, seconds=30.0):
    """What is printed, up to a pattern or to a second of silence after it."""
    text, end = b'', time.monotonic() + seconds
    while time.monotonic() < end:
        if select.select([fd], [], [], 1.0)[0]:
            text += os.read(fd, 65536)
        elif re.search(until, text):
            return text
    raise SystemExit('no %r in %r' % (until, text))


def main():
    typed = sys.argv[1].encode()
    pid, fd = pty.fork()
    if pid == 0:
        os.environ['TERM'] = 'dumb'
        os.execvp('zsh', ['zsh', '-f'])
    os.write(fd, START)
    read(fd, rb'\nready')
    os.write(fd, typed + b'\t')
    text = read(fd, re.escape(typed))
    print(re.sub(r'\s+$', '', text.decode().splitlines()[-1]))
    os.kill(pid, 9)
    os.waitpid(pid, 0)


main()
