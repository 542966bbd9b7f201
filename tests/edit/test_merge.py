# SPDX-License-Identifier: Apache-2.0
"""gpsnap merge: the whole, of pieces and of what several recorders saw, is what
one recorder of all of it would have written."""
import os
import shutil
import subprocess

import editlib
import gstest

EPOCH = 1790000001  # of the first tick
FORMATS = ('text', 'json', 'csv', 'openmetrics')

# Where all of them would take long.
SOME = ('overview', 'processes', 'disks', 'sessions', 'queries', 'events',
        'hosts')


def times(a, b):
    return ['--from', str(EPOCH + a), '--to', str(EPOCH + b)]


def merge(tmp, *names, out='m.gpsnap', options=(), status=0):
    """Its output, for files of the directory; the path of the merged file."""
    path = os.path.join(tmp, out)
    done = subprocess.run(
        [gstest.binary('gpsnap'), 'merge', *names, '-o', path, '--force',
         *options], cwd=tmp, env=editlib.ENV, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, check=False)
    said = done.stderr.decode()
    gstest.check(done.returncode == status, 'merge %s: exit status %d\n%s' % (
        ' '.join(names), done.returncode, said))
    if status in (0, 1):
        verified = editlib.gpsnap('verify', path).decode()
        gstest.check(': whole, ' in verified, verified)
    return path, said


def rows(path, view, options=()):
    (table,) = editlib.tables(path, view, list(options))
    return table['rows']


def bytes_of(path, view, fmt):
    """What replay prints, of a file of that name."""
    done = subprocess.run(
        [gstest.binary('gpsnap'), 'replay', 'x.gpsnap', '-V', view, '-f', fmt],
        cwd=os.path.dirname(path), env=editlib.ENV, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


def same_in_some(got, got_options, want, want_options, what):
    editlib.compare([(v, editlib.tables(got, v, got_options),
                      editlib.tables(want, v, want_options)) for v in SOME],
                    what)


def same_bytes(got, want, what):
    both = []
    for i, path in enumerate((got, want)):
        with editlib.scratch() as tmp:
            shutil.copy(path, os.path.join(tmp, 'x.gpsnap'))
            both.append({(v, f): bytes_of(os.path.join(tmp, 'x.gpsnap'), v, f)
                         for v in editlib.compared_views(what) for f in FORMATS})
    for key, said in both[0].items():
        gstest.check(said == both[1][key], '%s: %s as %s differs:\n%s\n%s' % (
            what, *key, said[1].decode(), both[1][key][1].decode()))


def check_pieces(tmp):
    """Overlapping pieces, in any order, are the recording that they are of."""
    ranges = [(-9, 100), (61, 133), (90, 110), (127, 190), (185, 999)]
    names = []
    for i, (a, b) in enumerate(ranges):
        names.append('piece%d.gpsnap' % i)
        editlib.gpsnap('cut', os.path.join(tmp, 'all.gpsnap'), '-o',
                       os.path.join(tmp, names[-1]), *times(a, b))
    names.reverse()
    path, said = merge(tmp, *names)
    gstest.equal(said, '', 'notes')
    src = os.path.join(tmp, 'all.gpsnap')
    same_bytes(path, src, 'pieces')
    same_in_some(path, ['--ticks'], src, ['--ticks'], 'pieces, tick by tick')
    info = editlib.info(path)
    gstest.check('recording  ' + '01' * 16 in info, info)
    gstest.check('made of' not in info, info)
    return path


def check_recorders(tmp):
    """Three recorders, one of them with a wrong clock, are as one."""
    path, said = merge(tmp, 'ab.gpsnap', 'c.gpsnap', 'bc.gpsnap')
    gstest.equal(said.splitlines()[0], 'gpsnap: c.gpsnap: the clock of its '
                 'recorder was 2s ahead of that of ab.gpsnap: its times are '
                 'corrected', 'notes')
    # backends that are no segments' are everywhere here
    gstest.check('ab.gpsnap and c.gpsnap have coordinators on different hosts'
                 in said, said)
    editlib.same_everywhere(path, [], os.path.join(tmp, 'all.gpsnap'), [],
                            'three recorders')
    info = editlib.info(path)
    for text in ('01' * 16, ):
        gstest.check(text not in info, info)
    for text in ('02' * 16, '03' * 16, '04' * 16, 'its clock 2s ahead'):
        gstest.check(text in info, info)


# What a process used, whoever its session is by what others recorded.
USED = ('pid', 'started', 'cpu_seconds', 'memory_peak', 'faults_per_second',
        'io_bytes_per_second', 'user_percent', 'command')


def of_host(path, view, host, options=()):
    """Figures of one host, by its processes or disks.  What exited children
    left is settled at keys, of which a merged recording has others."""
    found = [r for r in rows(path, view, options) if r.get('host') == host]
    if view != 'processes':
        return found
    found = [r for r in found if r['pid'] is not None]
    return sorted(tuple(str(r[k]) for k in USED) for r in found)


def same_host(got, want, host, options=(), views=('processes', 'disks')):
    for view in views:
        a, b = (of_host(p, view, host, options) for p in (got, want))
        gstest.check(len(b) > 0, '%s: %s has no rows' % (view, host))
        gstest.check(a == b, '%s of %s: %d and %d rows:\n%s' % (
            view, host, len(a), len(b), [x for x in zip(a, b)
                                         if x[0] != x[1]][:2]))


def check_parts_of_it(tmp):
    """A range, and hosts, are those of the whole."""
    names = ('ab.gpsnap', 'c.gpsnap', 'bc.gpsnap')
    src = os.path.join(tmp, 'all.gpsnap')
    path, _ = merge(tmp, *names, options=times(62, 92))
    same_in_some(path, [], src, times(62, 92), 'a range')
    path, _ = merge(tmp, *names, options=['--hosts', 'sdw2,sdw3'])
    for host in ('sdw2', 'sdw3'):
        same_host(path, src, host)
    gstest.equal(of_host(path, 'processes', 'sdw1'), [], 'left out')
    info = editlib.info(path)
    gstest.check('hosts      sdw2, sdw3\n' in info and '02' * 16 in info,
                 info)


def check_intervals(tmp):
    """A host of a coarser recording has its own figures, in its own ticks."""
    src, coarse = (os.path.join(tmp, n + '.gpsnap')
                   for n in ('all', 'coarse'))
    path, _ = merge(tmp, 'all.gpsnap', 'coarse.gpsnap')
    same_in_some(path, [], src, [], 'what is there is not doubled')

    path, _ = merge(tmp, 'coarse.gpsnap', 'bc.gpsnap', options=times(131, 196))
    same_host(path, coarse, 'sdw1', times(134, 194))
    same_host(path, os.path.join(tmp, 'bc.gpsnap'), 'sdw2', times(134, 194))

    # where the first ends the other goes on, and processes are the same ones
    path, _ = merge(tmp, 'coarse.gpsnap', 'ab.gpsnap')
    want = {r['pid']: r['cpu_seconds'] for r in rows(src, 'processes')
            if r['host'] == 'sdw1' and r['state'] is None and r['pid']}
    got = {r['pid']: r['cpu_seconds'] for r in rows(path, 'processes')
           if r['host'] == 'sdw1' and r['pid'] in want}
    gstest.check(len(want) > 3, want)
    gstest.equal(got, want, 'those that live to the end')


def check_sequence(tmp):
    """Recordings that follow each other: as a replay of both."""
    both = os.path.join(tmp, 'both')
    os.mkdir(both)
    editlib.gpsnap('cut', os.path.join(tmp, 'ab.gpsnap'), '-o',
                   os.path.join(both, '1.gpsnap'), *times(-9, 110))
    shutil.copy(os.path.join(tmp, 'bc.gpsnap'), both)
    path, said = merge(tmp, 'both')
    gstest.equal(said, '', 'notes')
    editlib.same_everywhere(path, [], both, [], 'one after the other')
    # what is gone is gone in what cut makes of them, too
    out = os.path.join(tmp, 'cut.gpsnap')
    editlib.gpsnap('cut', both, '-o', out)
    same_in_some(out, [], both, [], 'cut of both')


def check_damage(tmp):
    """What is damaged is a hole of its hosts, and named; so is a torn end."""
    with open(os.path.join(tmp, 'c.gpsnap'), 'rb') as f:
        data = bytearray(f.read())
    data[40000:60000] = bytes(20000)
    for name, content in (('hurt', data), ('torn', data[:-20000])):
        with open(os.path.join(tmp, name + '.gpsnap'), 'wb') as f:
            f.write(content)
        path, said = merge(tmp, 'ab.gpsnap', name + '.gpsnap', status=1)
        notes = [l for l in said.splitlines() if 'offset' in l]
        gstest.equal(len(notes), 1 if name == 'hurt' else 2, said)
        gstest.check(name + '.gpsnap: offset ' in notes[0] and
                     ', lost from 2026-09-21 14:1' in notes[0], said)
        same_host(path, os.path.join(tmp, 'ab.gpsnap'), 'sdw1')
        events = [r for r in rows(path, 'events') if r['event'] == 'hole']
        gstest.equal(len(events), 1, events)
    # a recovered one says itself what it lacks: that is told once
    editlib.gpsnap('recover', os.path.join(tmp, 'hurt.gpsnap'), '-o',
                   os.path.join(tmp, 'healed.gpsnap'), status=1)
    path, said = merge(tmp, 'ab.gpsnap', 'healed.gpsnap', status=1)
    events = [r['text'] for r in rows(path, 'events') if r['event'] == 'hole']
    gstest.equal(len(events), 1, events)
    gstest.check(events[0].startswith('in the source: '), events)


def check_names(tmp):
    """Two machines of one name are two; two clusters are not mixed up."""
    path, said = merge(tmp, 'all.gpsnap', 'twin.gpsnap', status=64)
    gstest.check('of two database clusters at the same time' in said, said)
    gstest.check(not os.path.exists(path + '.part'), 'a part is left')
    editlib.gpsnap('thin', os.path.join(tmp, 'c.gpsnap'), '-o',
                   os.path.join(tmp, 'thin.gpsnap'), '--every', '10s')
    _, said = merge(tmp, 'ab.gpsnap', 'thin.gpsnap', status=64)
    gstest.check('thin.gpsnap was thinned, ab.gpsnap was not' in said, said)
    path, said = merge(tmp, 'all.gpsnap', 'twin.gpsnap',
                       options=['--entities', 'disk'])
    same_host(path, os.path.join(tmp, 'all.gpsnap'), 'sdw1', (), ['disks'])
    path, said = merge(tmp, 'ab.gpsnap', 'twin.gpsnap')
    gstest.check('its host sdw1 is another machine than that of the others: '
                 'it is called sdw1-2' in said, said)
    same_host(path, os.path.join(tmp, 'ab.gpsnap'), 'sdw1')
    for view in ('processes', 'disks'):
        twin = of_host(os.path.join(tmp, 'twin.gpsnap'), view, 'sdw1')
        gstest.equal(len(of_host(path, view, 'sdw1-2')), len(twin), view)


def of_servers(path, view):
    """Where hosts run servers of the same port, a host stands before it."""
    return sorted((r['server'].split(':')[-1],
                   r['pid'] if view == 'backends' else r['port'])
                  for r in rows(path, view))


def check_servers(tmp):
    """A catalog is its server's, wherever a recorder lists it."""
    want = {view: of_servers(os.path.join(tmp, 'two.gpsnap'), view)
            for view in ('backends', 'clusters')}
    gstest.equal({s for s, _ in want['clusters']}, {'5432', '6000'}, 'servers')
    for names in (('two', 'swapped'), ('swapped', 'two'), ('two', 'all'),
                  ('swapped', 'all'), ('all', 'two')):
        path, said = merge(tmp, *(n + '.gpsnap' for n in names))
        gstest.check('catalog' not in said, said)
        for view, servers in want.items():
            gstest.equal(of_servers(path, view), servers,
                         '%s of %s' % (view, '+'.join(names)))
    # one that says nothing of itself, beside two
    editlib.gpsnap('cut', os.path.join(tmp, 'two.gpsnap'), '-o',
                   os.path.join(tmp, 'silent.gpsnap'), '--entities',
                   'process,backend')
    _, said = merge(tmp, 'silent.gpsnap', 'swapped.gpsnap', status=64)
    gstest.check('the database server of its catalog' in said, said)


def check_stepped(tmp):
    """A clock that was set during the recording is reported."""
    path, said = merge(tmp, 'ab.gpsnap', 'stepped.gpsnap')
    gstest.check('stepped.gpsnap: the clock of its recorder was set forward '
                 'by 3s while it recorded: from then on' in said, said)
    stepped = os.path.join(tmp, 'stepped.gpsnap')
    a, b = ({(r['pid'], r['started']): r['cpu_seconds']
             for r in rows(p, 'processes')
             if r['host'] == 'sdw3' and r['pid']} for p in (path, stepped))
    gstest.equal(a, b, 'what its processes used')
    events = [r for r in rows(path, 'events') if r['event'] == 'clock set']
    gstest.equal(len(events), 1, events)


def main():
    with editlib.scratch() as tmp:
        subprocess.run([gstest.binary('make_recordings'), tmp], check=True)
        check_pieces(tmp)
        check_recorders(tmp)
        check_parts_of_it(tmp)
        check_intervals(tmp)
        check_sequence(tmp)
        check_damage(tmp)
        check_stepped(tmp)
        check_names(tmp)
        check_servers(tmp)


if __name__ == '__main__':
    main()
