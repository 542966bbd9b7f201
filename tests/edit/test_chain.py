# SPDX-License-Identifier: Apache-2.0
"""What is made of what was made: chains of cut, merge, thin, share and the
rest say what their first source says."""
import os
import subprocess

import editlib
import gstest

EPOCH = 1790000001  # of the first tick


def times(a, b):
    return ['--from', str(EPOCH + a), '--to', str(EPOCH + b)]


def path_of(tmp, name):
    return os.path.join(tmp, name + '.gpsnap')


def make(tmp, command, *names, options=(), out='out', status=0):
    """The path of what a command made of files of the directory."""
    path = path_of(tmp, out)
    editlib.gpsnap(command, *(path_of(tmp, n) for n in names), '-o', path,
                   '--force', *options, status=status)
    said = editlib.gpsnap('verify', path).decode()
    gstest.check(': whole, ' in said, said)
    return path


def same_rows(got, want, options, what):
    """Every view; the head may name hosts that are not in the range."""
    both = [[], []]
    names = editlib.compared_views(what)
    for view in names:
        for found, path, extra in ((both[0], got, []),
                                   (both[1], want, options)):
            found.append(editlib.tables(path, view, extra))
            for table in found[-1]:
                table.pop('hosts', None)
    editlib.compare(zip(names, *both), what)


def check_two_in_one(tmp):
    """A file of two recordings, cut where only the second one is."""
    make(tmp, 'cut', 'ab', options=times(-9, 60), out='first')
    make(tmp, 'cut', 'bc', options=times(131, 999), out='second')
    make(tmp, 'cut', 'first', 'second', out='both')
    for a, b in ((131, 999), (150, 200), (10, 50), (20, 180)):
        out = make(tmp, 'cut', 'both', options=times(a, b))
        same_rows(out, path_of(tmp, 'both'), times(a, b),
                  'of two in one file, %d to %d' % (a, b))


def check_holes(tmp):
    """What is missing in one piece comes from another, whatever their
    order, and however far that one reaches."""
    def piece(name, a, b):
        return make(tmp, 'cut', 'all', options=times(a, b), out=name)
    whole = path_of(tmp, 'all')
    piece('begin', -9, 99)
    piece('end', 190, 999)
    make(tmp, 'merge', 'begin', 'end', out='ends', status=1)
    # pieces that share a tick are the whole again; others have all ticks
    for a, b, status in ((99, 190, 0), (99, 220, 0), (99, 189, 0),
                         (100, 999, 0), (85, 220, 0)):
        piece('middle', a, b)
        for names in (('ends', 'middle'), ('middle', 'ends')):
            out = make(tmp, 'merge', *names, status=status)
            what = '%s of %d to %d' % (', '.join(names), a, b)
            if a == 99 and b >= 190:
                same_rows(out, whole, [], what)
            said = editlib.info(out)
            gstest.equal('ticks      260 ' in said, status == 0, what)
            gstest.equal('holes      none' in said, status == 0, what)
    middle = [piece('m%d' % i, a, b) for i, (a, b) in enumerate(
        ((99, 130), (130, 161), (161, 190)))]
    gstest.equal(len(middle), 3, 'pieces')
    out = make(tmp, 'cut', 'ends', 'm2', 'm0', 'm1', options=times(70, 230))
    editlib.same_everywhere(out, [], whole, times(70, 230), 'of three')


def main():
    with editlib.scratch() as tmp:
        subprocess.run([gstest.binary('make_recordings'), tmp], check=True)
        check_two_in_one(tmp)
        check_holes(tmp)


if __name__ == '__main__':
    main()
