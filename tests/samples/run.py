#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py [--refresh] [FILE...]: recordings in samples/ stay readable.

Files are added and never changed, and there is one of each layout of frames.
Each of them is whole, every view of it can be shown, an independent reader
finds as many ticks, and the overview is what stands beside it in
FILE.overview.  --refresh writes that anew.  GS_BIN names the directory of the programs.
"""
import csv
import difflib
import glob
import io
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
import reader

# what a database says of itself, which was not recorded in some samples
OF_DATABASES = ('locks', 'clusters', 'backends', 'pglocks', 'replicas',
                'databases', 'wal', 'slots', 'progress', 'pgstatements',
                'groups', 'vmems', 'workfiles', 'collectors')
ENV = dict(os.environ, LC_ALL='C.UTF-8', TZ='UTC', COLUMNS='120')


class Sample:
    def __init__(self, path):
        self.dir, self.name = os.path.split(os.path.abspath(path))
        self.path = path
        self.layouts = set()
        self.wrong = []

    def run(self, *argv, unrecorded=False):
        """stdout of a gpsnap that must do it without complaint; unrecorded:
        or say that the database was not asked."""
        done = subprocess.run([gstest.binary('gpsnap'), *argv], cwd=self.dir,
                              env=ENV, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        if unrecorded and done.returncode == 1 and (
                b'the database was not asked' in done.stdout + done.stderr):
            return done.stdout.decode('utf-8', 'replace')
        # csv has no place for why a table is empty
        said = [line for line in done.stderr.decode().splitlines()
                if not ('csv' in argv and line.startswith(
                    'gpsnap: %s: ' % argv[argv.index('-V') + 1]))]
        if done.returncode or said:
            self.wrong.append('gpsnap %s: exit status %d\n%s' % (
                ' '.join(argv), done.returncode,
                done.stderr.decode('utf-8', 'replace')))
        return done.stdout.decode('utf-8', 'replace')

    def check_ticks(self):
        said = self.run('verify', self.name)
        self.run('info', self.name)
        data = reader.read(self.path)
        n = sum(1 for _ in data.ticks())
        self.layouts = {frame.layout for frame, _ in data.frames()}
        if data.damage:
            self.wrong.append('reader.py: %r' % data.damage)
        if not re.search(r'\b%d ticks?\b' % n, said):
            self.wrong.append('reader.py: %d ticks; verify: %s' % (n, said))

    def check_view(self, view):
        ask = ['replay', self.name, '-V', view, '-W', 'off', '-l', '0',
               *(['-C', 'CPU*'] if view == 'histogram' else []), '-f']
        none = view in OF_DATABASES
        tables = [json.loads(line) for line in
                  self.run(*ask, 'json', unrecorded=none).splitlines()]
        if not tables or not all(t['columns'] for t in tables):
            self.wrong.append('%s: no table' % view)
        text = self.run(*ask, 'csv', unrecorded=none)
        rows = [r for r in csv.reader(io.StringIO(text, newline='')) if r]
        if len(rows) != sum(1 + len(t['rows']) + bool(t['others'])
                            for t in tables):
            self.wrong.append('%s: %d lines of csv' % (view, len(rows)))

    def check_overview(self, refresh):
        golden = self.path + '.overview'
        got = self.run('replay', self.name)
        try:
            with open(golden, encoding='utf-8') as f:
                want = f.read()
        except FileNotFoundError:
            want = ''
        if got == want:
            return
        if refresh:
            with open(golden, 'w', encoding='utf-8') as f:
                f.write(got)
            return
        self.wrong.append('\n'.join(difflib.unified_diff(
            want.splitlines(), got.splitlines(), golden, 'now', lineterm='')))


def views():
    for line in gstest.gpsnap('help', '--options=replay').decode(
            ).splitlines():
        if '\t--view\t' in line:
            return line.split('\t')[4].split(', ')
    gstest.fail('replay has no --view')


def main():
    args = sys.argv[1:]
    refresh = '--refresh' in args
    given = [a for a in args if a != '--refresh']
    paths = given or sorted(glob.glob(
        os.path.join(gstest.TOP, 'samples', '**', '*.gpsnap'),
        recursive=True))
    # those have holes, and a test of their own
    paths = [p for p in paths if os.sep + 'incidents' + os.sep not in p]
    if not paths:
        gstest.skip('there is no recording in samples/')
    bad = 0
    layouts = set()
    for i, path in enumerate(paths):
        sample = Sample(path)
        sample.check_ticks()
        layouts |= sample.layouts
        for view in gstest.some(views(), i):
            sample.check_view(view)
        sample.check_overview(refresh)
        for what in sample.wrong:
            print('%s: %s' % (path, what))
        bad += bool(sample.wrong)
    gstest.check(bad == 0, '%d of %d recordings' % (bad, len(paths)))
    if not given:
        gstest.equal(layouts, set(reader.LAYOUTS), 'layouts of samples')
    print('%d recordings are read as they were' % len(paths))


if __name__ == '__main__':
    main()
