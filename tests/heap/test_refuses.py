# SPDX-License-Identifier: Apache-2.0
"""What gpsnap-heap leaves alone, and what it says why."""
import errno
import os
import shutil
import struct
import subprocess
import sys
import tempfile

from heaplib import (HEAP, NOBODY, Eater, Heap, equal, skip, start_of, states,
                     wait_for)

# push nothing, pause(): 29
I386_PAUSE = b"\xb8\x1d\x00\x00\x00\xcd\x80\xeb\xf7"
PTRACE_SEIZE, PTRACE_INTERRUPT = 0x4206, 0x4207
TRACE = """
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
r = libc.ptrace(%d, int(sys.argv[1]), None, None)
print(r, flush=True)
sys.stdin.read()
""" % PTRACE_SEIZE


def program_of_i386(path):
    """One that does nothing; it needs no library."""
    base = 0x08048000
    head = b"\x7fELF\x01\x01\x01" + bytes(9) + struct.pack(
        "<HHIIIIIHHHHHH", 2, 3, 1, base + 84, 52, 0, 0, 52, 32, 1, 0, 0, 0)
    size = 84 + len(I386_PAUSE)
    load = struct.pack("<IIIIIIII", 1, 0, base, base, size, size, 5, 4096)
    with open(path, "wb") as f:
        f.write(head + load + I386_PAUSE)
    os.chmod(path, 0o755)


h = Heap()
e = Eater()
equal(h.get(e.pid, start=e.start + 1), (errno.ESRCH, {}), "of another start")
equal(h.get(4194304 - 1, start=1), (errno.ESRCH, {}), "no such process")
equal(h.get(os.getpid()), (errno.ENOENT, {}), "what started it")
equal(h.get(h.proc.pid), (errno.ENOENT, {}), "itself")
equal(h.get(2), (errno.ENOENT, {}), "a kernel thread")

# a zombie
z = Eater(threads=0)
start = z.start
z.proc.kill()
wait_for(lambda: states(z.pid) == {z.pid: "Z"})
equal(h.get(z.pid, start=start), (errno.ESRCH, {}), "a zombie")
z.proc.wait()

# a program without jemalloc
sleeper = subprocess.Popen(["sleep", "100"], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
equal(h.get(sleeper.pid), (errno.ENOENT, {}), "sleep")
sleeper.kill()
sleeper.wait()

with tempfile.TemporaryDirectory() as folder:
    os.chmod(folder, 0o755)
    # a database's: by its program, by its name, by its title
    server = shutil.copy(e.path, folder + "/postgres")
    for what, of in (("program", Eater(server, argv0="x")),
                     ("title", Eater(argv0="postgres: user db [local] idle"))):
        equal(h.get(of.pid), (errno.ECANCELED, {}), what)
        equal(h.get(of.pid, named=1), (0, of.told), what + ", but named")
        of.end()
    # of another architecture
    program_of_i386(folder + "/foreign")
    try:
        foreign = subprocess.Popen([folder + "/foreign"])
        # until its file is mapped it has none
        wait_for(lambda: h.get(foreign.pid) == (errno.ENOEXEC, {}))
        foreign.kill()
        foreign.wait()
    except OSError:
        print("this kernel does not run programs of i386")

# traced by another
tracer = subprocess.Popen([sys.executable, "-c", TRACE, str(e.pid)],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE)
equal(tracer.stdout.readline(), b"0\n", "tracer")
equal(h.get(e.pid), (errno.EBUSY, {}), "traced")
tracer.stdin.close()
tracer.wait()
equal(h.get(e.pid), (0, e.told), "not traced any more")
h.close()

# lines that are none end it
for line in (b"x\n", b"1 2\n", b"1 2 3\n", b"0 1 0\n", b"1" * 200):
    p = subprocess.run([HEAP], input=line, stdout=subprocess.PIPE,
                       stderr=subprocess.DEVNULL)
    equal((p.returncode, p.stdout), (64, b""), "of %r" % line)

if os.geteuid() != 0:
    skip("the rest: not root")
# of another user
h = Heap(**NOBODY)
error, threads = h.get(e.pid)
equal((error, threads), (errno.EACCES, {}), "of root, by nobody")
theirs = Eater(**NOBODY)
equal(h.get(theirs.pid), (0, theirs.told), "its own")
h.close()
theirs.end()
e.end()
