#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The real Prometheus scrapes a recorder of a real PostgreSQL; each query of the
dashboard gives data."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))

import gstest
from gstest import check, equal

GRAFANA = os.path.join(gstest.TOP, 'dist', 'grafana')
SCRAPES = 8
# What the dashboard's variables stand for.
VARIABLES = {'$host': '.*', '$server': '.*', '$__rate_interval': '10s'}


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


def panels():
    with open(os.path.join(GRAFANA, 'gpsnap.json')) as f:
        board = json.load(f)
    return [(p['title'], t['expr']) for p in board['panels']
            for t in p['targets']], board


def expand(expr):
    for name, value in VARIABLES.items():
        expr = expr.replace(name, value)
    check('$' not in expr, expr)
    return expr


class Prometheus:
    """On loopback, with the example of dist/."""

    def __init__(self, d, target):
        self.port = free_port()
        with open(os.path.join(GRAFANA, 'prometheus.yml')) as f:
            text = f.read()
        check('localhost:9464' in text, 'the example')
        text = text.replace('localhost:9464', target)
        text = re.sub(r'scrape_interval: \w+', 'scrape_interval: 1s', text)
        conf = d.file('prometheus.yml')
        with open(conf, 'w') as f:
            f.write(text)
        self.log = open(d.file('prometheus.log'), 'wb')
        self.child = subprocess.Popen(
            [shutil.which('prometheus'), '--config.file=' + conf,
             '--storage.tsdb.path=' + d.file('tsdb'),
             '--web.listen-address=127.0.0.1:%d' % self.port,
             '--log.level=warn'], stdout=self.log, stderr=self.log,
            env=dict(os.environ, GOMAXPROCS='1'))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.send_signal(signal.SIGTERM)
        self.child.wait(timeout=30)
        self.log.close()

    def ask(self, path, **params):
        url = 'http://127.0.0.1:%d/api/v1/%s?%s' % (
            self.port, path, urllib.parse.urlencode(params))
        try:
            with urllib.request.urlopen(url, timeout=30) as r:
                return json.load(r)['data']
        except urllib.error.HTTPError as e:
            if e.code == 503:
                return None  # it begins
            return gstest.fail('%s: %s' % (params, e.read().decode()))
        except OSError:
            return None

    def result(self, query):
        data = self.ask('query', query=query)
        return data['result'] if data else []


def busy(pg):
    """A session that computes, one that waits for the lock of another, and one
    that sorts."""
    pg.sql('create table t as select i from generate_series(1, 1000) i')
    texts = ('begin; lock table t in access exclusive mode; '
             'select pg_sleep(600)',
             'select pg_sleep(1); select count(*) from t',
             'select count(*) from generate_series(1, 2000000000) i')
    return [pg.popen(['psql', '-X', '-q', '-c', text],
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for text in texts]


def record(pg, d, port):
    return subprocess.Popen(
        [gstest.binary('gpsnap'), 'record', '-q', '-i', '0.5', '-o',
         d.file('p.gpsnap'), '--metrics', ':%d' % port,
         '-D', pg.data, '--dsn', 'host=%s port=%d user=%s dbname=postgres' % (
             pg.tmp.path, pg.port, pg.owner.pw_name)],
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)


def check_identity(prom):
    """Series of half a minute are those of its end: none came and went but
    sessions."""
    names = prom.ask('label/__name__/values')
    mine = [n for n in names if n.startswith('gpsnap_')]
    check(len(mine) > 100, '%d families' % len(mine))
    for name in ('gpsnap_host_cpu_user_seconds_total',
                 'gpsnap_wait_seconds_total', 'gpsnap_disk_reads_total'):
        series = prom.ask('series', **{'match[]': name})
        now = prom.result(name)
        equal(len(series), len(now), name + ': series')


def check_values(prom):
    locked = prom.result('gpsnap_server_sessions_locked{server="shop"}')
    equal([s['value'][1] for s in locked], ['1'], 'who waits for a lock')
    load = {s['metric']['class']: float(s['value'][1]) for s in prom.result(
        'sum by (class) (rate(gpsnap_wait_seconds_total{server="shop"}[10s]))')}
    check(0.7 < load.get('Lock', 0) < 1.3, 'load: %s' % load)
    cpu = prom.result('topk(1, rate(gpsnap_session_cpu_seconds_total[10s]))')
    check(float(cpu[0]['value'][1]) > 0.05, 'CPU: %s' % cpu)
    target = prom.result('up')
    equal([s['value'][1] for s in target], ['1'], 'up')


def check_board(prom, queries, board):
    equal(len({p['id'] for p in board['panels']}), len(board['panels']),
          'ids')
    empty = [q for q in queries if not prom.result(expand(q[1]))]
    equal(empty, [], 'queries without data')


def main():
    if not shutil.which('prometheus'):
        gstest.skip('there is no prometheus')
    queries, board = panels()
    check(len(queries) > 12, 'queries')
    port = free_port()
    with gstest.Postgres(settings=['cluster_name=shop']) as pg, gstest.TempDir(pg.owner) as d:
        clients = busy(pg)
        recorder = record(pg, d, port)
        try:
            with Prometheus(d, 'localhost:%d' % port) as prom:
                gstest.wait_for('scrapes', lambda: any(
                    float(s['value'][1]) >= SCRAPES for s in prom.result(
                        'count_over_time(gpsnap_host_up[60s])')))
                gstest.wait_for('a wait', lambda: prom.result(
                    'gpsnap_server_sessions_locked{server="shop"} == 1'))
                time.sleep(10)
                check_board(prom, queries, board)
                check_values(prom)
                check_identity(prom)
        finally:
            recorder.send_signal(signal.SIGTERM)
            for c in clients:
                c.terminate()
            said = recorder.communicate(timeout=30)[1].decode()
        check(gstest.ended_well(recorder.returncode, said), said)
    return 0


sys.exit(main())
