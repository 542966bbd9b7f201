# SPDX-License-Identifier: Apache-2.0
"""IO of control groups by device, from captured trees: the rows of a group add
up to its sums, tick by tick, and a device that had no request before counts
from zero."""
import os
import shutil
import tempfile

from agentlib import APPEARED, BORN, EXITED, LEFT, Agent, equal

TREE = os.environ["GPSNAP_SOURCE"] + "/samples/proc/greenplum6-6.18/tick-00"
CGROUPS = os.environ["GPSNAP_SOURCE"] + "/samples/cgroup"
PID = 28983
COUNTERS = ("read", "written", "reads", "writes", "discarded", "discards")
DISKS = ("   8       0 sda 1 0 8 1 1 0 8 1 0 1 2\n"
         "   8      16 sdb 1 0 8 1 1 0 8 1 0 1 2\n"
         " 253       1 dm-1 1 0 8 1 1 0 8 1 0 1 2\n")
LINE = "%s rbytes=%d wbytes=%d rios=%d wios=%d dbytes=%d dios=%d\n"
GROUP = b"/system.slice/postgresql.service"


class Tree:
    """A host whose one recorded process is in a group."""

    def __init__(self, root, kind, membership, path):
        self.root = root
        shutil.copytree(TREE + "/proc", root + "/proc")
        shutil.copytree(CGROUPS + "/" + kind, root + "/sys/fs/cgroup")
        self.write("proc/diskstats", DISKS)
        for pid in os.listdir(root + "/proc"):
            if pid.isdigit():
                self.write("proc/%s/cgroup" % pid, "0::/none\n")
        self.write("proc/%d/cgroup" % PID, membership)
        self.path = path

    def write(self, name, text):
        with open(self.root + "/" + name, "w") as f:
            f.write(text)


def in_tree(kind, membership, path, check):
    with tempfile.TemporaryDirectory() as root, \
            Agent("--root", root) as a:
        check(a, Tree(root, kind, membership, path))


def devices(a, path=GROUP):
    """Rows by device; their sums are those of the group."""
    rows = {r["device"].decode(): r for r in a.rows("cgroup_io")
            if r["cgroup"] == path}
    (group,) = [r for r in a.rows("cgroup") if r["path"] == path]
    for name in COUNTERS:
        have = [r[name] for r in rows.values() if name in r]
        equal(sum(have), group.get(name, 0), name)
    return rows


def values(r):
    return [r.get(name) for name in COUNTERS]


def v2(a, tree):
    stat = "sys/fs/cgroup%s/io.stat" % tree.path
    a.tick()
    rows = devices(a)
    equal(sorted(rows), ["sda", "sdb"], "names of disks")
    equal(values(rows["sda"]), [4096, 8192, 2, 4, 0, 0], "sda")
    equal((rows["sdb"]["major"], rows["sdb"]["minor"]), (8, 16), "number")
    equal(rows["sda"].opened, APPEARED, "its past is not known")
    # a device without requests has no row; one that has its first is born,
    # one that diskstats does not list is known by its number
    first = LINE % ("8:0", 4097, 8192, 3, 4, 0, 0)
    tree.write(stat, "7:1 \n" + LINE % ("7:2", 0, 0, 0, 0, 0, 0) + first +
               LINE % ("8:16", 4, 8, 1, 1, 0, 0) +
               LINE % ("253:1", 5, 6, 7, 8, 9, 10) +
               LINE % ("259:3", 1, 0, 1, 0, 0, 0))
    a.tick()
    rows = devices(a)
    equal(sorted(rows), ["259:3", "dm-1", "sda", "sdb"], "a new device")
    equal([rows[n].opened for n in ("dm-1", "259:3")], [BORN, BORN], "born")
    equal(values(rows["dm-1"]), [5, 6, 7, 8, 9, 10], "dm-1")
    equal(rows["sda"]["read"], 4097, "grew")
    # an unplugged device goes
    tree.write(stat, first)
    a.tick()
    equal(sorted(devices(a)), ["sda"], "gone")
    # nothing is listed: no request, of no device
    tree.write(stat, "")
    a.tick()
    equal(devices(a), {}, "none")
    tree.write(stat, first)
    a.tick()
    equal(devices(a)["sda"].opened, BORN, "from zero again")
    # without the file nothing is known, and later ones are no news
    os.unlink(tree.root + "/" + stat)
    a.tick()
    equal(devices(a), {}, "no file")
    tree.write(stat, first)
    a.tick()
    equal(devices(a)["sda"].opened, APPEARED, "not known before")
    # a disk that got another name
    tree.write("proc/diskstats", DISKS.replace("sda", "sdz"))
    a.tick()
    equal(sorted(devices(a)), ["sdz"], "named as in disks")


def v1(a, tree):
    a.tick()
    rows = devices(a, b"/pg")
    equal(values(rows["sda"]), [4096, 1, 3, 1, None, None], "sda")
    equal(values(rows["sdb"]), [1, 1, None, None, None, None], "sdb")
    name = "sys/fs/cgroup/blkio/pg/blkio.throttle.io_service_bytes"
    tree.write(name, "8:0 Read 4096\n8:0 Write 1\n8:0 Total 4097\n"
               "8:16 Read 1\n8:16 Write 1\n253:1 Read 0\n253:1 Write 9\n"
               "253:1 Discard 2\nTotal 5\n")
    a.tick()
    rows = devices(a, b"/pg")
    equal(values(rows["dm-1"]), [0, 9, None, None, 2, None], "dm-1")
    equal(rows["dm-1"].opened, BORN, "born")


def hybrid(a, tree):
    """Version 1 has blkio, version 2 the rest."""
    folder = tree.root + "/sys/fs/cgroup/blkio/io"
    os.makedirs(folder)
    with open(folder + "/blkio.throttle.io_serviced_recursive", "w") as f:
        f.write("8:16 Read 3\n8:16 Write 4\nTotal 7\n")
    a.tick()
    rows = devices(a, b"/io")
    equal({n: values(r) for n, r in rows.items()},
          {"sdb": [None, None, 3, 4, None, None]}, "rows")


def many(a, tree):
    """More devices than a group may have: its sums are complete."""
    stat = "sys/fs/cgroup%s/io.stat" % tree.path
    lines = [LINE % ("8:%d" % i, i + 1, 0, 1, 0, 0, 0) for i in range(300)]
    tree.write(stat, "".join(lines[:10]))
    a.tick()
    assert not [r for r in a.rows("source") if r["file"] == b"cgroup_io"]
    tree.write(stat, "".join(lines))
    a.tick()
    equal(len(a.rows("cgroup_io")), 256, "rows")
    (group,) = [r for r in a.rows("cgroup") if r["path"] == GROUP]
    equal(group["read"], 300 * 301 // 2, "all of them")
    (told,) = [r for r in a.rows("source") if r["file"] == b"cgroup_io"]
    equal((told["failed"], told["error"]), (1, 7), "told once, as E2BIG")
    # one that gets its row later had requests before
    tree.write(stat, "".join(lines[250:]))
    a.tick()
    rows = devices(a)
    equal(rows["8:299"].opened, APPEARED, "late")
    equal(rows["8:250"].opened, BORN, "had a row since its first request")


def leaving(a, tree):
    """A group that its last recorded process leaves goes on, if it is still
    there; an amount of it is a lower bound then."""
    def closed(entity):
        return [(r["path"] if entity == "cgroup" else r["device"], r.why)
                for r in a.closed.get(entity, [])]

    for removed, why in ((False, LEFT), (True, EXITED)):
        tree.write("proc/%d/cgroup" % PID, "0::%s\n" % GROUP.decode())
        a.tick()
        equal(sorted(devices(a)), ["sda", "sdb"], "rows")
        tree.write("proc/%d/cgroup" % PID, "0::/none\n")
        if removed:
            shutil.rmtree(tree.root + "/sys/fs/cgroup" + tree.path)
        a.tick()
        equal(closed("cgroup"), [(GROUP, why)], "group")
        equal(sorted(closed("cgroup_io")), [(b"sda", why), (b"sdb", why)],
              "devices")


def main():
    v2_line = "0::%s\n" % GROUP.decode()
    in_tree("v2", v2_line, GROUP.decode(), v2)
    in_tree("v1", "4:memory:/pg\n3:cpu,cpuacct:/pg\n2:pids:/pg\n1:blkio:/pg\n",
            "/pg", v1)
    in_tree("hybrid", "4:blkio:/io\n0::/io\n", "/io", hybrid)
    in_tree("v2", v2_line, GROUP.decode(), many)
    in_tree("v2", v2_line, GROUP.decode(), leaving)


main()
