# SPDX-License-Identifier: Apache-2.0
"""What tests of commands that make recordings of recordings share: every view
of a file with every column, to be compared with that of another."""
import concurrent.futures
import functools
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest  # noqa: E402

ENV = dict(os.environ, LC_ALL='C.UTF-8', TZ='UTC', COLUMNS='200')

# Views in which rows of equal rank come in the order of the file.
OF_ANY_ORDER = ('session_event', 'query_event', 'active')

# What a head says of files, and of what is missing.
OF_FILES = ('files', 'notes')


def info(path):
    """What info prints; status 1: hosts were away, which it reports."""
    said = gpsnap('info', path, status=(0, 1)).decode()
    again = gpsnap('verify', path, '--memory', '1G')  # the file is whole
    gstest.check(again != b'', 'verify')
    return said


def gpsnap(*argv, status=0, stdin=None):
    """stdout of a gpsnap that ends so, or in one of these ways."""
    wanted = status if isinstance(status, tuple) else (status,)
    done = subprocess.run([gstest.binary('gpsnap'), *argv], env=ENV,
                          input=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    what = 'gpsnap ' + ' '.join(argv)
    gstest.check(done.returncode in wanted, '%s: exit status %d, want %r\n%s'
                 % (what, done.returncode, status,
                    done.stderr.decode('utf-8', 'replace')))
    return done.stdout


@functools.cache
def views():
    for line in gpsnap('help', '--options=replay').decode().splitlines():
        if '\t--view\t' in line:
            return line.split('\t')[4].split(', ')
    return []


@functools.cache
def columns(view):
    out = gpsnap('help', '--columns=' + view).decode()
    return [line.split('\t')[0] for line in out.splitlines()]


def content(path):
    """What is in a file, or in those of a directory."""
    if os.path.isdir(path):
        return tuple((name, content(os.path.join(path, name)))
                     for name in sorted(os.listdir(path)))
    with open(path, 'rb') as f:
        return hashlib.sha256(f.read()).digest()


answers = {}


def answer(path, argv):
    """gpsnap's exit status and output, asked once of what is in a path."""
    key = (os.path.basename(path), content(path), tuple(argv))
    if key not in answers:
        done = subprocess.run([gstest.binary('gpsnap'), 'replay', path, *argv],
                              env=ENV, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        answers[key] = done.returncode, done.stdout.decode(), \
            done.stderr.decode()
    return answers[key]


def drop_reasons(table):
    """Findings about holes have the reason of the hole, which is of the file:
    what is damage in one was not written to its copy."""
    whys = {': ' + hole['why'] for hole in table.get('holes', [])}
    for row in table.get('rows', []):
        for why in whys:
            if row.get('finding') == 'data missing' and \
                    row['what'].endswith(why):
                row['what'] = row['what'][:-len(why)]


def notes(path, view, options=()):
    """What the view says is missing, and the exit status."""
    done = subprocess.run(
        [gstest.binary('gpsnap'), 'replay', path, '-V', view, '-f', 'json',
         *options], env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        check=False)
    gstest.check(done.returncode in (0, 1), done.stderr)
    return json.loads(done.stdout.splitlines()[0])['notes'], done.returncode


def tables(path, view, options, statuses=(0, 1)):
    """The tables of a view in JSON, with all columns."""
    argv = ['-V', view, '-f', 'json', *options]
    if '--from' not in options:
        argv += ['--from', '2000-01-01 00:00']  # waits: not windows
    if view == 'histogram':
        argv += ['--class', 'Lock,CPU']
        statuses += (3,)  # nobody waited for these
    if view != 'overview':
        argv += ['-l', '0']
        extra = [c for c in columns(view)]
        if extra and view not in ('matrix', 'skew', 'histogram'):
            argv += ['-c', ','.join('+' + c for c in extra)]
    status, said, err = answer(path, argv)
    gstest.check(status in statuses, 'replay %s %s: %d: %s' % (
        path, ' '.join(argv), status, err))
    out = []
    for line in said.splitlines():
        table = json.loads(line)
        for key in OF_FILES:
            table.pop(key, None)
        drop_reasons(table)
        for hole in table.get('holes', []):  # why: of one host, or of all
            hole['why'] = [w for w in hole['why'].split(' ', 1)
                           if w == 'did not answer']
        if view in OF_ANY_ORDER:
            table['rows'].sort(key=json.dumps)
        out.append(table)
    return out


def compared_views(what):
    """Every view; with sanitizers some, others for another comparison."""
    return gstest.some(views(), zlib.crc32(what.encode()))


def same_everywhere(got, got_options, want, want_options, what, but=()):
    """The views of two files, but for some, figure by figure."""
    def both(view):
        return (view, tables(got, view, got_options),
                tables(want, view, want_options))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        compare(list(pool.map(both, [
            v for v in compared_views(what) if v not in but])), what)


def compare(pairs, what):
    for view, a, b in pairs:
        if a == b:
            continue
        for x, y in zip(a, b):
            for key in sorted(set(x) | set(y)):
                if x.get(key) != y.get(key):
                    tell(view, key, x.get(key), y.get(key))
        gstest.fail('%s: view %s differs' % (what, view))


def tell(view, key, x, y):
    if not isinstance(x, list) or not isinstance(y, list):
        print('%s: %s: %r, want %r' % (view, key, x, y))
        return
    if len(x) != len(y):
        print('%s: %s: %d, want %d' % (view, key, len(x), len(y)))
    for r, s in list(zip(x, y))[:2000]:
        if r == s:
            continue
        if isinstance(r, dict):
            for k in r:
                if r.get(k) != s.get(k):
                    print('%s: %s: %r, want %r in %r' % (
                        view, k, r.get(k), s.get(k), list(s.items())[:4]))
        else:
            print('%s: %r, want %r' % (view, r, s))
        return


def scratch():
    return tempfile.TemporaryDirectory(prefix='gpsnap-edit-')
