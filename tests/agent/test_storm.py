# SPDX-License-Identifier: Apache-2.0
"""Processes that come and go by the hundred: never a wrong row."""
import os
import subprocess
import time

from agentlib import ALL, NO_QUIET, BORN, Agent, equal

# 200 shells a second or so, each with a child; some outlive their parents
storm = subprocess.Popen(["sh", "-c", """
    trap 'exit 0' TERM
    while :; do
        for i in 1 2 3 4 5 6 7 8; do sh -c 'sleep 0.02 & exit 3' & done
        sleep 0.03
        wait
    done"""])
try:
    with Agent() as a:
        seen = born = lost = 0
        # however slow the machine is
        while seen < 30 or born < 50:
            a.tick(ALL | (NO_QUIET if seen % 2 else 0))
            seen += 1
            born += sum(r.opened == BORN for r in a.opened["process"])
            lost += a.stats["lost"]
            pids = [r["pid"] for r in a.rows("process")]
            equal(len(pids), len(set(pids)), "rows per pid")
            boot = a.block.boot_ns
            for r in a.rows("process"):
                # a row is whole: no cell of another process or moment
                for name in ("start", "comm", "state", "ppid", "uid",
                             "minflt", "csw_vol", "role", "cpu"):
                    assert name in r, (name, r)
                assert r["start"] * 10_000_000 <= boot + 2e9
                if "rss" not in r:
                    assert "rss_anon" not in r or chr(r["state"]) in "ZX", r
            for r in a.closed["process"]:
                assert r["pid"] not in (1, a.pid), r
            s = a.stats
            # what was lost may have been counted as read before
            assert s["read"] + s["quiet"] <= s["seen"] + s["lost"]
            assert s["seen"] - s["lost"] <= s["read"] + s["quiet"]
            time.sleep(0.005)
        storm.terminate()
        storm.wait()
        time.sleep(0.2)
        for _ in range(3):
            a.tick(ALL)
        # a directory and files of each that lives, and the agent's own
        fds = len(os.listdir("/proc/%d/fd" % a.pid))
        assert fds < 60 + 4 * len(a.rows("process")), fds
        print("ticks", seen, "born", born, "lost", lost, "descriptors", fds)
finally:
    storm.terminate()
    storm.wait()
