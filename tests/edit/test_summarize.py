#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""gpsnap summarize: files as they were recorded get summaries and gists, with which
every view shows the same; whatever stops it, the file is as it was."""
import concurrent.futures
import fcntl
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys

import editlib
import gstest
from test_gist import all_of, gists
from test_summary import stretches

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..'))
import reader  # noqa: E402

# At 5 s: files of 40, 20 and 10 minutes.
PIECES = (('+0s', '+40m'), ('+40m', '+20m'), ('+60m', '+10m'))
OLD = 1_700_000_000


class Files:
    """A directory with files of a recording, and its name for messages."""

    def __init__(self, path):
        self.path = path
        self.names = sorted(n for n in os.listdir(path)
                            if n.endswith('.gpsnap'))

    def file(self, i):
        return os.path.join(self.path, self.names[i])

    def copy(self, path):
        shutil.copytree(self.path, path)
        return Files(path)

    def shown(self, *argv):
        """What replay shows, whichever directory it is."""
        done = subprocess.run([gstest.binary('gpsnap'), 'replay', self.path,
                               *argv], env=editlib.ENV, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        return (done.returncode, done.stdout.replace(self.path.encode(), b'@'),
                done.stderr.replace(self.path.encode(), b'@'))


def content(path):
    with open(path, 'rb') as f:
        return f.read()


def make_day(tmp):
    """As a recorder leaves it: each file begins with the last tick of the one
    before."""
    subprocess.run([gstest.binary('make_test_day'), '-p', '60', '-t', '841',
                    '-d', '1', os.path.join(tmp, 'day'),
                    os.path.join(tmp, 'open')], check=True)
    place = os.path.join(tmp, 'recorded')
    os.mkdir(place)
    for i, (begin, length) in enumerate(PIECES):
        path = os.path.join(place, 'h-20260101T00000%dZ.gpsnap' % i)
        editlib.gpsnap('cut', os.path.join(tmp, 'day'), '--from', begin,
                       '--to', length, '-q', '--no-summaries', '-o', path)
        os.chmod(path, 0o604)
        os.utime(path, (OLD, OLD + i))
    return Files(place)


def check_same_samples(was, now):
    """The reader that is not ours gives the same ticks, and no damage."""
    ours, theirs = reader.read(now), reader.read(was)
    for mine, other in zip(ours.ticks(), theirs.ticks(), strict=True):
        gstest.equal(mine.tick.seq, other.tick.seq, 'tick')
        gstest.equal(mine.rows('process'), other.rows('process'),
                     'rows of tick %d' % mine.tick.seq)
    gstest.equal(ours.damage, [], now)
    gstest.check(ours.entries is not None, 'closed')


def check_layouts(path):
    """Earlier versions read the file: they know layouts 1 and 2."""
    data = content(path)
    gstest.equal({data[m.start() + 12] for m in re.finditer(
        re.escape(b'\x5d\x2a\x4d\x18\x38\0\0\0GPSN'), data)}, {1, 2}, path)


def check_views(was, now):
    asked = [[*base, *part] for base in (
        ['-V', 'sessions', *all_of('sessions')],
        ['-V', 'processes', *all_of('processes')], [],
        ['-V', 'hosts', *all_of('hosts')], ['-V', 'queries'],
        ['--find', 'session.cpu > 1'], ['--find', 'host.busy > 101'])
        for part in ([], ['--every', '10m', '--from', '+7m'])]

    def check(argv):
        gstest.equal(now.shown(*argv), was.shown(*argv), 'replay %s' % argv)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(check, asked))


def check_added(tmp, was):
    now = was.copy(os.path.join(tmp, 'summarized'))
    said = editlib.gpsnap('summarize', now.path).decode()
    gstest.equal(said.count('summaries added'), len(PIECES), said)
    gstest.equal(sorted(os.listdir(now.path)), was.names, 'files')
    for i in range(len(PIECES)):
        st = os.stat(now.file(i))
        gstest.equal((st.st_mode & 0o777, st.st_mtime), (0o604, OLD + i),
                     'mode and time')
        gstest.check(gists(now.file(i)) == 1, 'gists of ' + now.file(i))
        gstest.check(stretches(now.file(i)) > 1, 'stretches')
        gstest.check(st.st_size < 1.2 * os.path.getsize(was.file(i)),
                     '%d bytes' % st.st_size)
        editlib.gpsnap('verify', now.file(i))
    check_same_samples(was.file(2), now.file(2))
    check_layouts(now.file(2))
    check_views(was, now)
    kept = content(now.file(0))
    said = editlib.gpsnap('summarize', now.path)
    gstest.equal(said, b'', 'again')
    gstest.equal(content(now.file(0)), kept, 'again')
    return now


def check_edited(tmp, was, now):
    """Other commands make the same of both."""
    made = []
    for files in (was, now):
        place = files.copy(os.path.join(tmp, 'to-archive'))
        editlib.gpsnap('archive', place.path, '--older-than', '0d', '-q')
        (name,) = os.listdir(place.path)
        made.append(content(os.path.join(place.path, name)))
        shutil.rmtree(place.path)
    gstest.check(made[0] == made[1], 'archive')
    long = os.path.join(tmp, 'long.gpsnap')
    editlib.gpsnap('cut', os.path.join(tmp, 'day'), '-q', '-o', long)
    gstest.check(gists(long) > 1, 'gists of a cut')
    editlib.gpsnap('verify', long)
    for argv in (['cut', '--from', '+3m'], ['merge'], ['thin'],
                 ['recover']):
        made, sums = [], argv[0] != 'thin'
        for files in (was, now):
            out = os.path.join(tmp, 'edited.gpsnap')
            editlib.gpsnap(argv[0], files.file(0), '-q', '--force', '-o', out,
                           *argv[1:])
            gstest.equal(stretches(out) > 0, sums, argv[0])
            gstest.equal(gists(out), 0, argv[0] + ': short')
            editlib.gpsnap('verify', out)
            made.append(editlib.gpsnap('replay', out, '-V', 'processes',
                                       *all_of('processes')))
        gstest.check(made[0] == made[1], argv[0])


def summarize(path, *argv, **how):
    return subprocess.Popen([gstest.binary('gpsnap'), 'summarize', path, *argv],
                            env=editlib.ENV, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, **how)


def interrupted(path):
    """A command that has begun with the file, and stands still."""
    with_it = summarize(path)
    while not os.path.exists(path + '.part'):
        gstest.check(with_it.poll() is None, 'it ended before')
    with_it.send_signal(signal.SIGSTOP)
    return with_it


def end(command, status, text=b''):
    said = command.communicate(timeout=60)[1]
    gstest.equal(command.returncode, status, said)
    gstest.check(text in said, said)


def check_stopped(tmp, was):
    """Whatever happens, the file stays."""
    files = was.copy(os.path.join(tmp, 'stopped'))
    path, kept = files.file(0), content(files.file(0))

    command = interrupted(path)
    command.send_signal(signal.SIGTERM)
    command.send_signal(signal.SIGCONT)
    end(command, 1, b'stopped')
    gstest.equal(sorted(os.listdir(files.path)), files.names, 'stopped')

    command = interrupted(path)
    os.utime(path, (OLD, OLD + 9))
    command.send_signal(signal.SIGCONT)
    end(command, 1, b'changed or removed')
    gstest.equal(sorted(os.listdir(files.path)), files.names, 'changed')

    command = interrupted(path)
    os.rename(path, path + '.away')
    command.send_signal(signal.SIGCONT)
    end(command, 1, b'changed or removed')
    os.rename(path + '.away', path)

    end(summarize(path, preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_FSIZE, (len(kept) // 2, len(kept) // 2))), 1,
        b'File too large')
    gstest.equal(sorted(os.listdir(files.path)), files.names, 'full')

    command = interrupted(path)
    command.kill()
    command.send_signal(signal.SIGCONT)
    end(command, -signal.SIGKILL)
    gstest.check(content(path) == kept, 'the file stays')
    gstest.check(os.path.exists(path + '.part'), 'killed: a part is left')
    end(summarize(path, '--idle'), 0)
    gstest.check(gists(path) == 1, 'done after all')
    gstest.equal(sorted(os.listdir(files.path)), files.names, 'after all')


def locked(path):
    f = open(path, 'r+b')  # pylint: disable=consider-using-with
    fcntl.fcntl(f, fcntl.F_OFD_SETLK, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0,
                                                  0, 0, 0))
    return f


def check_hurt(path):
    """One that stays as it is for no fault, if it is damaged."""
    hurt = bytearray(content(path))
    at = len(hurt) * 6 // 10
    hurt[at:at + 4] = bytes(b ^ 0x5a for b in hurt[at:at + 4])
    with open(path, 'wb') as f:
        f.write(hurt)
    end(summarize(path), 1, b'gpsnap recover')
    gstest.check(content(path) == hurt, 'a damaged file stays')


def check_refused(tmp, was):
    files = was.copy(os.path.join(tmp, 'refused'))
    path, kept = files.file(0), content(files.file(0))
    with locked(path):
        end(summarize(path), 1, b'is being written')
    with open(path, 'wb') as f:
        f.write(kept[:-10])
    end(summarize(path), 1, b'not closed in good order')
    hurt = bytearray(kept)
    hurt[len(hurt) // 2] ^= 1
    with open(path, 'wb') as f:
        f.write(hurt)
    end(summarize(path), 1, b'gpsnap recover')
    gstest.check(content(path) == hurt, 'a damaged file stays')
    os.symlink(files.file(1), os.path.join(files.path, 'link.gpsnap'))
    end(summarize(os.path.join(files.path, 'link.gpsnap')), 1, b'is a link')
    end(summarize('/dev/null'), 1, b'is not a file')
    end(summarize('-', cwd=tmp), 1, b'standard input')
    samples = os.path.join(gstest.TOP, 'samples')
    for name, why in (('postgresql15-thin', b'was thinned'),
                      ('postgresql15-planes-day', b'was archived')):
        shutil.copy(os.path.join(samples, name + '.gpsnap'), path)
        end(summarize(path), 0, why)
        check_hurt(path)
    editlib.gpsnap('cut', files.file(1), '--to', '+1m', '-q', '--force', '-o',
                   path)
    end(summarize(path), 0, b'is too short, or has too many holes')
    end(summarize(files.path), 1, b': 1 file too short')
    gstest.equal(stretches(path), 0, 'no stretch')


def check_memory(tmp):
    """A file whose gists do not fit gets the rest."""
    place = os.path.join(tmp, 'large')
    os.mkdir(place)
    path = os.path.join(place, 'h-20260101T000000Z.gpsnap')
    subprocess.run([gstest.binary('make_test_day'), '-p', '2000', '-t', '140',
                    '-d', '1', path, os.path.join(tmp, 'large-open')],
                   check=True)
    for limit, there in (('64M', False), ('512M', True)):
        cut, summed = (os.path.join(tmp, limit + how) for how in ('c', 's'))
        shutil.copy(path, summed)
        editlib.gpsnap('cut', path, '-o', cut, '--memory', limit)
        editlib.gpsnap('summarize', summed, '--memory', limit)
        gstest.check(stretches(cut) > 0, limit)
        gstest.check(stretches(summed) > 0, limit)
        if not gstest.SANITIZED:  # whose memory has no limit
            gstest.equal(gists(summed) > 0, there, limit)
    editlib.gpsnap('archive', place, '--older-than', '0d', '--memory', '64M',
                   '--threads', '1')


def check_odd(tmp):
    """Hosts to which everything happens, and several recordings in a file."""
    made = os.path.join(tmp, 'odd')
    os.mkdir(made)
    subprocess.run([gstest.binary('make_odd_hosts'), '5',
                    os.path.join(made, 'a.gpsnap')], check=True)
    was = Files(made)
    now = was.copy(os.path.join(tmp, 'oddly'))
    editlib.gpsnap('summarize', now.path, '-q')
    gstest.check(stretches(now.file(0)) > 5, 'stretches of odd hosts')
    said = editlib.gpsnap('verify', now.path, status=(0, 1)).decode()
    gstest.check('do not fit' not in said, said)
    check_views(was, now)


def main():
    with editlib.scratch() as tmp:
        was = make_day(tmp)
        now = check_added(tmp, was)
        check_edited(tmp, was, now)
        check_stopped(tmp, was)
        check_refused(tmp, was)
        check_memory(tmp)
        check_odd(tmp)


if __name__ == '__main__':
    main()
