#!/usr/bin/env python3
"""Backends that hang: nothing else waits for them, they are cancelled, and no
second one is started while the first is there."""
import os
import signal
import socket

import catdump
import gstest


def ours(pg):
    """Pids of gpsnap's backends, asked of the server itself."""
    return [int(p) for p in pg.sql(
        "select pid from pg_stat_get_activity(null) "
        "where application_name = 'gpsnap' order by pid").split()]


def run_stopped(pg):
    """The backend of the first connection is stopped for some time."""
    with catdump.Dump(pg, '-a') as dump:
        pid = dump.until('rows', lambda t: t['rows'].get(
            'backend'))['own'][0]
        os.kill(pid, signal.SIGSTOP)
        try:
            tick = dump.until('it is noticed', lambda t: any(
                k == catdump.DATABASE_DOWN for k, _ in t['events']))
            gstest.check('no answer to activity' in tick['events'][0][1],
                         'why: %r' % tick['events'])
            dump.pause(20)
            tick = dump.now()
            gstest.check(not any(tick['rows'].values()), 'rows of before')
            gstest.equal(tick['own'], [pid], 'backends')
            gstest.equal(ours(pg), [pid], 'backends of the server')
        finally:
            os.kill(pid, signal.SIGCONT)
        tick = dump.until('it is back', lambda t: t['rows'].get('backend'))
        gstest.equal(tick['own'], [pid], 'the same backend')
        gstest.equal(catdump.collector(tick, 'activity')['timeouts'], 1,
                     'timeouts')
        gstest.equal(len(dump.events(catdump.DATABASE_UP)), 2, 'up again')
        gstest.equal(len(dump.events(catdump.DATABASE_DOWN)), 1, 'down once')


def run_stopped_postmaster(pg):
    """The server takes the connection (the kernel does) and is silent."""
    os.kill(pg.server.pid, signal.SIGSTOP)
    try:
        with catdump.Dump(pg, '-a') as dump:
            tick = dump.until('it is noticed', lambda t: any(
                k == catdump.DATABASE_DOWN for k, _ in t['events']))
            gstest.check('does not answer' in tick['events'][0][1],
                         'why: %r' % tick['events'])
            dump.pause(20)
            os.kill(pg.server.pid, signal.SIGCONT)
            tick = dump.until('rows', lambda t: t['rows'].get('backend'))
            gstest.equal(ours(pg), tick['own'], 'one attempt, one backend')
    finally:
        os.kill(pg.server.pid, signal.SIGCONT)


def run_slow(pg):
    """A query that takes too long is cancelled by the server itself."""
    with catdump.Dump(pg) as dump, catdump.Sessions(pg) as talk:
        dump.until('rows', lambda t: t['rows'].get('segment'))
        talk.say('locker', 'set allow_system_table_mods = on; begin; '
                 'lock gp_segment_configuration')
        dump.until('timeout', lambda t: (catdump.collector(
            t, 'topology') or {}).get('timeouts'))
        tick = dump.pause(5)
        gstest.check(tick['fresh'] and tick['rows']['backend'],
                     'activity goes on')
        gstest.equal(dump.events(catdump.DATABASE_DOWN), [], 'no harm')
        talk.end('locker')


def run_silent_segment(pg, port):
    """A segment takes connections and is silent: what is sent to segments
    hangs beyond any timeout, as Greenplum's dispatcher does."""
    pg.sql('update gpshim.option set dispatch = true')
    with catdump.Dump(pg, '-p', '1000', '-a') as dump:
        dump.until('rows', lambda t: t['rows'].get('backend'))
        dump.until('it is noticed', lambda t: any(
            'second connection: no answer to' in text
            for _, text in t['events']), seconds=60)
        tick = dump.pause(30)
        gstest.check(tick['fresh'] and tick['rows']['backend'],
                     'the coordinator goes on')
        for entity in ('group', 'vmem', 'replica'):
            gstest.equal(tick['rows'][entity], [], entity)
        gstest.equal(len(tick['own']), 2, 'connections')
        gstest.equal(len(ours(pg)), 2, 'backends')
        gstest.equal(dump.events(catdump.DATABASE_DOWN), [], 'not down')
        for line in dump.lines[-20:]:
            gstest.check(line['fresh'], 'a tick without the coordinator')
        port.close()
        dump.until('what is sent to segments again', lambda t: t['rows'].get(
            'group') or catdump.collector(t, 'groups')['errors'] > 0)
        gstest.equal(len(ours(pg)), 2, 'backends at the end')


def main():
    silent = socket.socket()
    silent.bind(('127.0.0.1', 0))
    silent.listen(16)
    rows = gstest.segments(['127.0.0.1'], 1,
                           silent.getsockname()[1] - 2)
    with gstest.Postgres() as pg:
        run_stopped(pg)
        run_stopped_postmaster(pg)
    with gstest.Greenplum(rows) as pg:
        run_slow(pg)
        run_silent_segment(pg, silent)


if __name__ == '__main__':
    main()
