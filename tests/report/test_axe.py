#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page, in each state, under axe-core's rules: nothing serious.  The rules
come with `npm ci` in tests/report/axe; without them this is skipped."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', name) for name in ('lib', 'web')]

import browser
import gstest
from gstest import check, equal
from weblib import Web

SAMPLES = os.path.join(HERE, '..', '..', 'samples')
AXE = os.path.join(HERE, 'axe', 'node_modules', 'axe-core', 'axe.min.js')


def serious(b, rules):
    b.eval(rules)
    return b.eval('axe.run({ resultTypes: ["violations"] }).then((r) => '
                  'r.violations.filter((v) => v.impact === "serious" || '
                  'v.impact === "critical").map((v) => v.id + ": " + '
                  'v.help + ": " + v.nodes.slice(0, 3).map((n) => '
                  'n.html.slice(0, 120)).join(" | ")))')


def test_rules(b, rules):
    """They find what is wrong."""
    b.eval('document.querySelector("#facts").style.color = "#ddd"')
    found = [f.split(':')[0] for f in serious(b, rules)]
    check('color-contrast' in found, found)


def states(b, all_of_them):
    """Of a page that is open: what a user makes of it."""
    b.eval('document.activeElement.blur()')
    yield 'as it opens'
    b.key('c', 'c')
    yield 'comparing'
    b.key('Escape')
    if not all_of_them:
        return
    for name in b.eval('[...document.querySelectorAll("[role=tab]")].map('
                       '(e) => e.id)'):
        b.click('#' + name)
        yield name
    b.click('#tab-sessions')
    b.click('#rows tbody tr td')
    yield 'a row opened'
    b.key('?', '?')
    yield 'help'


def wait(b, code):
    gstest.wait_for(code, lambda: b.eval(code))


def check_served(b, rules):
    """What a served page has in addition, in both themes."""
    with Web(os.path.join(SAMPLES, 'greenplum6-spill.gpsnap')) as web:
        for theme in ('light', 'dark'):
            b.media(prefers_color_scheme=theme)
            b.open(web.url)
            wait(b, '!!document.querySelector("#any")')
            # one by one: an answer moves what is to be clicked
            b.eval('document.querySelector("#expr").value = '
                   '"host.busy > 90%"')
            b.click('#find-form button')
            wait(b, '!!document.querySelector("#hits button")')
            b.eval('document.querySelector("#range-to").value = "nonsense"')
            b.click('#range-form button')
            wait(b, '!document.querySelector("#server-note").hidden')
            b.click('#any-form button')
            wait(b, '!!document.querySelector("#any-rows td")')
            equal(serious(b, rules), [], 'served, ' + theme)


def main():
    if not browser.find():
        gstest.skip('no chromium here')
    if not os.path.exists(AXE):
        gstest.skip('no axe-core: npm ci in tests/report/axe')
    with open(AXE, encoding='utf-8') as f:
        rules = f.read()
    with gstest.TempDir() as d, browser.Browser() as b:
        for name, width, theme in (
                ('postgresql15-incident', 1280, 'light'),
                ('greenplum6-spill', 1280, 'dark'),
                ('greenplum6-spill', 390, 'light')):
            out = d.file('page.html')
            gstest.gpsnap('report', os.path.join(SAMPLES, name + '.gpsnap'),
                          '-o', out, '-q', '--force')
            b.size(width, 900)
            b.media(prefers_color_scheme=theme)
            b.open(out)
            for what in states(b, width == 390):
                equal(serious(b, rules), [], '%s, %d, %s: %s' % (
                    name, width, theme, what))
        b.open(out)
        test_rules(b, rules)
        check_served(b, rules)
    return 0


if __name__ == '__main__':
    sys.exit(main())
