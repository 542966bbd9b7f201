#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""baseline.py: what --baseline puts side by side is what the tables of the two
ranges say each alone, worked out here, of the recordings in samples/.
"""
import glob
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest

# view: columns that say which row it is
CASES = {
    'hosts': ('host',),
    'cpus': ('host', 'cpu'),
    'disks': ('host', 'disk'),
    'sessions': ('session', 'user', 'database', 'client', 'application'),
    'processes': ('pid', 'host', 'command'),
}
NUMBERS = {'percent', 'number', 'count', 'per second', 'bytes',
           'bytes per second', 'seconds'}
AGES = {'age_seconds', 'xact_age_seconds'}


def table(path, view, *options):
    out = gstest.gpsnap('replay', path, '-V', view, '-f', 'json', '-l', '0',
                        *options, status=None)
    return json.loads(out)


def index(rows, key):
    """Rows by key; those whose key is not theirs alone are left out."""
    by_key, twice = {}, set()
    for row in rows:
        k = tuple(row[c] for c in key)
        if k in by_key:
            twice.add(k)
        by_key[k] = row
    return {k: row for k, row in by_key.items() if k not in twice}, twice


def check_row(what, both, now, base, names, scales):
    for name in names:
        gstest.equal(both[name], now and now[name], '%s: %s' % (what, name))
        was = base and base[name]
        if was is not None:
            was *= scales.get(name, 1)
            gstest.near(both[name + '_base'], was, 1e-9,
                        '%s: %s, base' % (what, name))
        else:
            gstest.equal(both[name + '_base'], None, what + ', no base')
        if both[name] is not None and was is not None:
            gstest.near(both[name + '_diff'], both[name] - was, 1e-6,
                        '%s: %s, diff' % (what, name))
        if both[name + '_ratio'] is not None:
            gstest.near(both[name + '_ratio'], both[name] / was, 1e-9,
                        '%s: %s, ratio' % (what, name))


def check(path, view, now_range, base_range):
    key = CASES[view]
    now = table(path, view, *now_range)
    base = table(path, view, *base_range)
    both = table(path, view, *now_range, '--baseline',
                 '%s..%s' % (base_range[1], base_range[3]))
    gstest.equal(both['baseline']['from'], base['from'], 'from')
    gstest.equal(both['baseline']['covered_seconds'],
                 base['covered_seconds'], 'covered')
    scale = now['covered_seconds'] / base['covered_seconds']
    names = [c['name'] for c in now['columns'] if c['unit'] in NUMBERS and
             c['name'] not in key and c['name'] not in AGES]
    # times add up, so they grow with the range
    scales = {n: scale for n in names if n.endswith('_seconds')} \
        if abs(scale - 1) > 0.01 else {}
    of_now, twice_now = index(now['rows'], key)
    of_base, twice_base = index(base['rows'], key)
    n = 0
    for row in both['rows']:
        k = tuple(row[c] for c in key)
        if k in twice_now | twice_base:
            continue
        change = 'new' if k not in of_base else \
            'gone' if k not in of_now else None
        gstest.equal(row['change'], change, '%s: %s' % (view, k))
        check_row('%s: %s' % (view, k), row, of_now.get(k),
                  of_base.get(k), names, scales)
        n += 1
    left = {tuple(row[c] for c in key) for row in both['rows']}
    gstest.equal(left, set(of_now) | set(of_base) | twice_now | twice_base,
                 view)
    return n


def clock(iso, after_s):
    h, m, s = iso.rstrip('Z').split('T')[1].split(':')
    t = int(h) * 3600 + int(m) * 60 + float(s) + after_s
    return '%02d:%02d:%06.3f' % (t // 3600, t // 60 % 60, t % 60)


def views():
    """All that -V takes, as its complaint names them."""
    path = os.path.join(gstest.TOP, 'samples', 'greenplum6.gpsnap')
    done = subprocess.run([gstest.binary('gpsnap'), 'replay', path, '-V', '?'],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    listed = done.stderr.split('there are:')[1].split('try ')[0]
    names = [name.strip() for name in listed.split(',')]
    gstest.check(len(names) > 30 and set(CASES) <= set(names), names)
    return names


def check_every_view():
    """A build with sanitizers sees what it reads; here, that it ends."""
    n = 0
    for name in ('greenplum6', 'postgresql15'):
        path = os.path.join(gstest.TOP, 'samples', name + '.gpsnap')
        for i, view in enumerate(views()):
            for form in gstest.some(('text', 'json', 'csv'), i, 3):
                argv = ['replay', path, '-V', view, '-f', form, '--baseline',
                        '..-1s', '--from', '-1s']
                done = subprocess.run([gstest.binary('gpsnap'), *argv],
                                      stdout=subprocess.PIPE, check=False,
                                      stderr=subprocess.PIPE, text=True)
                if done.returncode == 64:
                    continue  # it has no figures to compare
                n += 1
                gstest.check(done.returncode in (0, 1) and
                             'Sanitizer' not in done.stderr, '%s: status %d\n%s' %
                             (argv, done.returncode, done.stderr))
                if form == 'json':
                    json.loads(done.stdout)
    gstest.check(n > gstest.few(150, 3), 'only %d comparisons' % n)


def main():
    check_every_view()
    n = 0
    for path in sorted(glob.glob(os.path.join(gstest.TOP, 'samples',
                                              '*.gpsnap'))):
        whole = table(path, 'hosts')
        length = whole['covered_seconds']
        edges = [clock(whole['from'], length * part)
                 for part in (0.1, 0.4, 0.5, 0.95)]
        for view in CASES:
            n += check(path, view, ('--from', edges[2], '--to', edges[3]),
                       ('--from', edges[0], '--to', edges[1]))
    gstest.check(n > 100, 'only %d rows' % n)
    print('%d rows' % n)


if __name__ == '__main__':
    main()
