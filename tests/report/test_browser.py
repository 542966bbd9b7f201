#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page in a browser, opened as a file: what is drawn, what pointer and keys
choose, and that its figures are those of gpsnap replay for the same range."""
import base64
import csv
import datetime
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))

import browser
import gstest
from gstest import check, equal

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
SAMPLES = os.path.join(ROOT, 'samples')

# What identifies a row of a view in the page, and in replay.
KEYS = {
    'sessions': ('session', 'server'),
    'queries': ('query', 'server', 'command', 'text'),
    'processes': ('pid', 'host', 'command', 'title'),
    'waits': ('stat', 'server'), 'disks': ('host', 'disk'),
    'nets': ('host', 'net'), 'hosts': ('host',),
    'filesystems': ('host', 'mount'),
    'locks': ('root', 'session', 'pid', 'mode', 'object', 'segment'),
}

RATES = ('percent', 'per second', 'bytes per second')

KEEP_CSV = '''
window.madeUrl = URL.createObjectURL;
URL.createObjectURL = (b) => { b.text().then((t) => { window.lastCsv = t; });
    return window.madeUrl(b); };
'''


def page_of(d, name):
    out = d.file(os.path.basename(name) + '.html')
    gstest.gpsnap('report', os.path.join(SAMPLES, name + '.gpsnap'), '-o',
                  out, '-q', status=(0, 1))
    return out


def choose(b, first, last):
    """A drag from one share of the time to another."""
    x, y, w, h = b.box('#load')
    left, right = x + 92, x + w - 12
    b.drag(left + (right - left) * first, left + (right - left) * last,
           y + 60)


def text(b, selector):
    return b.eval('document.querySelector(%s).textContent'
                  % json.dumps(selector))


def tab(b, name):
    b.click('#tab-' + name)


def csv_of(b):
    b.eval('window.lastCsv = null')
    b.eval('[...document.querySelectorAll("#tools button")].find((e) => '
           'e.textContent === "CSV").click()')
    for _ in range(100):
        got = b.eval('window.lastCsv')
        if got is not None:
            return list(csv.DictReader(io.StringIO(got)))
        time.sleep(0.02)
    return gstest.fail('no CSV')


def replayed(b, sample):
    """What the page's own command prints."""
    argv = shlex.split(text(b, '#command'))
    equal(argv[:3], ['gpsnap', 'replay', os.path.basename(sample) + '.gpsnap'],
          'command')
    return gstest.replay_json(os.path.join(SAMPLES, sample + '.gpsnap'),
                              *argv[3:], '--limit', '0',
                              status=(0, 1))[0]


# ---- figures ----------------------------------------------------------

# Not a sum, and not in the tables of a range: that of the worst step.
OF_STEPS = {'worst_disk_await_ms', 'worst_disk_util_percent'}


def as_text(v):
    return '' if v is None else str(v)


def same_number(page, replay, unit, share=0.002):
    if page == '' or replay is None:
        return page == '' and replay is None
    if unit == 'time':
        def at(t):
            return datetime.datetime.fromisoformat(
                t[:19] + '+00:00').timestamp()
        return abs(at(page) - at(replay)) <= 1
    least = {'bytes': 1024, 'bytes per second': 64, 'seconds': 0.06,
             'percent': 0.06, 'per second': 0.06, 'number': 0.06}
    return abs(float(page) - replay) <= max(least.get(unit, 0.5),
                                            abs(replay) * share)


def key_of(row, names):
    # a text that a spreadsheet would run is quoted; queries are numbered
    # from the start of what was read
    return tuple(as_text(row.get(n)).lstrip("'").split('/')[0]
                 if n == 'query' else as_text(row.get(n)).lstrip("'")
                 for n in names)


def marked_cells(b):
    """Rows as they are shown: the titles of columns with lower bounds."""
    b.eval('[...document.querySelectorAll("#rows > button")].forEach((e) => '
           'e.click())')
    b.settle()
    return b.eval('((heads) => [...document.querySelectorAll("#rows tbody '
                  'tr")].map((r) => heads.filter((h, i) => r.cells[i] && '
                  'r.cells[i].textContent.startsWith("\u2265"))))([...document'
                  '.querySelectorAll("#rows thead th")].map((e) => '
                  'e.textContent))')


def check_rates(name, said, mine, their, bound):
    """A rate is a lower bound only where replay says so, too, or has more."""
    at = said['rows'].index(their)
    marked = {m['column'] for m in said.get('marks', [])
              if m['row'] == at and m['mark'] == 'at_least'}
    for column in said['columns']:
        if column['unit'] in RATES and column['name'] not in marked and \
                same_number(mine.get(column['name'], ''),
                            their[column['name']], column['unit']):
            check(not any(t.startswith(column['title'] + ' ') or
                          t == column['title'] for t in bound),
                  '%s: %s is at least so much' % (name, column['name']))


def compare_row(name, mine, theirs, units, share, bound):
    for column, value in mine.items():
        if column not in theirs or column == 'query' or \
                column in OF_STEPS:
            continue
        unit = units[column]
        if unit in ('', 'id'):
            equal(as_text(value).lstrip("'"), as_text(theirs[column]),
                  '%s %s' % (name, column))
        else:
            # the page knows of what was before the range
            if column == 'began' and value < as_text(theirs[column]):
                continue
            if column == 'age_seconds' and value and theirs[column] and \
                    float(value) >= theirs[column]:
                continue
            if bound and unit != 'time' and value and theirs[column] and \
                    float(value) < theirs[column]:
                continue
            check(same_number(value, theirs[column], unit, share),
                  '%s: %s: page %r, replay %r' % (
                      name, column, value, theirs[column]))


def compare(b, sample, name):
    tab(b, name)
    rows = [r for r in csv_of(b) if not next(iter(r.values())).endswith(
        ' others')]
    said = replayed(b, sample)
    units = {c['name']: c['unit'] for c in said['columns']}
    names = KEYS[name]
    theirs = {}
    for row in said['rows']:
        theirs.setdefault(key_of(row, names), []).append(row)
    own = {key_of(r, names) for r in rows}
    equal(own - set(theirs), set(), name + ': rows that replay lacks')
    n = 0
    bounds = marked_cells(b)
    # hosts that are not covered alike: an estimate, and marked as one
    share = 0.01 if '~' in text(b, '#rows') and name != 'waits' else 0.002
    for row, bound in zip(rows, bounds):
        their = theirs[key_of(row, names)]
        if len(their) > 1:
            continue # the same statement twice
        if name == 'waits':
            # the page leaves out what took no time
            check(float(row['seconds']) > 0 or row['stat'] == 'DB time',
                  'empty wait')
        compare_row('%s %s' % (name, key_of(row, names)), row, their[0],
                    units, share, bound)
        check_rates('%s %s' % (name, key_of(row, names)), said, row,
                    their[0], bound)
        n += 1
    return n


# Tabs that have tests of their own: skew is compared in test_compare.py.
OTHER_TABS = {'events', 'matrix'}


def compared_tabs(b):
    return [n for n in b.eval('[...document.querySelectorAll('
                              '"#tabs [role=tab]")].map((e) => '
                              'e.id.replace("tab-", ""))')
            if n not in OTHER_TABS]


def test_figures(b, d):
    for sample, parts in (
            ('postgresql15-incident', ((0.32, 0.62), (0.5, 0.52))),
            ('greenplum6-spill', ((0.1, 0.8),)),
            ('greenplum6', ((0.2, 0.9),)),
            ('postgresql15', ((0.1, 0.9),)),
            ('incidents/agent-lost', ((0, 1),)),
            ('incidents/lock-pileup', ((0, 1),)),
            ('incidents/hole', ((0, 1),))):
        b.open(page_of(d, sample))
        b.eval(KEEP_CSV)
        names = compared_tabs(b)
        equal(set(names), set(KEYS), 'tables')
        for first, last in parts:
            choose(b, first, last)
            got = {name: compare(b, sample, name) for name in names}
            check(got['sessions'] > 5 and got['hosts'] > 0,
                  '%s: %s' % (sample, got))


# ---- what is seen and done ---------------------------------------------

def test_opens(b, page):
    b.open(page)
    equal(b.console, [], 'console')
    equal([r for r in b.requests if not r.startswith(('file:', 'about:'))],
          [], 'requests')
    equal(len([r for r in b.requests if r.startswith('file:')]), 1,
          'one file')
    check('2.60 sessions at work' in text(b, '#load-total'),
          text(b, '#load-total'))
    check(text(b, '#range').startswith('the whole recording'), 'range')


def test_policy(b):
    """What a hole in the page could do: nothing."""
    b.eval('''(() => {
        const s = document.createElement("script");
        s.textContent = "window.ran = true";
        document.body.append(s);
        const i = document.createElement("img");
        i.src = "http://127.0.0.1:9/x";
        document.body.append(i);
        const j = document.createElement("div");
        j.setAttribute("onclick", "window.ran = true");
        document.body.append(j);
        j.click();
    })()''')
    b.settle()
    equal(b.eval('window.ran'), None, 'a foreign script ran')
    check(any('Content Security Policy' in c for c in b.console), 'policy')
    b.console.clear()


def test_brush(b):
    choose(b, 0.5, 0.7)
    check('17:51:22 \u2013 17:51:3' in text(b, '#range'), text(b, '#range'))
    check('--from 2026-11-22T17:51:22Z' in text(b, '#command'),
          text(b, '#command'))
    check('Lock 7.00' in b.eval('document.querySelector("#legend").innerText'
                                '.replace(/\\s+/g, " ")'), 'legend')
    check(b.eval('location.hash').find('from=') > 0, 'address')
    b.key('Escape')
    check(text(b, '#range').startswith('the whole'), 'Escape')


def test_touch(b):
    x, y, w, h = b.box('#load')
    b.call('Emulation.setTouchEmulationEnabled', enabled=True)
    b.call('Input.dispatchTouchEvent', type='touchStart',
           touchPoints=[{'x': x + 300, 'y': y + 60}])
    for i in range(1, 8):
        b.call('Input.dispatchTouchEvent', type='touchMove',
               touchPoints=[{'x': x + 300 + i * 20, 'y': y + 60}])
    b.call('Input.dispatchTouchEvent', type='touchEnd', touchPoints=[])
    b.call('Emulation.setTouchEmulationEnabled', enabled=False)
    b.settle()
    check('covered' in text(b, '#range') and
          not text(b, '#range').startswith('the whole'), text(b, '#range'))
    b.key('Escape')


def test_keys(b):
    b.eval('document.querySelector("#load").focus()')
    choose(b, 0.3, 0.4)
    b.eval('document.querySelector("#load").focus()')
    was = text(b, '#range')
    b.key('ArrowRight')
    moved = text(b, '#range')
    check(moved != was, 'the arrow moved nothing')
    b.key('ArrowLeft')
    equal(text(b, '#range'), was, 'and back')
    b.key('ArrowRight', shift=True)
    check(text(b, '#range') not in (was, moved), 'the end')
    check(text(b, '#said').startswith('chosen: '), text(b, '#said'))
    b.key('Escape')
    b.key('/', '/')
    equal(b.eval('document.activeElement.id'), 'find', 'search')
    b.type('analyst')
    equal(b.eval('document.querySelectorAll("#rows tbody tr").length'), 2,
          'found rows')
    b.key('Escape')
    b.eval('document.querySelector("#tab-sessions").focus()')
    b.key('ArrowRight')
    equal(b.eval('document.activeElement.id'), 'tab-queries', 'tabs')


def test_details(b):
    """The whole text of a statement, by click and by key."""
    tab(b, 'queries')
    b.click('#rows tbody tr td')
    check('group by bid' in text(b, '#rows .details'), 'whole text')
    b.key('Escape')
    b.eval('document.querySelector("#rows tbody button").focus()')
    b.key('Enter', '\r')
    equal(b.eval('document.querySelectorAll("#rows .details").length'), 0,
          'closed by Enter')


def test_sort(b):
    tab(b, 'sessions')

    def users():
        return b.eval('[...document.querySelectorAll("#rows tbody tr")]'
                      '.map((r) => r.cells[2].textContent)')
    b.eval('[...document.querySelectorAll("#rows thead button")].find((e) => '
           'e.textContent.startsWith("USER")).click()')
    b.settle()
    equal(users(), sorted(users(), reverse=True), 'by user')
    equal(b.eval('document.querySelectorAll("#rows th[aria-sort]").length'),
          1, 'said')


def test_findings(b):
    """What was wrong stands first, and leads to its time and table."""
    check('7 sessions waited for 89' in text(b, '#finding-list li'),
          text(b, '#finding-list'))
    check('17:51:06 \u2265 56' in text(b, '#finding-list'), 'it goes on')
    b.click('#finding-list li button')
    check('17:51:19 \u2013 17:51:4' in text(b, '#range'), text(b, '#range'))
    equal(b.eval('document.querySelector("[aria-selected=true]").id'),
          'tab-locks', 'its table')
    check(text(b, '#rows tbody th').startswith('89'), 'the root')
    b.eval('document.activeElement.blur()')
    b.key('Escape')


def test_locks(b):
    """A chosen time without locks says where there are some."""
    choose(b, 0.02, 0.1)
    tab(b, 'locks')
    check('no locks were waited for' in text(b, '#rows'), text(b, '#rows'))
    b.click('#rows button')
    check(b.eval('document.querySelectorAll("#rows tbody tr").length') >= 7,
          'those who wait')
    depth = b.eval('[...document.querySelectorAll("#rows tbody th")].map((e) '
                   '=> [e.textContent, parseInt(getComputedStyle(e)'
                   '.paddingLeft)])')
    equal([t for t, _ in depth[:2]], ['89', '\u2514 92'], 'a tree')
    check(depth[0][1] < depth[1][1] < depth[2][1], depth)
    b.key('Escape')


def test_address(b, page):
    """A link leads to the same range, table and order."""
    choose(b, 0.5, 0.7)
    tab(b, 'processes')
    after, was = b.eval('location.hash'), text(b, '#range')
    b.open(page, after)
    equal((text(b, '#range'), b.eval(
        'document.querySelector("[aria-selected=true]").id')),
        (was, 'tab-processes'), 'link')


def test_stacks(b):
    """Each stack is drawn, and sums up to the same."""
    totals = {}
    b.key('Escape')
    for measure in ('sessions', 'cores'):
        b.eval('document.querySelector("#as").value = "%s"; document.'
               'querySelector("#as").dispatchEvent(new Event("change"))'
               % measure)
        b.settle()
        for by in b.eval('[...document.querySelector("#by").options].map('
                         '(o) => o.value)'):
            b.eval('document.querySelector("#by").value = "%s"; document.'
                   'querySelector("#by").dispatchEvent(new Event("change"))'
                   % by)
            b.settle()
            totals[measure, by] = float(text(b, '#load-total').split()[0])
    for measure in ('sessions', 'cores'):
        of = {k: v for k, v in totals.items() if k[0] == measure}
        check(max(of.values()) - min(of.values()) <= 0.02,
              'stacks differ: %s' % of)
    equal(b.console, [], 'console')


# ---- sizes, themes ------------------------------------------------------

def contrast(b, selector):
    return b.eval('''(() => {
        const light = (c) => c.match(/[\\d.]+/g).slice(0, 3).map((v) => {
            v /= 255;
            return v <= 0.03928 ? v / 12.92
                : Math.pow((v + 0.055) / 1.055, 2.4);
        }).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
        const e = document.querySelector(%s);
        let p = e;
        while (getComputedStyle(p).backgroundColor === "rgba(0, 0, 0, 0)")
            p = p.parentElement;
        const a = light(getComputedStyle(e).color);
        const c = light(getComputedStyle(p).backgroundColor);
        return (Math.max(a, c) + 0.05) / (Math.min(a, c) + 0.05);
    })()''' % json.dumps(selector))


def test_sizes(b, page):
    for width in (1280, 800, 390):
        for theme in ('light', 'dark'):
            b.size(width, 900)
            b.media(prefers_color_scheme=theme)
            b.open(page)
            check(b.eval('document.documentElement.scrollWidth') <= width,
                  '%d: wider than its window' % width)
            for selector in ('#facts', '#load-total', '#rows td',
                             '#rows thead button', '#command', 'footer p'):
                check(contrast(b, selector) >= 4.5, '%s %s: %.1f' % (
                    theme, selector, contrast(b, selector)))
    b.size(1280, 1000)
    b.media(prefers_color_scheme='light')
    equal(b.console, [], 'console')


def test_names(b):
    """Each control has a name, for who does not see it."""
    equal(b.eval('''[...document.querySelectorAll(
        "button, select, input, canvas")].filter((e) => !(e.textContent.trim()
        || e.getAttribute("aria-label") || e.closest("label"))).length'''), 0,
          'controls without a name')


def test_print(b, page):
    """On paper: few pages, in light colours, and the screen as it was."""
    b.media(prefers_color_scheme='dark')
    b.open(page)
    b.eval('window.themes = []; new MutationObserver(() => themes.push('
           'document.documentElement.dataset.theme)).observe('
           'document.documentElement, { attributeFilter: ["data-theme"] })')
    pdf = base64.b64decode(b.call('Page.printToPDF', preferCSSPageSize=True,
                                  printBackground=True)['data'])
    b.settle()
    check(1 <= len(re.findall(rb'/Type /Page\b', pdf)) <= 3, 'pages')
    check('light' in b.eval('themes'), 'light')
    equal(b.eval('document.documentElement.dataset.theme || null'), None,
          'the theme afterwards')
    b.media(prefers_color_scheme='light')


def test_covered(b, d):
    """The head says of what there is less, as above a table."""
    for sample, says in (
            ('greenplum6-deadlock', 'no holes; 1 of 2 hosts less: sdw1h2 55.0s'),
            ('hole', '12 samples every 1s, 11 ticks skipped')):
        b.open(page_of(d, 'incidents/' + sample))
        check(says in text(b, '#facts'), text(b, '#facts'))


def test_hosts(b, d):
    """One host's rows only, without a pointer; sessions of a database stay."""
    page = page_of(d, 'greenplum6-spill')
    b.open(page, '#host=sdw1h2')
    nodes = b.eval('[...document.querySelectorAll("#rows tbody tr")].map((r) '
                   '=> r.cells[1].textContent)')
    check(set(nodes) == {'sdw1h2', '-'}, nodes)
    b.open(page)
    tab(b, 'processes')
    b.eval('document.querySelector("#host").focus()')
    b.key('ArrowDown')
    b.key('ArrowDown')
    equal(b.eval('document.querySelector("#host").value'), 'sdw1h2', 'chosen')
    equal(b.eval('[...new Set([...document.querySelectorAll("#rows tbody tr")]'
                 '.map((r) => r.cells[1].textContent))]'), ['sdw1h2'],
          'its rows')
    b.eval('document.querySelector("#tab-processes").focus()')
    b.key('End')
    equal(b.eval('document.activeElement.id'), 'tab-events', 'the last tab')
    b.key('Home')
    equal(b.eval('document.activeElement.id'), 'tab-sessions', 'the first')


# ---- hostile texts ------------------------------------------------------

HOSTILE = '</script><script>window.ran=1</script><img src=x onerror=ran=1>'


def hostile_recording(d):
    """Marks and names of programs that are markup."""
    program = d.file('<img src=x>')
    shutil.copy('/bin/sleep', program)
    path = d.file('h.gpsnap')
    child = subprocess.Popen([program, '30'])
    r = subprocess.Popen([gstest.binary('gpsnap'), 'record', '-i', '0.2',
                          '-n', '12', '--all', '-q', '-o', path],
                         stderr=subprocess.PIPE)
    try:
        gstest.wait_for('a recording', lambda: os.path.exists(path))
        time.sleep(0.5)
        subprocess.run([gstest.binary('gpsnap'), 'mark', path, HOSTILE],
                       check=True, stdout=subprocess.DEVNULL)
        r.wait()
    finally:
        child.kill()
        child.wait()
        r.kill()
    return path


def test_hostile(b, d):
    page = d.file('h.html')
    gstest.gpsnap('report', hostile_recording(d), '-o', page, '-q',
                  '--title', HOSTILE, status=(0, 1))
    b.open(page)
    tab(b, 'events')
    check(HOSTILE in text(b, '#rows'), 'the mark, as text')
    tab(b, 'processes')
    b.eval('const f = document.querySelector("#find"); f.value = "<img"; '
           'f.dispatchEvent(new Event("input"))')
    b.settle()
    check('<img src=x>' in text(b, '#rows'), text(b, '#rows')[:200])
    b.click('#rows tbody tr td')
    equal((b.eval('window.ran'), b.eval('document.images.length'),
           b.eval('document.scripts.length'), b.console),
          (None, 0, 1, []), 'it stayed text')


NOBODY = 65534


def test_unreadable(b, d):
    """IO of processes that the recorder may not look at: ? as in replay."""
    os.chmod(d.path, 0o711)
    place = d.file('nobody')
    os.mkdir(place)
    os.chown(place, NOBODY, NOBODY)
    path = os.path.join(place, 'n.gpsnap')
    try:
        subprocess.run([gstest.binary('gpsnap'), 'record', '-i', '0.2', '-n',
                        '8', '--all', '--no-catalog', '-q', '-o', path],
                       user=NOBODY, group=NOBODY, extra_groups=[], check=True,
                       cwd=place)
    except PermissionError:
        return # not root, or others may not run what was built
    page = d.file('n.html')
    gstest.gpsnap('report', path, '-o', page, '-q', status=(0, 1))
    b.open(page)
    tab(b, 'processes')
    shown = b.eval('[...document.querySelectorAll("#rows tbody tr")].map((r) '
                   '=> [...r.cells].some((c) => c.textContent === "?"))')
    said = gstest.gpsnap('replay', path, '-V', 'processes', '-l', '0',
                         status=(0, 1)).decode()
    check(any(shown) and ' ? ' in said, 'page %r, replay %s' % (shown, said))


def main():
    if not browser.find():
        gstest.skip('no chromium here')
    with gstest.TempDir() as d, browser.Browser() as b:
        page = page_of(d, 'postgresql15-incident')
        test_opens(b, page)
        test_policy(b)
        b.open(page)
        test_brush(b)
        test_touch(b)
        test_keys(b)
        test_details(b)
        test_sort(b)
        test_findings(b)
        test_locks(b)
        test_address(b, page)
        test_stacks(b)
        test_names(b)
        test_sizes(b, page)
        test_print(b, page)
        test_covered(b, d)
        test_hosts(b, d)
        test_hostile(b, d)
        test_unreadable(b, d)
        with gstest.TempDir() as other:
            test_figures(b, other)
    return 0


if __name__ == '__main__':
    sys.exit(main())
