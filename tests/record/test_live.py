#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gpsnap live: tables of what is being sampled, as replay would show them."""
import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

GPSNAP = os.path.join(os.environ['GS_BIN'], 'gpsnap')


def live(place, *argv, want=0):
    done = subprocess.run([GPSNAP, 'live', *argv], cwd=place,
                          env=dict(os.environ, HOME=place,
                                   GPSNAP_NO_CATALOG='1'),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == want, (argv, done.returncode, done.stderr)
    return done.stdout.decode(), done.stderr.decode()


def a_database_that_never_answers_is_told(place):
    _, err = live(place, '-i', '0.3', '-n', '2', '-V', 'hosts', '--dsn',
                  'host=127.0.0.1 port=1', want=1)
    assert 'database' in err, err


def one_table_for_each_sample(place):
    out, _ = live(place, '-i', '0.5', '-n', '3', '-V', 'hosts', '-f', 'json')
    tables = [json.loads(line) for line in out.splitlines()]
    assert len(tables) == 3, out
    for table, after in zip(tables, tables[1:]):
        assert table['to'] == after['from'], (table['to'], after['from'])
    for table in tables:
        assert 0.2 < table['covered_seconds'] < 2, table
        assert len(table['rows']) == 1, table
    assert os.listdir(place) == [], 'files were left'


def figures_are_those_of_the_kernel(place):
    """A process that only computes has about all of a CPU."""
    with subprocess.Popen([sys.executable, '-c', 'while True: pass']) as busy:
        out, _ = live(place, '-i', '1', '-n', '2', '--all', '-V', 'processes',
                      '-f', 'csv', '-w', 'pid = %d' % busy.pid)
        with open('/proc/%d/stat' % busy.pid, encoding='ascii') as f:
            ticks = sum(map(int, f.read().rsplit(') ', 1)[1].split()[11:13]))
        busy.kill()
    rows = list(csv.DictReader(io.StringIO(out, newline='')))
    assert len(rows) == 2, out
    used = sum(float(r['cpu_seconds']) for r in rows)
    assert 0 < used <= ticks / os.sysconf('SC_CLK_TCK') + 0.05, (used, ticks)
    assert used > 0.02, used  # of two seconds, however loaded the machine is


def windows_say_what_has_passed(place):
    out, _ = live(place, '-i', '0.5', '-n', '2', '-W', '0.5s,1s,1h', '-V',
                  'hosts', '-f', 'json')
    tables = [json.loads(line) for line in out.splitlines()]
    assert [t['window_seconds'] for t in tables] == [0.5, 1, 3600] * 2
    assert [len(t['rows']) for t in tables[3:]] == [1, 1, 0], tables
    out, _ = live(place, '-i', '0.5', '-n', '1', '-W', '0.5s,1h', '-V',
                  'hosts')
    assert re.search(r'last 1h \([0-9.]+s of it recorded: no figures yet\)',
                     out), out


def wrong_usage_samples_nothing(place):
    for argv, text in ((['-V', 'hostz'], 'did you mean hosts'),
                       (['-W', '5s,1s'], 'rising'),
                       (['-V', 'hosts', '-w', 'nosuch > 1', '-i', '0.1'],
                        'nosuch'),
                       (['-f', 'openmetrics', '-V', 'hosts'], '-n 1'),
                       (['a.gpsnap'], 'unexpected')):
        _, err = live(place, *argv, want=64)
        assert text in err, (argv, err)


def a_closed_pipe_and_a_signal_end_it(place):
    for how in ('pipe', 'signal'):
        with subprocess.Popen([GPSNAP, 'live', '-i', '0.2', '-V', 'hosts'],
                              cwd=place, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE,
                              env=dict(os.environ, GPSNAP_NO_CATALOG='1')
                              ) as child:
            child.stdout.readline()
            if how == 'pipe':
                child.stdout.close()
            else:
                child.send_signal(signal.SIGINT)
                child.stdout.read()
            end = time.monotonic() + 30
            while child.poll() is None:
                assert time.monotonic() < end, how + ': does not end'
                time.sleep(0.05)
            want = 2 if how == 'pipe' else 0  # nobody got it
            assert child.returncode == want, (how, child.returncode)


def main():
    for case in (a_database_that_never_answers_is_told,
                 one_table_for_each_sample,
                 figures_are_those_of_the_kernel,
                 windows_say_what_has_passed, wrong_usage_samples_nothing,
                 a_closed_pipe_and_a_signal_end_it):
        with tempfile.TemporaryDirectory(prefix='gpsnap-test-') as place:
            case(place)
        print(case.__name__ + ': ok')


main()
