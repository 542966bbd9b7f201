# SPDX-License-Identifier: Apache-2.0
"""A program of sysstat and gpsnap's of the same name, asked for the same:
what both print is compared byte by byte."""
import fcntl
import os
import shutil
import struct
import subprocess
import termios

import gstest

VERSION = '12.6'


def environment(more=None):
    env = {k: v for k, v in os.environ.items() if not k.startswith('S_')}
    env.update(TZ='UTC', LC_ALL='C')
    env.update(more or {})
    return env


def shown(trees, env, step=0):
    """The environment in which a program sees the trees, from a step on."""
    return dict(env, GS_TREES=trees, GS_STEP=str(step),
                LD_PRELOAD=os.environ['GS_SYSSTAT_SHIM'])


def find(name):
    """The real program; the test is skipped where it can not be run."""
    if os.geteuid() != 0:
        gstest.skip('needs root, for a mount namespace')
    path = shutil.which(name, path=os.environ['PATH'] + ':/usr/lib/sysstat')
    if not path:
        gstest.skip('%s is not installed' % name)
    said = subprocess.run([path, '-V'], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False).stdout
    if VERSION.encode() not in said:
        gstest.skip('compares with sysstat %s' % VERSION)
    return path


def run(args, env):
    """(stdout, stderr, whether it failed)"""
    done = subprocess.run(args, env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    if done.returncode == 77:
        gstest.skip('no mount namespace of its own is allowed here')
    return done.stdout, done.stderr, done.returncode != 0


def on_terminal(args, env):
    """What it shows on a terminal of 12 lines."""
    ours_end, its_end = os.openpty()
    fcntl.ioctl(its_end, termios.TIOCSWINSZ,
                struct.pack('HHHH', 12, 100, 0, 0))
    out = b''
    with subprocess.Popen(args, stdout=its_end, env=env):
        os.close(its_end)
        while True:
            try:
                more = os.read(ours_end, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not more:
                break
            out += more
    os.close(ours_end)
    return out


def first_difference(got, want):
    for n, (a, b) in enumerate(zip(got.split(b'\n') + [None],
                                   want.split(b'\n') + [None])):
        if a != b:
            return 'line %d\n  got  %r\n  want %r' % (n + 1, a, b)
    return 'length'


def same(what, got, want, errors=()):
    """0, or 1 and a message."""
    if got == want:
        return 0
    print('FAIL: %s: %s %s' % (what, first_difference(got, want),
                               ' '.join(map(str, errors))))
    return 1
