# SPDX-License-Identifier: Apache-2.0
"""Talks to gpsnap-agent as a recorder would, knowing only the protocol.

GPSNAP_AGENT names the program, GPSNAP_PB the folder with the generated
gpsnap_pb2.  Rows are kept as dictionaries of metric names.
"""
import atexit
import os
import subprocess
import sys
import time

sys.path[:0] = [os.environ["GPSNAP_PB"], os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "lib")]
import gpsnap_pb2 as pb  # noqa: E402

AGENT = os.environ["GPSNAP_AGENT"]
ALL, ARGUMENTS, FDS, STACK, SMAPS, NO_QUIET = 1, 2, 4, 8, 16, 32
BORN, APPEARED = 1, 2
EXITED, LEFT, HOST_LOST, UNREADABLE = 1, 2, 3, 4
MASK = (1 << 64) - 1


def put_varint(v):
    out = bytearray()
    while v > 0x7F:
        out.append(v & 0x7F | 0x80)
        v >>= 7
    out.append(v)
    return bytes(out)


def ungap(gaps):
    out, at = [], 0
    for g in gaps:
        at += g
        out.append(at)
    return out


class Row(dict):
    """Present cells by name; opened is BORN or APPEARED."""

    opened = None
    slot = None


class Agent:
    def __init__(self, *args, argv=None, env=None):
        self.proc = subprocess.Popen(
            argv or [AGENT, *args], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
        self.pid = self.proc.pid
        self.seq = 0
        self.entities = {}
        self.metrics = {}
        self.tables = {}
        self.texts = {0: b""}
        self.opened = {}
        self.closed = {}
        self.changed = 0
        self.answer_bytes = 0
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def close(self):
        self.proc.stdin.close()
        err = self.proc.stderr.read().decode()
        status = self.proc.wait()
        rest = self.proc.stdout.read()
        assert rest == b"", "stdout carries nothing but answers"
        assert status == 0 and err == "", (status, err)

    def send(self, flags=0, busiest=10, heap_interval_s=0, **named):
        self.seq += 1
        body = pb.Request(sequence=self.seq, busiest=busiest,
                          chosen=bool(named),
                          heap_interval_s=heap_interval_s, **named)
        setattr(body, "with", flags)
        raw = body.SerializeToString()
        self.proc.stdin.write(put_varint(len(raw)) + raw)
        self.proc.stdin.flush()

    def receive(self):
        length = shift = 0
        while True:
            b = self.proc.stdout.read(1)
            if not b:
                raise EOFError(self.proc.stderr.read().decode())
            length |= (b[0] & 0x7F) << shift
            shift += 7
            if b[0] < 0x80:
                break
        raw = self.proc.stdout.read(length)
        assert len(raw) == length
        self.answer_bytes = length
        answer = pb.Answer.FromString(raw)
        self.apply(answer)
        return answer

    def tick(self, flags=0, busiest=10, **named):
        self.send(flags, busiest=busiest, **named)
        return self.receive()

    def apply(self, answer):
        self.raw = answer
        if answer.HasField("hello"):
            for e in answer.hello.entity:
                self.entities[e.id] = e.name
                for m in e.metric:
                    self.metrics[e.id, m.id] = m
                self.tables[e.name] = {}
        for t in answer.text:
            self.texts[t.id] = t.text
        self.events = list(answer.event)
        self.block = answer.block
        self.opened, self.closed, self.changed = {}, {}, 0
        for e in answer.block.entity:
            self.apply_entity(e)

    def apply_entity(self, e):
        name = self.entities[e.entity]
        table = self.tables[name]
        closed = self.closed.setdefault(name, [])
        opened = self.opened.setdefault(name, [])
        for slot, why in zip(ungap(e.closed_gap), e.closed_why):
            row = table.pop(slot)
            row.why = why
            closed.append(row)
        for slot, how in zip(ungap(e.opened_gap), e.opened_how):
            assert slot not in table, "slot %d is open" % slot
            row = Row()
            row.opened = how
            row.slot = slot
            table[slot] = row
            opened.append(row)
        slots = []
        for c in e.column:
            m = self.metrics[e.entity, c.metric]
            if c.diff or c.text:
                slots = ungap(c.row_gap) if c.row_gap else slots
                values = c.text if m.__getattribute__("class") == "text" \
                    else c.diff
                assert len(slots) == len(values), m.name
                for slot, v in zip(slots, values):
                    self.set_cell(table[slot], m, v)
                    self.changed += 1
            for slot in ungap(c.gone_gap):
                del table[slot][m.name]
                self.changed += 1

    def set_cell(self, row, m, v):
        if m.__getattribute__("class") == "text":
            row[m.name] = self.texts[v]
            return
        v = (row.get(m.name, 0) + v) & MASK
        if m.flags & 8 and v >= 1 << 63:  # signed
            v -= 1 << 64
        row[m.name] = v

    def rows(self, entity):
        return list(self.tables[entity].values())

    def process(self, pid):
        """The row of a pid, or None."""
        found = [r for r in self.rows("process") if r["pid"] == pid]
        assert len(found) <= 1, "two rows of one pid"
        return found[0] if found else None

    @property
    def host(self):
        (row,) = self.rows("host")
        return row

    @property
    def stats(self):
        (row,) = self.rows("agent")
        return row


def wait_for(what, timeout=180.0):
    """Calls what() until it is true; its value."""
    end = time.monotonic() + timeout
    while True:
        v = what()
        if v:
            return v
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


ACTOR = os.environ.get("GPSNAP_ACTOR")
alive = set()  # pids of actors


@atexit.register
def end_actors():
    """A test that failed leaves no process that holds its output open."""
    for pid in alive:
        try:
            os.kill(pid, 9)
        except ProcessLookupError:
            pass


class Actor:
    """A helper process; say() starts it and gives the pid that it prints."""

    def __init__(self, *words, room=0, argv0=None, **more):
        padding = ["x" * room] if room else []
        self.proc = subprocess.Popen(
            [argv0 or ACTOR, *map(str, words), *padding],
            executable=more.pop("executable", ACTOR),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, **more)
        self.pid = self.proc.pid
        if "say" in words:
            self.pid = int(self.proc.stdout.readline())
        alive.update({self.pid, self.proc.pid})

    def settle(self):
        """Waits until it sleeps for good; for actors that end in "wait"."""
        def rests():
            before = time.clock_gettime_ns((~self.pid << 3) | 2)
            time.sleep(0.02)
            with open("/proc/%d/stat" % self.pid) as f:
                state = f.read().rsplit(") ", 1)[1][0]
            return state == "S" and before == time.clock_gettime_ns(
                (~self.pid << 3) | 2)
        wait_for(rests, 30)
        return self

    def kill(self):
        for pid in {self.pid, self.proc.pid}:
            try:
                os.kill(pid, 9)
            except ProcessLookupError:
                pass
        alive.difference_update({self.pid, self.proc.pid})
        self.proc.wait()
        self.proc.stdout.close()


LAST_PID = "/proc/sys/kernel/ns_last_pid"


def in_pid_namespace(path):
    """Runs the test again where it is alone with its processes, and can choose
    their pids by LAST_PID; returns there only."""
    if len(sys.argv) > 1:
        return
    if os.geteuid() != 0:
        skip("needs root")
    p = subprocess.run(["unshare", "-fp", "--mount-proc", sys.executable,
                        "-B", path, "inside"], check=False)
    if p.returncode == 1 and not os.path.exists(LAST_PID):
        skip("no ns_last_pid")
    sys.exit(p.returncode)


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def equal(got, want, what):
    if got != want:
        raise AssertionError("%s: got %r, want %r" % (what, got, want))
