#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The file that gpsnap report makes: one, with all that it needs, and with
nothing of a recording outside of its block of data."""
import base64
import hashlib
import os
import re
import stat
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))

import gstest
from gstest import check, equal
from pagefile import Page

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
SAMPLES = os.path.join(ROOT, 'samples')
INCIDENT = os.path.join(SAMPLES, 'postgresql15-incident.gpsnap')


def make(d, sample, *argv, status=0):
    out = d.file('page.html')
    gstest.gpsnap('report', sample, '-o', out, '--force', *argv,
                  status=status)
    return Page(out)


def hash_of(text):
    return "'sha256-%s'" % base64.b64encode(
        hashlib.sha256(text.encode()).digest()).decode()


def test_policy(page):
    equal(page.policy, "default-src 'none'; base-uri 'none'; "
          "form-action 'none'; script-src %s; style-src %s"
          % (hash_of(page.script), hash_of(page.style)), 'policy')


def test_alone(page):
    """No address, no file, no handler, no way to make markup of a text."""
    around = page.around.replace('http-equiv', '')
    for word in ('http:', 'https:', '//#', 'src=', 'innerHTML', 'outerHTML',
                 'insertAdjacent', 'document.write', 'eval(', 'Function(',
                 'fetch(', 'XMLHttp', 'WebSocket', 'import(', '@import',
                 'url(', ' on'):
        where = around if word != ' on' else re.sub(
            r'<script>.*?</script>|<style>.*?</style>', '', around,
            flags=re.S)
        found = re.search(r'<[^>]* on[a-z]+=', where) if word == ' on' \
            else word in where
        check(not found, 'the page has %r' % word)


def test_contents(page):
    head = page.head
    equal(head['version'], 1, 'version')
    equal((head['steps'], head['ticks'], head['hosts']),
          (79, 79, [{'host': 'db1', 'cpus': 2}]), 'steps')
    equal(head['events'][-1]['text'], '80 ticks recorded', 'events')
    equal(page.table('sessions')['rows'], 18, 'sessions')
    equal(page.table('sessions')['others'], 0, 'no session is left out')
    check(page.table('locks')['rows'] >= 8, 'locks')
    check(any('alter table' in t for t in head['texts']), 'texts')
    equal(len(set(head['texts'])), len(head['texts']), 'texts stand once')
    check(len(page.text) < 150000, '%d bytes' % len(page.text))


def test_range(d):
    page = make(d, INCIDENT, '--from', '17:51:20', '--to', '17:51:30')
    equal((page.head['steps'], round(page.head['covered_seconds'], 1)),
          (10, 10), 'ten seconds')


def test_hole(d):
    """What is missing is a hole, in the page and as the exit status."""
    parts = d.file('parts')
    os.mkdir(parts)
    for name, edge, when in (('a', '--to', '17:51:10'),
                             ('b', '--from', '17:51:25')):
        gstest.gpsnap('cut', INCIDENT, '-q', '-o',
                      os.path.join(parts, name + '.gpsnap'), edge, when)
    page = make(d, parts, status=1)
    equal([((h['to'] - h['from']) // 1000, h['of_host'])
           for h in page.head['holes']], [(15, False)], 'holes')
    equal(page.head['ticks'], 65, 'samples')


def test_zone(d):
    page = make(d, INCIDENT, '--tz', 'Asia/Kolkata')
    equal(page.head['zone'], 'Asia/Kolkata', 'zone')


def test_title(d):
    """Hostile titles, and paths that are nobody's business."""
    page = make(d, INCIDENT, '--title', '</title><script>a()</script>&amp;\x1b')
    equal(re.findall(r'<title>(.*?)</title>', page.text),
          ['&lt;/title&gt;&lt;script&gt;a()&lt;/script&gt;&amp;amp;\\x1B'],
          'title')
    equal(page.text.count('<script'), 3, 'elements')
    check(SAMPLES not in page.text + str(page.head), 'no directory')
    equal(page.head['path'], 'postgresql15-incident.gpsnap', 'path')


def test_file(d):
    out = d.file('page.html')
    before = os.stat(out).st_mtime_ns
    said = gstest.gpsnap('report', INCIDENT, '-o', out, status=2)
    equal(os.stat(out).st_mtime_ns, before, 'it is not replaced')
    run = subprocess.run([gstest.binary('gpsnap'), 'report', d.file('none'),
                          '-o', out], capture_output=True, check=False)
    check(b'exists already' in run.stderr, 'it says so before it reads')
    equal(stat.S_IMODE(os.stat(out).st_mode) & 0o7, 0, 'nobody else reads it')
    equal([n for n in os.listdir(os.path.dirname(out)) if 'part' in n], [],
          'no other file')
    whole = gstest.gpsnap('report', INCIDENT, '-o', '-')
    check(whole.startswith(b'<!DOCTYPE html>'), 'standard output')
    return said


def test_anonymous(d):
    """Only pseudonyms: no name of the recording is in the page."""
    key, shared = d.file('key'), d.file('shared.gpsnap')
    gstest.gpsnap('share', INCIDENT, shared, '--anonymize', '--key', key)
    page = make(d, shared)
    all_of = page.around + str(page.head)
    for name in ('db1', 'shopdb', 'analyst', 'checkout', 'dashboard',
                 'migration', 'pgbench_accounts'):
        check(name not in all_of, name + ' is in the page')


def test_sources():
    """The modules are put together: names stand once, all is ASCII."""
    names, web = {}, os.path.join(ROOT, 'web')
    for name in sorted(os.listdir(web)):
        with open(os.path.join(web, name), 'rb') as f:
            text = f.read()
        check(all(c < 128 for c in text), name + ' is not ASCII')
        check(text.count(b'\n') <= 600, name + ' is long')
        if not name.endswith('.js'):
            continue
        text = text.decode()
        own = re.findall(r'^(?:export )?(?:async )?(?:function|const|let|'
                         r'class) (\w+)', text, re.M)
        names[name] = own
        for wanted, where in re.findall(
                r'^import \{([^}]*)\} from "./(\w+).js";', text, re.M):
            with open(os.path.join(web, where + '.js')) as f:
                exported = re.findall(r'^export (?:async )?(?:function|const|'
                                      r'let|class) (\w+)', f.read(),
                                      re.M)
            for word in re.findall(r'\w+', wanted):
                check(word in exported, '%s: %s of %s' % (name, word, where))
    # a page has one of these
    for without in ('alone.js', 'served.js'):
        page = sum([own for name, own in names.items() if name != without], [])
        equal(sorted(n for n in set(page) if page.count(n) > 1), [],
              'names that stand twice')


def main():
    with gstest.TempDir() as d:
        page = make(d, INCIDENT)
        test_policy(page)
        test_alone(page)
        test_contents(page)
        test_file(d)
        test_range(d)
        test_hole(d)
        test_zone(d)
        test_title(d)
        test_anonymous(d)
    test_sources()
    return 0


if __name__ == '__main__':
    sys.exit(main())
