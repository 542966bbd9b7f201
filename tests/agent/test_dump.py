# SPDX-License-Identifier: Apache-2.0
"""What was read and what was told are the same, cell by cell."""
import re
import tempfile
import time

import procparse
from agentlib import ALL, ARGUMENTS, NO_QUIET, Actor, Agent, equal


def parse(data):
    """Per tick, the reads in order: (path, bytes)."""
    ticks, at = {}, 0
    while at < len(data):
        end = data.index(b"\n", at)
        m = re.fullmatch(rb"tick (\d+) (\S+) (\d+)", data[at:end])
        size = int(m[3])
        assert end + 1 + size <= len(data)
        ticks.setdefault(int(m[1]), []).append(
            (m[2].decode(), data[end + 1:end + 1 + size]))
        at = end + 1 + size
    return ticks


def check(rows, reads):
    """The cells of all rows that were read in full at this tick."""
    last = {}
    for path, raw in reads:
        m = re.fullmatch(r"(?:proc|note)/(\d+)/(\w+)", path)
        if m:
            last.setdefault(int(m[1]), {})[m[2]] = raw
    checked = 0
    for row in rows:
        files = last.get(row["pid"], {})
        if "status" not in files:
            continue
        want = procparse.process(files.get)
        if "cgroup" not in files:
            for name in ("cgroup", "cgroup_cpu", "cgroup_memory"):
                want.pop(name, None)
        for name, v in want.items():
            equal(row.get(name), v, "%d %s" % (row["pid"], name))
        equal(row["cpu"], int(files["clock"]) // 1000, "cpu")
        title = procparse.title(files.get("cmdline", b""))
        if title:
            equal(row["title"], title, "title")
        for name in procparse.STATUS.values():
            if name in row:
                assert name in want, name
        checked += 1
    return checked


actors = [Actor("spin", 5, "say", "wait") for _ in range(5)]
states, checked = [], 0
with tempfile.NamedTemporaryFile() as f:
    with Agent("--dump-reads", f.name) as a:
        for i in range(8):
            a.tick(ALL | ARGUMENTS | (NO_QUIET if i % 2 else 0))
            states.append([dict(r) for r in a.rows("process")])
            time.sleep(0.05)
            if i == 3:
                actors.pop().kill()
    for i, reads in parse(f.read()).items():
        n = check(states[i - 1], reads)
        checked += n
        if i % 2 == 0:
            equal(n, len(states[i - 1]), "rows read at tick %d" % i)
assert checked > 20
for actor in actors:
    actor.kill()
