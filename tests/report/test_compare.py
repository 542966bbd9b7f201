#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two ranges side by side, and the skew of segments: in the page, and as gpsnap
replay prints them for the same ranges."""
import os
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))

import browser
import gstest
from gstest import check, equal
from test_browser import (HOSTILE, KEEP_CSV, SAMPLES, as_text, choose, csv_of,
                          hostile_recording, page_of, same_number, tab, text)

# How CPU* is split is an estimate of a whole table, and not the sum of those
# of its steps.
SPLIT = ('on CPU', 'runnable', 'not known')

# What identifies a row in both.
KEYS = {'sessions': ('session', 'user', 'database'), 'hosts': ('host',),
        'disks': ('host', 'disk'), 'nets': ('host', 'net'),
        'processes': ('pid', 'host', 'session', 'command'),
        'filesystems': ('host', 'mount'), 'waits': ('stat',),
        'queries': ('user', 'database', 'text')}


def choose_base(b, first, last):
    """A drag with shift."""
    x, y, w, h = b.box('#load')
    left, right = x + 92, x + w - 12
    at = [left + (right - left) * s for s in (first, last)]
    b.pointer('mouseMoved', at[0], y + 60)
    b.pointer('mousePressed', at[0], y + 60, button='left', clickCount=1,
              modifiers=8)
    b.pointer('mouseMoved', at[1], y + 60, button='left', buttons=1,
              modifiers=8)
    b.pointer('mouseReleased', at[1], y + 60, button='left', clickCount=1,
              modifiers=8)
    b.settle()


def replayed(b, sample):
    argv = shlex.split(text(b, '#command'))
    equal(argv[:3], ['gpsnap', 'replay', sample + '.gpsnap'], 'command')
    return gstest.replay_json(os.path.join(SAMPLES, sample + '.gpsnap'),
                              *argv[3:], '--limit', '0', status=(0, 1))[0]


def key_of(row, names):
    return tuple(as_text(row.get(n)).lstrip("'") for n in names)


def by_key(rows, names):
    found = {}
    for row in rows:
        found.setdefault(key_of(row, names), []).append(row)
    return found


def compare(b, sample, name):
    """Each figure of both sides, and the difference, for rows that stand once
    in each table."""
    tab(b, name)
    said = replayed(b, sample)
    units = {c['name']: c['unit'] for c in said['columns']}
    mine = by_key([r for r in csv_of(b) if 'others' not in
                   next(iter(r.values()))], KEYS[name])
    theirs = by_key(said['rows'], KEYS[name])
    n = 0
    for key in set(mine) & set(theirs):
        if len(mine[key]) > 1 or len(theirs[key]) > 1 or \
                key[0].endswith(SPLIT):
            continue
        row, their = mine[key][0], theirs[key][0]
        equal(row['change'], as_text(their['change']),
              '%s %s: change' % (name, key))
        for column in row:
            if not column.endswith(('_base', '_diff')) or \
                    column.startswith(('age_', 'worst_', 'xact_age')) or \
                    column not in units:
                continue
            # a peak's difference, and what was marked as a bound
            if their[column] is None or row[column] == '':
                continue
            check(same_number(row[column], their[column], units[column],
                              0.012), '%s %s: %s: page %s, replay %s' % (
                name, key, column, row[column], their[column]))
            n += 1
    return n


def test_figures(b, d):
    """B as long as A, and longer."""
    sample = 'postgresql15-incident'
    b.open(page_of(d, sample))
    b.eval(KEEP_CSV)
    for mine, base in (((0.5, 0.75), (0.1, 0.35)), ((0.4, 0.9), (0.1, 0.3))):
        choose(b, *mine)
        choose_base(b, *base)
        check('--baseline' in text(b, '#command'), text(b, '#command'))
        got = {name: compare(b, sample, name) for name in KEYS}
        check(all(got.values()), got)
    equal(b.console, [], 'console')


def test_scaled(b):
    """An amount of a shorter A is an estimate; new and gone are said."""
    tab(b, 'sessions')
    check('~' in text(b, '#rows'), 'scaled amounts are marked')
    said = b.eval('[...document.querySelectorAll("#rows tbody td")].map((e) '
                  '=> e.textContent)')
    check('gone' in said or 'new' in said, 'changes')
    equal(b.eval('document.querySelectorAll("#rows thead th").length') > 8,
          True, 'columns')
    tab(b, 'locks')
    check('of B alone' in text(b, '#alone'), text(b, '#alone'))
    check('--baseline' not in text(b, '#command'), 'its command')


def test_keys(b):
    """c compares, c again changes what arrows move, Escape ends it."""
    b.eval('document.activeElement.blur()')
    b.key('Escape')
    b.key('Escape')
    equal(b.eval('document.querySelector("#compared").hidden'), True,
          'not comparing')
    choose(b, 0.5, 0.7)
    b.eval('document.querySelector("#load").focus()')
    b.key('c', 'c')
    base, own = text(b, '#base'), text(b, '#range')
    check(text(b, '#said').startswith('comparing'), text(b, '#said'))
    b.key('ArrowLeft')
    equal(text(b, '#base'), base, 'B was moved')
    check(text(b, '#range') != own, 'B was not moved')
    own = text(b, '#range')
    b.key('c', 'c')
    b.key('ArrowLeft')
    check(text(b, '#base') != base and text(b, '#range') == own, 'A moves')
    check('compared with' in b.eval(
        'document.querySelector("#load").getAttribute("aria-valuetext")'),
        'said of the drawing')
    b.key('Escape')
    equal((b.eval('document.querySelector("#compared").hidden'),
           text(b, '#range')), (True, own.replace('B, ', '')), 'Escape')


def test_touch(b):
    """With a finger: a button, then drags."""
    choose(b, 0.5, 0.7)
    b.click('#compare')
    base = text(b, '#base')
    b.click('#move-base')
    equal(b.eval('document.querySelector("#move-base").getAttribute('
                 '"aria-pressed")'), 'true', 'pressed')
    x, y, w, h = b.box('#load')
    b.call('Emulation.setTouchEmulationEnabled', enabled=True)
    for kind, at in (('touchStart', 150), ('touchMove', 200),
                     ('touchMove', 260)):
        b.call('Input.dispatchTouchEvent', type=kind,
               touchPoints=[{'x': x + at, 'y': y + 60}])
    b.call('Input.dispatchTouchEvent', type='touchEnd', touchPoints=[])
    b.call('Emulation.setTouchEmulationEnabled', enabled=False)
    b.settle()
    check(text(b, '#base') != base, 'A did not move')


def test_address(b, page):
    after, was = b.eval('location.hash'), text(b, '#base')
    b.open(page, after)
    equal(text(b, '#base'), was, 'a link leads to the comparison')


def test_options(b, d):
    """--baseline opens with it; --host leaves the other hosts out."""
    page = d.file('o.html')
    gstest.gpsnap('report', os.path.join(SAMPLES, 'greenplum6-spill.gpsnap'),
                  '-o', page, '-q', '--host', 'sdw1h2', '--from', '10:18:40',
                  '--baseline', '10:18:20..10:18:30')
    b.open(page)
    check(text(b, '#base').startswith('10:18:20 \u2013 10:18:30'),
          text(b, '#base'))
    check(text(b, '#range').startswith('B, 10:18:40 \u2013 10:19:00'),
          text(b, '#range'))
    check('only sdw1h2' in text(b, '#facts'), text(b, '#facts'))
    b.eval('document.activeElement.blur()')
    tab(b, 'processes')
    command = text(b, '#command')
    first, second = [shlex.split(c) for c in command.split(' && ')]
    part = d.file('part.gpsnap')
    gstest.gpsnap(*first[1:2], os.path.join(SAMPLES, first[2]), '-q', '-o',
                  part, *first[5:])
    said = gstest.replay_json(part, *second[3:], '--limit', '0')[0]
    equal(said['hosts'], ['sdw1h2'], 'hosts')
    check(said['baseline'], 'baseline')
    for argv, what in ((('--host', 'nix'), b'no such host'),
                       (('--baseline', '-5h'), b'nothing recorded'),
                       (('--baseline', '5h'), b'expected a range')):
        out = subprocess.run([gstest.binary('gpsnap'), 'report', os.path.join(
            SAMPLES, 'greenplum6-spill.gpsnap'), '-o', d.file('x'), *argv],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        check(what in out.stderr and out.returncode != 0, out.stderr)
        check(not os.path.exists(d.file('x')), 'a file')


# ---- several recordings ----------------------------------------------------

def test_clusters(b, d):
    """Of two clusters that were recorded one after the other: rates divide by the time
    in which the own hosts were there."""
    both = d.file('both')
    os.mkdir(both)
    for name in ('greenplum6-spill', 'incidents/greenplum7-mixed'):
        os.symlink(os.path.join(SAMPLES, name + '.gpsnap'),
                   os.path.join(both, os.path.basename(name) + '.gpsnap'))
    page = d.file('both.html')
    gstest.gpsnap('report', both, '-o', page, '-q', status=1)  # a hole
    b.open(page)
    b.eval(KEEP_CSV)
    for name, least in (('sessions', 100), ('queries', 5)):
        tab(b, name)
        said = gstest.replay_json(both, '-V', name, '--limit', '0',
                                  status=1)[0]['rows']
        mine, theirs = (by_key(rows, KEYS[name]) for rows in
                        (csv_of(b), said))
        n = 0
        for key in set(mine) & set(theirs):
            # others come and go within a step
            if len(mine[key]) > 1 or len(theirs[key]) > 1 or \
                    key[0].startswith('sid '):
                continue
            for column in ('cpu_seconds', 'cpu_percent'):
                check(same_number(mine[key][0][column],
                                  theirs[key][0][column], 'percent', 0.02),
                      '%s %s: %s: page %s, replay %s' % (
                          name, key, column, mine[key][0][column],
                          theirs[key][0][column]))
            n += 1
        check(n >= least, '%s: %d rows' % (name, n))


# ---- skew ---------------------------------------------------------------

def test_skew(b, d):
    """Each session's most and average segment, as the view has them; of one
    session all slices and segments."""
    sample = 'greenplum6-spill'
    b.open(page_of(d, sample))
    b.eval(KEEP_CSV)
    tab(b, 'matrix')
    theirs = by_key(replayed(b, sample)['rows'], ('session',))
    rows = csv_of(b)
    equal(rows[0]['session'], 'con170', 'the most uneven one')
    for row in rows:
        if (row['session'],) not in theirs:
            # the view has sessions of distributed statements only
            check(float(row['cpu_seconds']) < 1, row)
            continue
        their = theirs[row['session'],][0]
        for column in ('cpu_seconds', 'max_seconds', 'average_seconds',
                       'skew'):
            check(same_number(row[column], their[column], 'seconds', 0.01),
                  '%s: %s: page %s, replay %s' % (
                      row['session'], column, row[column], their[column]))
        equal(row['hot'], as_text(their['hot']), row['session'] + ': hot')
    check('con170' in text(b, '#extra h3'), text(b, '#extra'))
    b.eval('[...document.querySelectorAll("#rows tbody button")].find((e) => '
           'e.textContent === "con174").focus()')
    b.key('Enter', '\r')
    check('con174' in text(b, '#extra h3'), 'by key')
    equal(b.eval('document.activeElement.textContent'), 'con174', 'focus')
    said = gstest.replay_json(
        os.path.join(SAMPLES, sample + '.gpsnap'), '-V', 'matrix', '-w',
        'session = con174', '--limit', '0')[0]['rows']
    slices = b.eval('[...document.querySelectorAll("#extra tbody tr")].map('
                    '(r) => [...r.cells].map((c) => c.textContent))')
    equal(len(slices), len({r['slice'] for r in said}), 'slices')
    for line in slices:
        for i, cell in enumerate(line[1:]):
            their = [r['cpu_seconds'] for r in said if r['segment'] == i and
                     as_text(r['slice']) == line[0].replace('-', '')]
            check(not their if cell == '-' else
                  abs(float(cell[:-1]) - their[0]) < 0.03,
                  'slice %s seg%d: %s, %s' % (line[0], i, cell, their))


def test_no_skew(b, page):
    b.open(page)
    equal(b.eval('document.querySelector("#tab-matrix")'), None,
          'no segments, no tab')


def test_hostile(b, d):
    page = d.file('h.html')
    gstest.gpsnap('report', hostile_recording(d), '-o', page, '-q',
                  '--title', HOSTILE, status=(0, 1))
    b.open(page)
    b.eval('document.activeElement.blur()')
    b.key('c', 'c')
    tab(b, 'processes')
    b.eval('const f = document.querySelector("#find"); f.value = "<img"; '
           'f.dispatchEvent(new Event("input"))')
    b.settle()
    check('<img src=x>' in text(b, '#rows'), text(b, '#rows')[:200])
    b.click('#rows tbody tr td')
    equal((b.eval('window.ran'), b.eval('document.images.length'),
           b.eval('document.scripts.length'), b.console),
          (None, 0, 1, []), 'it stayed text')


def main():
    if not browser.find():
        gstest.skip('no chromium here')
    with gstest.TempDir() as d, browser.Browser() as b:
        test_figures(b, d)
        page = d.file('postgresql15-incident.html')
        test_scaled(b)
        test_keys(b)
        test_touch(b)
        test_address(b, page)
        test_no_skew(b, page)
        test_options(b, d)
        test_clusters(b, d)
        test_skew(b, d)
        test_hostile(b, d)
    return 0


if __name__ == '__main__':
    sys.exit(main())
