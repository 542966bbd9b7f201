# SPDX-License-Identifier: Apache-2.0
"""Commands that are attacked from inside while they read a recording."""
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
from gstest import check, equal

SHIM = os.environ.get('GS_SANDBOX_SHIM', '')
SAMPLE = os.path.join(gstest.TOP, 'samples', 'greenplum6.gpsnap')

# Of these Landlock refuses some, seccomp others.  With a sanitizer in the
# program seccomp must leave what its leak checker needs.
BY_FILES = {'passwd', 'secret', 'elsewhere', 'unlink'}
BY_CALLS = {'socket', 'local_socket', 'overwrite', 'truncate', 'fork',
            'signal', 'code', 'chmod', 'owner', 'signal_number', 'async',
            'program'}
BY_CLOSING = {'inherited'}
NOT_SANITIZED = {'fork', 'code', 'signal'}


# A process that its parent traces would stop for the leak checker's signals.
KILLED = ('execve', 'uring') if gstest.SANITIZED else ('execve', 'ptrace', 'uring')


class Room:
    """A home with a secret, a place for work, and one that is elsewhere."""

    def __init__(self):
        self.tmp = gstest.TempDir()
        for name in ('home/.ssh', 'work', 'in', 'else', 'tmp'):
            os.makedirs(self.file(name))
        for name in ('home/.ssh/id', 'else/precious'):
            with open(self.file(name), 'w', encoding='utf-8') as f:
                f.write('secret\n')
        self.sample = self.file('in/a.gpsnap')
        shutil.copy(SAMPLE, self.sample)
        # a number that no file of the command's own gets
        self.inherited = fcntl.fcntl(os.open(self.file('else/precious'),
                                             os.O_WRONLY | os.O_CLOEXEC),
                                     fcntl.F_DUPFD_CLOEXEC, 500)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.inherited)
        self.tmp.__exit__()

    def file(self, name):
        return os.path.join(self.tmp.path, name)

    def env(self, attack):
        env = dict(os.environ, HOME=self.file('home'), LD_PRELOAD=SHIM,
                   TMPDIR=self.file('tmp'), GS_ATTACK=attack,
                   GPSNAP_CONFIG='', GS_SECRET=self.file('home/.ssh/id'),
                   GS_ELSEWHERE=self.file('else/new'),
                   GS_OVERWRITE=self.sample,
                   GS_INHERITED=str(self.inherited),
                   GS_UNLINK=self.file('else/precious'))
        env.pop('XDG_CONFIG_HOME', None)
        return env

    def clean(self):
        """As at first: an archive takes the place of what it is made of."""
        shutil.copy(SAMPLE, self.sample)
        for name in os.listdir(self.file('work')):
            os.unlink(os.path.join(self.file('work'), name))


def in_force():
    """What --explain-sandbox says of this machine: files, calls."""
    text = gstest.gpsnap('info', SAMPLE, '--explain-sandbox').decode()
    return 'held by Landlock' in text, 'held by seccomp' in text


def need_sandbox():
    files, calls = in_force()
    if not files and not calls:
        gstest.skip('this kernel has neither Landlock nor seccomp')
    return files, calls


def outcome(stderr):
    """What each attack came to."""
    return dict(re.findall(r'^attack (\w+): (done|refused, \w+)$', stderr,
                           re.MULTILINE))


def should_be_refused(force):
    files, calls = force
    wanted = (BY_FILES if files else set()) | (BY_CALLS if calls else set())
    wanted |= BY_CLOSING
    return wanted - (NOT_SANITIZED if gstest.SANITIZED else set())


def check_refused(what, stderr, force):
    got = outcome(stderr)
    check('over' in got, '%s: was not attacked:\n%s' % (what, stderr))
    for name in sorted(should_be_refused(force)):
        check(got.get(name, '').startswith('refused'),
              '%s: attack %s: %s' % (what, name, got.get(name)))


def check_killed(what, done, attack, force):
    if not force[1]:
        return
    equal(done.returncode, -signal.SIGSYS, '%s: attack %s: status:\n%s' %
          (what, attack, done.stderr))
    check('done' not in done.stderr, '%s: attack %s was done' % (what, attack))


def run(room, argv, attack, **more):
    return subprocess.run([gstest.binary('gpsnap'), *argv], cwd=room.file('work'),
                          env=room.env(attack), text=True, check=False,
                          errors='replace', pass_fds=(room.inherited,),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **more)
