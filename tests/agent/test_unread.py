# SPDX-License-Identifier: Apache-2.0
"""An agent without privileges counts what it may not read, by file and error:
as many processes as another program of that user finds."""
import errno
import os
import subprocess
import sys
import tempfile

from agentlib import (AGENT, FDS, NO_QUIET, SMAPS, STACK, Actor, Agent, equal,
                      skip)

NOBODY = 65534
LIKE_NOBODY = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
DROP = ["setpriv", "--reuid=%d" % NOBODY, "--regid=%d" % NOBODY,
        "--clear-groups"]
COUNT = """
import sys
n = 0
for pid in sys.argv[2:]:
    try:
        open("/proc/%s/%s" % (pid, sys.argv[1]), "rb").read()
    except PermissionError:
        n += 1
print(n)
"""

if os.geteuid() != 0:
    skip("not root")
if subprocess.run(DROP + [AGENT, "--version"], stdout=subprocess.DEVNULL,
                  stderr=subprocess.DEVNULL).returncode != 0:
    skip("no setpriv, or others may not run the agent")


def refused(file, pids):
    """How many of them a program of that user can not read."""
    return int(subprocess.run(
        DROP + [sys.executable, "-c", COUNT, file, *map(str, pids)],
        stdout=subprocess.PIPE, check=True).stdout)


def sources(agent):
    return {r["file"].decode(): r for r in agent.rows("source")}


ours = [Actor("say", "wait").settle() for _ in range(5)]
theirs = [Actor("say", "wait", **LIKE_NOBODY).settle() for _ in range(2)]
pids = [a.pid for a in ours + theirs]
with_all = FDS | STACK | SMAPS | NO_QUIET

with Agent(argv=DROP + [AGENT]) as a:
    a.tick(with_all, pid=pids)
    equal(sorted(r["pid"] for r in a.rows("process")), sorted(pids), "rows")
    now = sources(a)
    for file in ("io", "smaps", "smaps_rollup"):
        row = now[file]
        equal(refused(file, pids), 5, "refused, " + file)
        equal((row["tried"], row["failed"], row["denied"], row["lacking"],
               row["others"], row["lost"], row["processes"], row["error"]),
              (7, 5, 5, 0, 0, 0, 5, errno.EACCES), file)
    for file in ("stat", "status"):
        equal((now[file]["failed"], now[file]["processes"]), (0, 0), file)
        assert now[file]["tried"] >= 7 and "error" not in now[file], file
    equal(a.stats["refused"], 5, "processes with an unreadable file")
    # a process less: a gauge falls, counters do not
    ours.pop().kill()
    a.tick(with_all, pid=pids)
    row = sources(a)["io"]
    equal((row["tried"], row["failed"], row["processes"]), (13, 9, 4),
          "after one has ended")
    # idle ones are not read again: what is unreadable still is
    a.tick(0, pid=pids)
    a.tick(0, pid=pids)
    row = sources(a)["io"]
    equal(row["processes"], 4, "of idle processes")
    equal(row["failed"], row["denied"], "denied only")

def is_off(setting):
    try:
        with open("/proc/sys/kernel/" + setting, encoding="ascii") as f:
            return f.read().strip() == "0"
    except FileNotFoundError:
        return False


# root can read all; delays that the kernel does not count are no file
with Agent() as a:
    a.tick(with_all, pid=pids)
    for file, row in sources(a).items():
        if file == "task_delayacct" and is_off(file):
            equal(row["error"], errno.ENODATA, "delays are not counted")
            continue
        equal((row["failed"], row["processes"], row.get("error")),
              (0, 0, None), file + " by root")

# processes of others are not listed
with tempfile.TemporaryDirectory() as folder:
    os.chmod(folder, 0o755)
    os.mkdir(folder + "/proc")
    mount = "mount -t proc -o hidepid=2 proc %s/proc" % folder
    hidden = ["unshare", "-m", "sh", "-c", mount + ' && exec "$@"', "sh"]
    if subprocess.run(hidden + ["true"], stderr=subprocess.DEVNULL
                      ).returncode == 0:
        with Agent(argv=hidden + DROP + [AGENT, "--root", folder]) as a:
            a.tick(1)
            row = sources(a)["pids"]
            equal((row["tried"], row["denied"], row["error"]),
                  (1, 1, errno.EPERM), "hidepid")
            assert a.process(theirs[0].pid), "its own are listed"
            equal(a.process(ours[0].pid), None, "others' are not")
for actor in ours + theirs:
    actor.kill()
