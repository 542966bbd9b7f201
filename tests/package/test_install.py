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


def main():
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
        gstest.check(etc + '/gpsnap.conf' in got, 'no gpsnap.conf')
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
