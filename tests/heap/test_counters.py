# SPDX-License-Identifier: Apache-2.0
"""The counters of each thread are what the program itself says: of a variable
of our own in a program and in libraries, and of Debian's jemalloc."""
import errno
import os
import shutil
import subprocess
import tempfile

from heaplib import BIN, JEMALLOC, SANITIZE, Eater, Heap, equal

h = Heap()


def same(eater, what):
    equal(h.get(eater.pid), (0, eater.told), what)


for which in ("heap_eater_own", "heap_eater_fixed",
              "heap_eater_initial-exec", "heap_eater_global-dynamic"):
    e = Eater(which, threads=3, size=123457)
    equal(len(e.told), 4, "threads")
    equal(sorted(set(e.told.values())), [(0, 0), (123457, 41152)], "told")
    same(e, which)
    same(e.say("more"), which + ", and more")
    equal(e.total, (2 * 3 * 123457, 2 * 3 * 41152), "the sum")
    e.end()

# Debian's jemalloc has no symbols: by what mallctl() says
if JEMALLOC and not SANITIZE:
    preloaded = {"env": {**os.environ, "LD_PRELOAD": JEMALLOC}}
    for which, how in (("heap_eater_linked", {}), ("heap_eater", preloaded)):
        e = Eater(which, size=3000000, **how)
        assert all(a >= 3000000 for a, _ in list(e.told.values())[1:]), e.told
        same(e, which)
        before = e.told
        same(e.say("more"), which + ", and more")
        assert e.told != before
        e.end()

with tempfile.TemporaryDirectory() as folder:
    own = BIN + "/heap_eater_own"
    part = folder + "/eater"

    def run(*argv):
        subprocess.run(argv, check=True)

    # a description in a file of its own, found by its name
    run("objcopy", "--only-keep-debug", own, folder + "/eater.debug")
    run("strip", "-o", part, own)
    os.mkdir(folder + "/.debug")
    shutil.move(folder + "/eater.debug", folder + "/.debug/eater.debug")
    run("objcopy", "--add-gnu-debuglink=" + folder + "/.debug/eater.debug",
        part)
    e = Eater(part)
    same(e, "separate debug file")
    # the program was replaced: what runs is still read
    os.unlink(part)
    same(e, "replaced")
    e.end()
    # another file in its place is looked at again
    shutil.rmtree(folder + "/.debug")
    run("strip", "--strip-debug", "-o", part, own)
    e = Eater(part)
    equal(h.get(e.pid), (errno.ENODATA, {}), "without description")
    e.end()
    run("strip", "-o", part, own)
    e = Eater(part)
    equal(h.get(e.pid), (errno.ENOENT, {}), "without any symbol")
    e.end()
    # a library that anybody may have written is never loaded
    if JEMALLOC:
        copy = shutil.copy(JEMALLOC, folder + "/libjemalloc.so.2")
        e = Eater("heap_eater", env={**os.environ, "LD_PRELOAD": copy})
        assert e.total[0] > 0
        equal(h.get(e.pid), (errno.ENODATA, {}), "a library of others")
        e.end()
h.close()
