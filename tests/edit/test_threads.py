#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""archive with several threads: the same file with any number of them, and
nothing is left when it is stopped.  verify of it with two: the same words."""
import os
import shutil
import signal
import subprocess
import time

import editlib
import gstest


def argv(place, threads):
    return [gstest.binary('gpsnap'), 'archive', place, '--older-than', '0d',
            '-q', '--threads', str(threads)]


def prepare(tmp, name, source):
    place = os.path.join(tmp, name)
    os.mkdir(place)
    shutil.copy(source, place)
    return place


def content(place):
    (name,) = os.listdir(place)
    with open(os.path.join(place, name), 'rb') as f:
        return name, f.read()


def tasks(pid):
    """Of the process, or its child, which does the work."""
    try:
        return max(len(os.listdir('/proc/%d/task' % p))
                   for p in (pid, *gstest.children(pid)))
    except OSError:
        return 0


def run(place, threads):
    """What it makes, and how many threads it had at most."""
    most = 0
    with subprocess.Popen(argv(place, threads), env=editlib.ENV) as child:
        while child.poll() is None:
            most = max(most, tasks(child.pid))
            time.sleep(0.002)
    gstest.equal(child.returncode, 0, 'archive with %d threads' % threads)
    return content(place), most


def check_same(tmp, name, source):
    wanted, most = run(prepare(tmp, name + '1', source), 1)
    if not gstest.SANITIZED:
        gstest.equal(most, 1, 'threads of one')
    for threads in (2, 3, 7) if not gstest.SANITIZED else (3,):
        place = prepare(tmp, '%s%d' % (name, threads), source)
        made, most = run(place, threads)
        gstest.check(made == wanted, '%s: other bytes with %d threads'
                     % (name, threads))
        gstest.check(most > 1, '%d threads: %d' % (threads, most))
        editlib.gpsnap('verify', place, '-q', status=(0, 1))
    gstest.equal(*(editlib.gpsnap('verify', place, '--threads', n)
                   for n in '12'), 'verify with two threads')
    place = prepare(tmp, name + 'by-itself', source)
    editlib.gpsnap('archive', place, '--older-than', '0d', '-q')
    gstest.check(content(place) == wanted, name + ': other bytes by default')


def check_stopped(tmp, source):
    """At any moment: what was there stays, or the new file is complete."""
    for wait in (0.05, 0.2, 0.6):
        place = prepare(tmp, 'stopped%s' % wait, source)
        with subprocess.Popen(argv(place, 3), env=editlib.ENV,
                              stderr=subprocess.DEVNULL) as child:
            time.sleep(wait)
            child.send_signal(signal.SIGTERM)
        left = os.listdir(place)
        gstest.equal(len(left), 1, 'left: %r' % left)
        gstest.check(not left[0].endswith('.part'), 'left: %r' % left)
        editlib.gpsnap('verify', os.path.join(place, left[0]), '-q')


def main():
    with editlib.scratch() as tmp:
        day = os.path.join(tmp, 'day.gpsnap')
        subprocess.run([gstest.binary('make_test_day'), '-p', '120', '-t',
                        '4000', day, os.path.join(tmp, 'open.gpsnap')],
                       check=True)
        check_same(tmp, 'day', day)
        check_stopped(tmp, day)
        for wrong in ('0', '65', 'two'):
            editlib.gpsnap('archive', tmp, '--threads', wrong, status=64)


main()
