# SPDX-License-Identifier: Apache-2.0
"""Which processes are recorded when there is a database, and which not."""
import os
import shutil
import tempfile
import time

from agentlib import (ACTOR, ALL, APPEARED, BORN, EXITED, LEFT, Actor, Agent,
                      equal, in_pid_namespace, skip, wait_for)

if os.geteuid() == 0:
    in_pid_namespace(__file__)  # where no other test begins a server


def other_servers():
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            exe = os.readlink("/proc/%s/exe" % pid)
        except OSError:
            continue
        if os.path.basename(exe) in ("postgres", "postmaster"):
            return True


if other_servers():
    skip("a database server runs here")

with tempfile.TemporaryDirectory() as folder:
    server = folder + "/postgres"
    shutil.copy(ACTOR, server)

    def start(*words):
        return Actor(*words, executable=server, cwd=folder)

    sleepers = [Actor("say", "wait") for _ in range(3)]
    with Agent() as a:
        # no server: everything, and it says so
        a.tick()
        equal(a.host["database"], 0, "servers")
        equal(len(a.rows("process")), a.stats["read"], "all")
        assert all(r["role"] == 4 for r in a.rows("process"))
        us = a.process(os.getpid())
        assert us is not None and "title" not in us

        # a postmaster with a child
        parent = start("say", "fork", "say", "wait")
        child = int(parent.proc.stdout.readline())
        a.tick()
        equal(a.host["database"], 1, "servers")
        row = a.process(parent.pid)
        equal((row["role"], row["postmaster"], row.opened),
              (1, parent.pid, BORN), "postmaster")
        equal((a.process(child)["role"], a.process(child)["postmaster"]),
              (2, parent.pid), "child")
        assert a.process(child)["title"], "titles of the database's"
        # the others are gone, but for ten busy ones
        assert sum(r["role"] == 3 for r in a.rows("process")) <= 10
        why = {r.why for r in a.closed["process"]}
        assert LEFT in why and why <= {LEFT, EXITED}, why
        mounts = [r["mount"] for r in a.rows("fs")]
        assert b"/" in mounts, mounts

        # a busy one enters, and leaves after it was idle for ten ticks
        busy = Actor("say", "spin", 400, "wait")
        time.sleep(0.1)
        a.tick(busiest=3)
        time.sleep(0.1)
        a.tick(busiest=3)
        row = a.process(busy.pid)
        equal(row["role"], 3, "busy")
        assert row["cpu"] > 0 and "title" not in row
        wait_for(lambda: open("/proc/%d/stat" % busy.pid).read()
                 .split(") ")[1][0] == "S")
        ticks = 0
        while a.process(busy.pid):
            a.tick(busiest=3)
            ticks += 1
            assert ticks < 40
            time.sleep(0.02)
        assert ticks >= 10, ticks
        (row,) = [r for r in a.closed["process"] if r["pid"] == busy.pid]
        equal(row.why, LEFT, "why")
        a.tick(ALL)
        equal(a.process(busy.pid).opened, APPEARED, "asked for all")
        a.tick()
        assert a.process(busy.pid) is None
        busy.kill()

        # the parent dies: the child stays, and its new parent shows at once
        os.kill(parent.pid, 9)
        parent.proc.wait()
        a.tick()
        row = a.process(child)
        equal((row["role"], row["postmaster"]), (2, parent.pid), "orphan")
        assert row["ppid"] != parent.pid, "new parent"
        equal(a.host["database"], 0, "servers")
        assert a.process(os.getpid()) is None or \
            a.process(os.getpid())["role"] == 3, "not all at once"
        os.kill(child, 9)
    for sleeper in sleepers:
        sleeper.kill()

    # a backend without its postmaster is no server itself
    orphan = Actor("say", "wait", executable=server,
                   argv0="postgres: 5432, u d [local] idle")
    with Agent() as a:
        a.tick()
        row = a.process(orphan.pid)
        equal(row["role"], 2, "orphan")
        assert "postmaster" not in row
        equal(a.host["database"], 0, "servers")
    orphan.kill()
