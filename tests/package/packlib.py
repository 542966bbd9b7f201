# SPDX-License-Identifier: Apache-2.0
"""What the tests of packages share: a root with little in it."""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest  # noqa: E402

BUILD = os.environ.get('GS_BUILD', '')
PREFIX = os.environ.get('GS_PREFIX', '')


def run(*args, **more):
    """What it said; its failure is the test's."""
    done = subprocess.run(args, capture_output=True, text=True, check=False,
                          **more)
    gstest.check(done.returncode == 0, '%s: status %d\n%s' % (
        ' '.join(args), done.returncode, (done.stdout + done.stderr)[-3000:]))
    return done.stdout


def need(program, package):
    if not shutil.which(program):
        gstest.skip('%s of Debian\'s %s is not installed' % (program, package))


def files(root):
    """Paths of all files below, from the root on."""
    out = []
    for top, _, names in os.walk(root):
        out += [os.path.join(top, n)[len(root):] for n in names]
    return sorted(out)


def libraries(program):
    """Paths that the loader finds for a program."""
    return re.findall(r'(/\S+) \(0x', run('ldd', program))


class Root:
    """A directory to run an installed gpsnap in, with the libraries that it
    needs and nothing else of this machine."""

    def __init__(self, path):
        self.path = path
        for name in ('proc', 'tmp', 'root', 'dev'):
            os.makedirs(os.path.join(path, name), exist_ok=True)
        # a minimal system has these links
        for name in ('lib', 'lib64'):
            if not os.path.lexists(os.path.join(path, name)):
                os.makedirs(os.path.join(path, 'usr', name), exist_ok=True)
                os.symlink('usr/' + name, os.path.join(path, name))
        with open(os.path.join(path, 'dev', 'null'), 'w'):
            pass

    def add_libraries(self, program):
        for lib in libraries(self.path + program):
            to = self.path + lib
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copy2(lib, to)

    def run(self, *args):
        """In it, with a /proc, by chroot."""
        return run('unshare', '--mount', '--pid', '--fork',
                   '--mount-proc=' + os.path.join(self.path, 'proc'),
                   'chroot', self.path, *args,
                   env={'PATH': '/usr/sbin:/usr/bin', 'HOME': '/root'})

    def record_and_replay(self):
        self.run('gpsnap', 'record', '-q', '-i', '0.2', '-n', '3', '-o',
                 '/root/a.gpsnap')
        said = self.run('gpsnap', 'verify', '/root/a.gpsnap')
        gstest.check(': whole, 3 ticks' in said, said)
        said = self.run('gpsnap', 'replay', '/root/a.gpsnap', '-V',
                        'processes', '-f', 'csv')
        gstest.check('gpsnap-agent' in said, said)


def can_chroot():
    if os.geteuid() != 0:
        return False
    return subprocess.run(['unshare', '--mount', '--pid', '--fork', 'true'],
                          capture_output=True, check=False).returncode == 0


def need_packable():
    if PREFIX != '/usr' or gstest.SANITIZED:
        gstest.skip('this build is for %s: packages are made of one without '
                    'sanitizers for /usr' % PREFIX)
