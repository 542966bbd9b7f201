#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gpsnap web for other hosts: with TLS and a password, or not at all."""
import base64
import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import warnings

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))

import gstest
from gstest import check, equal
from weblib import INCIDENT, Web

LOGIN = 'dba:correct horse battery'


def make_cert(d):
    cert, key = d.file('cert.pem'), d.file('key.pem')
    subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048',
                    '-nodes', '-keyout', key, '-out', cert, '-days', '2',
                    '-subj', '/CN=localhost', '-addext',
                    'subjectAltName=IP:127.0.0.1,DNS:localhost'],
                   check=True, capture_output=True)
    os.chmod(key, 0o600)
    return cert, key


def write(path, text, mode=0o600):
    with open(path, 'w') as f:
        f.write(text)
    os.chmod(path, mode)
    return path


def get(web, cert, login, path=None, host=None):
    context = ssl.create_default_context(cafile=cert)
    c = http.client.HTTPSConnection('127.0.0.1', web.port, timeout=30,
                                    context=context)
    headers = {}
    if login is not None:
        headers['Authorization'] = 'Basic ' + base64.b64encode(
            login.encode()).decode()
    if host:
        headers['Host'] = host
    try:
        c.request('GET', path or '/%s/state' % web.token, headers=headers)
        r = c.getresponse()
        return r.status, r.read()
    finally:
        c.close()


def speaks(web, version):
    """Whether a client of this version alone is served."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_ciphers('ALL:@SECLEVEL=0')
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        context.minimum_version = context.maximum_version = version
    try:
        with socket.create_connection((web.host, web.port), 30) as s, \
                context.wrap_socket(s):
            return True
    except (ssl.SSLError, ConnectionError):
        return False


def refused(argv, word):
    run = subprocess.run([gstest.binary('gpsnap'), 'web', INCIDENT, *argv],
                         capture_output=True, timeout=60, check=False)
    check(run.returncode in (2, 64) and word in run.stderr.decode(),
          '%s: %d %s' % (argv, run.returncode, run.stderr.decode()))


def main():
    if not shutil.which('openssl'):
        gstest.skip('there is no openssl to make a certificate')
    with gstest.TempDir() as d:
        cert, key = make_cert(d)
        password = write(d.file('password'), LOGIN + '\n')
        tls = ['--tls-cert', cert, '--tls-key', key]
        refused(['--listen', '0.0.0.0'] + tls, '--password-file')
        refused(['--listen', '0.0.0.0', '--password-file', password],
                '--tls-cert')
        refused(['--password-file', password], '--tls-cert')
        refused(tls + ['--password-file', write(d.file('open'), LOGIN,
                                                0o644)], 'chmod 600')
        refused(tls + ['--password-file', write(d.file('short'), 'a:b')],
                'at least 8')
        refused(['--tls-cert', key, '--tls-key', key], 'certificate')
        refused(tls + ['--password-file', d.file('none')], 'No such file')
        with Web(INCIDENT, *tls, '--password-file', password) as web:
            equal(web.scheme, 'https', 'scheme')
            equal([speaks(web, getattr(ssl.TLSVersion, v)) for v in (
                'TLSv1', 'TLSv1_1', 'TLSv1_2', 'TLSv1_3')],
                [False, False, True, True], 'versions')
            equal(get(web, cert, None)[0], 401, 'nobody')
            for wrong in ('dba:', 'dba:wrong', 'x:correct horse battery',
                          LOGIN + 'x', LOGIN[:-1], ''):
                equal(get(web, cert, wrong)[0], 401, wrong)
            status, body = get(web, cert, LOGIN)
            equal((status, json.loads(body)['files']), (200, 1), 'known')
            equal(get(web, cert, LOGIN, '/%s/state' % ('0' * 32))[0], 403,
                  'the token, too')
            equal(get(web, cert, LOGIN, host='evil.example')[0], 403,
                  'a name of this host')
            check(b'200 OK' not in web.raw(b'GET / HTTP/1.1\r\n\r\n', 5),
                  'not without TLS')
        # 127.0.0.2: an address that is not the usual one
        with Web(INCIDENT, *tls, '--password-file', password, '--listen',
                 '127.0.0.2') as web:
            equal(web.host, '127.0.0.2', 'address')
            context = ssl.create_default_context(cafile=cert)
            context.check_hostname = False
            c = http.client.HTTPSConnection(web.host, web.port, timeout=30,
                                            context=context)
            c.request('GET', '/%s/state' % web.token, headers={
                'Authorization': 'Basic ' + base64.b64encode(
                    LOGIN.encode()).decode()})
            equal(c.getresponse().status, 200, 'under its own name')
            c.close()
    return 0


sys.exit(main())
