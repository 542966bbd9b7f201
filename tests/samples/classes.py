#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""classes.py: --normalize, of a recording of two made trees of /proc: which
names are one row, and that its figures are those of its processes."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest

TREE = os.path.join(gstest.TOP, 'samples', 'proc', 'greenplum6-6.18',
                    'tick-00', 'proc')
FROM = '29044'  # the process that all are made of
POD = '/kubepods/pod%s/%s'
IDS = (('0d5a3c1e-77aa-4b1c-9e2f-001122334455', '00ff' * 16),
       ('12345678-1234-1234-1234-123456789012', '1a2b' * 16))

# pid: name, cgroup, anonymous memory in KiB, CPU ticks; in each tree
FIRST = {
    101: ('kworker/0:1', POD % IDS[0], 1000, 10),
    102: ('kworker/1:2', POD % IDS[1], 2000, 20),
    103: ('pool-1', '/a@1.service', 400, 30),
    104: ('solo9', '/gpdb/6438', 50, 40),
    105: ('GC Thread#0', '/gpdb/6439', 6, 50),
    106: ('GC Thread#1', '/x/1', 7, 60),
}
SECOND = {
    101: ('kworker/0:1', POD % IDS[0], 1500, 110),
    103: ('pool-1', '/a@1.service', 500, 230),
    107: ('pool-2', '/a@2.service', 600, 0),
    104: ('solo9', '/gpdb/6438', 60, 340),
    105: ('GC Thread#0', '/gpdb/6439', 8, 450),
    108: ('GC Thread#1', '/x/1', 9, 0),
}
AFTER_S = 5

# names of each class, and what it is shown as: in both trees; in the second
COMMANDS = {
    'kworker/{N}:{N}': ('kworker/0:1', 'kworker/1:2'), 'solo9': ('solo9',),
    'pool-{N}': ('pool-1', 'pool-2'),
    'GC Thread#{N}': ('GC Thread#0', 'GC Thread#1'),
}
COMMANDS_SECOND = dict(COMMANDS, **{'kworker/0:1': ('kworker/0:1',)})
del COMMANDS_SECOND['kworker/{N}:{N}']
CGROUPS = {
    '/kubepods/pod{UUID}/{H}': (POD % IDS[0], POD % IDS[1]),
    '/a@{I}.service': ('/a@1.service', '/a@2.service'),
    '/gpdb/{N}': ('/gpdb/6438', '/gpdb/6439'), '/x/1': ('/x/1',),
}
FLAT = {'/kubepods/*': (POD % IDS[0], POD % IDS[1]),
        '/a@?.*': ('/a@1.service', '/a@2.service'),
        '/gpdb/6438': ('/gpdb/6438',), '/gpdb/6439': ('/gpdb/6439',),
        '/x/1': ('/x/1',)}


def read(name):
    with open(os.path.join(TREE, name), encoding='utf-8') as f:
        return f.read()


def write(path, text):
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)


def make_process(folder, pid, name, cgroup, anon, ticks, start):
    os.mkdir(folder)
    tail = read(FROM + '/stat').rpartition(')')[2].split()
    tail[1], tail[11], tail[12], tail[19] = '1', str(ticks), '0', str(start)
    write(folder + '/stat', '%d (%s) %s\n' % (pid, name, ' '.join(tail)))
    lines = read(FROM + '/status').splitlines()
    new = {'Name': name, 'Pid': pid, 'Tgid': pid, 'PPid': 1,
           'RssAnon': '%d kB' % anon, 'VmSwap': '0 kB'}
    write(folder + '/status', '\n'.join(
        '%s:\t%s' % (key, new.get(key, value.strip()))
        for key, _, value in (line.partition(':') for line in lines)) + '\n')
    write(folder + '/cgroup', '0::%s\n' % cgroup)
    write(folder + '/comm', name + '\n')
    write(folder + '/cmdline', name + '\0')
    write(folder + '/statm', read(FROM + '/statm'))


def make_tree(folder, processes, after_s):
    proc = os.path.join(folder, 'proc')
    os.makedirs(proc)
    for name in os.listdir(TREE):
        path = os.path.join(TREE, name)
        if os.path.isfile(path):
            shutil.copy(path, proc)
    up, idle = read('uptime').split()
    write(proc + '/uptime', '%.2f %s\n' % (float(up) + after_s, idle))
    for pid, what in processes.items():
        make_process('%s/%d' % (proc, pid), pid, *what,
                     start=int(float(up) * 100) if pid > 106 else 100 + pid)


def point(link, to):
    os.symlink(to, link + '.new')
    os.rename(link + '.new', link)


def table(path, *options):
    return json.loads(gstest.gpsnap('replay', path, '-f', 'json', '-l', '0',
                                    *options, status=None))


def pids(path):
    out = subprocess.run([gstest.binary('gpsnap'), 'replay', path, '-V',
                          'processes', '-f', 'json', '-l', '0'],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         check=False).stdout
    rows = json.loads(out)['rows'] if out else []
    return {r['pid'] for r in rows if r['state'] not in ('ended', 'left')}


def record(folder):
    link, path = folder + '/now', folder + '/x.gpsnap'
    make_tree(folder + '/first', FIRST, 0)
    make_tree(folder + '/second', SECOND, AFTER_S)
    point(link, folder + '/first')
    with subprocess.Popen(
            [gstest.binary('gpsnap'), 'record', '-a', '-q', '-i', '0.1',
             '--root', link, '-o', path], stdin=subprocess.DEVNULL,
            env=dict(os.environ, HOME=folder, GPSNAP_NO_CATALOG='1')) as run:
        try:
            gstest.wait_for('the first tree', lambda: pids(path) == set(FIRST))
            point(link, folder + '/second')
            gstest.wait_for('the second', lambda: pids(path) == set(SECOND))
        finally:
            run.send_signal(signal.SIGINT)
    return path


def check(path, key, classes, *options, begin=()):
    """The rows of the classes, against those of the names."""
    got = {r[key]: r for r in table(path, '-g', key, *options,
                                    *begin)['rows']}
    names = {r[key]: r for r in table(path, '-g', key, *begin)['rows']}
    gstest.equal(set(got), set(classes), ' '.join(options + begin))
    for shown, of in classes.items():
        rows = [names[n] for n in of if n in names]
        for column in ('processes', 'cpu_seconds'):
            have = [r[column] for r in rows if r[column] is not None]
            gstest.equal(got[shown][column] is None, not have, shown)
            if have:
                gstest.near(got[shown][column], sum(have), 1e-9,
                            '%s: %s' % (shown, column))
        memory = sum(m for n, c, m, _ in SECOND.values() if (
            n if key == 'command' else c) in of)
        if got[shown]['processes'] > 0:
            gstest.equal(got[shown]['memory'], memory * 1024,
                         shown + ': memory')
    return got


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = record(folder)
        second = ('--from', table(path, '-g', 'command')['to'])
        got = check(path, 'command', COMMANDS, '--normalize')
        # the sum at the first tree is higher; at none are both of 2000 and 1500
        gstest.equal(got['kworker/{N}:{N}']['memory_peak'], 3000 * 1024,
                     'peak of a class')
        gstest.equal(got['pool-{N}']['memory_peak'], 1100 * 1024, 'peak')
        gstest.near(got['pool-{N}']['cpu_seconds'], 2.0, 1e-9, 'CPU')
        check(path, 'command', COMMANDS_SECOND, '--normalize', begin=second)
        check(path, 'cgroup', CGROUPS, '--normalize')
        check(path, 'cgroup', FLAT, '--cgroup-flatten', '/kubepods/*',
              '--cgroup-flatten', '/a@?.*')
        both = dict(CGROUPS, **{'/*/1': CGROUPS['/x/1']})
        del both['/x/1']
        check(path, 'cgroup', both, '--normalize', '--cgroup-flatten', '/*/1')
        nested = table(path, '-g', 'host,command', '--nested', '--normalize')
        gstest.equal({r['command'] for r in nested['rows'] if r['level'] == 2},
                     set(COMMANDS), 'nested')
        compared = table(path, '-g', 'command', '--normalize', *second,
                         '--baseline', '..' + second[1])
        gstest.equal({r['command']: r['change'] for r in compared['rows']},
                     {'kworker/{N}:{N}': None, 'solo9': None,
                      'pool-{N}': None, 'GC Thread#{N}': None}, 'compared')


if __name__ == '__main__':
    main()
