#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gpsnap load keeps the connection that it has, gets no other one, and is
refused all else."""
import attacklib
import gstest
from attacklib import KILLED, Room, run
from gstest import check, equal


def argv_of(pg, room, *more):
    return ['load', room.sample, '--dsn', 'host=%s port=%d user=%s dbname='
            'postgres' % (pg.tmp.path, pg.port, pg.owner.pw_name), *more]


def main():
    force = attacklib.need_sandbox()
    with Room() as room, gstest.Postgres() as pg:
        got = attacklib.outcome(run(room, argv_of(
            pg, room, '--no-sandbox', '--schema', 'first'), 'all').stderr)
        equal(got.get('local_socket'), 'done', 'without a sandbox')
        done = run(room, argv_of(pg, room), 'all')
        attacklib.check_refused('load', done.stderr, force)
        check('loaded' in done.stdout, 'load says %r, %r' % (
            done.stdout, done.stderr))
        check(int(pg.sql('SELECT count(*) FROM gpsnap.sessions')) > 0,
              'sessions were loaded')
        for attack in KILLED:
            attacklib.check_killed('load', run(room, argv_of(pg, room),
                                               attack), attack, force)
        said = run(room, argv_of(pg, room, '--explain-sandbox'), '').stdout
        check('the connection to the database' in said, said)


main()
