# SPDX-License-Identifier: Apache-2.0
"""gpsnap live at a terminal: it goes on after a pause, and one can look
back."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
from tmuxlib import Terminal

GPSNAP = gstest.binary('gpsnap')


def first_line(term):
    return term.screen().splitlines()[0]


def changes(term, line):
    gstest.wait_for('another first line', lambda: first_line(term) != line)


def main():
    term = Terminal([GPSNAP, 'live', '-i', '0.5', '--no-catalog', '-V',
                     'processes'])
    term.see('live', 'row 1 of', 'PID')
    line = first_line(term)
    changes(term, line)
    term.after('Space', see=['paused'])
    paused = first_line(term)
    # what is sampled meanwhile makes the line of time longer
    axis = term.screen().splitlines()[5]
    gstest.wait_for('samples after the pause',
                    lambda: term.screen().splitlines()[5] != axis)
    gstest.equal(first_line(term), paused, 'the pause')
    term.after('z', see=['  live'], without=['paused'])
    term.after('T', see=['paused'])
    term.after('2', see=['\n sessions '])
    term.after('?', see=['next and previous tick'])
    term.after('x', see=['\n sessions '])
    term.after('q', see=['status 0'], without=['sessions'])
    term.close()


main()
