# SPDX-License-Identifier: Apache-2.0
"""The agent in a root that holds nothing but /proc, and with that as --root,
where a container has put what must not be read."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile

from agentlib import AGENT, ARGUMENTS, Agent, equal, skip

if os.environ["GS_SANITIZE"] == "1":
    skip("not static with sanitizers")
if os.geteuid() != 0:
    skip("needs root")
if len(sys.argv) < 2:
    sys.exit(subprocess.run(["unshare", "-m", sys.executable, "-B",
                             __file__, "inside"]).returncode)

root = tempfile.mkdtemp(prefix="gpsnap-chroot-")
try:
    os.mkdir(root + "/proc")
    subprocess.run(["mount", "-t", "proc", "proc", root + "/proc"],
                   check=True)
    shutil.copy(AGENT, root + "/agent")
    with Agent(argv=["chroot", root, "/agent"]) as a:
        a.tick()
        a.tick()
        assert a.process(os.getpid())["comm"] == b"python3"
        assert a.host["mem_total"] > 0 and "thp" not in a.host
        for _ in range(10):  # others end while they are read, now and then
            if a.stats["lost"] == 0:
                break
            a.tick()
        equal(a.stats["lost"], 0, "lost")
    # whoever owns the root has put traps there
    cgroup = root + "/sys/fs/cgroup"
    os.makedirs(cgroup)
    open(cgroup + "/cgroup.controllers", "w").close()
    for name in ("cpu.stat", "memory.current", "memory.stat", "io.stat"):
        os.mkfifo(cgroup + "/" + name)
    os.mkfifo(root + "/hidden")
    os.makedirs(root + "/etc")
    os.symlink("/hidden", root + "/etc/passwd")
    signal.alarm(60)  # it would wait for ever
    with Agent("--root", root) as a:
        a.tick()
        a.tick()
        equal(a.host["procfs"], 1, "procfs")
        assert a.process(os.getpid())["comm"] == b"python3"
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", root + "/proc"],
                   check=True)
    try:
        shutil.copytree(os.environ["GPSNAP_SOURCE"] +
                        "/samples/proc/greenplum6-6.18/tick-00/proc",
                        root + "/proc", dirs_exist_ok=True)
        os.unlink(root + "/proc/28983/cmdline")
        os.symlink("/etc/passwd", root + "/proc/28983/cmdline")
        os.unlink(root + "/proc/29044/cmdline")
        os.symlink(__file__, root + "/proc/29044/cmdline")
        with Agent("--root", root) as a:
            a.tick(ARGUMENTS)
            equal(a.host["procfs"], 0, "procfs")
            for pid in (28983, 29044):
                assert not a.process(pid).get("title"), a.process(pid)
    finally:
        subprocess.run(["umount", root + "/proc"])
finally:
    subprocess.run(["umount", root + "/proc"])
    shutil.rmtree(root)
