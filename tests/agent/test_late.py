# SPDX-License-Identifier: Apache-2.0
"""Status of a process that runs is read by turns.  Switches and memory are those
of /proc at every tick all the same; the rest is as old as gpsnap-metrics(7)
says, whether the process goes on running or falls asleep."""
import os
import re
import subprocess
import sys
import tempfile
import time

import procparse
import registry
from agentlib import AGENT, ALL, Agent, equal

TICKS = 40
DROP = ("import ctypes, os, sys; ctypes.CDLL(None).prctl(24, 12, 0, 0, 0);"
        "os.execv(sys.argv[1], sys.argv[1:])")
# What must be right at every tick; all else of status is marked as late.
AT_ONCE = ("csw_vol", "csw_invol", "rss_anon", "rss_file", "rss_shmem",
           "vm_swap", "vm_data", "vm_stk", "uid", "vm_hwm")
STATUS = [r for r in registry.rows() if r["entity"] == "PROCESS"
          and r["source"] == "STATUS"]
LATE = [r["name"] for r in STATUS if "F_LATE" in r["flags"]]
# What the agent has from elsewhere whenever it changes, or what never does.
PROMPT = ["csw_vol", "csw_invol", "ns_pid"]
equal(sorted(r["name"] for r in STATUS), sorted(LATE + PROMPT), "marked late")


class Child:
    """A Python program that runs lines as it is told, and sleeps between."""

    CODE = """
import ctypes, mmap, os, sys, threading
anon = mmap.mmap(-1, 16 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
shared = mmap.mmap(-1, 16 << 20)
n = 0
def touch(area, pages):
    global n
    for _ in range(pages):
        area[n % 4096 * 4096] = 1
        n += 1
for line in sys.stdin:
    exec(line)
    print("done", flush=True)
"""

    def __init__(self):
        self.proc = subprocess.Popen(
            [sys.executable, "-c", self.CODE], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, bufsize=1)
        self.pid = self.proc.pid
        self.do("pass")

    def do(self, line):
        self.proc.stdin.write(line + "\n")
        self.proc.stdin.flush()
        assert self.proc.stdout.readline() == "done\n"
        read = procparse.reader(self.pid)
        while procparse.stat(read("stat"))["state"] != ord("S"):
            time.sleep(0.002)

    def end(self):
        self.proc.stdin.close()
        self.proc.wait()


def check(agent, child, names):
    real = procparse.status(procparse.reader(child.pid)("status"))
    row = agent.process(child.pid)
    for name in names:
        equal(row.get(name), real.get(name), "%d %s" % (child.pid, name))


def steps(child, i):
    """Nothing, memory of three kinds, addresses, a stack, a thread that ends."""
    return ("pass", "touch(anon, 3)", "touch(shared, 2)",
            "m = mmap.mmap(-1, 1 << 20)", "m.resize(2 << 20)",
            "f = open(sys.executable, 'rb'); g = mmap.mmap(f.fileno(), 65536,"
            " prot=1); g[%d]" % (4096 * (i % 16)),
            "touch(anon, 200)")[i % 7]


def reads(path, pid):
    with open(path, "rb") as f:
        return len(re.findall(rb"^tick \d+ proc/%d/status " % pid,
                              f.read(), re.M))


def all_steps(argv, dump):
    """At many short ticks, so that turns are far apart."""
    child, calm = Child(), Child()
    threads = Child()
    with Agent(argv=argv + ["--dump-reads", dump]) as agent:
        agent.tick(ALL)
        for i in range(TICKS):
            child.do(steps(child, i))
            calm.do("pass")
            threads.do("t = threading.Thread(target=lambda: None);"
                       " t.start(); t.join()")
            agent.tick(ALL)
            for c in (child, calm):
                check(agent, c, AT_ONCE)
            check(agent, threads, ("csw_vol", "csw_invol"))
        works = agent.host.get("taskstats") == 1
    for c in (child, calm, threads):
        c.end()
    return works, reads(dump, child.pid), reads(dump, calm.pid)


def late():
    """By ticks of 1 s: of some that go on running, and of some that change
    themselves and sleep from then on.  Their turns are at different ticks."""
    run, sleep = [Child() for _ in range(5)], [Child() for _ in range(5)]
    root = os.geteuid() == 0
    for c in run + sleep:
        # later calls need no code that is not in memory, nor are its rights
        # used for the first time: nothing shows them
        c.do("libc = ctypes.CDLL(None); at = ctypes.c_void_p("
             "ctypes.addressof(ctypes.c_char.from_buffer(anon)));"
             " anon[0] = 1; libc.mlock(at, 4096); libc.munlock(at, 4096)")
        if root:
            c.do("os.setgid(0); os.setresuid(0, 0, 0)")
    with Agent() as agent:
        for _ in range(3):
            agent.tick(ALL)
            for c in run + sleep:
                c.do("pass")
            time.sleep(1)
        agent.tick(ALL)
        for c in run + sleep:
            c.do("libc.mlock(at, 4096)")
            c.do("os.sched_setaffinity(0, {0})")
            if root:
                c.do("os.setgid(65534); os.setresuid(65534, 65534, 65534)")
        agent.tick(ALL)
        early = [agent.process(c.pid)["vm_lck"] for c in run + sleep]
        since, ticks = time.monotonic(), 0
        while ticks < 30 or time.monotonic() - since < 30.5:
            # the last one is late, which must not put the turn off
            time.sleep(1.5 if ticks == 29 else 1)
            for c in run:
                c.do("pass")
            agent.tick(ALL)
            ticks += 1
            for c in run:
                check(agent, c, ("csw_vol", "csw_invol"))
        for c in run + sleep:
            check(agent, c, LATE)
            equal(agent.process(c.pid)["vm_lck"], 4, "locked")
            if root:
                equal(agent.process(c.pid)["uid"], 65534, "uid")
    for c in run + sleep:
        c.end()
    return early


with tempfile.TemporaryDirectory() as where:
    works, moved, calm = all_steps([AGENT], os.path.join(where, "with"))
    if works:
        # the first two, and its turn; else nothing points at it
        assert calm < TICKS / 4, calm
        assert moved < TICKS, moved
    else:
        assert calm >= TICKS, calm
    print("delays %d: status read %d and %d times of %d"
          % (works, moved, calm, TICKS + 1))
    # without delays nothing else tells the switches
    works, moved, calm = all_steps([sys.executable, "-c", DROP, AGENT],
                                   os.path.join(where, "without"))
    assert not works and calm >= TICKS and moved >= TICKS, (moved, calm)
print("locked, at the tick after: %s KiB" % late())
