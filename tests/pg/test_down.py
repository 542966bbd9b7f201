#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A server that does not take the catalog's connection, for each reason, and
one that is restarted: it is said once, and the catalog comes back by itself.
"""
import os
import signal
import time

import catdump
import gstest


def check_down(dump, what, *words):
    """One event of the reason, however often it was tried, and no rows."""
    dump.until(what, lambda t: any(k == catdump.DATABASE_DOWN
                                   for k, _ in t['events']))
    time.sleep(2.5) # one more attempt at least
    events = dump.events(catdump.DATABASE_DOWN)
    gstest.equal(len(events), 1, what + ': events %r' % events)
    for word in words:
        gstest.check(word in events[0], '%s: %r lacks %r' %
                     (what, events[0], word))
    gstest.check('\n' not in events[0], what + ': one line')
    gstest.equal(dump.now()['rows'], {}, what + ': rows')
    gstest.equal(dump.now()['own'], [], what + ': own backends')


def run_reasons(pg):
    with catdump.Dump(pg, '-d', 'port=1') as dump:
        check_down(dump, 'no server', '.s.PGSQL.1', 'No such file')
    with catdump.Dump(pg, '-d', 'dbname=nothere') as dump:
        check_down(dump, 'no database', 'FATAL', '"nothere" does not exist')
    with catdump.Dump(pg, '-d', 'user=hugo') as dump:
        check_down(dump, 'no role', 'FATAL', '"hugo" does not exist')
    tcp = 'host=127.0.0.1 user=locked '
    with catdump.Dump(pg, '-d', tcp + 'password=wrong') as dump:
        check_down(dump, 'wrong password',
                   'password authentication failed for user "locked"')
    # never a prompt: there is no terminal to read from
    with catdump.Dump(pg, '-d', tcp) as dump:
        check_down(dump, 'no password', 'no password supplied')
    with open(pg.tmp.file('.pgpass'), 'w') as f:
        f.write('127.0.0.1:%d:*:locked:secret\n' % pg.port)
    os.chmod(pg.tmp.file('.pgpass'), 0o600)
    with catdump.Dump(pg, '-d', tcp) as dump:
        dump.until('a password of .pgpass', lambda t: t['described'])
        gstest.check('secret' not in repr(dump.lines), 'password is told')


def run_full(pg):
    """No place is left; when one is, it is taken."""
    with catdump.Sessions(pg) as talk:
        for i in range(10 - 3):
            talk.say('full%d' % i, 'select 1')
        gstest.wait_for('a full table', lambda: pg.sql(
            "select count(*) from pg_stat_activity "
            "where application_name like 'full%'") == '7')
        with catdump.Dump(pg, '-d', 'user=plain') as dump:
            check_down(dump, 'too many clients', 'FATAL',
                       'remaining connection slots are reserved')
            talk.end('full0')
            dump.until('a place', lambda t: t['rows'].get('backend'))
            tick = dump.until('spare connections', lambda t: t['rows'].get(
                'cluster') and 'spare_connections' in t['rows']['cluster'][0])
            gstest.equal(tick['rows']['cluster'][0]['spare_connections'], 3,
                         'spare connections')


# What psql says instead of the reason, if a statement was on its way when the server
# closed the socket.
CLOSED = 'server closed the connection unexpectedly'


def restart(pg):
    pg.server.send_signal(signal.SIGINT)
    pg.server.wait()


def run_restart(pg):
    with catdump.Dump(pg) as dump:
        before = dump.until('the server', lambda t: t['rows'].get('backend'))
        restart(pg)
        dump.until('the end of it',
                   lambda _: dump.events(catdump.DATABASE_DOWN))
        said = dump.events(catdump.DATABASE_DOWN)[0]
        gstest.check('terminating connection' in said or
                     catdump.BY_PSQL and said == CLOSED, 'why: ' + said)
        tick = dump.pause(1)
        gstest.check(not any(tick['rows'].values()), 'rows of a lost server')
        argv = ['postgres', '-D', pg.data]
        for setting in pg.settings:
            argv += ['-c', setting]
        pg.server = pg.popen(argv, stdout=pg.log, stderr=pg.log)
        after = dump.until('the server again',
                           lambda t: t['rows'].get('backend'))
        gstest.check(after['rows']['cluster'][0]['start'] >
                     before['rows']['cluster'][0]['start'],
                     'another start of the server')
        gstest.equal(len(dump.events(catdump.DATABASE_UP)), 2, 'back')
        gstest.check(len(dump.events(catdump.DATABASE_DOWN)) in (1, 2, 3),
                     'reasons: %r' % dump.events(catdump.DATABASE_DOWN))
        gstest.check(len([t for t in dump.lines if t['described']]) == 2,
                     'it was asked about itself again')


def run_kicked(pg):
    """Somebody ends our backend."""
    with catdump.Dump(pg) as dump:
        pid = dump.until('the server',
                         lambda t: t['rows'].get('backend'))['own'][0]
        pg.sql('select pg_terminate_backend(%d)' % pid)
        tick = dump.until('another backend', lambda t: t['own'] and
                          t['own'][0] != pid)
        why = ['terminating connection due to administrator command']
        said = dump.events(catdump.DATABASE_DOWN)
        if catdump.BY_PSQL and said != why:
            why = [CLOSED]
        gstest.equal(said, why, 'why')
        gstest.equal(len(tick['own']), 1, 'backends')


def main():
    settings = ['max_connections=10', 'listen_addresses=127.0.0.1']
    with gstest.Postgres(settings=settings) as pg:
        with open(os.path.join(pg.data, 'pg_hba.conf'), 'w') as f:
            f.write('local all all trust\n'
                    'host all all 127.0.0.1/32 scram-sha-256\n')
        pg.sql("create role locked login password 'secret'")
        pg.sql('create role plain login')
        pg.sql('select pg_reload_conf()')
        run_reasons(pg)
        run_full(pg)
        run_kicked(pg)
        run_restart(pg)


if __name__ == '__main__':
    main()
