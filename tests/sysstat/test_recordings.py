# SPDX-License-Identifier: Apache-2.0
"""gpsnap pidstat of recordings of several hosts, with holes, of hosts that
were lost or booted, and of what was cut, merged, archived, thinned or made
anonymous: figures are those of the source, and what is missing is told."""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..'), os.path.join(HERE, '..',
                                                            'lib')]
import gstest  # noqa: E402
import reader  # noqa: E402
import sys_record  # noqa: E402
from gstest import check, equal  # noqa: E402

EPOCH = 1790000000
EVERYTHING = '-urdwvsR -t -T ALL'
# Levels, and which tasks they changed of, thinning does not keep.
GROWING = ('-udw -t', '-ur -T ALL')
# Of these the first difference is over a time that thinning does not know.
NOT_ALWAYS_THERE = 'appeared'


def gpsnap(*args, status=0, data=None):
    done = subprocess.run([gstest.binary('gpsnap'), *args], input=data,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    said = done.stderr.decode()
    equal(done.returncode, status, ' '.join(args) + ': ' + said)
    return done.stdout, said


def pidstat(path, line, **how):
    out, said = gpsnap('pidstat', '-f', path, *line.split(), **how)
    return out.decode('utf-8'), said


def rows(text):
    """[stamp, uid, pid, figures...] of each row."""
    return [line.split() for line in text.splitlines()[1:]
            if line and 'Command' not in line]


# ---- a cluster of made-up hosts ----------------------------------------


def several_hosts(rec):
    said = pidstat(rec, '1', status=64)[1]
    check('name one with --host: sdw1, sdw2, sdw3' in said, said)
    said = pidstat(rec, '--host sdw4 1', status=64)[1]
    check('no such host among sdw1, sdw2, sdw3' in said, said)
    for n in '123':
        text = pidstat(rec, '--host sdw%s -p ALL --to %d 5' % (
            n, EPOCH + 60))[0]
        check('(sdw%s)' % n in text.splitlines()[0], 'the first line')
        equal({row[2][0] for row in rows(text)}, {n}, 'its processes')


def ticks_used(rec, pid):
    """{second: ticks of user time} of a process; the hosts' have others."""
    used = {}
    for state in reader.read(rec).ticks():
        for _, row in state.rows('process'):
            if row['pid'] == pid and 'utime' in row:
                used[state.tick.wall_ns // 10 ** 9] = row['utime']
    return used


def whole_difference(rec, host, pid, span, status, why):
    """Across holes."""
    a, b = EPOCH + span[0], EPOCH + span[1]
    text, said = pidstat(rec, '-H --host %s -u -p %d 1' % (host, pid),
                         status=status)
    check('hole from %d to %d: %s' % (a, b, why) in said, said)
    (row,) = [r for r in rows(text) if r[0] == str(b)]
    used = ticks_used(rec, pid)
    want = (used[b] - used[a]) / (b - a)
    check(abs(float(row[3]) - want) < 0.006, '%r, want %g' % (row, want))
    last = [r for r in rows(text) if r[0] != 'Average:'][-1]
    equal(int(last[0]), max(used), 'it goes on')


def lost_host(rec):
    whole_difference(rec, 'sdw2', 2001, (149, 160), 1,
                     'the host did not answer')
    said = pidstat(rec, '--host sdw2 -H -p 2001 --to %d 1' % (EPOCH + 155),
                   status=1)[1]
    check('hole from %d to the end: the host did' % (EPOCH + 149) in said,
          said)


def missing_file(folder):
    joined = folder + '/joined'
    with open(joined, 'wb') as out:
        for n in '13':
            with open('%s/part%s.gpsnap' % (folder, n), 'rb') as f:
                out.write(f.read())
    states = [s.tick.wall_ns // 10 ** 9 - EPOCH
              for s in reader.read(joined).ticks()]
    at = [n for n, (a, b) in enumerate(zip(states, states[1:]))
          if b - a > 1]
    whole_difference(joined, 'sdw1', 1001,
                     (states[at[0]], states[at[0] + 1]), 1,
                     'file 2 of the recording is missing')
    with open(folder + '/part1.gpsnap', 'rb') as f:
        data = f.read()[:30000]
    said = pidstat('-', '--host sdw1 5', data=data, status=1)[1]
    check('to the end: cut off' in said, said)


def booted(rec):
    text = pidstat(rec, '-H --host sdw3 -u 10')[0]
    lines = text.splitlines()
    equal(len([x for x in lines if x.startswith('Linux')]), 2,
          'first lines')
    at = lines.index(lines[0], 1)
    check(lines[at - 1].startswith('Average:'), 'averages before it')
    check(EPOCH + 80 == int(lines[at + 2].split()[0]), lines[at + 2])
    check(all(float(w) < 200 for r in rows(text) for w in r[3:8]
              if w != '-' and r[0] != 'Linux'), 'nothing across it')


def named(rec):
    """One that did not begin yet, that ends, that is not always recorded."""
    seen = {}
    for row in rows(pidstat(rec, '--host sdw1 -H -u -p ALL 1')[0]):
        if row[0] != 'Average:':
            seen.setdefault(int(row[2]), []).append(int(row[0]))
    end = EPOCH + 260
    kinds = set()
    for pid, stamps in seen.items():
        late = stamps[0] > EPOCH + 5
        ends = stamps[-1] < end - 5
        again = any(b - a > 3 for a, b in zip(stamps, stamps[1:]))
        if (late, ends, again) in kinds:
            continue
        kinds.add((late, ends, again))
        own = [int(r[0]) for r in rows(pidstat(
            rec, '--host sdw1 -H -u -p %d 1' % pid)[0])
            if r[0] != 'Average:']
        equal(own, stamps, 'reports of %d' % pid)
    check(len(kinds) > 4, 'kinds of processes: %r' % kinds)


def average_of_one(rec):
    """It is that of the reports, not of later ticks."""
    for line in ('-u', '-r', '-T CHILD -u'):
        table = rows(pidstat(rec, '--host sdw1 -H -p ALL %s 200' % line)[0])
        equal({r[0] for r in table}, {str(EPOCH + 201), 'Average:'},
              'one report')
        average = {r[2]: r[3:8] for r in table if r[0] == 'Average:'}
        report = {r[2]: r[3:8] for r in table if r[0] != 'Average:'}
        equal(average, report, 'average, ' + line)


def paths(folder, rec):
    want = pidstat(rec, '--host sdw2 -u 30', status=1)[0]
    with open(rec, 'rb') as f:
        equal(pidstat('-', '--host sdw2 -u 30', data=f.read(),
                      status=1)[0], want, 'standard input')
    os.mkdir(folder + '/parts')
    for n in '123':
        os.symlink('%s/part%s.gpsnap' % (folder, n),
                   '%s/parts/%s.gpsnap' % (folder, n))
    equal(pidstat(folder + '/parts', '--host sdw2 -u 30', status=1)[0],
          want, 'a directory')


def cluster(folder):
    subprocess.run([gstest.binary('make_recordings'), folder], check=True)
    rec = folder + '/all.gpsnap'
    several_hosts(rec)
    lost_host(rec)
    missing_file(folder)
    booted(rec)
    named(rec)
    average_of_one(rec)
    paths(folder, rec)


# ---- what was made of a recording --------------------------------------


def wall_times(path):
    return [state.tick.wall_ns for state in reader.read(path).ticks()]


def stamp(ns):
    """A little before the tick."""
    return '%.4f' % (ns / 1e9 - 0.0005)


def same_lines(got, want, how):
    for a, b in zip(got + [None], want + [None]):
        equal(a, b, how)


def same(rec, made, how):
    for line in (EVERYTHING + ' 1ms', EVERYTHING + ' -h -p ALL 1ms',
                 EVERYTHING, '-o JSON -t -urdwvsR 1ms', '-U foo -d 1ms'):
        same_lines(pidstat(made, line)[0].splitlines(),
                   pidstat(rec, line)[0].splitlines(),
                   '%s: %s' % (how, line))


def without_names(text):
    """Figures, without who and what has them."""
    text = re.sub(r'Linux.*', '', text)
    return [re.sub(r'  \S.*$', '', line[16:]) if 'Command' in line
            else line[:line.rindex('  ')] if '  ' in line else ''
            for line in text.splitlines()]


def thinned(folder, rec):
    """At the ticks that stay, also of what came and went in between."""
    made = folder + '/thin.gpsnap'
    gpsnap('thin', rec, '-o', made, '--every', '5s', '-q')
    kept = wall_times(made)
    check(4 < len(kept) < len(wall_times(rec)) / 2, 'of %d ticks %d stay' %
          (len(wall_times(rec)), len(kept)))
    # from tick to tick, and over all of them, with averages
    for a, b in [*zip(kept, kept[1:]), (kept[0], kept[-1])]:
        for reports in GROWING:
            line = '-H %s --from %s --to %s %dms' % (
                reports, stamp(a), stamp(b + 10 ** 6),
                (b - a) // 10 ** 6 - 20)
            got, want = (
                [x for x in pidstat(path, line)[0].splitlines()
                 if NOT_ALWAYS_THERE not in x] for path in (made, rec))
            same_lines(got, want, 'thinned: ' + line)
            check(len(want) > 30, 'rows')
    equal(pidstat(made, EVERYTHING)[0], pidstat(rec, EVERYTHING)[0],
          'thinned: since they began')


def made_of(folder, rec):
    at = wall_times(rec)
    middle = '%.4f' % ((at[6] + at[7]) / 2e9)
    one, two, out = (folder + n for n in ('/1.gpsnap', '/2.gpsnap',
                                          '/out.gpsnap'))
    gpsnap('cut', rec, '-o', one, '--to', middle)
    gpsnap('cut', rec, '-o', two, '--from', middle)
    gpsnap('merge', one, two, '-o', out)
    same(rec, out, 'cut and merged')
    equal(pidstat(one, EVERYTHING + ' 1ms')[0],
          pidstat(rec, '--to %s %s 1ms' % (middle, EVERYTHING))[0], 'cut')
    gpsnap('share', rec, '-o', out, '--force')
    same(rec, out, 'shared')
    os.mkdir(folder + '/days')
    os.mkdir(folder + '/from')
    os.link(rec, folder + '/from/x.gpsnap')
    gpsnap('archive', folder + '/from', '--older-than', '0d', '--to',
           folder + '/days', '-q')
    same(rec, folder + '/days', 'archived')


def anonymous(folder, rec):
    made = folder + '/anonymous.gpsnap'
    gpsnap('share', rec, '-o', made, '--anonymize', '--key',
           folder + '/key')
    for line in (EVERYTHING + ' 1ms', '-p ALL -urdwvsR 1ms', '-u'):
        same_lines(without_names(pidstat(made, line)[0]),
                   without_names(pidstat(rec, line)[0]),
                   'anonymous: ' + line)
    check('Web Content' not in pidstat(made, '-p ALL')[0], 'a name')


def main():
    with tempfile.TemporaryDirectory(prefix='gpsnap-pidstat-') as folder:
        cluster(folder)
        rec, _ = sys_record.record_series(folder, 'series', cpus=2, seed=3,
                                          steps=16)
        made_of(folder, rec)
        anonymous(folder, rec)
        thinned(folder, rec)


main()
