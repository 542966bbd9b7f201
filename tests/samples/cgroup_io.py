#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cgroup_io.py: IO of control groups by device, recorded from made trees: the
rows of a group add up to what the view cgroups says of it, also in groups of
rows, on both sides of a comparison, and in what commands make of the file."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)),
                os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             '..', 'lib')]
import gstest
from classes import make_tree, point, table, write

PROCESSES = {101: ('postgres', '/a.slice', 1000, 10),
             102: ('postgres', '/b.slice', 1000, 10)}
DISKS = '   8  0 sda 1 0 8 1 1 0 8 1 0 1 2\n' \
        ' 253  1 dm-1 1 0 8 1 1 0 8 1 0 1 2\n'
LINE = '%s rbytes=%d wbytes=%d rios=%d wios=%d dbytes=%d dios=%d\n'
MIB = 1 << 20
# by tree, group: lines of io.stat
TREES = (
    {'/a.slice': (('8:0', 100 * MIB, 0, 100, 0, 0, 0),
                  ('253:1', 5 * MIB, 0, 5, 0, 0, 0)),
     '/b.slice': ()},
    {'/a.slice': (('8:0', 130 * MIB, 40 * MIB, 130, 10, 0, 0),
                  ('253:1', 5 * MIB, 0, 5, 0, 0, 0),
                  ('259:7', 2 * MIB, 0, 2, 0, 8 * MIB, 2)),
     '/b.slice': (('8:0', 0, 7 * MIB, 0, 7, 0, 0),)},
)
AFTER_S = 10
# what has grown: MiB read and written
GROWN = {('/a.slice', 'sda'): (30, 40), ('/a.slice', 'dm-1'): (0, 0),
         ('/a.slice', '259:7'): (2, 0), ('/b.slice', 'sda'): (0, 7)}
RATES = ('reads_per_second', 'writes_per_second', 'read_bytes_per_second',
         'write_bytes_per_second')


def make(folder, number):
    root = '%s/%d' % (folder, number)
    make_tree(root, PROCESSES, number * AFTER_S)
    write(root + '/proc/diskstats', DISKS)
    for group, lines in TREES[number].items():
        os.makedirs(root + '/sys/fs/cgroup' + group)
        write('%s/sys/fs/cgroup%s/io.stat' % (root, group),
              ''.join(LINE % line for line in lines))
    write(root + '/sys/fs/cgroup/cgroup.controllers', 'cpu io memory\n')
    return root


def devices(path):
    """Names in the last sample; without a file, none."""
    out = subprocess.run([gstest.binary('gpsnap'), 'replay', path, '-V',
                          'cgroup_io', '-f', 'json', '-l', '0'],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         check=False).stdout
    rows = json.loads(out)['rows'] if out else []
    return {r['device'] for r in rows}


def record(folder):
    link, path = folder + '/now', folder + '/x.gpsnap'
    roots = [make(folder, n) for n in (0, 1)]
    point(link, roots[0])
    with subprocess.Popen(
            [gstest.binary('gpsnap'), 'record', '-a', '-q', '-i', '0.1',
             '--root', link, '-o', path], stdin=subprocess.DEVNULL,
            env=dict(os.environ, HOME=folder, GPSNAP_NO_CATALOG='1')) as run:
        try:
            gstest.wait_for('the first tree',
                            lambda: devices(path) == {'sda', 'dm-1'})
            point(link, roots[1])
            gstest.wait_for('the second', lambda: '259:7' in devices(path))
        finally:
            run.send_signal(signal.SIGINT)
    return path


def check_rows(path, what):
    got = table(path, '-V', 'cgroup_io')
    rows = {(r['cgroup'], r['device']): r for r in got['rows']}
    gstest.equal(set(rows), set(GROWN), what)
    for key, (read, written) in GROWN.items():
        r = rows[key]
        for have, mib in ((r['read_bytes_per_second'], read),
                          (r['write_bytes_per_second'], written)):
            gstest.near(have, mib * MIB / AFTER_S, 1e-6 * MIB,
                        '%s %s' % (what, key))
    gstest.near(rows['/a.slice', '259:7']['discard_bytes_per_second'],
                8 * MIB / AFTER_S, 1e-6 * MIB, 'discarded from zero')
    check_sums(path, got['rows'], 'cgroup', what)


def check_sums(path, rows, key, what):
    """The sums of the view cgroups are those of the rows by device."""
    sums = {r['cgroup']: r for r in table(path, '-V', 'cgroups')['rows']}
    for group in TREES[0]:
        for column in RATES[2:]:
            gstest.near(sums[group][column], sum(
                r[column] for r in rows if r[key] == group), 1e-6,
                '%s %s %s' % (what, group, column))


def check_groups(path):
    whole = table(path, '-V', 'cgroup_io')['rows']
    for keys in ('device', 'cgroup', 'host', 'cgroup,device', 'host,device'):
        got = table(path, '-V', 'cgroup_io', '-g', keys)['rows']
        first = keys.split(',')[0]
        for column in RATES:
            gstest.near(sum(r[column] for r in got),
                        sum(r[column] for r in whole), 1e-6, keys)
        for r in got if ',' not in keys else ():
            gstest.near(r['write_bytes_per_second'], sum(
                w['write_bytes_per_second'] for w in whole
                if w[first] == r[first]), 1e-6, keys)
    check_sums(path, table(path, '-V', 'cgroup_io', '-g', 'cgroup')['rows'],
               'cgroup', 'grouped')
    flat = table(path, '-V', 'cgroup_io', '-g', 'cgroup', '--cgroup-flatten',
                 '/*.slice')['rows']
    gstest.equal([r['cgroup'] for r in flat], ['/*.slice'], 'flattened')
    gstest.equal(len(table(path, '-V', 'cgroup_io', '--where',
                           'device = "sda"')['rows']), 2, 'where')


def diff(path, *options):
    return gstest.gpsnap('diff', path, path, '-f', 'csv', '-l', '0', *options,
                         status=None).decode()


def check_diff(path):
    out = diff(path, '--entity', 'cgroup_io')
    for word in ('259:7', 'dm-1', '/b.slice'):
        assert word in out, (word, out)
    out = diff(path, '-g', 'device')
    assert out.startswith('device,change,'), out
    out = diff(path, '-V', 'cgroup_io', '-g', 'device')
    assert '259:7' in out and 'read_bytes_per_second' in out, out
    assert '259:7' in diff(path, '-V', 'cgroup_io'), 'view'


def made(folder, path):
    """Files that commands make of it: all have the same rows."""
    names = [folder + '/%s.gpsnap' % n for n in ('cut', 'thin', 'merged')]
    gstest.gpsnap('cut', path, '-o', names[0])
    gstest.gpsnap('thin', path, '--every', '1h', '-o', names[1])
    gstest.gpsnap('merge', path, '-o', names[2])
    archived = folder + '/day'
    os.mkdir(archived)
    shutil.copy(names[0], archived + '/x.gpsnap')
    gstest.gpsnap('archive', archived, '--older-than', '0d', '-q')
    return names + [archived]


def check_shared(folder, path):
    """Names of groups and devices are replaced, figures are not."""
    shared = folder + '/shared.gpsnap'
    gstest.gpsnap('share', path, '--anonymize', '-o', shared)
    got = table(shared, '-V', 'cgroup_io')['rows']
    gstest.equal(len(got), len(GROWN), 'rows')
    gstest.equal(sorted(r['write_bytes_per_second'] for r in got),
                 sorted(w * MIB / AFTER_S for _, w in GROWN.values()),
                 'figures')
    for r in got:
        assert '.slice' not in r['cgroup'] or r['cgroup'] not in TREES[0], r
    gstest.equal({r['cgroup'] for r in got},
                 {r['cgroup'] for r in table(shared, '-V', 'cgroups')['rows']},
                 'one name for a group')
    disks = {r['disk'] for r in table(shared, '-V', 'disks')['rows']}
    assert disks <= {r['device'] for r in got}, (disks, got)


def check_export(path):
    out = gstest.gpsnap('export', path, '--entities', 'cgroup_io', '-f',
                        'json').decode()
    rows = [json.loads(line) for line in out.splitlines()]
    text = json.dumps(rows)
    for word in ('259:7', '/b.slice', 'discarded'):
        assert word in text, (word, text[:2000])


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = record(folder)
        check_rows(path, 'recorded')
        check_groups(path)
        check_diff(path)
        check_export(path)
        check_shared(folder, path)
        for name in made(folder, path):
            check_rows(name, os.path.basename(name))


if __name__ == '__main__':
    main()
