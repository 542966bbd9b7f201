# SPDX-License-Identifier: Apache-2.0
"""Delays, held against a reader of our own of the same kernel interface, as
tools/accounting/getdelays.c of Linux computes them; refused; and false zeros."""
import errno
import fcntl
import os
import platform
import struct
import sys
import time

from agentlib import AGENT, ALL, Actor, Agent, equal, skip, wait_for
from taskstats import PID, TGID, Kernel

THREADS = 64
# words of struct taskstats, version 16: count and total; max and min
KINDS = {"cpu": (2, 54), "blkio": (4, 56), "swapin": (6, 58),
         "reclaim": (39, 60), "thrashing": (41, 62), "compact": (44, 64),
         "wpcopy": (50, 66), "irq": (52, 68)}
SWITCH = "/proc/sys/kernel/task_delayacct"
DROP = ("import ctypes, os, sys; ctypes.CDLL(None).prctl(24, 12, 0, 0, 0);"
        "os.execv(sys.argv[1], sys.argv[1:])")

SOCKET = {"x86_64": 41, "aarch64": 198}.get(platform.machine())


def filtered(error):
    """Runs a program that may not open netlink sockets: as under seccomp or
    RestrictAddressFamilies of systemd."""
    code = struct.pack(
        "=" + "HBBI" * 6,
        0x20, 0, 0, 0,  # the number of the system call
        0x15, 0, 3, SOCKET,
        0x20, 0, 0, 16,  # its first argument
        0x15, 0, 1, 16,  # AF_NETLINK
        0x06, 0, 0, 0x50000 | error,  # SECCOMP_RET_ERRNO
        0x06, 0, 0, 0x7FFF0000)
    return ("import ctypes, os, struct, sys; p = ctypes.CDLL(None).prctl;"
            "code = ctypes.create_string_buffer(%r);"
            "prog = struct.pack('@HP', 6, ctypes.addressof(code));"
            "assert p(38, 1, 0, 0, 0) == 0 and p(22, 2, prog) == 0;"
            "os.execv(sys.argv[1], sys.argv[1:])" % code)


def check(row, words, measured, peaks=True):
    """The cells of a row of something that sleeps."""
    for kind, (at, peak) in KINDS.items():
        count, total = words[at], words[at + 1]
        name = "delay_" + kind
        if not (count if kind in ("cpu", "irq") else measured):
            if kind not in ("cpu", "irq"):  # another process may prove that it is measured
                assert name not in row, name
            continue
        equal(row.get(name), total // 1000, name)
        equal(row.get(name + "_count"), count, name + "_count")
        if not peaks or words[0] & 0xFFFF < 16 or count == 0:
            assert name + "_max" not in row, name
            continue
        equal(row.get(name + "_max"), words[peak] or None, name + "_max")
        equal(row.get(name + "_min"), words[peak + 1] or None,
              name + "_min")


def refused():
    """Without CAP_NET_ADMIN: a fact, asked once, nothing invented."""
    with Agent(argv=[sys.executable, "-c", DROP, AGENT]) as a:
        a.tick(ALL | THREADS)
        equal(a.host.get("taskstats"), 0, "refused")
        equal(a.stats.get("ts_eperm"), 1, "asked once")
        (source,) = [r for r in a.rows("source") if r["file"] == b"taskstats"]
        equal((source["tried"], source["denied"], source["error"]),
              (1, 1, 1), "told as what can not be read")
        for row in a.rows("process") + a.rows("thread"):
            assert not [k for k in row if k.startswith("delay_")], row
        a.tick(ALL)
        assert "ts_eperm" not in a.stats, "asked again"
        equal(a.host.get("taskstats"), 0, "it stays refused")
        assert not [f for f in os.listdir("/proc/%d/fd" % a.pid)
                    if os.readlink("/proc/%d/fd/%s" % (a.pid, f))
                    .startswith("socket")], "the socket is closed"


def without_netlink(error):
    """A filter that permits no netlink socket: told, with its errno."""
    with Agent(argv=[sys.executable, "-c", filtered(error), AGENT]) as a:
        a.tick(ALL)
        assert "taskstats" not in a.host, a.host
        (source,) = [r for r in a.rows("source") if r["file"] == b"netlink"]
        equal((source["tried"], source["failed"], source["error"]),
              (1, 1, error), "told as what can not be read")
        a.tick(ALL)
        (source,) = [r for r in a.rows("source") if r["file"] == b"netlink"]
        equal(source["tried"], 1, "asked once")


def of_sleepers(kernel, old):
    """Processes and threads, in a tick that asks for many at once."""
    # the child of a fork copies a page at least
    actors = [Actor("fork", "eat", 64, "say", "wait").settle()
              for _ in range(40)]
    twins = Actor("fork", "waker", 10 ** 7, "spin", 5, "say",
                  "wait").settle()
    with Agent() as a:
        a.tick(ALL | THREADS)
        equal(a.host.get("taskstats"), 1, "works")
        version = kernel.words(old.pid, TGID)[0] & 0xFFFF
        equal(a.host.get("taskstats_version"), version, "version")
        equal((a.stats["ts_eperm"], a.stats["ts_other"]), (0, 0), "errors")
        for actor in actors:
            assert kernel.words(actor.pid, TGID)[50] > 0, "nothing measured"
            check(a.process(actor.pid), kernel.words(actor.pid, TGID),
                  True)
        check(a.process(old.pid), kernel.words(old.pid, TGID), False)
        assert "blkio_delay" not in a.process(old.pid), "a false zero"
        assert "blkio_delay" in a.process(actors[0].pid)
        check(a.process(twins.pid), kernel.words(twins.pid, TGID), True,
              peaks=False)
        threads = [r for r in a.rows("thread") if r["pid"] == twins.pid]
        equal(len(threads), 2, "threads")
        for row in threads:
            words = kernel.words(row["tid"], PID)
            check(row, words, any(words[KINDS[k][0]] for k in KINDS
                                  if k != "cpu"))
        # started since the agent knows that delays are measured: true zeros
        young = Actor("spin", 5, "say", "wait").settle()
        a.tick(ALL)
        check(a.process(young.pid), kernel.words(young.pid, TGID), True)
        # what sleeps is not asked again, and keeps its cells
        before = dict(a.process(actors[0].pid))
        a.tick(ALL)
        a.tick(ALL)
        s = a.stats
        assert s["ts_ok"] + s["ts_esrch"] <= s["read"] + s["lost"], s
        assert s["quiet"] >= len(actors), s
        equal(a.process(actors[0].pid)["delay_cpu"], before["delay_cpu"],
              "kept")
    for actor in actors + [twins, young]:
        actor.kill()


def of_the_running(kernel):
    """CPU time and the wait for it grow as the kernel says."""
    with Agent() as a:
        spinner = Actor("say", "spin", 400, "wait")
        a.tick(ALL)
        first = a.process(spinner.pid)["delay_cpu"]
        spinner.settle()
        a.tick(ALL)
        words = kernel.words(spinner.pid, TGID)
        equal(a.process(spinner.pid)["delay_cpu"], words[3] // 1000, "grown")
        assert first <= words[3] // 1000
        # the end of a process that was asked ahead
        spinner.kill()
        a.tick(ALL)
        assert a.process(spinner.pid) is None
        equal(a.stats["ts_other"], 0, "errors")


def of_the_nearly_idle():
    """A process with threads that ran for less than is worth a full read: it is
    not read, so it is not asked, either."""
    actors = [Actor("waker", 30, "say", "wait").settle() for _ in range(20)]
    with Agent() as a:
        a.tick(ALL)
        a.tick(ALL)
        quiet = 0
        for _ in range(5):
            time.sleep(0.1)
            a.tick(ALL)
            s = a.stats
            # of one that has had another thread, all are asked for next
            asked = s["ts_ok"] + s["ts_esrch"]
            assert asked <= 2 * (s["read"] + s["lost"]), s
            quiet += s["quiet"]
        assert quiet >= len(actors), quiet
    for actor in actors:
        actor.kill()


def switched_off(actor):
    """Figures that stand still are no figures."""
    with Agent() as a:
        a.tick(ALL)
        row = a.process(actor.pid)
        assert "delay_cpu" in row and "delay_wpcopy" not in row, row
        a.tick(ALL)
        (source,) = [r for r in a.rows("source")
                     if r["file"] == b"task_delayacct"]
        equal((source["tried"], source["error"]), (1, errno.ENODATA),
              "told once")


refused()
if SOCKET:
    without_netlink(errno.EPERM)
    without_netlink(errno.EAFNOSUPPORT)
kernel = Kernel()
if not kernel.words(os.getpid(), TGID):
    skip("the kernel tells no delays here (CAP_NET_ADMIN, CONFIG_TASKSTATS)")
if kernel.words(os.getpid(), TGID)[0] & 0xFFFF < 16:
    skip("the layout of this kernel is not known to this test")
of_the_running(kernel)
of_the_nearly_idle()
with open("/tmp/gpsnap-delayacct.lock", "w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    with open(SWITCH) as f:
        was = f.read()
    try:
        with open(SWITCH, "w") as f:
            f.write("0")
        old = Actor("spin", 5, "say", "wait").settle()
        with open(SWITCH, "w") as f:
            f.write("1")
    except OSError as e:
        skip("%s: %s" % (SWITCH, e.strerror))
    try:
        of_sleepers(kernel, old)
        new = Actor("fork", "spin", 5, "say", "wait").settle()
        with open(SWITCH, "w") as f:
            f.write("0")
        switched_off(new)
    finally:
        with open(SWITCH, "w") as f:
            f.write(was)
