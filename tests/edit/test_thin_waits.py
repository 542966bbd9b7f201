#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""gpsnap thin: a thinned recording tells what samples of backends saw in the
ticks that were left out, so tables of waits are those of the source."""
import os
import subprocess

import editlib
import gstest
from growth import times, walk

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..',
                       '..', 'samples')
NAMES = ('greenplum6', 'greenplum6-spill', 'postgresql15',
         'postgresql15-incident')

# Of processes, which check_work() compares.
OTHERS = ('process_cpu_percent', 'process_io_bytes_per_second',
          'process_memory')
TABLES = ('time_model', 'system_event', 'session_event', 'query_event',
          'waits')


def rows(path, view, *options):
    (table,) = editlib.tables(path, view, list(options))
    return [{k: v for k, v in row.items() if k not in OTHERS}
            for row in table['rows']]


def in_order(found):
    return sorted(repr(sorted(row.items(), key=str)) for row in found)


def same_waits(got, want, options=(), tables=TABLES):
    for view in tables:
        gstest.equal(in_order(rows(got, view, *options)),
                     in_order(rows(want, view, *options)),
                     '%s of %s %s' % (view, got, ' '.join(options)))


def same_runs(got, want):
    events = {row['event'] for row in rows(want, 'system_event')}
    for event in sorted(events):
        options = ('--event', event)
        gstest.equal(rows(got, 'histogram', *options),
                     rows(want, 'histogram', *options), 'runs of ' + event)


def db_time(path, view, name):
    return {row[name]: (row['db_time_seconds'], row['wait'])
            for row in rows(path, view) if row.get('db_time_seconds')}


def check_sample(tmp, name):
    src = os.path.join(SAMPLES, name + '.gpsnap')
    for every in ('3s', '7s', '20s'):
        out = os.path.join(tmp, every + '.gpsnap')
        editlib.gpsnap('thin', src, '-o', out, '--every', every)
        same_waits(out, src)
        same_runs(out, src)
        gstest.equal(db_time(out, 'sessions', 'session'),
                     db_time(src, 'sessions', 'session'), 'sessions')
    ticks = [wall_ns for wall_ns, _ in walk(os.path.join(tmp, '7s.gpsnap'))]
    # the last stays although it is not on the grid, and counts as that before
    for a, b in ((0, 2), (1, 2), (1, len(ticks) - 3)):
        same_waits(os.path.join(tmp, '7s.gpsnap'), src, times(ticks, a, b),
                   ('time_model', 'session_event'))


def check_copies(tmp, name):
    """Thinned again, cut, in groups, with all texts masked."""
    src = os.path.join(SAMPLES, name + '.gpsnap')
    thin = os.path.join(tmp, '3s.gpsnap')
    again, cut, share = (os.path.join(tmp, n)
                         for n in ('again', 'cut', 'share'))
    editlib.gpsnap('thin', thin, '-o', again, '--every', '20s')
    same_waits(again, src)
    same_runs(again, src)
    editlib.gpsnap('cut', thin, '-o', cut, '--from', '+0', '--to', '+1h')
    same_waits(cut, src)
    ticks = [wall_ns for wall_ns, _ in walk(thin)]
    editlib.gpsnap('cut', thin, '-o', cut, '--force', *times(ticks, 1, 5))
    same_waits(cut, src, times(ticks, 1, 5), ('time_model', 'session_event'))
    editlib.gpsnap('share', thin, '-o', share)
    same_waits(share, src, tables=('time_model', 'system_event'))


def check_day(tmp, name):
    """archive --thin thins a day in place."""
    src = os.path.join(SAMPLES, name + '.gpsnap')
    home, to = os.path.join(tmp, 'day'), os.path.join(tmp, 'to')
    os.mkdir(home)
    with open(src, 'rb') as f, open(os.path.join(home, 'x.gpsnap'),
                                    'wb') as out:
        out.write(f.read())
    editlib.gpsnap('archive', home, '--to', to)
    editlib.gpsnap('archive', home, '--to', to, '--thin', '1d:10s')
    (day,) = (os.path.join(to, n) for n in os.listdir(to))
    gstest.check('\nthinned ' in editlib.info(day), 'thinned')
    same_waits(day, src)


def check_masked(tmp):
    """Texts of queries are masked wherever they are."""
    thin, share = os.path.join(tmp, '3s.gpsnap'), os.path.join(tmp, 'masked')
    editlib.gpsnap('share', thin, '-o', share)
    texts = [row['query'] for row in rows(share, 'query_event')]
    gstest.check(texts, 'queries')
    shown = {row.get('text') for row in rows(share, 'queries')}
    for text in texts:
        gstest.check(not any(c.isdigit() for c in (text or '')) or
                     text in shown, 'masked: %r' % text)


def check_segments():
    """Samples of segments are less often than ticks that stay, or more often."""
    with editlib.scratch() as tmp:
        src = os.path.join(SAMPLES, 'incidents', 'greenplum6-deadlock.gpsnap')
        for every in ('7s', '40s'):
            out = os.path.join(tmp, every)
            editlib.gpsnap('thin', src, '-o', out, '--every', every)
            same_waits(out, src)


def work(path):
    (table,) = editlib.tables(path, 'session_event', [])
    return {row['pid']: [row.get(k) for k in OTHERS] for row in table['rows']}


def same_work(path, src, may_lack):
    """What the processes of backends used."""
    got, n = work(path), 0
    for pid, want in work(src).items():
        if may_lack and got[pid] == [None] * len(OTHERS):
            continue
        n += any(want)
        gstest.equal([v and round(v, 9) for v in got[pid]],
                     [v and round(v, 9) for v in want], 'process %s' % pid)
    gstest.check(n, 'processes')


def check_work():
    """Also of those that ended before they were told of.  On which of several hosts
    that was nobody knows."""
    with editlib.scratch() as tmp:
        out = os.path.join(tmp, 'thin')
        for name, may_lack in (
                (os.path.join('incidents', 'greenplum7-mixed'), False),
                ('postgresql15', False),
                (os.path.join('incidents', 'greenplum6-deadlock'), True)):
            src = os.path.join(SAMPLES, name + '.gpsnap')
            for every in ('7s', '10s', '1m'):
                editlib.gpsnap('thin', src, '-o', out, '--force', '--every',
                               every)
                same_work(out, src, may_lack)


def check_going_on():
    """Waits that began before a range are among those of it."""
    with editlib.scratch() as tmp:
        src = os.path.join(SAMPLES, 'postgresql15-incident.gpsnap')
        out = os.path.join(tmp, 'thin')
        within = ('--from', '2026-11-22T17:51:40', '--to',
                  '2026-11-22T17:51:45.1')
        editlib.gpsnap('thin', src, '-o', out, '--every', '5s')
        for view, keys in (('system_event', ('event',)),
                           ('query_event', ('event', 'query'))):
            want, got = ({tuple(row[k] for k in keys): row['waits']
                          for row in rows(path, view, *within)}
                         for path in (src, out))
            gstest.check(max(n or 0 for n in want.values()) >= 4, view)
            gstest.equal(got, want, view)


def check_kept():
    """A file of the first version that kept waits."""
    src = os.path.join(SAMPLES, 'postgresql15-incident.gpsnap')
    thin = os.path.join(SAMPLES, 'postgresql15-incident-thin.gpsnap')
    same_waits(thin, src)
    same_runs(thin, src)


def check_hosts():
    """Several servers, on hosts that were silent for a while."""
    with editlib.scratch() as tmp:
        subprocess.run([gstest.binary('make_recordings'), tmp], check=True)
        src, out = (os.path.join(tmp, n) for n in ('all.gpsnap', 'thin'))
        for every in ('10s', '1m'):
            editlib.gpsnap('thin', src, '-o', out, '--force', '--every', every)
            same_waits(out, src, tables=('time_model', 'system_event'))


def check_brief_server():
    """One that came and went between two ticks that stay has its own waits."""
    with editlib.scratch() as tmp:
        src, out, again = (os.path.join(tmp, n)
                           for n in ('src', 'thin', 'again'))
        subprocess.run([gstest.binary('make_brief_server'), src], check=True)
        servers = {row['server']: row['seconds']
                   for row in rows(src, 'time_model')}
        gstest.equal(servers, {'5432': 59, '5433': 8}, 'DB time')
        editlib.gpsnap('thin', src, '-o', out, '--every', '20s')
        same_waits(out, src)
        editlib.gpsnap('thin', out, '-o', again, '--every', '40s')
        same_waits(again, src)


def main():
    check_kept()
    check_brief_server()
    check_segments()
    check_work()
    check_going_on()
    check_hosts()
    for name in NAMES:
        with editlib.scratch() as tmp:
            check_sample(tmp, name)
            check_copies(tmp, name)
            check_day(tmp, name)
            if name == 'postgresql15-incident':
                check_masked(tmp)


if __name__ == '__main__':
    main()
