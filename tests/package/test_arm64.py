#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What the agent for arm64 (tools/cross.sh) samples is recorded and replayed
here: it runs by qemu, beside this machine's own."""
import csv
import io
import os
import shutil

import packlib
from packlib import gstest

QEMU = 'qemu-aarch64-static'


def rows(path, view, *args):
    return list(csv.DictReader(io.StringIO(gstest.gpsnap(
        'replay', path, '-V', view, '-f', 'csv', *args).decode())))


def main():
    agent = os.environ['GS_ARM64']
    if not os.path.exists(agent):
        gstest.skip('no agent for arm64: tools/cross.sh')
    if not shutil.which(QEMU):
        gstest.skip('no %s: tools/cross.sh --install' % QEMU)
    said = packlib.run(QEMU, agent, '--version')
    if said != packlib.run(gstest.binary('gpsnap-agent'), '--version'):
        gstest.skip('the agent for arm64 is of another version: '
                    'tools/cross.sh')
    with gstest.TempDir() as tmp:
        out = tmp.file('arm.gpsnap')
        os.environ['GPSNAP_NO_CATALOG'] = '1'
        gstest.gpsnap('record', '--all', '-q', '-i', '0.5', '-n', '4', '-o',
                      out, '--hosts', 'arm', '--agent-command',
                      "sh -c 'exec %s %s' {host}" % (QEMU, agent))
        gstest.gpsnap('verify', out)
        ours = [r for r in rows(out, 'processes', '--limit', '0')
                if r['pid'] == str(os.getpid())]
        gstest.equal(len(ours), 1, 'rows of this process')
        gstest.check(float(ours[0]['memory']) > 1 << 20,
                     'memory of this process: %r' % ours[0])
        (host,) = rows(out, 'hosts')
        gstest.equal(host['host'], 'arm', 'host')


if __name__ == '__main__':
    main()
