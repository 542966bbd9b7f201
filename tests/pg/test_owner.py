#!/usr/bin/env python3
"""Root, who has no role in the database, is taken for the server's owner; a
user that was named is left alone."""
import os
import subprocess
import sys

sys.path.insert(1, os.path.join(os.path.dirname(
    os.path.abspath(__file__)), '..', 'lib'))
import gstest


def peer_only(pg):
    with open(os.path.join(pg.data, 'pg_hba.conf'), 'w') as f:
        f.write('local all all peer\n')
    pg.sql('select pg_reload_conf()')


def collectors(pg, path, **env):
    """What a recorder that root runs asked of the server, by name."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith('PG')}
    run = subprocess.run([gstest.binary('gpsnap'), 'record', '-o', path,
                          '--pid', str(pg.server.pid), '-i', '0.3', '-n', '5'],
                         env=dict(clean, **env), capture_output=True,
                         check=False)
    gstest.equal(run.returncode, 0, 'record: %s' % run.stderr.decode())
    return [row['collector'] for table in
            gstest.replay_json(path, '-V', 'collectors')
            for row in table.get('rows', ())]


def main():
    if os.geteuid() != 0:
        gstest.skip('only root is taken for somebody else')
    with gstest.Postgres() as pg, gstest.TempDir() as tmp:
        peer_only(pg)
        owner, named = tmp.file('owner.gpsnap'), tmp.file('named.gpsnap')
        asked = collectors(pg, owner)
        gstest.check('activity' in asked, 'what was asked: %r' % asked)
        gstest.equal(os.stat(owner).st_uid, 0, 'whose file it is')
        gstest.equal(collectors(pg, named, PGUSER='root'), [],
                     'as a user without a role')


if __name__ == '__main__':
    main()
