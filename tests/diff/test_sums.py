#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each line of gpsnap diff is what two runs of gpsnap replay give: matched, told
from noise and divided here once more."""
import json
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
from gstest import equal

SAMPLES = os.path.join(gstest.TOP, 'samples')
FLOORS = {'count': 1, 'number': 0.1, 'per second': 1, 'percent': 1,
          'bytes': 1 << 20, 'bytes per second': 16 << 10, 'seconds': 0.05}
SHARE = 0.05

# file, A, B, options of both; keys; columns that can be added up
CASES = (
    ('postgresql15-incident.gpsnap', '..+20s', '+30s..',
     ['-g', 'command'], ['command'], True),
    ('postgresql15.gpsnap', '..03:16:50', '03:16:50..',
     ['-g', 'user,database'], ['user', 'database'], True),
    ('greenplum6-spill.gpsnap', '..+15s', '+15s..',
     ['-g', 'host,command'], ['host', 'command'], True),
    ('greenplum6-spill.gpsnap', '..+15s', '+15s..',
     ['-g', 'session'], ['session'], True),
)


def lines_of(*argv):
    return [json.loads(line) for line in
            gstest.gpsnap(*argv).decode().splitlines()]


def keys_in(options):
    return options[options.index('-g') + 1].split(',')


def side(path, words, options):
    start, end = words.split('..')
    argv = ['replay', path, '-V', 'processes', '-l', '0', '-f', 'json',
            *options]
    if 'command' in keys_in(options):
        argv += ['--normalize']
    argv += ['--from', start] if start else []
    argv += ['--to', end] if end else []
    return lines_of(*argv)[0]


def rows_of(table, keys):
    return {tuple(row[k] for k in keys): row for row in table['rows']}


def wanted(col, a, b):
    """The line of a figure: a, b, difference, percent; None: noise."""
    if not all(isinstance(v, (int, float)) for v in (a, b)):
        return None
    if abs(a - b) < FLOORS.get(col['unit'], math.inf) or \
            abs(a - b) < SHARE * max(abs(a), abs(b)):
        return None
    return a, b, b - a, 100 * (b - a) / abs(a) if a else None


def close(x, y):
    return x is y or (x is not None and y is not None and
                      isinstance(x, (int, float)) and
                      math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-9))


def test(name, a_words, b_words, options, keys, _adds):
    path = os.path.join(SAMPLES, name)
    got = lines_of('diff', '%s@%s' % (path, a_words),
                   '%s@%s' % (path, b_words), '-l', '0', '-f', 'json',
                   *options)[0]
    tables = [side(path, words, options) for words in (a_words, b_words)]
    equal(got['covered_seconds'], tables[1]['covered_seconds'], 'B')
    equal(got['baseline']['covered_seconds'], tables[0]['covered_seconds'],
          'A')
    a, b = (rows_of(t, keys) for t in tables)
    cols = {c['name']: c for c in tables[1]['columns']}
    seen = set()
    for row in got['rows']:
        key = tuple(row[k] for k in keys)
        equal(row['change'], 'new' if key not in a else
              'gone' if key not in b else None, '%s: change' % (key,))
        if row['change']:
            continue
        metric = row['metric']
        want = wanted(cols[metric], a[key][metric], b[key][metric])
        gstest.check(want, '%s %s is noise' % (key, metric))
        have = [row[c] for c in ('a', 'b', 'difference', 'percent')]
        gstest.check(all(close(x, y) for x, y in zip(have, want)),
                     '%s %s: %s, not %s' % (key, metric, have, want))
        seen.add((key, metric))
    # nothing is left out: of every metric that has a line
    for metric in {m for _k, m in seen}:
        for key in a.keys() & b.keys():
            if wanted(cols[metric], a[key][metric], b[key][metric]):
                gstest.check((key, metric) in seen, '%s %s: no line' %
                             (key, metric))
    print('%s: %d lines' % (name, len(seen)))
    gstest.check(seen, '%s: no lines' % name)


def by_rule(row, name):
    """A metric of one side as the lines have it, and what is compared.  Rates
    are over the time for which the group was there, as replay has it."""
    value = row[name]
    if name in RATES and value is not None:
        seconds = 100 * row['run_delay'] / row['run_queue_percent']
        value = value / seconds * RATES[name]
    if name in RANGES and value is not None:
        ends = [float(n) for n in str(value).split('..')]
        return value, sum(ends[:1] + ends[-1:]) / 2
    if name in MODES and value is not None:
        return value, value.rsplit(' (', 1)[0] if value.endswith(')') \
            else value
    return value, value


RATES = {'minflt': 1, 'csw_vol': 1, 'rchar': 1, 'run_delay': 100, 'utime': 100}
RANGES = ('nice',)
MODES = ('wchan', 'policy')
LEVELS = ('vm_data', 'vm_hwm', 'threads', 'rss_anon')


def test_rules():
    """A sum, the highest, a range, a mode of the registry; one host."""
    path = os.path.join(SAMPLES, 'postgresql15-incident.gpsnap')
    names = [*RATES, *RANGES, *MODES, *LEVELS]
    got = lines_of('diff', path + '@..+20s', path + '@+30s..', '--entity',
                   'process', '-l', '0', '-f', 'json', '-m',
                   ','.join(names))[0]
    tables = [side(path, words, ['-g', 'command', '-c',
                                 ','.join(['command', 'run_queue_percent',
                                           *names])])
              for words in ('..+20s', '+30s..')]
    a, b = (rows_of(t, ['command']) for t in tables)
    seen = set()
    for row in got['rows']:
        key, name = (row['command'],), row['metric']
        if row['change']:
            continue
        x, p = by_rule(a[key], name)
        y, q = by_rule(b[key], name)
        for have, want in ((row['a'], x), (row['b'], y)):
            gstest.check(close(have, want) if isinstance(want, float)
                         else have == want, '%s %s: %r, not %r' %
                         (key, name, have, want))
        if p is None or q is None:
            equal(row['difference'], None, '%s %s' % (key, name))
        elif isinstance(p, str):
            equal(row['difference'], 'same' if p == q else 'differs',
                  '%s %s' % (key, name))
        else:
            gstest.check(close(row['difference'], q - p), '%s %s: %r' %
                         (key, name, row['difference']))
        seen.add(name)
    equal(sorted(seen), sorted(names), 'metrics')


def test_order():
    """Rows by the differences of two of their figures; the second is a metric
    that decides where the first is equal."""
    path = os.path.join(SAMPLES, 'greenplum6-spill.gpsnap')
    got = lines_of('diff', path + '@..+15s', path + '@+15s..', '-g',
                   'host,command', '-l', '0', '-f', 'json', '--sort',
                   'processes,+csw_vol')[0]
    tables = [side(path, words, ['-g', 'host,command', '-c', ','.join(
        ['host', 'command', 'processes', 'stay_percent'])]) for words in ('..+15s', '+15s..')]
    keys = ('host', 'command')
    a, b = (rows_of(t, keys) for t in tables)
    found, order, wants = [], [], {}
    for row in got['rows']:
        key = tuple(row[k] for k in keys)
        values = [(t[key] if key in t else {'processes': 0})
                  for t in (b, a)]
        equal(row['processes_diff'], values[0]['processes'] -
              values[1]['processes'], '%s: processes' % (key,))
        for name, t in (('a', a), ('b', b)):
            for col in ('processes', 'stay_percent'):
                equal(row['%s_%s' % (name, col)],
                      t[key][col] if key in t else None, '%s: %s' % (key, col))
        if key not in found:
            found.append(key)
            order.append((-row['processes_diff'], row['csw_vol_diff']))
            wants[key] = order[-1]
    gstest.check(len(found) > 5 and len({o[0] for o in order}) > 1, 'rows')
    known = [o for o in order if o[1] is not None]
    equal(sorted(known), known, 'the order of rows')
    equal([k for k in found if wants[k][1] is not None][0], found[0],
          'what is not known is last')
    one = [tuple(row[k] for k in keys) for row in got['rows']]
    equal(sum(x != y for x, y in zip(one, one[1:])), len(found) - 1,
          'lines of a row stand together')


def test_sections():
    """All sections together are the whole; each has what the registry says."""
    path = os.path.join(SAMPLES, 'postgresql15-incident.gpsnap')
    sides = (path + '@..+20s', path + '@+30s..')
    metrics = lines_of('metrics', 'process.*', '-f', 'json')[0]['rows']
    section = {m['metric'].split('.')[1]: m['section'] for m in metrics}
    for name, want in (('vm_data', 'memory'), ('majflt', 'memory'),
                       ('rchar', 'io'), ('delay_blkio', 'delays'),
                       ('run_delay', 'scheduling'), ('cgroup', 'cgroup'),
                       ('rss_limit', 'limits'), ('uid', 'other')):
        equal(section[name], want, name)
    argv = ('diff', *sides, '--entity', 'process', '-l', '0', '-f', 'json')
    whole = lines_of(*argv)[0]['rows']
    split = lines_of(*argv, '--sections', 'all')[0]['rows']
    equal(sorted(map(str, split)), sorted(map(str, whole)), 'all sections')
    order = [r['section'] for r in split]
    equal(len(set(order)), 1 + sum(x != y for x, y in zip(order, order[1:])),
          'one section after the other')
    some = lines_of(*argv, '--sections', 'memory,delays')[0]['rows']
    equal(some, [r for r in split if r['section'] in ('memory', 'delays')],
          'some sections')
    seen = {r['metric'] for r in whole if r['metric'] in section}
    gstest.check(len(seen) > 50, 'metrics')
    for row in whole:
        if row['metric'] in seen:
            equal(row['section'], section[row['metric']], row['metric'])


def divided(x, y, scale):
    return scale * x / y if x is not None and y else None


# figure: of the sums over the same range; what the sample lacks is absent
RATIOS = {
    'average_wait_ms': lambda r: divided(r['run_delay'], r['timeslices'],
                                         1000),
    'average_slice_ms': lambda r: divided(r['sched_run'], r['timeslices'],
                                          1000),
    'on_cpu_percent': lambda r: None if r['sched_run'] is None else divided(
        r['sched_run'], r['sched_run'] + r['run_delay'], 100),
    'involuntary_percent': lambda r: divided(
        r['csw_invol'], r['csw_invol'] + r['csw_vol'], 100),
    'local_wakeups_percent': lambda r: divided(r['wakeups_local'],
                                               r['wakeups'], 100),
    'disk_read_percent': lambda r: divided(
        r['read_bytes_per_second'], r['read_chars_per_second'], 100),
    'average_iowait_ms': lambda r: divided(r['iowait_sum'],
                                           r['iowait_count'], 1000),
    'average_cpu_delay_ms': lambda r: divided(r['delay_cpu'],
                                              r['delay_cpu_count'], 1000),
    'off_cpu_percent': lambda r: divided(
        r['wall_seconds'] - r['cpu_seconds'], r['wall_seconds'], 100),
    'delay_percent': lambda r: None,
}
PARTS = ('run_delay', 'timeslices', 'sched_run', 'csw_invol', 'csw_vol',
         'wakeups_local', 'wakeups', 'read_bytes_per_second',
         'read_chars_per_second', 'iowait_sum',
         'iowait_count', 'delay_cpu', 'delay_cpu_count', 'wall_seconds',
         'cpu_seconds')


def test_ratios():
    """Figures that follow from others, of groups; absent where one of these
    is.  Amounts are scaled to the length of B."""
    path = os.path.join(SAMPLES, 'postgresql15-incident.gpsnap')
    sides = ('..+20s', '+30s..')
    got = lines_of('diff', *('%s@%s' % (path, s) for s in sides), '--entity',
                   'process', '-l', '0', '-f', 'json', '-m',
                   ','.join([*RATIOS, 'off_cpu_seconds']))[0]
    rows = [rows_of(side(path, words, ['-g', 'command', '-c', ','.join(
        ['command', *PARTS])]), ['command']) for words in sides]
    longer = got['covered_seconds'] / got['baseline']['covered_seconds']
    absent = set(RATIOS)
    for line in got['rows']:
        key, name = (line['command'],), line['metric']
        for at, side_rows in zip('ab', rows):
            if key not in side_rows:
                equal(line[at], None, '%s %s' % (key, name))
                continue
            row = side_rows[key]
            want = RATIOS[name](row) if name in RATIOS else (
                row['wall_seconds'] - row['cpu_seconds']) * (
                    longer if at == 'a' else 1)
            gstest.check(close(line[at], want), '%s %s %s: %r, not %r' %
                         (key, name, at, line[at], want))
            absent -= {name} if want is not None else set()
    equal(sorted(absent), ['average_cpu_delay_ms', 'average_iowait_ms',
                           'average_slice_ms', 'delay_percent',
                           'local_wakeups_percent', 'on_cpu_percent'],
          'the sample lacks')


def test_nested():
    """Subtotals are groups by fewer keys; names are classes, or not."""
    path = os.path.join(SAMPLES, 'greenplum6-spill.gpsnap')
    sides = (path + '@..+15s', path + '@+15s..')
    whole = lines_of('diff', *sides, '-g', 'host', '-l', '0', '-f', 'json')[0]
    parts = lines_of('diff', *sides, '-g', 'host,command', '--nested', '-l',
                     '0', '-f', 'json')[0]
    columns = ('host', 'metric', 'a', 'b', 'difference', 'percent')
    tops = [r for r in parts['rows'] if r['level'] == 1]
    gstest.check(tops and len(tops) < len(parts['rows']), 'levels')
    equal(sorted([r[c] for c in columns] for r in tops),
          sorted([r[c] for c in columns] for r in whole['rows']),
          'subtotals')


for case in CASES:
    test(*case)
test_rules()
test_ratios()
test_order()
test_sections()
test_nested()
