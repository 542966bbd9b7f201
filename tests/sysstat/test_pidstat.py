# SPDX-License-Identifier: Apache-2.0
"""gpsnap pidstat beside the real one.

A series of trees is shown to the real program step by step (shim.c), and
recorded by gpsnap's agent; what both print of it is the same byte by byte
under --strict.
"""
import os
import shutil
import sys
import tempfile
from multiprocessing.pool import ThreadPool

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'lib')]
import both  # noqa: E402
import gstest  # noqa: E402
import series  # noqa: E402
import sys_record  # noqa: E402

REAL = both.find('pidstat')
SINGLE = ['u', 'd', 'r', 'w', 'v', 's', 'R']

# What both are asked, of a series of five steps.
CASES = [
    '', '0', '1 4', '1 2', '-dRrsvw -p ALL 1 3', '--human -rs 1 3',
    *['-%s 1 4' % c for c in SINGLE],
    *['-%s' % c for c in SINGLE],
    *['-%s -p ALL 1 4' % c for c in SINGLE],
    *['-t -%s 1 4' % c for c in SINGLE],
    *['-h -%s 1 4' % c for c in SINGLE],
    *['-T %s -%s 1 4' % (t, c) for t in ('CHILD', 'ALL') for c in 'ur'],
    '-dRrsuvw 1 4', '-dRrsuvw -p ALL 1 4', '-t -dRrsuvw 1 4',
    '-t -dRrsuvw -p ALL 1 4', '-h -dRrsuvw 1 4', '-h -t -dRrsuvw 1 4',
    '-h -p ALL -dRrsuvw 1 4', '-dRrsuvw', '-t -dRrsuvw',
    '-T ALL -dRrsuvw 1 4', '-T CHILD -dRrsuvw 1 4',
    '-T ALL -t -ur 1 4', '-T ALL -t -ur -p ALL 1 4',
    '-T CHILD -t -ur 1 4', '-T CHILD -t -ur -p ALL 1 4',
    '-h -T ALL -urd 1 4', '-h -T ALL -urdw -t 1 4', '-h -T ALL -d 1 2',
    '-h -T CHILD -urd 1 4', '-T ALL', '-T CHILD',
    '-p 5 1 3', '-p 5', '-p 600 1 4', '-p 5,6 -u 1 3', '-p 600,5 1 4',
    '-p 303,700,17,305 1 4', '-p 1 1 4', '-p 1 -ud 1 4', '-p 400 -t 1 4',
    '-p 401 1 4', '-p 401 -t 1 4', '-p 70000,303 -ru -T ALL 1 4',
    '-p 1 -T ALL 1 4', '-p 1,1 1 3', '-p 600 -ud 1 4', '-p 600 -h 1 4',
    '-C init 1 4', '-C ^w 1 4', '-C on$ 1 4', '-C a|b 1 4', '-C ^.n 1 4',
    '-t -C work 1 4', '-t -C thr 1 4', '-G thr 1 4', '-t -G thr 1 4',
    '-t -G ^thr|^bo 1 4', '-G ^.*o$ 1 4', '-C re -p ALL 1 4',
    '-C re -p 304,400 1 4',
    '-l 1 4', '-l -C b$ 1 4', '-l -G a 1 4', '-t -l -p 400,99999 1 4',
    '-l -p ALL 1 2', '-l -t -C thr 1 4', '-l -G idle 1 4', '-l -h 1 4',
    '-l -t -C work 1 4',
    '--dec=1 1 4', '--dec=0 1 4', '--dec=2 -dr 1 4', '--dec=0 -dr 1 4',
    '--dec=1 -dRrsuvw -p ALL 1 4', '-H 1 4', '-H -h 1 4', '-H -t -d 1 4',
    '--human 1 4', '--human -I 1 4', '--human -dRrsuvw 1 4',
    '--human --dec=0 -dRrsuvw 1 4', '--human --dec=1 -dRrsuvw 1 4',
    '--human -h -dRrsuvw 1 4', '--human -r -p 319,320 1 2',
    '-R -p 317,318 1 2', '-I 1 4', '-I -t 1 4', '-I', '-I -p ALL 1 2',
    '-U 1 4', '-U foo 1 4', '-U root 1 4', '-U daemon -t 1 4', '-rU 1 4',
    '-U nobody -d 1 4', '-U -h 1 4', '-urU -p 301,501 1 4',
    '-U bin -p ALL -v 1 3',
    '-p 1 -p 303,400 1 4', '-p 1 -u -p 1 1 4', '-p 400 -p ALL 1 2',
    '-p 308 -u 1 4', '-p 308 -s 1 4', '-p 308 -us 1 4', '-p 309 -v 1 4',
    '-p 310 1 4', '-p 312 -T ALL 1 4', '-p 99999,311 -l 1 4',
    '-p 313,314,315,316 -dRrsuvw 1 4', '-C ^$ 1 4', '-G 15 -t 1 4',
    '-l -C postgres: 1 4', '-l -G ^postgres: 1 4', '-T CHILD -s -u 1 4',
    '-T ALL -rs -p 308 1 4', '-T CHILD -p ALL -ur -h 1 2', '-T TASK 1 2',
    '-h -H -l -t -I -dRrsuvw -p ALL 1 2', '-U foo -p 501 1 2',
]
LONG = ['-p 1 1 28', '-p 400 -t 1 28', '-h -p 1 1 28']
TERMINAL = ['-p 1 1 25', '-h -p 1 1 25', '-p 400 -t 1 20', '-ur -p 1 1 5',
            '-p 1 -T ALL 1 20']
ENVIRONMENTS = [
    ('S_COLORS', 'always', ['-dRrsuvw 1 4', '-t -ud 1 4', '-h -ur 1 3',
                            '--human -ud -p ALL 1 3', '--dec=0 1 3']),
    ('S_COLORS_SGR', 'H=1;2:Z=7:x=3:I=:N=22', ['1 2']),
    ('S_TIME_FORMAT', 'ISO', ['-r 1 2', '-h 1 2', '-H 1 2']),
]


def since_boot(args):
    """No interval: the last word is an option, or its argument."""
    return not args or not args[-1].isdigit() or args[-1] == '0' or \
        args[-2:-1] == ['-p']


def ours(recording, args, step=0):
    if since_boot(args) and step == 0:  # else of the last tree
        args = ['--to', str(series.FIRST), *args]
    return [gstest.binary('gpsnap'), 'pidstat', '--strict', '-f', recording,
            *args]


def compare_on_terminal(trees, recording, line):
    env = both.environment({'S_COLORS': 'auto'})
    args = line.split()
    return both.same(
        'terminal: pidstat ' + line,
        both.on_terminal(ours(recording, args), env),
        both.on_terminal([REAL, *args], both.shown(trees, env)))


def compare(trees, recording, line, more=None, step=0):
    env = both.environment(more)
    want, want_err, _ = both.run([REAL, *line.split()],
                                 both.shown(trees, env, step))
    got, got_err, _ = both.run(ours(recording, line.split(), step), env)
    return both.same('%d: pidstat %s %s' % (step, more or '', line), got,
                     want, (got_err, want_err))


def run_series(folder, name, cases, environments, **how):
    trees = os.path.join(folder, name)
    os.mkdir(trees)
    steps = series.make(trees, **how)
    recording = os.path.join(folder, name + '.gpsnap')
    sys_record.record(trees, steps, recording)
    jobs = [(line, None) for line in cases]
    jobs += [(line, None, steps - 1) for line in cases
             if since_boot(line.split())]
    for variable, value, lines in environments:
        more = {variable: value}
        if variable == 'S_COLORS_SGR':
            more['S_COLORS'] = 'always'
        jobs += [(line, more) for line in lines]
    with ThreadPool(2) as pool:
        failed = sum(pool.map(
            lambda job: compare(trees, recording, *job), jobs))
    for line in TERMINAL if name == 'long' else ():
        failed += compare_on_terminal(trees, recording, line)
    print('%s: %d cases, %d differ' % (name, len(jobs), failed))
    return failed


def main():
    only = sys.argv[1:]
    folder = tempfile.mkdtemp(prefix='gpsnap-pidstat-')
    try:
        failed = run_series(folder, 'two', only or CASES,
                            [] if only else ENVIRONMENTS, cpus=2, seed=7)
        if not only:
            few = CASES[3::4]
            failed += run_series(folder, 'one', few, [], cpus=1, seed=1)
            failed += run_series(folder, 'many', few, [], cpus=64, seed=2,
                                 offline=5)
            failed += run_series(folder, 'old', CASES[5::12], [], cpus=3,
                                 seed=4, old=True)
            failed += run_series(folder, 'long', LONG, [],
                                 cpus=2, seed=3, steps=29)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failed else 0)


main()
