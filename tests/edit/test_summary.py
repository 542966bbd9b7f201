#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Summaries of archived files: every view shows the same with and without them,
byte by byte, also of damaged files."""
import concurrent.futures
import os
import random
import re
import shutil
import subprocess

import editlib
import gstest

# Views that can pass over ticks.
LEAPING = ('hosts', 'cpus', 'disks', 'nets', 'filesystems', 'cgroups', 'cgroup_io',
           'agents')

# Whole; inside of a stretch; across keys, to a key, from a key; steps.
RANGES = (
    [], ['--from', '+10s', '--to', '+40s'], ['--from', '+3s', '--to', '-3s'],
    ['--from', '+50s', '--to', '+200s'], ['--from', '+60s', '--to', '+180s'],
    ['--every', '1h'], ['--every', '1m'], ['--every', '150s'],
    ['--every', '7s'], ['--from', '+61s', '--every', '2m'],
    ['--baseline', '..-100s', '--from', '-100s'])

# Of the made-up cluster: hosts fall silent, are booted, are lost; the clock of
# a recorder is set; catalogs come and go.
RECORDINGS = (['all'], ['part1', 'part2', 'part3'], ['stepped'], ['swapped'],
              ['two'], ['twin'], ['ab'], ['bc'])


def replay(path, *argv):
    done = subprocess.run([gstest.binary('gpsnap'), 'replay', path, *argv],
                          env=editlib.ENV, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout, done.stderr


def same(path, *argv):
    """What both ways to read show."""
    with_them = replay(path, *argv)
    gstest.equal(with_them, replay(path, '--no-summaries', *argv),
                 'replay %s %s' % (path, ' '.join(argv)))
    return with_them


def same_all(asked):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda argv: same(*argv), gstest.some(asked)))


def archive(tmp, name, parts):
    place = os.path.join(tmp, name)
    os.mkdir(place)
    for part in parts:
        shutil.copy(os.path.join(tmp, part + '.gpsnap'), place)
    editlib.gpsnap('archive', place, '--older-than', '0d', '-q')
    (only,) = os.listdir(place)
    return os.path.join(place, only)


def stretches(path):
    """How many summaries info counts."""
    said = editlib.gpsnap('info', path, status=(0, 1)).decode()
    found = re.search(r'^summaries +(\d+) of (\d+) stretch', said, re.M)
    if not found:
        gstest.check('\nsummaries ' not in said, said)
        return 0
    gstest.check(int(found.group(1)) <= int(found.group(2)), found.group(0))
    return int(found.group(1))


def check_views(files):
    """Views that pass over ticks, over many ranges, with all columns."""
    asked = []
    for i, path in enumerate(files):
        for view in LEAPING:
            columns = ','.join('+' + c for c in editlib.columns(view))
            for part in RANGES[i % 2::2]:
                asked.append([path, '-V', view, '-l', '0', '-f', 'json',
                              '-c', columns, *part])
            asked.append([path, '-V', view])
    same_all(asked)


def check_others(path):
    """All views: those that can't pass over ticks do not."""
    asked = [[path, '-V', view, *part] for part in ([], ['--every', '1m'])
             for view in editlib.compared_views('summaries')
             if view != 'histogram']
    asked += [[path, '-V', 'hosts', '--ema', '1m'],
              [path, '-V', 'hosts', '--ticks', '-n', '100'],
              [path, '-V', 'hosts', '-W', '30s,2m']]
    same_all(asked)


def check_find(files):
    """Conditions that hold never, sometimes and always."""
    asked = []
    for path in files:
        for what in ('host.busy > %d', 'host.idle < %d', 'disk.reads > %d',
                     'host.busy > 2 * usual(busy) and idle < %d',
                     'host.run_queue >= %d', 'not host.busy > %d',
                     'host.busy > %d and host = sdw1', 'disk.util = %d',
                     'host.busy > 99 or host.blocked > %d',
                     'host.steal > %d', 'session.cpu > %d',
                     'session.memory > %d0000000 and cpu < 2',
                     'session.io = %d', 'session.processes > 1 and cpu > %d',
                     'session.cpu > %d and host = sdw1',
                     'session.faults > %d', 'query.cpu > %d',
                     'process.cpu > %d', 'host.busy is absent or host.idle < %d',
                     'cpu.busy > %d', 'host.state = silent and host.busy < %d'):
            asked += [[path, '--find', what % n] for n in (0, 3, 30, 60, 1000)]
        asked += [[path, '--find', 'host.busy > 30', *part] for part in (
            ['--every', '30s'], ['--from', '+20s', '--to', '-30s'],
            ['-f', 'json'])]
    same_all(asked)


def ask(rng, path):
    """A view of some range, or a condition, at random."""
    view = rng.choice(LEAPING)
    kind = rng.randrange(5)
    part = []
    if kind == 0:
        begin = rng.randrange(700)
        part = ['--from', '+%ds' % begin,
                '--to', '+%ds' % (begin + rng.randrange(1, 700))]
    elif kind == 1:
        part = ['--every', rng.choice(('7s', '30s', '60s', '150s', '10m'))]
    elif kind == 2:
        part = ['--from', '+%ds' % rng.randrange(500),
                '--every', rng.choice(('90s', '2m', '4m'))]
    if kind > 2 or rng.randrange(6) == 0:
        part = [] if '--every' in part else part
        what = rng.choice(('host.busy > %d', 'host.idle < %d',
                           'disk.util > %d', 'host.run_queue > %d',
                           'session.cpu > %d', 'session.io < %d',
                           'session.memory > %d000000',
                           'disk.reads > %d and host = sdw2'))
        return [path, '--find', what % rng.choice((0, 5, 30, 50, 90, 1000)),
                *part]
    columns = ','.join('+' + c for c in editlib.columns(view))
    return [path, '-V', view, '-l', '0', '-f', rng.choice(('json', 'text')),
            '-c', columns, *part]


def check_odd(tmp):
    """Hosts to which everything happens: ranges and conditions at random."""
    for seed in gstest.some((5, 101, 103)):
        made = os.path.join(tmp, 'odd%d.gpsnap' % seed)
        subprocess.run([gstest.binary('make_odd_hosts'), str(seed), made],
                       check=True)
        path = archive(tmp, 'oddly%d' % seed, ['odd%d' % seed])
        gstest.check(stretches(path) > 5, path)
        editlib.gpsnap('verify', path, status=(0, 1))
        rng = random.Random(seed)
        same_all([ask(rng, path) for _ in range(40)])
    # a range that ends with a stretch: which hosts covered less is known
    made = os.path.join(tmp, 'odd201.gpsnap')
    subprocess.run([gstest.binary('make_odd_hosts'), '201', made], check=True)
    path = archive(tmp, 'oddly201', ['odd201'])
    said = same(path, '--find', 'host.busy > 1000', '--from', '+213s',
                           '--to', '-62s')[1]
    gstest.check(b'1 of 3 hosts less: sdw3' in said, said.decode())


def check_used(tmp, path):
    """Wrong summaries give a wrong number of skipped samples, and verify finds
    them."""
    wrong = os.path.join(tmp, 'wrong.gpsnap')
    subprocess.run([gstest.binary('make_wrong_sums'), path, wrong], check=True)
    gstest.equal(stretches(wrong), stretches(path), 'summaries')
    for view in LEAPING:
        right = replay(path, '-V', view)[1]
        gstest.equal(replay(wrong, '-V', view, '--no-summaries')[1],
                     right.replace(path.encode(), wrong.encode()), view)
        gstest.check(b'000 ticks skipped' in replay(wrong, '-V', view)[1],
                     '%s: summaries are not used' % view)
    said = editlib.gpsnap('verify', wrong, status=1).decode()
    gstest.check('of the summaries and gists do not fit the ticks' in said, said)
    # no command keeps them: those of a cut are its own
    again = os.path.join(tmp, 'again.gpsnap')
    editlib.gpsnap('cut', wrong, '-o', again)
    gstest.check(stretches(again) > 0, 'summaries of a cut')
    editlib.gpsnap('verify', again)
    editlib.gpsnap('cut', wrong, '--no-summaries', '--force', '-o', again)
    gstest.equal(stretches(again), 0, 'summaries')


def check_invented(tmp):
    """A figure of a stretch that has none would hide what --find looks for."""
    shutil.copy(os.path.join(gstest.TOP, 'samples', 'incidents',
                             'greenplum7-mixed.gpsnap'), tmp)
    path = archive(tmp, 'invented', ['greenplum7-mixed'])
    for how, status in (('right', 0), ('invented', 1)):
        made = os.path.join(tmp, how + '.gpsnap')
        subprocess.run([gstest.binary('make_wrong_sums'), path, made, how], check=True)
        said = editlib.gpsnap('verify', made, status=status).decode()
        gstest.equal('fit the ticks' in said, status == 1, said)


def check_pieces(tmp):
    """Several archived files of one recording: after each other, and pieces that
    overlap, where ticks of one may stand for those of another."""
    for name, parts in (('rotated', ['part1', 'part2', 'part3']),
                        ('overlapping', ['all', 'part2']),
                        ('several', ['ab', 'c', 'twin'])):
        place = os.path.join(tmp, name)
        os.mkdir(place)
        n = 0
        for part in parts:
            only = archive(tmp, name + '-' + part, [part])
            n += stretches(only)
            shutil.copy(only, os.path.join(place, part + '.gpsnap'))
        gstest.check(n > 0, name)
        same_all([[place, '-V', view, *part]
                  for view in ('hosts', 'disks', 'agents') for part in RANGES])
        same(place, '--find', 'host.busy > 30')


def check_damage(tmp, path):
    """Bytes are wrong somewhere: the same as if there were no summaries."""
    with open(path, 'rb') as f:
        sound = f.read()
    frame = sound.index(b'GPSS')
    places = [frame - 3, frame + 8, frame + 20, frame + 60]
    places += range(100, len(sound), len(sound) // 12)
    hurt = os.path.join(tmp, 'hurt.gpsnap')
    for at in places:
        # more than can be mended
        bad = bytearray(sound)
        for i in range(at, min(at + 3000, len(bad)), 1 if at > frame else 500):
            bad[i] ^= 0x55
        with open(hurt, 'wb') as f:
            f.write(bad)
        for part in ([], ['--every', '1m'], ['--from', '+50s']):
            same(hurt, '-V', 'hosts', *part)
    for n in (frame + 4, frame + 40, len(sound) - 100):
        with open(hurt, 'wb') as f:
            f.write(sound[:n])
        same(hurt, '-V', 'hosts')


def main():
    with editlib.scratch() as tmp:
        subprocess.run([gstest.binary('make_recordings'), tmp], check=True)
        files = [archive(tmp, 'a%d' % i, parts)
                 for i, parts in enumerate(RECORDINGS)]
        for path in files:
            gstest.check(stretches(path) > 0, path)
            editlib.gpsnap('verify', path)
        check_views(gstest.some(files, 1))
        check_others(files[1])
        check_find([files[1], files[5]])
        check_odd(tmp)
        check_used(tmp, files[0])
        check_pieces(tmp)
        check_invented(tmp)
        check_damage(tmp, files[1])


if __name__ == '__main__':
    main()
