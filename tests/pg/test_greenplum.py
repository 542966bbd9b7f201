#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The queries for Greenplum 6, on a server that has its catalog's shapes."""
import os

import catdump
import gstest

HOSTS = ['sdw1', 'sdw2']


def check_cluster(dump):
    tick = dump.describes('the cluster')
    (row,) = tick['rows']['cluster']
    gstest.equal((row['flavour'], row['version'], row['version_num']),
                 ('greenplum', '6.24.0', 90426), 'version')
    gstest.equal(row['vmem_limit'], 8192 * 1024, 'gp_vmem_protect_limit')
    gstest.equal(row['resource_manager'], 'group', 'resource manager')
    gstest.equal(tick['described']['settings']['gp_resource_manager'],
                 'group', 'a setting')
    tick = dump.until('topology', lambda t: t['segments'])
    gstest.equal(tick['generation'], 1, 'generation')
    gstest.equal(tick['segments'][1],
                 [0, 'p', True, 6002, 'sdw1', 'sdw1', '/data/gpseg0'],
                 'a segment')
    gstest.equal(len(tick['rows']['segment']), 9, 'instances')
    gstest.equal(tick['rows']['cluster'][0]['host'], 'recorded',
                 'host of the coordinator')
    mirror = tick['rows']['segment'][-1]
    gstest.equal((mirror['role'], mirror['mode'], mirror['status'],
                  mirror['preferred_role'], mirror['host']),
                 ('m', 's', 'u', 'm', 'recorded'), 'a mirror')


def check_vmem(pg, dump, talk):
    """A session with two processes on the coordinator is one row, as its
    memory on a segment is."""
    talk.say('one', 'select 1')
    talk.say('two', 'select 1')
    tick = dump.until('two backends', lambda t: {'one', 'two'} <= set(
        catdump.others(t)))
    for name in ('one', 'two'):
        pg.sql('insert into gpshim.session values (%d, 5000)' %
               catdump.others(tick)[name]['pid'])
    tick = dump.until('memory of a session', lambda t: any(
        r['session'] == 5000 for r in t['rows'].get('vmem', ())))
    gstest.equal([(r['content'], r['used'])
                  for r in tick['rows']['vmem'] if r['session'] == 5000],
                 [(c, (16 + c) * 1024) for c in (3, 2, 1, 0, -1)],
                 'memory of a session with two backends')
    talk.end('one')
    talk.end('two')


def check_sent(dump):
    """What the second connection brings."""
    tick = dump.until('all collectors', lambda t: all(
        (catdump.collector(t, n) or {}).get('runs')
        for n in ('replication', 'groups', 'vmem', 'limits',
                  'segment_activity', 'workfiles')))
    gstest.equal(len(tick['own']), 2, 'connections')
    spills = {r['content']: r for r in tick['rows']['workfile']}
    gstest.equal(spills[2], {
        'content': 2, 'session': 77, 'command': 3, 'slice': 2,
        'operator': 'Sort', 'prefix': 'Sort_1', 'size': 1000002,
        'files': 1}, 'spill')
    groups = {r['name']: r for r in tick['rows']['group']}
    gstest.equal(groups['default_group'], {
        'name': 'default_group', 'kind': 'group', 'running': 2, 'waiting': 1,
        'queued': 7, 'executed': 40, 'queue_time': 1500000,
        'concurrency': 20, 'cpu_limit': 30, 'memory_limit': 0,
        'oid': 6437}, 'a group')
    replicas = {r['content']: r for r in tick['rows']['replica']}
    gstest.equal(sorted(replicas), [0, 1, 2, 3], 'mirrors')
    gstest.equal([replicas[2][n + '_lag'] for n in (
        'sent', 'write', 'flush', 'replay')], [100, 200, 300, 400], 'lags')
    vmem = [r for r in tick['rows']['vmem'] if r['content'] == 3]
    gstest.equal(vmem[0]['used'], 19 * 1024, 'memory of a session')
    sent = [r for r in tick['rows']['backend'] if r['content'] >= 0]
    gstest.equal(sorted(r['content'] for r in sent), [0, 1, 2, 3],
                 'executors')
    gstest.equal((sent[0]['session'], sent[0]['user'], sent[0]['query']),
                 (77, 'analyst', 'select ? from t1'), 'an executor')
    tick = dump.until('limits', lambda t: any(
        'max_connections' in r for r in t['rows']['segment']))
    limits = [r.get('max_connections') for r in tick['rows']['segment']]
    gstest.equal(limits, [None, 150, 151, 152, 153] + [None] * 4, 'limits')


def check_activity(pg, dump, talk):
    talk.say('tx', 'begin; lock t')
    dump.until('a lock', lambda t: catdump.others(t).get(
        'tx', {}).get('state') == 'idle in transaction')
    talk.say('waiter', 'select * from t')
    tick = dump.until('a waiter', lambda t: catdump.others(t).get(
        'waiter', {}).get('waiting'))
    row = catdump.others(tick)['waiter']
    gstest.equal((row['wait_type'], row['state'], row['session']),
                 ('lock', 'active', row['pid']), 'a waiter')
    gstest.check('type' not in row and 'wait_event' not in row and
                 'group' not in row, 'columns that Greenplum 6 has not')
    pg.sql("insert into gpshim.segment_lock values ('relation', 5, 77, null, "
           'null, null, null, null, null, null, \'3/4\', 100001, '
           "'AccessShareLock', true, true, 77, false, 1), "
           "('relation', 5, 77, null, null, null, null, null, null, null, "
           "'3/5', 100002, 'ExclusiveLock', false, false, 78, false, 1), "
           "('relation', 5, 77, null, null, null, null, null, null, null, "
           "'3/6', 100003, 'ExclusiveLock', true, false, 79, false, 2)")
    tick = dump.until('locks of segments', lambda t: any(
        r['content'] == 1 for r in t['rows']['lock']))
    locks = {r['pid']: r for r in tick['rows']['lock']}
    gstest.equal(locks[row['pid']]['session'], row['session'], 'session')
    gstest.equal(locks[row['pid']]['object'], 'public.t', 'object')
    gstest.equal((locks[100001]['session'], locks[100001]['granted']),
                 (77, 1), 'a holder on a segment')
    # on segment 2 nobody waits for the same table
    gstest.equal(sorted(locks[p]['content'] for p in locks), [-1, -1, 1, 1],
                 'segments')
    talk.say('tx', 'commit')
    dump.until('nobody waits', lambda t: t['rows']['lock'] == [])


def check_changes(pg, dump, talk):
    for own in catdump.ours(pg):
        pg.sql('insert into gpshim.session values (%d, %d)' %
               (own, own + 4000000))
    dump.until('our own other session ids', lambda t: all(
        r['session'] > 4000000 for r in t['rows']['backend']
        if r['content'] < 0 and r['application'] == 'gpsnap'))
    gstest.equal([e for e in dump.events(catdump.SESSION) if 'is now session '
                  '4' in e], [], 'our own renumbering is no event')
    pid = catdump.others(dump.now())['waiter']['pid']
    pg.sql('insert into gpshim.session values (%d, 4711)' % pid)
    dump.until('another session id', lambda t: any(
        k == catdump.SESSION and text ==
        'session %d is now session 4711, process %d' % (pid, pid)
        for k, text in t['events']))
    pg.sql("set allow_system_table_mods = on; update "
           "gp_segment_configuration set role = 'm', status = 'd' "
           "where dbid = 3; update gp_segment_configuration set role = 'p', "
           "mode = 'n' where dbid = 7")
    dump.until('a failover', lambda t: t['generation'] == 2, seconds=40)
    gstest.equal(dump.events(catdump.SEGMENT), [
        'segment 1 on sdw1 port 6003, role p is now m, status u is now d',
        'segment 1 on sdw2 port 7003, role m is now p, mode s is now n'],
        'what changed')


def run_unprivileged(pg):
    """Each collector is refused by itself, once, and said in the header."""
    pg.sql('create role plain login; '
           'revoke all on schema gp_toolkit from public; '
           'revoke select on gp_segment_configuration from public')
    with catdump.Dump(pg, '-d', 'user=plain', '-p', '200') as dump:
        tick = dump.describes('what is refused', lambda d:
                              {'groups', 'topology'} <= set(d['refused']))
        gstest.equal(tick['described']['refused'], {
            'topology': 'permission denied for table '
                        'gp_segment_configuration',
            'groups': 'permission denied for schema gp_toolkit'}, 'refused')
        dump.pause(10)
        tick = dump.until('activity that goes on', lambda t: t['fresh'] and
                          t['rows']['backend'])
        gstest.equal(sorted(dump.events(catdump.REFUSED)), [
            'collector groups: permission denied for schema gp_toolkit',
            'collector topology: permission denied for table '
            'gp_segment_configuration'], 'said once')
        gstest.check(catdump.collector(tick, 'vmem')['runs'] > 1,
                     'others go on')
        gstest.equal(catdump.collector(tick, 'groups')['errors'], 1,
                     'asked once')


def check_asked_once(pg, dump):
    """What the server lacks it is not asked for at each connect."""
    was = len(dump.events(catdump.DATABASE_UP))
    for pid in catdump.ours(pg):
        pg.sql('select pg_terminate_backend(%d)' % pid)
    dump.until('the database again', lambda t: len(
        dump.events(catdump.DATABASE_UP)) > was)
    runs = catdump.collector(dump.now(), 'groups')['runs']
    tick = dump.until('groups again', lambda t: catdump.collector(
        t, 'groups')['runs'] > runs + 1)
    gstest.equal(catdump.collector(tick, 'vmem')['errors'], 1,
                 'how often the server was asked for what it lacks')


def check_queue_names(pg, dump, talk):
    pg.sql("insert into gpshim.role_queue values ('plain', 16400)")
    talk.say('queued user=plain', 'select 1')
    talk.say('super', 'select 1')
    tick = dump.until('both', lambda t: {'queued', 'super'} <= set(
        catdump.others(t)))
    rows = catdump.others(tick)
    gstest.equal((rows['queued'].get('group'), rows['super'].get('group')),
                 ('reports', None), 'queues of sessions')


def run_queues(pg, talk):
    pg.sql("update gpshim.setting set setting = 'queue' "
           "where name = 'gp_resource_manager'; "
           'drop schema session_state cascade')
    with catdump.Dump(pg, '-c', 'activity,groups,vmem', '-p', '200') as dump:
        check_queue_names(pg, dump, talk)
        tick = dump.until('queues', lambda t: t['rows'].get('group'))
        gstest.equal(tick['rows']['group'], [{
            'name': 'pg_default', 'kind': 'queue', 'running': 7,
            'waiting': 2, 'concurrency': 20}], 'queues')
        dump.describes('no session_state', lambda d: 'vmem' in d['refused'])
        gstest.equal(catdump.collector(tick, 'topology'), None,
                     'what is not wanted')
        check_asked_once(pg, dump)


def lock_runs(tick):
    return (catdump.collector(tick, 'locks') or {}).get('runs', 0)


def waits(tick, name):
    return catdump.others(tick).get(name, {}).get('waiting')


def run_queue_waits(pg, talk):
    """Greenplum 6 says "lock" of those that stand in a queue: for them locks
    are not asked of all segments.  Whoever does wait for a lock makes them
    asked before their time."""
    talk.say('tx', 'begin; lock t')
    talk.say('first', 'select 1')
    talk.say('second', 'select 1')
    with gstest.TempDir() as tmp, catdump.Dump(
            pg, '-c', 'activity,locks', '-l', '20000', '-q', tmp.path) as dump:
        tick = dump.until('sessions', lambda t: {'tx', 'first', 'second'} <=
                          set(catdump.others(t)))
        pid = catdump.others(tick)['first']['pid']
        open(tmp.file(str(pid)), 'w').close()
        talk.say('first', 'select * from t')
        dump.until('who stands in a queue', lambda t: waits(t, 'first'))
        dump.pause(10)
        gstest.equal(lock_runs(dump.now()), 0, 'locks for a queue')
        os.unlink(tmp.file(str(pid)))
        dump.until('locks', lambda t: lock_runs(t) == 1)
        first = catdump.collector(dump.now(), 'locks')['last']
        talk.say('second', 'select * from t')
        tick = dump.until('locks again', lambda t: lock_runs(t) == 2)
        gstest.check(catdump.collector(tick, 'locks')['last'] - first <
                     19000000, 'locks come early where somebody is new')
        talk.say('tx', 'commit')


def run_queued(pg):
    """A recorder that is not a superuser may itself wait in a queue: one
    event, once, says why there is no answer."""
    pg.sql("update gpshim.setting set setting = 'queue' "
           "where name = 'gp_resource_manager'; "
           'set allow_system_table_mods = on; '
           'alter view pg_stat_activity rename to gpshim_stood; '
           'create view pg_catalog.pg_stat_activity as '
           'select * from gpshim_stood '
           'where (select pg_sleep(8)) is not null; '
           'grant select on pg_catalog.pg_stat_activity to public')
    with catdump.Dump(pg, '-d', 'user=plain', '-c', 'activity') as dump:
        dump.until('a reason', lambda t: dump.events(catdump.NOTE))
        gstest.equal(dump.events(catdump.NOTE), [
            'collector activity: no answer in time: statements of plain, who '
            'is not a superuser, wait in its resource queue; give it a '
            'separate queue'], 'the reason')
    pg.sql('set allow_system_table_mods = on; '
           'drop view pg_catalog.pg_stat_activity; '
           'alter view gpshim_stood rename to pg_stat_activity')


def run_fallback(pg):
    """What is asked for first is not there: another way to ask is."""
    pg.sql('set allow_system_table_mods = on; '
           'drop view pg_stat_replication')
    with catdump.Dump(pg, '-c', 'replication') as dump:
        tick = dump.until('mirrors', lambda t: t['rows'].get('replica'))
        rows = {r['content']: r for r in tick['rows']['replica']}
        gstest.equal(sorted(rows), [0, 2, 3], 'mirrors that are up')
        gstest.equal((rows[2]['pid'], rows[2]['write_lag'],
                      rows[2]['replay_lag']), (300002, 0, 512), 'a mirror')
        gstest.check('sent_lag' not in rows[2], 'what is not known')
        gstest.equal(dump.events(catdump.REFUSED), [], 'refused')


def run_bad_setting(pg):
    """A setting that the server lists and refuses all the same."""
    pg.sql("insert into gpshim.setting values ('optimizer', 'on')")
    with catdump.Dump(pg) as dump:
        dump.until('rows', lambda t: t['rows'].get('backend'))
        gstest.equal(dump.events(catdump.DATABASE_DOWN), [], 'down')


def main():
    rows = gstest.segments(HOSTS, 2, mirrors=True)
    with gstest.Greenplum(rows) as pg:
        pg.sql('create table t (x int)')
        with catdump.Sessions(pg) as talk:
            with catdump.Dump(pg, '-c',
                              '+segment_activity,+workfiles', '-l', '200',
                              '-p', '1000') as dump:
                check_cluster(dump)
                check_sent(dump)
                check_vmem(pg, dump, talk)
                check_activity(pg, dump, talk)
                check_changes(pg, dump, talk)
                gstest.equal(dump.events(catdump.REFUSED), [], 'refused')
                gstest.equal(dump.events(catdump.NOTE), [], 'notes')
        run_bad_setting(pg)
        run_unprivileged(pg)
        with catdump.Sessions(pg) as talk:
            run_queues(pg, talk)
            run_queue_waits(pg, talk)
        run_queued(pg)
        run_fallback(pg)


if __name__ == '__main__':
    main()
