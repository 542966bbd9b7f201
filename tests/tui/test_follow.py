# SPDX-License-Identifier: Apache-2.0
"""gpsnap replay --follow at a terminal: it goes on as the recorder does, and
ends as a user wants it to."""
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
from tmuxlib import Terminal

GPSNAP = gstest.binary('gpsnap')


def first_line(term):
    return term.screen().splitlines()[0]


def follow(place, ending):
    term = Terminal([GPSNAP, 'replay', '--follow', '-V', 'processes', place])
    term.see('live', 'row 1 of', 'PID')
    line = first_line(term)
    gstest.wait_for('the next sample', lambda: first_line(term) != line)
    os.kill(term.pid(), ending)
    term.see('status', without=['PID'])
    term.close()


def main():
    with tempfile.TemporaryDirectory(prefix='gpsnap-test-') as top:
        place = os.path.join(top, 'd', '')
        with subprocess.Popen([GPSNAP, 'record', '-o', place, '-i', '0.2',
                               '-q', '--no-catalog']) as recorder:
            try:
                gstest.wait_for('a file', lambda: os.path.isdir(place) and
                                any(f.endswith('.gpsnap')
                                    for f in os.listdir(place)))
                for ending in (signal.SIGINT, signal.SIGTERM,
                               signal.SIGHUP):
                    follow(place, ending)
            finally:
                recorder.kill()


main()
