# SPDX-License-Identifier: Apache-2.0
"""Delays as the kernel tells them over generic netlink: a reader that shares no
code with gpsnap, after tools/accounting/getdelays.c of Linux."""
import socket
import struct

PID, TGID = 1, 2


def attribute(kind, data):
    return (struct.pack('=HH', 4 + len(data), kind) + data +
            b'\0' * (-len(data) % 4))


def attributes(raw):
    found, at = {}, 0
    while at + 4 <= len(raw):
        size, kind = struct.unpack_from('=HH', raw, at)
        found[kind & 0x3FFF] = raw[at + 4:at + size]
        at += size + 3 & ~3
    return found


class Kernel:
    """family: None if the kernel has no taskstats."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16)
        self.socket.bind((0, 0))
        got = self.ask(16, 3, attribute(2, b'TASKSTATS\0'))
        self.family = got and struct.unpack('=H', got[1])[0]

    def ask(self, family, command, body):
        self.socket.send(struct.pack('=IHHIIBBH', 20 + len(body), family, 1,
                                     1, 0, command, 1, 0) + body)
        raw = self.socket.recv(65536)
        if struct.unpack_from('=H', raw, 4)[0] == 2:
            return None
        return attributes(raw[20:])

    def words(self, number, how):
        """struct taskstats of a thread (PID) or process (TGID) as 64-bit words;
        None if it is not told."""
        got = self.family and self.ask(
            self.family, 1, attribute(how, struct.pack('=I', number)))
        if not got:
            return None
        raw = attributes(got[how + 3])[3]
        return struct.unpack('=%dQ' % (len(raw) // 8), raw)
