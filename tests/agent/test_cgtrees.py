# SPDX-License-Identifier: Apache-2.0
"""Captured trees of control groups: version 2 with all controllers, version 1
with joined controllers, and a host with both, where a process is in another
group of each hierarchy; at the usual places, and at others that only the mount
table tells."""
import os
import shutil
import tempfile

from agentlib import Agent, equal

TREE = os.environ["GPSNAP_SOURCE"] + "/samples/proc/greenplum6-6.18/tick-00"
CGROUPS = os.environ["GPSNAP_SOURCE"] + "/samples/cgroup"
PID = 28983
MAX = (1 << 64) - 1


def row(a, path):
    (r,) = [r for r in a.rows("cgroup") if r["path"] == path]
    return r


def has(r, **want):
    equal({k: r.get(k) for k in want}, want, r["path"])


def lacks(r, *names):
    for name in names:
        assert name not in r, (r["path"], name, r[name])


def tree(kind, membership, check):
    with tempfile.TemporaryDirectory() as root, \
            Agent("--root", root) as a:
        shutil.copytree(TREE + "/proc", root + "/proc")
        shutil.copytree(CGROUPS + "/" + kind, root + "/sys/fs/cgroup")
        with open("%s/proc/%d/cgroup" % (root, PID), "w") as f:
            f.write(membership)
        a.tick()
        check(a)


def of_v2(a):
    r = row(a, b"/system.slice/postgresql.service")
    has(r, cpu=8412345, cpu_user=6000000, cpu_system=2412345, periods=900,
        throttled=20, throttled_time=150000, bursts=2, burst_time=700,
        cpu_quota=150000, cpu_period=100000, cpu_weight=200,
        cpu_weight_nice=-3)
    has(r, memory=2097152, memory_max=4194304, memory_high=MAX,
        memory_low=1048576, memory_min=0, memory_peak=3145728, swap=16,
        swap_max=MAX, swap_high=MAX, oom_kill=1, event_low=0, event_high=5,
        event_max=7, event_oom=2, event_oom_group=0, swap_event_max=0,
        swap_event_fail=3)
    has(r, anon=1048576, file=524288, shmem=262144, kernel=8192,
        kernel_stack=1024, page_tables=2048, sock=4, slab_reclaimable=3072,
        slab_unreclaimable=1024, refault_anon=11, refault_file=12,
        pgfault=13, pgmajfault=14, pgscan=15, pgsteal=16)
    has(r, pids=42, pids_max=4915, pids_fail=1, read=4100, written=8200,
        reads=3, writes=5, discarded=0, discards=0)
    has(r, psi_cpu_some=1000, psi_cpu_full=900, psi_memory_some=2000,
        psi_memory_full=1900, psi_memory_full_avg10=150, psi_io_some=3000,
        psi_io_full=2900, psi_irq_full=40)
    lacks(r, "cpu_shares", "memsw", "memory_soft")
    p = a.process(PID)
    for name in ("cgroup", "cgroup_cpu", "cgroup_memory"):
        equal(p[name], b"/system.slice/postgresql.service", name)


def of_v1(a):
    """The directory cpu,cpuacct without links of the single names."""
    r = row(a, b"/pg")
    has(r, cpu=8412, cpu_quota=MAX, cpu_period=100000, cpu_shares=512,
        memory=2048, memory_max=MAX, memory_soft=MAX, memory_peak=4096,
        memsw=3072, memsw_max=8192, memsw_fail=2, event_max=9, anon=1024,
        file=512, swap=1, pids=3, pids_max=MAX, read=4097, written=2,
        reads=3, writes=1)
    lacks(r, "cpu_weight", "memory_high", "psi_cpu_some", "event_oom")


def of_hybrid(a):
    """Each path has what its own hierarchy says."""
    p = a.process(PID)
    equal((p["cgroup"], p["cgroup_cpu"], p["cgroup_memory"]),
          (b"/user.slice/session-1.scope", b"/gpdb/6437", b"/mem"), "paths")
    r = row(a, b"/user.slice/session-1.scope")
    has(r, cpu=777, psi_memory_some=5, psi_memory_full=4)
    lacks(r, "memory", "memory_max", "cpu_quota")
    r = row(a, b"/gpdb/6437")
    has(r, cpu=8412, cpu_quota=20000)
    lacks(r, "memory", "psi_memory_some")
    r = row(a, b"/mem")
    has(r, memory=2048, memory_max=1048576)
    lacks(r, "cpu", "cpu_quota")


def mounted(kind, membership, check, table, part="/"):
    """The same, each hierarchy at another place: [(directory of the sample,
    mount point, type, options)]."""
    with tempfile.TemporaryDirectory() as root, \
            Agent("--root", root) as a:
        shutil.copytree(TREE + "/proc", root + "/proc")
        os.makedirs(root + "/sys/fs/cgroup")
        os.makedirs(root + "/proc/self", exist_ok=True)
        with open(root + "/proc/self/mountinfo", "w") as f:
            f.write("garbage\n21 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
                    # options of another file system, and a name of systemd's
                    "22 21 0:3 / /t rw - tmpfs cgroup rw,memory\n"
                    "23 21 0:4 / /s rw - cgroup cgroup rw,name=memory\n")
            for n, (source, point, fs, options) in enumerate(table):
                shutil.copytree(CGROUPS + "/" + kind + "/" + source,
                                root + point)
                f.write("%d 21 0:%d %s %s rw shared:7 - %s cgroup rw%s\n" % (
                    30 + n, 30 + n, part, point.replace(" ", "\\040"), fs,
                    options))
        os.makedirs(root + "/t/pg")
        with open("%s/proc/%d/cgroup" % (root, PID), "w") as f:
            f.write(membership)
        a.tick()
        check(a)


def of_part(a):
    """Whose paths are not known."""
    for r in a.rows("cgroup"):
        lacks(r, "memory", "cpu", "pids")


V1 = [("cpu,cpuacct", "/cgroup/the cpu", "cgroup", ",cpu,cpuacct"),
      ("memory", "/cgroup/mem", "cgroup", ",memory"),
      ("pids", "/dev/pids", "cgroup", ",seclabel,pids"),
      ("blkio", "/sys/fs/cgroup/disk", "cgroup", ",blkio")]
mounted("v2", "0::/system.slice/postgresql.service\n", of_v2,
        [(".", "/cgroup2", "cgroup2", ",nsdelegate")])
V1_PATHS = "4:memory:/pg\n3:cpu,cpuacct:/pg\n2:pids:/pg\n1:blkio:/pg\n"
mounted("v1", V1_PATHS, of_v1, V1)
mounted("v1", V1_PATHS, of_part, V1, part="/docker/4711")
mounted("hybrid", "4:memory:/mem\n3:cpuacct:/gpdb/6437\n2:cpu:/gpdb/6437\n"
        "0::/user.slice/session-1.scope\n", of_hybrid,
        [("unified", "/mnt/two", "cgroup2", ""),
         ("memory", "/sys/fs/cgroup/memory", "cgroup", ",memory"),
         ("cpuacct", "/mnt/acct", "cgroup", ",cpuacct"),
         ("cpu", "/sys/fs/cgroup/cpu", "cgroup", ",cpu")])

tree("v2", "0::/system.slice/postgresql.service\n", of_v2)
tree("v1", "4:memory:/pg\n3:cpu,cpuacct:/pg\n2:pids:/pg\n1:blkio:/pg\n",
     of_v1)
tree("hybrid", "4:memory:/mem\n3:cpuacct:/gpdb/6437\n2:cpu:/gpdb/6437\n"
     "0::/user.slice/session-1.scope\n", of_hybrid)
