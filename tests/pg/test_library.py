#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""libpq, with its TLS, Kerberos and LDAP, is loaded by what asks a
database, and by nothing else; where it is not installed, what needs none goes
on."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
from gstest import check, equal

GPSNAP = gstest.binary('gpsnap')
SAMPLE = os.path.join(gstest.TOP, 'samples', 'greenplum6.gpsnap')
TRAIN = re.compile(r'lib(pq|ldap|lber|ssl|gssapi_krb5|krb5|sasl2|gnutls)\.so')
NOWHERE = 'host=/nonexistent'
NO_PSQL = {'PATH': '/nowhere', 'GPHOME': '/nowhere'}


def run(*argv, missing=False, **more):
    env = dict(os.environ, **more)
    if missing:
        env['LD_PRELOAD'] = os.environ['GS_NOLIBPQ']
    return subprocess.run([GPSNAP, *argv], env=env, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def loaded(*argv):
    """Names of these libraries that the dynamic linker looked for."""
    said = run(*argv, LD_DEBUG='libs').stderr
    if 'find library=libzstd' not in said:
        gstest.skip('this dynamic linker does not say what it loads')
    return {m.group(0) for m in TRAIN.finditer(said)}


def test_who_loads_it(d):
    for argv in (['--version'], ['help', 'replay'],
                 ['replay', SAMPLE, '-V', 'sessions'], ['info', SAMPLE],
                 ['cut', SAMPLE, '-o', d.file('cut.gpsnap')],
                 ['load', '--print', 'schema'],
                 ['record', '--no-catalog', '-i', '0.1', '-n', '2', '-o',
                  d.file('none.gpsnap')]):
        equal(loaded(*argv), set(), ' '.join(argv))
    for argv in (['load', SAMPLE, '--dsn', NOWHERE],
                 ['record', '--dsn', NOWHERE, '-i', '0.1', '-n', '2', '-o',
                  d.file('one.gpsnap')]):
        check('libpq.so' in loaded(*argv), ' '.join(argv))


def test_load_says_what_to_install():
    done = run('load', SAMPLE, '--dsn', NOWHERE, missing=True)
    equal(done.returncode, 2, 'status of load: ' + done.stderr)
    for word in ('no database can be asked', 'libpq.so.is-missing', 'libpq5'):
        check(word in done.stderr, done.stderr)


def test_record_goes_on(d):
    path = d.file('r.gpsnap')
    done = run('record', '-i', '0.1', '-n', '3', '-o', path, missing=True,
               PGHOST='/nonexistent', **NO_PSQL)
    check(done.returncode in (0, 1), 'status of record: ' + done.stderr)
    check('no database can be asked' in done.stderr and
          'libpq5' in done.stderr, done.stderr)
    events = run('replay', path, '-V', 'events', '-f', 'csv', '-l', '0').stdout
    check('no database can be asked' in events, events)
    check('3 ticks' in events, events)
    done = run('record', '--dsn', NOWHERE, '-i', '0.1', '-n', '3', '-o',
               d.file('no.gpsnap'), missing=True, **NO_PSQL)
    equal(done.returncode, 2, 'what was named and can not be asked: ' +
          done.stderr)


def main():
    with gstest.TempDir() as d:
        test_who_loads_it(d)
        test_load_says_what_to_install()
        test_record_goes_on(d)


main()
