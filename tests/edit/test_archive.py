#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""gpsnap archive: a day as one file that says the same, however often the
work was stopped."""
import datetime
import fcntl
import glob
import os
import shutil
import signal
import subprocess
import sys

import editlib
import gstest

sys.path.insert(0, os.path.join(gstest.TOP, 'tests'))
sys.path.insert(0, os.path.join(gstest.TOP, 'tests', 'hostile'))
import hostile_files  # noqa: E402
import reader  # noqa: E402

PARTS = ['part%d.gpsnap' % i for i in (1, 2, 3)]
HOSTILE = os.path.join(gstest.TOP, 'tests', 'hostile', 'hostile_files.py')
NOW = ('--older-than', '0d', '-q')


class Place:
    """A directory with the three files of a recording."""

    def __init__(self, tmp, name, parts=PARTS):
        self.made = tmp
        self.path = os.path.join(tmp, name)
        os.mkdir(self.path)
        self.put(*parts)

    def put(self, *parts):
        for part in parts:
            shutil.copy(os.path.join(self.made, part), self.path)

    def names(self):
        return sorted(os.listdir(self.path))

    def file(self, name):
        return os.path.join(self.path, name)

    def archive(self, *options, status=0):
        return editlib.gpsnap('archive', self.path, *NOW, *options,
                              status=status)

    def day(self):
        (name,) = self.names()
        gstest.check(name.endswith('-20260921.gpsnap'), name)
        return self.file(name)


def check_same(tmp):
    p = Place(tmp, 'same')
    whole = Place(tmp, 'whole')
    size = sum(os.path.getsize(p.file(n)) for n in PARTS)
    said = editlib.gpsnap('archive', p.path, '--older-than', '0d', '-n')
    gstest.check(b'3 files' in said, said)
    gstest.equal(p.names(), PARTS, 'a dry run changes nothing')
    p.archive()
    gstest.check(os.path.getsize(p.day()) < size / 2, 'half the bytes')
    editlib.same_everywhere(p.day(), [], whole.path, [], 'archived')
    editlib.same_everywhere(p.day(), ['--from', '-60s', '--to', '-20s'],
                            whole.path, ['--from', '-60s', '--to', '-20s'],
                            'part of what was archived')
    said = editlib.gpsnap('verify', p.day()).decode()
    gstest.check(': whole, 260 ticks' in said, said)
    before = os.stat(p.day())
    p.archive()
    gstest.equal(os.stat(p.day()).st_ino, before.st_ino, 'made once')


def ticks(place):
    rows = editlib.tables(place.path, 'agents', ['--ticks'])
    return [t['to'] for t in rows]


def check_stopped(tmp):
    """Stopped after the file was named: the originals are still there."""
    p = Place(tmp, 'stopped')
    want = ticks(p)
    p.archive()
    p.put(PARTS[0], PARTS[2])
    p.archive()
    gstest.equal(ticks(p), want, 'ticks after another run')
    p.day()


def check_killed(tmp):
    """Killed at any moment, and run again."""
    whole = Place(tmp, 'wanted')
    want = ticks(whole)
    for i in range(6):
        p = Place(tmp, 'killed%d' % i)
        child = subprocess.Popen(
            [gstest.binary('gpsnap'), 'archive', p.path, *NOW],
            env=editlib.ENV)
        try:
            child.wait(timeout=0.02 * (i + 1))
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
            child.wait()
        gstest.equal(ticks(p), want, 'ticks after a kill')
        p.archive()
        gstest.equal(ticks(p), want, 'ticks in the end')
        p.day()


def check_memory(tmp):
    """A day that needs too much does not keep the others waiting."""
    if gstest.SANITIZED:
        return  # no limit
    p = Place(tmp, 'memory')
    many = p.file('a-many.gpsnap')
    subprocess.run([sys.executable, '-B', HOSTILE, many, 'rows_of_many_hosts'],
                   check=True)
    done = subprocess.run(
        [gstest.binary('gpsnap'), 'archive', p.path, *NOW, '--memory', '48M'],
        env=editlib.ENV, stderr=subprocess.PIPE, check=False)
    gstest.equal(done.returncode, 2, done.stderr)
    gstest.equal(done.stderr.count(b'a-many.gpsnap'), 1, done.stderr)
    gstest.check(b'what is made of it' in done.stderr, done.stderr)
    os.unlink(many)
    p.day()


def check_child_killed(tmp):
    """As by the kernel when memory runs out: the other days are made."""
    p = Place(tmp, 'child-killed')
    subprocess.run([gstest.binary('make_test_day'), '-p', '300', '-t', '3000',
                    '-d', '1', p.file('a.gpsnap'), os.path.join(tmp, 'open')],
                   check=True)
    with subprocess.Popen([gstest.binary('gpsnap'), 'archive', p.path, *NOW],
                          env=editlib.ENV, stderr=subprocess.PIPE) as command:
        gstest.wait_for('a part', lambda: glob.glob(
            p.file('mdw-20260101.gpsnap.part')))
        (child,) = gstest.children(command.pid)
        os.kill(child, signal.SIGKILL)
        said = command.communicate(timeout=60)[1]
    gstest.equal(command.returncode, 2, said)
    gstest.equal(said.count(b'ended by signal 9'), 1, said)
    gstest.check('a.gpsnap' in p.names(), 'it stays: %r' % p.names())
    gstest.check(PARTS[0] not in p.names(), 'others: %r' % p.names())
    p.archive()
    gstest.equal(len(p.names()), 2, 'two days')


def check_later(tmp):
    """A file that comes later goes into the day's file."""
    p = Place(tmp, 'later', PARTS[:2])
    whole = Place(tmp, 'later-whole')
    p.archive()
    p.put(PARTS[2])
    p.archive()
    editlib.same_everywhere(p.day(), [], whole.path, [], 'in two steps')


def check_between(tmp):
    """A file that belongs among others that were archived stays."""
    p = Place(tmp, 'between', [PARTS[0], PARTS[2]])
    p.archive(status=1)
    p.put(PARTS[1])
    before = p.names()
    p.archive(status=1)
    gstest.equal(p.names(), before, 'nothing went')


def check_missing(tmp):
    """A missing file is reported once, with the number of its samples."""
    p = Place(tmp, 'missing', [PARTS[0], PARTS[2]])
    for _ in range(2):
        done = subprocess.run([gstest.binary('gpsnap'), 'archive', p.path, *NOW,
                               '-n'], env=editlib.ENV, stderr=subprocess.PIPE,
                              check=False)
        gstest.equal(done.returncode, 1, 'exit status of a dry run')
    gstest.equal(done.stderr.decode(), 'gpsnap: %s: 89 ticks before it are '
                 'missing: a file of the recording is not here\n' %
                 p.file(PARTS[2]), 'what is told')
    p.archive(status=1)
    p.day()
    p.archive()
    # where the recording begins here, nothing is said
    Place(tmp, 'begins', PARTS[1:]).archive()


def check_damaged(tmp):
    p = Place(tmp, 'damaged')
    with open(p.file(PARTS[1]), 'r+b') as f:
        f.seek(5000)
        f.write(b'damage')
    p.archive(status=1)
    gstest.equal(p.names(), PARTS, 'nothing went')


def check_written(tmp):
    p = Place(tmp, 'written')
    with open(p.file(PARTS[2]), 'rb') as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        p.archive()
    gstest.equal(len(p.names()), 2, 'files')
    gstest.check(PARTS[2] in p.names(), 'what is written stays')


def cut_off(path, ticks):
    """The file as a recorder had written it after so many ticks."""
    at = [f.offset for f, _ in reader.read(path).frames()][ticks]
    os.truncate(path, at)


def check_piped(tmp):
    """A file that is written through a pipe has no lock, but a tick of just now."""
    p = Place(tmp, 'piped', [])
    subprocess.run([gstest.binary('gpsnap'), 'record', '-i', '100ms', '-n', '6',
                    '--no-catalog', '--busiest', '3', '-q', '-o', p.file('a.gpsnap')],
                   check=True, env=editlib.ENV)
    cut_off(p.file('a.gpsnap'), 4)
    p.archive()
    gstest.equal(p.names(), ['a.gpsnap'], 'what may be written stays')


def check_rest(tmp):
    """What was written to a file after it was archived is added."""
    p = Place(tmp, 'rest', PARTS[:1])
    want = ticks(p)
    cut_off(p.file(PARTS[0]), 20)
    p.archive()
    gstest.equal(ticks(p), want[:len(ticks(p))], 'the beginning')
    p.put(PARTS[0])
    p.archive()
    p.day()
    gstest.equal(ticks(p), want, 'all')
    # but not to a cut of it, in which rows and texts have other numbers
    p = Place(tmp, 'rest-of-cut', [])
    editlib.gpsnap('cut', os.path.join(tmp, PARTS[0]), '--to', '+20s', '-o',
                   p.file('cut.gpsnap'), '-q')
    p.archive()
    p.put(PARTS[0])
    p.archive(status=1)
    gstest.equal(ticks(p), want, 'both stay')


def check_cloned(tmp):
    """A host that was cloned goes on with the same recording: other ticks of the same
    numbers stay where they are."""
    p = Place(tmp, 'cloned', [])
    start = hostile_files.START
    for name, more in (('a.gpsnap', 0), ('b.gpsnap', 3600)):
        hostile_files.START = start + more * hostile_files.SECOND
        f = hostile_files.File().add(True, hostile_files.header() +
                                     hostile_files.block(0, 1, []))
        f.add(False, hostile_files.block(0, 2, []))
        with open(p.file(name), 'wb') as to:
            to.write(f.end())
    hostile_files.START = start
    p.archive(status=1)
    gstest.equal(p.names(), ['a.gpsnap', 'b.gpsnap'], 'both stay')


def check_group(tmp):
    """What root archives of a user can be read by the user's group, also when it is
    thinned."""
    if os.geteuid() != 0:
        return
    p = Place(tmp, 'group')
    for name in PARTS:
        os.chown(p.file(name), 1234, 4321)
        os.chmod(p.file(name), 0o660)
    for more in ([], ['--thin', '0d:10s']):
        p.archive(*more)
        st = os.stat(p.day())
        gstest.equal((st.st_gid, st.st_mode & 0o7777), (4321, 0o660),
                     'group, mode')


def check_elsewhere(tmp):
    p = Place(tmp, 'from')
    to = Place(tmp, 'to', [])
    p.archive('--to', to.path)
    gstest.equal(p.names(), [], 'what was archived')
    to.day()
    p.put(*PARTS)
    p.archive('--to', os.path.join(tmp, 'new'))
    gstest.equal(len(os.listdir(os.path.join(tmp, 'new'))), 1, 'new directory')
    p.archive('--to', os.path.join(tmp, 'no', 'where'), status=2)
    p.archive('--to', os.path.join(tmp, PARTS[0]), status=64)


def check_kept(tmp):
    """Only what was archived goes, and only when it is old."""
    p = Place(tmp, 'kept')
    p.archive('--keep', '1d')
    day = p.day()
    p.archive('--keep', '100000d')
    gstest.equal(p.day(), day, 'what is to be kept')
    said = editlib.gpsnap('archive', p.path, '--keep', '1d', '-n')
    gstest.check(b'to be removed' in said, said)
    gstest.equal(p.day(), day, 'a dry run changes nothing')
    shutil.copy(day, p.file('mine.gpsnap'))  # the day has more than is made
    p.archive('--keep', '1d')
    gstest.equal(p.day(), day, 'a day that was made again')
    said = editlib.gpsnap('archive', p.path, '--keep', '1d')
    gstest.check(b'removed, older' in said, said)
    gstest.equal(p.names(), [], 'what is old')
    p.put(*PARTS)
    editlib.gpsnap('archive', p.path, '--older-than', '100000d', '--keep',
                   '1d', '-q')
    gstest.equal(p.names(), PARTS, 'what was never archived')


def check_made(tmp):
    """A recorder's file of such a name is archived, not taken for what is."""
    for name in ('sdw1-20260921.gpsnap', 'sdw1-20260921-7.gpsnap'):
        p = Place(tmp, 'made-' + name, ['all.gpsnap'])
        os.rename(p.file('all.gpsnap'), p.file(name))
        size = os.path.getsize(p.file(name))
        editlib.gpsnap('archive', p.path, '--keep', '1d', '--older-than', '100000d')
        gstest.equal(p.names(), [name], 'what was never archived')
        p.archive()
        gstest.check(os.path.getsize(p.day()) < size / 2, name)


def check_last(tmp):
    """A day is as old as its last tick: the clock was wrong before."""
    p = Place(tmp, 'last', ['reset.gpsnap'])
    age = datetime.datetime.now() - datetime.datetime(2026, 9, 21)
    p.archive()
    day = p.day()
    p.archive('--keep', '%dd' % (age.days - 20))
    gstest.equal(p.day(), day, 'what is not so old')
    p.archive('--keep', '%dd' % (age.days - 50))
    gstest.equal(p.names(), [], 'what is')


def check_same_directory(tmp):
    """Under another name it is the same."""
    p = Place(tmp, 'itself')
    os.symlink(p.path, os.path.join(tmp, 'itself-too'))
    for to in (os.path.join(tmp, '.', 'itself'), os.path.join(tmp, 'itself-too')):
        p.archive('--to', to)
        gstest.equal(len(ticks(p)), 259, to)  # after the first


def check_hopped(tmp):
    """Files of another day are between those of one: they stay."""
    parts = ['hopped%d.gpsnap' % i for i in (1, 2, 3)]
    p = Place(tmp, 'hopped', parts)
    before = ticks(p)
    said = editlib.gpsnap('archive', p.path, *NOW, '-n', status=1)
    p.archive(status=1)
    gstest.equal((ticks(p), len(p.names())), (before, 3), '%r' % said)
    gstest.check(set(p.names()) & set(parts) == {parts[0], parts[2]}, p.names())


def check_at_work(tmp):
    """Another run is at work there: this one leaves all to it."""
    p = Place(tmp, 'busy')
    fd = os.open(p.path, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX)
    p.archive(status=2)
    p.archive('--to', os.path.join(tmp, 'elsewhere-2'), status=2)
    gstest.equal(p.names(), PARTS, 'files')
    p.archive('-n')
    os.close(fd)
    p.archive()
    p.day()


def check_two(tmp):
    """Two recordings of one day do not mix, whichever comes first."""
    p = Place(tmp, 'two', PARTS + ['c.gpsnap'])
    p.archive()
    gstest.equal(len(p.names()), 2, 'files: %r' % p.names())
    for name in p.names():
        editlib.gpsnap('verify', p.file(name))
    before = p.names()
    p.put('c.gpsnap', *PARTS)
    p.archive()
    gstest.equal(p.names(), before, 'files')


def main():
    with editlib.scratch() as tmp:
        subprocess.run([gstest.binary('make_recordings'), tmp], check=True)
        for name, check in sorted(globals().items()):
            if name.startswith('check_'):
                check(tmp)
        gstest.equal(glob.glob(os.path.join(tmp, '*', '*.part')), [],
                     'nothing is left')


if __name__ == '__main__':
    main()
