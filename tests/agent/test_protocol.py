# SPDX-License-Identifier: Apache-2.0
"""Framing, greetings, ends, and what is said on bad input."""
import os
import struct
import subprocess

from agentlib import AGENT, Agent, pb, put_varint, equal


def run(*args, stdin=b""):
    p = subprocess.run([AGENT, *args], input=stdin, capture_output=True,
                       timeout=20)
    return p.returncode, p.stdout, p.stderr


def request(seq):
    raw = pb.Request(sequence=seq, busiest=10).SerializeToString()
    return put_varint(len(raw)) + raw


equal(run(), (0, b"", b""), "no request")
status, out, err = run("--version")
assert status == 0 and out.startswith(b"gpsnap-agent ") and not err
status, out, err = run("--help")
assert status == 0 and out.startswith(b"usage: gpsnap-agent") and not err
status, out, err = run("--nonsense")
assert status == 64 and not out and err
status, out, err = run("word")
equal((status, out, err),
      (64, b"", b'gpsnap-agent: unexpected argument "word"\n'), "word")
for bad in (" 5", "5x", "- 5", "+5", "", "1728001"):
    status, out, err = run("--idle", bad)
    assert status == 64 and b"--idle: expected" in err, (bad, status, err)
status, out, err = run("--root", "/nonexistent", stdin=request(1))
assert status == 2 and out == b"" and b"/nonexistent" in err, (status, err)
status, out, err = run("--dump-reads", "/nonexistent/x")
assert status == 2 and b"/nonexistent/x" in err

# what is no request, or not a whole one
status, out, err = run(stdin=b"\xff" * 20)
assert status == 2 and out == b"" and err.startswith(b"gpsnap-agent: ")
status, out, err = run(stdin=b"GET / HTTP/1.0\r\n\r\n")
assert status == 2 and out == b"", (status, out[:50], err)
status, out, err = run(stdin=request(1)[:-1])
assert status == 2 and out == b"" and b"ended within" in err, err
status, out, err = run(stdin=put_varint(1 << 20) + b"x" * 70000)
assert status == 2 and b"more than" in err, err

# requests in one piece and byte by byte are answered alike, in order
with Agent() as a:
    a.proc.stdin.write(request(7) + request(8))
    a.proc.stdin.flush()
    first, second = a.receive(), a.receive()
    equal(first.block.sequence, 7, "sequence")
    equal(second.block.sequence, 8, "sequence")
    assert first.hello.protocol == 1 and not second.HasField("hello")
    for b in request(9):
        a.proc.stdin.write(bytes([b]))
        a.proc.stdin.flush()
    third = a.receive()
    equal(third.block.sequence, 9, "sequence")
    # clocks go on, and are this host's
    import time
    assert second.block.mono_ns <= third.block.mono_ns
    assert abs(time.clock_gettime_ns(time.CLOCK_BOOTTIME)
               - third.block.boot_ns) < 5e9
    assert abs(time.time_ns() - third.block.wall_ns) < 5e9
    # the first was full: every row of the host's entities opened once
    for name in ("host", "cpu", "agent", "process"):
        assert a.tables[name], name
    for row in a.rows("process"):
        assert row.opened in (1, 2)
    assert a.host["procfs"] == 1
    equal(a.host["boot_id"].decode(), open(
        "/proc/sys/kernel/random/boot_id").read().strip(), "boot id")

# an ended reader is an error, not a signal
a = Agent()
a.proc.stdout.close()
a.send()
equal(a.proc.wait(timeout=20), 2, "status")

# it links nothing at run time
if os.environ["GS_SANITIZE"] == "0":
    elf = open(AGENT, "rb").read()
    at, = struct.unpack_from("<Q", elf, 32)
    size, count = struct.unpack_from("<HH", elf, 54)
    types = [struct.unpack_from("<I", elf, at + i * size)[0]
             for i in range(count)]
    assert 3 not in types, "asks for a dynamic loader"
