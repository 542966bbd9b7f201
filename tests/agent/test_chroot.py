# SPDX-License-Identifier: Apache-2.0
"""The agent in a root that holds nothing but /proc."""
import os
import shutil
import subprocess
import sys
import tempfile

from agentlib import AGENT, Agent, equal, skip

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
finally:
    subprocess.run(["umount", root + "/proc"])
    shutil.rmtree(root)
