#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""kill -9 of a real recorder, again and again: what is in the file is whole,
and at most the tick in flight is missing."""
import os
import random
import time

from rec import KILL, main, size, wait_for, want

ROUNDS = 25


def killed(p):
    rng = random.Random(7)
    for i in range(ROUNDS):
        name = 'k%d.gpsnap' % i
        proc = p.start('-i', 0.1, '-o', name, '-q', '--all')
        wait_for(lambda: size(p.path(name)) > 0, 'first tick')
        time.sleep(rng.random() * 0.7)
        now = time.time_ns()
        status, _ = p.end(proc, KILL)
        want(status, -9, 'status')
        rec = p.read(name)
        whole = not rec.damage
        torn = len(rec.damage) == 1 and rec.damage[0][1] == 'no whole frame'
        want(whole or torn, True, 'damage: %r' % rec.damage)
        want(rec.closed, False, 'no footer')
        want(rec.seqs(), list(range(1, len(rec.ticks) + 1)), 'sequence')
        # The tick before the one in flight is there.
        want(now - rec.walls()[-1] < 4 * 10**8, True, 'age of the last tick')
        os.unlink(p.path(name))


def directory_is_free_again(p):
    for _ in range(3):
        n = len(p.files('d')) if os.path.isdir(p.path('d')) else 0
        proc = p.start('-i', 0.1, '-o', 'd/', '-q')
        wait_for(lambda: os.path.isdir(p.path('d')) and
                 len(p.files('d')) == n + 1, 'file')
        p.end(proc, KILL)


if __name__ == '__main__':
    main([killed, directory_is_free_again], fake=False)
