#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""whole.py: `gpsnap verify` and `gpsnap info` say what is missing where frames
or files were taken out, and call damaged what is; the independent reader
agrees.
"""
import os
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
import reader

CLOSED = os.path.join(gstest.TOP, 'samples', 'postgresql15.gpsnap')
OTHER = os.path.join(gstest.TOP, 'samples', 'greenplum6.gpsnap')


def slurp(path):
    with open(path, 'rb') as f:
        return f.read()


def said(*argv):
    done = subprocess.run([gstest.binary('gpsnap'), *argv],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    return done.returncode, done.stdout


def pieces(data):
    """(start of each frame and the footer, kinds, the end)."""
    found = reader.Reader(data)
    frames = [f for f, _ in found.frames()]
    starts = [f.offset for f in frames]
    end = frames[-1].offset + reader.INDEX.size + frames[-1].comp_len
    return starts + [end], [f.kind for f in frames]


def varint(v):
    out = b''
    while v >= 0x80:
        out, v = out + bytes([v & 0x7f | 0x80]), v >> 7
    return out + bytes([v])


def footer(data, seq=0, wall_ns=0):
    """That of the frames of single ticks in data, whose numbers and times are more."""
    body, last = b'', (0, 0, 0)
    frames = [f for f, _ in reader.Reader(data).frames()]
    for f in frames:
        now = (f.offset, f.seq + seq, f.wall_ns + wall_ns)
        body += varint(now[0] - last[0]) + varint(f.comp_len) + varint(f.raw_len)
        for i in (1, 2):
            more = now[i] - last[i]
            body += varint(2 * more if more >= 0 else -2 * more - 1)
        body += varint(f.kind)
        last = (f.offset + reader.INDEX.size + f.comp_len, *now[1:])
    body += struct.pack('<II', len(frames), reader.crc32c(body))
    body = struct.pack('<II', reader.MAGIC, len(body) + 12) + body + \
        struct.pack('<I', len(body) + 20)
    return body + struct.pack('<I', reader.crc32c(body)) + b'GPSE'


def made_of():
    """{name: (bytes, status, what verify says)}."""
    data = slurp(CLOSED)
    at, kinds = pieces(data)
    keys = [i for i, kind in enumerate(kinds) if kind == 1]
    gstest.check(len(keys) >= 2, 'the sample has no two keys')
    last, foot = at[-2], at[-1]
    other = slurp(OTHER)
    n = len(kinds)
    return {
        'sound': (data, 0, ': whole, %d ticks' % n),
        'a footer of ours': (data[:foot] + footer(data[:foot]), 0,
                             ': whole, %d ticks' % n),
        'a footer with other times': (
            data[:foot] + footer(data[:foot], wall_ns=-10**9), 1,
            'names other ticks than are here'),
        'a footer with other numbers': (
            data[:foot] + footer(data[:foot], seq=1000), 1,
            'names other ticks than are here'),
        'no footer': (data[:foot], 0, 'not closed'),
        'without the first key': (
            data[at[1]:], 1, 'offset 0: starts in the middle'),
        'from the second key on': (
            data[at[keys[1]]:], 1, 'offset 0: starts in the middle'),
        'the same, without footer': (
            data[at[keys[1]]:foot], 1, 'offset 0: starts in the middle'),
        'without a delta': (data[:at[3]] + data[at[4]:], 1, 'ticks are'),
        'without the last tick': (
            data[:last] + data[foot:], 1,
            'names %d ticks, %d are here, 1 tick lost' % (n, n - 1)),
        'the last interval gone': (
            data[:at[keys[-1]]] + data[foot:], 1,
            'names %d ticks, %d are here' % (n, keys[-1])),
        'the footer of another': (
            data[:foot] + other[pieces(other)[0][-1]:], 1, 'names 10 ticks'),
        'two put together': (data + other, 0, ': whole, %d ticks' % (n + 10)),
        'the first not closed': (data[:foot] + other, 0, ': whole, '),
        'neither closed': (data[:foot] + other[:pieces(other)[0][-1]], 0,
                           'not closed'),
        'the first without its last tick': (
            data[:last] + data[foot:] + other, 1, 'names %d ticks' % n),
        'put together, the second without its beginning': (
            other + data[at[keys[1]]:], 1, 'damaged'),
    }


def check_files(tmp):
    for name, (data, status, text) in made_of().items():
        path = tmp.file('one.gpsnap')
        with open(path, 'wb') as f:
            f.write(data)
        got = said('verify', path)
        gstest.check(got[0] == status and text in got[1],
                     '%s: %d\n%s' % (name, *got))
        gstest.equal(said('info', path)[0], status, 'info: ' + name)
        found = reader.Reader(data)
        for _ in found.ticks():
            pass
        gstest.equal(bool(found.damage), status == 1, 'reader.py: ' + name)


def check_footer(tmp):
    """Each byte of the footer: said, and no tick lost."""
    data = slurp(OTHER)
    foot = pieces(data)[0][-1]
    path = tmp.file('foot.gpsnap')
    whole = said('export', OTHER, '--format', 'csv')
    for at in range(foot, len(data)):
        bad = bytearray(data)
        bad[at] ^= 0x10
        with open(path, 'wb') as f:
            f.write(bad)
        status, text = said('verify', path)
        gstest.check(status == 1 and 'the index at the end is damaged, %d '
                     'bytes, no tick lost' % (len(data) - foot) in text and
                     '10 ticks of it whole' in text,
                     'byte %d of the footer: %d\n%s' % (at - foot, status,
                                                        text))
    status, text = said('info', path)
    gstest.check(status == 1 and 'the index at the end is damaged' in
                 ' '.join(text.split()), 'info: ' + text)
    gstest.equal(said('export', path, '--format', 'csv'), whole, 'export')


def check_torn_frame(tmp):
    """Zeros from within the last tick's index frame on: it is lost, and not
    taken for a footer, which begins with the same magic."""
    data = slurp(OTHER)
    last = pieces(data)[0][-2]
    path = tmp.file('torn.gpsnap')
    for kept in range(1, 24):
        with open(path, 'wb') as f:
            f.write(data[:last + kept] + bytes(len(data) - last - kept))
        status, text = said('verify', path)
        gstest.check(status == 1 and 'the last tick is not whole' in text and
                     'no tick lost' not in text and '9 ticks of it whole'
                     in text, '%d bytes kept: %d\n%s' % (kept, status, text))


def check_directory(tmp, made):
    """Files of one recording that are there, or not."""
    def directory(*names):
        path = tmp.file('d')
        shutil.rmtree(path, ignore_errors=True)
        os.mkdir(path)
        for name in names:
            shutil.copy(os.path.join(made, name + '.gpsnap'), path)
        return path

    def expect(path, status, text):
        got = said('verify', path)
        gstest.check(got[0] == status and text in got[1],
                     'verify: %d\n%s' % got)
        info = said('info', path)
        # beside damage it tells of hosts that were away for a while
        gstest.equal(info[0], 1 if '\nabsent ' in info[1] else status,
                     'info')
        return got[1]

    expect(directory('part1', 'part2', 'part3'), 0, 'whole')
    path = directory('part2', 'part3')
    expect(path, 1, '%s: before %s/part2.gpsnap: file 1 of the recording is '
           'missing, 99 ticks lost\n' % (path, path))
    path = directory('part1', 'part3', 'twin')
    text = expect(path, 1, '%s: before %s/part3.gpsnap: file 2 of the '
                  'recording is missing, 89 ticks lost\n' % (path, path))
    gstest.equal(text.count('missing'), 1, 'times told')
    # the end of one is cut off, at a tick and within one
    path = directory('part1', 'part2', 'part3')
    part = os.path.join(path, 'part2.gpsnap')
    data = slurp(part)
    at = pieces(data)[0]
    for cut, text in ((at[-4], 'ticks are missing, 2 ticks lost'),
                      (at[-2] + 70, 'the last tick is not whole')):
        with open(part, 'wb') as f:
            f.write(data[:cut])
        text = expect(path, 1, text)
        gstest.equal(len(text.splitlines()), 4, 'lines')
    # an empty one
    path = directory('part1', 'part2', 'part3')
    empty = os.path.join(path, 'empty.gpsnap')
    with open(empty, 'wb'):
        pass
    got = said('verify', path)
    gstest.check(got[0] == 0 and empty + ': empty, nothing lost' in got[1],
                 'empty: %d\n%s' % got)
    gstest.equal(said('verify', empty), (1, empty + ': empty, nothing lost\n'),
                 'empty')


def main():
    gstest.binary('gpsnap')
    proto = reader.load_proto()
    reader.load_proto = lambda: proto  # once is enough
    with gstest.TempDir() as tmp:
        made = tmp.file('made')
        os.mkdir(made)
        subprocess.run([gstest.binary('make_recordings'), made], check=True)
        check_files(tmp)
        check_footer(tmp)
        check_torn_frame(tmp)
        check_directory(tmp, made)


if __name__ == '__main__':
    main()
