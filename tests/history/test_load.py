#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gpsnap load into a real PostgreSQL: what is there is what replay shows, each
step once, however often and in whatever pieces it is loaded."""
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from loading import (GREENPLUM, INCIDENT, POSTGRES, compare, count, csv_rows, dsn,
                     record_files, replay, run, same, table, tables)
import gstest
from gstest import check, equal


def test_equal(pg):
    for i, path in enumerate((GREENPLUM, POSTGRES)):
        schema = 'equal%d' % i
        said = run(pg, path, '--schema', schema, '--tables', 'all')
        check(' of 1 file and 1 recording loaded' in said, said)
        check(compare(pg, schema, [path], '1m') > 5000, 'cells compared')
        before = count(pg, schema)
        files = pg.sql('SELECT * FROM %s.files' % schema)
        said = run(pg, path, '--schema', schema, '--tables', 'all')
        equal(said, '0 rows of 0 files and 0 recordings loaded; 1 file was '
              'loaded before\n', 'the second time')
        equal(count(pg, schema), before, 'rows after the second time')
        equal(pg.sql('SELECT * FROM %s.files' % schema), files, 'files')


def test_steps(pg):
    run(pg, GREENPLUM, '--schema', 'steps', '--every', '3s')
    check(compare_usual(pg, 'steps', [GREENPLUM], '3s') > 5000, 'cells')
    said = run(pg, GREENPLUM, '--schema', 'steps')
    check(said.startswith('0 rows of 0 files'), said)
    said = run(pg, GREENPLUM, '--schema', 'steps', '--every', '1m',
               status=64)
    check('steps of 3s before' in said, said)


def compare_usual(pg, schema, paths, every):
    cells = 0
    for name in tables(pg, schema):
        if name not in ('events', 'processes'):
            cells += same(pg, schema, name, replay(name, *paths, '--every',
                                                   every))
    return cells


def loaded(pg, path, names):
    """The rows of these tables, by a step of an hour."""
    pg.sql('DROP SCHEMA IF EXISTS told CASCADE')
    run(pg, path, '--schema', 'told', '--every', '1h', '--tables', names)
    return {name: sorted(str(sorted(row.items())) for row in
                         table(pg, 'told', name)) for name in names.split(',')}


def test_told(pg):
    """What stands for ticks is taken in their place, where all tables come out the
    same; if it breaks in the middle, ticks are."""
    told = os.path.join(gstest.TOP, 'samples', 'postgresql15-gist-day.gpsnap')
    files = {how: pg.tmp.file(how + '.gpsnap') for how in ('gists', 'torn')}
    for how, path in files.items():
        subprocess.run([gstest.binary('make_wrong_sums'), told, path, how],
                       check=True)
    for names in ('sessions,processes', 'hosts,disks,nets',
                  'sessions,system_event'):  # a table of waits needs ticks
        want = loaded(pg, POSTGRES, names)
        check(all(want.values()), names)
        equal(loaded(pg, told, names), want, names)
        equal(loaded(pg, files['torn'], names), want, names + ' of torn gists')
        equal(loaded(pg, files['gists'], names) == want,
              names != 'sessions,processes', names + ' of wrong gists')


def test_grown(pg):
    """A file cut after each of some ticks, then whole: nothing is lost and
    nothing doubled."""
    import reader
    whole = open(GREENPLUM, 'rb').read()
    ends = [frame.offset + reader.INDEX.size + frame.comp_len
            for frame, _ in reader.read(GREENPLUM).frames()]
    path = pg.tmp.file('grown.gpsnap')
    for at in ends[3:len(ends):3] + [len(whole)]:
        with open(path, 'wb') as f:
            f.write(whole[:at])
        run(pg, path, '--schema', 'grown', '--every', '4s')
    want = replay('sessions', GREENPLUM)
    for row in want:
        if not row['cpu_seconds']:
            continue
        got = pg.sql("SELECT sum(cpu_seconds) FROM grown.sessions WHERE "
                     "session = '%s'" % row['session'])
        check(abs(float(got) - float(row['cpu_seconds'])) < 1e-9,
              'cpu of %s: got %s, want %s' % (row['session'], got,
                                              row['cpu_seconds']))
    equal(pg.sql('SELECT count(*), max(last_sequence) FROM grown.files'),
          '1|10', 'files')
    events = pg.sql("SELECT count(*) FROM grown.events WHERE event = "
                    "'host up'")
    equal(events, '1', 'events come once')


def test_files(pg):
    d, found = record_files(pg)
    run(pg, d, '--schema', 'files', '--every', '1s', '--tables', 'all')
    check(compare(pg, 'files', [d], '1s') > 1000, 'cells compared')
    equal(pg.sql('SELECT count(*) FROM files.files'), str(len(found)),
          'files')
    before = count(pg, 'files')
    run(pg, d, '--schema', 'files', '--every', '1s', '--tables', 'all')
    equal(count(pg, 'files'), before, 'rows after the second time')
    # one by one, the last first: steps at the seams come in two parts
    for path in reversed(found):
        run(pg, path, '--schema', 'apart', '--every', '1s')
    run(pg, d, '--schema', 'apart', '--every', '1s')
    # what a process owes to its children is forgotten where reading begins
    for schema, parts in (('files', [d]), ('apart', found)):
        want = sum(float(r['cpu_seconds'] or 0) for part in parts
                   for r in replay('sessions', part, '--every', '1s'))
        got = float(pg.sql('SELECT sum(cpu_seconds) FROM %s.sessions'
                           % schema))
        check(abs(got - want) < 1e-6, 'cpu in %s: got %g, want %g' % (
            schema, got, want))


def test_live(pg):
    """While a recorder is running, only complete steps are loaded."""
    path = pg.tmp.file('live.gpsnap')
    with gstest.Recorder(path, '-i', '0.1') as rec:
        rec.wait_ticks(12)
        run(pg, path, '--schema', 'live', '--every', '1s')
        rec.wait_ticks(8)
        run(pg, path, '--schema', 'live', '--every', '1s')
    run(pg, path, '--schema', 'live', '--every', '1s')
    hosts = replay('hosts', path, '--every', '1s')
    same(pg, 'live', 'hosts', hosts)


@contextlib.contextmanager
def locked(pg, table):
    """Somebody else has locked it."""
    lock = pg.popen(['psql', '-X', '-q'], stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL)
    lock.stdin.write(b'BEGIN; LOCK TABLE %s IN EXCLUSIVE MODE;\n' %
                     table.encode())
    lock.stdin.flush()
    gstest.wait_for('the lock', lambda: pg.sql(
        "SELECT count(*) FROM pg_locks WHERE mode = 'ExclusiveLock' AND "
        "relation = '%s'::regclass AND granted" % table) == '1')
    try:
        yield
    finally:
        lock.stdin.write(b'ROLLBACK;\n')
        lock.stdin.close()
        lock.wait()


def waiting_load(pg, *argv):
    """One that waits for a lock."""
    load = subprocess.Popen([gstest.binary('gpsnap'), 'load', '--dsn', dsn(pg),
                             *argv], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE)
    gstest.wait_for('the loader to wait', lambda: pg.sql(
        "SELECT count(*) FROM pg_locks WHERE NOT granted") != '0')
    return load


def wait_for_end(pg):
    gstest.wait_for('its backend to end', lambda: pg.sql(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = "
        "'gpsnap load'") == '0')


def test_killed(pg):
    """Killed in the middle: nothing of the file is there."""
    run(pg, POSTGRES, '--schema', 'killed')
    before = count(pg, 'killed')
    with locked(pg, 'killed.hosts'):
        load = waiting_load(pg, GREENPLUM, '--schema', 'killed')
        # not the recorder's name, whose sessions views leave out
        equal(pg.sql("SELECT count(*) FROM pg_stat_activity WHERE "
                     "application_name = 'gpsnap load'"), '1', 'its name')
        load.send_signal(signal.SIGKILL)
        load.communicate()
    wait_for_end(pg)
    equal(count(pg, 'killed'), before, 'rows after it was killed')
    run(pg, GREENPLUM, '--schema', 'killed')
    check(count(pg, 'killed') != before, 'loaded after all')


def test_stopped(pg):
    """While it waits for a lock, of another loader or of a table, it ends when it is
    told to, and says so if the server ends it; nothing of the file is there."""
    run(pg, POSTGRES, '--schema', 'stopped')
    before = count(pg, 'stopped')
    for table in ('files', 'hosts'):
        for n in '12':
            for end, why in ((lambda load: load.send_signal(signal.SIGINT),
                              'stopped: files that were loaded whole stay'),
                             (lambda load: pg.sql(
                                 "SELECT pg_terminate_backend(pid) FROM "
                                 "pg_stat_activity WHERE application_name = "
                                 "'gpsnap load'"),
                              'terminating connection')):
                with locked(pg, 'stopped.' + table):
                    load = waiting_load(pg, GREENPLUM, '--schema', 'stopped',
                                        '--threads', n)
                    end(load)
                    said = load.communicate(timeout=60)[1].decode()
                    equal(load.returncode, 2, said)
                    check(why in said, said)
                wait_for_end(pg)
                equal(count(pg, 'stopped'), before, 'rows')


BEFORE_SERVERS = """
DROP VIEW evolves.session_history, evolves.query_history,
    evolves.session_minutes, evolves.skew_minutes;
CREATE VIEW evolves.session_history AS SELECT "recording", "session",
    max("user") AS "user", max("database") AS "database", max("application")
    AS "application", min("step") AS first_seen, max("step_end") AS last_seen,
    sum("cpu_seconds") AS cpu_seconds, max("memory_peak") AS memory_peak,
    max("io_bytes_per_second") AS io_bytes_per_second_max, max("spill") AS
    spill_max, max("skew") AS skew_max FROM evolves."sessions"
    GROUP BY "recording", "session";
"""


def test_no_server(pg):
    """Tables and views of a version that knew one server: its rows stay, and
    views tell the servers of new ones apart."""
    columns = ["ALTER TABLE evolves.%s DROP COLUMN server;" % name
               for name in pg.sql(
                   "SELECT table_name FROM information_schema.columns WHERE "
                   "table_schema = 'evolves' AND column_name = 'server' AND "
                   "table_name IN (SELECT relname FROM pg_class WHERE relkind "
                   "= 'p')").split()]
    check(len(columns) > 5, 'tables that have servers')
    pg.sql(BEFORE_SERVERS.replace(';\nCREATE', ';' + ''.join(columns) +
                                  '\nCREATE'))
    before = int(pg.sql('SELECT count(*) FROM evolves.sessions'))
    run(pg, POSTGRES, '--schema', 'evolves')
    equal(pg.sql("SELECT count(*), count(server) FROM evolves.sessions WHERE "
                 "recording = 1"), '%d|0' % before, 'rows of before')
    check(int(pg.sql('SELECT count(server) FROM evolves.sessions WHERE '
                     'recording = 2')) > 0, 'servers of new rows')
    pg.sql("INSERT INTO evolves.sessions (recording, step, step_end, session, "
           "server) SELECT 9, step, step_end, 'con5', s FROM "
           "(SELECT * FROM evolves.sessions LIMIT 1) AS one, (VALUES ('a'), "
           "('b')) AS v (s)")
    equal(pg.sql("SELECT server FROM evolves.session_history WHERE recording "
                 "= 9 ORDER BY 1"), 'a\nb', 'sessions of two servers')


def test_schema(pg):
    """Columns that are missing are added, newer schemas left alone."""
    run(pg, GREENPLUM, '--schema', 'evolves')
    want = table(pg, 'evolves', 'hosts')
    pg.sql('DROP VIEW evolves.host_minutes; ALTER TABLE evolves.hosts DROP '
           'COLUMN idle_percent; DELETE FROM evolves.files; '
           'DELETE FROM evolves.hosts')
    run(pg, GREENPLUM, '--schema', 'evolves')
    got = table(pg, 'evolves', 'hosts')
    equal([sorted(r.items()) for r in got], [sorted(r.items()) for r in
                                             want], 'hosts')
    comment = pg.sql(
        "SELECT col_description('evolves.hosts'::regclass, attnum) FROM "
        "pg_attribute WHERE attrelid = 'evolves.hosts'::regclass AND "
        "attname = 'idle_percent'")
    check(comment, 'a column that was added has a comment')
    test_no_server(pg)
    pg.sql('ALTER TABLE evolves.disks ALTER reads_per_second TYPE text')
    said = run(pg, POSTGRES, '--schema', 'evolves', status=2)
    check('evolves.disks.reads_per_second is text, expected double' in said,
          said)
    pg.sql("INSERT INTO evolves.schema_version VALUES (99, now(), '9.9')")
    said = run(pg, POSTGRES, '--schema', 'evolves', status=2)
    check('has version 99, made by gpsnap 9.9' in said, said)


def test_views(pg):
    run(pg, GREENPLUM, '--schema', 'asked')
    got = csv_rows(pg.sql('COPY (SELECT * FROM asked.session_history) TO '
                          'STDOUT (FORMAT csv, HEADER)'))
    want = {r['session']: r for r in replay('sessions', GREENPLUM)}
    equal({r['session'] for r in got}, set(want), 'sessions')
    for row in got:
        if row['cpu_seconds']:
            check(abs(float(row['cpu_seconds']) - float(
                want[row['session']]['cpu_seconds'])) < 1e-9, 'cpu')
    # of many steps each query is one row, as in a table of all
    got = csv_rows(pg.sql('COPY (SELECT query, cpu_seconds FROM '
                          'steps.query_history) TO STDOUT (FORMAT csv, HEADER)'))
    want = {r['query']: float(r['cpu_seconds'] or 0)
            for r in replay('queries', GREENPLUM)}
    check(len(want) > 5, 'queries: %r' % want)
    equal(sorted(r['query'] for r in got), sorted(want), 'queries of steps')
    for row in got:
        check(abs(float(row['cpu_seconds'] or 0) - want[row['query']]) < 1e-6,
              '%r' % row)
    for view in ('query_history', 'session_minutes', 'host_minutes',
                 'skew_minutes'):
        check(int(pg.sql('SELECT count(*) FROM asked.' + view)) > 0, view)
    days = pg.sql("SELECT relname FROM pg_class WHERE relispartition AND "
                  "relnamespace = 'asked'::regnamespace AND relname LIKE "
                  "'hosts%' AND relkind = 'r'")
    equal(days, 'hosts_p20261120', 'a partition for the day')


def test_manual(pg):
    """Examples of the manual, and how it drops days."""
    run(pg, GREENPLUM, POSTGRES)
    with open(os.path.join(gstest.TOP, 'man', 'gpsnap-load.1'),
              encoding='utf-8') as f:
        man = f.read()
    queries = re.findall(r'^SELECT .*?;$', man, re.DOTALL | re.MULTILINE)
    equal(len(queries), 3, 'queries in the manual')
    for query in queries:
        check(pg.sql(query) or 'now()' in query, query)
    drop = re.search(r'-Atc "(SELECT .*?)"', man, re.DOTALL).group(1)
    said = pg.sql(drop.replace('20261101', '20261121'))
    check(len(said.split('\n')) > 10, said)
    pg.sql(said)
    equal(pg.sql('SELECT DISTINCT (step AT TIME ZONE \'UTC\')::date FROM '
                 'gpsnap.hosts'), '2026-11-21', 'days that are left')
    check(run(pg, GREENPLUM, POSTGRES).startswith('0 rows '), 'loaded again')


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def test_minutes(pg):
    """Steps of seconds in views of minutes, beside replay's."""
    run(pg, GREENPLUM, '--schema', 'fine', '--every', '4s')
    # a mirror is not one of the segments that are compared
    pg.sql("INSERT INTO fine.segments (recording, step, step_end, segment, "
           "role, cpu_seconds) SELECT recording, step, step_end, 0, 'mirror', "
           "1000 FROM fine.segments LIMIT 1")
    steps = {}
    for row in replay('sessions', GREENPLUM, '--every', '4s'):
        if row['memory']:
            steps[row['time']] = steps.get(row['time'], 0) + float(
                row['memory'])
    cpu = [float(r['cpu_seconds']) for r in replay('segments', GREENPLUM)
           if r['segment'] not in ('', '-1')]
    host = replay('hosts', GREENPLUM, '--every', '4s')
    covered = [float(c) for c in pg.sql(
        'SELECT covered_seconds FROM fine.hosts ORDER BY step').split()]
    user = [float(r['user_percent']) for r in host]

    def close(sql, want):
        got = float(pg.sql('SELECT ' + sql))
        check(abs(got - want) <= 1e-9 * abs(want), '%s: got %r, want %r' % (
            sql, got, want))

    close('memory FROM fine.session_minutes', mean(steps.values()))
    close('skew FROM fine.skew_minutes', max(cpu) / mean(cpu))
    close('user_percent FROM fine.host_minutes', sum(
        u * c for u, c in zip(user, covered)) / sum(covered))
    # what was not measured is no zero
    pg.sql('UPDATE fine.hosts SET user_percent = NULL WHERE step = '
           '(SELECT min(step) FROM fine.hosts)')
    close('user_percent FROM fine.host_minutes', sum(
        u * c for u, c in zip(user[1:], covered[1:])) / sum(covered[1:]))


def test_threads(pg):
    """The same rows with one thread and with two, and the same errors."""
    for n in '12':
        run(pg, GREENPLUM, '--schema', 'thr' + n, '--threads', n, '--every',
            '2s', '--tables', 'all')
    for name in tables(pg, 'thr1'):
        equal(pg.sql('SELECT count(*) FROM ((TABLE thr1."%s" EXCEPT ALL TABLE '
                     'thr2."%s") UNION ALL (TABLE thr2."%s" EXCEPT ALL TABLE '
                     'thr1."%s")) x' % ((name,) * 4)).strip(), '0', name)
    for n in '12':
        schema = 'bad' + n
        run(pg, POSTGRES, '--schema', schema)
        pg.sql('ALTER TABLE %s.sessions ADD CHECK (step < \'2026-11-22\') '
               'NOT VALID' % schema)
        said = run(pg, INCIDENT, '--schema', schema, '--threads', n, status=2)
        check('sessions_step_check' in said, said)
        equal(pg.sql('SELECT count(*) FROM %s.files' % schema).strip(), '1',
              'files')
        pg.sql('ALTER TABLE %s.sessions DROP CONSTRAINT sessions_step_check'
               % schema)
        run(pg, INCIDENT, '--schema', schema, '--threads', n)


def test_refused(pg):
    secret = 'hunter2'
    for bad in ('host=/tmp password=%s extra %s' % (secret, secret),
                'postgresql://u:%s@%s@nowhere/db' % (secret, secret),
                'host=%s/none password=%s' % (pg.tmp.path, secret)):
        done = subprocess.run(
            [gstest.binary('gpsnap'), 'load', GREENPLUM, '--dsn', bad],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            check=False)
        check(done.returncode in (2, 64), done.stdout)
        check(secret not in done.stdout, 'a password is told: ' +
              done.stdout)
    said = run(pg, pg.tmp.file('nothing.gpsnap'), status=2)
    check('nothing.gpsnap: No such file' in said, said)
    bad = pg.tmp.file('bad')
    os.mkdir(bad)
    shutil.copy(GREENPLUM, bad)
    with open(os.path.join(bad, 'x.gpsnap'), 'wb') as f:
        f.write(b'no recording')
    said = run(pg, bad, '--schema', 'bad', status=1)
    check('x.gpsnap' in said and '1 recording loaded' in said, said)


def test_encodings(pg):
    """A database that does not have all characters."""
    path = pg.tmp.file('donn\u00e9es-\u65e5.gpsnap')
    shutil.copy(GREENPLUM, path)
    for encoding in ('LATIN1', 'SQL_ASCII', 'LATIN2'):
        pg.run('createdb', '-E', encoding, '-T', 'template0', '--locale=C',
               encoding.lower())
        to = dsn(pg).replace('dbname=postgres', 'dbname=' + encoding.lower())
        gstest.gpsnap('load', path, '-q', '--dsn', to)
        got = pg.run('psql', '-X', '-q', '-A', '-t', '-d', to, '-c',
                     "SET client_encoding = 'UTF8'; "
                     "SELECT path FROM gpsnap.files").strip()
        want = {'LATIN1': 'donn\u00e9es-/xE6/x97/xA5',
                'LATIN2': 'donn/xC3/xA9es-/xE6/x97/xA5',
                'SQL_ASCII': 'donn\u00e9es-\u65e5'}[encoding]
        equal(got[got.index('donn'):], want + '.gpsnap', encoding)


def main():
    with gstest.Postgres() as pg:
        test_equal(pg)
        test_steps(pg)
        test_told(pg)
        test_grown(pg)
        test_files(pg)
        test_live(pg)
        test_killed(pg)
        test_stopped(pg)
        test_schema(pg)
        test_views(pg)
        test_manual(pg)
        test_minutes(pg)
        test_threads(pg)
        test_refused(pg)
        test_encodings(pg)


main()
