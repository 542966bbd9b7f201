# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL that uses jemalloc: neither its processes nor what they start
are ever attached to, unless they are named; then it goes on answering."""
import errno
import os
import sys
import time

sys.path.insert(0, os.path.join(os.environ["GPSNAP_AGENTLIB"], "..", "lib"))
import gstest  # noqa: E402
from heaplib import (JEMALLOC, SANITIZE, Beside, Eater, Heap,  # noqa: E402
                     equal, skip, wait_for)
from agentlib import ALL  # noqa: E402

THREADS, WITH_HEAP = 64, 256
if not JEMALLOC or SANITIZE:
    skip("no libjemalloc.so.2, or one that would have to be preloaded")


class WithJemalloc(gstest.Postgres):
    def env(self):
        return {**super().env(), "LD_PRELOAD": JEMALLOC}


def heap_of(agent, pid):
    if not agent.seq:
        return None
    return (agent.process(pid) or {}).get("heap_allocated")


def below(pid):
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
            pids = [int(p) for p in f.read().split()]
    except FileNotFoundError:
        return []  # it has just ended
    return pids + [q for p in pids for q in below(p)]


def program(pid):
    try:
        return os.path.basename(os.readlink("/proc/%d/exe" % pid))
    except FileNotFoundError:
        return None


other = Eater()
with WithJemalloc() as server:
    # a program that a backend runs, with jemalloc as well
    client = server.popen(["psql", "-X", "-c", "copy (select 1) to program "
                           "'sleep 1000'"])
    wait_for(lambda: any(program(p) == "sleep" for p in below(server.server.pid)), 20)
    pids = [server.server.pid] + below(server.server.pid)
    b = Beside()
    with b.start() as a:
        end = time.monotonic() + 3
        while time.monotonic() < end or heap_of(a, other.pid) is None:
            a.tick(ALL | WITH_HEAP | THREADS, heap_interval_s=1)
            time.sleep(0.2)
            assert time.monotonic() < end + 20, "the other was not read"
        assert all(a.process(p) for p in pids), "recorded"
        equal([heap_of(a, p) for p in pids], [None] * len(pids), "read")
        asked = {line[0] for line in b.asked()}
        equal(asked & set(pids), set(), "asked for")
        assert other.pid in asked
    # named, but not by number
    with b.start() as a:
        for _ in range(10):
            a.tick(WITH_HEAP, comm=["postgres"], heap_interval_s=1)
            time.sleep(0.1)
        assert a.process(server.server.pid), "recorded"
        equal({line[0] for line in b.asked()} & set(pids), set(), "by name")
    # the program itself refuses
    h = Heap()
    servers = [p for p in pids if program(p) == "postgres"]
    assert len(servers) >= 5, servers
    for pid in servers:
        equal(h.get(pid), (errno.ECANCELED, {}), "refuses")
    h.close()
    # named by number
    with b.start() as a:
        end = time.monotonic() + 20
        while not all(heap_of(a, p) for p in servers):
            a.tick(WITH_HEAP, pid=servers, heap_interval_s=1)
            time.sleep(0.1)
            assert time.monotonic() < end, "not read"
    equal(server.sql("select 6 * 7"), "42", "it answers")
    assert server.server.poll() is None
    client.kill()
    client.wait()
other.end()
