# SPDX-License-Identifier: Apache-2.0
"""Whole screens after each key, text and attributes, in three sizes, as in
golden/; --refresh writes them.

Below each line of text that has attributes is one of letters: a colour (r red, y
yellow, g green, c cyan, m magenta, o orange, n blue, d grey), upper case if bold;
b bold alone; # reversed.
"""
import difflib
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
from tmuxlib import Terminal

GPSNAP = gstest.binary('gpsnap')
INCIDENTS = os.path.join(gstest.TOP, 'samples', 'incidents')
GOLDEN = os.path.join(gstest.TOP, 'tests', 'tui', 'golden')
# Columns, lines, and how many of the steps.
SIZES = ((80, 24, 99), (120, 40, 5), (200, 50, 5))

# What is typed, and a text that is on the screen then.
STEPS = (
    ((), '19:11:34 UTC'),  # once the search is over
    (('!',), 'findings, the worst first'),
    (('Enter',), '\n locks '),
    (('Down',), 'row 2 of'),
    (('d',), ': query'),
    (('Escape',), '\n locks '),
    (('2',), '\n sessions '),
    (('T',), '19:11:33 UTC'),
    (('>',), ' by '),
    (('Right', 'Right'), '\n sessions '),
    (('Left', 'Left', '/', 'w', 'e', 'b', 'Enter'), '  /web'),
    (('n',), '  /web'),
    (('Escape', '4', 'd'), 'process id'),
    (('Escape', '&', 'c', 'p', 'u', '>', '1', 'Enter'), 'where cpu>1'),
    (('5',), '\n hosts '),
    (('m',), 'waiting: '),
    (('+',), 'window of'),
    (('?',), 'next and previous tick'),
)

# Windows, in each size.
WINDOWS = (
    (('Escape', '7'), '\n waits '),
    (('W',), 'windows that end here'),
    (('Enter',), 'LAST 5s'),
    (('4',), 'last 1m'),
    (('G', 'T'), 'last 1m'),
    (('D', '-', '1', 'm', 'Enter'), 'tables are of windows'),
    (('Escape', 'W', 'C-u', 'Enter'), '19:11'),
)

COLOURS = {160: 'r', 172: 'y', 178: 'o', 34: 'g', 32: 'n', 38: 'c', 133: 'm',
           244: 'd'}


class Pen:
    """The state that sequences of SGR change."""

    def __init__(self):
        self.bold = self.reverse = False
        self.colour = ''

    def take(self, codes):
        codes = [int(c or 0) for c in codes.split(';')]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.__init__()
            elif code == 1:
                self.bold = True
            elif code == 7:
                self.reverse = True
            elif code == 22:
                self.bold = False
            elif code == 27:
                self.reverse = False
            elif code == 39:
                self.colour = ''
            elif code == 38 and codes[:1] == [5]:
                self.colour = COLOURS.get(codes[1], '?')
                codes = codes[2:]

    def letter(self):
        if self.reverse:
            return '#'
        if not self.colour:
            return 'b' if self.bold else ' '
        return self.colour.upper() if self.bold else self.colour


def lines_of(screen):
    """The text of a screen with attributes, and below each line those."""
    pen = Pen()
    for line in screen.splitlines():
        text, letters = '', ''
        for piece in re.split('(\033\\[[0-9;]*m)', line):
            if piece.startswith('\033['):
                pen.take(piece[2:-1])
                continue
            text += piece
            letters += pen.letter() * len(piece)
        yield text.rstrip()
        if letters.strip():
            yield '~' + letters.rstrip()


def screens(cols, rows, steps):
    term = Terminal([GPSNAP, 'replay', os.path.join(
        INCIDENTS, 'lock-pileup.gpsnap')], cols, rows,
        {'TERM': 'screen-256color'})
    for keys, text in STEPS[:steps] + WINDOWS:
        for key in keys:
            term.keys(key)
            term.see()  # Esc and a key at once are another key
        term.see(text)
        yield '== %s' % (' '.join(keys) or 'first')
        yield from lines_of(term.run('capture-pane', '-e', '-p'))
    term.close()


def main():
    refresh = sys.argv[1:] == ['--refresh']
    for cols, rows, steps in SIZES:
        path = os.path.join(GOLDEN, '%dx%d.txt' % (cols, rows))
        got = '\n'.join(screens(cols, rows, steps)) + '\n'
        if refresh:
            with open(path, 'w', encoding='utf-8') as f:
                f.write(got)
            continue
        with open(path, encoding='utf-8') as f:
            want = f.read()
        diff = list(difflib.unified_diff(want.splitlines(), got.splitlines(),
                                         'golden', 'got', lineterm=''))
        gstest.check(not diff, '%s: after a change that is meant: tests/tui/'
                     'test_golden.py --refresh\n%s' % (
                         path, '\n'.join(diff[:40])))


main()
