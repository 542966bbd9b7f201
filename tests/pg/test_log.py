#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a recorder leaves in the log of a server that logs every statement: as
a superuser nothing but how it began; as somebody else it connects all the
same, and asks in few words.  With --measure it prints bytes of log per hour."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import catdump
import gstest

LOG = ['log_statement=all', 'log_min_duration_statement=0',
       'log_line_prefix=%m [%p] %u@%d ']


def ticks_of(path):
    return {r['collector']: r['runs']
            for table in gstest.replay_json(path, '-V', 'collectors')
            for r in table['rows']}


def record(pg, user, count, interval):
    """Bytes and statements in the log; how often the activity came."""
    log = pg.tmp.file('log')
    start = os.stat(log).st_size
    with gstest.TempDir() as tmp:
        path = tmp.file('x.gpsnap')
        subprocess.run([gstest.binary('gpsnap'), 'record', '-q', '-i',
                        str(interval), '-n', str(count), '-o', path],
                       env=dict(pg.env(), PGUSER=user), check=False,
                       stdin=subprocess.DEVNULL)
        runs = ticks_of(path)['activity']
    with open(log, 'rb') as f:
        f.seek(start)
        text = f.read()
    return len(text), text.count(b'statement: '), runs


def bytes_of(pg, user, counts):
    """Bytes of log each time that the activity is asked for."""
    short, long = (record(pg, user, n, 0.2) for n in counts)
    return (long[0] - short[0]) / (long[2] - short[2])


def measure(pg, user):
    per_run = bytes_of(pg, user, (10, 110))
    print('%s: %d bytes a sample; at -i 5 %.2f MB an hour, at -i 1 %.2f MB' % (
        user, per_run, per_run * 720 / 1e6, per_run * 3600 / 1e6))


def check_settings(pg):
    """What the configuration says of these is told all the same."""
    with catdump.Dump(pg) as dump:
        dump.until('rows', lambda t: t['rows'].get('backend'))
        told = [t['described']['settings'] for t in dump.lines
                if t['described']]
        gstest.equal(told[-1].get('log_statement'), 'all', 'log_statement')


def main():
    with gstest.Postgres(settings=LOG) as pg:
        pg.sql('create role plain login; '
               'create role monitor login in role pg_monitor')
        if '--measure' in sys.argv:
            for user in (pg.owner.pw_name, 'plain', 'monitor'):
                measure(pg, user)
            return
        check_settings(pg)
        for user in (pg.owner.pw_name, 'plain'):
            _, said, runs = record(pg, user, 20, 0.1)
            gstest.check(runs > 5, '%s: activity came %d times' % (user, runs))
            if user != 'plain':
                gstest.check(said <= 4, '%d statements in the log, the '
                             'activity came %d times' % (said, runs))
        per_run = bytes_of(pg, 'monitor', (10, 40))
        gstest.check(per_run < 400, '%d bytes of log a sample' % per_run)


if __name__ == '__main__':
    main()
