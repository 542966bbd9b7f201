# SPDX-License-Identifier: Apache-2.0
"""Only processes that a request names: by number, as they were at the first
one, or by what they are called at each."""
import os
import subprocess
import sys

from agentlib import ALL, EXITED, LEFT, Actor, Agent, equal

RENAMES = """
import ctypes, sys
for line in sys.stdin:
    ctypes.CDLL(None).prctl(15, line.strip().encode(), 0, 0, 0)
    print(flush=True)
"""


class Renamed:
    """A process that is called as we say."""

    def __init__(self):
        self.proc = subprocess.Popen([sys.executable, "-c", RENAMES],
                                     stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE)
        self.pid = self.proc.pid

    def call(self, name):
        self.proc.stdin.write(name.encode() + b"\n")
        self.proc.stdin.flush()
        self.proc.stdout.readline()

    def end(self):
        self.proc.stdin.close()
        self.proc.wait()
        self.proc.stdout.close()


def pids_of(agent):
    return sorted(r["pid"] for r in agent.rows("process"))


actors = [Actor("say", "wait").settle() for _ in range(3)]
pids = [a.pid for a in actors]
parent = Actor("say", "fork", "say", "wait")
child = int(parent.proc.stdout.readline())
with Agent() as a:
    a.tick(pid=pids[:2] + [parent.pid, 4000000])
    equal(pids_of(a), sorted(pids[:2] + [parent.pid]), "without children")
    assert all(r["role"] == 5 for r in a.rows("process")), "roles"
    # the list counts once: a number of later is another process
    a.tick(pid=pids + [child])
    equal(pids_of(a), sorted(pids[:2] + [parent.pid]), "the same list")
    actors[0].kill()
    a.tick(pid=pids[:2] + [parent.pid])
    equal([r.why for r in a.closed["process"]], [EXITED], "ended")
    equal(pids_of(a), sorted([pids[1], parent.pid]), "goes on")
    # all of them again
    a.tick(ALL)
    assert {pids[2], child, os.getpid()} <= set(pids_of(a)), "not named"
os.kill(child, 9)

renamed = Renamed()
renamed.call("gs-first")
with Agent() as a:
    a.tick(comm=["gs-*"])
    equal(pids_of(a), [renamed.pid], "pattern")
    renamed.call("other")
    a.tick(comm=["gs-*"])
    equal(pids_of(a), [], "is called otherwise")
    equal([r.why for r in a.closed["process"]], [LEFT], "why")
    renamed.call("gs-again")
    a.tick(comm=["gs-*"])
    equal(pids_of(a), [renamed.pid], "again")
with Agent() as a:
    a.tick(comm=["gs-agai", "gs-agai?"], pid=[pids[1]])
    equal(pids_of(a), sorted([renamed.pid, pids[1]]), "both")
renamed.end()

# what no recorder sends
for named in ({"pid": range(1, 1026)}, {"comm": ["x"] * 65},
              {"comm": ["x" * 65]}):
    a = Agent()
    a.send(**named)
    try:
        a.receive()
        raise AssertionError("answered %r" % named)
    except EOFError as e:
        assert "the limit is" in str(e), str(e)
    a.proc.stdin.close()
    equal(a.proc.wait(), 2, "status")
