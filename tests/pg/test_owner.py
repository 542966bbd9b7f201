#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Root has no role in the database and connects as the server's owner; a
user that was named is left alone."""
import os
import subprocess
import sys

sys.path.insert(1, os.path.join(os.path.dirname(
    os.path.abspath(__file__)), '..', 'lib'))
import gstest


# this host, as far as its kernel has it
LOOPBACK = ['127.0.0.1'] + (['::1'] if os.path.exists('/proc/net/if_inet6')
                            else [])


def peer_only(pg):
    with open(os.path.join(pg.data, 'pg_hba.conf'), 'w') as f:
        f.write('local all all peer\n'
                'host all all 127.0.0.1/32 trust\n'
                'host all all ::1/128 trust\n')
    pg.sql('select pg_reload_conf()')


def environment(pg, path, **env):
    """Status of a recorder that is told by the environment alone, and what it
    said."""
    clean = {k: v for k, v in os.environ.items()
             if not k.startswith(('PG', 'GPSNAP_NO'))}
    run = subprocess.run([gstest.binary('gpsnap'), 'record', '-o', path, '-i',
                          '0.3', '-n', '5'],
                         env=dict(clean, PGPORT=str(pg.port), **env),
                         capture_output=True, check=False)
    return run.returncode, run.stderr.decode()


def hosts_that_are_this_one(pg, tmp):
    for i, host in enumerate((pg.tmp.path, *LOOPBACK, 'localhost')):
        status, said = environment(pg, tmp.file('host%d.gpsnap' % i),
                                   PGHOST=host)
        gstest.check(gstest.ended_well(status, said),
                     'PGHOST=%s: status %d: %s' % (host, status, said))


def collectors(pg, path, **env):
    """What a recorder that root runs asked of the server, by name, its status
    and what it said."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith('PG')}
    run = subprocess.run([gstest.binary('gpsnap'), 'record', '-o', path,
                          '--pid', str(pg.server.pid), '-i', '0.3', '-n', '5'],
                         env=dict(clean, **env), capture_output=True,
                         check=False)
    return [row['collector'] for table in
            gstest.replay_json(path, '-V', 'collectors')
            for row in table.get('rows', ())], run.returncode, \
        run.stderr.decode()


def main():
    if os.geteuid() != 0:
        gstest.skip('only root is taken for somebody else')
    with gstest.Postgres(settings=['listen_addresses=' +
                                   ','.join(LOOPBACK)]) as pg, \
            gstest.TempDir() as tmp:
        peer_only(pg)
        owner, named = tmp.file('owner.gpsnap'), tmp.file('named.gpsnap')
        asked, status, said = collectors(pg, owner)
        gstest.check(gstest.ended_well(status, said),
                     'record: status %d: %s' % (status, said))
        gstest.check('activity' in asked, 'what was asked: %r' % asked)
        gstest.equal(os.stat(owner).st_uid, 0, 'whose file it is')
        asked, status, said = collectors(pg, named, PGUSER='root')
        gstest.equal((asked, status), ([], 1),
                     'as a user without a role: ' + said)
        gstest.check('role "root" does not exist: set PGUSER' in said, said)
        hosts_that_are_this_one(pg, tmp)
        status, said = environment(pg, tmp.file('role.gpsnap'),
                                   PGHOST=pg.tmp.path, PGUSER='nobody_here')
        gstest.check(status == 1 and 'the database never answered' in said
                     and 'of its cluster' not in said,
                     'a plain server that refuses: %r' % said)
        told = gstest.replay_json(named, '-V', 'locks', status=1)[0]['notes']
        gstest.check(len(told) == 1 and 'not recorded' in told[0] and
                     'role "root" does not exist' in told[0],
                     'what a view says that has nothing: %r' % told)


if __name__ == '__main__':
    main()
