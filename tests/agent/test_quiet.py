# SPDX-License-Identifier: Apache-2.0
"""Rows of an agent that leaves out quiet processes agree with those of one
that reads all: counters when all is at rest, gauges within a minute."""
import os
import resource
import shutil
import subprocess
import tempfile
import time

import procparse
import registry
from agentlib import ALL, NO_QUIET, Actor, Agent, equal

sleepers = [Actor("eat", 2000, "say", "wait") for _ in range(10)]
wakers = [Actor("eat", 2000, "waker", 250, "say", "wait") for _ in range(5)]
mapped = tempfile.NamedTemporaryFile()
mapped.write(b"x" * 8000000)
mapped.flush()
os.fsync(mapped.fileno())
victim = Actor("map", mapped.name, "say", "wait")
family = Actor("say", "fork", "say", "wait")
child = int(family.proc.stdout.readline())
# It executes a database server when it is told, long after it was first seen.
place = tempfile.TemporaryDirectory()
shutil.copy("/bin/sleep", place.name + "/postgres")
late = subprocess.Popen(["/bin/sh", "-c", "read x; exec %s/postgres 100"
                         % place.name], stdin=subprocess.PIPE)
notes = []
for x in [*sleepers, victim]:
    x.settle()


def pageout(pid):
    """process_madvise(MADV_PAGEOUT) on all memory of a process."""
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    areas = []
    for line in open("/proc/%d/maps" % pid):
        lo, hi = (int(x, 16) for x in line.split()[0].split("-"))
        if lo < 1 << 63:
            areas.append((lo, hi - lo))
    buf = (ctypes.c_size_t * (2 * len(areas)))(*sum(areas, ()))
    fd = os.pidfd_open(pid)
    done = sum(max(0, libc.syscall(440, fd, ctypes.byref(buf, 16 * i), 1,
                                   21, 0)) for i in range(len(areas)))
    os.close(fd)
    return done


def resident(pid):
    s = procparse.status(procparse.reader(pid)("status"))
    return s["rss_anon"] + s["rss_file"] + s["rss_shmem"]


def pid_of(actors):
    return [x.pid for x in actors]


watched = pid_of(sleepers) + pid_of(wakers) + [victim.pid, family.pid, child]


def compare(quiet, full, pids, names):
    for pid in pids:
        q, f = quiet.process(pid), full.process(pid)
        for name in names:
            equal(q.get(name), f.get(name), "%d %s" % (pid, name))


def cgroup_move(pid):
    """Moves pid to a group of its own; the folder, or None."""
    for base in ("/sys/fs/cgroup/memory", "/sys/fs/cgroup"):
        here = os.path.join(base, "gpsnap-test-%d" % os.getpid())
        try:
            os.mkdir(here)
            with open(here + "/cgroup.procs", "w") as f:
                f.write(str(pid))
            return here
        except OSError as e:
            notes.append("cgroup move: %s" % e)
            if os.path.isdir(here):
                os.rmdir(here)
    return None


# What a file says of one that sleeps is not read again.
of_running = [r["name"] for r in registry.rows() if r["entity"] == "PROCESS"
              and r["source"] in ("STATUS", "IO", "CMDLINE")]
OF_OTHERS = [r["name"] for r in registry.rows() if r["entity"] == "PROCESS"
             and "F_SELDOM" in r["flags"]] + ["ppid", "threads"]
group = None
with Agent() as quiet, Agent() as full:
    def both():
        quiet.send(ALL)
        full.send(ALL | NO_QUIET)
        quiet.receive()
        full.receive()

    both()
    n_quiet = n_seen = 0
    changed_at = None
    for i in range(15):
        time.sleep(1)
        if i == 1:
            subprocess.run(["renice", "-n", "7", "-p", str(sleepers[0].pid)],
                           check=True, stdout=subprocess.DEVNULL)
            os.sched_setaffinity(sleepers[2].pid, {0})
            os.sched_setscheduler(sleepers[3].pid, os.SCHED_BATCH,
                                  os.sched_param(0))
            resource.prlimit(sleepers[4].pid, resource.RLIMIT_RSS,
                             (1 << 30, 1 << 30))
            before = resident(victim.pid)
            notes.append("madvise: %d bytes advised" % pageout(victim.pid))
            notes.append("resident: %d -> %d KiB"
                         % (before, resident(victim.pid)))
            group = cgroup_move(sleepers[1].pid)
            os.kill(family.pid, 9)
            family.proc.wait()
            watched.remove(family.pid)
            changed_at = time.monotonic()
        if i == 12:
            late.stdin.write(b"\n")
            late.stdin.flush()
        both()
        if i == 14:
            equal(quiet.process(late.pid)["role"], 1, "it is a server now")
        n_quiet += quiet.stats["quiet"]
        n_seen += quiet.stats["seen"]
        if i == 1:
            # children of the dead are looked at at once
            equal(quiet.process(child)["ppid"],
                  procparse.stat(procparse.reader(child)("stat"))["ppid"],
                  "new parent")
        # counters of what sleeps agree at every tick
        compare(quiet, full, pid_of(sleepers),
                ("cpu", "utime", "stime", "minflt", "csw_vol", "rchar",
                 "run_delay", "timeslices"))
        # and all that their files say, where nothing was done to them
        compare(quiet, full, pid_of(sleepers[3:]), of_running)
        for w in wakers:
            q, f = quiet.process(w.pid), full.process(w.pid)
            # read at slightly different times, so either may be ahead
            assert abs(f["cpu"] - q["cpu"]) < 1.5e3, (q["cpu"], f["cpu"])
    # what others changed: within 60 s, or 30 ticks where the machine is slow
    ticks = i + 1
    while ticks < 32 or time.monotonic() - changed_at < 60.5:
        time.sleep(1)
        both()
        ticks += 1
    compare(quiet, full, watched, OF_OTHERS)
    equal(quiet.process(sleepers[0].pid)["nice"], 7, "renice")
    equal(quiet.process(sleepers[2].pid)["cpus_allowed"], b"0", "taskset")
    equal(quiet.process(sleepers[3].pid)["policy"], os.SCHED_BATCH, "chrt")
    row = quiet.process(victim.pid)
    equal(row["rss_anon"] + row["rss_file"] + row["rss_shmem"],
          resident(victim.pid), "resident after madvise")
    if group:
        assert b"gpsnap-test" in quiet.process(sleepers[1].pid)["cgroup"]
    equal(quiet.process(sleepers[4].pid)["rss_limit"], 1 << 30, "prlimit")
    # sleepers are left out, whatever else runs on this machine
    assert n_quiet > 0.2 * n_seen, (n_quiet, n_seen)
    # in the end: both read all
    quiet.send(ALL | NO_QUIET)
    quiet.receive()
    full.send(ALL | NO_QUIET)
    full.receive()
    compare(quiet, full, pid_of(sleepers), full.process(
        sleepers[0].pid).keys() - {"processor", "wchan"})
    notes.append("quiet %d of %d" % (n_quiet, n_seen))
for x in sleepers + wakers + [victim]:
    x.kill()
family.pid = child
family.kill()
late.kill()
late.wait()
place.cleanup()
if group:
    time.sleep(0.1)
    os.rmdir(group)
print("; ".join(notes))
