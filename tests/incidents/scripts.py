# SPDX-License-Identifier: Apache-2.0
"""The incidents: each does something wrong to a server under load, and says what,
from when to when, and who.

An incident is a function of a Scene.  What it returns is a list of truths: the
kinds of finding that tell it, the time, and texts that the finding must name.
"""
import glob
import os
import subprocess
import time

SETTINGS = {
    'deadlock': ['deadlock_timeout=10s'],
    'connections': ['max_connections=20', 'superuser_reserved_connections=3'],
    'prepared': ['max_prepared_transactions=5'],
    'checkpoints': ['max_wal_size=32MB', 'min_wal_size=32MB'],
    'slot': ['max_replication_slots=4', 'wal_init_zero=off',
             'max_wal_size=8GB'],
    'archiver': ['archive_mode=on', 'archive_command=false'],
}

# Counters are asked for every 10 s: two ticks of 5 s.
INTERVALS = {'slot': '5', 'archiver': '5', 'rollbacks': '5'}

# Need the machine for themselves.
ALONE = ('cpu-saturated', 'calm-select', 'calm-tpcb')

# Only CPU: no temporary files, no reads.
BUSY = ('do $$ declare x bigint := 0; begin for i in 1..2000000000 loop '
        'x := x + i % 7; end loop; end $$')

# Seconds of load before and after.
QUIET = 6
AFTER = 5


def truth(kinds, begin, end, *names):
    return {'kinds': list(kinds), 'from': begin, 'to': end,
            'names': [str(n) for n in names]}


def lock_pileup(s):
    a = s.session('etl', 'migration')
    a.say('begin; lock table pgbench_branches; select pg_sleep(12); commit')
    begin = s.now()
    s.until_active(a, False)
    return [truth(['lock pile-up'], begin, s.now(), a.pid,
                  'pgbench_branches')]


def idle_in_transaction(s):
    a = s.session('bi', 'dashboard')
    a.say('begin; update pgbench_branches set bbalance = 0')
    begin = s.now()
    time.sleep(12)
    a.say('rollback')
    return [truth(['idle in transaction'], begin, s.now(), a.pid,
                  'idle in a transaction')]


def deadlock(s):
    s.sql('create table d as select 1 as id union select 2')
    a, b = s.session('shop', 'cart'), s.session('shop', 'stock')
    a.say('begin; update d set id = id where id = 1')
    b.say('begin; update d set id = id where id = 2')
    time.sleep(1)
    a.say('update d set id = id where id = 2')
    time.sleep(1)
    b.say('update d set id = id where id = 1')
    begin = s.now()
    s.wait(lambda: s.sql("select count(*) from pg_locks where not granted "
                         "and pid in (%s, %s)" % (a.pid, b.pid)) == '0')
    return [truth(['deadlock'], begin, s.now(), a.pid, b.pid)]


def runaway_query(s):
    a = s.session('analyst', 'tableau')
    begin = s.now()
    a.say(BUSY)
    time.sleep(38)
    s.sql('select pg_cancel_backend(%s)' % a.pid)
    return [truth(['runaway query'], begin, s.now(), a.pid,
                  'of a core')]


def temp_bytes(s):
    total = 0
    for path in glob.glob(s.pg.data + '/base/pgsql_tmp/**', recursive=True):
        try:
            total += os.stat(path).st_size
        except OSError:
            pass
    return total


def spilling_sort(s):
    a = s.session('analyst', 'report')
    a.say("set work_mem = '1MB'")
    a.say("select count(*) from (select g, md5(g::text) as m from "
          "generate_series(1, 4000000) g order by m offset 1) as x")
    s.wait(lambda: temp_bytes(s) >= 64 << 20)
    begin = s.now()
    s.wait(lambda: temp_bytes(s) < 64 << 20)
    return [truth(['spill', 'large spill'], begin, s.now(), a.pid, 'md5')]


def connections(s):
    some = [s.session('web', 'pool') for _ in range(11)]
    begin = s.now()
    time.sleep(12)
    for one in some:
        one.end()
    return [truth(['connections used up', 'connections near limit'], begin,
                  s.now(), 'of 20')]


def connection_storm(s):
    begin = s.now()
    s.run(['pgbench', '-n', '-S', '-C', '-c', '3', '-T', '12'])
    return [truth(['connection storm', 'short-lived backends'], begin,
                  s.now(), 'pooler')]


def outside_process(s):
    begin = s.now()
    child = subprocess.Popen(['gzip', '-9'], stdin=open('/dev/zero', 'rb'),
                             stdout=subprocess.DEVNULL,
                             start_new_session=True)
    time.sleep(16)
    child.kill()
    child.wait()
    return [truth(['outside process'], begin, s.now(), 'gzip')]


def cpu_saturated(s):
    some = [s.session('analyst', 'cube') for _ in range(5)]
    begin = s.now()
    for one in some:
        one.say(BUSY)
    time.sleep(20)
    for one in some:
        s.sql('select pg_cancel_backend(%s)' % one.pid)
    return [truth(['CPU saturated'], begin, s.now(), s.host, 'analyst')]


def hole(s):
    begin = s.now()
    s.stop_recorder()
    time.sleep(12)
    s.continue_recorder()
    return [truth(['data missing'], begin, s.now(), 'nothing is known')]


def prepared(s):
    a = s.session('etl', 'transfer')
    a.say("begin; update pgbench_branches set bbalance = 0; "
          "prepare transaction 'transfer 17'")
    begin = s.now()
    time.sleep(12)
    a.say("rollback prepared 'transfer 17'")
    return [truth(['prepared transaction'], begin, s.now(), 'prepared')]


def checkpoints(s):
    s.sql("create table big as select g, repeat('x', 400) as t from "
          "generate_series(1, 40000) g; grant all on big to public")
    a = s.session('etl', 'load')
    begin = s.now()
    a.say('do $$ begin for i in 1..12 loop update big set g = g + 1; commit; '
          'perform pg_sleep(0.5); end loop; end $$')
    s.until_active(a, False)
    return [truth(['checkpoint storm', 'frequent checkpoints'], begin, s.now(),
                  'checkpoint')]


def slot(s):
    s.sql("select pg_create_physical_replication_slot('old_standby', true)")
    for _ in range(66):
        s.sql("select pg_logical_emit_message(false, '', ''), pg_switch_wal()")
    begin = s.now()
    time.sleep(25)
    s.sql("select pg_drop_replication_slot('old_standby')")
    return [truth(['slot keeps the log'], begin, s.now(), 'old_standby')]


def archiver(s):
    begin = s.now()
    s.sql('select pg_switch_wal()')
    time.sleep(25)
    return [truth(['archiver fails'], begin, s.now(), 'archive')]


def rollbacks(s):
    path = s.pg.tmp.file('rollback.sql')
    with open(path, 'w') as f:
        f.write('begin; select * from pgbench_branches; rollback;')
    begin = s.now()
    s.run(['pgbench', '-n', '-c', '2', '-T', '25', '-R', '40', '-f', path])
    return [truth(['rollbacks'], begin, s.now(), 'postgres')]


def vacuum_waits(s):
    a = s.session('bi', 'export')
    a.say('begin; select count(*) from pgbench_branches; '
          'select pg_sleep(14); commit')
    time.sleep(1)
    b = s.session('admin', 'nightly')
    b.say('vacuum full pgbench_branches')
    begin = s.now()
    s.until_active(b, False)
    end = s.now()
    return [truth(['lock pile-up'], begin, end, a.pid),
            truth(['maintenance waits'], begin, end, b.pid,
                  'pgbench_branches')]


def vacuum_blocks(s):
    a = s.session('admin', 'nightly')
    a.say('set vacuum_cost_delay = 50; set vacuum_cost_limit = 2')
    a.say('vacuum (freeze, verbose) pgbench_accounts')
    time.sleep(1)
    b = s.session('dev', 'deploy')
    b.say('alter table pgbench_accounts add column note text')
    begin = s.now()
    time.sleep(12)
    s.sql('select pg_cancel_backend(%s)' % a.pid)
    end = s.now()
    if s.sql("select state from pg_stat_activity where pid = %s" % b.pid) \
            == 'active':
        s.until_active(b, False)
    return [truth(['maintenance blocks'], begin, end, a.pid,
                  'pgbench_accounts')]


def agent_lost(s):
    begin = s.now()
    s.cut_agent()
    time.sleep(14)
    s.mend_agent()
    return [truth(['agent lost', 'host lost'], begin, s.now(), 'db2')]


def calm_select(s):
    time.sleep(30)
    return []


def calm_tpcb(s):
    time.sleep(30)
    return []


# Name, load, function.
INCIDENTS = [
    ('lock-pileup', 'tpcb', lock_pileup),
    ('idle-in-transaction', 'tpcb', idle_in_transaction),
    ('deadlock', 'tpcb', deadlock),
    ('runaway-query', 'select', runaway_query),
    ('spilling-sort', 'select', spilling_sort),
    ('connections', 'select', connections),
    ('connection-storm', 'select', connection_storm),
    ('outside-process', 'tpcb', outside_process),
    ('cpu-saturated', 'tpcb', cpu_saturated),
    ('hole', 'tpcb', hole),
    ('prepared', 'tpcb', prepared),
    ('checkpoints', 'tpcb', checkpoints),
    ('slot', 'tpcb', slot),
    ('archiver', 'tpcb', archiver),
    ('rollbacks', 'tpcb', rollbacks),
    ('vacuum-waits', 'tpcb', vacuum_waits),
    ('vacuum-blocks', 'tpcb', vacuum_blocks),
    ('agent-lost', 'tpcb', agent_lost),
    ('calm-select', 'select', calm_select),
    ('calm-tpcb', 'tpcb', calm_tpcb),
]
