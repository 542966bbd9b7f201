#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gpsnap export, read by parsers that are not ours: its forms say the same,
and what it says adds up to what replay shows."""
import collections
import csv
import io
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
from gstest import check, equal

SAMPLES = os.path.join(gstest.TOP, 'samples')
NAMES = ('greenplum6.gpsnap', 'postgresql15.gpsnap')
HEADING = ['time', 'host', 'entity', 'identity', 'metric', 'value', 'unit',
           'seconds']


def lines(path, *argv):
    """Lines of CSV as dictionaries."""
    out = gstest.gpsnap('export', path, *argv).decode()
    read = csv.reader(io.StringIO(out, newline=''))
    equal(next(read), HEADING, 'heading')
    return [dict(zip(HEADING, row)) for row in read]


def objects(path, *argv):
    out = gstest.gpsnap('export', path, '-f', 'json', *argv).decode()
    return [json.loads(line) for line in out.splitlines()]


def as_csv(v):
    """How a value of JSON stands in CSV, as far as numbers go."""
    return '' if v is None else v


def test_json(path, *argv):
    rows, objs = lines(path, *argv), objects(path, *argv)
    equal(len(objs), len(rows), 'values in json')
    check(len(rows) > 1000, 'there are values')
    for row, obj in zip(rows, objs):
        equal(list(obj), HEADING, 'keys')
        for key in HEADING:
            got = as_csv(obj[key])
            if isinstance(got, (int, float)):
                check(float(row[key]) == got, '%r in %r' % (got, row))
            else:
                equal(got, row[key], key)


def table(path, view, *argv):
    """Rows that replay shows, as dictionaries."""
    out = gstest.gpsnap('replay', path, '-V', view, '-f', 'csv', '-l', '0',
                        *argv).decode()
    return list(csv.DictReader(io.StringIO(out, newline='')))


def sums(rows, entity, metric):
    """Sum and seconds by identity, and the last level."""
    total = collections.defaultdict(float)
    seconds = collections.defaultdict(float)
    for row in rows:
        if row['entity'] == entity and row['metric'] == metric:
            if row['seconds']:
                total[row['identity']] += float(row['value'])
                seconds[row['identity']] += float(row['seconds'])
            else:
                total[row['identity']] = float(row['value'])
    return total, seconds


def close(got, want, what):
    check(abs(got - want) <= 1e-9 * max(1.0, abs(want)),
          '%s: got %r, want %r' % (what, got, want))


def test_disks(path, rows):
    found = 0
    for metric, column in (('reads', 'reads_per_second'),
                           ('write_bytes', 'write_bytes_per_second')):
        total, seconds = sums(rows, 'disk', metric)
        for row in table(path, 'disks'):
            if row[column] and row['disk'] in total:
                close(total[row['disk']] / seconds[row['disk']],
                      float(row[column]), row['disk'] + ' ' + metric)
                found += 1
    return found


def test_processes(path, rows):
    """CPU and memory of each process, residuals among them."""
    utime = sums(rows, 'process', 'utime')[0]
    stime = sums(rows, 'process', 'stime')[0]
    cpu = sums(rows, 'process', 'cpu')[0]
    anon, swap = (sums(rows, 'process', m)[0] for m in ('rss_anon',
                                                        'vm_swap'))
    of_pid = collections.defaultdict(list)
    for identity in utime:
        of_pid[identity.split(' start=')[0]].append(identity)
    found = 0
    for row in table(path, 'processes'):
        names = of_pid.get('pid=' + row['pid'], [])
        if len(names) != 1 or not row['cpu_seconds']:
            continue
        name = names[0]
        want = cpu[name] if cpu.get(name) else utime[name] + stime[name]
        close(want, float(row['cpu_seconds']), name + ' cpu')
        if row['memory'] and name in anon:
            close(anon[name] + swap[name], float(row['memory']),
                  name + ' memory')
        found += 1
    return found


def test_figures(path):
    for argv in ((), ('--every', '7s'), ('--every', '1h')):
        rows = lines(path, *argv)
        found = test_disks(path, rows)
        check(found >= 2, 'disks were compared')
        found = test_processes(path, rows)
        check(found > 20, 'processes were compared: %d' % found)


def test_openmetrics(path, *argv):
    try:
        from prometheus_client.openmetrics.parser import (
            text_string_to_metric_families)
        from prometheus_client.samples import Timestamp
    except ImportError:
        gstest.skip('python3-prometheus-client is not installed')
    # some versions take 8.02 for earlier than 4.79: by its fraction
    Timestamp.__gt__ = lambda a, b: (a.sec, a.nsec) > (b.sec, b.nsec)
    text = gstest.gpsnap('export', path, '-f', 'openmetrics',
                         *argv).decode()
    got = collections.Counter()
    for family in text_string_to_metric_families(text):
        check(family.documentation, family.name + ' has a help')
        for s in family.samples:
            if family.type == 'info':
                equal(s.value, 1.0, s.name)
                continue
            equal(s.name, family.name + ('_total' if family.type ==
                                         'counter' else ''), 'sample')
            got[float(s.value), round(float(s.timestamp), 3)] += 1
    want = collections.Counter()
    for row in lines(path, '--totals', *argv):
        if row['entity'] == 'event':
            continue
        try:
            value = float('inf' if row['value'] == 'max'
                          else row['value'])
        except ValueError:
            continue
        if row['metric'] in TEXTS:
            continue
        want[value, seconds_of(row['time'])] += 1
    check(sum(got.values()) > 1000, 'there are samples')
    equal(sum((got - want).values()), 0, 'samples that csv has not')
    equal(sum((want - got).values()), 0, 'samples that are missing')


# Texts that look like numbers.
TEXTS = {'cpus_allowed', 'session', 'client_addr', 'version', 'thp',
         'virtualxid'}


def seconds_of(iso):
    import datetime
    t = datetime.datetime.fromisoformat(iso.replace('Z', '+00:00'))
    return round(t.timestamp(), 3)


def test_choice(path):
    rows = lines(path, '--entities', 'processes', '--metrics',
                 'rss,process.utime')
    equal({r['entity'] for r in rows}, {'process'}, 'entities')
    equal({r['metric'] for r in rows}, {'rss', 'utime'}, 'metrics')
    rows = lines(path, '--metrics', 'cpu_*')
    check({r['metric'] for r in rows} >= {'cpu_user', 'cpu_system'},
          'a pattern of metrics')
    host = rows[0]['host']
    out = gstest.gpsnap('export', path, '--hosts', 'nobody*', '--entities',
                        'hosts', status=2)
    equal(out, b'', 'lines of no host')
    equal({r['host'] for r in lines(path, '--hosts', host[:2] + '*',
                                    '--entities', 'hosts,disks')}, {host},
          'hosts')


def test_pipe(path):
    with open(path, 'rb') as f:
        out = subprocess.run([gstest.binary('gpsnap'), 'export', '-'],
                             stdin=f, stdout=subprocess.PIPE, check=True)
    equal(out.stdout, gstest.gpsnap('export', path), 'through a pipe')


def wide_values(directory):
    """The values of all tables, as the long form has them."""
    got = collections.Counter()
    for name in os.listdir(directory):
        table = name[:-len('.csv')]
        check(name.endswith('.csv'), 'no other files: ' + name)
        if table == 'columns':
            continue
        with open(os.path.join(directory, name), newline='') as f:
            for row in csv.DictReader(f):
                check(None not in row and None not in row.values(),
                      'as many cells as columns in ' + name)
                key = (row.pop('time'), row.pop('host'), table,
                       row.pop('identity'))
                row.pop('seconds', '')
                for column, value in row.items():
                    if value and column not in IDENTITY.get(table, ()):
                        got[key + (column, value)] += 1
    return got


# Columns of what identifies rows, which the long form has in one text.
IDENTITY = {'process': ('pid', 'start'), 'backend': ('content', 'pid', 'start'),
            'disk': ('name',), 'host': ('name',), 'net': ('name',)}


def test_wide(path, *argv):
    entities = ('--entities', 'processes,backends,disks,hosts,nets,events')
    with gstest.TempDir() as tmp:
        directory = tmp.file('wide')
        gstest.gpsnap('export', path, '--wide', '-o', directory, *argv,
                      *entities)
        got = wide_values(directory)
        want = collections.Counter()
        for row in lines(path, *argv, *entities):
            want[row['time'], row['host'], row['entity'], row['identity'],
                 row['metric'], row['value']] += row['value'] != ''
        check(sum(got.values()) > 1000, 'there are values')
        equal(list((want - got).items())[:3], [], 'missing')
        equal(list((got - want).items())[:3], [], 'in the wide form only')
        with open(os.path.join(directory, 'process.csv'), 'rb') as f:
            process = f.read()
        equal(gstest.gpsnap('export', path, '--wide', '--entities',
                            'processes', *argv), process, 'of one entity')
        with open(os.path.join(directory, 'columns.csv'), newline='') as f:
            units = {(row['table'], row['column']): row['unit']
                     for row in csv.DictReader(f)}
        equal(units['process', 'rss'], 'bytes', 'unit')
        # a file that is there is not replaced, and nothing else is left
        before = sorted(os.listdir(directory))
        gstest.gpsnap('export', path, '--wide', '-o', directory, *entities,
                      status=2)
        equal(sorted(os.listdir(directory)), before, 'files')
        gstest.gpsnap('export', path, '--wide', '-o', directory, '--force',
                      *argv, *entities)
        equal(wide_values(directory), got, 'replaced')


def test_wide_names(path):
    """Clusters and segments have a host, too."""
    with gstest.TempDir() as tmp:
        directory = tmp.file('wide')
        gstest.gpsnap('export', path, '--wide', '-o', directory)
        headings = {}
        for name in os.listdir(directory):
            with open(os.path.join(directory, name), newline='') as f:
                headings[name] = next(csv.reader(f))
        for name, heading in headings.items():
            equal(len(set(heading)), len(heading), 'names in ' + name)
        check('cluster_host' in headings['cluster.csv'], 'of the cluster')
        check('segment_host' in headings['segment.csv'], 'of a segment')


def test_pandas(path):
    """Columns of numbers are numbers."""
    try:
        import pandas
    except ImportError:
        return
    out = gstest.gpsnap('export', path, '--wide', '--entities', 'processes')
    frame = pandas.read_csv(io.BytesIO(out), parse_dates=['time'],
                            low_memory=False)
    check(frame['rss'].dtype.kind in 'if', 'rss is a number')
    check(frame['time'].dtype.kind == 'M', 'time is a time')
    want = sums(lines(path), 'process', 'cpu')[0]
    got = frame.groupby('identity')['cpu'].sum()
    for name, value in want.items():
        close(got[name], value, name + ' cpu')


def test_stopped(path):
    """The reader of the pipe closes it early."""
    run = subprocess.run(['bash', '-c', '"$0" export "$1" | head -n 1',
                          gstest.binary('gpsnap'), path],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         check=True)
    equal(run.stderr, b'', 'standard error')
    equal(run.stdout.decode().strip(), ','.join(HEADING), 'one line')


def main():
    for name in NAMES:
        path = os.path.join(SAMPLES, name)
        test_json(path)
        test_json(path, '--totals', '--every', '5s')
        test_figures(path)
        test_wide(path)
        test_wide(path, '--every', '7s', '--totals')
        test_pandas(path)
        test_openmetrics(path, *(['--every', '10s'] if 'post' in name
                                 else []))
    test_wide_names(os.path.join(SAMPLES, 'greenplum6-spill.gpsnap'))
    test_choice(path)
    test_pipe(path)
    test_stopped(path)


main()
