#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counters of each version of PostgreSQL and Greenplum, on views that have the
columns of that version and no others."""
import catdump
import gstest
import shapes

NAMES = ('databases', 'wal', 'slots', 'progress')
VERSIONS = (100000, 120000, 130000, 140000, 160000, 170000, 180000)


def all_ran(tick, names):
    return all((catdump.collector(tick, n) or {}).get('runs') for n in names)


def check_columns(tick, version, what):
    rows = tick['rows']
    names = {r.get('name') for r in rows['database']}
    gstest.check('postgres' in names, '%s: databases' % what)
    database = rows['database'][0]
    gstest.check({'oid', 'clock', 'commits', 'rollbacks', 'read', 'hit',
                  'temp', 'deadlocks'} <= set(database), what)
    gstest.equal('session_time' in database, version >= 140000,
                 what + ': times of sessions')
    (wal,) = rows['wal']
    gstest.check({'clock', 'checkpoints_timed', 'checkpoints_requested',
                  'checkpoint_written', 'bgwriter_written', 'allocated',
                  'backend_written', 'position', 'archived'} <= set(wal), what)
    gstest.equal('records' in wal, version >= 140000, what + ': records')
    gstest.equal('syncs' in wal, version >= 140000, what + ': syncs')
    gstest.equal('io_reset' in wal, version >= 170000, what + ': pg_stat_io')
    if version >= 170000:
        gstest.equal((wal['backend_written'], wal['backend_syncs']),
                     (shapes.BACKEND_WRITTEN, shapes.BACKEND_SYNCS),
                     what + ': what backends wrote')
        gstest.equal((wal['checkpoints_requested'], wal['checkpoint_written']),
                     (7, 7 * 8192), what + ': pg_stat_checkpointer')
    if version >= 180000:
        gstest.equal((wal['writes'], wal['syncs']), (5, 4),
                     what + ': writes of the log')
    (slot,) = rows['slot']
    gstest.equal((slot['name'], slot['type'], slot['active']),
                 ('s1', 'physical', 0), what + ': a slot')
    gstest.check(slot['retained'] > 0 and 'unconfirmed' not in slot,
                 what + ': what it keeps')
    gstest.equal('wal_status' in slot, version >= 130000, what + ': status')


def check_index(tick, what):
    """An index that waits for a transaction."""
    (row,) = [r for r in tick['rows']['progress']
              if r['command'] == 'CREATE INDEX CONCURRENTLY']
    gstest.equal((row['database'], row['done'], row['total'], row['unit']),
                 ('postgres', 0, 1, 'lockers'), what + ': progress')
    gstest.check(row['phase'].startswith('waiting for'), what + ': phase')


def run_versions(pg, talk):
    talk.say('tx', 'begin; select txid_current(); lock t in row exclusive mode')
    gstest.wait_for('its lock', lambda: pg.sql(
        "select count(*) from pg_locks where granted and mode = "
        "'RowExclusiveLock' and relation = 't'::regclass") == '1')
    talk.say('index', 'create index concurrently on t (x)')
    gstest.wait_for('the index', lambda: pg.sql(
        'select lockers_total from pg_stat_progress_create_index') == '1')
    for version in VERSIONS:
        what = 'PostgreSQL %d' % version
        name = shapes.new_database(pg, version)
        with catdump.Dump(pg, '-d', 'dbname=' + name) as dump:
            tick = dump.until(what, lambda t: all_ran(t, NAMES))
            check_columns(tick, version, what)
            if version >= 120000:
                check_index(tick, what)
            gstest.equal(dump.events(catdump.REFUSED) +
                         dump.events(catdump.NOTE), [], what)


def run_greenplum(newer, version):
    what = newer or 'greenplum6'
    names = NAMES if newer else NAMES[:3]
    with gstest.Greenplum(gstest.segments(['sdw1'], 2), newer=newer,
                          settings=('max_replication_slots=4',)) as pg:
        pg.sql("select pg_create_physical_replication_slot('s1', true)")
        shapes.reshape(pg, 'postgres', version)
        with catdump.Dump(pg, '-c', '-vmem') as dump:
            tick = dump.until(what, lambda t: all_ran(t, names))
            check_columns(tick, version, what)
            gstest.equal(catdump.collector(tick, 'progress') is None,
                         not newer, what + ': progress')
            gstest.equal(dump.events(catdump.REFUSED) +
                         dump.events(catdump.NOTE), [], what)


def main():
    with gstest.Postgres(settings=('max_replication_slots=4',)) as pg, \
            catdump.Sessions(pg) as talk:
        pg.sql('create table t (x int)')
        pg.sql("select pg_create_physical_replication_slot('s1', true)")
        pg.sql('select pg_switch_wal()')
        run_versions(pg, talk)
    for newer, version in ((None, 90400), ('greenplum7', 120000),
                           ('cloudberry', 140000)):
        run_greenplum(newer, version)


if __name__ == '__main__':
    main()
