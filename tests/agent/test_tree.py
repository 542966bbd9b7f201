# SPDX-License-Identifier: Apache-2.0
"""A captured tree, reached by a link that moves; roles of a Greenplum."""
import os
import shutil
import tempfile
import time

import procparse
from agentlib import ALL, APPEARED, ARGUMENTS, EXITED, Agent, equal

TREE = os.environ["GPSNAP_SOURCE"] + "/samples/proc/greenplum6-6.18"


def reader(tick, pid):
    def read(name):
        path = "%s/%s/proc/%d/%s" % (TREE, tick, pid, name)
        return open(path, "rb").read() if os.path.exists(path) else None
    return read


def point(tick):
    os.symlink(TREE + "/" + tick, link + ".new")
    os.rename(link + ".new", link)


with tempfile.TemporaryDirectory() as folder:
    link = folder + "/now"
    point("tick-00")
    with Agent("--root", link) as a:
        for tick in ("tick-00", "tick-01", "tick-00"):
            point(tick)
            a.tick()
            pids = sorted(int(d) for d in os.listdir(
                "%s/%s/proc" % (TREE, tick)) if d.isdigit())
            equal(sorted(r["pid"] for r in a.rows("process")), pids, "pids")
            for pid in pids:
                row, read = a.process(pid), reader(tick, pid)
                for name, v in procparse.process(read).items():
                    equal(row.get(name), v, "%d %s" % (pid, name))
                title = procparse.title(read("cmdline"))
                equal(row["title"], title, "title")
                server = b"/bin/postgres" in title
                equal(row["role"], 1 if server else 2, "role")
                equal(row["postmaster"], pid if server else row["ppid"],
                      "postmaster")
                assert "cpu" not in row
                equal(row["sched_run"],
                      int(read("schedstat").split()[0]) // 1000,
                      "sched_run")
            # its own clocks
            up = open("%s/%s/proc/uptime" % (TREE, tick)).read().split()[0]
            ns = int(up.replace(".", "")) * 10_000_000
            equal(a.block.boot_ns, ns, "boot clock")
            equal(a.block.mono_ns, ns, "monotonic clock")
            equal(a.block.wall_ns,
                  a.host["btime"] * 1_000_000_000 + ns, "wall clock")
            equal(a.host["procfs"], 0, "procfs")
            equal(a.host["database"], 2, "postmasters")
            for name in ("machine", "utc_offset", "name", "boot_id"):
                assert name not in a.host, name
            equal(a.stats["quiet"], 0, "quiet")
        # nothing of it is kept open
        for fd in os.listdir("/proc/%d/fd" % a.pid):
            to = os.readlink("/proc/%d/fd/%s" % (a.pid, fd))
            assert "samples" not in to, to


# a tree of another boot: all rows end, and others appear in their place
with tempfile.TemporaryDirectory() as root, Agent("--root", root) as a:
    def boot(tick, boot_id):
        if os.path.isdir(root + "/proc"):
            shutil.rmtree(root + "/proc")
        shutil.copytree(TREE + "/" + tick + "/proc", root + "/proc")
        os.makedirs(root + "/proc/sys/kernel/random")
        with open(root + "/proc/sys/kernel/random/boot_id", "w") as f:
            f.write(boot_id + "\n")

    boot("tick-00", "aaaa")
    a.tick()
    boot("tick-01", "aaaa")
    a.tick()
    equal(a.opened["cpu"] if "cpu" in a.opened else [], [], "the same boot")
    slots = {e: {r.slot for r in a.rows(e)} for e in
             ("process", "cpu", "disk", "net", "agent", "postmaster")}
    pids = {r["pid"] for r in a.rows("process")}
    boot("tick-00", "bbbb")
    a.tick()
    for e, before in slots.items():
        assert before, e
        equal({r.slot for r in a.closed[e]}, before, "closed " + e)
        assert all(r.why == EXITED for r in a.closed[e]), e
        assert not before & {r.slot for r in a.rows(e)}, "slots of " + e
        assert all(r.opened == APPEARED for r in a.rows(e)), e
    equal({r["pid"] for r in a.rows("process")}, pids, "pids")
    equal((a.host["boot_id"], a.closed.get("host", [])), (b"bbbb", []),
          "host")
    boot("tick-01", "bbbb")
    a.tick()
    equal({r["pid"] for r in a.rows("process")}, pids, "pids go on")
    assert not a.closed.get("process") and not a.opened.get("process")

    # a clock that no tree has
    with open(root + "/proc/stat", "a") as f:
        f.write("btime 9223372036854775807\n")
    with open(root + "/proc/uptime", "w") as f:
        f.write("99999999999999999.00 1.00\n")
    a.tick()
    assert abs(a.block.wall_ns / 1e9 - time.time()) < 3600, a.block.wall_ns


# links lead nowhere but below the root
with tempfile.TemporaryDirectory() as folder:
    root, pid = folder + "/root", 28983
    shutil.copytree(TREE + "/tick-00", root)
    with open(folder + "/secret", "w") as f:
        f.write("hidden\n")
    for name in ("%d/cmdline" % pid, "%d/wchan" % pid, "sys/kernel/hostname"):
        path = "%s/proc/%s" % (root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.lexists(path):
            os.unlink(path)
        os.symlink(folder + "/secret", path)
    # a directory of a process elsewhere
    shutil.copytree("%s/proc/%d" % (root, pid), folder + "/7777",
                    symlinks=True)
    os.symlink(folder + "/7777", root + "/proc/7777")
    # an absolute link starts from the root
    os.rename(root + "/proc/uptime", root + "/up")
    os.symlink("/up", root + "/proc/uptime")
    with Agent("--root", root) as a:
        a.tick(ALL | ARGUMENTS)
        assert a.block.boot_ns > 0, "a link within the root"
        assert "title" not in a.process(pid) or not a.process(pid)["title"]
        assert "name" not in a.host, a.host.get("name")
        assert a.process(7777) is None
        assert not any(b"hidden" in t for t in a.texts.values())
