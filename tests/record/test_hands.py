#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Somebody removes, moves or changes a file or directory that gpsnap record
writes: the recorder says so, begins a new file, and that file is there."""
import os
import re
import shutil
import subprocess

from rec import TERM, main, size, wait_for, want, want_in
from test_disk import all_ticks


def begin(p, *args, name='a.gpsnap'):
    """A recorder that has written some ticks to a file, or a directory."""
    proc = p.start('-i', 0.1, '--sync', 0, '-o', name, *args)

    def path():
        if not name.endswith('/'):
            return p.path(name)
        names = p.files(name) if os.path.isdir(p.path(name)) else []
        return p.path(name, names[0]) if names else p.path('none')
    wait_for(lambda: size(path()) > 700, 'ticks')
    return proc, path()


def is_ready(proc):
    """It has begun: it catches SIGTERM."""
    with open('/proc/%d/status' % proc.pid) as f:
        caught = int(re.search(r'SigCgt:\s*(\w+)', f.read()).group(1), 16)
    return caught >> (TERM - 1) & 1


def go_on(p, proc, name):
    """Ends it when a file has some ticks: (status, stderr)."""
    wait_for(lambda: size(p.path(name)) > 700, 'ticks in ' + name)
    return p.end(proc, TERM)


def told(err, name):
    """The last line is of that file, and as long as it is."""
    want_in('gpsnap: %s: ' % name, err.splitlines()[-1], 'the last line')


def is_continued(p, name, why):
    """The file is a recording that tells what is missing before it."""
    rec = p.read(name)
    want(rec.damage, [], 'damage')
    want(rec.closed, True, 'closed')
    want(rec.ticks[0].key, True, 'begins with a key')
    want(rec.headers[0].file_number, 2, 'number')
    hole = rec.events('hole')[0]
    want(hole.value, rec.seqs()[0] - 1, 'ticks that are missing')
    want_in(why, hole.text, 'why')
    return hole.value


def deleted(p):
    proc, path = begin(p)
    os.unlink(path)
    status, err = go_on(p, proc, 'a-2.gpsnap')
    want(status, 1, 'status: ' + err)
    want_in('a.gpsnap: was deleted while it was recorded', err, 'message')
    lost = is_continued(p, 'a-2.gpsnap', b'was deleted')
    told(err, 'a-2.gpsnap')
    want_in(' %d lost' % lost, err, 'lost')
    want_in(': %d ticks in ' % len(p.read('a-2.gpsnap').ticks), err, 'ticks')
    want(p.files(''), ['a-2.gpsnap'], 'files')


def replaced(p):
    """What has the name now is another's, and stays as it is."""
    proc, path = begin(p)
    with open(p.path('new'), 'w') as f:
        f.write('of somebody else')
    os.rename(p.path('new'), path)
    status, err = go_on(p, proc, 'a-2.gpsnap')
    want(status, 1, 'status: ' + err)
    want_in('a.gpsnap: was replaced while it was recorded', err, 'message')
    is_continued(p, 'a-2.gpsnap', b'was replaced')
    want(open(path).read(), 'of somebody else', 'the other file')


def replaced_before_the_first_tick(p):
    """An empty file is removed, but not one that is not ours."""
    proc = p.start('-i', '1h', '-o', 'a.gpsnap')
    path = p.path('a.gpsnap')
    wait_for(lambda: os.path.exists(path) and is_ready(proc), 'file')
    with open(p.path('new'), 'w') as f:
        f.write('of somebody else')
    os.rename(p.path('new'), path)
    want(p.end(proc, TERM)[0], 1, 'status')
    want(open(path).read(), 'of somebody else', 'the other file')


def renamed(p):
    """Nothing is lost: the file is finished under its new name."""
    proc, path = begin(p)
    os.rename(path, p.path('kept.gpsnap'))
    status, err = go_on(p, proc, 'a-2.gpsnap')
    want(status, 1, 'status: ' + err)
    want_in('a.gpsnap: was renamed while it was recorded: it is %s now' %
            p.path('kept.gpsnap'), err, 'message')
    recs = [p.read('kept.gpsnap'), p.read('a-2.gpsnap')]
    want([r.closed for r in recs], [True, True], 'closed')
    want(all_ticks(recs)[1], 0, 'lost')
    want_in(b'was renamed', recs[1].events('note')[0].text, 'event')
    told(err, p.path('kept.gpsnap') + ', a-2.gpsnap')
    want_in('next: gpsnap replay %s %s' % (p.path('kept.gpsnap'),
                                           'a-2.gpsnap'),
            err.splitlines()[-1], 'both are to be replayed')


def renamed_then_ended(p):
    """Before the next look: it is told where it is."""
    proc = p.start('-i', 0.1, '-o', 'a.gpsnap', '--', 'sh', '-c',
                   'sleep 0.5; mv a.gpsnap b.gpsnap')
    status, err = p.end(proc)
    want(status, 0, 'status of the command: ' + err)
    want_in('was renamed while it was recorded', err, 'message')
    want_in('%s: ' % p.path('b.gpsnap'), err.splitlines()[-1], 'last line')
    want(p.read('b.gpsnap').closed, True, 'closed')


def deleted_then_ended(p):
    """There is no file to tell of, and none is told."""
    proc, path = begin(p, '-n', 12, '--sync', '1h')
    os.unlink(path)
    status, err = p.end(proc)
    want(status, 1, 'status: ' + err)
    want_in('a.gpsnap: was deleted while it was recorded', err, 'message')
    for name in re.findall(r'[^ :]+\.gpsnap', err.splitlines()[-1]):
        want(os.path.exists(p.path(name)), True, name)


def cut(p):
    """As copytruncate of logrotate does it."""
    proc, path = begin(p)
    with open(path, 'r+') as f:
        f.truncate(0)
    status, err = go_on(p, proc, 'a-2.gpsnap')
    want(status, 1, 'status: ' + err)
    want_in('a.gpsnap: another program cut it', err, 'message')
    is_continued(p, 'a-2.gpsnap', b'another program cut it')


def written_into(p):
    proc, path = begin(p)
    with open(path, 'ab') as f:
        f.write(b'x' * 1000)
    status, err = go_on(p, proc, 'a-2.gpsnap')
    want(status, 1, 'status: ' + err)
    want_in('a.gpsnap: another program wrote into it', err, 'message')


def directory_removed(p):
    """It is made again, and is locked again."""
    proc, path = begin(p, name='d/')
    shutil.rmtree(p.path('d'))
    wait_for(lambda: os.path.isdir(p.path('d')) and p.files('d') and
             size(p.path('d', p.files('d')[0])) > 700, 'a new directory')
    want_in('locked by pid %d' % proc.pid, p.run('-n', 1, '-o', 'd/')[1],
            'a second recorder')
    status, err = p.end(proc, TERM)
    want(status, 1, 'status: ' + err)
    (name,) = p.files('d')
    is_continued(p, 'd/' + name, b'was deleted')
    told(err, 'd/' + name)


def directory_moved(p):
    """What it holds is whole; the recording goes on where it was to be."""
    proc, path = begin(p, name='d/')
    os.rename(p.path('d'), p.path('old'))
    wait_for(lambda: os.path.isdir(p.path('d')) and p.files('d') and
             size(p.path('d', p.files('d')[0])) > 700, 'a new directory')
    status, err = p.end(proc, TERM)
    want(status, 1, 'status: ' + err)
    recs = [p.read('%s/%s' % (d, p.files(d)[0])) for d in ('old', 'd')]
    want([r.closed for r in recs], [True, True], 'closed')
    want(all_ticks(recs)[1], 0, 'lost')


def directory_of_a_file(p):
    os.mkdir(p.path('d'))
    proc, path = begin(p, name='d/a.gpsnap')
    shutil.rmtree(p.path('d'))
    status, err = go_on(p, proc, 'd/a-2.gpsnap')
    want(status, 1, 'status: ' + err)
    is_continued(p, 'd/a-2.gpsnap', b'was deleted')


def replays(p):
    """Whoever reads what is left is told of the hole."""
    proc, path = begin(p)
    os.unlink(path)
    go_on(p, proc, 'a-2.gpsnap')
    done = subprocess.run([p.path('bin/gpsnap'), 'replay', 'a-2.gpsnap', '-V',
                           'events', '--width', '200'], cwd=p.dir, env=p.env({}),
                          capture_output=True, text=True, check=False)
    want_in('was deleted while it was recorded', done.stdout, 'events')


if __name__ == '__main__':
    main([deleted, replaced, replaced_before_the_first_tick, renamed,
          renamed_then_ended, deleted_then_ended, cut, written_into,
          directory_removed, directory_moved, directory_of_a_file, replays])
