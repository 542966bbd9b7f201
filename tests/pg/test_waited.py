#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a session has waited for a lock, by the server's own word: it is
asked before and after it is recorded."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest

WAITED = ("select extract(epoch from clock_timestamp() - waitstart) "
          "from pg_locks where not granted")


def say(pg, text):
    child = pg.popen(['psql', '-X', '-q'], stdin=subprocess.PIPE)
    child.stdin.write(text.encode() + b';\n')
    child.stdin.flush()
    return child


def end(child):
    child.stdin.close()
    child.wait()


def check(pg):
    """It has waited for a while when the recorder comes."""
    least = gstest.wait_for('a second', lambda: (
        lambda t: t if t and float(t) > 1 else None)(pg.sql(WAITED)))
    with gstest.TempDir() as tmp:
        path = tmp.file('x.gpsnap')
        subprocess.run([gstest.binary('gpsnap'), 'record', '-q', '-i', '0.2',
                        '-n', '10', '-o', path], env=pg.env(), check=False,
                       stdin=subprocess.DEVNULL)
        most = float(pg.sql(WAITED))
        (row,) = [r for r in gstest.replay_json(path, '-V', 'locks')[-1]['rows']
                  if r['waited_seconds'] is not None]
        gstest.check(float(least) < row['waited_seconds'] < most,
                     'waited %s, not between %s and %s' % (
                         row['waited_seconds'], least, most))
        text = gstest.gpsnap('replay', path, '-V', 'locks',
                             status=gstest.OF_BUSY).decode()
        (line,) = [x for x in text.splitlines() if ' lock  ' in x]
        gstest.check('\u2265' not in line and '>' not in line,
                     'it is known when it began:\n' + text)


def main():
    with gstest.Postgres() as pg:
        if int(pg.sql('show server_version_num')) < 140000:
            gstest.skip('this server does not tell when a wait began')
        pg.sql('create table t (x int)')
        holder = say(pg, 'begin; lock table t')
        gstest.wait_for('the lock', lambda: pg.sql(
            "select 1 from pg_locks where mode = 'AccessExclusiveLock' "
            "and relation = 't'::regclass"))
        waiter = say(pg, 'select * from t')
        check(pg)
        end(holder)
        end(waiter)


if __name__ == '__main__':
    main()
