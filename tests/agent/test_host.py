# SPDX-License-Identifier: Apache-2.0
"""Disks, links and tables of a host, of a tree that has a /sys too."""
import os
import tempfile

from agentlib import Agent, equal

FILES = {
    "proc/uptime": "1.00 1.00\n",
    "proc/stat": "cpu  1 2 3 4\ncpu0 1 2 3 4\nbtime 1790000000\n",
    "proc/sys/fs/file-nr": "700\t0\t100000\n",
    "proc/sys/fs/dentry-state": "1000\t300\t45\t0\t77\t0\n",
    "proc/sys/fs/inode-state": "5000\t1200\t0\t0\t0\t0\t0\n",
    "proc/sys/kernel/pty/nr": "7\n",
    "proc/diskstats": "".join(
        "%d %d %s 1 1 1 1 1 1 1 1 1 1 1\n" % disk for disk in (
            (8, 0, "sda"), (8, 1, "sda1"), (253, 0, "dm-0"),
            (9, 9, "unknown"))),
    "proc/net/dev": "a\nb\n eth0: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"
                    " tun0: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n",
    "sys/dev/block/8:0/device/x": "",
    "sys/dev/block/8:1/partition": "1\n",
    "sys/dev/block/253:0/dm/x": "",
    "sys/class/net/eth0/speed": "10000\n",
    "sys/class/net/eth0/duplex": "full\n",
    "sys/class/net/tun0/speed": "-1\n",
    "sys/class/net/tun0/duplex": "unknown\n",
}
TABLES = {"files": 700, "files_max": 100000, "dentries": 1000,
          "dentries_unused": 300, "inodes": 5000, "inodes_free": 1200,
          "ptys": 7}


def put(root):
    for path, text in FILES.items():
        path = os.path.join(root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as f:
            f.write(text)


def facts(rows, *names):
    return {row["name"]: tuple(row.get(n) for n in names) for row in rows}


def main():
    with tempfile.TemporaryDirectory() as root:
        put(root)
        with Agent("--root", root) as a:
            for tick in range(2):  # the second one keeps what it knows
                a.tick()
                equal({k: a.host[k] for k in TABLES}, TABLES, "tables")
                equal(facts(a.rows("disk"), "partition", "virtual"), {
                    b"sda": (0, 0), b"sda1": (1, 1), b"dm-0": (0, 1),
                    b"unknown": (None, None)}, "disks, tick %d" % tick)
                equal(facts(a.rows("net"), "speed", "duplex"), {
                    b"eth0": (10000, b"full"), b"tun0": (None, None)},
                    "links, tick %d" % tick)
            os.unlink(os.path.join(root, "proc/sys/kernel/pty/nr"))
            a.tick()
            assert "ptys" not in a.host


main()
