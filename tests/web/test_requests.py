#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What gpsnap web answers, and what it refuses: strangers, other sites' pages,
paths, parameters, garbage.  Answers are those of the commands."""
import os
import random
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))

import gstest
from gstest import check, equal
from weblib import INCIDENT, Web
from pagefile import data_of

UNSEEN = b'postgresql15-incident'


def test_page(web):
    status, headers, page = web.request('/%s/' % web.token)
    equal(status, 200, 'page')
    policy = headers['Content-Security-Policy']
    for word in ("default-src 'none'", "script-src 'sha256-",
                 "connect-src 'self'", "frame-ancestors 'none'"):
        check(word in policy, '%s: %s' % (word, policy))
    check('unsafe' not in policy, policy)
    equal([headers[k] for k in ('X-Content-Type-Options', 'X-Frame-Options',
                                'Referrer-Policy', 'Cache-Control')],
          ['nosniff', 'DENY', 'no-referrer', 'no-store'], 'headers')
    check(b'octet-stream' not in page, 'it has no data of its own')
    status, headers, page = web.request('/%s/' % web.token, 'HEAD')
    equal((status, page), (200, b''), 'HEAD')


def test_strangers(web):
    """Neither the page nor anything below it without the token."""
    other = '0' * 32
    for path in ('/', '/data', '/view?view=sessions', '/%s/' % other,
                 '/%s/data' % other, '/%s/' % web.token[:-1],
                 '/%s0/' % web.token, '//%s/' % web.token,
                 '/%s' % web.token, '/metrics', '/favicon.ico'):
        status, _, body = web.request(path)
        check(status in (403, 404), '%s: %d' % (path, status))
        check(UNSEEN not in body, path)


def test_sites(web):
    own = '127.0.0.1:%d' % web.port
    path = '/%s/state' % web.token
    for headers, want in (
            ({}, 200), ({'Host': 'localhost:9000'}, 200),
            ({'Host': '[::1]:9000'}, 200), ({'Host': own}, 200),
            ({'Host': own, 'Origin': 'http://' + own}, 200),
            ({'Host': own, 'Sec-Fetch-Site': 'same-origin'}, 200),
            ({'Host': own, 'Sec-Fetch-Site': 'none'}, 200),
            ({'Host': 'evil.example'}, 403),
            ({'Host': 'localhost.evil.example'}, 403),
            ({'Host': '127.0.0.1.evil.example:%d' % web.port}, 403),
            ({'Host': ''}, 403), ({'Host': 'localhost:x'}, 403),
            ({'Host': own, 'Origin': 'http://evil.example'}, 403),
            ({'Host': own, 'Origin': 'null'}, 403),
            ({'Host': own, 'Origin': 'https://' + own}, 403),
            ({'Host': own, 'Origin': 'http://localhost:3000'}, 403),
            ({'Host': own, 'Sec-Fetch-Site': 'cross-site'}, 403),
            ({'Host': own, 'Sec-Fetch-Site': 'same-site'}, 403)):
        status, _, _ = web.request(path, headers=headers)
        equal(status, want, str(headers))
    for one, other in ((b'Host: localhost', b'Host: evil.example'),
                       (b'Host: localhost', b'Host : evil.example'),
                       (b'Host: localhost\r\nOrigin: http://localhost',
                        b'Origin: http://evil.example'),
                       (b'Host: localhost\r\nContent-Length: 0',
                        b'Content-Length: 0')):
        two = web.raw(b'GET %s HTTP/1.1\r\n%s\r\n%s\r\nConnection: close\r\n\r\n'
                      % (path.encode(), one, other))
        check(b' 400 ' in two.split(b'\r\n')[0], 'twice: %r' % two[:100])


def test_methods(web):
    path = '/%s/state' % web.token
    for method in ('POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'):
        status, _, _ = web.request(path, method)
        equal(status, 405, method)
    status, _, _ = web.request(path, 'POST', {'Content-Length': '4'}, b'abcd')
    equal(status, 405, 'a body')


def test_paths(web):
    """No path is a file's."""
    for path in ('../etc/passwd', '..%2f..%2fetc/passwd', '/etc/passwd',
                 '....//etc/passwd', '%00', 'data%00', 'state/', 'state/x',
                 'data/../state', 'x' * 3000, '~', '\\etc', 'view;x',
                 'index.html', '.git/config'):
        status, _, body = web.request('/%s/%s' % (web.token, path))
        check(status in (400, 404), '%s: %d' % (path[:40], status))
        check(b'root:' not in body, path[:40])


def test_same(web):
    """Bytes are those of a terminal."""
    for name, command, params in (
            ('view', 'replay', {'view': 'sessions', 'limit': '3'}),
            ('view', 'replay', {'view': 'processes', 'from': '+20s',
                                'to': '+21s', 'columns': 'pid,host,cpu',
                                'where': 'cpu > 1', 'sort': '-pid'}),
            ('view', 'replay', {'view': 'hosts', 'every': '30s'}),
            ('view', 'replay', {'view': 'waits', 'at': '+30s'}),
            ('view', 'replay', {'view': 'processes',
                                'group-by': 'user,database'}),
            ('find', 'replay', {'find': 'host.busy > 90%'}),
            ('findings', 'findings', {'limit': '2'})):
        own = web.get(name, **params)
        words = ['--%s=%s' % p for p in params.items()]
        equal(own, gstest.gpsnap(command, '--format=json', *words, '--',
                                 INCIDENT, status=(0, 1, 3)),
              '%s %s' % (name, params))
        check(len(own) > 500, 'something')
    ticks = web.get('view', view='hosts', ticks=1).splitlines()
    equal(len(ticks), 79, 'a table for each sample')


def test_data(web):
    head = data_of(web.get('data', **{
        'from': '2026-11-22T17:51:20Z', 'to': '2026-11-22T17:51:30Z'}))
    equal((head['steps'], head['ticks']), (10, 10), 'down to samples')


def children_s(web):
    """CPU time of the commands that have ended."""
    with open('/proc/%d/stat' % web.child.pid) as f:
        fields = f.read().rsplit(')', 1)[1].split()
    return int(fields[13]) + int(fields[14])


def test_kept(d):
    """Data are read once, and again when the recording has grown."""
    path = d.file('kept.gpsnap')
    shutil.copy(INCIDENT, path)
    with Web(path) as web:
        first = web.get('data')
        took = children_s(web)
        for _ in range(40):
            equal(web.get('data'), first, 'the same')
        equal(children_s(web), took, 'nothing was read')
        other = web.get('data', **{'to': '2026-11-22T17:51:30Z'})
        check(other != first, 'another range is another answer')
        shutil.copy(os.path.join(gstest.TOP, 'samples',
                                 'greenplum6.gpsnap'), path)
        check(web.get('data') not in (first, other), 'another recording')


def test_errors(web):
    """The text of the command's own error."""
    for name, params, status, word in (
            ('view', {'view': 'nope'}, 400, 'no view nope'),
            ('view', {'view': 'hosts', 'from': 'yesteryear'}, 400, 'from'),
            ('view', {'view': 'hosts', 'where': 'busy >'}, 400, 'where'),
            ('view', {'view': 'hosts', 'columns': 'nope'}, 400, 'nope'),
            ('view', {'view': 'hosts', 'limit': 'x'}, 400, 'limit'),
            ('view', {'view': 'hosts', 'ticks': '2'}, 400, 'ticks'),
            ('find', {'find': 'host.nope > 1'}, 400, 'nope'),
            ('view', {'view': 'hosts', 'from': '2001-01-01',
                      'to': '2001-01-02'}, 422, 'nothing recorded'),
            ('view', {'format': 'csv'}, 400, 'no such parameter'),
            ('view', {'no-sandbox': '1'}, 400, 'no such parameter'),
            ('view', {'memory': '10G'}, 400, 'no such parameter'),
            ('view', {'follow': '1'}, 400, 'no such parameter'),
            ('data', {'output': '/tmp/x'}, 400, 'no such parameter'),
            ('state', {'x': '1'}, 400, 'no parameters')):
        said = web.error(name, status, **params)
        check(word in said, '%s %s: %s' % (name, params, said))
    for query in ('view', 'view=hosts&view=hosts', 'view=%zz', 'view=%0a',
                  'view=%00', 'view=a%', '&'.join('a%d=1' % i
                                                  for i in range(40))):
        status, _, _ = web.request('/%s/view?%s' % (web.token, query))
        equal(status, 400, query[:60])


def test_no_options(web):
    """A text never becomes an option of its own, or a file's name."""
    for text in ('--output=/tmp/x', '-o/tmp/x', '--', '/etc/passwd',
                 "'; id", '$(id)', '`id`'):
        said = web.error('view', 400, view=text)
        check('no view' in said, '%r: %s' % (text, said))


def test_garbage(web):
    rng = random.Random(7)
    lines = [b'\0' * 100, b'GET\r\n\r\n', b'GET / HTTP/9.9\r\n\r\n',
             b'\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03' + b'a' * 200,
             b'GET / HTTP/1.1\r\n' + b'A: b\r\n' * 20000 + b'\r\n',
             b'GET /' + b'a' * 100000 + b' HTTP/1.1\r\n\r\n',
             b'GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n',
             b'GET / HTTP/1.1\r\nContent-Length: 99999999999999999999'
             b'\r\n\r\n',
             b'GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzzz',
             b'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
             b'GET http://evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n',
             b'CONNECT a:1 HTTP/1.1\r\n\r\n']
    lines += [bytes(rng.randrange(256) for _ in range(300)) + b'\r\n\r\n'
              for _ in range(30)]
    for line in lines:
        got = web.raw(line, timeout=1)
        check(b' 200 ' not in got[:15], '%r: %r' % (line[:40], got[:40]))
    web.get('state')


def test_pieces(web):
    """Requests that follow each other on a connection, cut anywhere."""
    one = ('GET /%s/state HTTP/1.1\r\nHost: localhost\r\n\r\n'
           % web.token).encode()
    got = web.raw(one * 3 + one.replace(b'\r\n\r\n',
                                        b'\r\nConnection: close\r\n\r\n'))
    equal(got.count(b'HTTP/1.1 200'), 4, 'answers')


def refused(*argv, status=64):
    run = subprocess.run([gstest.binary('gpsnap'), 'web', *argv],
                         capture_output=True, timeout=60, check=False)
    equal((run.returncode, run.stdout), (status, b''), str(argv))
    return run.stderr.decode()


def test_usage(d):
    check('ssh -L' in refused(INCIDENT, '--listen', '0.0.0.0'), 'ssh')
    check('password' in refused(INCIDENT, '--listen', '0.0.0.0',
                                '--tls-cert', 'x', '--tls-key', 'y'),
          'all three')
    check('both' in refused(INCIDENT, '--tls-cert', 'x'), 'a key')
    check('pipe' in refused('-'), 'a pipe')
    check('--live' in refused(INCIDENT, '--live'), 'one of them')
    check('--live' in refused(INCIDENT, '-o', d.file('x')), 'record')
    check('48M' in refused(INCIDENT, '--request-memory', '1M'), 'memory')
    check('No such' in refused(d.file('nothing'), status=2), 'no file')


def test_port():
    with Web(INCIDENT) as first:
        said = refused(INCIDENT, '--port', str(first.port), status=2)
        check('in use' in said, said)


def main():
    with gstest.TempDir() as d, Web(INCIDENT) as web:
        test_page(web)
        test_strangers(web)
        test_sites(web)
        test_methods(web)
        test_paths(web)
        test_same(web)
        test_data(web)
        test_kept(d)
        test_errors(web)
        test_no_options(web)
        test_garbage(web)
        test_pieces(web)
        test_usage(d)
        test_port()
        equal(web.children(), [], 'no process is left')
        status, said = web.stop()
        equal((status, said), (0, ''), 'the end')
    return 0


sys.exit(main())
