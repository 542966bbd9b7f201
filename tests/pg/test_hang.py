#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A server that hangs: nothing else waits for it, and no second backend is
started while the first is there."""
import os
import signal

import catdump
import gstest
from catdump import ours


def run_stopped(pg):
    """The backend of the first connection is stopped for some time."""
    with catdump.Dump(pg, '-a') as dump:
        pid = dump.until('rows', lambda t: t['rows'].get(
            'backend'))['own'][0]
        os.kill(pid, signal.SIGSTOP)
        try:
            tick = dump.until('it is noticed', lambda t: any(
                k == catdump.DATABASE_DOWN for k, _ in t['events']))
            gstest.check('no answer to ' in tick['events'][0][1],
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
        gstest.equal(sum(
            c['timeouts'] or 0 for c in tick['rows']['collector']), 1,
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
            # one that was given up in the meantime may be about to end
            gstest.wait_for('one attempt, one backend',
                            lambda: ours(pg) == tick['own'])
    finally:
        os.kill(pg.server.pid, signal.SIGCONT)


def main():
    with gstest.Postgres() as pg:
        run_stopped(pg)
        run_stopped_postmaster(pg)


if __name__ == '__main__':
    main()
