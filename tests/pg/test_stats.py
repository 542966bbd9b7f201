#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counters of a PostgreSQL server at work against what psql reads of them: a
run of pgbench, a reset in its middle, progress, pg_stat_statements with and
without the extension, and a role that may not see what others do."""
import datetime
import json
import os
import signal
import subprocess

import catdump
import gstest

SETTINGS = ('shared_preload_libraries=pg_stat_statements',
            'max_replication_slots=4', 'deadlock_timeout=100ms')
COUNTERS = {'commits': 'xact_commit', 'rollbacks': 'xact_rollback',
            'rows_inserted': 'tup_inserted', 'rows_updated': 'tup_updated',
            'temp_files': 'temp_files', 'temp': 'temp_bytes',
            'deadlocks': 'deadlocks', 'read': 'blks_read * 8192',
            'hit': 'blks_hit * 8192', 'connections': 'sessions'}


class Recording:
    """gpsnap record of the server, in the background."""

    def __init__(self, pg, path):
        self.path = path
        self.child = subprocess.Popen(
            [gstest.binary('gpsnap'), 'record', '-o', path, '-i', '0.5',
             '--dsn', 'dbname=postgres'], env=pg.env(),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)

    def answers(self):
        """How often the databases were read so far."""
        for table in gstest.replay_json(self.path, '-V', 'collectors',
                                        status=(0, 1, 2)):
            for row in table.get('rows', ()):
                if row['collector'] == 'databases':
                    return row
        return None

    def last(self):
        row = self.answers()
        return row['last'] if row else None

    def wait_answer(self):
        """One that came after now; its rows are recorded."""
        later = datetime.datetime.now(datetime.timezone.utc) + \
            datetime.timedelta(seconds=1)
        text = later.strftime('%Y-%m-%dT%H:%M:%S')
        gstest.wait_for('an answer', lambda: self.last() > text)

    def stop(self):
        self.child.send_signal(signal.SIGTERM)
        err = self.child.communicate(timeout=30)[1].decode()
        gstest.check(gstest.ended_well(self.child.returncode, err), err)


def by_psql(pg, database='bench'):
    """The server's own figures, in one snapshot."""
    row = pg.sql("select row_to_json(s) from (select %s from "
                 "pg_stat_database where datname = '%s') s" % (', '.join(
                     '%s as %s' % (v, k) for k, v in COUNTERS.items()),
                     database))
    return json.loads(row)


def settled(pg):
    """The figures once all sessions of bench have given theirs."""
    gstest.wait_for('the end of sessions', lambda: pg.sql(
        "select count(*) from pg_stat_activity where datname = 'bench'")
        == '0')
    return by_psql(pg)


def by_replay(path, *argv):
    tables = gstest.replay_json(path, '-V', 'databases', '-l', '0', '-c',
                                'database,transactions_per_second,' + ','.join(
                                    'database.' + c for c in COUNTERS), *argv)
    rows = [r for t in tables for r in t.get('rows', ())
            if r['database'] == 'bench']
    return rows


def bench(pg, transactions):
    pg.run('pgbench', '-n', '-c', '2', '-t', str(transactions), 'bench')
    pg.run('psql', '-X', '-q', '-d', 'bench', '-c', "set work_mem = '64kB'; "
           'begin; select count(*) from (select * from pgbench_accounts '
           'order by filler, aid desc offset 1) x; rollback')


def deadlock(pg):
    """Two sessions that update two rows in turn."""
    with catdump.Sessions(pg) as talk:
        for name, one in (('a', 1), ('b', 2)):
            talk.say(name, '\\c bench')
            talk.say(name, 'begin; update pgbench_branches set bbalance = 0 '
                     'where bid = %d' % one)
        gstest.wait_for('both', lambda: pg.sql(
            "select count(*) from pg_stat_activity where datname = 'bench' "
            "and state = 'idle in transaction'") == '2')
        for name, other in (('a', 2), ('b', 1)):
            talk.say(name, 'update pgbench_branches set bbalance = 0 '
                     'where bid = %d' % other)
        gstest.wait_for('the deadlock', lambda: pg.sql(
            "select count(*) from pg_stat_activity where datname = 'bench' "
            "and state = 'idle in transaction (aborted)'") == '1')
        for name in ('a', 'b'):
            talk.say(name, 'rollback')
            talk.end(name)


def check_sums(row, want, what):
    for name in COUNTERS:
        gstest.equal(row['database.' + name], want[name], what + ': ' + name)


def check_counters(pg, tmp):
    path = tmp.file('a.gpsnap')
    start = settled(pg)
    r = Recording(pg, path)
    gstest.wait_for('ticks', lambda: os.path.exists(path))
    gstest.wait_for('the first answer', lambda: r.last() is not None)
    bench(pg, 300)
    deadlock(pg)
    middle = settled(pg)
    r.wait_answer()
    (row,) = by_replay(path)
    first = {k: middle[k] - start[k] for k in COUNTERS}
    check_sums(row, first, 'before the reset')
    gstest.check(first['deadlocks'] == 1 and first['temp'] > 0 and
                 first['commits'] >= 600, 'a load: %r' % first)
    pg.run('psql', '-X', '-q', '-d', 'bench', '-c', 'select pg_stat_reset()')
    settled(pg)
    r.wait_answer()
    (row,) = by_replay(path)
    check_sums(row, first, 'after the reset')
    begin = settled(pg)
    bench(pg, 400)
    end = settled(pg)
    r.wait_answer()
    r.stop()
    (row,) = by_replay(path)
    check_sums(row, {k: first[k] + end[k] - begin[k] for k in COUNTERS},
               'both sides of the reset')
    rates = [r['transactions_per_second']
             for r in by_replay(path, '--every', '1s')]
    known = [x for x in rates if x is not None]
    gstest.check(known and min(known) >= 0 and None in rates,
                 'rates, and none between answers: %r' % rates)
    total = (row['database.commits'] + row['database.rollbacks'])
    gstest.check(0 < row['transactions_per_second'] < total,
                 'a rate: %r' % row)


def statements(tick):
    return {r['query']: r for r in tick['rows'].get('pgstatement', ())
            if 'query' in r}


def check_extension(pg, version, has, lacks):
    pg.sql('drop extension if exists pg_stat_statements; create schema if '
           'not exists "my stats"')
    with catdump.Dump(pg) as dump:
        tick = dump.until('no extension', lambda t: (catdump.collector(
            t, 'progress') or {}).get('runs'))
        gstest.equal(catdump.collector(tick, 'pgstatements'), None, 'absent')
        gstest.equal(dump.events(catdump.REFUSED), [], 'refused')
    pg.sql('create extension pg_stat_statements schema "my stats" version '
           "'%s'" % version)
    pg.sql('select "my stats".pg_stat_statements_reset()')
    pg.sql("select 'secret', count(*) from pg_class, pg_class b")
    calls = pg.sql('select calls from "my stats".pg_stat_statements where '
                   "query like 'select $1, count(*) from pg_class%'")
    with catdump.Dump(pg) as dump:
        tick = dump.until('statements', lambda t: (catdump.collector(
            t, 'pgstatements') or {}).get('runs'))
        (row,) = [r for q, r in statements(tick).items()
                  if q.startswith('select $1, count(*) from pg_class')]
        gstest.equal((row['database'], row['calls'], row['rows']),
                     ('postgres', int(calls), 1), 'a statement')
        gstest.check(set(has) <= set(row) and not set(lacks) & set(row),
                     'columns of %s: %r' % (version, row))
        gstest.equal(dump.events(catdump.REFUSED) +
                     dump.events(catdump.NOTE), [], 'events')


def copied(pg):
    return int(pg.sql('select bytes_processed from pg_stat_progress_copy'))


def check_role(pg):
    """A role that may not read all statistics sees counters, and of progress
    and statements of others only that they are there."""
    pg.sql('create role plain login; create table p (x int); '
           'grant usage on schema "my stats" to plain')
    copy = pg.popen(['psql', '-X', '-q', '-c', 'copy p from stdin'],
                    stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        copy.stdin.write(b'1\n' * 100000)
        copy.stdin.flush()
        gstest.wait_for('a copy', lambda: pg.sql(
            'select bytes_processed > 65536 from pg_stat_progress_copy')
            == 't')
        least = copied(pg)  # the rest may still be on its way
        with catdump.Dump(pg) as dump:
            (row,) = dump.until('progress', lambda t: t['rows'].get(
                'progress'))['rows']['progress']
            gstest.equal((row['command'], row['object'], row['unit'],
                          'total' in row),
                         ('COPY FROM', 'public.p', 'bytes', False),
                         'a copy: %r' % row)
            most = copied(pg)
            gstest.check(least <= row['done'] <= most,
                         'a copy of %d to %d: %r' % (least, most, row))
        with catdump.Dump(pg, '-d', 'user=plain') as dump:
            tick = dump.until('all', lambda t: all(
                (catdump.collector(t, n) or {}).get('runs') for n in
                ('databases', 'wal', 'slots', 'progress', 'pgstatements')))
            (row,) = tick['rows']['progress']
            gstest.check(row['pid'] > 0 and 'done' not in row and
                         'object' not in row, 'a copy by others: %r' % row)
            gstest.check(not any('select $1, count' in q
                                 for q in statements(tick)),
                         'statements of others')
            gstest.check('commits' in tick['rows']['database'][0],
                         'databases')
            gstest.equal(dump.events(catdump.REFUSED), [], 'refused')
    finally:
        copy.stdin.close()
        copy.wait()


def check_not_loaded():
    """The extension without its library is refused, once."""
    with gstest.Postgres() as pg:
        pg.sql('create extension pg_stat_statements')
        with catdump.Dump(pg) as dump:
            dump.until('the refusal', lambda t: (catdump.collector(
                t, 'pgstatements') or {}).get('errors'))
            dump.pause(3)
            (why,) = dump.events(catdump.REFUSED)
            gstest.check('must be loaded' in why, why)


def main():
    with gstest.Postgres(settings=SETTINGS) as pg, gstest.TempDir() as tmp:
        pg.sql('create database bench')
        pg.run('pgbench', '-i', '-q', '-s', '2', 'bench')
        check_counters(pg, tmp)
        check_extension(pg, '1.7', (), ('wal', 'toplevel'))
        check_extension(pg, '1.8', ('wal',), ('toplevel',))
        check_extension(pg, '1.10', ('wal', 'toplevel'), ())
        check_role(pg)
    check_not_loaded()


if __name__ == '__main__':
    main()
