#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names of locked relations of a database that the recorder is not connected to:
asked for once, over a connection of its own, and never where there is no room for
it; and no name is left in an anonymous copy."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest


def say(pg, database, text):
    child = pg.popen(['psql', '-X', '-q', '-d', database],
                     stdin=subprocess.PIPE)
    child.stdin.write(text.encode() + b';\n')
    child.stdin.flush()
    return child


def end(*children):
    for child in children:
        child.stdin.close()
        child.wait()


def run(pg, database, text):
    child = pg.popen(['psql', '-X', '-q', '-At', '-d', database, '-c', text],
                     stdout=subprocess.PIPE)
    out = child.communicate()[0].decode().strip()
    gstest.check(child.returncode == 0, text)
    return out


def record(pg, path, ticks=10):
    subprocess.run([gstest.binary('gpsnap'), 'record', '-q', '-i', '0.3', '-n',
                    str(ticks), '-o', path], env=pg.env(), check=False,
                   stdin=subprocess.DEVNULL)


def objects(path):
    rows = gstest.replay_json(path, '-V', 'pglocks')[-1]['rows']
    return {r['object'] for r in rows if r['type'] == 'relation'}


def connections(pg):
    """Of the recorder to that database, by the server's log."""
    with open(pg.tmp.file('log'), encoding='utf-8') as log:
        return sum('database=shop db application_name=gpsnap' in line
                   for line in log)


def check_names(pg, tmp):
    holder = say(pg, 'shop db', 'begin; lock table orders, "Big"."Line Items"')
    gstest.wait_for('the locks', lambda: pg.sql(
        "select 1 from pg_locks where mode = 'AccessExclusiveLock' "
        "and database <> (select oid from pg_database "
        "where datname = current_database()) having count(*) >= 2"))
    waiters = [say(pg, 'shop db', 'select * from orders'),
               say(pg, 'shop db', 'select * from "Big"."Line Items"')]
    gstest.wait_for('the waits', lambda: pg.sql(
        'select 1 from pg_locks where not granted having count(*) = 2'))
    path = tmp.file('x.gpsnap')
    record(pg, path)
    want = {'public.orders', '"Big"."Line Items"'}
    got = objects(path)
    gstest.check(got == want, 'objects %s, not %s' % (got, want))
    shared = tmp.file('s.gpsnap')
    gstest.gpsnap('share', '--anonymize', path, '-o', shared)
    got = objects(shared)
    gstest.check(len(got) == 2 and not any(
        word in name for name in got for word in ('orders', 'Line', 'Big')),
                 'names are left: %s' % got)
    gstest.check(connections(pg) == 1,
                 'it has connected %d times' % connections(pg))
    end(holder, *waiters)


def check_room(pg, tmp):
    """Nearly all connections are taken: it does not take another one."""
    pg.sql('alter system set max_connections = 12')
    pg.run('pg_ctl', '-D', pg.data, 'stop', '-m', 'fast')
    pg.server.wait()
    pg.again()
    holder = say(pg, 'shop db', 'begin; lock table orders')
    gstest.wait_for('the lock', lambda: pg.sql(
        "select 1 from pg_locks where mode = 'AccessExclusiveLock'"))
    waiter = say(pg, 'shop db', 'select * from orders')
    gstest.wait_for('the wait', lambda: pg.sql(
        'select 1 from pg_locks where not granted'))
    before = connections(pg)
    path = tmp.file('y.gpsnap')
    record(pg, path)
    gstest.check(objects(path) == {None}, 'a name: %s' % objects(path))
    gstest.check(connections(pg) == before, 'it has connected')
    end(holder, waiter)


def main():
    with gstest.Postgres() as pg, gstest.TempDir() as tmp:
        pg.sql('alter system set log_connections = on')
        pg.sql('select pg_reload_conf()')
        pg.sql('create database "shop db"')
        run(pg, 'shop db', 'create table orders (x int)')
        run(pg, 'shop db', 'create schema "Big"')
        run(pg, 'shop db', 'create table "Big"."Line Items" (x int)')
        check_names(pg, tmp)
        check_room(pg, tmp)


if __name__ == '__main__':
    main()
