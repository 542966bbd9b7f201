#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where the kernel has no Landlock, no seccomp or neither, or a container does
not allow them, a command goes on, says so, and uses the other one.

A seccomp filter of the test's plays that kernel."""
import ctypes
import ctypes.util
import errno
import os
import subprocess

import attacklib
import gstest
from attacklib import Room
from gstest import check, equal

ALLOW, ERRNO = 0x7fff0000, 0x00050000
EQUAL = 4
LANDLOCK_CREATE_RULESET = 444
PR_SET_SECCOMP = 22

NOT_THERE = 'this kernel does not have it'
NOT_ALLOWED = 'the system or the container does not allow it'


class Compare(ctypes.Structure):
    _fields_ = [('arg', ctypes.c_uint), ('op', ctypes.c_int),
                ('a', ctypes.c_uint64), ('b', ctypes.c_uint64)]


def library():
    try:
        lib = ctypes.CDLL('libseccomp.so.2', use_errno=True)
    except OSError:
        gstest.skip('libseccomp is not there')
    lib.seccomp_init.restype = ctypes.c_void_p
    for name in ('seccomp_load', 'seccomp_rule_add_array'):
        getattr(lib, name).argtypes = {
            'seccomp_load': [ctypes.c_void_p],
            'seccomp_rule_add_array': [
                ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int,
                ctypes.c_uint, ctypes.POINTER(Compare)]}[name]
    return lib


def refuse(lib, what, error):
    """A function for the child, which then has a kernel without these."""
    call = {name: lib.seccomp_syscall_resolve_name(name.encode())
            for name in ('seccomp', 'prctl')}

    def now():
        ctx = lib.seccomp_init(ALLOW)
        set_filter = Compare(0, EQUAL, PR_SET_SECCOMP, 0)
        rules = []
        if 'landlock' in what:
            rules.append((LANDLOCK_CREATE_RULESET, 0, None))
        if 'seccomp' in what:
            rules.append((call['seccomp'], 0, None))
            rules.append((call['prctl'], 1, ctypes.byref(set_filter)))
        for number, n, compare in rules:
            if lib.seccomp_rule_add_array(ctx, ERRNO | error, number, n,
                                          compare):
                os._exit(99)
        if lib.seccomp_load(ctx):
            os._exit(99)
    return now


def run(room, before, *more, attack=''):
    done = subprocess.run(
        [gstest.binary('gpsnap'), 'info', room.sample, *more],
        cwd=room.file('work'), env=room.env(attack), preexec_fn=before,
        text=True, check=False, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE)
    if done.returncode == 99:
        gstest.skip('this kernel has no seccomp')
    if not attack:  # else the recording may be what was changed
        equal(done.returncode, 0, 'status:\n' + done.stderr)
    return done


def main():
    attacklib.need_sandbox()
    lib = library()
    with Room() as room:
        plain = run(room, None).stdout
        for what, error, why in (
                (['landlock', 'seccomp'], errno.ENOSYS, NOT_THERE),
                (['landlock', 'seccomp'], errno.EPERM, NOT_ALLOWED),
                (['landlock'], errno.ENOSYS, NOT_THERE),
                (['seccomp'], errno.ENOSYS, NOT_THERE)):
            before = refuse(lib, what, error)
            room.clean()
            equal(run(room, before).stdout, plain, 'info without %s' % what)
            said = ' '.join(run(room, before, '--explain-sandbox')
                            .stdout.split())
            for name, is_gone in (('Landlock', 'landlock' in what),
                                  ('seccomp', 'seccomp' in what)):
                equal('no %s: %s' % (name, why) in said, is_gone,
                      'without %s: %s' % (what, said))
            done = run(room, before, attack='all')
            attacklib.check_refused(
                'without %s' % what, done.stderr,
                ('landlock' not in what, 'seccomp' not in what))


main()
