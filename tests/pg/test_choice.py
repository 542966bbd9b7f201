#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Which database is asked when the environment names a port and no host, and
what is said when none ever answers."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest


def record(pg, path, *argv, **more):
    """Status and what was said."""
    env = {k: v for k, v in pg.env().items() if k != 'PGHOST'}
    env.update(more)
    run = subprocess.run(
        [gstest.binary('gpsnap'), 'record', '-i', '0.5', '-n', '4', '-o',
         path, *argv], env=env, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    return run.returncode, run.stderr.decode('utf-8', 'replace')


def sessions(path):
    rows = gstest.replay_json(path, '-V', 'sessions')
    return [r for t in rows for r in t.get('rows', [])]


def run_port(pg):
    """The socket of the server of that port, wherever it is."""
    with gstest.TempDir() as tmp:
        path = tmp.file('port.gpsnap')
        status, said = record(pg, path)
        gstest.check(gstest.ended_well(status, said),
                     'status %d of a port alone: %s' % (status, said))
        info = gstest.gpsnap('info', path, status=gstest.OF_BUSY).decode()
        gstest.check('PostgreSQL' in info, 'the server in:\n' + info)


def run_nobody(pg):
    """Nobody is there, nor any other test: the status says it."""
    with gstest.TempDir() as tmp:
        path = tmp.file('nobody.gpsnap')
        status, said = record(pg, path, PGPORT='1')
        gstest.equal(status, 1, 'status without a database: ' + said)
        gstest.check('the database never answered' in said, said)
        status, said = record(pg, tmp.file('none.gpsnap'), '--no-catalog',
                              PGPORT='1')
        gstest.check(gstest.ended_well(status, said),
                     'status %d where none was asked for: %s' % (status, said))


def main():
    with gstest.Postgres() as pg:
        run_port(pg)
        run_nobody(pg)


if __name__ == '__main__':
    main()
