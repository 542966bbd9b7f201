# SPDX-License-Identifier: Apache-2.0
"""gpsnap leaves the terminal as it found it: at a normal end, after a signal,
while it is stopped; and says what to do if there is no terminal."""
import os
import re
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
from tmuxlib import Terminal

GPSNAP = gstest.binary('gpsnap')
SAMPLE = os.path.join(gstest.TOP, 'samples', 'postgresql15.gpsnap')


def mode(term):
    """Cursor and alternate screen, as tmux sees them."""
    return term.run('display-message', '-p',
                    '#{cursor_flag} #{alternate_on}').split()


def test_quit():
    term = Terminal([GPSNAP, 'replay', SAMPLE])
    term.see('row 1 of')
    gstest.equal(mode(term), ['0', '1'], 'while it runs')
    term.after('q', see=['status 0'], without=['row 1 of'])
    gstest.equal(mode(term), ['1', '0'], 'after q')
    term.close()


def test_signals():
    for sig in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        term = Terminal([GPSNAP, 'replay', SAMPLE])
        term.see('row 1 of')
        os.kill(term.pid(), sig)
        term.see('status %d' % (128 + sig), without=['row 1 of'])
        gstest.equal(mode(term), ['1', '0'], 'after signal %d' % sig)
        term.close()


def test_size():
    """That of the terminal, whatever the environment says."""
    screens = []
    for env in ({}, {'COLUMNS': '120', 'LINES': '30'}):
        term = Terminal([GPSNAP, 'replay', SAMPLE], cols=100, rows=16, env=env)
        term.see('lists them)')
        term.after('t', see=['row 1 of'])
        screens.append(term.screen())
        term.close()
    gstest.equal(screens[1], screens[0], 'COLUMNS=120 LINES=30')


def test_stop():
    shell = Terminal(['bash', '--norc', '-i'], env={'PS1': 'ready> '})
    shell.see('ready>')
    shell.type("%s replay '%s'" % (GPSNAP, SAMPLE))
    shell.keys('Enter')
    for _ in range(5):
        # at once: while the worst moment is looked for, and the screen is drawn
        gstest.wait_for('a screen', lambda: 'row 1 of' in shell.screen())
        shell.after('C-z', see=['Stopped'], without=['row 1 of'])
        gstest.wait_for('the terminal as the shell has it',
                        lambda: mode(shell) == ['1', '0'])
        shell.type('clear; fg')
        shell.keys('Enter')
    shell.see('(! lists them)')
    shell.keys('T')
    shell.after('C-z', see=['Stopped'], without=['row 1 of'])
    shell.type('fg')
    shell.after('Enter', see=['row 1 of'])
    shell.after('q', see=['ready>'], without=['row 1 of'])
    shell.close()


def test_what_has_no_terminal():
    """Text to a pipe, on a dumb terminal, and where tables follow."""
    for env in ({'TERM': 'dumb'}, {'TERM': ''}):
        term = Terminal([GPSNAP, 'replay', SAMPLE, '-V', 'hosts'], env=env)
        term.see('covered', 'status 0')
        term.close()
    term = Terminal([GPSNAP, 'replay', SAMPLE, '-V', 'hosts', '-e', '30s'])
    term.see('status 0')
    term.close()
    # curses keeps what it allocated before it looked the terminal up
    term = Terminal([GPSNAP, 'replay', SAMPLE], env={
        'TERM': 'nosuch', 'ASAN_OPTIONS': 'detect_leaks=0'})
    term.see('the terminal "nosuch" is not known', 'status 2')
    term.close()
    done = subprocess.run([GPSNAP, 'replay', SAMPLE, '-f', 'tui'],
                          stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    gstest.equal(done.returncode, 64, 'status without a terminal')
    gstest.check('-f tui needs a terminal' in done.stderr, done.stderr)


def test_colour():
    for env, want in (({}, True), ({'NO_COLOR': '1'}, False)):
        term = Terminal([GPSNAP, 'replay', SAMPLE],
                        env=dict(env, TERM='screen-256color'))
        term.see('row 1 of')
        text = term.run('capture-pane', '-p', '-e')
        gstest.equal(bool(re.search('\x1b\\[([0-9;]*;)?3[0-8]', text)), want,
                     'colour with %r' % env)
        term.close()


def main():
    for name, test in sorted(globals().items()):
        if name.startswith('test_'):
            test()


main()
