#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where libpq can't be loaded, the server's psql is asked: the same rows, the
same settings of the session; whatever a server or a psql does, no tick waits;
no password is seen, and nothing is left behind."""
import os
import signal
import subprocess

import catdump
import gstest
from catdump import ours

MISSING = {'LD_PRELOAD': os.environ['GS_NOLIBPQ']}
# Bytes that could be taken for the end of a field, a record or an answer.
ODD = "a\x1fb\tc\nd\\ne''f \\echo g; -- h\r|i€"


def psqls(pid):
    """Pids of the psql children of a process."""
    out = []
    for child in gstest.children(pid):
        with open('/proc/%d/comm' % child) as f:
            if f.read().strip() == 'psql':
                out.append(child)
    return out


def only_psql(dump):
    """The first connection, which asks for the version, has ended."""
    def one():
        left = psqls(dump.child.pid)
        return left if len(left) == 1 else None
    return gstest.wait_for('one psql', one)[0]


def at_rest(tick):
    """The three have ended their statements."""
    rows = catdump.others(tick)
    return {'idle', 'tx', 'odd'} <= set(rows) and all(
        r['query'] and r['state'] == ('idle in transaction' if name == 'tx'
                                      else 'idle')
        for name, r in rows.items())


def pick(tick):
    """What must be equal, whoever asked."""
    rows = catdump.others(tick)
    for row in rows.values():
        for column in ('query_age', 'xmin_age', 'xid_age'):
            row.pop(column, None)
    return {'backends': rows, 'cluster': [
        {k: v for k, v in r.items() if k != 'spare_connections'}
        for r in tick['rows']['cluster']],
            'described': tick.get('described')}


def same_rows(pg):
    with catdump.Sessions(pg) as talk:
        talk.say('idle', 'select 1')
        talk.say('tx', "begin; select txid_current(), '', null")
        talk.say('odd', "select 1 as \"%s\"" % ODD.replace('"', '""'))
        got = []
        for env in ({}, MISSING):
            with catdump.Dump(pg, '-a', '-t', 'full', env=env) as dump:
                first = dump.describes('a description')
                tick = dump.until('sessions', at_rest)
                tick['described'] = first['described']
                if env:
                    gstest.check(psqls(dump.child.pid), 'no psql is asked')
                    with open('/proc/%d/maps' % dump.child.pid) as f:
                        gstest.check('/libpq.so' not in f.read(), 'libpq')
                got.append(pick(tick))
        query = got[1]['backends']['odd']['query']
        gstest.check('\x1f' in query and '\\ne' in query,
                     'the odd text: %r' % query)
        gstest.equal(got[1], got[0], 'by psql, by libpq')


def same_settings(pg):
    """Read only, with timeouts, as over libpq: the server's log has it."""
    with catdump.Dump(pg, '-a', env=MISSING) as dump:
        dump.until('rows', lambda t: t['rows'].get('backend'))
        with open('/proc/%d/cmdline' % only_psql(dump), 'rb') as f:
            said = f.read().decode()
    for one in ('default_transaction_read_only=on', 'statement_timeout=4500',
                'search_path=pg_catalog', "client_encoding='UTF8'",
                "application_name='gpsnap'", '-X', '-w'):
        gstest.check(one in said, '%s: %r' % (one, said))


def no_password(pg):
    dsn = ('postgresql://%s:hush%%21@/postgres?host=%s&port=%d&'
           'sslpassword=hush%%21') % (
        pg.owner.pw_name, pg.tmp.path, pg.port)
    with catdump.Dump(pg, '-a', '-d', dsn, env=MISSING) as dump:
        dump.until('rows', lambda t: t['rows'].get('backend'))
        child = only_psql(dump)
        with open('/proc/%d/cmdline' % child, 'rb') as f:
            gstest.check(b'hush' not in f.read(), 'a password in arguments')
        with open('/proc/%d/environ' % child, 'rb') as f:
            gstest.check(b'PGPASSWORD=hush!\0' in f.read(), 'the password')


def hung_server(pg):
    """One backend is stopped: nothing waits, and no second is started while
    it is there."""
    with catdump.Dump(pg, '-a', env=MISSING) as dump:
        pid = dump.until('rows', lambda t: t['rows'].get(
            'backend'))['own'][0]
        os.kill(pid, signal.SIGSTOP)
        try:
            dump.until('it is noticed', lambda t: any(
                k == catdump.DATABASE_DOWN for k, _ in t['events']))
            dump.pause(20)
            gstest.equal(ours(pg), [pid], 'backends of the server')
        finally:
            os.kill(pid, signal.SIGCONT)
        tick = dump.until('it is back', lambda t: t['rows'].get('backend'))
        gstest.wait_for('one backend', lambda: ours(pg) == tick['own'])


def hung_psql(pg):
    """psql itself stops, and is killed: nothing waits."""
    with catdump.Dump(pg, '-a', env=MISSING) as dump:
        dump.until('rows', lambda t: t['rows'].get('backend'))
        child = only_psql(dump)
        os.kill(child, signal.SIGSTOP)
        dump.until('it is noticed', lambda t: any(
            k == catdump.DATABASE_DOWN for k, _ in t['events']))
        os.kill(child, signal.SIGKILL)
        dump.until('it is back', lambda t: t['rows'].get('backend'))
        gstest.wait_for('no child that ended is left', lambda: not [
            p for p in gstest.children(dump.child.pid)
            if open('/proc/%d/stat' % p).read().split()[2] == 'Z'])


def psql_ends_with_us(pg):
    with catdump.Dump(pg, '-a', env=MISSING) as dump:
        dump.until('rows', lambda t: t['rows'].get('backend'))
        left = psqls(dump.child.pid)
        dump.child.send_signal(signal.SIGKILL)
        gstest.wait_for('psql has ended',
                        lambda: all(catdump.is_gone(p) for p in left))


def no_psql(pg):
    done = subprocess.run(
        [gstest.binary('catalog_dump'), '-n', '3', '-i', '50', '-a'],
        env={**pg.env(), **MISSING, 'PATH': '/nowhere'},
        stdout=subprocess.PIPE, check=True).stdout.decode()
    gstest.check('no psql is in GPHOME' in done, done[-2000:])


def as_owner(pg):
    """Root's recorder: psql is the server's owner altogether."""
    if os.geteuid() != 0:
        return
    env = {k: v for k, v in pg.env().items() if not k.startswith('PG')}
    out = pg.tmp.file('root.gpsnap')
    child = subprocess.Popen(
        [gstest.binary('gpsnap'), 'record', '-q', '-i', '0.3', '-o', out,
         '--pgdata', pg.data], env={**env, **MISSING},
        stdin=subprocess.DEVNULL)
    try:
        pid = gstest.wait_for('a psql', lambda: psqls(child.pid))[0]
        with open('/proc/%d/status' % pid) as f:
            ids = {line.split()[0]: set(line.split()[1:]) for line in f
                   if line.startswith(('Uid:', 'Gid:', 'Groups:'))}
        gstest.equal(ids['Uid:'], {str(pg.owner.pw_uid)}, 'users of psql')
        gstest.equal(ids['Gid:'], {str(pg.owner.pw_gid)}, 'groups of psql')
        gstest.equal(ids['Groups:'], set(), 'more groups of psql')
        gstest.wait_for('rows of the catalog', lambda: 'checkpointer' in
                        subprocess.run(
                            [gstest.binary('gpsnap'), 'replay', out, '-V',
                             'backends', '-f', 'csv', '-l', '0'],
                            stdout=subprocess.PIPE, check=False,
                            stderr=subprocess.DEVNULL).stdout.decode())
    finally:
        child.send_signal(signal.SIGINT)
        child.wait()


def main():
    with gstest.Postgres() as pg:
        same_rows(pg)
        same_settings(pg)
        as_owner(pg)
        no_password(pg)
        psql_ends_with_us(pg)
        no_psql(pg)
        hung_psql(pg)
        hung_server(pg)


if __name__ == '__main__':
    main()
