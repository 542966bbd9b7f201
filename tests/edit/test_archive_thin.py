#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""gpsnap archive --thin: files of a recording become coarser where they stand,
and the recording stays one: replay of thinned files beside others, and a
reader that shares nothing with gpsnap, see what the source says."""
import fcntl
import glob
import os
import shutil
import signal
import subprocess

import editlib
import gstest
import reader
from growth import compare_growth, exported, same, same_holes, same_sums, times, \
    walk

ALL = 'all.gpsnap'
PARTS = ['part%d.gpsnap' % i for i in (1, 2, 3)]
OVER = ('--older-than', '0d')
LEFT_OUT = 3  # both bits of the header


def archive(path, *options, status=0):
    return editlib.gpsnap('archive', path, *OVER, *options, status=status)


def only(path):
    (name,) = os.listdir(path)
    return os.path.join(path, name)


def directory(tmp, name, *files):
    path = os.path.join(tmp, name)
    os.mkdir(path)
    for f in files:
        shutil.copy(os.path.join(tmp, f), path)
    return path


def thinned(tmp, part, every):
    """A file of the recording, alone, archived and thinned."""
    path = os.path.join(tmp, 'thin-%s-%s' % (part, every))
    if not os.path.exists(path):
        os.mkdir(path)
        shutil.copy(os.path.join(tmp, part), path)
        archive(path, '-q', '--thin', '0d:' + every)
    return only(path)


def heads(path):
    """(number, left out, file's number, recording, features) per tick."""
    with open(path, 'rb') as f:
        r = reader.Reader(f.read())
    out = [(s.tick.seq, s.tick.left_out, s.header.file_number,
            s.header.recording_id, s.header.incompatible) for s in r.ticks()]
    gstest.equal(r.damage, [], 'damage of ' + path)
    if r.entries is not None:
        gstest.equal([(e[3], e[6]) for e in r.entries], [t[:2] for t in out],
                     'the index at the end of ' + path)
    return out


def check_numbers(tmp):
    """Ticks keep their numbers, and the number of ticks left out."""
    for part in PARTS:
        src = heads(os.path.join(tmp, part))
        out = heads(thinned(tmp, part, '10s'))
        gstest.equal(out[0][0], src[0][0], 'the first tick')
        gstest.equal(out[-1][0], src[-1][0], 'the last tick')
        gstest.equal(out[0][2:4], src[0][2:4], 'file and recording')
        gstest.equal({t[4] for t in out}, {LEFT_OUT}, 'features')
        gstest.equal(out[0][1], 0, 'left out before the first')
        for a, b in zip(out, out[1:]):
            gstest.equal(b[0], a[0] + 1 + b[1], 'number of %r' % (b,))
        gstest.equal(len(out) + sum(t[1] for t in out), len(src), 'ticks')


def check_day(tmp):
    """A whole day says what gpsnap thin says of it."""
    path = directory(tmp, 'day', *PARTS)
    archive(path, '-q')
    fine = os.path.join(tmp, 'fine')
    shutil.copy(only(path), fine)
    said = archive(path, '--thin', '0d:10s').decode()
    gstest.check(': thinned to 10s, 29 ticks, ' in said, said)
    out = os.path.join(tmp, 'thin')
    editlib.gpsnap('thin', fine, '-o', out, '--every', '10s')
    editlib.same_everywhere(only(path), [], out, [], 'as gpsnap thin')
    compare_growth(os.path.join(tmp, ALL), only(path))
    same(exported(only(path)), exported(os.path.join(tmp, ALL)), 'export')
    gstest.equal(heads(only(path))[-1][2], 3, 'number of the last file')
    said = editlib.gpsnap('verify', only(path)).decode()
    gstest.check(': whole, 29 ticks' in said, said)
    said = editlib.info(only(path))
    gstest.check('\nholes      none\n' in said and '\nthinned ' in said, said)
    before = os.stat(only(path)).st_ino
    archive(path, '-q', '--thin', '0d:10s')
    gstest.equal(os.stat(only(path)).st_ino, before, 'made once')


# Which of the three files are thinned, and to what.
MIXES = (('10s', None, None), (None, '10s', None), (None, None, '1m'),
         ('1m', '10s', '30s'))


def check_seams(tmp):
    """Across seams of thinned files and others nothing is missing or twice."""
    src = os.path.join(tmp, ALL)
    (want,) = editlib.tables(src, 'sessions', [])
    for mix in MIXES:
        files = [thinned(tmp, part, every) if every else
                 os.path.join(tmp, part) for part, every in zip(PARTS, mix)]
        path = directory(tmp, 'mix-%s-%s-%s' % mix)
        for i, f in enumerate(files):
            shutil.copy(f, os.path.join(path, '%d.gpsnap' % i))
        what = 'thinned: %r' % (mix,)
        compare_growth(src, *files)
        (got,) = editlib.tables(path, 'sessions', [])
        same_holes(got, want)
        for key in ('remarks', 'covered_seconds'):
            gstest.equal(got[key], want[key], '%s: %s' % (key, what))
        ticks = [wall_ns for wall_ns, _ in walk(*files)]
        same_sums(src, path, ())
        for a, b in ((1, len(ticks) - 2), (len(ticks) // 3, len(ticks) - 1)):
            same_sums(src, path, times(ticks, a, b))
        editlib.gpsnap('verify', path)
        if mix[1]:  # with a seam on either side of what was thinned
            check_made_of_it(tmp, src, path, ticks)


def check_made_of_it(tmp, src, path, ticks):
    """A part that is cut, and the same coarser still."""
    cut, thin = os.path.join(tmp, 'cut'), os.path.join(tmp, 'coarse')
    part = times(ticks, 2, len(ticks) - 3)
    editlib.gpsnap('cut', path, '-o', cut, '--force', '-q', *part)
    said = editlib.gpsnap('verify', cut).decode()
    gstest.check(': whole, %d ticks' % (len(ticks) - 4) in said, said)
    editlib.same_everywhere(cut, [], path, list(part), 'cut')
    editlib.gpsnap('thin', path, '-o', thin, '--force', '-q', '--every',
                   '2m')
    compare_growth(src, thin)
    same_sums(src, thin, ())
    gstest.equal({t[1] for t in heads(thin)}, {0}, 'numbers')
    editlib.gpsnap('merge', path, '-o', cut, '--force', '-q')
    compare_growth(src, cut)
    same_sums(src, cut, ())


def check_pipe(tmp):
    with open(thinned(tmp, PARTS[0], '10s'), 'rb') as f:
        piped = editlib.gpsnap('cut', '-', '-o', '-', stdin=f.read())
    out = os.path.join(tmp, 'piped')
    with open(out, 'wb') as f:
        f.write(piped)
    editlib.same_everywhere(out, [], thinned(tmp, PARTS[0], '10s'), [],
                            'through pipes')


def check_missing(tmp):
    """Holes are reported as before."""
    want = directory(tmp, 'lacks', PARTS[0], PARTS[2])
    path = directory(tmp, 'lacks-thin')
    for part in (PARTS[0], PARTS[2]):
        shutil.copy(thinned(tmp, part, '10s'), os.path.join(path, part))
    (a,) = editlib.tables(want, 'sessions', [])
    (b,) = editlib.tables(path, 'sessions', [])
    same_holes(b, a)
    done = [editlib.gpsnap('replay', where, status=1).decode()
            for where in (want, path)]
    for said in done:
        gstest.check('file 2 of the recording is missing' in said, said)


def check_steps(tmp):
    """Coarser with age, in steps or at once."""
    path = directory(tmp, 'steps', *PARTS)
    rules = ('--thin', '1d:10s', '--thin', '100000d:1m')
    said = archive(path, *rules).decode()
    gstest.check(': thinned to 10s, ' in said, said)
    rules = ('--thin', '2d:1m', '--thin', '1d:10s')
    said = archive(path, *rules).decode()
    gstest.check(': thinned to 1m, ' in said, said)
    once = directory(tmp, 'once', *PARTS)
    archive(once, '-q', '--thin', '1d:1m')
    editlib.same_everywhere(only(path), [], only(once), [], 'in two steps')
    compare_growth(os.path.join(tmp, ALL), only(path))
    for rule in ('0d:10s', '100000d:10m'):
        before = os.stat(only(path)).st_ino
        archive(path, '-q', '--thin', rule)
        gstest.equal(os.stat(only(path)).st_ino, before, 'as it was')


def check_beside(tmp):
    """A piece that begins between two ticks of a thinned one, and ends later: its
    ticks are there, and a hole before the first one."""
    source = os.path.join(gstest.TOP, 'samples',
                          'postgresql15-incident.gpsnap')
    day = os.path.join(tmp, 'beside-day')
    os.mkdir(day)
    editlib.gpsnap('cut', source, '--to', '17:51:20', '-q', '-o',
                   os.path.join(day, 'a.gpsnap'))
    archive(day, '-q', '--thin', '0d:10s')
    for name, options in (('open', ()), ('short', ('--to', '17:51:40'))):
        piece = os.path.join(tmp, 'beside-%s.gpsnap' % name)
        out = os.path.join(tmp, 'beside-%s-merged.gpsnap' % name)
        editlib.gpsnap('cut', source, '--from', '17:51:05', '-q', '-o', piece,
                       *options)
        editlib.gpsnap('merge', '-q', only(day), piece, '-o', out, status=1)
        ticks = [t for t, _ in walk(piece)]
        want = [t for t, _ in walk(only(day)) if t < ticks[0]] + ticks
        gstest.equal([t for t, _ in walk(out)], want, name)
        (table,) = editlib.tables(out, 'hosts', [])
        gstest.equal([round(h['seconds'], 1) for h in table['holes']], [5.0],
                     name)


def check_dry_run(tmp):
    path = directory(tmp, 'dry', *PARTS)
    rule = ('--thin', '0d:1m')
    for _ in range(2):
        said = archive(path, '-n', *rule).decode().splitlines()
        gstest.check(said[-1].endswith(': to be thinned to 1m'), said)
        before = {n: os.stat(os.path.join(path, n)).st_ino
                  for n in os.listdir(path)}
        archive(path, '-n', *rule)
        gstest.equal({n: os.stat(os.path.join(path, n)).st_ino
                      for n in os.listdir(path)}, before, 'files')
        archive(path, '-q')
    archive(path, '-q', *rule)
    gstest.equal(archive(path, '-n', *rule), b'', 'nothing is left to do')
    said = archive(path, '-n', '--keep', '1d', '--thin', '0d:2m').decode()
    gstest.check('to be removed' in said and 'thinned' not in said, said)


def check_keep(tmp):
    path = directory(tmp, 'keep', *PARTS)
    archive(path, '-q', '--thin', '1d:1m', '--keep', '100000d')
    gstest.equal(len(heads(only(path))), 9, 'ticks')
    archive(path, '-q', '--thin', '1d:2m', '--keep', '1d')
    gstest.equal(os.listdir(path), [], 'what is old')


def check_late(tmp):
    """Files that come when the day was thinned stay beside it."""
    path = directory(tmp, 'late', *PARTS[:2])
    archive(path, '-q', '--thin', '0d:10s')
    day = only(path)
    ticks = heads(day)
    for part in (PARTS[2], PARTS[1]):
        shutil.copy(os.path.join(tmp, part), path)
        before = sorted(os.listdir(path))
        for rule in ((), ('--thin', '0d:10s'), ('--thin', '0d:1m'),
                     ('--keep', '1d')):
            archive(path, '-q', *rule, status=1)
        gstest.equal(sorted(os.listdir(path)), before, 'files')
        gstest.equal(heads(day), ticks, 'ticks')
        same_sums(os.path.join(tmp, ALL), path, ())


def check_elsewhere(tmp):
    """What was thinned can go to another place as it is."""
    path = directory(tmp, 'here', *PARTS)
    archive(path, '-q', '--thin', '0d:10s')
    want = heads(only(path))
    there = directory(tmp, 'there')
    archive(path, '-q', '--to', there)
    gstest.equal(os.listdir(path), [], 'what went')
    gstest.equal(heads(only(there)), want, 'ticks')
    compare_growth(os.path.join(tmp, ALL), only(there))


def check_damaged(tmp):
    path = directory(tmp, 'bad', *PARTS)
    archive(path, '-q')
    with open(only(path), 'r+b') as f:
        f.seek(20000)
        f.write(b'damage')
        f.seek(30000)
        f.write(b'damage')
    with open(only(path), 'rb') as f:
        before = f.read()
    archive(path, '-q', '--thin', '0d:10s', status=1)
    with open(only(path), 'rb') as f:
        gstest.equal(f.read() == before, True, 'as it was')


def check_growing(tmp):
    """A day of which a recorder is writing a file waits."""
    path = directory(tmp, 'growing', *PARTS)
    with open(os.path.join(path, PARTS[2]), 'rb') as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        archive(path, '-q', '--thin', '0d:10s')
        gstest.equal(len(os.listdir(path)), 2, 'files')
    archive(path, '-q', '--thin', '0d:10s')
    compare_growth(os.path.join(tmp, ALL), only(path))


def kill_after(path, options, seconds):
    child = subprocess.Popen(
        [gstest.binary('gpsnap'), 'archive', path, *OVER, '-q', *options],
        env=editlib.ENV)
    try:
        child.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGKILL)
        child.wait()


def check_killed(tmp):
    """Killed at any moment nothing is lost or twice; run again it is done."""
    src = os.path.join(tmp, ALL)
    for i in range(8):
        path = directory(tmp, 'killed%d' % i, *PARTS)
        if i % 2:
            archive(path, '-q')
        kill_after(path, ('--thin', '0d:10s'), 0.012 * (i + 1))
        same_sums(src, path, ())
        archive(path, '-q', '--thin', '0d:10s')
        gstest.equal(len(heads(only(path))), 29, 'ticks in the end')
        compare_growth(src, only(path))


def check_killed_keeping(tmp):
    """--keep removes whole files, whenever it is killed."""
    for i in range(4):
        path = directory(tmp, 'keeping%d' % i, *PARTS)
        archive(path, '-q', '--thin', '0d:10s')
        size = os.path.getsize(only(path))
        kill_after(path, ('--keep', '1d'), 0.004 * (i + 1))
        for name in os.listdir(path):
            gstest.equal(os.path.getsize(os.path.join(path, name)), size,
                         'what is there is whole')
        archive(path, '-q', '--keep', '1d')
        gstest.equal(os.listdir(path), [], 'in the end')


def main():
    with editlib.scratch() as tmp:
        subprocess.run([gstest.binary('make_recordings'), tmp], check=True)
        for name, check in sorted(globals().items()):
            if name.startswith('check_') and check.__code__.co_argcount == 1:
                check(tmp)
        gstest.equal(glob.glob(os.path.join(tmp, '*', '*.part')), [],
                     'nothing is left')


if __name__ == '__main__':
    main()
