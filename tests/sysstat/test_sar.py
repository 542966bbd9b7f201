# SPDX-License-Identifier: Apache-2.0
"""gpsnap sar beside the real one.

A series of trees is shown to sadc step by step (shim.c), and recorded by
gpsnap's agent; what sar prints of the one and gpsnap of the other is the same
byte by byte under --strict.
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
import sar_series  # noqa: E402
import sys_record  # noqa: E402

SAR, SADC = both.find('sar'), both.find('sadc')
REPORTS = ['', '-u', '-u ALL', '-P ALL', '-P 0', '-P 0,1 -u ALL', '-q',
           '-q LOAD', '-q CPU', '-q IO', '-q MEM', '-q PSI', '-q ALL',
           '-r', '-r ALL', '-S', '-r -S', '-H', '-W', '-B', '-b', '-d',
           '-v', '-w', *['-n ' + n for n in (
               'DEV', 'EDEV', 'SOCK', 'TCP', 'ETCP', 'IP', 'EIP', 'UDP',
               'DEV,EDEV', 'TCP,UDP,SOCK')]]
MANY = '-u -w -W -B -b -r -S -H -v -q LOAD -d -n DEV,EDEV,SOCK,IP,TCP,UDP'
FORMS = ['--dec=0', '--dec=1', '--human', '-h', '-p', '--pretty', '-z',
         '-h -z', '--human --dec=0', '-t']
LISTS = ['-d --dev=sda', '-d --dev=dm-0,nvme0n1', '-d --dev=none',
         '-n DEV --iface=eth0,lo', '-n EDEV --iface=eth1', '-d -p --dev=sda']

TWICE = ['-n DEV -n SOCK', '-n TCP,DEV -n DEV', '-q CPU -q IO', '-q -q PSI',
         '-q -q LOAD', '-P 0 -P 1', '-P 1 -P ALL', '-P 0,0', '-P 1 -P all',
         '-u ALL -u', '-u -u ALL', '-r ALL -r', '-r -r ALL', '-d -d',
         '-d --dev=sda --dev=dm-0', '-n DEV --iface=lo --iface=eth0',
         '-d --dev=', '-d --dev=,', '-i 20 2', '-i 20 2 -d', '-i 10 3']

# What both are asked, per scenario.
CASES = {
    'plain': [
        *REPORTS, MANY,
        *['%s %s' % (form, report) for form in FORMS for report in
          ('-u', '-r ALL', '-d', '-n DEV', '-b', '-P ALL', '-B', '-q ALL')],
        *['%s %s' % (form, MANY) for form in FORMS],
        *LISTS, *TWICE,
        *['-i %d %s' % (n, report) for n in (5, 10, 20, 25, 60)
          for report in ('-u', '-d', '-q', '-r')],
        '-u 10 2', '-u 20 2', '-u 1 1', '-u 20', '-d 10 3', '-P ALL 20 2',
        '-s 15:13:45 -u', '-e 15:14:15 -u', '-s 15:13:45 -e 15:14:15 -u -d',
        '-s 15:13:45 -i 20 -u', '-s 15:13 -u', '-s 15:13:45 -u 10 2',
    ],
    'long': ['-P ALL', '-P 0,1', '-P ALL -i 2', '-d -n DEV', '-P ALL -d'],
    'old': [*REPORTS, MANY],
    'many': ['-u', '-u ALL', '-P ALL', '-P 0', '-P 3,7,8,62', '-P 0-5',
             '-P 60-', '-P ALL -u ALL', '-P ALL -z', '-P all,3',
             '-P ALL -i 20', '-w -P 1,2'],
    'wrap': ['-d', '-d -z', '-d -p', '-d -i 20', '-n DEV', '-n DEV -z',
             '-n EDEV', '-n DEV -i 20', '-n DEV,EDEV -d', '-b', '-d -h',
             '-n DEV -h', '-d --dev=sdb', '-n DEV --iface=tap0',
             '-d --dev=nvme0n1', '-n EDEV --iface=eth1'],
    'reboot': ['-u', '-u -P ALL', '-b -d', '-d', '-n DEV', '-n EDEV', '-z -d',
               '-h -u -d', '-e 15:18:00 -d -n DEV', '-r', '-q', '-v',
               '-u -i 20', '-u -i 30', '-w -W -B', '-b',
               '-s 15:13:45 -u', '-s 15:16:00 -u', '-e 15:16:15 -u',
               '-u 10 3', '--dec=0 -u', '-q ALL', '-n SOCK,TCP'],
    'night': ['-u', '-r', '-d', '-s 23:20:00 -u',
              '-s 23:20:00 -e 23:59:59 -u', '-s 23:50:00 -e 00:20:00 -u',
              '-t -u', '-i 1200 -u',
              '-i 3600 -u', '-u 1200 2'],
    'bare': ['-u', '-v', '-r', '-q', '-q ALL', '-q PSI', '-q CPU',
             '-q IO,MEM', '-n SOCK', '-n IP,TCP,UDP', '-q PSI -w',
             '-d --dev=none', '-d -z --dev=none'],
}
ENVIRONMENTS = [
    ({'S_COLORS': 'always'}, ['-u', '-d', '-n DEV', '-P ALL', '-r ALL', MANY,
                              '-h -d', '-q ALL', '-z -d', '--dec=0 -u']),
    ({'S_COLORS': 'always', 'S_COLORS_SGR': 'H=1;2:Z=7:x=3:I=:N=22:R=4:C=5'},
     ['-u', '-n DEV']),
    ({'S_TIME_FORMAT': 'ISO'}, ['-u', '-d', '-s 15:13:45 -u']),
]
TERMINAL = ['-u', '-P ALL', '-d', '-n DEV', '-u -r -q']


def sadc(trees, step, *args):
    _, err, failed = both.run(
        [SADC, *args], both.shown(trees, both.environment(), step))
    if failed:
        gstest.fail('sadc: %r' % err)


def collect(trees, plan, to):
    """sadc's file of a series."""
    at = 0
    while at < len(plan):
        step, note = plan[at]
        n = 0
        while at + n < len(plan) and plan[at + n][1] is None:
            n += 1
        if n > 0:
            sadc(trees, step, '-S', 'DISK,SNMP', '1', str(n), to)
        elif note == sar_series.RESTART:
            sadc(trees, step, '-S', 'DISK,SNMP', to)
        else:
            sadc(trees, step, '-C', note, to)
        at += max(n, 1)


class Series:
    def __init__(self, folder, name):
        self.name = name
        self.trees = os.path.join(folder, name)
        self.sa, self.recording = self.trees + '.sa', self.trees + '.gpsnap'
        os.mkdir(self.trees)
        plan = sar_series.make(self.trees, name)
        collect(self.trees, plan, self.sa)
        sys_record.record(self.trees, plan[-1][0] + 1, self.recording)

    def commands(self, line, env):
        """[(command, environment)] of gpsnap and of the real one, which asks
        /sys for the names of disks."""
        args = line.split()
        return [([gstest.binary('gpsnap'), 'sar', '--strict', '-f',
                  self.recording, *args], env),
                ([SAR, '-f', self.sa, *args], both.shown(self.trees, env))]

    def compare(self, line, more=None):
        what = '%s: sar %s %s' % (self.name, more or '', line)
        got, want = [both.run(*c) for c in self.commands(
            line, both.environment(more))]
        if got[2] != want[2]:
            print('FAIL: %s: one fails: %s %s' % (what, got[1:], want[1:]))
            return 1
        return both.same(what, got[0], want[0], (got[1], want[1]))

    def compare_on_terminal(self, line):
        env = both.environment({'S_COLORS': 'auto'})
        return both.same('terminal: sar ' + line, *[
            both.on_terminal(*c) for c in self.commands(line, env)])


def run_series(folder, name, cases):
    series = Series(folder, name)
    jobs = [(line, None) for line in cases]
    if name == 'plain' and len(cases) > 1:
        jobs += [(line, more) for more, lines in ENVIRONMENTS
                 for line in lines]
    with ThreadPool(2) as pool:
        failed = sum(pool.starmap(series.compare, jobs))
    for line in TERMINAL if name == 'plain' and len(cases) > 1 else ():
        failed += series.compare_on_terminal(line)
    print('%s: %d cases, %d differ' % (name, len(jobs), failed))
    return failed


def main():
    """Arguments: scenarios, or one and options of sar."""
    folder = tempfile.mkdtemp(prefix='gpsnap-sar-')
    try:
        if set(sys.argv[2:]) - set(CASES):
            failed = run_series(folder, sys.argv[1],
                                [' '.join(sys.argv[2:])])
        else:
            failed = sum(run_series(folder, name, CASES[name])
                         for name in sys.argv[1:] or CASES)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
