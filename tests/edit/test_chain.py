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
    for view in editlib.views():
        for found, path, extra in ((both[0], got, []),
                                   (both[1], want, options)):
            found.append(editlib.tables(path, view, extra))
            for table in found[-1]:
                table.pop('hosts', None)
    editlib.compare(zip(editlib.views(), *both), what)


def check_two_in_one(tmp):
    """A file of two recordings, cut where only the second one is."""
    make(tmp, 'cut', 'ab', options=times(-9, 60), out='first')
    make(tmp, 'cut', 'bc', options=times(131, 999), out='second')
    make(tmp, 'cut', 'first', 'second', out='both')
    for a, b in ((131, 999), (150, 200), (10, 50), (20, 180)):
        out = make(tmp, 'cut', 'both', options=times(a, b))
        same_rows(out, path_of(tmp, 'both'), times(a, b),
                  'of two in one file, %d to %d' % (a, b))


def main():
    with editlib.scratch() as tmp:
        subprocess.run([gstest.binary('make_recordings'), tmp], check=True)
        check_two_in_one(tmp)


if __name__ == '__main__':
    main()
