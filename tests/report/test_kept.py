#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What archived files keep of a report: the page is the same with and without it,
and where it does not apply the samples are read."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))

import gstest
from gstest import check, equal
from pagefile import Page

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..',
                       'samples')
INCIDENT = 'postgresql15-incident.gpsnap'


def archive(d, name, *argv, parts=(INCIDENT,)):
    place = d.file(name)
    os.mkdir(place)
    for part in parts:
        shutil.copy(os.path.join(SAMPLES, part), place)
    gstest.gpsnap('archive', place, '--older-than', '0d', '-q', *argv)
    (only,) = (n for n in os.listdir(place) if n.endswith('.gpsnap'))
    return os.path.join(place, only)


def page(d, path, *argv):
    """All that a page shows but when it was made."""
    out = d.file('page.html')
    gstest.gpsnap('report', path, '-o', out, '--force', '-q', *argv)
    made = Page(out)
    made.head.pop('made')
    return made.head, made.numbers


def kept(path):
    return b'\nreport ' in gstest.gpsnap('info', path)


def find_frame(data):
    """Begin and end of the frame."""
    end = data.rindex(b'GPSP') + 4
    return end - int.from_bytes(data[end - 8:end - 4], 'little'), end


def change(path, to, at, by):
    """A copy with a byte of the frame changed, without what could mend it."""
    with open(path, 'rb') as f:
        data = bytearray(f.read())
    begin, _ = find_frame(data)
    data[begin + at] ^= by
    with open(to, 'wb') as f:
        f.write(data)
    return to


def test_same(d, path, plain):
    check(kept(path) and not kept(plain), 'info says what is kept')
    for argv in ([], ['--from', '+5s'], ['--to', '-5s'], ['-u'],
                 ['--tz', 'Europe/Berlin'], ['--findings'],
                 ['--from', '-2s', '--baseline', '..-2s']):
        equal(page(d, path, *argv), page(d, plain, *argv),
              'the page %s' % ' '.join(argv))


def test_taken(d, path):
    """Ticks are not read where it is: a damaged one is not noticed."""
    with open(path, 'rb') as f:
        data = bytearray(f.read())
    begin, _ = find_frame(data)
    for at in range(begin // 2 - 40, begin // 2 + 40):
        data[at] ^= 0x55
    broken = os.path.join(d.file('broken'), os.path.basename(path))
    os.makedirs(os.path.dirname(broken))
    with open(broken, 'wb') as f:
        f.write(data)
    before, after = page(d, path), page(d, broken)
    equal(after[0]['ticks'], before[0]['ticks'], 'all ticks')
    equal(after[1], before[1], 'all figures')


def test_damaged(d, path, plain):
    """It is as good as none; verify says so."""
    place = d.file('damaged')
    os.makedirs(place)
    broken = change(path, os.path.join(place, os.path.basename(path)), 60, 1)
    equal(page(d, broken), page(d, plain), 'the page of a damaged frame')
    gstest.gpsnap('verify', broken, status=1)


def test_wrong(d, path, plain):
    """It is taken, and verify says that it is not that of the samples; one of another
    version is neither."""
    place = d.file('wrong')
    os.makedirs(place)
    for made, status, ticks in (('right', 0, 79), ('wrong', 1, 19),
                                ('other', 0, 79)):
        to = os.path.join(place, os.path.basename(path))
        subprocess.run([gstest.binary('make_wrong_sums'), path, to,
                        *([] if made == 'wrong' else [made])], check=True)
        said = gstest.gpsnap('verify', to, status=status)
        equal(b'of a report does not fit' in said, made == 'wrong',
              'verify of ' + made)
        equal(page(d, to)[0]['ticks'], ticks, 'ticks of a page that is ' + made)
        os.unlink(to)
    equal(page(d, plain)[0]['ticks'], 79, 'ticks')


def test_rules(d, path, plain):
    """With other rules of findings it is not taken, and not called wrong."""
    conf = d.file('rules.conf')
    with open(conf, 'w') as f:
        f.write('[finding CPU saturated]\nseverity = off\n')
    os.environ['GPSNAP_CONFIG'] = conf
    gstest.gpsnap('verify', path)
    other = page(d, path)[0]['findings']
    equal(other, page(d, plain)[0]['findings'], 'findings by other rules')
    del os.environ['GPSNAP_CONFIG']
    check(other != page(d, path)[0]['findings'], 'findings by all rules')


def test_no_room(d):
    """Where the file can't be made archive says so, with and without a page."""
    place = d.file('taken')
    os.makedirs(os.path.join(place, 'db1-20261122.gpsnap.part'))
    shutil.copy(os.path.join(SAMPLES, INCIDENT), place)
    gstest.gpsnap('archive', place, '--older-than', '0d', '--page', '-q',
                  status=1)
    check(os.path.exists(os.path.join(place, INCIDENT)), 'the source')


def test_hosts(d):
    """A page of all hosts is not that of one."""
    path = archive(d, 'hosts', '--page', parts=('greenplum6-spill.gpsnap',))
    check(kept(path), 'kept')
    (host,) = page(d, path, '--host', 'sdw1h2')[0]['hosts']
    equal(host['host'], 'sdw1h2', 'the only host')


def test_edits(d, path):
    """Nothing else that is made of the file has it: it would show what was left
    out or masked."""
    for argv in (['cut', path, '--from', '+2s'], ['share', path],
                 ['share', path, '--anonymize'], ['thin', path, '--every', '10s'],
                 ['merge', path], ['recover', path], ['convert', path]):
        out = d.file('%s.gpsnap' % '-'.join(
            [argv[0], *(a.strip('-') for a in argv[2:])]))
        gstest.gpsnap(*argv, '-o', out, '-q')
        check(not kept(out), '%s keeps it' % ' '.join(argv[:1]))
        with open(out, 'rb') as f:
            check(b'GPSP' not in f.read(), argv[0])


def test_sample(d):
    """That of a landed version is read, whether its page is taken or not."""
    head, _ = page(d, os.path.join(SAMPLES, 'postgresql15-page-day.gpsnap'))
    equal(head['ticks'], 16, 'the sample')


def main():
    with gstest.TempDir() as d:
        path, plain = archive(d, 'kept', '--page'), archive(d, 'plain')
        gstest.gpsnap('verify', path)
        test_same(d, path, plain)
        test_taken(d, path)
        test_damaged(d, path, plain)
        test_wrong(d, path, plain)
        test_hosts(d)
        test_rules(d, path, plain)
        test_no_room(d)
        test_edits(d, path)
        test_sample(d)


if __name__ == '__main__':
    main()
