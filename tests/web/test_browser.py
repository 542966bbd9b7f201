#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The served page in a browser: zoom down to samples, --find as a box, any view,
errors, and a recording that grows."""
import json
import os
import re
import shutil
import sys
import time

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), '..',
                             name) for name in ('lib', 'report')]

import browser
import gstest
from gstest import check, equal
from weblib import INCIDENT, Web, long_recording


def text(b, selector):
    return b.eval('(document.querySelector(%s) || {}).textContent'
                  % json.dumps(selector))


def loads(b):
    return int(b.eval('document.documentElement.dataset.loads') or 0)


def until(b, what, test):
    end = time.monotonic() + 30
    while not test():
        check(time.monotonic() < end, '%s: %s' % (
            what, text(b, '#server-note')))
        time.sleep(0.05)
    b.settle()


def choose(b, first, last):
    x, y, w, _ = b.box('#load')
    left, right = x + 92, x + w - 12
    b.drag(left + (right - left) * first, left + (right - left) * last,
           y + 60)


def test_zoom(b, path):
    with Web(path) as web:
        b.open(web.url)
        equal(b.console, [], 'console')
        check('samples every' in text(b, '#facts'), text(b, '#facts'))
        step = text(b, '#made')
        check('Each of the' in step and 'is 1s' not in step, step)
        widths = []
        while len(widths) < 6:
            choose(b, 0.4, 0.6)
            before = loads(b)
            b.click('#zoom-in')
            until(b, 'zoom', lambda: loads(b) > before)
            made = text(b, '#made')
            widths.append(made.rsplit('steps is ', 1)[1])
            facts = text(b, '#facts')
            ticks = int(facts.rsplit(' samples', 1)[0].rsplit(' ', 1)[1])
            steps = int(made.split('Each of the ')[1].split()[0])
            if ticks == steps:
                break
        equal(ticks, steps, 'single samples: %s' % widths)
        check('--from' in text(b, '#command'), text(b, '#command'))
        address = b.eval('location.href')
        check('zoom=' in address, address)
        b.open(address.split('#')[0], '#' + address.split('#')[1])
        equal(text(b, '#facts'), facts, 'a link leads there')
        before = loads(b)
        b.key('Z')
        until(b, 'out', lambda: loads(b) > before)
        equal(text(b, '#made'), step, 'all of it')
        check('whole' not in text(b, '#range'), 'what was seen is chosen')
        test_back(b, step)
        own = [r for r in b.requests if r.startswith('http')]
        check(all(r.startswith(web.url) for r in own), 'only its server')
        equal(b.console, [], 'console')


def test_back(b, step):
    """A zoom is a step of the browser's history.  What is chosen and what it is
    compared with stay the same times."""
    choose(b, 0.5, 0.6)
    b.key('c', 'c')
    chosen = [text(b, s) for s in ('#range', '#base')]
    check(all(chosen), str(chosen))
    before = loads(b)
    b.key('z', 'z')
    until(b, 'in', lambda: loads(b) > before)
    check(text(b, '#made') != step, 'finer steps')
    equal([times(text(b, s)) for s in ('#range', '#base')],
          [times(t) for t in chosen], 'the same times')
    before = loads(b)
    b.eval('history.back()')
    until(b, 'back', lambda: loads(b) > before)
    equal(text(b, '#made'), step, 'all of it')
    equal([text(b, s) for s in ('#range', '#base')], chosen, 'as it was')
    check('zoom=' not in b.eval('location.hash'), 'its address')
    b.key('Escape')


def times(said):
    """Without what is covered of them."""
    return re.findall(r'\d\d:\d\d:\d\d', said)


def test_find(b, web):
    b.open(web.url)
    b.click('#expr')
    b.type('host.busy > 90%')
    b.key('Enter', text='\r')
    until(b, 'hits', lambda: 'time' in (text(b, '#hits') or ''))
    check('db1' in text(b, '#hits'), text(b, '#hits'))
    b.click('#hits button')
    check(text(b, '#range').startswith('17:51:0'), text(b, '#range'))
    b.eval('document.querySelector("#expr").value = "nope > 1"')
    b.click('#find-form button')
    until(b, 'error', lambda: 'expected' in (text(b, '#hits') or ''))
    b.eval('document.querySelector("#expr").value = "host.busy > 200"')
    b.click('#find-form button')
    until(b, 'never', lambda: 'never' in (text(b, '#hits') or ''))


def test_views(b, web):
    b.open(web.url)
    until(b, 'views', lambda: b.eval('!!document.querySelector("#any")'))
    names = b.eval('[...document.querySelectorAll("#any-view option")]'
                   '.map((o) => o.value)')
    check({'overview', 'sessions', 'collectors', 'active'} <= set(names),
          str(names))
    choose(b, 0.4, 0.6)
    b.eval('document.querySelector("#any-columns").value = '
           '"pid,host,cpu_percent,minflt"')
    b.eval('document.querySelector("#any-limit").value = "3"')
    b.eval('document.querySelector("#any-view").value = "processes"')
    b.click('#any-form button')
    until(b, 'rows', lambda: b.eval(
        'document.querySelectorAll("#any-rows tbody tr").length') == 4)
    heads = b.eval('[...document.querySelectorAll("#any-rows th")]'
                   '.map((e) => e.textContent)')
    equal(heads, ['PID', 'HOST', 'CPU%', 'MINFLT'], 'columns')
    argv = text(b, '#any-command').split()
    equal(argv[:3], ['gpsnap', 'replay', os.path.basename(INCIDENT)],
          'command')
    theirs = gstest.replay_json(INCIDENT, *argv[3:])[0]['rows']
    mine = b.eval('[...document.querySelectorAll("#any-rows tbody tr")]'
                  '.map((r) => r.cells[0].textContent)')
    equal(mine[:3], [str(r['pid']) for r in theirs], 'rows')
    b.eval('document.querySelector("#any-view").value = "overview"; '
           'document.querySelector("#any-columns").value = ""')
    b.click('#any-form button')
    until(b, 'tables', lambda: b.eval(
        'document.querySelectorAll("#any-rows table").length') > 1)
    b.eval('document.querySelector("#any-where").value = "<b>x"')
    b.click('#any-form button')
    until(b, 'error', lambda: text(b, '#any-rows .bad'))
    equal(b.eval('document.querySelectorAll("#any-rows b").length'), 0,
          'a text stays a text')


def test_policy(b, web):
    """The server's policy holds: nothing but this program, no other server."""
    b.open(web.url)
    b.eval('''(() => {
        const s = document.createElement("script");
        s.textContent = "window.ran = true";
        document.body.append(s);
    })()''')
    equal(b.eval('window.ran'), None, 'a script of somebody else')
    with Web(INCIDENT) as other:
        got = b.eval('fetch("http://127.0.0.1:%d/%s/state").then(() => '
                     '"read", () => "refused")' % (other.port, other.token))
        equal(got, 'refused', 'another server')
    b.console.clear()


def test_gone(b):
    web = Web(INCIDENT)
    b.open(web.url)
    until(b, 'views', lambda: b.eval('!!document.querySelector("#any")'))
    web.stop()
    b.click('#any-form button')
    until(b, 'error', lambda: 'has it ended' in (text(b, '#any-rows') or ''))
    b.console.clear()


def test_range(b, web):
    """Times as --from and --to take them; an error says which."""
    b.open(web.url)
    b.click('#range-from')
    b.type('17:51:20')
    b.click('#range-to')
    b.type('17:51:30')
    before = loads(b)
    b.key('Enter', text='\r')
    until(b, 'range', lambda: loads(b) > before)
    check(text(b, '#facts').startswith('2026-11-22 17:51:20 \u2013 17:51:30'),
          text(b, '#facts'))
    b.eval('document.querySelector("#range-from").value = "nonsense"')
    b.click('#range-form button')
    until(b, 'error', lambda: 'nonsense' in text(b, '#server-note'))
    check(text(b, '#facts').startswith('2026-11-22 17:51:20'), 'it stays')
    check('nonsense' not in b.eval('location.hash'), 'address')


TOO_LATE = '''{
    const real = window.fetch;
    window.fetch = (path, ...more) => path === "data" ? Promise.resolve(
        new Response(JSON.stringify({ error: "took longer than 1 s" }),
                     { status: 504 })) : real(path, ...more);
}'''


def test_long(b, web):
    """All takes too long: the last hour is shown, and that it is."""
    script = b.call('Page.addScriptToEvaluateOnNewDocument', source=TOO_LATE)
    b.open(web.url)
    equal(text(b, '#notes'), 'This is the last hour: all of it took longer '
          'than 1 s', 'notes')
    check('samples every' in text(b, '#facts'), text(b, '#facts'))
    check(b.eval('location.hash').endswith('zoom=-1h..'), 'address')
    b.click('#zoom-out')
    until(b, 'error', lambda: 'took longer' in text(b, '#server-note'))
    check(b.eval('location.hash').endswith('zoom=-1h..'), 'it stays')
    b.call('Page.removeScriptToEvaluateOnNewDocument',
           identifier=script['identifier'])


def test_drag(b):
    """Steps that are dragged stay what they are until the drag ends."""
    x, y, w, _ = b.box('#load')
    b.pointer('mouseMoved', x + w / 2, y + 60)
    b.pointer('mousePressed', x + w / 2, y + 60, button='left', clickCount=1)
    time.sleep(0.5)
    before, made = loads(b), text(b, '#made')
    time.sleep(5)
    equal((loads(b), text(b, '#made')), (before, made), 'during a drag')
    b.pointer('mouseReleased', x + w - 40, y + 60, button='left', clickCount=1)
    until(b, 'growth', lambda: loads(b) > before)


def test_grows(b, d):
    """A recording that is written: its page follows."""
    path = d.file('grows.gpsnap')
    with gstest.Recorder(path, '-i', '0.2', '--no-catalog') as rec:
        rec.wait_ticks(3)
        with Web(path) as web:
            b.open(web.url)
            first = text(b, '#facts')
            before = loads(b)
            until(b, 'growth', lambda: loads(b) >= before + 2)
            check(text(b, '#facts') != first, 'more')
            test_drag(b)
            b.eval('document.querySelector("#follow").click()')
            time.sleep(1)
            before = loads(b)
            time.sleep(5)
            equal(loads(b), before, 'it does not follow')


def test_begins(b, d):
    """A directory in which nothing is yet."""
    with Web(d.path) as web:
        b.call('Page.navigate', url=web.url)
        until(b, 'nothing', lambda: 'Nothing to show yet' in (
            text(b, '#title') or ''))
        shutil.copy(INCIDENT, d.path)
        until(b, 'drawn', lambda: b.eval(
            'document.documentElement.dataset.state') == 'drawn')
        check('db1' in text(b, '#facts'), text(b, '#facts'))
    b.console.clear()


def main():
    if not browser.find():
        gstest.skip('there is no Chromium')
    with browser.Browser() as b:
        with gstest.TempDir() as d:
            test_zoom(b, long_recording(d.file('long.gpsnap'), 6000, 20))
        with Web(INCIDENT) as web:
            test_find(b, web)
            test_views(b, web)
            test_range(b, web)
            equal(b.console, [
                'Failed to load resource: the server responded with a status '
                'of 400 (Bad Request)'] * 3, 'console')
            test_policy(b, web)
            test_long(b, web)
            equal(b.console, [], 'console')
        test_gone(b)
        with gstest.TempDir() as d:
            test_grows(b, d)
        with gstest.TempDir() as d:
            test_begins(b, d)
    return 0


sys.exit(main())
