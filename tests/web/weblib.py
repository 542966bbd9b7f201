# SPDX-License-Identifier: Apache-2.0
"""gpsnap web in the background, and what can be sent to it."""
import http.client
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'lib'),
                os.path.join(HERE, '..', 'report')]

import gstest

SAMPLES = os.path.join(gstest.TOP, 'samples')
INCIDENT = os.path.join(SAMPLES, 'postgresql15-incident.gpsnap')


class Web:
    """A server; url is what it printed."""

    def __init__(self, *argv, env=None):
        self.child = subprocess.Popen(
            [gstest.binary('gpsnap'), 'web', *argv],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            env=dict(os.environ, GPSNAP_NO_CATALOG='1', **(env or {})))
        ready, _, _ = select.select([self.child.stdout], [], [], 60)
        gstest.check(ready, 'it prints an address')
        self.url = self.child.stdout.readline().decode().strip()
        m = re.fullmatch(r'(https?)://([\d.]+):(\d+)/([0-9a-f]{32})/',
                         self.url)
        if not m:
            gstest.fail('address %r: %s' % (
                self.url, self.child.communicate()[1].decode()))
        self.scheme, self.host, port, self.token = m.groups()
        self.port = int(port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.child.poll() is None:
            self.stop()

    def stop(self):
        self.child.send_signal(signal.SIGTERM)
        out, err = self.child.communicate(timeout=60)
        return self.child.returncode, err.decode('utf-8', 'replace')

    def request(self, path, method='GET', headers=None, body=None,
                timeout=60):
        """(status, headers, body) of a path as it stands."""
        c = http.client.HTTPConnection(self.host, self.port,
                                       timeout=timeout)
        try:
            c.putrequest(method, path, skip_host='Host' in (headers or {}),
                         skip_accept_encoding=True)
            for k, v in (headers or {}).items():
                c.putheader(k, v)
            c.endheaders(body)
            r = c.getresponse()
            return r.status, dict(r.getheaders()), r.read()
        finally:
            c.close()

    def get(self, name, status=200, **params):
        """Below the token; the body."""
        query = urllib.parse.urlencode(params)
        got, _, body = self.request('/%s/%s%s' % (
            self.token, name, '?' + query if query else ''))
        gstest.equal(got, status, '%s %s: %s' % (name, params, body[:300]))
        return body

    def error(self, name, status, **params):
        return json.loads(self.get(name, status, **params))['error']

    def raw(self, data, timeout=20):
        """What is answered to these bytes until the connection ends."""
        with socket.create_connection((self.host, self.port),
                                      timeout) as s:
            try:
                s.sendall(data)
                got = b''
                while True:
                    part = s.recv(1 << 16)
                    if not part:
                        return got
                    got += part
            except (ConnectionError, socket.timeout):
                return got

    def threads(self):
        return len(os.listdir('/proc/%d/task' % self.child.pid))

    def children(self):
        return gstest.children(self.child.pid)

    def rss_kib(self):
        with open('/proc/%d/status' % self.child.pid) as f:
            return int(re.search(r'VmRSS:\s+(\d+)', f.read()).group(1))


def long_recording(path, ticks=3000, processes=200):
    """A recording with more samples than a page has steps."""
    sys.path.insert(0, os.path.join(HERE, '..', 'hostile'))
    import hostile_files as make
    f = make.File()
    rows = make.process_rows(processes)
    f.add(True, make.header() + make.text(1, b'postgres: a b [local] idle') +
          make.block(0, 1, [rows]))
    for i in range(1, ticks):
        f.add(False, make.block(0, 1 + i, []))
    with open(path, 'wb') as out:
        out.write(f.end())
    return path
