#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Queries that hang, on the coordinator and on a segment: they are cancelled,
and the others go on."""
import socket

import catdump
import gstest
from catdump import ours


def is_fresh(tick):
    return bool(tick['fresh'] and tick['rows']['backend'])


def run_slow(pg):
    """A query that takes too long is cancelled by the server itself."""
    with catdump.Dump(pg) as dump, catdump.Sessions(pg) as talk:
        dump.until('rows', lambda t: t['rows'].get('segment'))
        talk.say('locker', 'set allow_system_table_mods = on; begin; '
                 'lock gp_segment_configuration')
        dump.until('timeout', lambda t: (catdump.collector(
            t, 'topology') or {}).get('timeouts'))
        dump.pause(5)
        dump.until('activity that goes on', is_fresh)
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
        dump.pause(30)
        tick = dump.until('the coordinator, which goes on', is_fresh)
        for entity in ('group', 'vmem', 'replica'):
            gstest.equal(tick['rows'][entity], [], entity)
        gstest.equal(len(tick['own']), 2, 'connections')
        gstest.equal(len(ours(pg)), 2, 'backends')
        gstest.equal(dump.events(catdump.DATABASE_DOWN), [], 'not down')
        fresh = sum(is_fresh(line) for line in dump.lines[-20:])
        gstest.check(fresh >= 10, '%d of 20 ticks with the coordinator' %
                     fresh)
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
    with gstest.Greenplum(rows) as pg:
        run_slow(pg)
        run_silent_segment(pg, silent)


if __name__ == '__main__':
    main()
