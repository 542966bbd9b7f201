# SPDX-License-Identifier: Apache-2.0
"""Control groups of resource groups, below captured trees of both versions."""
import os
import shutil
import tempfile

from agentlib import EXITED, Agent, equal

TREE = os.environ["GPSNAP_SOURCE"] + "/samples/proc/greenplum6-6.18/tick-00"


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def v1(top, group, n):
    write(top + "/cpuacct/" + group + "/cpuacct.usage", "%d000\n" % n)
    write(top + "/cpu/" + group + "/cpu.stat",
          "nr_periods 9\nnr_throttled %d\nthrottled_time %d000\n"
          % (n + 1, n + 2))
    write(top + "/memory/" + group + "/memory.usage_in_bytes",
          "%d\n" % (1024 * (n + 3)))
    os.makedirs(top + "/cpuset/" + group, exist_ok=True)


def v2(top, group, n):
    write(top + "/" + group + "/cpu.stat", "usage_usec %d\nnr_periods 9\n"
          "nr_throttled %d\nthrottled_usec %d\n" % (n, n + 1, n + 2))
    write(top + "/" + group + "/memory.current", "%d\n" % (1024 * (n + 3)))


def check(a, path, n):
    (row,) = [r for r in a.rows("cgroup") if r["path"] == path]
    equal((row["cpu"], row["throttled"], row["throttled_time"],
           row["memory"]), (n, n + 1, n + 2, n + 3), path)


def run(make, gpdb):
    with tempfile.TemporaryDirectory() as root, \
            Agent("--root", root) as a:
        shutil.copytree(TREE + "/proc", root + "/proc")
        top = root + "/sys/fs/cgroup"
        os.makedirs(top)
        if make is v2:
            write(top + "/cgroup.controllers", "cpu memory\n")
        a.tick()
        before = {r["path"] for r in a.rows("cgroup")}
        make(top, gpdb, 10)
        make(top, gpdb + "/6437", 100)
        make(top, gpdb + "/6437/queries", 200)
        make(top, "unrelated/6437", 300)
        a.tick()
        name = ("/" + gpdb).encode()
        equal({r["path"] for r in a.rows("cgroup")} - before,
              {name, name + b"/6437", name + b"/6437/queries"}, "groups")
        check(a, name, 10)
        check(a, name + b"/6437", 100)
        check(a, name + b"/6437/queries", 200)
        # a process in one of them makes no second row
        pid = 28983
        write("%s/proc/%d/cgroup" % (root, pid),
              ("0::/%s/6437\n" if make is v2 else "3:memory:/%s/6437\n")
              % gpdb)
        make(top, gpdb + "/6437", 101)
        a.tick()
        equal(a.process(pid)["cgroup"], name + b"/6437", "in it")
        check(a, name + b"/6437", 101)
        write("%s/proc/%d/cgroup" % (root, pid), "0::/\n")
        # dropped
        for place in os.listdir(top):
            for path in (top + "/" + gpdb, top + "/" + place + "/" + gpdb):
                shutil.rmtree(path + "/6437", ignore_errors=True)
        a.tick()
        equal({r["path"] for r in a.closed["cgroup"]},
              {name + b"/6437", name + b"/6437/queries"}, "dropped")
        assert all(r.why == EXITED for r in a.closed["cgroup"])
        if gpdb != "gpdb" or make is v1:
            return
        # bounded
        for i in range(1100):
            make(top, gpdb + "/%d" % i, i)
        a.tick()
        n = len(a.rows("cgroup"))
        assert 1000 <= n <= 1010, n


run(v1, "gpdb")
run(v2, "gpdb")
run(v2, "gpdb.service")
