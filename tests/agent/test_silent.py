# SPDX-License-Identifier: Apache-2.0
"""Files of the host that need not be read at each tick: protocols while no
interface counts packets, sizes of tables by turns.  Figures are those of /proc,
at once where there are packets, else within ten seconds."""
import ctypes
import fcntl
import os
import re
import socket
import struct
import tempfile
import time

from agentlib import ALL, NO_QUIET, Agent, equal, skip

CLONE_NEWNET = 0x40000000
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
PROTOCOLS = {"udp_out": ("snmp", "Udp:", "OutDatagrams"),
             "udp_no_ports": ("snmp", "Udp:", "NoPorts"),
             "ip_out": ("snmp", "Ip:", "OutRequests"),
             "tcp_listen_drops": ("netstat", "TcpExt:", "ListenDrops")}


def own_network():
    """With a loopback interface that nobody else uses."""
    if os.geteuid() != 0 or \
            ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET) != 0:
        skip("needs a network namespace of its own")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def protocols():
    out = {}
    for name, (path, key, field) in PROTOCOLS.items():
        with open("/proc/net/" + path) as f:
            head, values = (ln.split() for ln in f if ln.startswith(key))
        out[name] = int(values[head.index(field)])
    return out


def check(agent, what):
    equal({n: agent.host[n] for n in PROTOCOLS}, protocols(), what)


def ptys():
    with open("/proc/sys/kernel/pty/nr") as f:
        return int(f.read())


def reads(path, name):
    with open(path, "rb") as f:
        return len(re.findall(rb"^tick \d+ proc/(?:1/)?%s " % name,
                              f.read(), re.M))


def tables(agent):
    """When the figure follows one that has changed: after so many seconds."""
    ends = [os.openpty() for _ in range(3)]
    start = time.monotonic()
    while agent.host["ptys"] != ptys():
        assert time.monotonic() - start < 10.5, "late"
        time.sleep(0.25)
        agent.tick(ALL)
    took = time.monotonic() - start
    for pair in ends:
        for fd in pair:
            os.close(fd)
    agent.tick(ALL | NO_QUIET)
    equal(agent.host["ptys"], ptys(), "ptys, when all is read")
    return took


own_network()
to = ("127.0.0.1", 9)
with tempfile.TemporaryDirectory() as where:
    dump = os.path.join(where, "reads")
    with Agent("--dump-reads", dump) as a:
        for _ in range(30):
            a.tick(ALL)
            check(a, "silent")
            time.sleep(0.05)
        silent = reads(dump, b"net/snmp")
        for i in range(20):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
                s.sendto(b"x", to)
            a.tick(ALL)
            check(a, "packet %d" % i)
        busy = reads(dump, b"net/snmp") - silent
        for _ in range(10):
            a.tick(ALL)
            check(a, "silent again")
        # the first, and until the agent knows that nothing moves
        assert silent <= 6, silent
        equal(busy, 20, "reads while there are packets")
        assert reads(dump, b"sys/fs/file-nr") < 20
        took = tables(a)
print("net/snmp read %d times of 30; ptys followed after %.1f s"
      % (silent, took))
