#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""columns.py [--refresh] GPSNAP PAGE: the lists of columns in
gpsnap-replay(1) are what `gpsnap help --columns` says, and the definitions
of waits what `gpsnap help --definitions` does; and --view names each view,
in gpsnap-live(1), too.

They stand between the comments `columns: VIEW` or `definitions` and `end`.
Columns that a view shares with --group-by stand there alone.
"""
import os
import re
import subprocess
import sys
import textwrap

BLOCK = re.compile(r'(?<=^\.\\" columns: )(\S+)\n(.*?)(?=^\.\\" end$)',
                   re.MULTILINE | re.DOTALL)
DEFINITIONS = re.compile(r'^\.\\" definitions\n.*?^\.\\" end$',
                         re.MULTILINE | re.DOTALL)
SHOWN = {'80': '', '-': 'on request', 'hosts': 'of several hosts',
         'servers': 'of several servers',
         'uneven': 'where some host covers less than another'}


def columns(program, view):
    out = subprocess.run([program, 'help', '--columns=' + view], check=True,
                         text=True, stdout=subprocess.PIPE).stdout
    return [line.split('\t') for line in out.splitlines()]


def all_views(program):
    """As the help of --view lists them."""
    out = subprocess.run([program, 'help', '--options=replay'], check=True,
                         text=True, stdout=subprocess.PIPE).stdout
    (line,) = [l for l in out.splitlines() if '\t--view\t' in l]
    return line.split('\t')[4].split(', ')


def missing_views(program, path):
    """Views that the item of --view does not name."""
    with open(path, encoding='utf-8') as f:
        item = re.search(r'^\.It .*-view Ns = Ns Ar view\n(.*?)(?=^\.It )',
                         f.read(), re.MULTILINE | re.DOTALL).group(1)
    return sorted(set(all_views(program)) - set(re.findall(r'\w+', item)))


def described(column):
    """The column as an item of a list."""
    name, title, unit, shown, text = column
    remarks = [r for r in (unit if unit not in ('-', 'id') else '',
                           SHOWN.get(shown, 'from %s columns on' % shown))
               if r]
    if remarks:
        text += ' (%s)' % ', '.join(remarks)
    return '.It Sy %s Pq Li %s\n%s\n' % (title, name,
                                        textwrap.fill(text, 79))


def block(program, view):
    shared = [] if view == 'group-by' else columns(program, 'group-by')
    items = [described(c) for c in columns(program, view)
             if c not in shared]
    return '.Bl -tag -width Ds -compact\n%s.El\n' % ''.join(items)


def definitions(program):
    """What --explain tells of all views, as a list."""
    out = subprocess.run([program, 'help', '--definitions'], check=True,
                         text=True, stdout=subprocess.PIPE).stdout
    items = []
    for line in out.splitlines():
        term, _, text = line.split('\t')
        # a sentence begins a line
        text = '\n'.join(textwrap.fill(s, 79) for s in re.split(
            r'(?<=[.:]) (?=[A-Z])', text.replace('\\', '\\e')))
        items.append('.It Em %s\n%s\n' % (term, text))
    return '.\\" definitions\n.Bl -tag -width Ds\n%s.El\n.\\" end' % (
        ''.join(items))


def main():
    args = sys.argv[1:]
    refresh = '--refresh' in args
    program, path = [a for a in args if a != '--refresh']
    with open(path, encoding='utf-8') as f:
        page = f.read()
    views = [m.group(1) for m in BLOCK.finditer(page)]
    wanted = BLOCK.sub(lambda m: '%s\n%s' % (
        m.group(1), block(program, m.group(1))), page)
    wanted = DEFINITIONS.sub(lambda m: definitions(program), wanted)
    status = 0
    if not DEFINITIONS.search(page):
        print('%s: no definitions' % path)
        status = 1
    for view in all_views(program):
        if view not in views + ['overview']:
            print('%s: no columns of %s' % (path, view))
            status = 1
    for where in path, os.path.join(os.path.dirname(path), 'gpsnap-live.1'):
        for view in missing_views(program, where):
            print('%s: --view does not name %s' % (where, view))
            status = 1
    if wanted != page and refresh:
        with open(path, 'w', encoding='utf-8') as f:
            f.write(wanted)
    elif wanted != page:
        print('%s: columns are not those of the program; make them so with '
              'tests/man/columns.py --refresh %s %s' % (path, program, path))
        status = 1
    return status


if __name__ == '__main__':
    sys.exit(main())
