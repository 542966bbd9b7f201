# SPDX-License-Identifier: Apache-2.0
"""gpsnap's recorder beside a program of sysstat, on this host under load."""
import contextlib
import os
import subprocess
import sys
import time

import gstest

LOAD = '''
import os, time
end = time.time() + %d
with open(os.devnull, 'wb') as f:
    while time.time() < end:
        sum(range(20000))
        f.write(bytes(1 << 20))
'''


@contextlib.contextmanager
def recorded(to, seconds, *more):
    """The file, of so many seconds under load, is complete afterwards."""
    load = [subprocess.Popen([sys.executable, '-c', LOAD % (seconds + 4)])
            for _ in range(2)]
    recorder = subprocess.Popen(
        [gstest.binary('gpsnap'), 'record', '--all', '-i', '0.1', '-d',
         str(seconds + 3), '--no-catalog', '-q', '-o', to, *more])
    time.sleep(1)  # its first samples
    yield
    for p in [recorder, *load]:
        p.wait()


def asked(*args):
    """What gpsnap prints."""
    return subprocess.run([gstest.binary('gpsnap'), *args], check=True,
                          stdout=subprocess.PIPE, text=True).stdout


def agree(measure, apart, tries=3):
    """The host may be disturbed: once is enough."""
    for _ in range(tries):
        if measure() <= apart:
            return
    gstest.fail('they do not agree')
