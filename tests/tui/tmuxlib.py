# SPDX-License-Identifier: Apache-2.0
"""A terminal for tests: the program in tmux, keys in, screens out.

Nothing waits for a time: see() polls until the screen is as expected.
"""
import array
import atexit
import fcntl
import os
import shutil
import subprocess
import tempfile
import termios
import time

import gstest


class Terminal:
    """A tmux server of its own with one window of cols by rows."""

    def __init__(self, argv, cols=80, rows=24, env=None, cwd=None):
        self.tmux = shutil.which('tmux')
        if not self.tmux:
            gstest.skip('tmux is not there')
        atexit.register(self.close)
        self.dir = tempfile.mkdtemp(prefix='gpsnap-tmux-')
        env = dict(env or {})
        env.setdefault('XDG_STATE_HOME', self.dir)
        command = ['env'] + ['%s=%s' % pair for pair in
                             sorted(env.items())] + list(argv)
        script = '%s; echo "status $?"; exec sleep 1000' % ' '.join(
            "'%s'" % word.replace("'", "'\\''") for word in command)
        self.run('-f', '/dev/null', 'new-session', '-d', '-x', str(cols),
                 '-y', str(rows), script, cwd=cwd)

    def run(self, *args, **more):
        return subprocess.run(
            [self.tmux, '-S', os.path.join(self.dir, 'socket'), '-u', *args],
            check=True, stdout=subprocess.PIPE, text=True, **more).stdout

    def close(self):
        if self.dir:
            self.run('kill-server')
            shutil.rmtree(self.dir)
        self.dir = None

    def screen(self):
        return self.run('capture-pane', '-p')

    def keys(self, *keys):
        """Names of keys as tmux knows them: t, Enter, Home, PPage ..."""
        self.run('send-keys', '--', *keys)

    def type(self, text):
        self.run('send-keys', '-l', '--', text)

    def resize(self, cols, rows):
        self.run('resize-window', '-x', str(cols), '-y', str(rows))

    def pid(self):
        """Of the program in the window."""
        shell = self.run('display-message', '-p', '#{pane_pid}').strip()
        with open('/proc/%s/task/%s/children' % (shell, shell)) as f:
            return int(f.read().split()[0])

    def at_rest(self):
        """Whether each key was read and nobody computes; what cannot be told
        is no rest."""
        try:
            pid = self.pid()
            with open('/proc/%d/stat' % pid) as f:
                state = f.read().rpartition(')')[2].split()[0]
            tty = os.open('/proc/%d/fd/0' % pid, os.O_RDONLY | os.O_NOCTTY |
                          os.O_NONBLOCK)
        except (OSError, IndexError):
            return False
        unread = array.array('i', [0])
        try:
            fcntl.ioctl(tty, termios.FIONREAD, unread)
        finally:
            os.close(tty)
        return state == 'S' and unread[0] == 0

    def see(self, *texts, without=()):
        """The screen, once it has all the texts and none of the others, and
        is drawn to its end: it stays the same, and the program waits for keys
        or has shown the same for a second."""
        got = ['', '']
        since = [time.monotonic()]

        def ready():
            rests = self.at_rest()
            got[1], got[0] = got[0], self.screen()
            if got[0] != got[1]:
                since[0] = time.monotonic()
                return False
            return all(t in got[0] for t in texts) and \
                not any(t in got[0] for t in without) and \
                (rests or time.monotonic() - since[0] > 1)
        try:
            gstest.wait_for('a screen', ready, 60)
        except SystemExit:
            print('expected %r without %r on\n%s' % (texts, without, got[0]))
            raise
        return got[0]

    def after(self, *keys, see=(), without=()):
        """Types keys and waits for what they show."""
        self.keys(*keys)
        return self.see(*see, without=without)
