# SPDX-License-Identifier: Apache-2.0
"""Programs whose counters are known, and gpsnap-heap to read them."""
import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.environ["GPSNAP_AGENTLIB"])
from agentlib import AGENT, Agent, equal, skip, wait_for  # noqa: E402,F401

HEAP = os.environ["GPSNAP_HEAP"]
BIN = os.environ["GPSNAP_EATERS"]
JEMALLOC = os.environ["GPSNAP_JEMALLOC"]
if JEMALLOC.endswith("NOTFOUND"):
    JEMALLOC = ""
SANITIZE = os.environ["GPSNAP_SANITIZE"] == "1"
NOBODY = {"user": 65534, "group": 65534, "extra_groups": []}
alive = []


@atexit.register
def end_all():
    for proc in alive:
        proc.kill()
        proc.wait()


class Eater:
    """A process with threads that allocate; told: {tid: (allocated,
    deallocated)} as it says itself."""

    def __init__(self, which="heap_eater_own", threads=3, size=100000,
                 argv0=None, **more):
        self.path = which if "/" in which else BIN + "/" + which
        self.proc = subprocess.Popen(
            [argv0 or self.path, str(threads), str(size)],
            executable=self.path, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, **more)
        alive.append(self.proc)
        self.pid = self.proc.pid
        self.read()

    def read(self):
        self.told, self.extra = {}, None
        for line in iter(self.proc.stdout.readline, b"\n"):
            assert line, "it ended"
            words = [int(w) for w in line.split()]
            if len(words) == 1:
                self.extra = words[0]
            else:
                self.told[words[0]] = (words[1], words[2])
        return self

    def say(self, word=""):
        self.proc.stdin.write(word.encode() + b"\n")
        self.proc.stdin.flush()
        return self.read()

    @property
    def total(self):
        return tuple(sum(v[i] for v in self.told.values()) for i in (0, 1))

    @property
    def start(self):
        return start_of(self.pid)

    def end(self):
        self.proc.kill()
        self.proc.wait()


def stat_of(pid, tid=None):
    with open("/proc/%d/task/%d/stat" % (pid, tid or pid), "rb") as f:
        return f.read().rsplit(b") ", 1)[1].split()


def start_of(pid):
    return int(stat_of(pid)[19])


def states(pid):
    return {int(t): stat_of(pid, int(t))[0].decode()
            for t in os.listdir("/proc/%d/task" % pid)}


def tracers(pid):
    found = set()
    for tid in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/status" % (pid, tid)) as f:
            found |= {int(line.split()[1]) for line in f
                      if line.startswith("TracerPid:")}
    return found - {0}


class Heap:
    """gpsnap-heap, as the agent talks to it."""

    def __init__(self, argv=None, **more):
        self.proc = subprocess.Popen(argv or [HEAP], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, **more)
        alive.append(self.proc)

    def ask(self, pid, start=None, named=0):
        self.proc.stdin.write(b"%d %d %d\n" % (
            pid, start_of(pid) if start is None else start, named))
        self.proc.stdin.flush()

    def receive(self, pid):
        """(error, {tid: (allocated, deallocated), or None if busy})."""
        threads = {}
        while True:
            line = self.proc.stdout.readline()
            assert line, "gpsnap-heap ended"
            kind, *words = line.split()
            words = [int(w) for w in words]
            equal(words[0], pid, "pid")
            if kind == b"P":
                return words[2], threads
            equal(words[2], int(stat_of(pid, words[1])[19]), "start")
            threads[words[1]] = tuple(words[3:]) if kind == b"T" else None

    def get(self, pid, start=None, named=0):
        self.ask(pid, start, named)
        return self.receive(pid)

    def close(self):
        self.proc.stdin.close()
        equal(self.proc.wait(), 0, "its end")


LOGGED = 'exec tee -a %(log)s | %(heap)s'


class Beside:
    """An agent with another gpsnap-heap beside it: a script."""

    def __init__(self, script=LOGGED):
        self.folder = tempfile.TemporaryDirectory()
        os.chmod(self.folder.name, 0o755)
        self.agent = shutil.copy(AGENT, self.folder.name)
        self.log = self.folder.name + "/log"
        if script:
            path = self.folder.name + "/gpsnap-heap"
            with open(path, "w") as f:
                f.write("#!/bin/sh\n" + script % {
                    "log": self.log, "heap": HEAP} + "\n")
            os.chmod(path, 0o755)

    def asked(self):
        """Lines that the agent wrote."""
        if not os.path.exists(self.log):
            return []
        with open(self.log) as f:
            return [tuple(map(int, line.split())) for line in f]

    def start(self, **env):
        return Agent(argv=[self.agent], env={**os.environ, **env})


def timed(fn):
    begin = time.perf_counter()
    value = fn()
    return value, time.perf_counter() - begin
