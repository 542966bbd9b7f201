# SPDX-License-Identifier: Apache-2.0
"""gpsnap cut: what replay shows of the part is what it shows of the whole."""
import os
import subprocess

import editlib
import gstest

ALL = 'all.gpsnap'

# Seconds from the first tick: within, at a seam of keys, around hosts that
# are away, before and after the recording.
RANGES = [(62, 92), (120, 121), (140, 170), (-100, 20), (230, 9999),
          (165.4, 199.2)]
EPOCH = 1790000001


def times(a, b):
    return ['--from', str(EPOCH + a), '--to', str(EPOCH + b)]


def check_ranges(tmp):
    src, out = os.path.join(tmp, ALL), os.path.join(tmp, 'x.gpsnap')
    for a, b in RANGES:
        editlib.gpsnap('cut', src, '-o', out, '--force', *times(a, b))
        said = editlib.gpsnap('verify', out).decode()
        gstest.check(': whole, ' in said, said)
        whole = int(a) == a  # else the time line has another step
        for extra in [[]] if whole else [['-e', '10s']]:
            editlib.same_everywhere(out, extra, src, times(a, b) + extra,
                                    'cut %g to %g' % (a, b))
    editlib.gpsnap('cut', src, '-o', out, '--force', *times(62, 72))
    editlib.same_everywhere(out, ['--ticks'], src, times(62, 72) +
                            ['--ticks'], 'cut, tick by tick')


def check_parts(tmp):
    """Files of one recording: the seam is one tick."""
    parts = [os.path.join(tmp, 'part%d.gpsnap' % i) for i in (1, 2, 3)]
    out = os.path.join(tmp, 'y.gpsnap')
    src = os.path.join(tmp, ALL)
    editlib.gpsnap('cut', *parts, '-o', out, *times(80, 200))
    editlib.same_everywhere(out, [], src, times(80, 200), 'cut of parts')


def check_pipe(tmp):
    src, out = os.path.join(tmp, ALL), os.path.join(tmp, 'p.gpsnap')
    with open(src, 'rb') as f:
        data = f.read()
    made = editlib.gpsnap('cut', '-', '-o', '-', *times(62, 92), stdin=data)
    with open(out, 'wb') as f:
        f.write(made)
    editlib.same_everywhere(out, [], src, times(62, 92), 'cut of a pipe')


def check_again(tmp):
    """A cut of a cut is a cut."""
    src = os.path.join(tmp, ALL)
    one, two = (os.path.join(tmp, n) for n in ('1.gpsnap', '2.gpsnap'))
    editlib.gpsnap('cut', src, '-o', one, *times(50, 120))
    editlib.gpsnap('cut', one, '-o', two, *times(62, 92))
    editlib.same_everywhere(two, [], src, times(62, 92), 'cut of a cut')


def rows(path, view, options=()):
    (table,) = editlib.tables(path, view, list(options))
    return table['rows']


def check_choice(tmp):
    src, out = os.path.join(tmp, ALL), os.path.join(tmp, 'h.gpsnap')
    editlib.gpsnap('cut', src, '-o', out, '--hosts', 'sdw1,sdw3')
    hosts = {r['host'] for r in rows(out, 'processes')}
    gstest.equal(hosts, {'sdw1', 'sdw3'}, 'hosts')
    # several hosts, so that the column is there in both
    gstest.equal(rows(out, 'processes'), [
        r for r in rows(src, 'processes') if r['host'] in hosts],
                 'processes of two hosts')
    editlib.gpsnap('cut', src, '-o', out, '--force', '--entities',
                   'disk,cgroup')
    gstest.equal(rows(out, 'disks'), rows(src, 'disks'), 'disks')
    gstest.equal(rows(out, 'processes'), [], 'no processes')
    editlib.gpsnap('cut', src, '-o', out, '--force', '--metrics',
                   'process.cpu,process.title')
    whole = {(r['host'], r['pid'], r['session']): r
             for r in rows(src, 'processes')}
    for r in rows(out, 'processes'):
        same = whole[r['host'], r['pid'], r['session']]
        if not r['title'].startswith('exited'):
            gstest.equal(r['cpu_seconds'], same['cpu_seconds'], 'CPU time')
        gstest.equal(r['memory'], None, 'memory that was left out')


def check_sessions(tmp):
    src, out = os.path.join(tmp, ALL), os.path.join(tmp, 's.gpsnap')
    editlib.gpsnap('cut', src, '-o', out, '--sessions', 'con1002,1004')
    names = {r['session'] for r in rows(out, 'sessions')}
    gstest.check({'con1002'} <= names, 'sessions %r' % names)
    want = [r for r in rows(src, 'sessions') if r['session'] == 'con1002']
    got = [r for r in rows(out, 'sessions') if r['session'] == 'con1002']
    for r in got + want:
        r.pop('server')  # with the host where another one has its port
    gstest.equal(got, want, 'the session')
    gstest.check(len(names) < 5, 'sessions %r' % names)
    # what their sessions used is not said to be that of unknown children
    gstest.equal([r['text'] for r in rows(out, 'sessions')
                  if 'exited children' in r['text']], [], 'children')


def check_identity(tmp):
    """A range of time keeps the identity of the recording; a selection gets a
    new one."""
    def identity(*options):
        out = os.path.join(tmp, 'i.gpsnap')
        editlib.gpsnap('cut', os.path.join(tmp, ALL), '-o', out, '--force',
                       *options)
        said = editlib.info(out)
        (line,) = [l for l in said.splitlines() if l.startswith('recording')]
        return line.split()[1].rstrip(',')
    piece = identity(*times(3, 9))
    gstest.equal(piece, '01' * 16, 'identity of a piece')
    chosen = identity('--hosts', 'sdw1')
    gstest.check(chosen != piece, 'the choice has an identity of its own')
    gstest.equal(identity('--hosts', 'sdw1'), chosen, 'made again')


def main():
    with editlib.scratch() as tmp:
        subprocess.run([gstest.binary('make_recordings'), tmp], check=True)
        check_ranges(tmp)
        check_parts(tmp)
        check_pipe(tmp)
        check_again(tmp)
        check_choice(tmp)
        check_sessions(tmp)
        check_identity(tmp)


if __name__ == '__main__':
    main()
