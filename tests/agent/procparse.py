# SPDX-License-Identifier: Apache-2.0
"""What the files of a process say, read independently of the agent.

process(read) gives the cells that a row must have, as names and values;
read(name) gives a file's bytes or None.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))
import registry  # noqa: E402

PAGE = os.sysconf("SC_PAGESIZE")
STATUS = registry.numbers("PROCESS", "STATUS")
# others are scaled, absent, or no number
STAT = {int(field.split()[1]): name for field, name in
        registry.numbers("PROCESS", "STAT").items()
        if name not in ("pid", "comm", "state", "blkio_delay")}


def stat(raw):
    head, tail = raw[:raw.rindex(b")")], raw[raw.rindex(b")") + 2:]
    fields = [None, None, None] + tail.split()
    cells = {"pid": int(head.split()[0]),
             "comm": head[head.index(b"(") + 1:], "state": fields[3][0]}
    for i, name in STAT.items():
        cells[name] = int(fields[i])
    if int(fields[23]):
        cells["vsize"] = int(fields[23]) // 1024
        cells["rss"] = int(fields[24]) * PAGE // 1024
    return cells


def status(raw):
    cells = {}
    for line in raw.splitlines():
        key, _, value = line.partition(b":")
        key, words = key.decode(), value.split()
        if key in STATUS:
            cells[STATUS[key]] = int(words[0])
        elif key == "Uid":
            cells["uid"], cells["euid"] = int(words[0]), int(words[1])
        elif key == "Gid":
            cells["gid"] = int(words[0])
        elif key == "NSpid" and len(words) > 1:
            cells["ns_pid"] = int(words[-1])
        elif key == "Cpus_allowed_list":
            cells["cpus_allowed"] = value.strip()
    return cells


def io(raw):
    return {k.decode(): int(v) for k, v in
            re.findall(rb"(\w+): (\d+)", raw)}


def title(raw):
    return raw.rstrip(b"\0").replace(b"\0", b" ")


def cgroup(raw):
    paths = {}
    for line in raw.splitlines():
        number, controllers, path = line.split(b":", 2)
        if path == b"/":
            paths.setdefault(9, path)
        elif number == b"0":
            paths.setdefault(0, path)
        elif b"memory" in controllers.split(b","):
            paths.setdefault(1, path)
        elif b"cpu" in controllers.split(b","):
            paths.setdefault(2, path)
        else:
            paths.setdefault(3, path)
    return paths[min(paths)] if paths else None


def cgroup_of(raw, controller):
    """The path in the hierarchy of a controller."""
    unified = None
    for line in raw.splitlines():
        number, controllers, path = line.split(b":", 2)
        if controller.encode() in controllers.split(b","):
            return path
        if number == b"0" and not controllers:
            unified = path
    return unified


def process(read):
    cells = stat(read("stat"))
    cells.update(status(read("status") or b""))
    cells.update(io(read("io") or b""))
    sched = read("schedstat")
    if sched:
        run, delay, slices = map(int, sched.split())
        used = cells["utime"] + cells["stime"]
        if run or delay or slices or not used:
            cells["run_delay"] = delay // 1000
            cells["timeslices"] = slices
    raw = read("cgroup") or b""
    path = cgroup(raw)
    if path is not None:
        cells["cgroup"] = path
    for controller in ("cpu", "memory"):
        path = cgroup_of(raw, controller)
        if path is not None:
            cells["cgroup_" + controller] = path
    return cells


def reader(pid):
    def read(name):
        try:
            with open("/proc/%d/%s" % (pid, name), "rb") as f:
                return f.read()
        except OSError:
            return None
    return read
