#!/usr/bin/env python3
"""pages.py lint PAGE...: mandoc finds nothing to warn of in a page.

pages.py metrics PAGE: gpsnap-metrics(7) names every metric of metrics.def.
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


def main():
    what, paths = sys.argv[1], sys.argv[2:]
    return lint(paths) if what == 'lint' else metrics(*paths)


if __name__ == '__main__':
    sys.exit(main())
