# SPDX-License-Identifier: Apache-2.0
"""Names and titles that hold anything."""
import time

import procparse
from agentlib import ALL, ARGUMENTS, Actor, Agent, equal, wait_for

NAMES = [b"a b", b") R 1 (", b"a)b", b"()", b"line\nbreak", b"\xff\xfe\x80",
         b"\x1b[31mred", b"0123456789abcde", b" "]

actors = {n: Actor("comm", n.hex(), "say", "wait") for n in NAMES}
long_title = Actor("title", 10000, "say", "wait", room=11000)
moving = Actor("say", "retitle", 6000, 1500, "wait", room=7000)
with Agent() as a:
    a.tick(ALL | ARGUMENTS)
    for name, actor in actors.items():
        row = a.process(actor.pid)
        equal(row["comm"], name[:15], "comm")
        equal(row["ppid"], procparse.stat(
            procparse.reader(actor.pid)("stat"))["ppid"], "ppid")
    equal(a.process(long_title.pid)["title"], b"x" * 10000 + b" end",
          "long title")
    # a title that never rests stops nothing, and is right in the end
    for _ in range(20):
        a.tick(ALL | ARGUMENTS)
        time.sleep(0.1)
    time.sleep(0.2)

    def settled():
        a.tick(ALL | ARGUMENTS)
        return a.process(moving.pid)["title"] == b"Z" * 6000 + b" end"

    wait_for(settled, 15)
    # titles of others only on request: they may hold passwords
    a.tick(ALL)
    for actor in actors.values():
        assert "title" not in a.process(actor.pid)
for actor in [*actors.values(), long_title, moving]:
    actor.kill()
