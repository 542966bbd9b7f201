#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pages.py lint PAGE...: mandoc finds nothing to warn of in a page.

pages.py metrics PAGE: gpsnap-metrics(7) names every metric of metrics.def.

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


def lint(paths):
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
    return {'metrics': metrics, 'archive': archive}[what](*paths)


if __name__ == '__main__':
    sys.exit(main())
