# SPDX-License-Identifier: Apache-2.0
"""Processes are seen at once although not all are listed: numbers that start
over, births and deaths between full lists, and where others are hidden."""
import os
import subprocess
import time

from agentlib import (AGENT, ALL, BORN, EXITED, LAST_PID, Actor, Agent, equal,
                      in_pid_namespace)

HIDDEN_USER = 65534

in_pid_namespace(__file__)


def next_pid(pid):
    """The next number given is this one, or the first free one above."""
    with open(LAST_PID, "w") as f:
        f.write(str(pid - 1))


def listed():
    return {int(name) for name in os.listdir("/proc") if name.isdigit()}


def start(pid):
    next_pid(pid)
    return Actor("say", "wait").settle()


def tick(a):
    """One tick; all processes of the namespace have a row, and no others."""
    a.tick(ALL)
    equal({r["pid"] for r in a.rows("process")}, listed(), "processes")
    equal(a.stats["lost"], 0, "read although they had ended")


with Agent() as a:
    tick(a)
    # upwards, so that lists begin where the last one ended
    high = []
    for pid in (20000, 20001, 25000, 32000):
        high.append(start(pid))
        tick(a)
        row = a.process(high[-1].pid)
        assert row and row.opened == BORN, (pid, row)

    # born and dead, one after the other, all within the time of one list
    began = time.monotonic()
    for i in range(8):
        actor = start(32100 + i)
        tick(a)
        assert a.process(actor.pid).opened == BORN
        actor.kill()
        tick(a)
        (gone,) = [r for r in a.closed["process"] if r["pid"] == actor.pid]
        equal(gone.why, EXITED, "why")
    # and born and dead with no tick between
    start(32200).kill()
    tick(a)
    assert time.monotonic() - began < 10, "too slow to show anything"

    # a zombie is there until it is waited for
    zombie = start(32300)
    tick(a)
    os.kill(zombie.pid, 9)
    os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
    tick(a)
    assert a.process(zombie.pid), "not waited for"
    zombie.kill()
    tick(a)
    equal(a.process(zombie.pid), None, "waited for")

    # the numbers start over, below those that live
    low = []
    for pid in (400, 401, 500, 19999, 20005, 25001):
        low.append(start(pid))
        assert low[-1].pid == pid
        tick(a)
        assert a.process(pid).opened == BORN, pid
    high[2].kill()
    low[1].kill()
    tick(a)
    low.append(start(26000))
    low[3].kill()
    tick(a)

    # a number that was given by hand is found by the next full list
    hand = start(450)
    next_pid(27000)
    late = Actor("say", "wait")
    deadline = time.monotonic() + 11
    while True:
        a.tick(ALL)
        assert a.process(late.pid)
        if a.process(hand.pid):
            break
        assert time.monotonic() < deadline
        time.sleep(1)
    tick(a)
    hand.kill()
    late.kill()
    tick(a)
    for actor in high + low:
        actor.kill()
    tick(a)

# /proc hides others' processes: the own ones are seen at once as well
if subprocess.run(["mount", "-o", "remount,hidepid=2", "/proc"],
                  stderr=subprocess.DEVNULL).returncode == 0:
    user = ["setpriv", "--reuid", str(HIDDEN_USER), "--regid",
            str(HIDDEN_USER), "--clear-groups", "--inh-caps=-all"]
    with Agent(argv=user + [AGENT]) as a:
        a.tick(ALL)
        a.tick(ALL)
        for pid in (30000, 30010, 30020, 600):
            next_pid(pid)
            theirs = Actor("say", "wait")
            ours = Actor("say", "wait", user=HIDDEN_USER, group=HIDDEN_USER,
                         extra_groups=[])
            a.tick(ALL)
            assert a.process(ours.pid).opened == BORN, pid
            equal(a.process(theirs.pid), None, "hidden")
            ours.kill()
            theirs.kill()
            a.tick(ALL)
            equal(a.process(ours.pid), None, "ended")
else:
    print("no hidepid")
