# SPDX-License-Identifier: Apache-2.0
"""A thread that is read is as it was: asleep, stopped, or at work; and no
signal is lost."""
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time

from heaplib import Eater, Heap, equal, states, timed, tracers, wait_for

SIGRTMIN = int(signal.SIGRTMIN)
VISITS = 20
FORKS = """
import threading, time
def short():
    pass
while True:
    threads = [threading.Thread(target=short) for _ in range(8)]
    for t in threads: t.start()
    for t in threads: t.join()
"""

h = Heap()
e = Eater(threads=3)
wait_for(lambda: set(states(e.pid).values()) == {"S"})
equal(h.get(e.pid), (0, e.told), "asleep")
wait_for(lambda: set(states(e.pid).values()) == {"S"})

# stopped by a signal: it stays so, and goes on when it is told to
os.kill(e.pid, signal.SIGSTOP)
wait_for(lambda: set(states(e.pid).values()) == {"T"})
for _ in range(20):
    equal(h.get(e.pid), (0, e.told), "stopped")
    wait_for(lambda: set(states(e.pid).values()) == {"T"})
time.sleep(0.1)
equal(set(states(e.pid).values()), {"T"}, "stopped after")
os.kill(e.pid, signal.SIGCONT)
equal(h.get(e.pid), (0, e.say().told), "continued")

# signals that queue: each is delivered once
libc = ctypes.CDLL(None, use_errno=True)


class Sigval(ctypes.Union):
    _fields_ = [("i", ctypes.c_int), ("p", ctypes.c_void_p)]


enough = threading.Event()
sent = 0


def send():
    global sent
    while sent < 3000 or not enough.is_set():
        while libc.sigqueue(e.pid, SIGRTMIN, Sigval(i=1)) != 0:
            time.sleep(0.001)  # too many wait
        sent += 1
        if sent % 50 == 0:
            time.sleep(0.001)


sender = threading.Thread(target=send)
sender.start()
visits = 0
try:
    while sender.is_alive():
        equal(h.get(e.pid)[0], 0, "while signals come")
        visits += 1
        if visits == VISITS:
            enough.set()
finally:
    enough.set()
    sender.join()
wait_for(lambda: e.say("signals").extra == sent)
assert visits >= VISITS, visits
print("%d visits while %d signals came" % (visits, sent))

# it stops and goes on meanwhile, many times
for i in range(50):
    os.kill(e.pid, signal.SIGSTOP)
    equal(h.get(e.pid)[0], 0, "while it is stopped")
    os.kill(e.pid, signal.SIGCONT)
    equal(h.get(e.pid)[0], 0, "while it goes on")
wait_for(lambda: set(states(e.pid).values()) == {"S"})
equal(tracers(e.pid), set(), "tracers")
e.say("more")
equal(h.get(e.pid), (0, e.told), "after all")

# threads that run, and threads that end while they are read
busy = Eater(threads=2)
busy.say("spin")
for _ in range(20):
    error, threads = h.get(busy.pid)
    equal((error, len(threads)), (0, 4), "one that computes")
before = busy.say("spin").extra
wait_for(lambda: busy.say("spin").extra > before)
storm = subprocess.Popen([sys.executable, "-c", FORKS])
time.sleep(0.2)
for _ in range(100):
    h.ask(storm.pid)
    line = h.proc.stdout.readline().split()
    while line[0] != b"P":
        line = h.proc.stdout.readline().split()
equal(storm.poll(), None, "it goes on")
storm.kill()
storm.wait()

# what it costs
many = Eater(threads=60)
h.get(many.pid)
best = min(timed(lambda: h.get(many.pid))[1] for _ in range(20))
print("%.0f us per thread, of 61 that sleep" % (best / 61 * 1e6))
h.close()
for eater in (e, busy, many):
    eater.end()
