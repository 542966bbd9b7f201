#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many connections, slow ones, many requests at a time, hostile recordings:
gpsnap web goes on, within its limits."""
import json
import os
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))

import gstest
from gstest import check, equal
from weblib import INCIDENT, SAMPLES, Web, long_recording

SPILL = os.path.join(SAMPLES, 'greenplum6-spill.gpsnap')
HOSTILE = os.path.join(gstest.TOP, 'tests', 'hostile', 'hostile_files.py')
JOBS = 4
PLACES = JOBS + 16
RSS_KIB = 400000 if gstest.SANITIZED else 60000


def connect(web):
    return socket.create_connection((web.host, web.port), 20)


def test_flood(web):
    """200 connections that say nothing: the next one is served within
    seconds."""
    held = [connect(web) for _ in range(200)]
    start = time.monotonic()
    web.get('state')
    took = time.monotonic() - start
    check(took < 20, 'served after %.1f s' % took)
    check(web.rss_kib() < RSS_KIB, '%d KiB' % web.rss_kib())
    for s in held:
        s.close()
    web.get('state')


def test_unread(web):
    """Connections that ask and do not take the answers, without the token: the
    next one is served within seconds."""
    held = []
    asked = b'GET /x HTTP/1.1\r\nHost: %s:%d\r\n\r\n' % (
        web.host.encode(), web.port)
    for _ in range(64):
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        s.connect((web.host, web.port))
        s.settimeout(0.2)
        held.append(s)
        try:
            while True:
                s.sendall(asked * 20)
        except OSError:
            pass
    start = time.monotonic()
    web.get('state')
    took = time.monotonic() - start
    check(took < 30, 'served after %.1f s' % took)
    for s in held:
        s.close()


def test_slow(web):
    """A client that sends a byte now and then is gone when its time is up."""
    with connect(web) as s:
        start = time.monotonic()
        try:
            for c in b'GET /x HTTP/1.1\r\nHost: localhost\r\nA: ' + b'a' * 900:
                s.sendall(bytes([c]))
                time.sleep(0.4)
                if time.monotonic() - start > 25:
                    break
        except ConnectionError:
            pass
        took = time.monotonic() - start
        check(9 < took < 20, 'gone after %.1f s' % took)


def test_many(web):
    """Requests at a time: some wait, the rest are told to come again; none is
    lost."""
    got = []

    def ask():
        status, headers, body = web.request(
            '/%s/view?view=processes&ticks=1&limit=0' % web.token)
        got.append((status, headers.get('Retry-After'), len(body)))

    threads = [threading.Thread(target=ask) for _ in range(40)]
    for t in threads:
        t.start()
    most = 0
    while any(t.is_alive() for t in threads):
        most = max(most, len(web.children()))
        time.sleep(0.005)
    equal(len(got), 40, 'answers')
    good = [g for g in got if g[0] == 200]
    check(PLACES <= len(good) < 40, '%d of 40 were answered' % len(good))
    equal({g[2] for g in good}, {good[0][2]}, 'alike')
    equal({g[:2] for g in got} - {(200, None)}, {(503, '1')}, 'others')
    check(most <= JOBS, '%d processes' % most)


def confined(pid):
    """It has given up its rights."""
    try:
        with open('/proc/%d/status' % pid) as f:
            return 'Seccomp:\t2\n' in f.read()
    except OSError:
        return False


def test_untaken():
    """Answers that nobody takes: there are only so many, and they go with their
    connections."""
    ask = 'view?view=processes&ticks=1&limit=0'
    with Web(SPILL) as web:
        held = []
        for _ in range(PLACES):
            s = socket.socket()
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            s.connect((web.host, web.port))
            s.sendall(('GET /%s/%s HTTP/1.1\r\nHost: localhost\r\n\r\n'
                       % (web.token, ask)).encode())
            held.append(s)
        gstest.wait_for('answers', lambda: all(
            s.recv(1, socket.MSG_PEEK) for s in held))
        status, _, _ = web.request('/%s/%s' % (web.token, ask))
        equal(status, 503, 'no place is left')
        web.get('state')
        check(web.rss_kib() < RSS_KIB, '%d KiB' % web.rss_kib())
        for s in held:
            s.close()
        gstest.wait_for('room', lambda: web.request(
            '/%s/%s' % (web.token, ask))[0] == 200)


def test_gone(web):
    """A request is a process in a sandbox; when nobody waits for its answer, it
    ends."""
    with connect(web) as s:
        s.sendall(('GET /%s/view?view=processes&ticks=1&limit=1 HTTP/1.1\r\n'
                   'Host: localhost\r\n\r\n' % web.token).encode())
        gstest.wait_for('a process in a sandbox', lambda: any(
            confined(pid) for pid in web.children()))
    gstest.wait_for('its end', lambda: not web.children(), 3)


def test_large(path):
    with Web(path) as web:
        said = web.error('view', 507, view='processes', ticks=1, limit=0)
        check('64 MiB' in said, said)
        check(web.rss_kib() < RSS_KIB, '%d KiB' % web.rss_kib())


def test_late(path):
    with Web(path, '--request-time', '1s') as web:
        start = time.monotonic()
        said = web.error('view', 504, view='processes', ticks=1, limit=1)
        check('longer than 1 s' in said, said)
        check(time.monotonic() - start < 5, 'it is ended')
        equal(web.children(), [], 'processes')
        web.get('state')


def test_hostile(d):
    """What strangers may have made: each request ends, within its memory, and
    the server does not notice."""
    path = d.file('x.gpsnap')
    names = subprocess.run([sys.executable, '-B', HOSTILE],
                           stdout=subprocess.PIPE, text=True,
                           check=True).stdout.split()
    for name in ('rows_times_columns', 'texts_by_the_million',
                 'a_server_per_process', 'magics'):
        check(name in names, name)
        subprocess.run([sys.executable, '-B', HOSTILE, path, name],
                       check=True)
        with Web(path, '--request-time', '5s') as web:
            for ask in ('data', 'view', 'findings'):
                status, _, body = web.request('/%s/%s' % (web.token, ask))
                check(status in (200, 422, 504), '%s %s: %d' % (
                    name, ask, status))
                if status != 200:
                    check(json.loads(body)['error'], '%s %s' % (name, ask))
            web.get('state')
            check(web.rss_kib() < RSS_KIB, '%s: %d KiB' % (
                name, web.rss_kib()))
        os.unlink(path)


def test_none(d):
    """Files that become none, and that go."""
    path = d.file('y.gpsnap')
    with open(path, 'wb') as f:
        f.write(bytes.fromhex('28b52ffd') + b'x' * 1000)
    with Web(path) as web:
        check('y.gpsnap' in web.error('data', 422), 'named')
        os.unlink(path)
        check('y.gpsnap' in web.error('view', 422), 'gone')
        equal(json.loads(web.get('state'))['files'], 0, 'state')


def test_end(path):
    """Its processes end with it."""
    web = Web(path)
    with connect(web) as s:
        s.sendall(('GET /%s/view?view=processes&ticks=1&limit=1 HTTP/1.1\r\n'
                   'Host: localhost\r\n\r\n' % web.token).encode())
        pids = gstest.wait_for('a process', web.children)
        status, _ = web.stop()
        equal(status, 0, 'the end')
        for pid in pids:
            check(not os.path.exists('/proc/%d' % pid), 'process %d' % pid)


def main():
    with gstest.TempDir() as d:
        with Web(INCIDENT) as web:
            test_flood(web)
            test_unread(web)
            test_slow(web)
            test_many(web)
        test_untaken()
        path = long_recording(d.file('long.gpsnap'), 10000, 500)
        with Web(path) as web:
            test_gone(web)
        test_large(path)
        test_late(path)
        test_end(path)
        test_hostile(d)
        test_none(d)
    return 0


sys.exit(main())
