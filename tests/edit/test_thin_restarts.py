#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""gpsnap thin: over the same ticks a thinned recording shows what its source does,
even if backends, servers and the catalog came and went between them."""
import os
import subprocess

import editlib
import gstest
from growth import walk

# What each view says of backends, by these.
VIEWS = (
    ('time_model', ('server', 'stat')),
    ('system_event', ('server', 'event')),
    ('query_event', ('server', 'query', 'event')),
    ('session_event', ('server', 'pid', 'segment', 'type')),
)
EVERY = ('7s', '20s')
# What processes used, and what they were at last.
OF_PROCESSES = ('cpu_seconds', 'memory', 'rss', 'spill', 'swap',
                'write_bytes_per_second')


def exact(ticks, a, b):
    """A range whose edges are those two ticks, to the nanosecond."""
    return ['--utc'] + [word for option, at in (('--from', a), ('--to', b))
                        for word in (option, '%d.%09d' % divmod(ticks[at],
                                                                10 ** 9))]


def lines(path, view, by, options):
    """The rows of a view, by what tells them apart; of a wait that began before
    a range, its length is told to its edge or as a whole.  Of a catalog that had no
    name yet, and no session, nothing is told between two ticks."""
    (table,) = editlib.tables(path, view, options)
    table['rows'] = [row for row in table['rows']
                     if row['server'] != 'catalog' or row.get('seconds')]
    for row in table['rows'] if options else []:
        row.update(waits=0, longest_seconds=0)
    return {tuple(row.get(name) for name in by):
            row for row in [{'covered': table['covered_seconds']},
                            *table['rows']]}


def check_range(src, out, options):
    for view, by in VIEWS:
        want, got = (lines(path, view, by, options) for path in (src, out))
        for key in sorted(set(want) | set(got), key=str):
            gstest.equal(got.get(key), want.get(key), '%s of %s, %s: %s' % (
                view, os.path.basename(out), ' '.join(options), key))


def check_processes(src, out, options):
    def of(path):
        (table,) = editlib.tables(path, 'processes', options)
        return {row['pid']: {name: row[name] for name in OF_PROCESSES}
                for row in table['rows']}
    gstest.equal(of(out), of(src), 'processes of %s' % ' '.join(options))


def check_asked(src, out, options):
    """For how long the database was asked."""
    gstest.equal(editlib.notes(out, 'locks', options),
                 editlib.notes(src, 'locks', options),
                 'notes on locks of %s' % ' '.join(options))


def check_ranges(src, out):
    ticks = [wall_ns for wall_ns, _ in walk(out)]
    last = len(ticks) - 1
    for a, b in [(0, last), (1, last - 1)] + [(i, i + 1) for i in range(last)]:
        options = exact(ticks, a, b) if b - a < last else []
        check_range(src, out, options)
        check_processes(src, out, options)
        check_asked(src, out, options)


def check(tmp, src):
    out = os.path.join(tmp, 'out')
    for every in EVERY:
        editlib.gpsnap('thin', src, '-o', out, '--force', '--every', every)
        check_ranges(src, out)


def main():
    for more in ([], ['alone']):
        with editlib.scratch() as tmp:
            src = os.path.join(tmp, 'src')
            subprocess.run([gstest.binary('make_restarts'), src, *more],
                           check=True)
            check(tmp, src)


if __name__ == '__main__':
    main()
