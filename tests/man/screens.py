#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""screens.py [--refresh]: what README.md, gpsnap-replay(1) and gpsnap-diff(1)
show of recordings in samples/ is what gpsnap says today.

A line `$ gpsnap ...` stands above its answer: in README.md in an indented
block, in the manual in a literal display of the section I WANT TO KNOW.  There
commands run in samples/, on a screen of 72 columns.  A command goes on after a
backslash at the end of a line.  Other lines of README.md's blocks that read
samples/ only have to work.  --refresh writes the answers.

A command with -f tui runs in tmux, on a screen of as many lines as are shown.
"""
import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'tui'))
import gstest
from tmuxlib import Terminal

ROWS = 16  # of a terminal of which nothing is shown yet
LONG_S = 60
INDENTED = re.compile(r'(?:^(?: {4}.*)?\n)+', re.MULTILINE)
SECTION = re.compile(r'^\.Sh I WANT TO KNOW.*?(?=^\.Sh )',
                     re.MULTILINE | re.DOTALL)
DISPLAY = re.compile(r'(?<=^\.Bd -literal\n).*?(?=^\.Ed\n)',
                     re.MULTILINE | re.DOTALL)
# text of a literal display, and what stands for it in the page
ESCAPES = (('\\', '\\e'), ("'", '\\(aq'), ('~', '\\(ti'))


def answer_of(command, where, columns):
    env = dict(os.environ, PATH=os.environ['GS_BIN'] + ':' +
               os.environ['PATH'], LC_ALL='C.UTF-8', TZ='UTC',
               COLUMNS=columns)
    done = subprocess.run(['sh', '-c', command], cwd=where, env=env,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    lines = [line.rstrip() for line in
             done.stdout.decode('utf-8', 'replace').split('\n')]
    while lines and not lines[-1]:
        lines.pop()
    return done.returncode, lines


def screen_of(command, where, columns, wanted):
    """As wanted, or what the terminal shows when nothing changes any more."""
    env = {'PATH': os.environ['GS_BIN'] + ':' + os.environ['PATH'],
           'LC_ALL': 'C.UTF-8', 'TZ': 'UTC', 'TERM': 'screen'}
    terminal = Terminal(shlex.split(command), cols=int(columns),
                        rows=len(wanted) or ROWS, env=env, cwd=where)
    last, same, end = None, 0, time.monotonic() + LONG_S
    while last != wanted and same < 20 and time.monotonic() < end:
        now = [line.rstrip() for line in
               terminal.screen().rstrip('\n').split('\n')]
        same = same + 1 if now == last and len(now) > 1 else 0
        last = now
        time.sleep(0.1)
    terminal.close()
    return last


class Page:
    def __init__(self, name, columns, where):
        self.name, self.columns = name, columns
        self.where = os.path.join(gstest.TOP, where)
        self.n = self.bad = 0

    def answer(self, command, wanted=()):
        self.n += 1
        if ' -f tui' in command:
            return screen_of(command, self.where, self.columns, wanted
                             ) if shutil.which('tmux') else wanted
        status, lines = answer_of(command, self.where, self.columns)
        if status != 0:
            self.bad += 1
            print('%s: %s: exit status %d\n%s' % (
                self.name, command, status, '\n'.join(lines)))
        return lines

    def block(self, text):
        """The text of a block as it should be."""
        at = re.search(r'^\$ ', text, re.MULTILINE)
        before = text[:at.start()] if at else text
        for line in before.split('\n'):
            if ' samples/' in line:
                self.answer(line)
        steps = re.findall(r'^\$ ((?:.*\\\n)*.*)\n?((?:(?!\$ ).*\n?)*)',
                           text, re.MULTILINE)
        return before + '\n\n'.join('\n'.join(
            ['$ ' + command, *self.answer(command, shown.rstrip('\n').split(
                '\n') if shown.strip() else [])])
            for command, shown in steps)

    def check(self, refresh, changed):
        path = os.path.join(gstest.TOP, self.name)
        with open(path, encoding='utf-8') as f:
            is_now = f.read()
        wanted = changed(is_now)
        if wanted != is_now and refresh:
            with open(path, 'w', encoding='utf-8') as f:
                f.write(wanted)
        elif wanted != is_now:
            self.bad += 1
            print('\n'.join(difflib.unified_diff(
                is_now.split('\n'), wanted.split('\n'), self.name, 'now',
                lineterm='')))
        gstest.check(self.n > 0, '%s shows nothing of samples/' % self.name)
        return self.bad == 0


def markdown(page):
    def indented(m):
        head, body, tail = re.fullmatch(r'(\n*)(.*?)(\n*)', m.group(0),
                                        re.DOTALL).groups()
        if not body:
            return m.group(0)
        text = page.block('\n'.join(line[4:] for line in body.split('\n')))
        return head + '\n'.join(('    ' + line).rstrip()
                                for line in text.split('\n')) + tail
    return lambda text: INDENTED.sub(indented, text)


def mdoc(page):
    def display(m):
        text = m.group(0)
        for plain, escaped in reversed(ESCAPES):
            text = text.replace(escaped, plain)
        text = page.block(text.rstrip('\n')) + '\n'
        for plain, escaped in ESCAPES:
            text = text.replace(plain, escaped)
        return text
    return lambda text: SECTION.sub(
        lambda m: DISPLAY.sub(display, m.group(0)), text)


def main():
    gstest.binary('gpsnap')
    refresh = '--refresh' in sys.argv[1:]
    readme = Page('README.md', '80', '.')
    manuals = [Page('man/gpsnap-%s.1' % name, '72', 'samples')
               for name in ('replay', 'diff')]
    ok = readme.check(refresh, markdown(readme))
    for manual in manuals:
        ok = manual.check(refresh, mdoc(manual)) and ok
    gstest.check(ok, 'these screens are not what gpsnap shows; '
                 'tests/man/screens.py --refresh writes them')
    print('%d screens' % sum(page.n for page in [readme, *manuals]))


if __name__ == '__main__':
    main()
