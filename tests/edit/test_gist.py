#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Gists of archived files: the views that take them show the same with and
without them, byte by byte, also of damaged files."""
import math
import os
import random
import re
import shutil
import subprocess
import sys

import zstandard

import editlib
import gstest
from test_summary import archive, replay, same, same_all

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..'))
import reader  # noqa: E402

# Views that take gists.
TAKING = ('sessions', 'processes', 'overview')

# Whole; inside of a stretch; across keys, to a key, from a key; steps.
RANGES = (
    [], ['--from', '+10s', '--to', '+40s'], ['--from', '+3s', '--to', '-3s'],
    ['--from', '+60s', '--to', '+180s'], ['--every', '1h'],
    ['--every', '1m'], ['--every', '150s'], ['--from', '+61s'])

# With more ticks the overview does not look for findings: FINDINGS_UNASKED_TICKS.
UNASKED_TICKS = 3600

SUMMARY = re.escape(b'\x5a\x2a\x4d\x18') + b'....GPSS'
SUMMARY_HEAD = 16  # before its zstd frame

RECORDINGS = (['all'], ['part1', 'part2', 'part3'], ['two'], ['twin'])


def with_gists(path):
    """An archived file again, with gists that are not worth their bytes."""
    subprocess.run([gstest.binary('make_wrong_sums'), path, path + '~',
                    'right'], check=True)
    os.rename(path + '~', path)
    return path


def gists(path):
    """How many gists there are, by info."""
    said = editlib.gpsnap('info', path, status=(0, 1)).decode()
    found = re.search(r'^gists +(\d+), ', said, re.M)
    gstest.check(found or '\ngists ' not in said, said)
    return int(found.group(1)) if found else 0


def all_of(view):
    """Options for a whole table."""
    if view == 'overview':
        return []
    return ['-l', '0', '-f', 'json', '-c',
            ','.join('+' + c for c in editlib.columns(view)
                     if c != 'db_time_seconds')]  # of which each sample is read


def check_views(files):
    asked = []
    for i, path in enumerate(files):
        for view in TAKING:
            asked += [[path, '-V', view, *all_of(view), *part]
                      for part in RANGES[i % 2::2]]
            asked.append([path, '-V', view])
    same_all(asked)


def check_others(path):
    """What needs every tick takes no gist."""
    same_all([[path, *argv] for argv in (
        ['-V', 'queries', '-l', '0', '-f', 'json'], ['-V', 'waits'],
        ['-V', 'sessions', '--ema', '1m'],
        ['-V', 'sessions', '-W', '30s,2m'],
        ['-V', 'processes', '-c', '+process.rss'],
        ['-V', 'processes', '--group-by', 'user'],
        ['-V', 'sessions', '--baseline', '..-100s', '--from', '-100s'],
        ['--find', 'session.cpu > 1'])])


FOUND = ('session.cpu > %d', 'session.cpu < %d and io > 0',
         'session.memory > %d000000', 'session.write > %d000',
         'session.processes >= %d', 'session.spill > %d')


def check_find(path, ranges):
    """Conditions on sessions that hold never, at times and always."""
    same_all([[path, '--find', what % n, *part] for what in FOUND
              for n in (0, 99999, 1, 40) for part in ranges])


def summaries(path):
    """All summaries of a file."""
    with open(path, 'rb') as f:
        data = f.read()
    messages = reader.load_proto()
    for found in re.finditer(SUMMARY, data, re.S):
        raw = zstandard.ZstdDecompressor().decompressobj().decompress(
            data[found.start() + SUMMARY_HEAD:])
        yield from messages.Summaries.FromString(raw).summary


def bounds_of(path, view):
    """Per column of the view all bounds that summaries have."""
    found = {}
    for summary in summaries(path):
        for figure in summary.figure:
            of, column = figure.name.split('.')
            if of == view:
                found.setdefault(column, set()).update(
                    b for b in (figure.low, figure.high) if math.isfinite(b))
    return found


def documented():
    """The columns of sessions of which gpsnap-archive(5) says that summaries have
    bounds."""
    with open(os.path.join(gstest.TOP, 'man', 'gpsnap-archive.5'),
              encoding='utf-8') as f:
        said = re.search(r'^Of sessions these are\n(.*?)^with 0', f.read(),
                         re.S | re.M)
    return sorted(re.findall(r'^\.Li (\w+)', said.group(1), re.M))


def check_bounds(path):
    """Around the bounds of each column that has any, --find finds the same."""
    found = bounds_of(path, 'sessions')
    gstest.equal(sorted(found), documented(), 'columns of sessions')
    asked = []
    for column, bounds in sorted(found.items()):
        gstest.check(len(bounds) > 2, '%s moves' % column)
        for bound in random.Random(1).sample(sorted(bounds), 3):
            asked += [[path, '--find', 'session.%s %s %.9f' % (
                column, how, bound * factor)]
                      for how in ('>', '<', '=') for factor in (1, 0.99, 1.01)]
    same_all(asked)


def check_base(tmp, path):
    """Others are compressed after the first gist: without it there are none."""
    with open(path, 'rb') as f:
        data = bytearray(f.read())
    at = data.index(b'GPSK')
    data[at + 100] ^= 1
    hurt = os.path.join(tmp, 'hurtday.gpsnap')
    with open(hurt, 'wb') as f:
        f.write(data)
    same_all([[hurt, '-V', view, *part] for view in TAKING
              for part in ([], ['--from', '+61m'])])


def check_day(tmp):
    """Idle processes, of which some run at times: archive keeps gists."""
    subprocess.run([gstest.binary('make_test_day'), '-p', '120', '-t', '1600',
                    os.path.join(tmp, 'day.gpsnap'),
                    os.path.join(tmp, 'open.gpsnap')], check=True)
    path = archive(tmp, 'aday', ['day'])
    gstest.check(gists(path) >= 2, 'gists of a day')
    editlib.gpsnap('verify', path)
    same_all([[path, '-V', view, *all_of(view), *part] for view in TAKING
              for part in (
                  [], ['--from', '+29m', '--every', '20m'], ['--every', '1h'],
                  ['--from', '+7m', '--to', '-11m'])])
    check_find(path, ([], ['--from', '+7m', '--to', '-11m'],
                      ['--every', '10m']))
    check_bounds(path)
    check_base(tmp, path)
    wrong = os.path.join(tmp, 'wrongday.gpsnap')
    subprocess.run([gstest.binary('make_wrong_sums'), path, wrong], check=True)
    for part in ([], ['--every', '1h']):
        found = [replay(wrong, '--find', 'session.cpu > 0', *part, *more)[1]
                 for more in ([], ['--no-summaries'])]
        gstest.check(found[0] != found[1], '--find %s reads each tick' % part)


def check_catalog_day(tmp):
    """The same with a catalog: what its sessions waited for is told once."""
    subprocess.run([gstest.binary('make_test_day'), '-p', '120', '-t', '1600',
                    '-c', '1', os.path.join(tmp, 'cday.gpsnap'),
                    os.path.join(tmp, 'open.gpsnap')], check=True)
    path = archive(tmp, 'acday', ['cday'])
    with open(path, 'rb') as f:
        gstest.check(f.read().count(b'GPSW') >= 4, 'gists with waits')
    editlib.gpsnap('verify', path)
    same_all([[path, '-V', view, '-f', 'json', *part] for view in TAKING
              for part in (
                  [], ['--every', '1h'], ['--from', '+7m', '--to', '-11m'])])
    same(path, '--find', "session.wait = 'Lock:relation' and wait_seconds > 60",
         '--every', '1h')
    said = replay(path, '-V', 'sessions', '-c', 'session,wait,wait_seconds')
    gstest.check(b'Lock:relation' in said[1], said[1])
    wrong = os.path.join(tmp, 'wrongcday.gpsnap')
    subprocess.run([gstest.binary('make_wrong_sums'), path, wrong], check=True)
    gstest.check(replay(wrong, '-V', 'sessions')[1] != replay(
        wrong, '-V', 'sessions', '--no-summaries')[1], 'gists are not used')


def check_short(tmp):
    """Half an hour of that day is read as soon without one."""
    editlib.gpsnap('cut', os.path.join(tmp, 'day.gpsnap'), '--to', '+30m',
                   '-o', os.path.join(tmp, 'short.gpsnap'))
    path = archive(tmp, 'ashort', ['short'])
    gstest.equal(gists(path), 0, 'gists of a short file')
    with open(path, 'rb') as f:
        plain = f.read()
    gstest.check(gists(with_gists(path)) > 0, 'gists that it could have')
    check_twice(tmp, path, plain)


def check_twice(tmp, path, plain):
    """The same ticks twice in one file: each gist is judged once, and by both."""
    with open(path, 'rb') as f:
        full = f.read()
    wrong, twice = os.path.join(tmp, 'wrong'), os.path.join(tmp, 'twice.gpsnap')
    subprocess.run([gstest.binary('make_wrong_sums'), path, wrong, 'gists'],
                   check=True)
    with open(wrong, 'rb') as f:
        lies = f.read()
    for parts, status in (((plain, full), 0), ((full, full), 0),
                          ((plain, lies), 1), ((lies, lies), 1)):
        with open(twice, 'wb') as f:
            f.write(b''.join(parts))
        said = editlib.gpsnap('verify', twice, status=(0, 1)).decode()
        gstest.equal('do not fit' in said or 'does not fit' in said, status > 0,
                     said)


def check_overview(tmp):
    """Of so many ticks that it looks for no findings: then it takes gists.  How
    long requests of the disk took is that of each part of the range."""
    subprocess.run([gstest.binary('make_test_day'), '-p', '16', '-t', '%d' % (
        1500 + UNASKED_TICKS), '-a', '2', '-d', '1',
                    os.path.join(tmp, 'long.gpsnap'),
                    os.path.join(tmp, 'open.gpsnap')], check=True)
    path = with_gists(archive(tmp, 'along', ['long']))
    gstest.check(gists(path) >= 2, 'gists of a long range')
    same(path)
    same(path, '--from', '+7m')
    gstest.check(b'AWAIT' in replay(path)[1], 'requests of a disk')
    wrong = os.path.join(tmp, 'wronglong.gpsnap')
    subprocess.run([gstest.binary('make_wrong_sums'), path, wrong], check=True)
    gstest.check(replay(wrong)[1] != replay(wrong, '--no-summaries')[1],
                 'overview: gists are not used')


def check_odd(tmp, maker, seeds, least):
    """What everything happens to: ranges at random."""
    some = 0
    for seed in gstest.some(seeds):
        name = '%s%d' % (maker, seed)
        subprocess.run([gstest.binary(maker), str(seed),
                        os.path.join(tmp, name + '.gpsnap')], check=True)
        path = with_gists(archive(tmp, name, [name]))
        some += gists(path)
        said = editlib.gpsnap('verify', path, status=(0, 1)).decode()
        gstest.check('do not fit' not in said, said)
        rng = random.Random(seed)
        asked = []
        for _ in range(20):
            view = rng.choice(TAKING)
            begin = rng.randrange(700)
            asked.append([path, '-V', view, *all_of(view), *rng.choice((
                [], ['--every', rng.choice(('30s', '150s', '1h'))],
                ['--from', '+%ds' % begin,
                 '--to', '+%ds' % (begin + rng.randrange(1, 700))]))])
        asked += [[path, '--find', rng.choice(FOUND) % rng.choice((0, 1, 50)),
                   '--from', '+%ds' % rng.randrange(600)] for _ in range(20)]
        same_all(asked)
    gstest.check(some >= (1 if gstest.SANITIZED else least),
                 '%s: %d gists' % (maker, some))


def check_used(tmp, path):
    """Gists of other samples give other figures, and verify finds them."""
    wrong = os.path.join(tmp, 'wrong.gpsnap')
    subprocess.run([gstest.binary('make_wrong_sums'), path, wrong], check=True)
    gstest.equal(gists(wrong), gists(path), 'gists')
    for view in ('sessions', 'processes'):
        right = replay(path, '-V', view)[1].replace(path.encode(),
                                                    wrong.encode())
        gstest.equal(replay(wrong, '-V', view, '--no-summaries')[1], right,
                     view)
        gstest.check(replay(wrong, '-V', view)[1] != right,
                     '%s: gists are not used' % view)
    said = editlib.gpsnap('verify', wrong, '--threads', '1',
                          status=1).decode()
    gstest.check('do not fit the ticks' in said, said)
    gstest.equal(editlib.gpsnap('verify', wrong, '--threads', '2',
                                status=1).decode(), said, 'two threads')
    # also where there are no summaries
    alone = os.path.join(tmp, 'alone.gpsnap')
    subprocess.run([gstest.binary('make_wrong_sums'), path, alone, 'gists'],
                   check=True)
    gstest.equal(gists(alone), gists(path), 'gists without summaries')
    said = editlib.gpsnap('verify', alone, status=1).decode()
    gstest.check('do not fit the ticks' in said, said)
    check_broken(tmp, path)
    # no command keeps them
    again = os.path.join(tmp, 'again.gpsnap')
    editlib.gpsnap('cut', wrong, '-o', again)
    gstest.equal(gists(again), 0, 'gists of a cut')


def check_broken(tmp, path):
    """One that breaks is as good as none, also where a tick of it was shown."""
    for how in ('broken', 'torn'):
        broken = os.path.join(tmp, how + '.gpsnap')
        subprocess.run([gstest.binary('make_wrong_sums'), path, broken, how],
                       check=True)
        gstest.check(gists(broken) > 0, how + ' gists')
        for view in TAKING:
            same(broken, '-V', view)
    gstest.equal(gists(broken), gists(path), 'torn gists')
    same_all([[broken, *argv] for argv in (
        ['-V', 'sessions', '--every', '150s'],
        ['-V', 'processes', '--every', '1h', '-f', 'csv'],
        ['-V', 'sessions', '--baseline', '..-1s', '--from', '-1s'],
        ['--find', 'session.cpu > 1'])])


def check_pieces(tmp):
    """Several archived files: after each other, and pieces that overlap."""
    for name, parts in (('rotated', ['part1', 'part2', 'part3']),
                        ('overlapping', ['all', 'part2'])):
        place = os.path.join(tmp, name)
        os.mkdir(place)
        for part in parts:
            shutil.copy(with_gists(archive(tmp, name + '-' + part, [part])),
                        os.path.join(place, part + '.gpsnap'))
        same_all([[place, '-V', view, *part] for view in TAKING
                  for part in ([], ['--every', '1m'], ['--from', '+61s'])])


def check_beside(tmp):
    """After a recording of other hosts: theirs have the first numbers."""
    samples = os.path.join(gstest.TOP, 'samples')
    shutil.copy(os.path.join(samples, 'postgresql15.gpsnap'), tmp)
    path = with_gists(archive(tmp, 'beside', ['postgresql15']))
    gstest.check(gists(path) > 0, 'gists beside another recording')
    other = os.path.join(samples, 'greenplum6.gpsnap')
    same_all([[other, path, '-V', view, *all_of(view)] for view in TAKING])


def check_layouts():
    """Gists of this layout and of the one before are read: verify compares them."""
    for name in ('postgresql15-layout4-day', 'postgresql15-numbers-day',
                 'postgresql15-waits-day'):
        path = os.path.join(gstest.TOP, 'samples', name + '.gpsnap')
        gstest.equal(gists(path), 1, name)
        editlib.gpsnap('verify', path)
        same(path, '-V', 'sessions')


def check_damage(tmp, path):
    """Bytes are wrong somewhere: the same as if there were no gists."""
    with open(path, 'rb') as f:
        sound = f.read()
    frame = re.search(b'GPS[KW]', sound).start()
    hurt = os.path.join(tmp, 'hurt.gpsnap')
    for at in [frame - 3, frame + 8, frame + 14, frame + 30, frame + 80,
               *range(100, len(sound), len(sound) // 8)]:
        # more than can be mended
        bad = bytearray(sound)
        for i in range(at, min(at + 3000, len(bad)), 1 if at > frame else 500):
            bad[i] ^= 0x55
        with open(hurt, 'wb') as f:
            f.write(bad)
        for part in ([], ['--every', '1m']):
            same(hurt, '-V', 'sessions', *part)
    for n in (frame + 4, frame + 40, len(sound) - 100):
        with open(hurt, 'wb') as f:
            f.write(sound[:n])
        same(hurt, '-V', 'sessions')


def main():
    with editlib.scratch() as tmp:
        subprocess.run([gstest.binary('make_recordings'), tmp], check=True)
        check_day(tmp)
        check_catalog_day(tmp)
        check_short(tmp)
        check_overview(tmp)
        check_beside(tmp)
        check_layouts()
        files = [with_gists(archive(tmp, 'a%d' % i, parts))
                 for i, parts in enumerate(RECORDINGS)]
        for path in files:
            gstest.check(gists(path) > 0, path)
            editlib.gpsnap('verify', path)
        check_used(tmp, files[0])
        check_damage(tmp, files[0])
        check_views(gstest.some(files))
        check_others(files[0])
        check_odd(tmp, 'make_odd_hosts', (5, 101, 103), 6)
        check_odd(tmp, 'make_odd_servers', (51, 22, 34), 10)
        check_pieces(tmp)


if __name__ == '__main__':
    main()
