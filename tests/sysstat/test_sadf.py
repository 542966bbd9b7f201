# SPDX-License-Identifier: Apache-2.0
"""gpsnap sadf beside the real one.

Of the same files of sadc, and recordings of the same trees, as for sar: what
sadf writes and gpsnap under --strict is the same byte by byte in every form.
JSON is JSON, and XML is what sysstat's own DTD and schema describe.
"""
import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from multiprocessing.pool import ThreadPool

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'lib')]
import both  # noqa: E402
import gstest  # noqa: E402
import test_sar  # noqa: E402

SADF = both.find('sadf')
SCHEMAS = '/usr/share/doc/sysstat/xml'
HOST = '-u ALL -w -W -B -b -r ALL -S -H -v -q ALL -n SOCK,IP,EIP,TCP,ETCP,UDP'
MANY = HOST + ',DEV,EDEV -d'
# What xmllint says of them.
ABSENT = (r'required but missing|hugrsvd}.* not expected|'
          r'(x\.xml fails to validate)$')
FORMS = ['-d', '-p', '-j', '-x']

# What both are asked, per scenario; FILE stands for the file.
CASES = {
    'plain': [
        *['%s FILE -- %s' % (form, MANY) for form in FORMS],
        *['%s -P ALL FILE -- %s' % (form, MANY) for form in FORMS],
        *['%s FILE' % form for form in FORMS],
        'FILE', '-P 1 FILE', '-d -h FILE -- ' + MANY,
        '-d -h -P ALL FILE -- -u -d', '-jH FILE', '-xH FILE',
        '-d -P 0 FILE', '-p -P 0,1 FILE -- -u ALL',
        *['%s -T FILE -- -w' % form for form in FORMS],
        *['%s -t FILE -- -S -d' % form for form in FORMS],
        *['%s -U FILE -- -w -q' % form for form in FORMS],
        *['%s FILE -- %s' % (form, report) for form in FORMS for report in (
            '-r', '-S', '-r -S', '-q', '-q PSI', '-n SOCK', '-n DEV -d',
            '-b', '-H -w')],
        *['%s --dev=sda --iface=eth0,lo FILE -- -d -n DEV' % form
          for form in FORMS],
        *['%s %s' % (form, twice) for form in FORMS for twice in (
            'FILE -- -z -n DEV -d', 'FILE -- -n DEV -n SOCK', 'FILE -- -q CPU -q LOAD',
            '-P 0 -P 1 FILE', '-P 0 FILE -- -P 1',
            '--dev=sda FILE -- -d --dev=dm-0')],
        *['%s -s 15:13:45 FILE -- -u -d' % form for form in FORMS],
        # the real one has objects for what it leaves out in JSON
        *['%s FILE %s -- -u -b' % (form, every) for form in ('-d', '-p', '-x')
          for every in ('20 2', '25', '10 3')],
    ],
    'bare': ['%s FILE -- %s' % (form, report) for form in FORMS + ['-d -h']
             for report in ('-q ALL', '-q PSI', '-q CPU', '-v -w -q ALL',
                            '-n SOCK,IP,TCP,UDP', HOST)],
    'many': ['%s -P ALL FILE -- -u ALL' % form for form in FORMS],
    'night': ['%s FILE -- -u -r' % form for form in FORMS],
    'wrap': ['%s FILE -- -n DEV,EDEV -d -b' % form for form in FORMS],
    'reboot': [
        *['%s FILE -- %s' % (form, HOST) for form in FORMS],
        *['%s FILE -- -u ALL' % form for form in FORMS],
        *['%s FILE -- -d -n DEV,EDEV' % form for form in FORMS],
        '-d -h FILE -- -u -w', '-d -h FILE 20 2 -- -u -w', '-d -h FILE -- ' + HOST,
    ],
}


class Series(test_sar.Series):
    def commands(self, line, env):
        def words(path):
            return [path if w == 'FILE' else w for w in line.split()]

        return [([gstest.binary('gpsnap'), 'sadf', '--strict',
                  *words(self.recording)], env),
                ([SADF, *words(self.sa)], both.shown(self.trees, env))]

    def compare(self, line, more=None):
        what = '%s: sadf %s' % (self.name, line)
        got, want = [both.run(*c) for c in self.commands(
            line, both.environment(more))]
        if got[2] != want[2]:
            print('FAIL: %s: one fails: %s %s' % (what, got[1:], want[1:]))
            return 1
        return both.same(what, got[0], want[0], (got[1], want[1]))

    def ours(self, *args):
        return subprocess.run(
            [gstest.binary('gpsnap'), 'sadf', *args, self.recording, '--',
             *MANY.split()], stdout=subprocess.PIPE, check=True).stdout


def schema(folder, pattern):
    """The path of a schema in the package's documentation; None without."""
    for path in glob.glob(os.path.join(SCHEMAS, pattern)):
        to = os.path.join(folder, os.path.basename(path)[:-3])
        with gzip.open(path) as f, open(to, 'wb') as out:
            shutil.copyfileobj(f, out)
        return to
    return None


def check_forms(series, folder):
    """JSON with and without --strict; XML by its DTD and schema."""
    samples = json.loads(series.ours('-j'))['sysstat']['hosts'][0][
        'statistics']
    strict = json.loads(series.ours('-j', '--strict'))['sysstat']['hosts'][0][
        'statistics']
    # what the host does not know is left out by the real one
    gstest.equal([[key for key in s if key != 'psi' or key in strict[0]]
                  for s in samples], [list(s) for s in strict],
                 'objects of JSON')
    if shutil.which('xmllint'):
        check_xml(series, folder)


def complaints(option, by, path):
    """What xmllint says of a document."""
    done = subprocess.run(['xmllint', '--nonet', '--noout', option, by, path],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, check=False)
    return done.returncode, done.stderr


def check_xml(series, folder):
    """The XML of sadf is valid by sysstat's DTD and schema, except for absent
    values: the schema asks for a number there."""
    path = os.path.join(folder, 'x.xml')
    checks = [['--schema', schema(folder, '*.xsd.gz')],
              ['--dtdvalid', schema(folder, '*.dtd.gz')]]
    for args in (['--strict'], []):
        with open(path, 'wb') as f:
            f.write(series.ours('-x', *args))
        for option, by in checks:
            status, said = complaints(option, by, path) if by else (0, '')
            if args:
                gstest.equal(status, 0, said)
            elif option == '--schema':
                other = [line for line in said.splitlines()
                         if not re.search(ABSENT, line)]
                gstest.equal(other, [], 'more than absent figures')


def main():
    """Arguments: scenarios, or one and a command line with FILE."""
    folder = tempfile.mkdtemp(prefix='gpsnap-sadf-')
    failed = 0
    try:
        if len(sys.argv) > 2:
            cases = {sys.argv[1]: [' '.join(sys.argv[2:])]}
        else:
            cases = {name: CASES[name] for name in sys.argv[1:] or CASES}
        for name, lines in cases.items():
            series = Series(folder, name)
            with ThreadPool(2) as pool:
                differ = sum(pool.map(series.compare, lines))
            print('%s: %d cases, %d differ' % (name, len(lines), differ))
            failed += differ
            check_forms(series, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failed else 0)


main()
