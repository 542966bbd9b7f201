#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""/metrics of record --metrics and of web --live: valid in both formats, of
stable identity, counters that only grow; and what it refuses."""
import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))

import gstest
from gstest import check, equal
from weblib import Web
from pagefile import data_of

OPENMETRICS = 'application/openmetrics-text; version=1.0.0'
# What identifies; never what changes, such as a state or a command.
LABELS = {'host', 'server', 'session', 'user', 'database', 'segment', 'disk',
          'net', 'mount', 'group', 'kind', 'class', 'version'}


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


def get(port, path='/metrics', headers=None, method='GET'):
    c = http.client.HTTPConnection('127.0.0.1', port, timeout=30)
    try:
        c.request(method, path, headers=headers or {})
        r = c.getresponse()
        return r.status, r.headers['Content-Type'], r.read().decode()
    finally:
        c.close()


def samples(text):
    """{name and labels: value}"""
    return {line.rsplit(' ', 1)[0]: float(line.rsplit(' ', 1)[1])
            for line in text.splitlines() if not line.startswith('#')}


def promtool(text):
    path = shutil.which('promtool')
    if not path:
        print('not checked: there is no promtool')
        return
    run = subprocess.run([path, 'check', 'metrics'], input=text, text=True,
                         capture_output=True, check=False)
    equal((run.returncode, run.stdout + run.stderr), (0, ''), 'promtool')


def check_formats(port):
    status, kind, plain = get(port)
    equal((status, kind), (200, 'text/plain; version=0.0.4; charset=utf-8'),
          'plain')
    promtool(plain)
    check('# EOF' not in plain and '# UNIT' not in plain, 'plain')
    status, kind, om = get(port, headers={'Accept': OPENMETRICS})
    equal((status, kind.split(';')[0]),
          (200, 'application/openmetrics-text'), 'OpenMetrics')
    check(om.endswith('# EOF\n'), 'the end')
    check('# UNIT gpsnap_host_cpu_user_seconds seconds\n' in om, 'a unit')
    try:
        from prometheus_client.openmetrics.parser import (
            text_string_to_metric_families as parse)
    except ImportError:
        print('not parsed: there is no python3-prometheus-client')
        return
    names = {f.name for f in parse(om)}
    check({'gpsnap_host_up', 'gpsnap_user_cpu_seconds', 'gpsnap_recorder_ticks',
           'gpsnap'} <= names, 'families')


def check_labels(text):
    for name in samples(text):
        for label in re.findall(r'[{,](\w+)="', name):
            check(label in LABELS, name)
    helps = re.findall(r'^# HELP (\w+) (.*)$', text, re.M)
    equal(len(helps), len({h[0] for h in helps}), 'each family once')
    check(all(h[1] for h in helps), 'each has a help')


def check_grows(port, interval):
    first = samples(get(port)[2])
    time.sleep(interval * 4)
    last = samples(get(port)[2])
    less = [n for n, v in first.items() if '_total' in n and
            last.get(n, v) < v]
    equal(less, [], 'counters')
    for name in ('gpsnap_recorder_ticks_total',
                 'gpsnap_recorder_written_bytes_total'):
        check(last[name] > first[name], name)
    cpu = [n for n in first if n.startswith('gpsnap_user_cpu_seconds_total')]
    check(sum(last[n] for n in cpu) > sum(first[n] for n in cpu), 'CPU time')
    check(abs(last['gpsnap_recorder_last_tick_timestamp_seconds'] -
              time.time()) < 30, 'time')


def check_refusals(port):
    for path in ('/', '/data', '/metrics/x', '/metricsx', '/../metrics'):
        equal(get(port, path)[0], 404, path)
    equal(get(port, '/metrics?x=1')[0], 200, 'parameters')
    equal(get(port, method='POST')[0], 405, 'POST')
    equal(get(port, headers={'Host': 'evil.example'})[0], 403, 'Host')
    equal(get(port, headers={'Origin': 'http://evil.example'})[0], 403,
          'Origin')
    equal(get(port, headers={'Host': 'localhost:%d' % port})[0], 200, 'Host')


def start(d, port, *argv):
    return subprocess.Popen(
        [gstest.binary('gpsnap'), 'record', '-q', '-i', '0.5', '-a', '-o',
         d.file('%d.gpsnap' % port), '--metrics', ':%d' % port, *argv],
        env=dict(os.environ, GPSNAP_NO_CATALOG='1'),
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)


def answers(port):
    try:
        return 'gpsnap_user_cpu' in get(port)[2]
    except OSError:
        return False


def test_record(d):
    port = free_port()
    child = start(d, port)
    gstest.wait_for('metrics', lambda: answers(port))
    check_formats(port)
    check_labels(get(port)[2])
    check_grows(port, 0.5)
    check_refusals(port)
    # only this host
    with open('/proc/net/tcp') as f:
        places = [line.split()[1] for line in f if '%04X' % port in line]
    equal({p for p in places if p.endswith(':%04X' % port)},
          {'0100007F:%04X' % port}, 'address')
    second = start(d, port)
    said = second.communicate(timeout=30)[1].decode()
    equal(second.returncode, 2, said)
    check('in use' in said, said)
    # a client that hangs delays no sample
    with socket.create_connection(('127.0.0.1', port)) as s:
        s.sendall(b'GET /metrics HTTP/1.1\r\n')
        check_grows(port, 0.5)
    child.send_signal(signal.SIGTERM)
    said = child.communicate(timeout=30)[1].decode()
    check(gstest.ended_well(child.returncode, said), said)


def test_usage(d):
    for word in ('9464', ':0', ':x', ':99999', 'a:b:c', '1.2.3.4:'):
        run = subprocess.run(
            [gstest.binary('gpsnap'), 'record', '-n', '1', '-o',
             d.file('no'), '--metrics', word], capture_output=True,
            check=False, timeout=60)
        check(run.returncode in (2, 64), '%s: %s' % (word, run.stderr))
    check(not os.path.exists(d.file('no')), 'nothing is recorded')


def test_live():
    """The page of what happens now, and its metrics; nothing is left."""
    web = Web('--live', '-i', '0.5', '-a')
    gstest.wait_for('metrics', lambda: answers(web.port))
    check_labels(get(web.port)[2])
    gstest.wait_for('data', lambda: web.request(
        '/%s/data' % web.token)[0] == 200)
    head = data_of(web.request('/%s/data' % web.token)[2])
    equal(head['title'], 'live', 'heading')
    with open('/proc/%d/environ' % web.child.pid) as f:
        top = dict(v.split('=', 1) for v in f.read().split('\0')
                   if '=' in v).get('TMPDIR', '/tmp')
    status, said = web.stop()
    check(status in (0, 1), said)
    equal([n for n in os.listdir(top) if n.startswith('gpsnap-web.')], [],
          'nothing is left')


def main():
    with gstest.TempDir() as d:
        os.environ['TMPDIR'] = d.path
        test_record(d)
        test_usage(d)
        test_live()
    return 0


sys.exit(main())
