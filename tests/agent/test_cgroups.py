# SPDX-License-Identifier: Apache-2.0
"""Real control groups: what the agent says of them is what their files say,
read here before and after its tick.

Two processes run in a group with a quota, one allocates in a group with a
limit of memory, in each hierarchy that this host has.  One writes past the page
cache, where the kernel counts IO of groups.
"""
import mmap
import os
import subprocess
import sys
import time

from agentlib import ALL, Agent, equal, skip

NAME = "gpsnap-test-%d" % os.getpid()
TOP = "/sys/fs/cgroup"
HOG = "while True: pass"
EATER = ("b = bytearray(24 << 20)\nfor i in range(0, len(b), 4096): b[i] = 1\n"
         "print('done', flush=True)\nimport time\ntime.sleep(600)\n")
WRITER = """
import mmap, os, sys
block = mmap.mmap(-1, 1 << 20)
file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT | os.O_DIRECT)
os.unlink(sys.argv[1])
for line in sys.stdin:
    for i in range(int(line)):
        os.pwrite(file, block, i << 20)
    print('done', flush=True)
"""
MAX = (1 << 64) - 1


def read(path):
    try:
        with open(path) as f:
            return f.read()
    except OSError:
        return None


def keys(text):
    return {k: int(v) for k, v in (line.split()[:2]
                                   for line in text.splitlines())}


class Groups:
    """The test's groups, below each hierarchy that can have one."""

    def __init__(self):
        self.v2 = os.path.exists(TOP + "/cgroup.controllers")
        self.unified = TOP if self.v2 else TOP + "/unified"
        self.made = []

    def mount(self, controller):
        return TOP if self.v2 else TOP + "/" + controller

    def make(self, mount, group):
        path = "%s/%s-%s" % (mount, NAME, group)
        try:
            os.mkdir(path)
        except FileExistsError:
            pass
        except OSError as e:
            skip("no control group can be made: %s" % e)
        if path not in self.made:
            self.made.append(path)
        return path

    def remove(self):
        for path in reversed(self.made):
            for _ in range(100):
                try:
                    os.rmdir(path)
                    break
                except OSError:
                    time.sleep(0.05)  # its processes are still ending


def write(path, text):
    try:
        with open(path, "w") as f:
            f.write(text)
    except OSError as e:
        skip("%s: %s" % (path, e))


def child(program, groups, stdout=None, stdin=None, args=()):
    def enter():
        for path in groups:
            with open(path + "/cgroup.procs", "w") as f:
                f.write("0")
    return subprocess.Popen([sys.executable, "-c", program, *args],
                            preexec_fn=enter, stdout=stdout, stdin=stdin)


def between(low, cell, high, what):
    assert low <= cell <= high, (what, low, cell, high)


def pressure(text):
    out = {}
    for line in (text or "").splitlines():
        kind, rest = line.split(" ", 1)
        out[kind] = int(rest.rsplit("total=", 1)[1])
    return out


def v1_figures(mount, path):
    """Name of the metric: figure, all of files of version 1."""
    cpu = mount("cpu") + path
    acct = mount("cpuacct") + path
    memory = mount("memory") + path
    pids = mount("pids") + path
    out = {}
    if os.path.exists(cpu):
        s = keys(read(cpu + "/cpu.stat"))
        out.update(cpu=int(read(acct + "/cpuacct.usage")) // 1000,
                   periods=s["nr_periods"], throttled=s["nr_throttled"],
                   throttled_time=s["throttled_time"] // 1000,
                   cpu_shares=int(read(cpu + "/cpu.shares")),
                   cpu_period=int(read(cpu + "/cpu.cfs_period_us")))
        q = int(read(cpu + "/cpu.cfs_quota_us"))
        out["cpu_quota"] = q if q >= 0 else MAX
    if os.path.exists(memory):
        s = keys(read(memory + "/memory.stat"))
        limit = int(read(memory + "/memory.limit_in_bytes"))
        out.update(memory=int(read(memory + "/memory.usage_in_bytes")) // 1024,
                   memory_max=limit // 1024 if limit < 1 << 62 else MAX,
                   event_max=int(read(memory + "/memory.failcnt")),
                   memory_peak=int(read(
                       memory + "/memory.max_usage_in_bytes")) // 1024,
                   anon=s["total_rss"] // 1024, file=s["total_cache"] // 1024,
                   pgfault=s["total_pgfault"])
    if os.path.exists(pids):
        n = read(pids + "/pids.max").strip()
        out.update(pids=int(read(pids + "/pids.current")),
                   pids_max=MAX if n == "max" else int(n))
    return out


def v2_figures(path):
    out = {}
    s = keys(read(path + "/cpu.stat"))
    out.update(cpu=s["usage_usec"])
    if "nr_periods" in s:
        quota, period = read(path + "/cpu.max").split()
        out.update(periods=s["nr_periods"], throttled=s["nr_throttled"],
                   throttled_time=s["throttled_usec"],
                   cpu_weight=int(read(path + "/cpu.weight")),
                   cpu_quota=MAX if quota == "max" else int(quota),
                   cpu_period=int(period))
    if read(path + "/memory.current"):
        s = keys(read(path + "/memory.stat"))
        for metric, name in (("memory_max", "max"), ("memory_high", "high"),
                             ("memory_low", "low"), ("memory_min", "min")):
            v = read(path + "/memory." + name).strip()
            out[metric] = MAX if v == "max" else int(v) // 1024
        out.update(memory=int(read(path + "/memory.current")) // 1024,
                   event_max=keys(read(path + "/memory.events"))["max"],
                   anon=s["anon"] // 1024, file=s["file"] // 1024,
                   pgfault=s["pgfault"])
    return out


def figures(groups, group):
    path = "/%s-%s" % (NAME, group)
    unified = groups.unified + path
    out = {}
    if os.path.exists(unified):
        out.update(v2_figures(unified))
        for what in ("cpu", "memory", "io", "irq"):
            for kind, total in pressure(
                    read("%s/%s.pressure" % (unified, what))).items():
                out["psi_%s_%s" % (what, kind)] = total
    if not groups.v2:
        out.update(v1_figures(groups.mount, path))
    return out


def row(a, group):
    path = ("/%s-%s" % (NAME, group)).encode()
    (r,) = [r for r in a.rows("cgroup") if r["path"] == path]
    return r


def compare(a, groups, group):
    """One tick; the cells lie between what was read before and after."""
    before = figures(groups, group)
    a.tick(ALL)
    after = figures(groups, group)
    r = row(a, group)
    for name in before:
        assert name in r, (group, name, sorted(r))
        low, high = sorted((before[name], after[name]))
        slack = 2048 if name in ("memory", "anon", "file") else 0
        between(low - slack, r[name], high + slack, (group, name))
    return r, before


def wait_throttled(groups):
    for _ in range(600):
        if figures(groups, "cpu")["throttled_time"] > 200000:
            return
        time.sleep(0.05)
    raise AssertionError("the hogs are not throttled")


def run(groups, children):
    cpu = [groups.make(groups.mount(c), "cpu")
           for c in ("cpu", "cpuacct", "pids")]
    memory = [groups.make(groups.mount("memory"), "memory")]
    if groups.v2:
        for c in ("cpu", "memory", "pids"):
            if c not in read(TOP + "/cgroup.subtree_control").split():
                skip("no controller %s below the root" % c)
        write(cpu[0] + "/cpu.max", "5000 100000")
        write(cpu[0] + "/pids.max", "50")
        write(memory[0] + "/memory.max", "16777216")
    else:
        write(cpu[0] + "/cpu.cfs_quota_us", "5000")
        write(cpu[2] + "/pids.max", "50")
        write(memory[0] + "/memory.limit_in_bytes", "16777216")
        if os.path.exists(groups.unified + "/cgroup.procs"):
            cpu.append(groups.make(groups.unified, "cpu"))
            memory.append(groups.make(groups.unified, "memory"))
    children += [child(HOG, cpu), child(HOG, cpu)]
    # 24 MiB in 16: it is killed, or swaps; what counts is that it was limited
    children.append(child(EATER, memory, subprocess.PIPE))
    wait_throttled(groups)
    for _ in range(600):
        if figures(groups, "memory")["event_max"] > 0:
            break
        time.sleep(0.05)
    keeper = child("import time\ntime.sleep(600)", memory)
    children.append(keeper)
    with Agent() as a:
        a.tick(ALL)
        r, was = compare(a, groups, "cpu")
        equal(r["cpu_quota"], 5000, "quota")
        equal(r["pids_max"], 50, "pids.max")
        assert r["throttled_time"] > 200000, r
        first = r["throttled_time"]
        equal(a.process(children[0].pid)["cgroup_cpu"],
              ("/%s-cpu" % NAME).encode(), "group of the hog")
        r, was = compare(a, groups, "memory")
        equal(r["memory_max"], 16384, "limit")
        assert r["event_max"] > 0, r
        equal(a.process(keeper.pid)["cgroup_memory"],
              ("/%s-memory" % NAME).encode(), "group of the eater")
        # counters go on, from descriptors that stayed open
        time.sleep(0.3)
        r, was = compare(a, groups, "cpu")
        assert r["throttled_time"] > first, (first, r)
        # a limit that is lifted becomes "max", within ten seconds
        write(cpu[0] + ("/cpu.max" if groups.v2 else "/cpu.cfs_quota_us"),
              "max" if groups.v2 else "-1")
        for _ in range(30):
            a.tick(ALL)
            if row(a, "cpu")["cpu_quota"] == MAX:
                break
            time.sleep(0.5)
        equal(row(a, "cpu")["cpu_quota"], MAX, "lifted")
        # the group ends with its processes
        for c in children:
            c.kill()
            c.wait()
        groups.remove()
        a.tick(ALL)
        a.tick(ALL)
        assert not [r for r in a.rows("cgroup")
                    if NAME.encode() in r["path"]], "gone"


def direct_file():
    """A new file that can be written past the cache, and the number of its
    disk; None: this folder is not on one."""
    path = os.path.join(os.getcwd(), NAME)
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_DIRECT, 0o600)
    except OSError:
        return None
    number = os.fstat(file).st_dev
    try:
        os.pwrite(file, mmap.mmap(-1, 1 << 20), 0)
    except OSError:
        number = 0
    os.close(file)
    number = "%d:%d" % (os.major(number), os.minor(number))
    return (path, number) if os.path.exists(
        "/sys/dev/block/" + number) else os.unlink(path)


def io_group(groups, number):
    """A group whose IO the kernel counts, and the file that says it; None:
    this kernel does not."""
    if groups.v2:
        if "io" not in read(TOP + "/cgroup.subtree_control").split():
            return None
        path = groups.make(TOP, "io")
        return path, path + "/io.stat"
    if not os.path.exists(TOP + "/blkio/blkio.throttle.io_service_bytes"):
        return None
    path = groups.make(TOP + "/blkio", "io")
    # since 6.9 only what has a limit is counted
    write(path + "/blkio.throttle.write_bps_device", number + " 100000000000")
    return path, path + "/blkio.throttle.io_service_bytes"


def written(text, number):
    """By the line of that disk; None: there is none."""
    for line in (text or "").splitlines():
        if line.startswith(number + " Write "):
            return int(line.split()[2])
        if line.startswith(number + " ") and "wbytes=" in line:
            return int(line.split("wbytes=")[1].split()[0])
    return None


def more(c, mib):
    c.stdin.write(b"%d\n" % mib)
    c.stdin.flush()
    c.stdout.readline()


def io(groups, children):
    """The group's row of a disk says what the kernel's line of it does."""
    file = direct_file()
    made = file and io_group(groups, file[1])
    if not made:
        print("IO of groups is not counted here")
        return
    path, stat = made
    writer = child(WRITER, [path] if groups.v2 else
                   [path, groups.make(groups.mount("memory"), "io")],
                   subprocess.PIPE, subprocess.PIPE, (file[0],))
    children.append(writer)
    more(writer, 3)
    if not written(read(stat), file[1]):
        print("IO of this disk is not counted")
        return
    with open("/sys/dev/block/%s/uevent" % file[1]) as f:
        (name,) = [line[8:].strip() for line in f
                   if line.startswith("DEVNAME=")]
    with Agent() as a:
        for mib in (0, 5, 0, 7):
            more(writer, mib)
            a.tick(ALL)
            (r,) = [r for r in a.rows("cgroup_io") if r["device"] ==
                    name.encode() and NAME.encode() in r["cgroup"]]
            equal(r["written"], written(read(stat), file[1]), "written")
            equal(r["written"], row(a, "io")["written"], "sum")
        equal(r["written"], 15 << 20, "in all")


def main():
    if os.geteuid() != 0:
        skip("only root makes control groups")
    if not os.path.isdir(TOP) or not os.listdir(TOP):
        skip("no control groups")
    groups, children = Groups(), []
    try:
        run(groups, children)
        io(groups, children)
    finally:
        for c in children:
            c.kill()
            c.wait()
        groups.remove()


main()
