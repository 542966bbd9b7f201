#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""gpsnap thin: what counters grew by between the ticks that stay is what it
was, told by replay of both files, and by a reader that shares nothing with
gpsnap."""
import csv
import os
import random
import re
import subprocess

import editlib
import gstest
from growth import compare_growth, exported, same, same_holes, same_sums, times, \
    walk

ALL = 'all.gpsnap'
# What a process that has ended was and worked for at last.
LAST = ('command', 'title', 'segment', 'slice', 'command_counter', 'parent')
SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..',
                       '..', 'samples')


def ended(path):
    (table,) = editlib.tables(path, 'processes', [])
    return {(row['host'], row['pid'], row['started']):
            {name: row[name] for name in LAST}
            for row in table['rows'] if row['ended']}


def check_last_texts(src, out):
    """Of processes that ended between two ticks that stay."""
    want, got = ended(src), ended(out)
    gstest.equal(sorted(got), sorted(want), 'ended processes')
    for key in sorted(want):
        gstest.equal(got.get(key), want[key], '%s: process %s, pid %d of %s' % (
            os.path.basename(out), os.path.basename(src), key[1], key[0]))


def lives(path):
    """{process: when it was there}, without exited children and those that
    were no longer selected, which may come again."""
    (table,) = editlib.tables(path, 'processes', [
        '-c', 'host,pid,started,ended,wall_seconds,off_cpu_seconds'])
    return {(row['host'], row['pid'], row['started']): row
            for row in table['rows']
            if row['pid'] is not None and row['state'] != 'left'}


def check_lives(src, out):
    """When processes ended between two ticks that stay, and for how long all lived."""
    want, got = lives(src), lives(out)
    gstest.check(any(row['ended'] for row in want.values()), 'some ended')
    gstest.equal(sorted(got), sorted(want), 'processes')
    for key, row in want.items():
        what = '%s: %r, %r' % (out, row, got[key])
        gstest.equal(got[key]['ended'], row['ended'], what)
        for name in ('wall_seconds', 'off_cpu_seconds'):
            a, b = row[name], got[key][name]
            gstest.check((a is None) == (b is None), what)
            gstest.check(a is None or abs(a - b) < 0.01, what)


def rates(path, view, keys):
    (table,) = editlib.tables(path, view, ['-c', 'cpu_percent,' + ','.join(keys)])
    return {tuple(str(row[k]) for k in keys): row['cpu_percent']
            for row in table['rows']}


def check_rates(src, out):
    """Of the time for which something was there, also of what left and came again."""
    for view, keys in (('processes', ('host', 'pid', 'started')),
                       ('sessions', ('server', 'session', 'user'))):
        got = rates(out, view, keys)
        for key, a in rates(src, view, keys).items():
            b = got[key]
            gstest.check((a is None) == (b is None) and
                         (a is None or abs(a - b) <= 0.005 * max(a, b)),
                         '%s: %s %r: %r, %r' % (out, view, key, a, b))


def check_sessions(src, out):
    """Those that came and went between two ticks that stay have all their labels."""
    labels = ('user', 'database', 'client', 'title', 'application', 'text')

    def told(path):
        (table,) = editlib.tables(path, 'sessions', [])
        return sorted([row['session']] + [row[name] or '' for name in labels]
                      for row in table['rows']
                      if (row['session'] or '').startswith('con'))

    all_want, all_got = told(src), told(out)
    for want, got in zip(all_want, all_got):
        gstest.equal(got, want, out)
    gstest.equal(len(all_got), len(all_want), out)


def check_gangs(tmp):
    """Executors do several slices, of several commands, between those ticks, also if
    that is done twice."""
    for name in ('greenplum6-spill', os.path.join('incidents',
                                                  'greenplum7-mixed')):
        src, out, again = os.path.join(SAMPLES, name + '.gpsnap'), \
            os.path.join(tmp, 'out'), os.path.join(tmp, 'again')
        editlib.gpsnap('thin', src, '-o', out, '--force', '--every', '10s')
        editlib.gpsnap('thin', out, '-o', again, '--force', '--every', '30s')
        check_last_texts(src, out)
        check_lives(src, out)
        check_lives(src, again)
        check_sessions(src, out)
        check_sessions(src, again)
        check_rates(src, out)
        check_rates(src, again)
        editlib.gpsnap('thin', src, '-o', out, '--force', '--every', '1m')
        check_rates(src, out)


def check_threads(tmp):
    """Executors whose number of threads changed between those ticks, also if that is
    done twice."""
    src = os.path.join(SAMPLES, 'incidents', 'greenplum6-deadlock.gpsnap')
    out, again = os.path.join(tmp, 'out'), os.path.join(tmp, 'again')
    editlib.gpsnap('thin', src, '-o', out, '--force', '--every', '10s')
    editlib.gpsnap('thin', out, '-o', again, '--force', '--every', '30s')
    check_lives(src, out)
    check_lives(src, again)
    src = os.path.join(SAMPLES, 'postgresql15.gpsnap')
    editlib.gpsnap('thin', src, '-o', out, '--force', '--every', '7s')
    check_lives(src, out)


def texts(path):
    """The last texts that export says of each process and backend."""
    said = editlib.gpsnap('export', path, '-f', 'csv', '--entities',
                          'process,backend', status=(0, 1)).decode()
    return {(row[2], row[3], row[4]): row[5]
            for row in csv.reader(said.splitlines())
            if row[4] in ('comm', 'title', 'os_user', 'user', 'application',
                          'query', 'session')}


def check_texts(tmp):
    out = os.path.join(tmp, 'out')
    for name in ('connection-storm', 'greenplum7-mixed'):
        src = os.path.join(SAMPLES, 'incidents', name + '.gpsnap')
        editlib.gpsnap('thin', src, '-o', out, '--force', '--every', '10s')
        want = texts(src)
        gstest.check(len(want) > 100, 'texts of ' + name)
        same(texts(out), want, 'texts of ' + name)


def events(path):
    (table,) = editlib.tables(path, 'events', [])
    return sorted((r['time'], r['event'], r['text']) for r in table['rows'])


def check_moments(tmp):
    """A host that was away, a kill for lack of memory: when it was, at any interval,
    also if that is done twice."""
    out, again = os.path.join(tmp, 'out'), os.path.join(tmp, 'again')
    for name in ('agent-lost', 'idle-in-transaction', 'postgresql15-incident',
                 'greenplum6-skew'):
        src = os.path.join(SAMPLES, 'incidents', name + '.gpsnap')
        if not os.path.exists(src):
            src = os.path.join(SAMPLES, name + '.gpsnap')
        for every in ('7s', '10s', '1m'):
            editlib.gpsnap('thin', src, '-o', out, '--force', '--every', every)
            check_moments_of(src, out)
        editlib.gpsnap('thin', src, '-o', out, '--force', '--every', '7s')
        editlib.gpsnap('thin', out, '-o', again, '--force', '--every', '21s')
        check_moments_of(src, again)


def check_moments_of(src, out):
    (want,), (got,) = (editlib.tables(p, 'hosts', []) for p in (src, out))
    same_holes(got, want)
    gstest.equal(events(out), events(src), 'events of ' + src)
    for view in ('hosts', 'locks', 'sessions'):
        gstest.equal(editlib.notes(out, view), editlib.notes(src, view),
                     'notes of ' + src)


def check_sums(tmp, src, every):
    out = os.path.join(tmp, every + '.gpsnap')
    editlib.gpsnap('thin', src, '-o', out, '--every', every)
    editlib.gpsnap('verify', out)
    ticks = [wall_ns for wall_ns, _ in walk(out)]
    check_last_texts(src, out)
    seen = compare_growth(src, out)
    gstest.check({'process', 'disk'} <= seen, 'grew: %r' % seen)
    gstest.check('\nthinned ' in editlib.info(out), 'info')
    gstest.check(b' (thinned from ' in editlib.gpsnap('replay', out,
                                                      status=(0, 1)),
                 'the head of replay')
    same_sums(src, out, ())
    same(exported(out), exported(src), 'export')
    rng = random.Random(7)
    for _ in range(4):
        a, b = sorted(rng.sample(range(len(ticks)), 2))
        same_sums(src, out, times(ticks, a, b))


def check_again(tmp, src):
    """Coarser yet, also of a part that was cut, in a group, in a pipe."""
    one = os.path.join(tmp, '10s.gpsnap')
    two, both = os.path.join(tmp, 'two'), os.path.join(tmp, 'both')
    editlib.gpsnap('thin', one, '-o', two, '--every', '1m')
    editlib.gpsnap('thin', src, '-o', both, '--every', '1m')
    ticks = [wall_ns for wall_ns, _ in walk(two)]
    gstest.equal(ticks, [wall_ns for wall_ns, _ in walk(both)], 'ticks')
    compare_growth(src, two)
    same_sums(both, two, ())
    same_sums(both, two, times(ticks, 1, 4))
    cut = os.path.join(tmp, 'cut')
    editlib.gpsnap('cut', two, '-o', cut, *times(ticks, 1, 4))
    editlib.same_everywhere(cut, [], two, list(times(ticks, 1, 4)), 'cut')
    with open(src, 'rb') as f:
        piped = editlib.gpsnap('thin', '-', '-o', '-', '--every', '1m',
                               stdin=f.read())
    with open(cut, 'wb') as f:
        f.write(piped)
    same_sums(cut, both, ())


def check_refusals(tmp, src):
    two = os.path.join(tmp, 'two')
    for path, every in ((src, '500ms'), (src, '1s'), (two, '10s')):
        done = subprocess.run(
            [gstest.binary('gpsnap'), 'thin', path, '-o',
             os.path.join(tmp, 'no'), '--every', every],
            env=editlib.ENV, capture_output=True, check=False)
        gstest.equal(done.returncode, 64, 'thin to ' + every)
        gstest.check(b': expected a longer interval' in done.stderr,
                     done.stderr.decode())
    gstest.check(not os.path.exists(os.path.join(tmp, 'no')), 'no file')


def check_marks_and_holes(src, out):
    (a,) = editlib.tables(src, 'sessions', [])
    (b,) = editlib.tables(out, 'sessions', [])
    gstest.equal(b['remarks'], a['remarks'], 'marks')
    same_holes(b, a)
    gstest.equal(b['covered_seconds'], a['covered_seconds'], 'time')


def check_absent(tmp, src):
    """What was not recorded of processes is absent, not 0."""
    few, out = os.path.join(tmp, 'few'), os.path.join(tmp, 'few-10s')
    editlib.gpsnap('cut', src, '-o', few, '--metrics', 'process.cpu,'
                   'process.utime,process.stime,process.cutime,process.title')
    editlib.gpsnap('thin', few, '-o', out, '--every', '10s')
    for view in ('processes', 'sessions', 'queries'):
        (table,) = editlib.tables(out, view, [])
        gstest.check(table['rows'], view)
        for row in table['rows']:
            known = [c for c in ('io_bytes_per_second', 'memory',
                                 'read_bytes_per_second',
                                 'write_bytes_per_second')
                     if row.get(c) is not None]
            gstest.equal(known, [], '%s: %r' % (view, row))


def check_short_lives(tmp):
    """Processes with texts of their own that came and went between two ticks
    that stay keep them."""
    out = os.path.join(tmp, 'short-10s')
    for i in range(6):  # a busy machine skips ticks
        src = os.path.join(tmp, 'short%d' % i)
        editlib.gpsnap('record', '-q', '--no-catalog', '--arguments', '-i',
                       '0.2', '-o', src, '--', 'sh', '-c',
                       'sleep 0.6; sleep 0.7; sleep 0.8; sleep 0.5',
                       status=(0, 1))
        editlib.gpsnap('thin', src, '-o', out, '--force', '--every', '10s')
        before, after = ({row['title'] for row in table['rows']}
                         for path in (src, out)
                         for table in editlib.tables(path, 'processes', []))
        seen = before & {'sleep 0.6', 'sleep 0.7', 'sleep 0.8'}
        if seen:
            break
    gstest.check(seen and seen <= after, '%r, %r' % (before, after))


def missing(path):
    """What nothing is known of, and how many samples the recorder skipped, by what
    replay and info say."""
    (hosts,) = editlib.tables(path, 'hosts', [])
    (table,) = editlib.tables(path, 'findings', [])
    skipped = re.search(r', (\d+) skipped$', editlib.gpsnap('info', path).decode(),
                        re.MULTILINE)
    return [(row['from'], row['to'], row['what']) for row in table['rows']
            if row['finding'] == 'data missing'], (
        skipped and skipped.group(1), hosts.get('skipped_ticks'))


def check_skipped(tmp):
    """What a recorder that was stopped did not sample is missing in thinned files,
    too, also where that is less than their interval."""
    src = os.path.join(SAMPLES, 'incidents', 'hole.gpsnap')
    want = missing(src)
    gstest.check(want[0] and want[1] == ('11', 11), '%r' % (want,))
    before = src
    for every in ('5s', '10s', '20s'):
        for was in (src, before):
            out = os.path.join(tmp, 'skipped-%s-%d' % (every, was == src))
            editlib.gpsnap('thin', was, '-o', out, '--every', every)
            gstest.equal(missing(out), want, out)
            if was == before and every == '5s':
                break
        before = out


def check_head(tmp):
    """What begins thinned and goes on as it was says how many ticks are which."""
    src = os.path.join(SAMPLES, 'incidents', 'lock-pileup.gpsnap')
    (whole,) = editlib.tables(src, 'hosts', [])
    parts = [os.path.join(tmp, name) for name in ('0', 'first', 'both', 'both/b')]
    os.mkdir(parts[2])
    middle = whole['from'][:17] + '%02d' % (int(whole['from'][17:19]) + 20)
    editlib.gpsnap('cut', src, '--to', middle, '-o', parts[0])
    editlib.gpsnap('thin', parts[0], '--every', '5s', '-o', parts[2] + '/a.gpsnap')
    editlib.gpsnap('cut', src, '--from', middle, '-o', parts[3] + '.gpsnap')
    (first,) = editlib.tables(parts[2] + '/a.gpsnap', 'hosts', [])
    (both,) = editlib.tables(parts[2], 'hosts', [])
    interval = whole['interval_seconds']
    gstest.equal((first['interval_seconds'], first['thinned_from_seconds']),
                 (5, interval), 'thinned')
    gstest.check(both['interval_seconds'] == interval and
                 both['other_intervals'] == [{
                     'interval_seconds': 5, 'thinned_from_seconds': interval,
                     'ticks': first['ticks']}] and both['ticks'] >
                 first['ticks'] and 'other_intervals' not in first, '%r' % both)
    text = editlib.gpsnap('replay', parts[2], '-V', 'hosts').decode()
    gstest.check(', %d of them every 5s (thinned from ' % first['ticks'] in text,
                 text)


def main():
    with editlib.scratch() as tmp:
        check_short_lives(tmp)
        check_gangs(tmp)
        check_threads(tmp)
        check_moments(tmp)
        check_texts(tmp)
        check_skipped(tmp)
        check_head(tmp)
    with editlib.scratch() as tmp:
        subprocess.run([gstest.binary('make_recordings'), tmp], check=True)
        src = os.path.join(tmp, ALL)
        check_sums(tmp, src, '1m')
        check_sums(tmp, src, '10s')
        check_again(tmp, src)
        check_refusals(tmp, src)
        check_absent(tmp, src)
        check_marks_and_holes(src, os.path.join(tmp, 'two'))
    for name, every in (('postgresql15', '7s'), ('greenplum6', '5s')):
        with editlib.scratch() as tmp:
            check_sums(tmp, os.path.join(SAMPLES, name + '.gpsnap'), every)


if __name__ == '__main__':
    main()
