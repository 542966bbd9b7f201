# SPDX-License-Identifier: Apache-2.0
"""The same pid again, between two ticks and within one."""
import time

from agentlib import (ALL, BORN, EXITED, LAST_PID, Actor, Agent, equal,
                      in_pid_namespace)

in_pid_namespace(__file__)


def start_as(pid, *words):
    for _ in range(50):
        with open(LAST_PID, "w") as f:
            f.write(str(pid - 1))
        actor = Actor(*words)
        if actor.pid == pid:
            return actor
        actor.kill()
    raise AssertionError("could not get pid %d" % pid)


with Agent() as a:
    a.tick(ALL)
    first = start_as(3000, "spin", 60, "say", "wait")
    a.tick(ALL)
    row = a.process(3000)
    equal(row.opened, BORN, "first")
    start = row["start"]
    for i in range(5):
        # less CPU, more, and none that shows
        first.kill()
        time.sleep(0.03)  # start times are in ticks of 10 ms
        first = start_as(3000, "comm", (b"again%d" % i).hex(),
                         "spin", [1, 90, 0, 60, 200][i], "say", "wait")
        a.tick(ALL)
        row = a.process(3000)
        equal(row["comm"], b"again%d" % i, "comm")
        equal(row.opened, BORN, "again")
        assert row["start"] > start
        start = row["start"]
        (gone,) = [r for r in a.closed["process"] if r["pid"] == 3000]
        equal(gone.why, EXITED, "why")
        assert gone.slot != row.slot, "its slot is used in a later answer"
        assert row["cpu"] < 1e6
    first.kill()
    a.tick(ALL)
    assert a.process(3000) is None
