# SPDX-License-Identifier: Apache-2.0
"""What the scheduler says of processes and threads: names, policies, nice
values, CPUs, control groups, /proc/PID/sched; as /proc says it."""
import ctypes
import os
import re
import threading

from agentlib import ALL, NO_QUIET, SMAPS, Agent, equal, wait_for

THREADS, SCHED = 64, 128
SCHED_BATCH, SCHED_IDLE = 3, 5
PR_SET_NAME = 15
libc = ctypes.CDLL(None)
ME = os.getpid()
# figures of sched that this kernel measures, by the names of metrics
COUNTS = {
    "se.nr_migrations": "migrations", "nr_wakeups": "wakeups",
    "nr_wakeups_local": "wakeups_local", "nr_wakeups_sync": "wakeups_sync",
    "wait_count": "wait_count", "se.slice": "slice",
    "ext.enabled": "ext_enabled",
}


def read(path):
    with open(path, "rb") as f:
        return f.read()


def sched_of(path):
    """Metric to value, by another way than the agent's."""
    found = {}
    for line in read(path).split(b"\n")[2:]:
        key, _, value = line.decode().partition(":")
        key = key.strip().replace("se.statistics.", "")
        if key in COUNTS:
            found[COUNTS[key]] = int(value)
    return found


def status_of(path):
    return dict(line.split(":\t", 1)
                for line in read(path).decode().splitlines() if ":\t" in line)


def stat_of(path):
    text = read(path)
    return text[text.rindex(b")") + 2:].split()


stop = threading.Event()


class Worker:
    """A thread with a name, and what else set() makes of it, asleep."""

    def __init__(self, name, set_up=lambda: None):
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(name, set_up))
        self.thread.start()
        self.ready.wait()
        self.tid = self.thread.native_id

    def run(self, name, set_up):
        libc.prctl(PR_SET_NAME, name.encode(), 0, 0, 0)
        set_up()
        self.ready.set()
        stop.wait()


def policy(which):
    os.sched_setscheduler(0, which, os.sched_param(0))


one_cpu = {min(os.sched_getaffinity(0))}
workers = {
    "w-plain": Worker("w-plain"),
    "w-nice": Worker("w-nice", lambda: os.setpriority(
        os.PRIO_PROCESS, threading.get_native_id(), 7)),
    "w-batch": Worker("w-batch", lambda: policy(SCHED_BATCH)),
    "w-idle": Worker("w-idle", lambda: policy(SCHED_IDLE)),
    "w-pinned": Worker("w-pinned", lambda: os.sched_setaffinity(0, one_cpu)),
}


def files_of(worker):
    base = "/proc/self/task/%d/" % worker.tid
    return (stat_of(base + "stat"), status_of(base + "status"),
            sched_of(base + "sched"), read(base + "cgroup"))


def tick_asleep(agent, flags):
    """A tick before and after which the files of all workers are the same."""
    def once():
        before = [files_of(w) for w in workers.values()]
        agent.tick(flags)
        return before == [files_of(w) for w in workers.values()]
    wait_for(once)


def check_thread(row, worker, name):
    stat, status, sched, cgroup = files_of(worker)
    equal(row["comm"], name.encode(), "name")
    equal(row["priority"], int(stat[15]), name + ": priority")
    equal(row["nice"], int(stat[16]), name + ": nice")
    equal(row["processor"], int(stat[36]), name + ": CPU")
    equal(row["rt_priority"], int(stat[37]), name + ": rt_priority")
    equal(row["policy"], int(stat[38]), name + ": policy")
    equal(row["cpus_allowed"], status["Cpus_allowed_list"].encode(),
          name + ": CPUs")
    equal(row["csw_vol"], int(status["voluntary_ctxt_switches"]), name)
    equal({m: row.get(m) for m in sched}, sched, name + ": sched")
    assert row["cgroup"] in cgroup, row["cgroup"]


with Agent() as a:
    a.tick(ALL | THREADS)
    rows = {r["tid"]: r for r in a.rows("thread") if r["pid"] == ME}
    assert not any("migrations" in r for r in rows.values()), "unasked"
    tick_asleep(a, ALL | THREADS | SCHED | SMAPS | NO_QUIET)
    rows = {r["tid"]: r for r in a.rows("thread") if r["pid"] == ME}
    for name, worker in workers.items():
        check_thread(rows[worker.tid], worker, name)
    equal(rows[workers["w-nice"].tid]["nice"], 7, "nice")
    equal(rows[workers["w-batch"].tid]["policy"], SCHED_BATCH, "policy")
    equal(rows[workers["w-idle"].tid]["policy"], SCHED_IDLE, "policy")
    equal(rows[workers["w-pinned"].tid]["cpus_allowed"],
          str(min(one_cpu)).encode(), "CPUs")
    # of a process: its main thread's, which is this one
    mine = a.process(ME)
    sched = sched_of("/proc/self/sched")
    assert "migrations" in sched, sched
    for m in ("slice", "ext_enabled"):
        equal(mine.get(m), sched.get(m), m)
    assert 0 <= mine["migrations"] <= sched["migrations"]
    # that nr_switches is the sum of what status has is why it is not recorded
    lines = dict(line.decode().replace(" ", "").split(":")
                 for line in read("/proc/self/task/%d/sched" %
                                  workers["w-plain"].tid).split(b"\n")[2:]
                 if line.count(b":") == 1)
    plain = rows[workers["w-plain"].tid]
    equal(plain["csw_vol"] + plain["csw_invol"], int(lines["nr_switches"]),
          "switches")
    # all keys of smaps_rollup, of a process that sleeps meanwhile
    keys = [line.split(b":")[0] for line in
            read("/proc/self/smaps_rollup").split(b"\n")[1:] if line]
    known = set(re.findall(rb'SMAPS_ROLLUP, "(\w+)"', read(
        os.environ["GPSNAP_SOURCE"] + "/src/metric/metrics.def")))
    equal(set(keys) - known, set(), "keys of smaps_rollup without a metric")
    # the host says why the rest is absent
    path = "/proc/sys/kernel/sched_schedstats"
    fact = int(read(path)) if os.path.exists(path) else None
    equal(a.host.get("sched_schedstats"), fact, "schedstats")
    # asked for no more
    a.tick(ALL | THREADS | NO_QUIET)
    mine = a.process(ME)
    assert "migrations" not in mine and "slice" not in mine
    stop.set()
    for worker in workers.values():
        worker.thread.join()
