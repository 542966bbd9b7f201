#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""nested.py: a row of --nested is the row of the flat table by its keys alone,
and amounts of the rows below it add up to its own, in the recordings in
samples/.
"""
import csv
import io
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest

# Sums of rules of all kinds: amounts, rates, levels, the highest sum at a tick,
# a mode with its count, a range, CPU lists.
METRICS = ('process.state', 'process.nice', 'process.threads', 'process.wchan')
SUMS = ('cpu_seconds', 'processes')
LEVELS = ('memory',)  # of an ended group the last one: then no sum
KEYS = (('host', 'command'), ('server', 'segment', 'session'),
        ('user', 'state', 'process'), ('database', 'session', 'query', 'host'))


def table(path, keys, *options):
    return json.loads(gstest.gpsnap(
        'replay', path, '-g', ','.join(keys), '-f', 'json', '-c',
        ','.join('+' + m for m in METRICS), *options, status=None))


def key_of(row, keys):
    return tuple(row[k] for k in keys)


def check_tree(nested, keys, what):
    """Each row is after the row that it is part of; returns the parts."""
    path, parts = [], {}
    rows = nested['rows'] + ([nested['others']] if nested['others'] else [])
    for row in rows:
        level = row['level']
        gstest.check(1 <= level <= len(path) + 1, what + ': depth')
        gstest.equal([row[k] for k in keys[level:]],
                     [None] * (len(keys) - level), what + ': deeper keys')
        del path[level - 1:]
        if path:
            gstest.equal(key_of(row, keys[:level - 1]),
                         key_of(path[-1], keys[:level - 1]),
                         what + ': key of the row above')
            parts.setdefault(id(path[-1]), (path[-1], []))[1].append(row)
        path.append(row)
    return parts


def check_sums(parts, what, names):
    n = 0
    for row, below in parts.values():
        for name in names:
            if row[name] is None or any(b[name] is None for b in below):
                continue
            if name in LEVELS and any(b['processes'] == 0 for b in below):
                continue
            gstest.near(sum(b[name] for b in below), row[name], 1e-9,
                        '%s: %s of %s' % (what, name, row))
            n += 1
    return n


def check_order(parts, what):
    for _, below in parts.values():
        cpu = [b['cpu_seconds'] for b in below if 'others_count' not in b]
        known = [c for c in cpu if c is not None]
        gstest.equal(known, sorted(known, reverse=True), what + ': order')


def as_flat(row, keys):
    return {k: v for k, v in row.items() if k != 'level' and
            (k not in KEYS_ALL or k in keys)}


KEYS_ALL = {k for keys in KEYS for k in keys}


def by_text(rows):
    return sorted(json.dumps(r, sort_keys=True) for r in rows)


def check(path, keys):
    what = '%s by %s' % (os.path.basename(path), ','.join(keys))
    nested = table(path, keys, '--nested', '-l', '0')
    for n in range(1, len(keys) + 1):
        flat = table(path, keys[:n], '-l', '0')
        gstest.equal(
            by_text(as_flat(r, keys[:n]) for r in nested['rows']
                    if r['level'] == n),
            by_text(as_flat(r, keys[:n]) for r in flat['rows']),
            '%s: level %d' % (what, n))
    parts = check_tree(nested, keys, what)
    check_order(parts, what)
    sums = check_sums(parts, what, SUMS + LEVELS)
    cut = table(path, keys, '--nested', '-l', '2')
    parts = check_tree(cut, keys, what + ', cut')
    sums += check_sums(parts, what + ', cut', SUMS)
    for row, below in parts.values():
        gstest.check(len(below) <= 3, what + ': more than the limit')
        gstest.equal(['others_count' in b for b in below],
                     [False, False, True][:len(below)], what + ': others')
    gstest.equal(cut['total_rows'], nested['total_rows'], what + ': total')
    return sums


def check_where(path):
    """Rows for which it holds, and those above them."""
    keys = ('user', 'state', 'process')
    every = table(path, keys, '--nested', '-l', '0')['rows']
    want, above = [], []
    for row in every:
        above = above[:row['level'] - 1] + [row]
        if (row['cpu_percent'] or 0) > 1:
            want += [r for r in above if r not in want]
    got = table(path, keys, '--nested', '-l', '0', '-w',
                'cpu_percent > 1')['rows']
    gstest.check(0 < len(want) < len(every), 'a condition that chooses')
    gstest.equal(got, want, 'where')


def check_compared(path):
    """Each level is the comparison of the groups by its keys alone."""
    keys, ranges = ('user', 'state', 'session'), (
        '--from', '17:51:20', '--baseline', '..17:51:20')
    nested = table(path, keys, '--nested', '-l', '0', *ranges)
    check_tree(nested, keys, 'compared')
    changes = set()
    for n in range(1, len(keys) + 1):
        flat = table(path, keys[:n], '-l', '0', *ranges)
        gstest.equal(
            by_text(as_flat(r, keys[:n]) for r in nested['rows']
                    if r['level'] == n),
            by_text(as_flat(r, keys[:n]) for r in flat['rows']),
            'compared: level %d' % n)
        changes |= {r['change'] for r in flat['rows']}
    gstest.equal(changes, {None, 'new', 'gone'}, 'changes')
    cut = table(path, keys, '--nested', '-l', '1', *ranges)
    parts = check_tree(cut, keys, 'compared, cut')
    for row, below in parts.values():
        gstest.near(sum(b['cpu_seconds_base'] or 0 for b in below),
                    row['cpu_seconds_base'] or 0, 1e-9, 'compared, cut')


def check_csv(path):
    out = gstest.gpsnap('replay', path, '-g', 'user,state', '--nested', '-f',
                        'csv', '-c', 'level,state,user,cpu_seconds', '-l', '2',
                        status=None).decode()
    rows = list(csv.reader(io.StringIO(out)))
    gstest.equal(rows[0], ['level', 'state', 'user', 'cpu_seconds'], 'head')
    others = [r for r in rows[1:] if r[1].endswith(' others')]
    gstest.check(len(others) > 0, 'others below a row')
    for row in others:
        gstest.equal(row[0], '2', 'level of others')
        gstest.check(row[2] != '', 'others have the key above')


def main():
    samples = os.path.join(gstest.TOP, 'samples')
    n = 0
    for name in ('greenplum6.gpsnap', 'postgresql15-incident.gpsnap'):
        for keys in KEYS:
            n += check(os.path.join(samples, name), keys)
    gstest.check(n > 100, 'sums that were compared: %d' % n)
    check_where(os.path.join(samples, 'postgresql15-incident.gpsnap'))
    check_compared(os.path.join(samples, 'postgresql15-incident.gpsnap'))
    check_csv(os.path.join(samples, 'postgresql15-incident.gpsnap'))


if __name__ == '__main__':
    main()
