#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""cmake --install puts everything under DESTDIR, where GNUInstallDirs say, and
paths that are compiled in agree."""
import os
import re

import packlib
from packlib import gstest

WANTED = [
    'bin/gpsnap', 'bin/gpsnap-agent', 'lib/systemd/system/gpsnap@.service',
    'lib/systemd/system/gpsnap-archive@.service',
    'lib/systemd/system/gpsnap-archive@.timer',
    'lib/sysusers.d/gpsnap.conf', 'share/man/man1/gpsnap.1',
    'share/man/man1/gpsnap-record.1', 'share/man/man1/gpsnap-agent.1',
    'share/man/man5/gpsnap-archive.5', 'share/man/man7/gpsnap-metrics.7',
    'share/bash-completion/completions/gpsnap',
    'share/zsh/site-functions/_gpsnap',
]


def another_prefix():
    """--prefix of cmake --install moves everything."""
    with gstest.TempDir() as tmp:
        packlib.run('cmake', '--install', packlib.BUILD, '--prefix', '/opt/p',
                    env=dict(os.environ, DESTDIR=tmp.path))
        got = packlib.files(tmp.path)
        gstest.equal([n for n in got if not n.startswith('/opt/p/')], [],
                     'outside of the prefix')
        gstest.check('/opt/p/lib/systemd/system/gpsnap@.service' in got,
                     'no unit')
        gstest.check('/opt/p/etc/default/gpsnap' in got, 'no options')
        gstest.check('/opt/p/etc/gpsnap.conf' not in got,
                     'gpsnap.conf where nobody reads it')


def main():
    another_prefix()
    with gstest.TempDir() as tmp:
        packlib.run('cmake', '--install', packlib.BUILD,
                    env=dict(os.environ, DESTDIR=tmp.path))
        got = packlib.files(tmp.path)
        for name in WANTED:
            gstest.check(os.path.join(packlib.PREFIX, name) in got,
                         '%s is not installed: %r' % (name, got))
        etc = '/etc' if packlib.PREFIX == '/usr' else os.path.join(
            packlib.PREFIX, 'etc')
        for name in ('gpsnap', 'gpsnap-archive'):
            gstest.check(etc + '/default/' + name in got, 'no default/' + name)
        # it is read there only
        gstest.equal('/etc/gpsnap.conf' in got, etc == '/etc', 'gpsnap.conf')
        gstest.equal(etc + '/gpsnap.conf' in got, etc == '/etc',
                     'gpsnap.conf of the prefix')
        here = tmp.path + packlib.PREFIX
        with open(here + '/lib/systemd/system/gpsnap@.service') as f:
            unit = f.read()
        gstest.check('@' not in unit.replace('gpsnap@', '').replace(
            '@system-service', ''), 'something is left in the unit')
        gstest.equal(re.findall('^ExecStart=(\\S+)', unit, re.M),
                     [packlib.PREFIX + '/bin/gpsnap'], 'ExecStart')
        gstest.equal(re.findall('^EnvironmentFile=-(\\S+)', unit, re.M)[0],
                     etc + '/default/gpsnap', 'EnvironmentFile')
        said = packlib.run(here + '/bin/gpsnap', '--version')
        gstest.check(said.startswith('gpsnap '), said)


if __name__ == '__main__':
    main()
