#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The queries for Greenplum 7 and Cloudberry, on servers that have their
catalogs' shapes."""
import catdump
import gstest

SHAPES = {
    'greenplum7': ('greenplum', '7.1.0', 120012),
    'cloudberry': ('cloudberry', '2.0.0-incubating', 140004),
}


def check_pile(dump, talk, newer):
    talk.say('tx', 'begin; lock t')
    dump.until('a lock', lambda t: catdump.others(t).get(
        'tx', {}).get('state') == 'idle in transaction')
    talk.say('waiter', 'select * from t')
    tick = dump.until('locks', lambda t: len(
        t['rows'].get('lock', ())) == 2 and
        'blockers' in catdump.others(t).get('waiter', {}))
    row = catdump.others(tick)['waiter']
    gstest.equal((row['wait_type'], row['type'], row['group']),
                 ('Lock', 'client backend', 'default_group'), 'a waiter')
    gstest.equal(row['session'], row['pid'], 'session')
    gstest.equal(row['blockers'], str(catdump.others(tick)['tx']['pid']),
                 'blockers')
    (lock,) = [r for r in tick['rows']['lock'] if not r['granted']]
    gstest.equal((lock['session'], lock['object']),
                 (row['session'], 'public.t'), 'a lock')
    gstest.equal('wait_start' in lock, newer == 'cloudberry', 'wait start')
    talk.end('tx')


def run(newer):
    rows = gstest.segments(['sdw1'], 2)
    with gstest.Greenplum(rows, newer=newer) as pg, \
            catdump.Sessions(pg) as talk:
        pg.sql('create table t (x int)')
        with catdump.Dump(pg, '-c', '+segment_activity,+workfiles,-vmem',
                          '-l', '200') as dump:
            (row,) = dump.describes('the cluster')[
                'rows']['cluster']
            gstest.equal((row['flavour'], row['version'],
                          row['version_num']), SHAPES[newer], newer)
            tick = dump.until('all collectors', lambda t: all(
                (catdump.collector(t, n) or {}).get('runs')
                for n in ('activity', 'topology', 'replication', 'groups',
                          'limits', 'segment_activity', 'workfiles')))
            groups = {r['name']: r for r in tick['rows']['group']}
            gstest.equal((groups['default_group']['cpu_limit'],
                          groups['default_group']['executed']), (30, 40),
                         'a group')
            gstest.check('memory_limit' not in groups['default_group'],
                         'no limit is absent')
            lags = [r['replay_lag'] for r in tick['rows']['replica']]
            # 400, and what the server writes while it computes them
            gstest.check(len(lags) == 2 and all(
                400 <= lag < 100000 for lag in lags), 'lags: %r' % lags)
            gstest.equal([r['type'] for r in tick['rows']['backend']
                          if r['content'] >= 0], ['client backend'] * 2,
                         'executors')
            check_pile(dump, talk, newer)
            gstest.equal(dump.events(catdump.REFUSED), [], 'refused')
            gstest.equal(dump.events(catdump.NOTE), [], 'notes')


def main():
    for newer in SHAPES:
        run(newer)


if __name__ == '__main__':
    main()
