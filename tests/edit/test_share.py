# SPDX-License-Identifier: Apache-2.0
"""gpsnap share: what it takes out is nowhere in the file, in no text, header
or event; all else, and every figure, is what it was."""
import glob
import os
import subprocess
import sys

import editlib
import gstest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..'))
import reader  # noqa: E402

SECRET = b'PLANTED'
SAMPLES = os.path.join(HERE, '..', '..', 'samples')


def raw(path):
    """All bytes of a file, decompressed."""
    done = subprocess.run(['zstd', '-dcq', path], stdout=subprocess.PIPE,
                          check=True)
    return done.stdout


def states(path):
    """Per tick: rows per host and entity, and all texts."""
    out = []
    with open(path, 'rb') as f:
        data = f.read()
    for state in reader.Reader(data).ticks():
        rows, texts = {}, set()
        for entity in state.entities.values():
            for index, row in state.rows(entity):
                rows.setdefault((index, entity), []).append(dict(row))
                texts |= {(entity, k, v) for k, v in row.items()
                          if isinstance(v, bytes)}
        out.append((state.tick.wall_ns, rows, texts))
    return out


def signless(column, value):
    """Queries that an older version masked have signs before some literals."""
    return value.replace(b'-?', b'?') if column == 'query' and isinstance(
        value, bytes) else value


def kept(rows, is_kept):
    """Rows of the cells that is_kept(entity, column, value), in an order of
    their own: which place a row has in a table means nothing."""
    return {(index, entity): sorted(
        repr(sorted((k, signless(k, v)) for k, v in row.items()
                    if is_kept(entity, k, v)))
        for row in of) for (index, entity), of in rows.items()}


def figures_of(path):
    """Per tick: its time, and rows without texts."""
    return [(wall_ns, kept(rows, lambda e, k, v: not isinstance(v, bytes)))
            for wall_ns, rows, _ in states(path)]


def check_figures(src, out, changes):
    """Only texts of the columns in changes may differ."""
    was, now = states(src), states(out)
    gstest.equal(len(now), len(was), '%s: ticks' % src)
    for (t, rows, _), (t2, rows2, _) in zip(was, now):
        gstest.equal(t2, t, '%s: time' % src)
        gstest.equal(*(kept(r, lambda e, k, v: (e, k) not in changes)
                       for r in (rows2, rows)), '%s: rows' % src)


def numbers(table):
    """Its rows without texts, and without what is unknown."""
    return sorted(str({k: v for k, v in row.items()
                       if v is not None and not isinstance(v, str)})
                  for row in table.get('rows', []))


def check_views(src, out):
    for view in editlib.views():
        # 3: nobody waited for what the histogram asks for
        a, b = ([numbers(t) for t in
                 editlib.tables(p, view, [], (0, 1, 3))]
                for p in (src, out))
        gstest.equal(b, a, 'view %s' % view)


def planted(tmp):
    path = os.path.join(tmp, 'planted.gpsnap')
    with open(path, 'wb') as f:
        subprocess.run([gstest.binary('make_planted')], stdout=f, check=True)
    return path


def check_planted(tmp):
    src, out = planted(tmp), os.path.join(tmp, 'out.gpsnap')
    gstest.check(raw(src).count(SECRET) >= 8, 'nothing was planted')
    said = editlib.gpsnap('share', src, out).decode()
    data = raw(out)
    gstest.equal(data.count(SECRET), 0, 'what was planted')
    gstest.equal(data.count(b'4711'), 0, 'a literal')
    gstest.equal(data.count(os.path.basename(tmp).encode()), 0, 'a path')
    check_figures(src, out, {('process', 'title'), ('backend', 'query')})
    check_views(src, out)
    titles = {v for _, _, texts in states(out) for e, k, v in texts
              if (e, k) == ('process', 'title')}
    gstest.equal(titles, {
        b'/usr/bin/postgres -D /data/kept -p 6000',
        b'postgres:  6000, kept_user kept_db 10.9.8.7(4444) con7 cmd3 '
        b'SELECT',
        b'postgres:  6000, kept_user kept_db [local] con8 cmd1 idle',
        b'postgres:  6000, checkpointer'}, 'titles')
    gstest.check(b'from kept_table where name = ' in data, 'the query')
    words = [line.split() for line in said.splitlines()[2:-1]]
    gstest.equal([w for w in words if w[0] in ('hosts', 'users', 'marks')],
                 [['hosts', '1', 'kept_host'],
                  ['users', '2', 'kept_user,', 'bob'],
                  ['marks', '1', 'as', 'they', 'were', 'written']], said)
    info = editlib.info(out)
    gstest.check('without    arguments of other processes' in info, info)


def check_samples(tmp):
    """Recordings without arguments and queries stay as they are."""
    for src in glob.glob(os.path.join(SAMPLES, '*.gpsnap')):
        out = os.path.join(tmp, os.path.basename(src))
        editlib.gpsnap('share', src, out)
        check_figures(src, out, {('process', 'title')})


def check_detector(tmp):
    """Greenplum's deadlock detector is recognized by its title, and remains so."""
    src = os.path.join(SAMPLES, 'greenplum6-spill.gpsnap')
    out = os.path.join(tmp, 'detector.gpsnap')
    editlib.gpsnap('share', src, out, '--anonymize')
    a, b = ([numbers(t) for t in editlib.tables(p, 'sessions', [])]
            for p in (src, out))
    gstest.equal(b, a, 'sessions')


def check_operands(tmp):
    src, out = planted(tmp), os.path.join(tmp, 'again.gpsnap')
    editlib.gpsnap('share', src, status=64)
    editlib.gpsnap('share', src, '-o', out, '-q')
    editlib.gpsnap('share', src, out, status=2)  # is there
    some = editlib.gpsnap('share', src, '-o', '-', '--from', '+2s')
    with open(out, 'wb') as f:
        f.write(some)
    gstest.check(0 < len(states(out)) < len(states(src)), 'the range')


# As age: takes -r RECIPIENT, reads the standard input.
AGE = """#!/bin/sh
[ "$1" = -r ] && [ "$2" = age1you ] || exit 1
echo for "$2"
exec cat
"""


def share_encrypted(src, out, path, *argv):
    return subprocess.run(
        [gstest.binary('gpsnap'), 'share', src, out, '--encrypt-to', *argv],
        env=dict(editlib.ENV, PATH=path), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, check=False)


def check_encrypted(tmp):
    src, out = planted(tmp), os.path.join(tmp, 'out.age')
    age = os.path.join(tmp, 'age')
    none = share_encrypted(src, out, tmp, 'age1you')
    gstest.equal((none.returncode, b'no age on this host' in none.stderr),
                 (2, True), none.stderr)
    with open(age, 'w', encoding='utf-8') as f:
        f.write(AGE)
    os.chmod(age, 0o755)
    path = tmp + ':/usr/bin:/bin'
    other = share_encrypted(src, out, path, 'age1other')
    gstest.equal(other.returncode, 2, 'age refuses')
    gstest.equal([n for n in os.listdir(tmp) if n.startswith('out.age')],
                 [], 'what is left')
    done = share_encrypted(src, out, path, 'age1you')
    gstest.equal(done.returncode, 0, done.stderr)
    gstest.check(b'encrypted to age1you\nIt still' in done.stdout,
                 done.stdout)
    with open(out, 'rb') as f:
        gstest.equal(f.readline(), b'for age1you\n', 'age')
        plain = f.read()
    with open(os.path.join(tmp, 'plain.gpsnap'), 'wb') as f:
        f.write(plain)
    gstest.equal(len(states(os.path.join(tmp, 'plain.gpsnap'))),
                 len(states(src)), 'ticks')
    again = share_encrypted(src, out, path, 'age1you')
    gstest.equal(again.returncode, 2, 'OUT is there')
    gstest.equal(os.stat(out).st_mode & 0o777, 0o600, 'mode')


def main():
    with editlib.scratch() as tmp:
        check_planted(tmp)
        check_samples(tmp)
        check_detector(tmp)
        check_operands(tmp)
        check_encrypted(tmp)


if __name__ == '__main__':
    main()
