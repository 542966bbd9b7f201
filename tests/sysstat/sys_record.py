# SPDX-License-Identifier: Apache-2.0
"""Records a series of trees, one per tick."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..'), os.path.join(HERE, '..', 'lib')]
import gstest  # noqa: E402
import reader  # noqa: E402
import series  # noqa: E402

TRIES = 4


def uptimes(path):
    return [state.rows('host')[0][1]['uptime']
            for state in reader.read(path).ticks()]


def wanted_uptime(tree):
    with open(tree + '/proc/uptime', encoding='ascii') as f:
        return int(f.read().split()[0].replace('.', ''))


def once(trees, steps, to, interval):
    """The link goes on to the next tree when a tick is there."""
    link = to + '.now'

    def point(step):
        os.symlink('%s/%02d' % (trees, step), link + '.new')
        os.rename(link + '.new', link)

    point(0)
    with subprocess.Popen(
            [gstest.binary('gpsnap'), 'record', '--root', link, '--all',
             '--arguments', '--threads', '--with', 'fd,stack', '-i',
             str(interval), '-n', str(steps), '-o', '-', '-q'],
            stdout=subprocess.PIPE) as proc, open(to, 'wb') as out:
        for step in range(1, steps + 1):
            out.write(os.read(proc.stdout.fileno(), 1 << 24))
            if step < steps:
                point(step)
        out.write(proc.stdout.read())
    os.unlink(link)


def record(trees, steps, to):
    """A slow machine may miss a step: then again, slower."""
    want = [wanted_uptime('%s/%02d' % (trees, n)) for n in range(steps)]
    for i in range(TRIES):
        once(trees, steps, to, 0.1 * 2 ** i)
        if uptimes(to) == want:
            return
    gstest.fail('%s was not recorded tick by tick: %r, want %r' %
                (trees, uptimes(to), want))


def record_series(folder, name, **how):
    """(recording, steps) of a series that is made there; how: as for
    series.make()."""
    trees = '%s/%s' % (folder, name)
    os.mkdir(trees)
    steps = series.make(trees, **how)
    record(trees, steps, trees + '.gpsnap')
    return trees + '.gpsnap', steps
