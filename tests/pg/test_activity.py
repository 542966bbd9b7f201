#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the catalog reads of a PostgreSQL server at work: backends, parallel
workers, a pile-up of locks, texts masked and cut, a limit on rows."""
import subprocess

import catdump
import gstest


def check_cluster(pg, tick):
    (row,) = tick['rows']['cluster']
    gstest.equal(row['flavour'], 'postgresql', 'flavour')
    gstest.equal(row['version'], pg.sql('show server_version').split()[0],
                 'version')
    gstest.equal(row['max_connections'], 60, 'max_connections')
    gstest.equal(row['port'], pg.port, 'port')
    gstest.equal(row['datadir'], pg.data, 'data directory')
    gstest.equal(row['host'], 'here', 'host')
    gstest.check(abs(row['start'] - float(pg.sql(
        'select extract(epoch from pg_postmaster_start_time())')) * 1e6) <= 1,
        'start of the server: %d' % row['start'])
    gstest.check('spare_connections' not in row or
                 40 <= row['spare_connections'] <= 59, 'spare connections')
    said = tick['described']
    gstest.check(said['version'].startswith('PostgreSQL '), 'version()')
    settings = said['settings']
    gstest.equal(settings['max_connections'], '60', 'a setting')
    gstest.equal(settings['fsync'], 'off', 'a setting')
    gstest.equal(settings['archive_command'], '(not recorded)', 'a command')
    gstest.equal(settings['primary_conninfo'], '(not recorded)',
                 'a connection string')
    gstest.check('jit' not in settings, 'what we set ourselves is no setting')
    gstest.equal(said['refused'], {}, 'refused')


def all_are_there(rows):
    """Each of the three has begun its statement."""
    return {'idle', 'tx', 'sleep'} <= set(rows) and \
        'query_start' in rows['idle'] and \
        rows['idle'].get('state') == 'idle' and rows['tx'].get('xid') and \
        rows['tx'].get('state') == 'idle in transaction' and \
        rows['sleep'].get('state') == 'active' and \
        rows['sleep'].get('wait_event') == 'PgSleep'


def check_backends(dump, talk):
    talk.say('idle', 'select 1')
    talk.say('tx', "begin; select txid_current(), 'secret'")
    talk.say('sleep', 'select pg_sleep(1000)')
    tick = dump.until('backends', lambda t: all_are_there(catdump.others(t)))
    rows = catdump.others(tick)
    now = catdump.now_us()
    gstest.equal(rows['idle']['state'], 'idle', 'state')
    gstest.equal(rows['tx']['state'], 'idle in transaction', 'state')
    gstest.equal(rows['sleep']['wait_event'], 'PgSleep', 'wait event')
    gstest.equal(rows['sleep']['wait_type'], 'Timeout', 'its class')
    gstest.equal(rows['sleep']['query'], 'select pg_sleep(?);', 'text')
    gstest.equal(rows['tx']['query'], 'select txid_current(), ?;', 'text')
    for name, row in rows.items():
        gstest.equal(row['content'], -1, name + ': segment')
        gstest.equal(row['user'], 'postgres', name + ': user')
        gstest.equal(row['database'], 'postgres', name + ': database')
        gstest.equal(row['type'], 'client backend', name + ': type')
        gstest.equal(row['client_port'], -1, name + ': client port')
        for column in ('start', 'query_start', 'state_change'):
            gstest.check(now - 20e6 < row[column] <= now, name + ': ' +
                         column)
    gstest.check('xact_start' not in rows['idle'] and
                 rows['tx']['xact_start'] <= now, 'transaction start')
    gstest.equal(rows['tx']['xid_age'], 1, 'age of a transaction')
    gstest.check('xid' not in rows['idle'], 'absent is not zero')
    types = {r.get('type') for r in tick['rows']['backend']}
    gstest.check({'checkpointer', 'background writer', 'walwriter'} <= types,
                 'background processes: %r' % types)


def check_own(dump):
    tick = dump.now()
    own = [r['pid'] for r in tick['rows']['backend']
           if r['application'] == 'gpsnap']
    gstest.equal(own, tick['own'], 'own backends')
    gstest.equal(len(own), 1, 'connections to a PostgreSQL')
    for name in ('topology', 'groups', 'vmem', 'limits'):
        gstest.equal(catdump.collector(tick, name), None, name)
    gstest.equal(tick['rows']['replica'], [], 'no standby')
    gstest.equal(catdump.collector(tick, 'replication')['errors'], 0,
                 'errors without a standby')


def check_parallel(dump, talk):
    talk.say('parallel', 'set parallel_setup_cost = 0; '
             'set parallel_tuple_cost = 0; '
             'set min_parallel_table_scan_size = 0; '
             'select count(*) from big a, big b where a.x + b.x = -1')

    def workers(tick):
        leader = catdump.others(tick).get('parallel', {}).get('pid')
        return [r for r in tick['rows'].get('backend', ())
                if r.get('type') == 'parallel worker' and
                r.get('leader') == leader]
    tick = dump.until('parallel workers', workers)
    gstest.check('leader' not in catdump.others(tick)['parallel'] or
                 catdump.others(tick)['parallel']['leader'] ==
                 catdump.others(tick)['parallel']['pid'], 'the leader')


def check_replica(pg, dump):
    """Whoever gets the log is asked for as soon as somebody sends it, and is
    gone with him."""
    child = pg.popen(['pg_receivewal', '-n', '-D', pg.tmp.path],
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        tick = dump.until('a replica', lambda t: any(
            r['state'] == 'streaming' and
            ('replay_lag' in r or 'write_lag' in r)
            for r in t['rows']['replica']))
        (row,) = tick['rows']['replica']
        gstest.equal((row['content'], row['application']),
                     (-1, 'pg_receivewal'), 'a replica')
        gstest.check(0 <= row['sent_lag'] <= 16 << 20, 'its lag: %r' % row)
    finally:
        child.kill()
        child.wait()
    dump.until('no replica', lambda t: t['rows']['replica'] == [])


def check_pile(pg, dump, talk):
    """A long SELECT, an ALTER that waits for it, SELECTs that wait for the ALTER."""
    talk.say('holder', 'begin; select * from t limit 1')
    dump.until('the holder', lambda t: catdump.others(t).get(
        'holder', {}).get('state') == 'idle in transaction')
    talk.say('alter', 'alter table t add column y int')
    dump.until('the ALTER', lambda t: catdump.others(t).get(
        'alter', {}).get('wait_type') == 'Lock')
    for i in range(3):
        talk.say('select%d' % i, 'select * from t limit 1')
    tick = dump.until('the pile-up', lambda t: sum(
        not r['granted'] for r in t['rows'].get('lock', ())) == 4 and
        sum('blockers' in r for r in catdump.others(t).values()) == 4)
    rows = catdump.others(tick)
    gstest.equal(rows['alter']['blockers'], str(rows['holder']['pid']),
                 'who blocks the ALTER')
    # the ALTER, not only the SELECT that everybody seems to wait for
    gstest.equal(rows['select0']['blockers'], str(rows['alter']['pid']),
                 'who blocks a SELECT')
    locks = {r['pid']: r for r in tick['rows']['lock']}
    gstest.equal(len(tick['rows']['lock']), 5, 'locks of one table')
    oid = int(pg.sql("select 't'::regclass::oid"))
    for row in locks.values():
        gstest.equal(row['relation'], oid, 'relation')
        gstest.equal(row['object'], 'public.t', 'object')
        gstest.equal(row['database_name'], 'postgres', 'database')
        gstest.equal(row['type'], 'relation', 'type')
    holder, alter = (locks[rows[n]['pid']] for n in ('holder', 'alter'))
    gstest.equal((holder['granted'], holder['mode']), (1, 'AccessShareLock'),
                 'the lock held')
    gstest.equal((alter['granted'], alter['mode']),
                 (0, 'AccessExclusiveLock'), 'the lock waited for')
    gstest.check(catdump.now_us() - 60e6 < alter['wait_start'] <=
                 catdump.now_us(), 'waiting since')
    talk.say('holder', 'commit')
    dump.until('nobody waits', lambda t: t['rows']['lock'] == [] and
               'blockers' not in catdump.others(t)['alter'])


def run_texts(pg, talk):
    # 3 + 2 * 10 bytes, so that a cut after 14 stands within a character
    talk.say('text', "select /* note */ 'ä', \"ääääääääää\" from q")
    role = "alter role nobody password 'secret'"
    talk.say('role', role)

    def text(name, *argv):
        with catdump.Dump(pg, *argv) as dump:
            return catdump.others(dump.until('texts', lambda t: {
                'text', 'role'} <= set(catdump.others(t))))[name].get('query')
    gstest.equal(text('text', '-t', 'full', '-s', '60')[:18],
                 'select /* note */ ', 'full text')
    gstest.equal(text('text', '-t', 'none'), None, 'no text')
    gstest.equal(text('role'), 'alter role nobody password ?;', 'password')
    # bytes as the test sees them: one character each
    want = 'select ?, "ää'.encode().decode('latin-1')
    gstest.equal(text('text', '-s', '16'), want, 'cut text')
    gstest.equal(text('role', '-t', 'full'), role + ';', 'full text')


def run_encodings(pg, talk):
    """A text that can't be converted to UTF-8 from the encoding of our own
    database, as it is of another one."""
    pg.sql("create database euc encoding 'EUC_JP' template template0 "
           "lc_collate 'C' lc_ctype 'C'")
    talk.say('foreign', "select 1 as \"\U0001f600\"")
    with catdump.Dump(pg, '-d', 'dbname=euc') as dump:
        tick = dump.until('the text', lambda t: (catdump.others(t).get(
            'foreign', {}).get('query') or '').startswith('select'))
        gstest.equal(catdump.others(tick)['foreign']['query'],
                     'select ? as "\U0001f600";'.encode().decode('latin-1'),
                     'bytes as they are')
        gstest.equal(dump.events(catdump.DATABASE_DOWN), [], 'down')
        gstest.equal(dump.events(catdump.NOTE), [], 'errors')


def run_limit(pg):
    with catdump.Dump(pg, '-r', '4') as dump:
        tick = dump.until('a cut', lambda t: catdump.collector(
            t, 'activity') and catdump.collector(t, 'activity')['runs'])
        row = catdump.collector(tick, 'activity')
        gstest.equal((row['rows'], row['cut']), (4, 1), 'rows and cut')
        gstest.equal(len(tick['rows']['backend']), 4, 'rows')
        for row in tick['rows']['backend']:
            gstest.check(row.get('state', 'idle') != 'idle',
                         'busy ones come first: %r' % row)


def main():
    settings = ['max_connections=60', 'max_worker_processes=8',
                'archive_command=curl -u me:secret',
                'primary_conninfo=host=x password=secret']
    with gstest.Postgres(settings=settings) as pg:
        pg.sql('create table t (x int); create table big as '
               'select generate_series(1, 50000) as x')
        with catdump.Sessions(pg) as talk:
            with catdump.Dump(pg, '-l', '100') as dump:
                check_cluster(pg, dump.describes('the server'))
                check_backends(dump, talk)
                check_own(dump)
                check_parallel(dump, talk)
                check_replica(pg, dump)
                check_pile(pg, dump, talk)
                gstest.equal(dump.events(catdump.REFUSED), [], 'refused')
                gstest.equal(len(dump.events()), 1, 'events')
            run_texts(pg, talk)
            run_encodings(pg, talk)
            run_limit(pg)


if __name__ == '__main__':
    main()
