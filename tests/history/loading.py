# SPDX-License-Identifier: Apache-2.0
"""What tests of gpsnap load share: running it, and what is in the tables
beside what replay shows."""
import collections
import csv
import datetime
import glob
import io
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
from gstest import check, equal

SAMPLES = os.path.join(gstest.TOP, 'samples')
GREENPLUM = os.path.join(SAMPLES, 'greenplum6.gpsnap')
POSTGRES = os.path.join(SAMPLES, 'postgresql15.gpsnap')
INCIDENT = os.path.join(SAMPLES, 'postgresql15-incident.gpsnap')


def dsn(pg):
    return 'host=%s port=%d user=%s dbname=postgres' % (
        pg.tmp.path, pg.port, pg.owner.pw_name)


def run(pg, *argv, status=0):
    """gpsnap load; its output and its errors."""
    done = subprocess.run([gstest.binary('gpsnap'), 'load', *argv,
                           '--dsn', dsn(pg)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    equal(done.returncode, status, 'status of load %s:\n%s' % (
        ' '.join(argv), done.stdout))
    return done.stdout


def csv_rows(text):
    return list(csv.DictReader(io.StringIO(text, newline='')))


def replay(view, *argv):
    out = gstest.gpsnap('replay', *argv, '-V', view, '-f', 'csv', '-l', '0',
                        status=None).decode()
    return csv_rows(out)


def tables(pg, schema):
    return pg.sql("SELECT relname FROM pg_class WHERE relnamespace = "
                  "'%s'::regnamespace AND relkind = 'p' ORDER BY 1"
                  % schema).split('\n')


def table(pg, schema, name):
    return csv_rows(pg.sql('SET timezone = UTC; COPY (SELECT * FROM %s."%s") '
                           'TO STDOUT (FORMAT csv, HEADER)' % (schema, name)))


def value(text):
    """A number, an instant in microseconds, or a text."""
    try:
        return float(text)
    except ValueError:
        pass
    m = re.fullmatch(r'(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?'
                     r'(Z|\+00)', text)
    if not m:
        return text
    at = datetime.datetime.fromisoformat(m.group(1) + ' ' + m.group(2))
    return ('at', at, round(float(m.group(3) or 0) * 1e6))


def comparable(rows, columns):
    return collections.Counter(tuple(value(row[c]) for c in columns)
                               for row in rows)


def same(pg, schema, name, want):
    """All of replay's cells stand in the table, and no other rows."""
    got = table(pg, schema, name)
    equal(len(got), len(want), 'rows of ' + name)
    if not want:
        return 0
    columns = list(want[0])
    for row in got:
        row['time'] = row['step'] if name != 'events' else row['time']
    missing = comparable(want, columns) - comparable(got, columns)
    extra = comparable(got, columns) - comparable(want, columns)
    check(not missing and not extra, '%s differs from replay:\n%s\n%s' % (
        name, list(missing)[:2], list(extra)[:2]))
    return len(want) * len(columns)


def compare(pg, schema, paths, every):
    cells = 0
    for name in tables(pg, schema):
        if name == 'events':  # has a time of its own
            continue
        cells += same(pg, schema, name, replay(name, *paths, '--every',
                                               every))
    return cells


def count(pg, schema):
    return [(n, pg.sql('SELECT count(*) FROM %s."%s"' % (schema, n)))
            for n in tables(pg, schema)]


def record_files(pg):
    """A recording of several files; none is being written.  Files begin
    within steps of a second, as they do where ticks come late."""
    d = pg.tmp.file('rec')
    os.mkdir(d)
    done = subprocess.run([gstest.binary('gpsnap'), 'record', '-i', '0.3',
                           '-n', '13', '--rotate-every', '1s', '-o', d + '/'],
                          env=dict(os.environ, GPSNAP_NO_CATALOG='1'),
                          check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    check(gstest.ended_well(done.returncode, done.stderr), done.stderr)
    found = sorted(glob.glob(os.path.join(d, '*.gpsnap')))
    check(len(found) >= 3, 'files: %r' % found)
    return d, found
