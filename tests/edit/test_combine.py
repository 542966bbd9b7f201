#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Files made of files of files: what is made of a recording that was thinned,
and what thin makes of what was made, tell the same."""
import collections
import os
import random
import shutil
import subprocess

import editlib
import gstest
import reader

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..',
                       '..', 'samples')

# Where all of them would take long.
SOME = ('overview', 'processes', 'sessions', 'queries', 'disks', 'hosts',
        'events', 'waits')


class Maker:
    """Makes files with gpsnap in a directory, each with a name of its own."""

    def __init__(self, tmp):
        self.tmp = tmp
        self.n = 0

    def path(self):
        self.n += 1
        return os.path.join(self.tmp, 'made%d.gpsnap' % self.n)

    def made(self, command, *argv):
        out = self.path()
        editlib.gpsnap(command, *argv, '-o', out, '-q')
        return out

    def thin(self, src, every):
        return self.made('thin', src, '--every', every)

    def archive(self, src):
        where = self.path()
        os.mkdir(where)
        shutil.copy(src, where)
        editlib.gpsnap('archive', where, '--older-than', '0d', '-q')
        (day,) = os.listdir(where)
        return os.path.join(where, day)


def times(a_ns, b_ns):
    """A range between two ticks; None: no edge."""
    out = ['--utc']
    if a_ns is not None:
        out += ['--from', '%.3f' % (a_ns / 1e9)]
    if b_ns is not None:
        out += ['--to', '%.3f' % (b_ns / 1e9)]
    return out


def ticks(path):
    return [s.tick.wall_ns for s in reader.read(path).ticks()]


def grown(path):
    """By how much counters grew in all, by row, as a reader tells that shares
    nothing with gpsnap."""
    out = collections.Counter()
    first = True
    for state in reader.read(path).ticks():
        if first:  # what is there is a baseline
            first = False
            continue
        names = {h.index: h.name for h in state.header.host}
        for name, host, row, amounts in state.growth():
            who = (row['pid'], row['start']) if name == 'process' \
                else row.get('name')
            for metric, amount in amounts.items():
                out[name, names.get(host), who, metric] += amount
    return +out


def same_growth(got, want, what):
    a, b = grown(got), grown(want)
    gstest.check(len(b) > 100, '%s: %d counters' % (what, len(b)))
    for key in sorted(set(a) | set(b), key=str):
        gstest.equal(a.get(key), b.get(key), '%s: %r' % (what, key))


def same(got, want, what, got_options=(), want_options=(), views=SOME):
    editlib.compare([(v, editlib.tables(got, v, list(got_options)),
                      editlib.tables(want, v, list(want_options)))
                     for v in views], what)


def check_orders(m, src, every):
    """It does not matter what is done first; returns what was thinned."""
    thin = m.thin(src, every)
    for command in ('archive', 'convert', 'recover', 'share'):
        def make(path, command=command):
            if command == 'archive':
                return m.archive(path)
            return m.made(command, path)
        want = m.thin(make(src), every)
        same(make(thin), want, command + ' of what is thinned')
        if command != 'share':  # pseudonyms are of a recording
            same(want, thin, 'thinned of ' + command)
    return thin


def check_cut(m, src, thin, every):
    """Of the same range, at ticks that stay."""
    kept = ticks(thin)
    part = times(kept[1], kept[-2])
    cut = m.made('cut', thin, *part)
    state = next(reader.read(cut).ticks())
    gstest.check(not any(t.ended or t.sums for h in state.hosts.values()
                         for t in h.tables.values()),
                 'the first tick tells of what was before')
    same(cut, thin, 'cut of what is thinned', [], part)
    same_growth(cut, m.thin(m.made('cut', src, *part), every),
                'cut of what is thinned')


def check_pieces(m, thin):
    """Pieces of what was thinned."""
    kept = ticks(thin)
    a, b = kept[len(kept) // 2], kept[len(kept) // 2 + 1]
    for pieces in (((None, a), (a, None)), ((a, None), (None, b))):
        made = [m.made('cut', thin, *times(*p)) for p in pieces]
        same(m.made('merge', *made), thin, 'merge of pieces')


def check_thinned_pieces(m, src, thin, every, seed):
    """Pieces that were thinned, whichever of two is believed first, wherever
    they overlap: what each has at its edges is no tick of the other."""
    at, kept = ticks(src), ticks(thin)
    rng = random.Random(seed)
    first, last = kept[1], kept[-2]
    inner = [t for t in at if first < t < last]
    for _ in range(2):
        b, a = sorted(rng.sample(inner, 2))
        if not any(b <= t <= a for t in kept):
            continue  # what is between has no place to be told
        one = m.thin(m.made('cut', src, *times(None, a)), every)
        two = m.thin(m.made('cut', src, *times(b, None)), every)
        for pair in ((one, two), (two, one)):
            same_growth(m.made('merge', *pair), thin, 'pieces to %d, from %d'
                        % (at.index(a), at.index(b)))


def refused(*argv):
    done = subprocess.run([gstest.binary('gpsnap'), *argv], env=editlib.ENV,
                          capture_output=True, check=False)
    gstest.equal(done.returncode, 64, ' '.join(argv))
    return done.stderr.decode()


def check_mixtures(m, tmp):
    """`gpsnap merge` refuses a recorder of which one part was thinned together
    with another recorder; the two parts alone follow each other."""
    coarse = os.path.join(tmp, 'coarse.gpsnap')
    at = ticks(coarse)
    one = m.thin(m.made('cut', coarse, *times(None, at[15])), '20s')
    two = m.made('cut', coarse, *times(at[16], None))
    said = refused('merge', one, two, os.path.join(tmp, 'bc.gpsnap'), '-o',
                   m.path())
    gstest.check(os.path.basename(one) + ' was thinned, ' in said, said)


def check_seams(m, tmp):
    """Files of one recording, of each of which something was made by itself:
    side by side they are what is made of the whole."""
    parts = [os.path.join(tmp, 'part%d.gpsnap' % i) for i in (1, 2, 3)]
    src = os.path.join(tmp, 'all.gpsnap')
    seams = [s[0] for s in (ticks(parts[1]), ticks(parts[2]))]
    for command, *options in (('cut', '--hosts', 'sdw1'), ('share', ),
                              ('thin', '--every', '10s')):
        where = m.path()
        os.mkdir(where)
        for i, part in enumerate(parts):
            editlib.gpsnap(command, part, '-q', *options, '-o', os.path.join(
                where, 'abc'[-i] + '.gpsnap'))
        whole = m.made(command, src, *options)
        if command == 'share':  # pseudonyms are of a recording
            views = ('disks', 'hosts', 'events')
        else:
            views = SOME
        if command == 'thin':
            kept = sorted({*ticks(whole), *seams})
            side = [s for p in sorted(os.listdir(where))
                    for s in ticks(os.path.join(where, p))]
            gstest.equal(sorted(set(side)), kept, 'ticks that stay')
            same_growth(m.thin(where, '20s'), whole, 'files, thinned')
            views = ('disks', 'hosts', 'events')
        same(where, whole, 'side by side: ' + command, views=views)
        info = editlib.info(m.made('cut', where))
        gstest.check('holes      none\n' in info, info)
        gstest.equal(info.count('01' * 16), 1, info)

    # what is old was thinned; of what is new it is the recording itself
    where = m.path()
    os.mkdir(where)
    shutil.copy(parts[2], where)
    for i in (0, 1):
        editlib.gpsnap('thin', parts[i], '-o', os.path.join(
            where, '%d.gpsnap' % i), '--every', '10s', '-q')
    a, b = (editlib.tables(p, 'events', [])[0] for p in (where, src))
    # 10 s without a host are a hole of ticks every second, of the others not
    for key in ('rows', 'covered_seconds', 'from', 'to'):
        gstest.equal(a[key], b[key], 'old and new: ' + key)
    same_growth(m.thin(where, '20s'), m.thin(src, '20s'), 'old and new')


def check_hosts(m, tmp):
    """Of recordings of different hosts."""
    names = [os.path.join(tmp, n + '.gpsnap') for n in ('ab', 'c')]
    whole = m.thin(m.made('merge', *names), '10s')
    parts = m.made('merge', *[m.thin(n, '10s') for n in names])
    for host in ('sdw1', 'sdw2', 'sdw3'):
        a, b = (m.made('cut', p, '--hosts', host) for p in (parts, whole))
        same_growth(a, b, 'hosts that were thinned: ' + host)


def main():
    with editlib.scratch() as tmp:
        subprocess.run([gstest.binary('make_recordings'), tmp], check=True)
        m = Maker(tmp)
        src = os.path.join(tmp, 'all.gpsnap')
        thin = check_orders(m, src, '10s')
        check_cut(m, src, thin, '10s')
        check_pieces(m, thin)
        check_thinned_pieces(m, src, thin, '10s', 3)
        check_mixtures(m, tmp)
        check_seams(m, tmp)
        check_hosts(m, tmp)
    for name, every in (('postgresql15', '7s'), ('greenplum6', '5s')):
        with editlib.scratch() as tmp:
            m = Maker(tmp)
            src = os.path.join(SAMPLES, name + '.gpsnap')
            thin = check_orders(m, src, every)
            check_cut(m, src, thin, every)
            check_pieces(m, thin)
            check_thinned_pieces(m, src, thin, every, 1)


if __name__ == '__main__':
    main()
