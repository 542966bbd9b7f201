#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A recorder that ends while a statement of it runs leaves nothing in the
server's log: it cancels the statement before it goes."""
import os
import subprocess

import catdump
import gstest

SLOW = """
drop view session_state.session_level_memory_consumption;
create view session_state.session_level_memory_consumption as
select 0 as segid, 1 as sess_id, 1 as vmem_mb, false as is_runaway,
    1 as qe_count, 1 as active_qe_count, pg_sleep(%d) is null as slept;
grant select on session_state.session_level_memory_consumption to public;
"""
SECONDS = 4
WORDS = ('connection to client lost', 'could not send data to client',
         'Broken pipe', 'unexpected EOF')


def is_asked(pg):
    return pg.sql("select count(*) from pg_stat_get_activity(null) "
                  "where application_name = 'gpsnap' and state = 'active' "
                  "and query like '%vmem_mb%'") == '1'


def main():
    with gstest.Greenplum() as pg, gstest.TempDir() as tmp:
        pg.sql(SLOW % SECONDS)
        child = subprocess.Popen(
            [gstest.binary('gpsnap'), 'record', '-q', '-i', '0.2', '-o',
             tmp.file('x.gpsnap'), '--collect', 'activity,vmem'],
            env=pg.env(), stdin=subprocess.DEVNULL)
        gstest.wait_for('the slow statement', lambda: is_asked(pg))
        child.terminate()
        child.wait(timeout=30)
        gstest.wait_for('the end of its backends',
                        lambda: not catdump.ours(pg))
        with open(pg.tmp.file('log'), errors='replace') as f:
            said = [line for line in f if any(w in line for w in WORDS)]
        gstest.equal(said, [], "what the server's log says")


if __name__ == '__main__':
    main()
