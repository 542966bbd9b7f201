#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""damage.py: of damaged recordings `gpsnap verify` and the independent
reader find the same whole ticks, and agree on whether there is damage.

Bits flipped, bytes cut, removed, inserted, zeroed and exchanged, by a fixed
seed, in the smallest recording of samples/, alone and put together with
itself.
"""
import glob
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
import reader

ROUNDS = 700


def spoil(data, rng):
    """(what was done, damaged bytes)."""
    data = bytearray(data)
    at = rng.randrange(len(data))
    how = rng.choice(('flip', 'cut', 'remove', 'insert', 'zero', 'exchange'))
    n = rng.randrange(1, 3000)
    if how == 'flip':
        data[at] ^= 1 << rng.randrange(8)
    elif how == 'cut':
        del data[at:]
    elif how == 'remove':
        del data[at:at + n]
    elif how == 'insert':
        data[at:at] = rng.randbytes(n)
    elif how == 'zero':
        data[at:at + n] = bytes(len(data[at:at + n]))
    else:
        to = rng.randrange(len(data))
        part, other = data[at:at + n], data[to:to + n]
        data[at:at + n], data[to:to + n] = other, part
    return '%s at %d' % (how, at), bytes(data)


def count(found):
    """Ticks, each once: where the same recording begins again, they count
    from the first key on that is new."""
    n, last, recording, over = 0, 0, None, False
    for state in found.ticks():
        tick = state.tick
        again = False
        if tick.key:
            same = recording == tick.header.recording_id
            recording = tick.header.recording_id
            over = same and tick.seq < last
            again = same and tick.seq == last
        if over:
            continue
        last = tick.seq
        n += not again
    return n


def by_reader(data):
    """(whole ticks, whether something is damaged)."""
    found = reader.Reader(data)
    n = count(found)
    return n, bool(found.damage) or n == 0


def by_verify(path):
    done = subprocess.run([gstest.binary('gpsnap'), 'verify', path],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    gstest.check(done.returncode in (0, 1, 2), 'verify: exit status %d\n%s' %
                 (done.returncode, done.stderr))
    m = re.search(r'(\d+) ticks? of it whole|: whole, (\d+) tick',
                  done.stdout)
    return int(m.group(1) or m.group(2)) if m else 0, done.returncode != 0


def main():
    gstest.binary('gpsnap')
    paths = glob.glob(os.path.join(gstest.TOP, 'samples', '**', '*.gpsnap'),
                      recursive=True)
    if not paths:
        gstest.skip('there is no recording in samples/')
    with open(min(paths, key=os.path.getsize), 'rb') as f:
        sound = f.read()
    proto = reader.load_proto()
    reader.load_proto = lambda: proto  # once is enough
    rng = random.Random(1)
    bad = 0
    with gstest.TempDir() as tmp:
        path = tmp.file('bad.gpsnap')
        for i in range(gstest.few(ROUNDS)):
            how, data = spoil(sound * (1 + i % 2), rng)
            with open(path, 'wb') as f:
                f.write(data)
            want, got = by_reader(data), by_verify(path)
            if want != got:
                bad += 1
                print('round %d, %s: reader.py (ticks, damaged) %r, '
                      'verify %r' % (i, how, want, got))
    gstest.check(bad == 0, '%d of %d' % (bad, i + 1))
    print('%d damaged recordings read alike' % (i + 1))


if __name__ == '__main__':
    main()
