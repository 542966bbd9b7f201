#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Live equals replay, and stepping equals seeking: the programs, every view,
every format, byte by byte.

Live shows and records at once; a replay of the recording shows the same
tables.  Only the lines above the first text table differ, which name files
and the whole range.
"""
import json
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from rec import Place, main, want
import gstest

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..',
                       'samples')
# Live they have windows if nothing is said.
OF_WAITS = ('waits', 'time_model', 'system_event', 'session_event',
            'query_event', 'histogram', 'active')
# What a view can not do without.
NEEDS = {'histogram': ('--metric', 'cpu_percent')}
# They tell since when, or what a session did last: that may be before a range that
# is sought.  The rest of the page of a query is that of queries.
SPANNING = ('overview', 'findings', 'query', 'statements')
FORMATS = ('text', 'csv', 'json')
# Text keeps the columns in the places that they had in the steps before.
STEADY = ('csv', 'json')


def gpsnap(place, *args):
    done = subprocess.run([place.path('bin/gpsnap'), *args], cwd=place.dir,
                          env=place.env({'COLUMNS': 120}), check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    assert done.returncode in (0, 1), (args, done.stderr)
    return done.stdout.decode()


def views(place):
    for line in gpsnap(place, 'help', '--options=replay').splitlines():
        fields = line.split('\t')
        if fields[1] == '--view':
            return fields[4].split(', ')
    raise AssertionError('no --view')


def tables(text, form):
    """Without the lines above the first one, and without names of files."""
    if form == 'text':
        return text.split('\n\n', 1)[1]
    return re.sub(r'"files":\[[^]]*\]', '', text)


def in_parallel(fn, todo):
    with ThreadPoolExecutor(8) as pool:
        wrong = [w for w in pool.map(lambda args: fn(*args), todo) if w]
    assert not wrong, '\n'.join(wrong)


def difference(what, got, wanted):
    if got == wanted:
        return None
    for a, b in zip(got.splitlines(), wanted.splitlines()):
        if a != b:
            return '%s:\n  %s\n  %s' % (what, a, b)
    return '%s: %d and %d bytes' % (what, len(got), len(wanted))


def live_equals_replay(place):
    def check(view, form, more):
        name = '-'.join((view, form, *more)) + '.gpsnap'
        args = ('-V', view, '-f', form, '-l', '0', *more,
                *NEEDS.get(view, ()))
        live = tables(gpsnap(place, 'live', '-i', '0.2', '-n', '4', '--all',
                             '--record', name, *args), form)
        each = () if view == 'overview' else ('--ticks',)
        replay = tables(gpsnap(place, 'replay', name, *each, *args), form)
        if view == 'overview':  # of all so far, again and again
            live = live[-len(replay):]
        assert replay.strip(), args
        return difference(' '.join(args), live, replay)

    windows = ('-W', '0.4s,0.8s')
    todo = [(v, f, windows if v in OF_WAITS else ())
            for v in views(place) for f in FORMATS]
    todo += [('hosts', f, windows) for f in FORMATS]
    todo += [('processes', f, ('--ema', '1s,5s')) for f in FORMATS]
    todo += [('processes', f, ('--where', 'cpu > 0')) for f in FORMATS]
    in_parallel(check, gstest.some(todo))


def instants(place, sample):
    """Ends of the ticks' tables: (from, to)."""
    return [(t['from'], t['to']) for t in map(json.loads, gpsnap(
        place, 'replay', sample, '--ticks', '-V', 'hosts', '-f',
        'json').splitlines())]


def last_table(text, form, start):
    lines = text.splitlines()
    if form == 'json':
        return lines[-1]
    return '\n'.join(line for line in lines if line.startswith(start))


def columns(place, view):
    """All but those that rest on where the range begins: ages, where only
    having looked tells them, and queries, which are counted from there."""
    names = [line.split('\t')[0] for line in gpsnap(
        place, 'help', '--columns=' + view).splitlines()]
    return ','.join(n for n in names
                    if n not in ('age_seconds', 'began', 'query'))


def stepping_equals_seeking(place):
    def check(sample, view, form, start, end):
        args = (sample, '--ticks', '-V', view, '-f', form, '-l', '0',
                *NEEDS.get(view, ()))
        if view in ('sessions', 'queries', 'skew'):
            args = (*args, '-c', columns(place, view),
                    '-s', 'session,command')
        stepped = gpsnap(place, 'replay', *args, '--to', end)
        sought = gpsnap(place, 'replay', *args, '--from', start, '--to', end)
        return difference(' '.join((*args, end)),
                          last_table(stepped, form, start),
                          last_table(sought, form, start))

    todo = []
    for name in ('postgresql15.gpsnap', 'greenplum6.gpsnap'):
        sample = os.path.join(SAMPLES, name)
        at = instants(place, sample)
        for start, end in (at[len(at) // 2], at[-1]):
            todo += [(sample, v, f, start, end) for v in views(place)
                     for f in STEADY if v not in SPANNING]
    in_parallel(check, gstest.some(todo, each=3))


if __name__ == '__main__':
    main([live_equals_replay, stepping_equals_seeking], fake=False)
