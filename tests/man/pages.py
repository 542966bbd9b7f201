#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pages.py lint PAGE...: mandoc finds nothing to warn of in a page, and no
heading has a word that is a macro.

pages.py metrics PAGE: gpsnap-metrics(7) names every metric of metrics.def.

pages.py formats PAGE: gpsnap-replay(1) describes every format of formats.def.

pages.py archive PAGE: gpsnap-archive(5) explains every field of the messages
that a file has, every reason and kind of event, every flag of a metric and
all words for classes and units.
"""
import os
import re
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))


# Macros of mdoc(7): as a word of a heading they are not printed.
MACROS = set("""Ac Ad An Ao Ap Aq Ar At Bc Bf Bk Bl Bo Bq Brc Bro Brq Bsx Bt Bx
    Cd Cm Db Dc Dl Do Dq Dv Dx Ec Ef El Em En Eo Er Es Ev Ex Fa Fc Fd Fl Fn Fo
    Fr Ft Fx Hf Ic In It Lb Li Lk Lp Ms Mt Nd Nm No Ns Nx Oc Oo Op Os Ot Ox Pa
    Pc Pf Po Pp Pq Qc Ql Qo Qq Re Rs Rv Sc Sm So Sq St Sx Sy Ta Tn Ud Ux Va Vt
    Xc Xo Xr""".split())


def headings(paths):
    wrong = []
    for path in paths:
        with open(path, encoding='utf-8') as f:
            for n, line in enumerate(f, 1):
                words = line.split()
                if words and words[0] in ('.Sh', '.Ss'):
                    wrong += ['%s:%d: %s is a macro: \\&%s' % (path, n, w, w)
                              for w in words[1:] if w in MACROS]
    print('\n'.join(wrong))
    return 1 if wrong else 0


def lint(paths):
    return headings(paths) or warnings(paths)


def warnings(paths):
    if not shutil.which('mandoc'):
        print('SKIP: mandoc is not installed')
        return 77
    done = subprocess.run(['mandoc', '-Tlint', '-Wwarning', *paths],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    print(done.stdout, end='')
    return 1 if done.stdout else 0


def declared():
    """(entity, metric name) of each row of the registry."""
    path = os.path.join(TOP, 'src', 'metric', 'metrics.def')
    with open(path, encoding='utf-8') as f:
        text = f.read()
    with open(path.replace('metrics.def', 'entities.def'),
              encoding='utf-8') as f:
        entities = dict(re.findall(r'^ENTITY\(\d+, (\w+), "(\w+)"', f.read(),
                                   re.MULTILINE))
    return [(entities[entity], name) for entity, name in re.findall(
        r'^METRIC\((\w+), \d+, \w+, "(\w+)"', text, re.MULTILINE)]


def metrics(path):
    with open(path, encoding='utf-8') as f:
        page = f.read()
    named, entity = set(), None
    for line in page.splitlines():
        m = re.match(r'\.Ss (\w+) \(\d+\)$', line)
        entity = m.group(1) if m else entity
        m = re.match(r'\.It Sy (\w+) Pq No \d+$', line)
        if m:
            named.add((entity, m.group(1)))
    wanted = declared()
    missing = [m for m in wanted if m not in named]
    for entity, name in missing:
        print('%s: %s.%s is not named' % (path, entity, name))
    if len(named) != len(wanted):
        print('%s: %d metrics, declared are %d' % (path, len(named),
                                                   len(wanted)))
    return 1 if missing or len(named) != len(wanted) or not wanted else 0


def formats(path):
    with open(path, encoding='utf-8') as f:
        section = re.search(r'^\.Sh FORMATS\n(.*?)^\.Sh ', f.read(),
                            re.MULTILINE | re.DOTALL).group(1)
    names = re.findall(r'^FORMAT\(\w+, (\w+),', source(
        'src', 'render', 'formats.def'), re.MULTILINE)
    missing = [name for name in names
               if not re.search(r'^\.It Cm %s\n[^.]*\w' % name, section,
                                re.MULTILINE)]
    for name in missing:
        print('%s: FORMATS has no ".It Cm %s" with a text' % (path, name))
    return 1 if missing or not names else 0


def source(*names):
    with open(os.path.join(TOP, *names), encoding='utf-8') as f:
        return f.read()


def file_fields():
    """Field names of the messages that a file has."""
    proto = source('proto', 'gpsnap.proto')
    proto = proto[:proto.index('message Request')]
    return set(re.findall(r'^  (?:repeated )?\w+ (\w+) = \d+;', proto,
                          re.MULTILINE))


def enum_values(name):
    """Numbers of an enum of gpsnap.proto, as the page lists them."""
    body = re.search(r'enum %s \{(.*?)\}' % name, source(
        'proto', 'gpsnap.proto'), re.DOTALL).group(1)
    return [int(n) for n in re.findall(r'= (\d+);', body)]


def listed(page, after):
    """Tags of the list that follows some words."""
    at = page.index(after)
    body = page[page.index('.Bl -tag', at):page.index('.El', at)]
    return [int(n) for n in re.findall(r'^\.It (\d+)$', body,
                                       re.MULTILINE)]


def archive(path):
    with open(path, encoding='utf-8') as f:
        page = f.read()
    wrong = ['the field ' + name for name in sorted(file_fields())
             if not re.search(r'\b%s\b' % name, page)]
    flags = re.findall(r'F_\w+ = 1 << (\d+)', source(
        'src', 'metric', 'metric.h'))
    for what, got, want in (
            ('reasons to close', listed(page, 'A row closed because'),
             enum_values('CloseReason')[1:]),
            ('reasons to open', listed(page, 'A row opened because'),
             enum_values('OpenReason')),
            ('sums', listed(page, 'is one of these:'),
             enum_values('Sum')[1:]),
            ('kinds of events', listed(page, 'is one of\n'),
             enum_values('EventKind')[1:]),
            ('flags', listed(page, '.It Fa flags'),
             [1 << int(n) for n in flags])):
        if got != want:
            wrong.append('%s: %r, not %r' % (what, want, got))
    units = set(re.findall(r'^UNIT\(\w+, "([^"]+)"', source(
        'src', 'metric', 'unit.def'), re.MULTILINE))
    words = units | set(re.findall(r'return "(\w+)"', source(
        'src', 'metric', 'metric.c')))
    wrong += ['the word ' + word for word in sorted(words)
              if not re.search(r'^\.Li (.* , )?%s( |$)' % re.escape(word),
                               page, re.MULTILINE)]
    for what in wrong:
        print('%s: does not explain %s' % (path, what))
    return 1 if wrong else 0


def main():
    what, paths = sys.argv[1], sys.argv[2:]
    if what == 'lint':
        return lint(paths)
    return {'metrics': metrics, 'archive': archive, 'formats': formats}[what](*paths)


if __name__ == '__main__':
    sys.exit(main())
