# SPDX-License-Identifier: Apache-2.0
"""gpsnap-heap is killed in the middle of its work: what it was reading goes
on, as if nothing had happened."""
import os
import random
import signal
import time

from heaplib import Eater, Heap, equal, states, tracers, wait_for

ROUNDS = 60
sleeping = Eater(threads=40)
running = Eater(threads=2)
stopped = Eater(threads=2)
running.say("spin")
os.kill(stopped.pid, signal.SIGSTOP)
wait_for(lambda: set(states(stopped.pid).values()) == {"T"})
eaters = (sleeping, running, stopped)
start = {e.pid: e.start for e in eaters}
random.seed(1)


def killed():
    """Whether it was attached to a thread when it was killed."""
    h = Heap()
    h.get(sleeping.pid)  # knows the file
    for _ in range(40):
        for e in eaters:
            h.ask(e.pid, start[e.pid])
    # its answers fill the pipe unless they are read
    os.set_blocking(h.proc.stdout.fileno(), False)
    end = time.monotonic() + random.uniform(0.0005, 0.004)
    while time.monotonic() < end:
        try:
            os.read(h.proc.stdout.fileno(), 65536)
        except BlockingIOError:
            pass
    os.kill(h.proc.pid, signal.SIGSTOP)  # as it is now
    wait_for(lambda: set(states(h.proc.pid).values()) == {"T"})
    held = any(h.proc.pid in tracers(e.pid) for e in eaters)
    h.proc.kill()
    h.proc.wait()
    return held


within = 0
for i in range(ROUNDS):
    within += killed()
    for e in eaters:
        wait_for(lambda: not tracers(e.pid))
    wait_for(lambda: set(states(sleeping.pid).values()) == {"S"}, 2)
    # a thread that was let go may still be on its way back to its stop
    wait_for(lambda: set(states(stopped.pid).values()) == {"T"}, 2)
    equal(set(states(stopped.pid).values()), {"T"}, "stays stopped")
    assert not set(states(running.pid).values()) & {"T", "t"}, "it runs"
before = running.say("spin").extra
wait_for(lambda: running.say("spin").extra > before, 2)
os.kill(stopped.pid, signal.SIGCONT)
h = Heap()
for e in eaters:
    e.say("more")
    wait_for(lambda: e.told.items() <= h.get(e.pid)[1].items())
h.close()
print("%d of %d times a thread was attached" % (within, ROUNDS))
assert within >= 5, within
for e in eaters:
    e.end()
