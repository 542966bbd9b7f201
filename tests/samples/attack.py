#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""attack.py [--wide N]: damaged recordings never show a wrong figure.

Small recordings of each kind are damaged: bits and bytes anywhere, ends cut
off, frames taken out, exchanged, repeated, taken from another recording,
footers of others, files put together in the wrong order.  `gpsnap verify`
then says that it is not whole, or `gpsnap export` gives what it gives of the
sound file; and each value that export gives is one of the sound file, or, after
a hole that is told, what was added from its one edge to the other.  What was
added to single processes after a hole is left to the tests of the model: with
their children together it is right, but another of them may have it.

--wide N: N places of each recording and kind of damage, and a table of what
became of them.
"""
import csv
import io
import os
import random
import struct
import subprocess
import sys
from decimal import Decimal

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
import reader

SLACK = Decimal('0.02')  # of a time in clock ticks
FROM, TO = '2026-09-21T14:15:10', '2026-09-21T14:15:40'


def run(*argv):
    done = subprocess.run([gstest.binary('gpsnap'), *argv],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    gstest.check(done.returncode in (0, 1, 2), '%s: exit status %d\n%s' % (
        ' '.join(argv), done.returncode, done.stderr.decode()))
    return done.returncode, done.stdout.decode('utf-8', 'replace')


def slurp(path):
    with open(path, 'rb') as f:
        return f.read()


class Sound:
    """A recording that is not damaged, and what is exported of it."""

    def __init__(self, path):
        self.data = slurp(path)
        self.status, self.text = run('export', path, '--format', 'csv')
        # 1: one of its hosts was away for a while
        gstest.check(self.status in (0, 1), 'export of ' + path)
        self.lines = set(self.text.split('\n'))
        found = reader.Reader(self.data)
        self.frames = [(f.offset, f.offset + 64 + f.comp_len)
                       for f, _ in found.frames()]
        self.end = self.frames[-1][1]  # where the footer begins
        self.increases = [
            row for row in csv.reader(io.StringIO(self.text, newline=''))
            if row and is_increase(row)]

    def part(self, i):
        return self.data[self.frames[i][0]:self.frames[i][1]]


def seconds_of(time):
    """Of the day."""
    hours, minutes, seconds = time.rstrip('Z').split('T')[1].split(':')
    return Decimal(hours) * 3600 + Decimal(minutes) * 60 + Decimal(seconds)


def is_increase(row):
    return row[7] not in ('', 'seconds')


def totals(rows):
    """{(host, entity, metric): sum}, of increases."""
    out = {}
    for row in rows:
        key = (row[1], row[2], row[4])
        out[key] = out.get(key, 0) + Decimal(row[5])
    return out


def explained(sound, time, rows, text_rows):
    """After a hole that ends at a tick: all that was added in it, of processes
    and what their children left behind together, of others each."""
    end = seconds_of(time)
    begin = end - max(Decimal(row[7]) for row in rows)
    whole = totals(row for row in sound.increases
                   if begin < seconds_of(row[0]) <= end)
    here = totals(row for row in text_rows
                  if row[0] == time and is_increase(row))
    return {k: (v, whole.get(k, 0)) for k, v in here.items()
            if k[1] != 'process' and abs(v - whole.get(k, 0)) > SLACK}


def wrong_lines(sounds, text):
    known = set().union(*(s.lines for s in sounds))
    odd = [next(csv.reader([line])) for line in text.split('\n')
           if line not in known]
    # two hosts of one name: the other was booted at another time
    wrong = [row for row in odd if len(row) != 8 or not (
        is_increase(row) or (len(sounds) > 1 and row[3] == 'reboot'))]
    times = {}
    for row in odd:
        if len(row) == 8 and is_increase(row):
            times.setdefault(row[0], []).append(row)
    rows = None
    for time, some in times.items():
        rows = rows or [r for r in csv.reader(io.StringIO(text, newline=''))
                        if r]
        off = [explained(sound, time, some, rows) for sound in sounds]
        if all(off):
            wrong.append((time, min(off, key=len)))
    return wrong


def relinked(frame, at, key_at):
    """The frame with distances that fit where it is put."""
    fields = list(reader.INDEX.unpack_from(frame, 0))
    if fields[4] == 2:
        fields[10] = at - key_at
    head = reader.INDEX.pack(*fields)[:-4]
    return head + struct.pack('<I', reader.crc32c(head)) + frame[64:]


def bit(sound, other, rng):
    bad = bytearray(sound.data)
    at = rng.randrange(len(bad))
    bad[at] ^= 1 << rng.randrange(8)
    return bytes(bad), [sound]


def byte(sound, other, rng):
    bad = bytearray(sound.data)
    bad[rng.randrange(len(bad))] ^= rng.randrange(1, 256)
    return bytes(bad), [sound]


def index_byte(sound, other, rng):
    """Changes one byte of an index frame: index frames are a hundredth of the
    file, so a random byte seldom hits one."""
    bad = bytearray(sound.data)
    bad[rng.choice(sound.frames)[0] + rng.randrange(64)] ^= \
        rng.randrange(1, 256)
    return bytes(bad), [sound]


def burst(sound, other, rng):
    bad = bytearray(sound.data)
    at, n = rng.randrange(len(bad)), rng.randrange(2, 400)
    bad[at:at + n] = rng.randbytes(len(bad[at:at + n]))
    return bytes(bad), [sound]


def cut(sound, other, rng):
    return sound.data[:rng.randrange(len(sound.data))], [sound]


def cut_at_frame(sound, other, rng):
    return sound.data[:rng.choice(sound.frames)[0]] + \
        rng.choice((b'', sound.data[sound.end:])), [sound]


def beheaded(sound, other, rng):
    return sound.data[rng.choice(sound.frames)[0]:], [sound]


def pieces(sound):
    return [sound.part(i) for i in range(len(sound.frames))] + \
        [sound.data[sound.end:]]


def removed(sound, other, rng):
    parts = pieces(sound)
    at = rng.randrange(len(parts))
    del parts[at:at + rng.randrange(1, 4)]
    return b''.join(parts), [sound]


def swapped(sound, other, rng):
    parts = pieces(sound)
    i, k = rng.randrange(len(parts)), rng.randrange(len(parts))
    parts[i], parts[k] = parts[k], parts[i]
    return b''.join(parts), [sound]


def repeated(sound, other, rng):
    parts = pieces(sound)
    i, k = rng.randrange(len(parts)), rng.randrange(len(parts))
    parts.insert(k, parts[i])
    return b''.join(parts), [sound]


def spliced(sound, other, rng):
    """A frame of another recording, also with distances that fit."""
    parts = pieces(sound)
    i = rng.randrange(len(sound.frames))
    frame = other.part(min(i, len(other.frames) - 1))
    if rng.randrange(4):
        keys = [a for (a, _), p in zip(sound.frames[:i], parts) if p[13] == 1]
        frame = relinked(frame, sound.frames[i][0], keys[-1] if keys else 0)
    parts[i:i + rng.randrange(2)] = [frame]
    return b''.join(parts), [sound, other]


def footer_of_other(sound, other, rng):
    return sound.data[:sound.end] + other.data[other.end:], [sound]


def together(sound, other, rng):
    parts = [sound.data, other.data, sound.data[:rng.choice(
        sound.frames)[0]]]
    rng.shuffle(parts)
    return b''.join(parts[:rng.randrange(2, 4)]), [sound, other]


ATTACKS = (bit, byte, index_byte, burst, cut, cut_at_frame, beheaded, removed,
           swapped, repeated, spliced, footer_of_other, together)


def recordings(tmp):
    """{kind: Sound}, and another recording of the same hosts and times."""
    made = tmp.file('made')
    os.mkdir(made)
    subprocess.run([gstest.binary('make_recordings'), made], check=True)
    small, twin = tmp.file('small.gpsnap'), tmp.file('twin.gpsnap')
    span = ('--from', FROM, '--to', TO)
    run('cut', made + '/ab.gpsnap', *span, '--hosts', 'sdw1', '-o', small)
    run('cut', made + '/twin.gpsnap', *span, '-o', twin)
    out = {'closed': small}
    data = slurp(small)
    out['unclosed'] = tmp.file('unclosed.gpsnap')
    with open(out['unclosed'], 'wb') as f:
        f.write(data[:Sound(small).end])
    day = tmp.file('day')
    os.mkdir(day)
    with open(day + '/a.gpsnap', 'wb') as f:
        f.write(data)
    run('archive', day, '--older-than', '0d')
    (name,) = os.listdir(day)
    out['archived'] = os.path.join(day, name)
    out['thinned'] = tmp.file('thinned.gpsnap')
    run('thin', made + '/ab.gpsnap', '--every', '5s', '-o', out['thinned'])
    out['merged'] = tmp.file('merged.gpsnap')
    run('merge', small, made + '/c.gpsnap', *span, '-o', out['merged'])
    return {k: Sound(p) for k, p in out.items() if os.path.exists(p)}, \
        Sound(twin)


def attack(tmp, how, sound, other, rng):
    """What is wrong with gpsnap's answer, or None; and whether it says that
    the file is damaged."""
    data, sounds = how(sound, other, rng)
    if data == sound.data:
        return None, False
    path = tmp.file('bad.gpsnap')
    with open(path, 'wb') as f:
        f.write(data)
    status, said = run('verify', path)
    exported, text = run('export', path, '--format', 'csv')
    wrong = wrong_lines(sounds, text)
    if wrong:
        return '%d wrong lines: %s' % (len(wrong), wrong[0],), status != 0
    if status == 0 and sounds == [sound]:
        if text != sound.text and 'not closed' not in said:
            return 'called whole, but lines are missing', False
        # the end of a file that was not closed can't be missed
        if text != sound.text and not sound.text.startswith(text[:-2]):
            return 'not the beginning of what there was', False
    lost = sound.lines - set(text.split('\n'))
    # of two recordings of one time, one is passed over
    if lost and exported == 0 and sounds == [sound] and \
            'not closed' not in said:
        return 'export says nothing of a hole', status != 0
    return None, status != 0


def main():
    gstest.binary('gpsnap')
    wide = int(sys.argv[2]) if sys.argv[1:2] == ['--wide'] else 0
    proto = reader.load_proto()
    reader.load_proto = lambda: proto  # once is enough
    bad = []
    with gstest.TempDir() as tmp:
        kinds, other = recordings(tmp)
        for kind, sound in kinds.items():
            for how in ATTACKS:
                rng = random.Random(how.__name__ + kind)
                n, said, wrong = wide or gstest.few(8), 0, 0
                for i in range(n):
                    what, told = attack(tmp, how, sound, other, rng)
                    said += told
                    if what:
                        wrong += 1
                        bad.append('%s, %s, %d: %s' % (
                            kind, how.__name__, i, what))
                if wide:
                    print('%-9s %-16s %6d trials %6d told %6d wrong' % (
                        kind, how.__name__, n, said, wrong), flush=True)
    for line in bad[:20]:
        print(line)
    gstest.check(not bad, '%d of the answers are wrong' % len(bad))


if __name__ == '__main__':
    main()
