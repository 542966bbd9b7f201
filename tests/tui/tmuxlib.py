# SPDX-License-Identifier: Apache-2.0
"""A terminal for tests: the program in tmux, keys in, screens out.

Nothing waits for a time: see() polls until the screen is as expected.
"""
import atexit
import os
import shutil
import subprocess
import tempfile

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

    def see(self, *texts, without=()):
        """The screen, once it has all the texts and none of the others, and
        is drawn to its end."""
        got = ['', '']

        def ready():
            got[1], got[0] = got[0], self.screen()
            return got[0] == got[1] and all(t in got[0] for t in texts) and \
                not any(t in got[0] for t in without)
        try:
            gstest.wait_for('a screen', ready, 20)
        except SystemExit:
            print('expected %r without %r on\n%s' % (texts, without, got[0]))
            raise
        return got[0]

    def after(self, *keys, see=(), without=()):
        """Types keys and waits for what they show."""
        self.keys(*keys)
        return self.see(*see, without=without)
