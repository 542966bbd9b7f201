# SPDX-License-Identifier: Apache-2.0
"""What the agent makes of it: rows of processes and threads, whom it asks for
and how often, and what it says if gpsnap-heap is not there, ends or hangs."""
import errno
import json
import os
import shutil
import subprocess
import tempfile
import time

from heaplib import (JEMALLOC, NOBODY, SANITIZE, Agent, Beside, Eater, alive,
                     equal, states, wait_for)
from agentlib import AGENT, ALL

THREADS, WITH_HEAP = 64, 256
GPSNAP = os.environ["GS_BIN"] + "/gpsnap"
HANGS_S = 30  # of src/agent/heap_link.c


def sum_of(row):
    return row.get("heap_allocated"), row.get("heap_deallocated")


def source(agent):
    found = [r for r in agent.rows("source") if r["file"] == b"heap"]
    return found[0] if found else {}


def until(agent, what, flags=WITH_HEAP, timeout=60, **named):
    def once():
        agent.tick(flags, heap_interval_s=1, **named)
        return what()
    return wait_for(once, timeout)


e = Eater(threads=3, size=300000)

# rows of the process and of its threads, and changes
with Agent() as a:
    a.tick(WITH_HEAP | THREADS, pid=[e.pid], heap_interval_s=1)
    equal(sum_of(a.process(e.pid)), (None, None), "not read yet")
    until(a, lambda: sum_of(a.process(e.pid)) == e.total,
          WITH_HEAP | THREADS, pid=[e.pid])
    rows = {r["tid"]: sum_of(r) for r in a.rows("thread")}
    equal(rows, e.told, "threads")
    e.say("more")
    assert sum_of(a.process(e.pid)) != e.total
    until(a, lambda: sum_of(a.process(e.pid)) == e.total,
          WITH_HEAP | THREADS, pid=[e.pid])
    equal({r["tid"]: sum_of(r) for r in a.rows("thread")}, e.told, "more")
    row = source(a)
    equal((row["failed"], row["processes"], row.get("error")), (0, 0, None),
          "source")
    assert row["tried"] >= 2, row
    # no more of it
    a.tick(THREADS, pid=[e.pid])
    equal(sum_of(a.process(e.pid)), (None, None), "unasked")
    assert not any("heap_allocated" in r for r in a.rows("thread"))
    # and again
    until(a, lambda: sum_of(a.process(e.pid)) == e.total, pid=[e.pid])

# at most once in an interval; one without jemalloc only if it has run
sleeper = subprocess.Popen(["sleep", "1000"])
alive.append(sleeper)
b = Beside()
with b.start() as a:
    end = time.monotonic() + 3.5
    while time.monotonic() < end:
        a.tick(WITH_HEAP, pid=[e.pid, sleeper.pid], heap_interval_s=1)
        time.sleep(0.1)
    asked = [line[0] for line in b.asked()]
    assert 3 <= asked.count(e.pid) <= 4, asked
    equal(asked.count(sleeper.pid), 1, "asleep")

# of databases only those that are named by number
with tempfile.TemporaryDirectory() as folder:
    os.chmod(folder, 0o755)
    server = Eater(shutil.copy(e.path, folder + "/postgres"))
    titled = Eater(argv0="postgres: user db [local] idle")
    b = Beside()
    with b.start() as a:
        for _ in range(5):
            a.tick(ALL | WITH_HEAP, heap_interval_s=1)
            time.sleep(0.1)
        until(a, lambda: sum_of(a.process(e.pid)) == e.total,
              ALL | WITH_HEAP)
        assert server.pid not in [line[0] for line in b.asked()]
        for of in (server, titled):
            equal(sum_of(a.process(of.pid)), (None, None), "a database's")
        assert all(line[2] == 0 for line in b.asked()), "named"
    b = Beside()
    with b.start() as a:
        for _ in range(5):
            a.tick(WITH_HEAP, comm=["postgres", "heap_eater*"],
                   heap_interval_s=1)
            time.sleep(0.1)
        assert server.pid not in [line[0] for line in b.asked()]
        equal(sum_of(a.process(server.pid)), (None, None), "by its name")
    with b.start() as a:
        pids = [server.pid, titled.pid]
        until(a, lambda: all(sum_of(a.process(p)) != (None, None)
                             for p in pids), pid=pids)
        equal(sum_of(a.process(server.pid)), server.total, "named")
    server.end()
    titled.end()

# a process without jemalloc: absent, not zero; and said
with Agent() as a:
    until(a, lambda: source(a).get("tried"), pid=[sleeper.pid])
    equal(sum_of(a.process(sleeper.pid)), (None, None), "sleep")
    equal((source(a)["lacking"], source(a)["error"]), (1, errno.ENOENT),
          "sleep's cause")
sleeper.kill()
sleeper.wait()

# another user's
if os.geteuid() == 0:
    drop = ["setpriv", "--reuid=%(user)d" % NOBODY, "--regid=%(group)d" %
            NOBODY, "--clear-groups"]
    with Agent(argv=drop + [AGENT]) as a:
        until(a, lambda: source(a).get("denied"), pid=[e.pid])
        equal(sum_of(a.process(e.pid)), (None, None), "of root")
        row = source(a)
        equal((row["processes"], row["error"]), (1, errno.EACCES), "denied")

# not there, ends, writes nonsense
for script, error in (("", errno.ENOPKG), ("exit 3", errno.EPIPE),
                      ("echo nonsense; exec sleep 100", errno.EPIPE),
                      ("read a; echo P 4999999 1 0; exec sleep 100",
                       errno.EPIPE)):
    b = Beside(script)
    with b.start(PATH="/usr/bin:/bin") as a:
        until(a, lambda: source(a).get("error") == error, pid=[e.pid])
        equal(source(a)["failed"], 1, "once, %s" % script)
        for _ in range(3):
            a.tick(WITH_HEAP, pid=[e.pid], heap_interval_s=1)
        equal(source(a)["failed"], 1, "not again, %s" % script)
        equal(sum_of(a.process(e.pid)), (None, None), "%s" % script)

# hangs: no tick waits for it, and it is ended
b = Beside("exec sleep 1000")
with b.start() as a:
    began = time.monotonic()
    longest = 0
    while not source(a).get("error") if a.seq else True:
        at = time.monotonic()
        a.tick(WITH_HEAP, pid=[e.pid], heap_interval_s=1)
        longest = max(longest, time.monotonic() - at)
        assert at - began < HANGS_S + 20, "it hangs for ever"
        time.sleep(0.2)
    equal(source(a)["error"], errno.ETIMEDOUT, "hangs")
    assert time.monotonic() - began >= HANGS_S, "too early"
    assert longest < (5 if SANITIZE else 1), longest
    with open("/proc/%d/task/%d/children" % (a.pid, a.pid)) as f:
        for child in f.read().split():
            wait_for(lambda: set(states(int(child)).values()) == {"Z"})

# from the command to a table
with tempfile.TemporaryDirectory() as folder:
    env = dict(os.environ)
    if JEMALLOC and not SANITIZE:
        env["LD_PRELOAD"] = JEMALLOC
        e.end()
        e = Eater("heap_eater", size=5000000, env=env)
    file = folder + "/r.gpsnap"
    done = subprocess.run(
        [GPSNAP, "record", "-o", file, "--no-catalog", "--pids", str(e.pid),
         "--with", "heap,threads", "--heap-interval", "1", "-i", "1",
         "-n", "4"], check=True, stderr=subprocess.PIPE)
    assert b"the heap" not in done.stderr, done.stderr
    out = subprocess.run(
        [GPSNAP, "export", file, "-f", "json", "--totals",
         "--metrics", "heap_*"], check=True, stdout=subprocess.PIPE).stdout
    lines = [json.loads(line) for line in out.splitlines()]
    found = {(r["entity"], r["identity"].split()[0 if r["entity"] ==
              "process" else 1], r["metric"]): r["value"] for r in lines}
    want = {("process", "pid=%d" % e.pid): e.total}
    want.update({("thread", "tid=%d" % t): v for t, v in e.told.items()})
    equal(found, {(*key, "heap_" + name): value[i]
                  for key, value in want.items()
                  for i, name in enumerate(("allocated", "deallocated"))},
          "recorded")
    # why there is none, once; all is all only of what was chosen
    me = ["--pids", str(os.getpid())]
    for name, what, times in (("a", [*me, "--with", "heap"], 1),
                              ("b", [*me, "--with", "all"], 1),
                              ("c", ["--busiest", "50", "--with", "all"], 0)):
        done = subprocess.run(
            [GPSNAP, "record", "-o", folder + "/" + name, "--no-catalog",
             *what, "-i", "1", "-n", "4"], stderr=subprocess.PIPE)
        equal((done.returncode, done.stderr.count(b"without jemalloc")),
              (0, times), "%s: %s" % (what, done.stderr))
    e.end()
    # jemalloc in the program itself, without a description: what helps is told
    stripped = folder + "/stripped"
    subprocess.run(["strip", "--strip-debug", "-o", stripped,
                    os.environ["GS_BIN"] + "/heap_eater_own"], check=True)
    e = Eater(stripped)
    file = folder + "/s.gpsnap"
    done = subprocess.run(
        [GPSNAP, "record", "-o", file, "--no-catalog", "--pids", str(e.pid),
         "--with", "heap", "-i", "1", "-n", "4"], stderr=subprocess.PIPE,
        check=True)
    helps = "install the debug symbols of the program or library that has it"
    assert helps in " ".join(done.stderr.decode().split()), done.stderr
    out = subprocess.run([GPSNAP, "replay", file, "-V", "sources", "-f",
                          "json"], check=True, stdout=subprocess.PIPE).stdout
    row, = [r for line in out.splitlines()
            for r in json.loads(line).get("rows", []) if r["file"] == "heap"]
    equal(row["error"], "ENODATA", "in the view")
    assert helps in row["remedy"], row
e.end()
