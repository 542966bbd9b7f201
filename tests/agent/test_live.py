# SPDX-License-Identifier: Apache-2.0
"""Rows of sleeping processes, held against our own reading of /proc."""
import os
import time

import procparse
from agentlib import (ALL, ARGUMENTS, BORN, APPEARED, EXITED, FDS, SMAPS,
                      STACK, Actor, Agent, equal, wait_for)

old = Actor("eat", 3000, "spin", 20, "say", "wait").settle()
with Agent() as a:
    a.tick(ALL | ARGUMENTS)
    row = a.process(old.pid)
    equal(row.opened, APPEARED, "old process")
    want = procparse.process(procparse.reader(old.pid))
    for name, value in want.items():
        equal(row.get(name), value, name)
    equal(row["title"], procparse.title(
        open("/proc/%d/cmdline" % old.pid, "rb").read()), "title")
    ns = time.clock_gettime_ns((~old.pid << 3) | 2)
    equal(row["cpu"], ns // 1000, "cpu clock")
    equal(row["role"], 4, "role")
    assert "sched_run" not in row, "the clock can be read"
    assert "private" not in row, "RssAnon is there"
    assert "fds" not in row and "pss" not in row, "not asked for"
    if a.host.get("task_delayacct") != 1:
        assert "blkio_delay" not in row

    # born between two ticks: counts from zero
    a.tick(ALL)
    new = Actor("spin", 30, "say", "wait").settle()
    a.tick(ALL)
    row = a.process(new.pid)
    equal(row.opened, BORN, "new process")
    assert row["cpu"] >= 30e3
    # asked for: at once, for all
    a.tick(ALL | FDS | STACK | SMAPS)
    row = a.process(new.pid)
    equal(row["fds"], len(os.listdir("/proc/%d/fd" % new.pid)), "fds")
    roll = procparse.reader(new.pid)("smaps_rollup").decode().split()
    # pages of libc are divided by all who use them just then
    pss = int(roll[roll.index("Pss:") + 1])
    assert abs(row["pss"] - pss) <= 64, (row["pss"], pss)
    equal(row["private_dirty"],
          int(roll[roll.index("Private_Dirty:") + 1]), "private_dirty")
    smaps = procparse.reader(new.pid)("smaps").decode()
    stack = smaps[smaps.index("[stack]"):].split()
    equal(row["stack_size"], int(stack[stack.index("Size:") + 1]), "stack")
    equal(row["stack_ref"],
          int(stack[stack.index("Referenced:") + 1]), "stack_ref")
    # and gone again
    a.tick(ALL)
    assert "fds" not in a.process(new.pid)

    # the end of a child: a zombie without memory, then nothing
    os.kill(new.pid, 9)
    wait_for(lambda: b") Z" in procparse.reader(new.pid)("stat"))
    a.tick(ALL)
    row = a.process(new.pid)
    equal(chr(row["state"]), "Z", "state")
    for name in ("vsize", "rss", "vm_hwm", "rss_anon"):
        assert name not in row, name
    new.kill()
    a.tick(ALL)
    assert a.process(new.pid) is None
    (gone,) = [r for r in a.closed["process"] if r["pid"] == new.pid]
    equal(gone.why, EXITED, "why")

    # kernel threads have no memory either
    kthreads = [r for r in a.rows("process") if r["flags"] & 0x200000]
    for row in kthreads:
        assert "vsize" not in row and "rss_anon" not in row
        assert "title" not in row

    # the agent about itself
    s = a.stats
    equal(s["seen"], s["read"] + s["quiet"] + s["lost"], "sum of counts")
    assert s["rss"] < 64000 and s["cpu"] > 0
    # the host
    h = a.host
    equal(h["page_size"], os.sysconf("SC_PAGESIZE"), "page size")
    equal(h["cpus"], len(a.rows("cpu")), "cpus")
    equal(h["kernel"].decode(), os.uname().release, "kernel")
    root = [r for r in a.rows("fs") if r["mount"] == b"/"]
    if root:
        v = os.statvfs("/")
        equal(root[0]["size"], v.f_blocks * v.f_frsize // 1024, "size")
old.kill()
