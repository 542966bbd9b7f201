#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""An agent that wants to hurt its recorder, or an honest one beside it.

    agent.py MODE HOST [sh]

HOST "good" becomes the fake agent that GS_FAKE names.  Any other speaks the
wire protocol (proto/gpsnap.proto, encoded here by hand, so that it may be
wrong) and does what its mode says.  With a third word the recorder sends its
script first, which is read and not run.
"""
import fcntl
import os
import select
import signal
import struct
import sys
import termios
import time

HOST, CPU, DISK, PROCESS, AGENT, CLUSTER, SEGMENT, BACKEND = \
    1, 2, 3, 7, 8, 10, 11, 12
LOCK, GROUP, COLLECTOR = 13, 15, 17
PID, START, TITLE, MINFLT, ROLE = 1, 2, 4, 12, 68
NAME, BOOT_ID = 1, 2
NOTE, HOLE, STEP, UP, DOWN, REFUSED, BEGIN, STOP = 1, 2, 3, 4, 5, 6, 7, 8
DB_DOWN, SESSION, MARK = 13, 15, 16
APPEARED, EXITED = 2, 1
MIB = 1 << 20
STEP_S = 0.5  # the recorder's interval
NS = 10 ** 9


# ---- encoding ---------------------------------------------------------

def varint(v):
    v &= (1 << 64) - 1
    out = bytearray()
    while v > 0x7F:
        out.append(v & 0x7F | 0x80)
        v >>= 7
    out.append(v)
    return bytes(out)


def zigzag(v):
    return varint((v << 1) ^ (v >> 63))


def number(field, v):
    return varint(field << 3) + varint(v)


def fixed(field, v):
    return varint(field << 3 | 1) + struct.pack('<q', v)


def data(field, body):
    return varint(field << 3 | 2) + varint(len(body)) + body


def gaps(slots):
    out, at = [], 0
    for s in slots:
        out.append(zigzag(s - at))
        at = s
    return b''.join(out)


def text(number_, body):
    return data(3, number(1, number_) + data(2, body))


def event(kind, body, value=0, host=0, wall=0):
    return data(4, number(1, kind) + fixed(2, wall) +
                number(3, value << 1) + number(4, host) + data(5, body))


def column(metric, slots, values=(), texts=(), gone=(), total=0):
    out = number(1, metric) + data(2, gaps(slots))
    if values:
        out += data(3, b''.join(zigzag(v) for v in values))
    if texts:
        out += data(4, b''.join(varint(t) for t in texts))
    if gone:
        out += data(5, gaps(gone))
    if total:
        out += number(10, total)
    return data(6, out)


def together(ids, slots, values, padded=0):
    """Columns of the same rows."""
    return data(9, data(1, gaps(ids)) + data(2, gaps(slots)) +
                data(3, b''.join(zigzag(v) for v in values)) +
                (number(5, padded) if padded else b''))


def delta(entity, opened=(), closed=(), columns=b'', how=APPEARED):
    """Slots and columns of one entity."""
    out = number(1, entity)
    if closed:
        out += data(2, gaps(closed)) + data(3, bytes([EXITED]) * len(closed))
    if opened:
        out += data(4, gaps(opened)) + data(5, bytes([how]) * len(opened))
    return data(9, out + columns)


def range_of(n):
    """Gaps of the slots 0 to n - 1."""
    return b'\0' + b'\2' * (n - 1)


def many(entity, n, columns=b''):
    """n rows that open, quickly made."""
    return data(9, number(1, entity) + data(4, range_of(n)) +
                data(5, bytes([APPEARED]) * n) + columns)


# ---- talking ----------------------------------------------------------

def say(body):
    at = 0
    try:
        while at < len(body):
            at += os.write(1, body[at:at + (1 << 20)])
    except OSError:
        os._exit(0)


class Talk:
    """Requests in, answers out."""

    def __init__(self, host, is_script):
        self.host = host.encode()
        self.is_script = is_script
        self.box = b''

    def read(self):
        got = os.read(0, 65536)
        if not got:
            os._exit(0)
        self.box += got

    def skip_script(self):
        while b'\n}\n' not in self.box:
            self.read()
        self.box = self.box[self.box.index(b'\n}\n') + 3:]

    def request(self):
        """The number of the next one."""
        while not self.box or len(self.box) < 1 + self.box[0]:
            self.read()
        body = self.box[1:1 + self.box[0]]
        self.box = self.box[1 + self.box[0]:]
        seq = shift = 0
        for byte in body[1:]:
            seq |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        return seq

    def hello(self, protocol=1):
        return data(1, number(1, protocol) + data(2, b'hostile'))

    def facts(self, boot=None):
        """The host's row, as its first answer has it; texts 1 and 2."""
        return delta(HOST, [0], columns=column(NAME, [0], texts=[1]) +
                     column(BOOT_ID, [0], texts=[2])), \
            text(1, self.host) + text(2, boot or self.host)

    def rows(self, seq):
        if seq > 1:
            return delta(PROCESS, columns=column(MINFLT, [0, 1], [1, 1]))
        return delta(PROCESS, [0, 1], columns=column(PID, [0, 1], [100, 101])
                     + column(MINFLT, [0, 1], [5, 6]))

    def body(self, seq, more=b'', first=b'', entities=None, beside=b'',
             wall=0, mono=0, boot=0, bare=False):
        """An answer: beside goes next to its block, more into it; first only
        into the first one."""
        now = time.time_ns()
        head = number(2, 1) + number(3, seq) + fixed(4, now + wall) + \
            fixed(5, time.monotonic_ns() + mono) + \
            fixed(6, time.clock_gettime_ns(time.CLOCK_BOOTTIME) + boot)
        block = entities if entities is not None else self.rows(seq)
        out = b''
        if seq == 1 and not bare:
            facts, texts = self.facts()
            block = facts + block + first
            out = self.hello() + texts
        return out + data(2, head + block + more) + beside

    def answer(self, seq, **what):
        body = self.body(seq, **what)
        say(varint(len(body)) + body)

    def waiting(self):
        """Bytes of requests that are there, unread."""
        return struct.unpack('i', fcntl.ioctl(0, termios.FIONREAD,
                                              b'\0' * 4))[0]


def each(make):
    """A mode that answers each request with what make(talk, seq) says."""
    def run(t):
        while True:
            seq = t.request()
            t.answer(seq, **make(t, seq))
    return run


def after(n, make):
    """An honest one for n answers."""
    return each(lambda t, seq: {} if seq <= n else make(t, seq))


def sleep(s=3600):
    time.sleep(s)
    os._exit(0)


def next_tick(offset=0.15):
    now = time.time()
    time.sleep((now // STEP_S + 1) * STEP_S + offset - now)


MODES = {}
SHELL = set()  # modes that get a script


def mode(fn, name=None, shell=False):
    name = name or fn.__name__
    MODES[name] = fn
    if shell:
        SHELL.add(name)
    return fn


# ---- before the protocol ----------------------------------------------

def shell(fn):
    return mode(fn, shell=True)


@shell
def need_twice(t):
    machine = os.uname().machine.encode()
    say(b'#gpsnap# need ' + machine + b'\n#gpsnap# need ' + machine + b'\n')
    sleep()


@shell
def need_for_ever(t):
    while True:
        say(b'#gpsnap# need ' + os.uname().machine.encode() + b'\n')
        time.sleep(0.01)


@shell
def need_then_no_reader(t):
    """The program is never read, and requests wait after it."""
    say(b'#gpsnap# need ' + os.uname().machine.encode() +
        b'\n#gpsnap# ready\n')
    seq = 0
    while True:
        next_tick()
        seq += 1
        t.answer(seq)


@shell
def need_of_no_machine(t):
    say(b'#gpsnap# need pdp11 \x1b]0;owned\x07\n')
    sleep()


@shell
def greeting_endless_line(t):
    while True:
        say(b'welcome ' * 8192)


@shell
def greeting_noise(t):
    say(os.urandom(200 << 10))
    sleep()


@shell
def fails_with_escapes(t):
    say(b'#gpsnap# fail \x1b[2J\x1b]0;owned\x07 no \xff disk\n')
    sleep()


@shell
def unknown_word(t):
    say(b'#gpsnap# sudo rm\n')
    sleep()


@shell
def script_unread(t):
    os.close(0)
    sleep()


# ---- bytes ------------------------------------------------------------

@mode
def noise(t):
    t.request()
    while True:
        say(os.urandom(65536))


@mode
def endless_varint(t):
    t.request()
    while True:
        say(b'\xff' * 65536)


@mode
def huge_length(t):
    t.request()
    say(varint(64 * MIB - 1))
    while True:
        say(b'\0' * 65536)


@mode
def impossible_length(t):
    t.request()
    say(varint(1 << 62) + b'x' * 100)
    sleep()


@mode
def half_a_message(t):
    body = t.body(t.request())
    say(varint(len(body)) + body[:len(body) // 2])
    sleep()


@mode
def half_then_dies(t):
    body = t.body(t.request())
    say(varint(len(body)) + body[:len(body) // 2])


@mode
def slow_drip(t):
    t.answer(t.request())
    body = t.body(t.request())
    for byte in varint(len(body)) + body:
        say(bytes([byte]))
        time.sleep(0.1)
    sleep()


@mode
def slow_huge(t):
    """A long message that comes slowly holds its memory for long."""
    t.request()
    say(varint(14 * MIB))
    while True:
        say(b'\0' * 65536)
        time.sleep(0.02)


@mode
def no_protobuf(t):
    t.request()
    say(varint(1000) + b'\xff' * 1000)
    sleep()


@mode
def empty_messages(t):
    """Submessages without content take memory and no bytes."""
    head = t.body(t.request())
    block = data(2, b'J\0' * (6 * MIB))  # HostBlock.entity
    say(varint(len(head) + len(block)) + head + block)
    sleep()


mode(each(lambda t, seq: {'beside': b'\x1a\0' * (4 * MIB)}), 'empty_texts')


@mode
def zstd_bomb(t):
    """The wire is not compressed: a frame is no message."""
    t.request()
    say(b'\x28\xb5\x2f\xfd\xa4\x00\x00\x00\x40' + b'\x00' * 4096)
    sleep()


# ---- order ------------------------------------------------------------

@mode
def unasked(t):
    t.answer(t.request())
    seq = 2
    while True:
        t.answer(seq)
        seq += 1


mode(each(lambda t, seq: {}), 'honest')


@mode
def wrong_sequence(t):
    t.answer(t.request() + 7)
    sleep()


@mode
def huge_sequence(t):
    t.answer(t.request())
    t.request()
    t.answer((1 << 64) - 1)
    sleep()


@mode
def twice(t):
    while True:
        seq = t.request()
        t.answer(seq)
        t.answer(seq)


@mode
def no_hello(t):
    t.answer(t.request(), bare=True)
    sleep()


@mode
def wrong_version(t):
    t.request()
    body = t.hello(99) + t.body(1, bare=True)
    say(varint(len(body)) + body)
    sleep()


@mode
def hello_each_time(t):
    while True:
        seq = t.request()
        facts, texts = t.facts()
        t.answer(seq, bare=True, entities=facts + t.rows(1),
                 beside=t.hello() + texts)


@mode
def no_block(t):
    t.request()
    say(varint(len(t.hello())) + t.hello())
    sleep()


@mode
def never_answers(t):
    sleep()


@mode
def never_reads(t):
    """Answers as if it did: each request that it sees come, and when none
    comes any more."""
    seq, seen = 0, 0
    while True:
        end = time.monotonic() + 0.3
        while t.waiting() <= seen and (seq < 50 or time.monotonic() < end):
            time.sleep(0.005)
        seen = t.waiting()
        seq += 1
        t.answer(seq)


@mode
def late_always(t):
    while True:
        seq = t.request()
        time.sleep(0.9)
        t.answer(seq)


@mode
def closes_stdin(t):
    t.answer(t.request())
    os.close(0)
    sleep()


@mode
def closes_stdout(t):
    t.answer(t.request())
    os.close(1)
    sleep()


# ---- life -------------------------------------------------------------

@mode
def exits_at_once(t):
    os._exit(1)


@mode
def dies_each_second(t):
    end = time.monotonic() + 1
    while time.monotonic() < end:
        t.answer(t.request())
    sys.stderr.write('%d\n' % time.monotonic_ns())  # each time another
    sys.stderr.flush()
    os._exit(3)


@mode
def dies_after_each_answer(t):
    t.answer(t.request())
    os._exit(3)


@mode
def ignores_sigterm(t):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    t.request()
    say(b'\xff' * 100)
    end = time.monotonic() + 40  # no test lives so long
    while time.monotonic() < end:
        time.sleep(1)


@mode
def stops_itself(t):
    t.answer(t.request())
    os.kill(os.getpid(), signal.SIGSTOP)
    sleep()


@mode
def child_holds_pipe(t):
    t.answer(t.request())
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sleep(40)
    os._exit(0)


@mode
def child_answers_on(t):
    """The process is gone, what it left goes on."""
    t.answer(t.request())
    if os.fork() == 0:
        while True:
            t.answer(t.request())
    os._exit(0)


# ---- standard error ---------------------------------------------------

@mode
def stderr_flood(t):
    if os.fork() == 0:
        end = time.monotonic() + 40
        while time.monotonic() < end:
            os.write(2, b'lorem ipsum dolor sit amet\n' * 2000)
        os._exit(0)
    while True:
        t.answer(t.request())


@mode
def stderr_escapes(t):
    os.write(2, b'\x1b[2J\x1b]0;owned\x07\x9b31m\xe2\x80\xae dead\n')
    os._exit(1)


@mode
def stderr_endless_line(t):
    while True:
        os.write(2, b'x' * 65536)


# ---- time -------------------------------------------------------------

def lie(**by):
    return after(2, lambda t, seq: by)


YEAR = 366 * 86400 * NS
mode(lie(wall=60 * YEAR), 'wall_far_future')
mode(lie(wall=-50 * YEAR), 'wall_far_past')
mode(lie(wall=200 * YEAR), 'wall_out_of_bounds')
mode(after(2, lambda t, seq: {'mono': -seq * 3600 * NS}), 'mono_backwards')
mode(lie(mono=60 * YEAR), 'mono_leaps')
mode(after(2, lambda t, seq: {'boot': -seq * 3600 * NS}), 'boot_backwards')
mode(after(2, lambda t, seq: {'wall': (seq & 1) * 3 * YEAR}),
     'wall_to_and_fro')


@mode
def reboots_each_tick(t):
    while True:
        seq = t.request()
        name = b'boot-%d' % seq
        facts, texts = t.facts(name)
        if seq == 1:
            t.answer(seq)
            continue
        t.answer(seq, entities=delta(HOST, columns=column(
            BOOT_ID, [0], texts=[2])) + delta(PROCESS, [0, 1]),
            beside=text(2, name))


# ---- forged -----------------------------------------------------------

def forge(kind, words=b'forged', **what):
    return after(1, lambda t, seq: {'beside': event(kind, words, **what)})


mode(forge(MARK), 'forged_mark')
mode(forge(STOP), 'forged_stop')
mode(forge(BEGIN), 'forged_start')
mode(forge(STEP, value=NS * 3600), 'forged_clock_set')
mode(forge(HOLE, value=1000000), 'forged_hole')
mode(forge(DOWN, host=1), 'forged_host_down')
mode(forge(DB_DOWN), 'forged_database_down')
mode(forge(1002), 'forged_crash')
mode(forge(17, value=NS), 'forged_host_in_time')
mode(forge(18, value=NS * 3600), 'forged_stood_still')
mode(forge(19, value=NS * 3600), 'forged_suspended')
mode(forge(12345), 'forged_unknown_kind')
mode(forge(NOTE, host=1, wall=60 * YEAR), 'forged_host_and_time')
mode(forge(NOTE, b'\x1b[2J\x1b]0;owned\x07 \xff\xe2\x80\xae'),
     'escapes_in_events')


@mode
def escapes_in_texts(t):
    name = b'\x1b[2J\x1b]0;owned\x07\xe2\x80\xae'
    while True:
        seq = t.request()
        t.answer(seq, beside=text(50, name * 20),
                 more=delta(AGENT, [0] if seq == 1 else [],
                            columns=column(1, [0], texts=[50])))


def rows_of(entity):
    return after(1, lambda t, seq: {'more': delta(
        entity, [0] if seq == 2 else [], columns=column(2, [0], [1]))})


mode(rows_of(CLUSTER), 'catalog_cluster')
mode(rows_of(BACKEND), 'catalog_sessions')
mode(rows_of(LOCK), 'catalog_locks')
mode(after(1, lambda t, seq: {'entities': delta(PROCESS, columns=column(
    MINFLT, [0], [10 ** 12], total=1))}), 'sums_of_thinning')
mode(after(1, lambda t, seq: {'entities': delta(
    PROCESS, columns=data(10, b'') * 1000)}), 'waits_of_thinning')
mode(after(1, lambda t, seq: {'entities': delta(PROCESS, columns=together(
    [MINFLT, MINFLT + 1], [0, 1], [1, 2, 3, 4]))}), 'columns_together')
mode(after(1, lambda t, seq: {'entities': delta(PROCESS, columns=together(
    [MINFLT, MINFLT + 1], [0, 1], [1, 2, 3]))}), 'columns_that_do_not_fit')
mode(after(1, lambda t, seq: {'entities': delta(PROCESS, columns=together(
    [MINFLT], [900], [1], padded=1))}), 'columns_of_no_row')
mode(after(1, lambda t, seq: {'entities': delta(PROCESS, columns=together(
    range(4097), [0], [1] * 4097))}), 'columns_flood')
mode(after(1, lambda t, seq: {'more': data(9, number(1, 200) + data(
    4, range_of(1000)))}), 'unknown_entity')
mode(after(1, lambda t, seq: {'entities': delta(PROCESS, columns=column(
    4000, [0, 1], [1, 2]) + column(MINFLT, [0, 1], [1, 2]))}),
    'unknown_metric')
mode(after(1, lambda t, seq: {'entities': delta(PROCESS, columns=column(
    TITLE, [0, 1], [1, 2]))}), 'number_for_text')
mode(after(1, lambda t, seq: {'entities': delta(PROCESS, columns=column(
    MINFLT, [0, 1], [(1 << 63) - 1, -(1 << 63)]))}), 'huge_numbers')
mode(after(1, lambda t, seq: {'entities': delta(PROCESS, columns=column(
    MINFLT, [-5, 1], [1, 2]))}), 'negative_slot')
mode(after(1, lambda t, seq: {'entities': delta(PROCESS, closed=[900])}),
     'closes_what_never_opened')
mode(after(1, lambda t, seq: {'entities': delta(PROCESS, [0, 1])}),
     'opens_twice')
mode(after(1, lambda t, seq: {'entities': delta(
    PROCESS, [0, 1], [0, 1], column(PID, [0, 1], [seq, seq + 1]))}),
    'slots_reused')
mode(after(1, lambda t, seq: {'entities': delta(PROCESS, columns=column(
    TITLE, [0], texts=[777777]))}), 'text_never_sent')
mode(after(1, lambda t, seq: {'more': delta(HOST, range(seq * 9, seq * 9 + 9),
                                            columns=b'')}), 'hosts_in_host')


@mode
def other_block_too(t):
    """Two blocks, one said to be of another host."""
    while True:
        seq = t.request()
        body = t.body(seq) + t.body(seq, bare=True, more=number(1, 0))
        say(varint(len(body)) + body)


@mode
def twin_of_good(t):
    """Says to be the host beside it."""
    def facts(boot=None):
        return Talk.facts(t, b'good')
    t.facts = facts
    while True:
        t.answer(t.request())


@mode
def twin_of_slow_good(t):
    """The same, named first, and before good says anything."""
    twin_of_good(t)


# ---- floods -----------------------------------------------------------

FLOOD = {}


def flood(name, make):
    """What it says in each answer is made once."""
    def what(t, seq):
        if name not in FLOOD:
            FLOOD[name] = make()
        return FLOOD[name]
    return mode(after(1, what), name)


flood('events_flood', lambda: {'beside': event(NOTE, b'lorem ipsum') * 60000})
flood('more_events', lambda: {'beside': event(NOTE, b'lorem ipsum') * 100000})
flood('event_texts_flood', lambda: {'beside': event(
    NOTE, b'y' * (MIB - 100)) * 8})
flood('refused_flood', lambda: {'beside': b''.join(
    event(REFUSED, b'what%d: why' % i + b'z' * 60000) for i in range(100))})


@mode
def new_refused_each_tick(t):
    while True:
        seq = t.request()
        t.answer(seq, beside=b''.join(event(
            REFUSED, b'w%d-%d: %s' % (seq, i, b'z' * 300))
            for i in range(8)))


@mode
def rows_flood(t):
    """400,000 processes with 6 cells each."""
    n = 400000
    cols = column(PID, range(n), range(n))
    for m in (MINFLT, 13, 14, 15, 20):
        cols += data(6, number(1, m) + data(3, b'\2' * n))
    first = many(PROCESS, n, cols)
    more = delta(PROCESS, columns=data(6, number(1, MINFLT) + data(
        2, range_of(n)) + data(3, b'\2' * n)))
    while True:
        seq = t.request()
        t.answer(seq, entities=first if seq == 1 else more)


@mode
def rows_just_allowed(t):
    """As many rows as one host may have, each changed at each tick."""
    n = 60000
    cols = column(PID, range(n), range(n))
    more = b''
    for m in (MINFLT, 13, 14, 15, 20):
        more += data(6, number(1, m) + (data(2, range_of(n))
                                        if m == MINFLT else b'') +
                     data(3, b'\2' * n))
    while True:
        seq = t.request()
        t.answer(seq, entities=many(PROCESS, n, cols + more) if seq == 1
                 else data(9, number(1, PROCESS) + more))


@mode
def rows_churn(t):
    """All rows are others at each tick."""
    n = 40000
    cols = data(6, number(1, PID) + data(2, range_of(n)) +
                data(3, b'\2' * n))
    while True:
        seq = t.request()
        if seq == 1:
            t.answer(seq, entities=many(PROCESS, n, cols))
            continue
        t.answer(seq, entities=data(9, number(1, PROCESS) +
                 data(2, range_of(n)) + data(3, bytes([EXITED]) * n) +
                 data(4, range_of(n)) +
                 data(5, bytes([APPEARED]) * n) + cols))


@mode
def high_slots(t):
    """One row in the last slot of each entity."""
    while True:
        seq = t.request()
        more = b''
        if seq == 1:
            for e in (2, 3, 4, 5, 6, 7, 9, 19):
                more += delta(e, [(1 << 20) - 1])
        t.answer(seq, entities=more or delta(AGENT))


@mode
def rows_named_often(t):
    """A column names one row a million times."""
    n = 1 << 20
    cols = b''.join(data(6, number(1, m) + data(2, b'\0' * n) +
                         data(3, b'\2' * n)) for m in (12, 13, 14))
    while True:
        seq = t.request()
        t.answer(seq, entities=None if seq == 1 else
                 data(9, number(1, PROCESS) + cols))


def titles(seq, n, length, ids):
    """Texts that nobody said before, for rows 0 to n - 1."""
    body = os.urandom(n * length)
    return b''.join(text(ids + i, body[i * length:(i + 1) * length])
                    for i in range(n))


@mode
def new_texts_each_tick(t, n=20, length=100000):
    """4 MB a second that can't be compressed."""
    while True:
        seq = t.request()
        ids = 10 + (seq & 1) * n
        t.answer(seq, entities=delta(
            PROCESS, range(n) if seq == 1 else [], columns=column(
                TITLE, range(n), texts=range(ids, ids + n))),
            beside=titles(seq, n, length, ids))


@mode
def some_texts_each_tick(t):
    """A tenth of it: as fast as an agent may speak for some time."""
    new_texts_each_tick(t, 2)


@mode
def texts_kept(t):
    """3 MB more at each tick, in rows that stay."""
    n, length = 30, 100000
    while True:
        seq = t.request()
        rows = range(seq * n, seq * n + n)
        ids = 10 + seq * n
        t.answer(seq, entities=delta(PROCESS, rows, columns=column(
            TITLE, rows, texts=range(ids, ids + n))),
            beside=titles(seq, n, length, ids))


@mode
def fat(t):
    """3.5 MB of texts in its first answer, then nothing new."""
    n, length = 35, 100000
    while True:
        seq = t.request()
        if seq > 1:
            t.answer(seq)
            continue
        ids = 10
        t.answer(seq, entities=delta(PROCESS, range(n), columns=column(
            TITLE, range(n), texts=range(ids, ids + n))),
            beside=titles(seq, n, length, ids))


@mode
def too_fat(t):
    """14 MB of texts."""
    n, length = 140, 100000
    while True:
        t.answer(t.request(), entities=delta(
            PROCESS, range(n), columns=column(
                TITLE, range(n), texts=range(10, 10 + n))),
            beside=titles(1, n, length, 10))


@mode
def texts_unused(t):
    """Texts that no cell refers to."""
    while True:
        seq = t.request()
        t.answer(seq, beside=titles(seq, 30, 100000, 10 + seq * 30))


flood('one_text_of_a_mib', lambda: {'beside': text(9, b'a' * MIB) +
                                    text(8, b'b' * MIB),
                                    'more': delta(PROCESS, columns=column(
                                        TITLE, [0, 1], texts=[8, 9]))})
flood('text_too_long', lambda: {'beside': text(9, b'a' * (2 * MIB))})
flood('text_ids_high', lambda: {'beside': text((1 << 24) - 1, b'a')})
flood('entities_flood', lambda: {'more': data(9, number(1, CPU)) * 500000})
flood('columns_flood', lambda: {'more': data(9, number(
    1, CPU) + data(6, number(1, 4000)) * 800000)})


@mode
def cpus_flood(t):
    """As many CPUs and disks as slots are."""
    n = 60000
    while True:
        seq = t.request()
        t.answer(seq, entities=b''.join(
            many(e, n) for e in (2, 3, 4, 5, 6)) if seq == 1 else delta(CPU))


# ---- main -------------------------------------------------------------

def main():
    name, host = sys.argv[1:3]
    t = Talk(host, len(sys.argv) > 3)
    if host.startswith('good'):
        if 'twin_of_slow_good' in sys.argv[1]:
            time.sleep(1.5)
        if t.is_script:
            t.skip_script()
            os.environ['FAKE_PREAMBLE'] = '1'
        os.execv(os.environ['GS_FAKE'], ['gpsnap-agent', host])
    # "a+b": host bad0 is an a, host bad1 a b
    if '+' in name:
        name = name.split('+')[int(host[3:])]
    if t.is_script and name not in ('script_unread',):
        t.skip_script()
    if t.is_script and name not in SHELL:
        say(b'#gpsnap# ready\n')
    MODES[name](t)


if __name__ == '__main__':
    main()
