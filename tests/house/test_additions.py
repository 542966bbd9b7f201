#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""To add a metric is to add its row and the line of its scanner; to add a view,
or a format of tables, a file and a row.  This does so in a copy of the tree,
builds that, and finds them in what is recorded (of processes that sleep, too),
replayed, exported and loaded, and in the manual.  Names are "house_test": the
tree may get the same kernel lines under names of its own."""
import csv
import glob
import io
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
from gstest import TOP, check, equal

TICKS = 13  # one that sleeps keeps its values: it is read again within 60 s
SLOTS = 1500  # descriptors that the sleeper has room for, at least
VIEW = '''/*
 * views_house.c - processes with room for many descriptors.
 */
#include "base/compiler.h"
#include "query/columns.h"
#include "query/labelcol.h"
#include "view/label_figures.h"
#include "view/view_int.h"

static const struct figure house[] = {
	PID_FIGURE,
	COLUMN("slots", "SLOTS", Q_COUNT, 80, "room for descriptors",
	    SUM(PROCESS, HOUSE_TEST)),
};

const struct view view_house_test = {
	.name = "house_test",
	.help = "room for descriptors",
	.grouping = GROUPING_ROW,
	.entity = ENTITY_PROCESS,
	FIGURES(house),
	.sort = "slots",
};
'''

FORMAT = '''/*
 * house.c - the name of each table.
 */
#include "render/render_int.h"

static void begin(struct render *r)
{
	(void)r;
}

static void grid(struct render *r, const struct grid *g)
{
	buf_printf(r->to, "house_test %s\\n", g->name);
}

static void end(struct render *r)
{
	(void)r;
}

const struct render_ops render_house_test = { begin, grid, end };
'''


def copy_tree(to):
    shutil.copytree(TOP, to, symlinks=True, ignore=shutil.ignore_patterns(
        'build*', '.git', '__pycache__', 'samples', 'docs', 'wt', 'bench'))


def edit(path, change):
    with open(path, encoding='utf-8') as f:
        text = f.read()
    changed = change(text)
    check(changed != text, '%s: nothing was changed' % path)
    with open(path, 'w', encoding='utf-8') as f:
        f.write(changed)


def add_row(tree, entity, symbol, row):
    """Behind the last of the entity, with the next id."""
    def change(text):
        end = text.index('END(%s)' % entity)
        last = max(int(i) for i in re.findall(
            r'^METRIC\(%s, (\d+),' % entity, text, re.MULTILINE))
        return '%sMETRIC(%s, %d, %s, %s)\n%s' % (
            text[:end], entity, last + 1, symbol, row, text[end:])
    edit(os.path.join(tree, 'src/metric/metrics.def'), change)


def add_key(tree, scanner, key, line):
    """One line of a scanner, whose table is sorted by key, in place of one
    that has the key."""
    def change(text):
        text = re.sub(r'^\t\w\("%s",.*\n' % key, '', text, 0, re.MULTILINE)
        rows = list(re.finditer(r'^\t\w\("([^"]+)",.*\n', text, re.MULTILINE))
        after = [r for r in rows if r.group(1).encode() > key.encode()]
        at = after[0].start() if after else rows[-1].end()
        return text[:at] + line + text[at:]
    edit(os.path.join(tree, 'src/procfs', scanner), change)


def add_all(tree):
    add_row(tree, 'PROCESS', 'HOUSE_TEST', '"house_test", GAUGE, COUNT, 0, '
            'SUM, 0, STATUS, "FDSize", 0, "HOUSE", "room for descriptors"')
    add_key(tree, 'pid_status.c', 'FDSize',
            '\tP("FDSize", KEY_SET, HOUSE_TEST),\n')
    add_row(tree, 'HOST', 'HOUSE_HOST', '"house_host", GAUGE, KIB, 0, SUM, '
            '0, MEMINFO, "Percpu", 200, "HOUSE", "memory of single CPUs"')
    add_key(tree, 'meminfo.c', 'Percpu', '\tH("Percpu", HOUSE_HOST),\n')
    # no table has a limit that one more text would pass
    add_row(tree, 'BACKEND', 'HOUSE_TEXT', '"house_text", TEXT, NONE, 0, MODE, '
            '0, OTHER, "house_text", 0, "HOUSE", "a text"')
    for path, text in (('src/view/views_house.c', VIEW),
                       ('src/render/house.c', FORMAT)):
        with open(os.path.join(tree, path), 'w', encoding='utf-8') as f:
            f.write(text)
    edit(os.path.join(tree, 'src/view/views.def'),
         lambda text: text + 'VIEW(house_test)\n')
    edit(os.path.join(tree, 'src/render/formats.def'),
         lambda text: text + 'FORMAT(HOUSE_TEST, house_test, 0)\n')


def run(*argv):
    done = subprocess.run(argv, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    check(done.returncode == 0, '%s: %s' % (' '.join(argv), done.stdout[
        -4000:].decode('utf-8', 'replace')))


def build(tree):
    """Programs and the manual; its folder."""
    folder = os.path.join(tree, 'build')
    cc = os.environ.get('GS_CC') or 'cc'
    launcher = os.environ.get('GS_LAUNCHER')
    run('cmake', '-S', tree, '-B', folder, '-DGS_TESTS=OFF',
        '-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_C_FLAGS=-O0',
        '-DCMAKE_C_FLAGS_DEBUG=-g0',  # else -g comes after it
        '-DCMAKE_C_COMPILER=' + cc, *(['-DCMAKE_C_COMPILER_LAUNCHER=' +
                                       launcher] if launcher else []),
        *(['-GNinja'] if shutil.which('ninja') else []))
    run('cmake', '--build', folder, '--parallel', '2', '--target', 'gpsnap',
        'gpsnap-agent', 'man_pages')
    return folder


def sleeper():
    """A process that sleeps once it has room for many descriptors."""
    child = subprocess.Popen(
        [sys.executable, '-c', 'import os, sys\nos.dup2(0, %d)\n'
         'print("ready", flush=True)\nsys.stdin.read()' % (SLOTS - 1)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    equal(child.stdout.readline(), b'ready\n', 'the sleeper')
    return child


def from_kernel(path, key):
    """The number of a line "key: number"; None if there is no such line."""
    with open(path, encoding='utf-8') as f:
        found = re.search(r'^%s:\s+(\d+)' % key, f.read(), re.MULTILINE)
    return int(found.group(1)) if found else None


def rows(*argv):
    text = gstest.gpsnap(*argv, '-f', 'csv', status=gstest.OF_BUSY)
    return list(csv.DictReader(io.StringIO(text.decode())))


def test_replayed(path, pid, want):
    got = rows('replay', path, '-V', 'processes', '--ticks', '-l', '0', '-c',
               'pid,house_test', '--where', 'pid = %d' % pid)
    check(len(got) >= TICKS - 3, '%d ticks' % len(got))
    equal({r['house_test'] for r in got}, {str(want)},
          'house_test of one that sleeps, at every tick')
    whole = rows('replay', path, '-V', 'processes', '-l', '0', '-c',
                 '+house_test')
    equal([r['house_test'] for r in whole if r['pid'] == str(pid) and
           r['cpu_seconds']], [str(want)], 'one more column')
    usual = rows('replay', path, '-V', 'processes', '-l', '1')
    check('house_test' not in usual[0], 'it is shown on request')
    sessions = rows('replay', path, '-V', 'sessions', '-l', '0', '-c',
                    'session,house_test')
    check(sum(int(r['house_test'] or 0) for r in sessions) >= want,
          'sum over sessions')


def test_exported(path, pid, want):
    got = rows('export', path, '--metrics', 'process.house_test')
    mine = [r for r in got if re.search(r'\b%d\b' % pid, r['identity'])]
    equal({(r['metric'], r['value']) for r in mine}, {('house_test', str(want))},
          'exported')
    check(len(mine) >= TICKS - 3, '%d exported samples' % len(mine))


def test_host(path, least, most):
    """It has a width in the registry: tables show it unasked."""
    for argv in (), ('-c', 'house_host'), ('-c', 'host.house_host'):
        (host,) = rows('replay', path, '-V', 'hosts', *argv)
        name = argv[1] if argv else 'house_host'
        check(least <= int(host[name]) <= most, '%s: %s, not within %d..%d' % (
            name, host[name], least, most))


def test_loaded(path, pid, want):
    metrics = ('--metrics', 'process.house_test')
    ddl = gstest.gpsnap('load', '--print', 'schema', *metrics).decode()
    for table, column in (('processes', 'house_test'), ('sessions', 'house_test'),
                          ('hosts', 'house_host')):
        text = re.search(r'CREATE TABLE "gpsnap"."%s" \((.*?)\n\)' % table,
                         ddl, re.DOTALL).group(1)
        check('"%s" double precision' % column in text,
              '%s of %s' % (column, table))
    if not glob.glob('/usr/lib/postgresql/*/bin/initdb'):
        print('no PostgreSQL: nothing is loaded')
        return
    with gstest.Postgres() as pg:
        dsn = 'host=%s port=%d user=%s dbname=postgres' % (
            pg.tmp.path, pg.port, pg.owner.pw_name)
        gstest.gpsnap('load', path, '-q', '--dsn', dsn, '--tables', 'all',
                      *metrics, status=gstest.OF_BUSY)
        equal(pg.sql('SELECT DISTINCT house_test FROM gpsnap.processes WHERE '
                     'pid = %d' % pid), str(want), 'loaded')
        check(float(pg.sql('SELECT max(house_host) FROM gpsnap.hosts')) > 0,
              'house_host was loaded')


def test_manual(folder):
    with open(os.path.join(folder, 'man', 'gpsnap-metrics.7'),
              encoding='utf-8') as f:
        page = f.read()
    for name, text in (('house_test', 'from status: FDSize'),
                       ('house_host', 'from meminfo: Percpu')):
        check(re.search(r'\.It Sy %s Pq .*\n.*\n\.br\n.*\n\.br\n%s\n' % (
            name, text), page), '%s in the manual' % name)


def test_view(path, pid, want):
    got = rows('replay', path, '-V', 'house_test', '-l', '0')
    equal([r['slots'] for r in got if r['pid'] == str(pid)], [str(want)],
          'the new view')
    text = gstest.gpsnap('help', '--options=replay').decode()
    check(re.search(r',\s+house_test\b', text), 'the view in the help')


def test_formats(tree, path):
    """Tables are written in each; values in it or not at all, never in that
    of another."""
    with open(os.path.join(tree, 'src/render/formats.def'),
              encoding='utf-8') as f:
        names = re.findall(r'^FORMAT\(\w+, (\w+),', f.read(), re.MULTILINE)
    equal(gstest.gpsnap('replay', path, '-V', 'hosts', '-f', 'house_test',
                        status=gstest.OF_BUSY),
          b'house_test hosts\n', 'the new format')
    tables = [gstest.gpsnap('replay', path, '-V', 'hosts', '-f', name,
                            status=gstest.OF_BUSY) for name in names]
    values = [gstest.gpsnap('export', path, '--entities', 'hosts', '-f', name,
                            status=(*gstest.OF_BUSY, 64)) for name in names]
    check(all(tables), 'each format has tables')
    equal(len(set(tables)), len(names), 'tables that differ')
    written = dict(zip(names, values))
    equal({n for n in names if not written[n]},
          {'text', 'markdown', 'house_test'},
          'formats that values are not written in')
    equal(len({v for v in values if v}), len(names) - 3, 'values that differ')


def main():
    with gstest.TempDir() as tmp:
        tree = tmp.file('tree')
        copy_tree(tree)
        add_all(tree)
        folder = build(tree)
        os.environ['GS_BIN'] = os.path.join(folder, 'bin')
        os.environ['GPSNAP_NO_CATALOG'] = '1'
        path = tmp.file('a.gpsnap')
        least = from_kernel('/proc/meminfo', 'Percpu')
        if least is None:
            gstest.skip('this kernel has no Percpu in meminfo')
        child = sleeper()
        want = from_kernel('/proc/%d/status' % child.pid, 'FDSize')
        check(want >= SLOTS, 'FDSize of the sleeper: %d' % want)
        gstest.gpsnap('record', '--all', '-q', '-i', '1', '-n', str(TICKS),
                      '-o', path, status=gstest.OF_BUSY)
        most = from_kernel('/proc/meminfo', 'Percpu')
        child.kill()
        child.wait()
        test_replayed(path, child.pid, want)
        test_host(path, 1024 * min(least, most), 1024 * max(least, most))
        test_exported(path, child.pid, want)
        test_loaded(path, child.pid, want)
        test_manual(folder)
        test_view(path, child.pid, want)
        test_formats(tree, path)


main()
