#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Names, rotation, retention, locks."""
import os
import re
import subprocess
import time

from rec import HOST, HUP, TERM, main, size, wait_for, want, want_in, want_well


def check_sequence(p, directory, names):
    """Files follow each other: each begins with the last tick of the one
    before, and numbers itself."""
    last = None
    rid = None
    for i, name in enumerate(names):
        rec = p.read(os.path.join(directory, name))
        want(rec.damage, [], name)
        want(rec.closed, True, name + ' closed')
        want(rec.ticks[0].key, True, name + ' begins with a key')
        want(rec.headers[0].file_number, i + 1, name + ' number')
        rid = rid or rec.headers[0].recording_id
        want(rec.headers[0].recording_id, rid, name + ' id')
        if last is not None:
            want(rec.seqs()[0], last, name + ' repeats the last tick')
        want(rec.seqs(), list(range(rec.seqs()[0], rec.seqs()[-1] + 1)),
             name + ' sequence')
        last = rec.seqs()[-1]
    return last


def default_directory(p):
    want_well(p.run('-i', 0.1, '-n', 3))
    (name,) = p.files('gpsnap')
    want(bool(re.fullmatch(re.escape(HOST) +
                           r'-\d{8}T\d{6}Z\.gpsnap', name)), True, name)
    want(os.stat(p.path('gpsnap')).st_mode & 0o777, 0o750, 'mode')


def directories(p):
    os.mkdir(p.path('here'))
    for arg, where in (('here', 'here'), ('new/deep/', 'new/deep')):
        want_well(p.run('-i', 0.1, '-n', 1, '-o', arg), arg)
        want(len(p.files(where)), 1, arg)


def rotate_by_size(p):
    p.run('-i', 0.1, '-n', 25, '-o', 'd/', '--rotate-size', 1500,
          FAKE_NOISE=100)
    names = sorted(p.files('d'), key=lambda n: p.read('d/' + n).seqs()[-1])
    want(len(names) > 3, True, 'files: %r' % names)
    want(check_sequence(p, 'd', names), 25, 'last tick')


def rotate_by_time(p):
    p.run('-i', 0.2, '-n', 14, '-o', 'd/', '--rotate-every', '1s')
    names = p.files('d')
    want(len(names) in (3, 4, 5) or p.busy() and len(names) > 2, True,
         'files: %r' % names)
    want(check_sequence(p, 'd', names), 14, 'last tick')
    for name in names[1:]:
        want(p.busy() or p.read('d/' + name).walls()[0] % 10**9 < 10**8, True,
             name + ' begins at a second')


def one_file_goes_on(p):
    p.run('-i', 0.1, '-n', 12, '-o', 'a.gpsnap', '--rotate-size', 1500,
          FAKE_NOISE=100)
    names = ['a.gpsnap'] + ['a-%d.gpsnap' % i
                            for i in range(2, len(p.files('')) + 1)]
    want(sorted(names), p.files(''), 'names')
    want(len(names) > 1, True, 'more than one')
    want(check_sequence(p, '', names), 12, 'last tick')


def gpsnap(p, *argv):
    done = subprocess.run([p.path('bin/gpsnap'), *argv], env=p.env({}),
                          stdout=subprocess.PIPE, check=False)
    return done.stdout.decode()


def complete_first(p, name, *options):
    """A recorder whose first file is complete and has two keys."""
    proc = p.start('-i', 0.1, '-o', name + '/', *options, session=True)
    wait_for(lambda: os.path.isdir(p.path(name)) and p.files(name), 'file')
    path = p.path(name, p.files(name)[0])
    inode = os.stat(path).st_ino
    wait_for(lambda: len(p.read(path).headers) > 1, 'second key')
    proc.send_signal(HUP)
    wait_for(lambda: len(p.files(name)) > 1, 'next file')
    return proc, path, inode


def adds_summaries(p):
    """To a file that is complete, by a program beside the recorder; the name of the
    directory is neither an option nor two lines."""
    name = '-d\nd'
    proc, path, inode = complete_first(p, name)
    wait_for(lambda: os.stat(path).st_ino != inode, 'another file')
    want_in('summaries', gpsnap(p, 'info', path), 'info')
    want_in('whole', gpsnap(p, 'verify', path), 'verify')
    for view in ('hosts', 'processes', 'sessions'):
        want(gpsnap(p, 'replay', path, '-V', view),
             gpsnap(p, 'replay', path, '-V', view, '--no-summaries'), view)
    want_well(p.end(proc, TERM))
    want(check_sequence(p, name, p.files(name)) > 60, True, 'last tick')
    want([n for n in os.listdir(p.path(name)) if n.endswith('.part')], [],
         'parts')


def keep_size(p):
    os.mkdir(p.path('d'))
    foreign = ['d/incident.gpsnap', 'd/other-20200101T000000Z.gpsnap']
    for name in foreign:
        with open(p.path(name), 'wb') as f:
            f.write(b'\x5d\x2a\x4d\x18' + b'x' * 5000)
    p.run('-i', 0.1, '-n', 40, '-o', 'd/', '--rotate-size', 2000,
          '--keep-size', 7000, FAKE_NOISE=200)
    ours = [n for n in p.files('d') if n.startswith(HOST + '-2')]
    total = sum(size(p.path('d', n)) for n in ours)
    # The file being written has grown since.
    want(total < 7000 + 4000, True, 'total %d' % total)
    want(total > 3000, True, 'total %d' % total)
    want(all(os.path.exists(p.path(n)) for n in foreign), True, 'foreign')


def keep_for(p):
    os.mkdir(p.path('d'))
    old = p.path('d', HOST + '-20200101T000000Z.gpsnap')
    young = p.path('d', HOST + '-20200102T000000Z.gpsnap')
    for name in (old, young):
        with open(name, 'wb') as f:
            f.write(b'\x5d\x2a\x4d\x18')
    os.utime(old, (time.time() - 8 * 86400,) * 2)
    p.run('-i', 0.1, '-n', 4, '-o', 'd/')
    want(os.path.exists(old), False, 'older than 7 days')
    want(os.path.exists(young), True, 'younger')


def second_recorder(p):
    first = p.start('-i', 0.1, '-o', 'd/')
    wait_for(lambda: os.path.isdir(p.path('d')) and p.files('d'), 'file')
    status, err = p.run('-n', 1, '-o', 'd/')
    want(status, 2, 'status')
    want(err, 'gpsnap: d: locked by pid %d, which is recording there\n' %
         first.pid, 'message')
    status, err = p.end(first, TERM)
    want(status in (0, 1), True, 'first: %d, %s' % (status, err))
    want_well(p.run('-i', 0.1, '-n', 1, '-o', 'd/'), 'after it')


def second_recorder_of_a_file(p):
    first = p.start('-i', 0.1, '-o', 'a.gpsnap')
    wait_for(lambda: size(p.path('a.gpsnap')), 'file')
    status, err = p.run('-n', 1, '-o', 'a.gpsnap')
    want(status, 2, 'status')
    want_in('another recorder is writing it', err, 'message')
    p.end(first, TERM)


def nothing_recorded_leaves_nothing(p):
    proc = p.start('-i', '1h', '-o', 'a.gpsnap')
    wait_for(lambda: os.path.exists(p.path('a.gpsnap')), 'file')
    time.sleep(0.3)
    status, err = p.end(proc, TERM)
    want(status, 1, 'status')
    want_in('no sample was written', err, 'message')
    want(os.path.exists(p.path('a.gpsnap')), False, 'file')


if __name__ == '__main__':
    main([default_directory, directories, rotate_by_size, rotate_by_time,
          one_file_goes_on, adds_summaries, keep_size, keep_for, second_recorder,
          second_recorder_of_a_file, nothing_recorded_leaves_nothing])
