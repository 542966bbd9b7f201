# SPDX-License-Identifier: Apache-2.0
"""sadc and gpsnap's recorder on this host at the same time, under load: the
averages agree but for the instants of their samples."""
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'lib')]
import both  # noqa: E402
import gstest  # noqa: E402
import live  # noqa: E402

SECONDS = 5
APART = 4  # percent of the figure; points, where that is one
REPORTS = ['-u', '-P', 'ALL', '-w', '-B', '-r', 'ALL', '-v', '-F']
ITEMS = ('CPU', 'FILESYSTEM')
# Those that do not hang on the very instant.
STEADY = ('%user', '%system', '%idle', '%iowait', 'cswch/s', 'fault/s',
          'kbmemfree', 'kbmemused', '%memused', 'kbcached', 'kbslab',
          'dentunusd', 'inode-nr', 'MBfsused', '%fsused', '%ufsused', 'Ifree')


def averages(out):
    """{(row, column): figure}"""
    figures, columns = {}, []
    for line in out.splitlines():
        words = line.split()
        if len(words) < 2:
            continue
        if words[0] not in ('Average:', 'Summary:'):
            if not any(w[0].isdigit() for w in words[1:]):
                columns = words[1:]
            continue
        if words[1:] == columns:
            continue
        item = columns[0] in ITEMS or columns[-1] in ITEMS
        if columns[-1] in ITEMS:  # what names a row stands last
            words[1:], columns = [words[-1], *words[1:-1]], \
                [columns[-1], *columns[:-1]]
        for name, value in zip(columns[item:], words[1 + item:]):
            figures[words[1] if item else '', name] = float(value)
    return figures


def measure(folder, sadc):
    to, sa = folder + '/x.gpsnap', folder + '/x.sa'
    with live.recorded(to, SECONDS):
        begin = time.time()
        subprocess.run([sadc, '-S', 'XALL', '1', str(SECONDS + 1), sa],
                       check=True, stderr=subprocess.DEVNULL)
        end = time.time()
    env = both.environment()
    real = averages(both.run(['sar', '-f', sa, *REPORTS], env)[0].decode())
    ours = averages(live.asked(
        'sar', '-f', to, '--strict', '--from', '%.2f' % (begin + 0.02),
        '--to', '%.2f' % end, *REPORTS))
    os.unlink(to)
    os.unlink(sa)
    return worst(real, ours)


def worst(real, ours):
    apart = 0
    for (item, name), want in sorted(real.items()):
        if name not in STEADY:
            continue
        if (item, name) not in ours:
            gstest.fail('%s of %r is missing' % (name, item))
        got = ours[item, name]
        d = abs(got - want)
        if name[0] != '%':
            d = d / max(want, 100) * 100
        if d > 1:
            print('%s %s: got %.2f, want %.2f' % (item, name, got, want))
        apart = max(apart, d)
    return apart


def main():
    sadc = both.find('sadc')
    if not shutil.which('sar'):
        gstest.skip('sar is not installed')
    with tempfile.TemporaryDirectory(prefix='gpsnap-sar-') as folder:
        live.agree(lambda: measure(folder, sadc), APART)


main()
