#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The index of a directory, .gpsnap.index: info shows the same with it and
without, finds what happened to a file since, and takes no other's word."""
import os
import re
import shutil
import subprocess

import editlib
import gstest

INDEX = '.gpsnap.index'


def info(place):
    """Without the findings, which other code adds."""
    said = editlib.gpsnap('info', place, status=(0, 1)).decode()
    return said.partition('\nfindings ')[0] + '\n'


def files(place):
    """In their order."""
    return [os.path.join(place, name) for name in sorted(os.listdir(place))
            if name.endswith('.gpsnap')]


def decoded(place):
    done = subprocess.run([gstest.binary('survey_all'), place, *files(place)],
                          env=editlib.ENV, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def index(place):
    path = os.path.join(place, INDEX)
    if not os.path.exists(path):
        return b''
    with open(path, 'rb') as f:
        return f.read()


def summed(content):
    """With the checksum of all but its last eight bytes, and that in these."""
    h = 0xcbf29ce484222325
    for b in content[:-8]:
        h = (h ^ b) * 0x100000001b3 & (1 << 64) - 1
    return content[:-8] + h.to_bytes(8, 'little')


def check_same(place, what, makes=True):
    """Without an index, with one that is made by that, and with that."""
    wanted = decoded(place)
    if os.path.exists(os.path.join(place, INDEX)):
        os.unlink(os.path.join(place, INDEX))
    gstest.equal(info(place), wanted, what + ': no index')
    gstest.check(bool(index(place)) == makes, what + ': an index is made')
    gstest.check(not os.path.exists(os.path.join(place, INDEX + '.part')),
                 what + ': .part stays')
    gstest.equal(info(place), wanted, what + ': with the index')
    gstest.equal(info(place), wanted, what + ': again')
    return wanted


def cut(source, place, ranges):
    os.mkdir(place)
    for i, (begin, end) in enumerate(ranges):
        editlib.gpsnap('cut', source, '--from', '+%ds' % begin, '--to',
                       '+%ds' % (end - begin), '-q', '--no-summaries', '-o',
                       os.path.join(place, 'p%02d.gpsnap' % i), status=(0, 1, 2))
    return place


def made(place):
    """When the index was written, and which file it is."""
    at = os.stat(os.path.join(place, INDEX))
    return at.st_mtime_ns, at.st_ino


def counts(place, entries, what):
    """A plain file has an entry that is longer than its name."""
    gstest.check(len(index(place)) > entries * 60, '%s: %d bytes for %d files'
                 % (what, len(index(place)), entries))


def check_day(tmp):
    day = os.path.join(tmp, 'day.gpsnap')
    subprocess.run([gstest.binary('make_test_day'), '-p', '80', '-t', '600',
                    day, os.path.join(tmp, 'open.gpsnap')], check=True)
    apart = cut(day, os.path.join(tmp, 'apart'),
                [(i * 500, i * 500 + 495) for i in range(6)])
    check_same(apart, 'files side by side')
    counts(apart, 5, 'files side by side')
    again = cut(day, os.path.join(tmp, 'again'),
                [(i * 500, i * 500 + 500) for i in range(6)])
    check_same(again, 'files that repeat a tick')
    counts(again, 5, 'files that repeat a tick')
    check_same(cut(day, os.path.join(tmp, 'over'),
                   [(i * 500, i * 500 + 700) for i in range(5)]),
               'files that overlap')
    check_same(cut(day, os.path.join(tmp, 'hole'),
                   [(0, 500), (500, 900), (1500, 2000)]),
               'a file is missing')
    return apart


def check_changes(tmp, whole):
    """What became of files is seen, even if their size and times stay."""
    place = os.path.join(tmp, 'changed')
    shutil.copytree(whole, place)
    before = info(place)
    stamp = made(place)
    info(place)
    gstest.equal(made(place), stamp, 'an index that holds is not made again')
    victim = files(place)[2]
    at = os.stat(victim)
    with open(victim, 'r+b') as f:
        f.seek(at.st_size // 2)
        byte = f.read(1)[0]
        f.seek(at.st_size // 2)
        f.write(bytes([byte ^ 4]))
    os.utime(victim, ns=(at.st_atime_ns, at.st_mtime_ns))
    after = info(place)
    gstest.equal(after, decoded(place), 'a damaged file')
    gstest.check(after != before, 'damage is seen')
    gstest.equal(info(place), after, 'a damaged file, again')
    os.unlink(victim)
    gstest.equal(info(place), decoded(place), 'a file less')
    shutil.copy(files(whole)[2], place)
    gstest.equal(info(place), before, 'it is back')
    os.unlink(files(place)[-1])
    gstest.equal(info(place), decoded(place), 'the last file less')


def check_distrust(tmp, whole):
    """An index that is damaged, cut off, of another version or no file."""
    place = os.path.join(tmp, 'doubt')
    shutil.copytree(whole, place)
    wanted, good = info(place), index(place)
    path = os.path.join(place, INDEX)
    for what, wrong in (
            ('empty', b''), ('cut off', good[:-9]), ('text', b'no index\n'),
            ('a bit', good[:200] + bytes([good[200] ^ 1]) + good[201:]),
            ('a version', summed(re.sub(b'^gpsnap index .', b'gpsnap index 9', good))),
            ('more entries than are read', summed(good[:good.index(b'\n') + 1] +
                                         bytes(80000) + bytes(8))),
            ('longer', good + b'\0' * 100)):
        gstest.check(wrong != good, what)
        with open(path, 'wb') as f:
            f.write(wrong)
        gstest.equal(info(place), wanted, 'index: ' + what)
        gstest.equal(index(place), good, 'index: %s: made again' % what)
    os.unlink(path)
    os.mkdir(path)
    gstest.equal(info(place), wanted, 'index: a directory')
    os.rmdir(path)
    os.mkfifo(path)
    gstest.equal(info(place), wanted, 'index: a pipe')
    os.unlink(path)
    other = os.path.join(tmp, 'other')
    with open(other, 'wb') as f:
        f.write(b'mine')
    os.symlink(other, path)
    gstest.equal(info(place), wanted, 'index: a link')
    with open(other, 'rb') as f:
        gstest.equal(f.read(), b'mine', 'where the link leads')
    gstest.check(os.path.islink(path), 'a link is not replaced')
    os.unlink(path)
    # an entry for other files of these names
    names = [os.path.basename(f) for f in files(place)]
    with open(path, 'wb') as f:
        f.write(good)
    os.rename(os.path.join(place, names[0]), os.path.join(place, 'x'))
    os.rename(os.path.join(place, names[1]), os.path.join(place, names[0]))
    os.rename(os.path.join(place, 'x'), os.path.join(place, names[1]))
    gstest.equal(info(place), wanted, 'files with exchanged names')


def check_cluster(tmp):
    """Hosts that are away or end, and rotations of a recorder."""
    subprocess.run([gstest.binary('make_recordings'), tmp], check=True)
    place = os.path.join(tmp, 'parts')
    os.mkdir(place)
    for name in ('part1', 'part2', 'part3'):
        shutil.copy(os.path.join(tmp, name + '.gpsnap'), place)
    check_same(place, 'a cluster')
    for name in ('all', 'two', 'coarse', 'stepped', 'ab'):
        check_same(cut(os.path.join(tmp, name + '.gpsnap'),
                       os.path.join(tmp, 'cut-' + name),
                       [(i * 26, i * 26 + 26) for i in range(10)]),
                   name)
    for seed in (5, 101):
        odd = os.path.join(tmp, 'odd%d.gpsnap' % seed)
        subprocess.run([gstest.binary('make_odd_hosts'), str(seed), odd],
                       check=True)
        check_same(cut(odd, os.path.join(tmp, 'cut-odd%d' % seed),
                       [(i * 60, i * 60 + 60) for i in range(8)]), odd)


def check_not_made(whole, tmp):
    """One file needs none; nor does a command that only explains itself."""
    place = os.path.join(tmp, 'one')
    os.mkdir(place)
    shutil.copy(files(whole)[0], place)
    info(place)
    gstest.equal(index(place), b'', 'an index of one file')
    shutil.copy(files(whole)[1], place)
    editlib.gpsnap('info', '--explain-sandbox', place)
    gstest.equal(index(place), b'', 'an index of an explanation')
    for path in files(place):
        editlib.gpsnap('info', path)
    gstest.equal(index(place), b'', 'an index by the files')
    if os.geteuid() != 0:
        os.chmod(place, 0o500)
        info(place)
        os.chmod(place, 0o700)
        gstest.equal(index(place), b'', 'an index without permission')


def main():
    with editlib.scratch() as tmp:
        whole = check_day(tmp)
        check_changes(tmp, whole)
        check_distrust(tmp, whole)
        check_not_made(whole, tmp)
        check_cluster(tmp)


main()
