#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gpsnap load of the same samples in other files: archived, cut, thinned, by
two at once, into what an older version made.  No step is there twice."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from loading import (GREENPLUM, POSTGRES, compare, count, dsn, record_files,
                     replay, run, same)
import gstest
from gstest import check, equal

ALL_KNOWN = '0 rows of 0 files and 0 recordings loaded; '


def archived(pg, d):
    """A copy of the directory with one file of all."""
    to = pg.tmp.file('archived')
    shutil.copytree(d, to)
    gstest.gpsnap('archive', to, '--older-than', '0d')
    equal(len([n for n in os.listdir(to) if n.endswith('.gpsnap')]), 1,
          'files of the day: %r' % os.listdir(to))
    return to


def test_archived(pg, d, found, day):
    run(pg, d, '--schema', 'day', '--every', '1s')
    before = count(pg, 'day')
    for path in (day, d, day):
        said = run(pg, path, '--schema', 'day')
        check(said.startswith(ALL_KNOWN), said)
        equal(count(pg, 'day'), before, 'rows')
    # some of its files, then the day: what is between them
    said = run(pg, found[0], found[2], '--schema', 'parts', '--every', '1s',
               status=1)
    check('samples are missing' in said, said)
    run(pg, day, '--schema', 'parts')
    said = run(pg, d, '--schema', 'parts')
    check(said.startswith(ALL_KNOWN), said)
    # a seam within a step makes two rows of it, which share no time
    equal(*[pg.sql('SELECT sum(covered_seconds)::numeric(10, 3), min(step), '
                   'max(step_end) FROM %s.hosts' % schema)
            for schema in ('parts', 'day')], 'what is covered')
    equal(pg.sql('SELECT count(*) FROM parts.hosts a JOIN parts.hosts b ON '
                 'a.ctid <> b.ctid AND a.step < b.step_end AND b.step < '
                 'a.step_end'), '0', 'steps that share time')
    # both at once are one
    run(pg, d, day, '--schema', 'together', '--every', '1s')
    equal(count(pg, 'together'), before, 'rows of both')


def sums(pg, schema):
    return (pg.sql('SELECT sum(cpu_seconds)::numeric(10, 6) FROM %s.processes'
                   % schema),
            pg.sql('SELECT sum(covered_seconds)::numeric(10, 3) FROM %s.hosts'
                   % schema))


def test_hole(pg):
    """A day was archived without some of its samples, which come later: it is as if
    its files had been loaded, and nothing is counted twice."""
    parts = pg.tmp.file('hole')
    for name, options in (('a', ['--to', '03:16:30']), ('c', ['--from', '03:16:50']),
                          ('b', ['--from', '03:16:31', '--to', '03:16:49'])):
        to = os.path.join(parts, 'b' if name == 'b' else 'ac', name + '.gpsnap')
        os.makedirs(os.path.dirname(to), exist_ok=True)
        gstest.gpsnap('cut', POSTGRES, '-o', to, *options)
    late = os.path.join(parts, 'b')
    apart = os.path.join(parts, 'ac')
    told = {}
    for schema in ('apart', 'holed'):
        options = ('--schema', schema, '--tables', 'processes,hosts')
        said = run(pg, apart, *options, status=1)
        check('samples are missing' in said, said)
        before = sums(pg, schema)
        check(run(pg, apart, *options).startswith(ALL_KNOWN), 'again')
        check('of 1 file and 1 recording' in run(pg, late, *options), 'late')
        between = sums(pg, schema)
        run(pg, POSTGRES, *options)
        told[schema] = before, between, sums(pg, schema)
        check(run(pg, POSTGRES, *options).startswith(ALL_KNOWN), 'all again')
        if schema == 'apart':
            gstest.gpsnap('archive', apart, '--older-than', '0d', status=None)
            equal(len([n for n in os.listdir(apart) if n.endswith('.gpsnap')]), 1,
                  'archived')
    equal(told['holed'], told['apart'], 'sums')
    run(pg, POSTGRES, '--schema', 'whole', '--tables', 'processes,hosts')
    equal(told['holed'][2], sums(pg, 'whole'), 'sums of all')


ALL = ('--tables', 'all')


def test_cut(pg):
    """A part comes before all of it: the rest comes then."""
    part = pg.tmp.file('cut.gpsnap')
    gstest.gpsnap('cut', POSTGRES, '-o', part, '--from', '03:16:30', '--to',
                  '03:16:50')
    run(pg, part, '--schema', 'cut', '--every', '10s', *ALL)
    run(pg, POSTGRES, '--schema', 'cut', *ALL)
    # numbers of queries and ages are from where reading begins
    for name in ('hosts', 'disks', 'nets', 'segments'):
        same(pg, 'cut', name, replay(name, POSTGRES, '--every', '10s'))
    want = sum(float(r['cpu_seconds'] or 0)
               for r in replay('sessions', POSTGRES, '--every', '10s'))
    got = float(pg.sql('SELECT sum(cpu_seconds) FROM cut.sessions'))
    check(abs(got - want) < 1e-6, 'cpu: got %g, want %g' % (got, want))
    said = run(pg, part, '--schema', 'cut')
    check(said.startswith(ALL_KNOWN), said)


def test_made_of(pg):
    """A recording of its own that holds the same samples is passed over, and
    so is that of which it was made, if it comes later."""
    thin, own = pg.tmp.file('thin.gpsnap'), pg.tmp.file('own.gpsnap')
    gstest.gpsnap('thin', POSTGRES, '-o', thin, '--every', '10s')
    gstest.gpsnap('cut', POSTGRES, '-o', own, '--to', '+30s', '--entities',
                  'hosts')
    d = pg.tmp.file('made')
    os.mkdir(d)
    for path in (POSTGRES, thin, own):
        shutil.copy(path, d)
    said = run(pg, d, '--schema', 'made', *ALL)
    for name in ('thin', 'own'):
        check('%s.gpsnap: loaded already, as recording 1: passed over' % name
              in said, said)
    check(' of 1 file and 1 recording loaded\n' in said, said)
    compare(pg, 'made', [POSTGRES], '1m')
    run(pg, own, GREENPLUM, '--schema', 'later')
    before = count(pg, 'later')
    said = run(pg, POSTGRES, '--schema', 'later', status=1)
    check(os.path.basename(POSTGRES) + ': a part of it is loaded already, as '
          'recording 2: passed over' in said, said)
    said = run(pg, own, '--schema', 'later')
    check(said.startswith(ALL_KNOWN + '1 file was'), said)
    equal(count(pg, 'later'), before, 'rows')


class Held:
    """The transaction of another session."""

    def __init__(self, pg, sql):
        self.psql = pg.popen(['psql', '-X', '-q'], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE)
        self.psql.stdin.write(('BEGIN; %s;\n\\echo done\n' % sql).encode())
        self.psql.stdin.flush()
        equal(self.psql.stdout.readline(), b'done\n', sql)

    def end(self):
        self.psql.stdin.close()
        self.psql.stdout.close()
        self.psql.wait()


def at_once(pg, held, n, *argv):
    """n loaders that all wait for one lock, which is then released."""
    load = [subprocess.Popen([gstest.binary('gpsnap'), 'load', *argv, '--dsn',
                              dsn(pg)], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True)
            for _ in range(n)]
    gstest.wait_for('all to wait', lambda: pg.sql(
        "SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted") ==
        str(n))
    held.end()
    said = [child.communicate()[0] for child in load]
    for child, text in zip(load, said):
        equal(child.returncode, 0, text)
    return said


def test_at_once(pg):
    said = at_once(pg, Held(pg, 'CREATE SCHEMA once'), 3, POSTGRES,
                   '--schema', 'once', '--every', '5s', *ALL)
    equal(len([s for s in said if s.startswith(ALL_KNOWN)]), 2, 'known')
    compare(pg, 'once', [POSTGRES], '5s')
    run(pg, GREENPLUM, '--schema', 'twice')
    said = at_once(pg, Held(pg, 'LOCK TABLE twice.files'), 2, POSTGRES,
                   '--schema', 'twice', '--every', '5s')
    equal(len([s for s in said if s.startswith(ALL_KNOWN)]), 1, 'known')
    equal(pg.sql('SELECT count(*) FROM twice.hosts WHERE recording = 2'),
          pg.sql('SELECT count(*) FROM once.hosts'), 'rows')


def test_older(pg):
    """Version 1 had one row for each file."""
    run(pg, POSTGRES, '--schema', 'older')
    before = count(pg, 'older')
    pg.sql('ALTER TABLE older.recordings DROP COLUMN made_of; '
           'ALTER TABLE older.files DROP CONSTRAINT files_pkey, '
           'ADD PRIMARY KEY (recording, file_number); '
           'UPDATE older.schema_version SET version = 1')
    said = run(pg, POSTGRES, '--schema', 'older')
    check(said.startswith(ALL_KNOWN), said)
    equal(count(pg, 'older'), before, 'rows')
    equal(pg.sql('SELECT version FROM older.schema_version ORDER BY 1'),
          '1\n2', 'versions')
    run(pg, GREENPLUM, '--schema', 'older')
    equal(pg.sql('SELECT made_of IS NULL FROM older.recordings'), 't\nt',
          'a column was added')


def main():
    with gstest.Postgres() as pg:
        d, found = record_files(pg)
        test_archived(pg, d, found, archived(pg, d))
        test_hole(pg)
        test_cut(pg)
        test_made_of(pg)
        test_at_once(pg)
        test_older(pg)


main()
