# SPDX-License-Identifier: Apache-2.0
"""Threads: on request, with figures of their own, left alone while their
process is quiet; born, ended, and the same number again."""
import os
import threading
import time

from agentlib import (ALL, APPEARED, BORN, EXITED, LEFT, NO_QUIET, Actor,
                      Agent, equal)

THREADS = 64


def stat(pid, tid):
    with open("/proc/%d/task/%d/stat" % (pid, tid), "rb") as f:
        text = f.read()
    name = text[text.index(b"(") + 1:text.rindex(b")")]
    return name, text[text.rindex(b")") + 2:].split()


def status(pid, tid, key):
    with open("/proc/%d/task/%d/status" % (pid, tid)) as f:
        for line in f:
            if line.startswith(key + ":"):
                return int(line.split()[1])


def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def threads_of(agent, pid):
    return {r["tid"]: r for r in agent.rows("thread") if r["pid"] == pid}


stop = threading.Event()
ready = threading.Barrier(3)


def work():
    burn(0.15)
    ready.wait()
    stop.wait()


me = os.getpid()
sleeper = Actor("waker", 60000, "say", "wait")
sleeper.settle()
with Agent() as a:
    a.tick(ALL)
    equal(a.rows("thread"), [], "threads without being asked for")
    a.tick(ALL | THREADS)
    rows = threads_of(a, me)
    equal(sorted(rows), sorted(map(int, os.listdir("/proc/self/task"))),
          "threads of this process")
    equal(rows[me].opened, APPEARED, "the main thread was there")
    equal(len(threads_of(a, sleeper.pid)), 2, "threads of another")
    for tid, row in threads_of(a, sleeper.pid).items():
        name, field = stat(sleeper.pid, tid)
        equal(row["comm"], name, "name")
        equal(row["start"], int(field[19]), "start")
        equal(row["policy"], int(field[38]), "policy")
        equal(row["csw_vol"], status(sleeper.pid, tid,
                                     "voluntary_ctxt_switches"), "switches")
    # two threads begin, and each has its own time
    workers = [threading.Thread(target=work) for _ in range(2)]
    for w in workers:
        w.start()
    ready.wait()
    a.tick(ALL | THREADS)
    rows = threads_of(a, me)
    for w in workers:
        row = rows[w.native_id]
        equal(row.opened, BORN, "a thread that began")
        own = row["utime"] + row["stime"]
        assert 13 <= own <= 40, own
        if "cpu" in row:
            assert 140000 <= row["cpu"] <= 400000, row["cpu"]
    # a quiet process's threads are not looked at
    before = a.stats["read"]
    a.tick(ALL | THREADS)
    equal(len(threads_of(a, sleeper.pid)), 2, "threads of a quiet process")
    assert a.stats["quiet"] > 0 and before >= a.stats["read"] - 5, before
    stop.set()
    for w in workers:
        w.join()
    gone = {w.native_id for w in workers}
    a.tick(ALL | THREADS | NO_QUIET)
    equal(gone & set(threads_of(a, me)), set(), "threads that ended")
    equal({r.why for r in a.closed["thread"] if r["tid"] in gone}, {EXITED},
          "why")
    # another process's end is its threads'
    pid = sleeper.pid
    sleeper.kill()
    a.tick(ALL | THREADS)
    equal(threads_of(a, pid), {}, "threads of a process that ended")
    # asked for no more
    a.tick(ALL)
    equal(a.rows("thread"), [], "threads")
    equal({r.why for r in a.closed["thread"]}, {LEFT}, "why")
