# SPDX-License-Identifier: Apache-2.0
"""gpsnap share --anonymize: no name of a database with odd names is left in
the file, in no text, header or event; with the key all come back, and every
view says the same."""
import json
import os
import re
import shutil
import subprocess
import sys

import editlib
import gstest
from test_share import HERE, SAMPLES, figures_of, planted, raw

sys.path.insert(0, os.path.join(HERE, '..'))
import reader  # noqa: E402

ADDRESS = '127.0.77.7'

# Names that people made up, and all that may give them away; each is made of
# no word that is known.
NAMES = ["o'brien", 'brien', 'Größe DB', 'Größe', 'ze DB', 'my tab le',
         'tab le', 'Secret"Col', 'acmeschema', 'acmetable', 'acmecol',
         'acmefunc', 'Acme Planner', 'Planner', 'acmecluster', ADDRESS,
         '127.0.77', 'acmerole', 'acmeapp', 'acmelabel', 'acmesubdir',
         'unfinished_nam', 'acmemark', 'acmetag', 'rückstand']

SCRIPT = """
create role "o'brien" login;
create role acmerole login;
create database "Größe DB" owner "o'brien";
"""

TABLES = """
create schema acmeschema;
create table acmeschema."my tab le" (acmecol int, "Secret""Col" int);
insert into acmeschema."my tab le" values (1, 4711);
create table acmetable (acmecol int);
create function acmefunc(int) returns int language sql as 'select $1';
grant all on schema acmeschema, public to acmerole;
grant all on all tables in schema acmeschema, public to acmerole;
"""

# What sessions do, and under what name; the last are cut in a word.
LOCK = 'begin; lock table acmeschema."my tab le", acmetable;\n'
WAIT = ('/* acmelabel */ select "Secret""Col", acmecol + 4711, '
        'acmefunc(acmecol), $acmetag$ acmelabel $acmetag$ as rückstand '
        'from acmeschema."my tab le" where acmecol::text = \'acmelabel\' '
        '-- acmelabel\n;\n')
CUT = 1023  # bytes of a query that the server keeps
SLEEP = 'select pg_sleep(1000), acmefunc(1)' + ' + acmefunc(1)' * 60
SLEEP = SLEEP.ljust(CUT - len(' as unfinished_nam')) + \
    ' as unfinished_name;\n'


class Session:
    """psql at work."""

    def __init__(self, pg, user, application, text, host=None, cwd=None):
        env = dict(pg.env(), PGUSER=user, PGDATABASE='Größe DB',
                   PGAPPNAME=application)
        if host:
            env['PGHOST'] = host
        self.child = subprocess.Popen(
            ['setpriv', '--reuid=%d' % pg.owner.pw_uid,
             '--clear-groups', '--regid=%d' % pg.owner.pw_gid,
             os.path.join(pg.bin, 'psql'), '-Xq'] if os.geteuid() == 0 else
            [os.path.join(pg.bin, 'psql'), '-Xq'],
            env=env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd=cwd)
        self.child.stdin.write(text.encode())
        self.child.stdin.flush()

    def end(self):
        self.child.kill()
        self.child.wait()
        self.child.stdin.close()


def waits(pg):
    return int(pg.sql("select count(*) from pg_stat_activity where "
                      "wait_event_type = 'Lock'")) >= 1 and \
        int(pg.sql("select count(*) from pg_stat_activity where "
                   "wait_event = 'PgSleep'")) >= 2


def record(pg, tmp):
    """Some seconds of a server at which three sessions are busy."""
    path = os.path.join(tmp, 'acmefile.gpsnap')
    dsn = 'host=%s port=%d user=%s dbname=\'Größe DB\'' % (
        pg.tmp.path, pg.port, pg.owner.pw_name)
    argv = [gstest.binary('gpsnap'), 'record', '-o', path, '-i', '0.3',
            '-n', '12', '--dsn', dsn, '--arguments', '--all', '-q']
    done = subprocess.run(argv, env=editlib.ENV, stdin=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, check=False, timeout=60)
    gstest.equal(done.returncode, 0, done.stderr.decode())
    return path


def make(tmp):
    # the parameters are of the server's own, titles of both kinds
    settings = ['cluster_name=acmecluster', 'track_activity_query_size=1024',
                'listen_addresses=' + ADDRESS,
                'acmeapp.setting=acmelabel']
    with gstest.Postgres(settings=settings) as pg:
        for line in SCRIPT.strip().splitlines():
            pg.sql(line)
        pg.run('psql', '-Xq', '-d', 'Größe DB', '-c', TABLES)
        with open(os.path.join(pg.data, 'pg_hba.conf'), 'a',
                  encoding='utf-8') as f:
            f.write('host all all 127.0.0.0/8 trust\n')
        pg.sql('select pg_reload_conf()')
        sessions = [
            Session(pg, "o'brien", 'Acme Planner', SLEEP),
            Session(pg, pg.owner.pw_name, 'psql', LOCK + SLEEP),
        ]
        try:
            gstest.wait_for('a lock', lambda: int(pg.sql(
                "select count(*) from pg_locks where mode = "
                "'AccessExclusiveLock' and granted")) > 0)
            sessions.append(Session(pg, 'acmerole', 'acmeapp', WAIT,
                                    host=ADDRESS))
            gstest.wait_for('sessions', lambda: waits(pg))
            return record(pg, tmp), pg.tmp.path
        finally:
            for s in sessions:
                s.end()


def texts_of(path):
    """Every text of a file by itself: cells, events, what the header says."""
    out = set()
    with open(path, 'rb') as f:
        data = f.read()
    for state in reader.Reader(data).ticks():
        for entity in state.entities.values():
            for _, row in state.rows(entity):
                out |= {v for v in row.values() if isinstance(v, bytes)}
        out |= {e.text for e in state.tick.event}
        if state.tick.HasField('header'):
            h = state.tick.header
            out |= {s.encode() for s in (
                h.options, h.recorder_host, h.server_version, h.edited,
                *(x for host in h.host for x in (host.name,)),
                *(x for s in h.setting for x in (s.name, s.value)),
                *(x for r in h.refused for x in (r.what, r.why)),
                *(s.recorder_host for s in h.source))}
    return out


def check_absent(path, names):
    """The names are not in the bytes, nor in any text, in any case."""
    data = raw(path).lower()
    texts = texts_of(path)
    gstest.check(len(texts) > 5, 'no texts')
    for name in names:
        want = name.encode().lower()
        gstest.equal(data.count(want), 0, '%s: %r' % (path, name))
        found = [t for t in texts if want in t.lower()]
        gstest.equal(found, [], '%r' % name)


def who(key, *argv, stdin=None, status=0):
    return editlib.gpsnap('who', key, *argv, stdin=stdin,
                          status=status).decode()


def views_of(path):
    """Every view as lines of JSON, without the names of files."""
    out = {}
    for view in editlib.views():
        tables = editlib.tables(path, view, [], (0, 1, 3))
        for table in tables:
            table.pop('command', None)
            for column in ('query', 'text', 'title', 'object', 'statement'):
                for row in table.get('rows', []):
                    row.pop(column, None)
            table.get('rows', []).sort(key=shape)
        out[view] = tables
    return out


def shape(row):
    """Rows sorted by their numbers: pseudonyms sort differently."""
    return json.dumps({k: v for k, v in row.items()
                       if not isinstance(v, str)}, sort_keys=True)


def only_figures(tables):
    return [[json.loads(shape(r)) for r in t.get('rows', [])]
            for t in tables]


def names_of(tables):
    return sorted(v for t in tables for r in t.get('rows', [])
                  for v in r.values() if isinstance(v, str))


def check_views(src, out, key):
    """The same figures, and with the key the same names."""
    was, now = views_of(src), views_of(out)
    for view in was:
        gstest.equal(only_figures(now[view]), only_figures(was[view]),
                     'view %s: figures' % view)
        back = turned_back(names_of(now[view]), key)
        gstest.equal(sorted(back), names_of(was[view]),
                     'view %s: names' % view)


def turned_back(names, key):
    """All in one run, a line each; line ends do not stand in cells."""
    text = ''.join(n.replace('\n', '\\n') + '\n' for n in names)
    return who(key, '--text', stdin=text.encode()).splitlines()


def check_key(key):
    lines = dict(reversed(line.split(None, 1))
                 for line in who(key).splitlines())
    user = lines["o'brien"]
    gstest.check(re.fullmatch(r'user-\d+', user), user)
    gstest.equal(who(key, user), "o'brien\n", 'who it is')
    gstest.equal(who(key, "o'brien"), user + '\n', 'its pseudonym')
    gstest.equal(json.loads(who(key, '-f', 'json', user)),
                 {'pseudonym': user, 'name': "o'brien"}, 'json')
    who(key, 'user-999', status=1)
    who(key, 'acme nobody', status=1)
    gstest.equal(who(key, '-'), who(key), 'all')
    gstest.equal(who(key, '--text', stdin=(
        'Why is %s slow, and xuser-1 or user-1.slice or %s0 or %s…?\n' %
        (user, user, user)).encode()),
        "Why is o'brien slow, and xuser-1 or user-1.slice or %s0 or %s…?\n" %
        (user, user),
        'a letter')
    pad = ' ' * len(user)
    table = 'USER%s  DB  CPU%%\n%s      x    7.0\n"%s  x"  y\n' % (
        pad[4:] + '    ', user, user)
    heads, row, quoted = who(key, '--text', stdin=table.encode()).splitlines()
    gstest.equal(row.index('x'), heads.index('DB'), 'columns stay: ' + row)
    gstest.equal(row.index('7.0'), table.splitlines()[1].index('7.0'),
                 'columns stay: ' + row)
    gstest.check(quoted.startswith('"o\'brien  x"'), 'not in quotes: ' + quoted)
    gstest.equal(os.stat(key).st_mode & 0o777, 0o600, 'mode of the key')


def check_postgres(tmp):
    src, socket = make(tmp)
    out, key = os.path.join(tmp, 'out.gpsnap'), os.path.join(tmp, 'the.key')
    names = [n for n in NAMES if n not in ('acmemark', 'ze DB')]
    odd = [*names, os.path.basename(socket), 'acmefile',
           os.path.basename(tmp)]
    if len(os.uname().nodename) > 6:  # else it is in other words
        odd.append(os.uname().nodename)
    missing = [n for n in ("o'brien", 'Größe DB', 'my tab le', 'acmecol',
                           'Acme Planner', 'acmecluster', ADDRESS,
                           'acmerole', 'unfinished_nam', 'acmefunc',
                           os.path.basename(socket))
               if n.encode() not in raw(src)]
    gstest.equal(missing, [], 'names that are not recorded')
    said = editlib.gpsnap('share', src, out, '--anonymize', '--key', key)
    check_absent(out, odd)
    gstest.check(b'4711' not in raw(out), 'a literal')
    for name in odd:
        gstest.check(name.encode() not in
                     said.replace(tmp.encode(), b''), 'told: ' + name)
    check_views(src, out, key)
    check_key(key)
    return src, key


def check_again(tmp, src, key):
    """The same names, the same pseudonyms, also of two shares at once."""
    before = who(key)
    outs = [os.path.join(tmp, 'again%d.gpsnap' % i) for i in range(3)]
    runs = [subprocess.Popen(
        [gstest.binary('gpsnap'), 'share', s, o, '--anonymize', '--key', key],
        env=editlib.ENV, stdout=subprocess.DEVNULL) for s, o in
        zip((src, os.path.join(SAMPLES, 'greenplum6.gpsnap'),
             os.path.join(SAMPLES, 'postgresql15.gpsnap')), outs)]
    gstest.equal([r.wait(timeout=100) for r in runs], [0, 0, 0], 'shares')
    after = who(key)
    gstest.check(after.startswith(before) and len(after) > len(before),
                 'the key grows')
    gstest.equal(texts_of(outs[0]), texts_of(os.path.join(tmp, 'out.gpsnap')),
                 'the same again')
    check_absent(outs[1], ['gpdemo', 'analyst', 'bi user', 'odd db'])
    gstest.check(not [t for t in texts_of(outs[1]) if b'etl ' in t], 'etl')
    for src_name, out in (('greenplum6', outs[1]), ('postgresql15', outs[2])):
        check_views(os.path.join(SAMPLES, src_name + '.gpsnap'), out, key)


def check_planted(tmp):
    src, out = planted(tmp), os.path.join(tmp, 'planted-out.gpsnap')
    key = os.path.join(tmp, 'planted.key')
    editlib.gpsnap('share', src, out, '--anonymize', '--key', key)
    check_absent(out, ['PLANTED', 'kept', 'kept_user', '10.9.8.7', 'bob'])
    editlib.gpsnap('share', src, out, '--anonymize', '--key', key,
                   '--keep-marks', '--force')
    gstest.check('kept mark' in {t.decode() for t in texts_of(out)}, 'mark')
    some = editlib.gpsnap('share', src, '-', '--anonymize', '--key', key)
    with open(os.path.join(tmp, 'stream.gpsnap'), 'wb') as f:
        f.write(some)
    check_absent(f.name, ['PLANTED', 'kept'])
    gstest.equal(figures_of(f.name), figures_of(src), 'figures')


def check_damaged(tmp, src):
    """A key that is not whole is refused, and nothing is made of it."""
    key, bad = os.path.join(tmp, 'the.key'), os.path.join(tmp, 'bad.key')
    out = os.path.join(tmp, 'never.gpsnap')
    with open(key, 'rb') as f:
        whole = f.read()
    for what in (b'', b'x', whole[:-1], whole[:len(whole) // 2],
                 whole.replace(b'user-1\t', b'user-1\tx'), whole + b'more\n'):
        with open(bad, 'wb') as f:
            f.write(what)
        editlib.gpsnap('share', src, out, '--anonymize', '--key', bad,
                       status=2)
        who(bad, 'user-1', status=2)
        with open(bad, 'rb') as f:
            gstest.equal(f.read(), what, 'it stays as it is')
    gstest.check(not os.path.exists(out), 'OUT')
    who(os.path.join(tmp, 'none.key'), status=2)


def check_operands(tmp, src):
    out = os.path.join(tmp, 'operands.gpsnap')
    editlib.gpsnap('share', src, out, '--key', 'k', status=64)
    editlib.gpsnap('share', src, out, '--keep-marks', status=64)
    editlib.gpsnap('share', src, out, '--anonymize', '--key', out, status=64)
    editlib.gpsnap('who', status=64)
    editlib.gpsnap('who', 'k', 'user-1', '--text', status=64)
    home = os.path.join(tmp, 'home')
    env = dict(editlib.ENV, HOME=home)
    env.pop('XDG_CONFIG_HOME', None)
    done = subprocess.run([gstest.binary('gpsnap'), 'share', src, out,
                           '--anonymize'], env=env, check=False,
                          stdout=subprocess.PIPE)
    gstest.equal(done.returncode, 0, 'a key of its own')
    key = os.path.join(home, '.config', 'gpsnap', 'share.key')
    gstest.check(('gpsnap who ' + key).encode() in done.stdout, done.stdout)
    gstest.equal(os.stat(os.path.dirname(key)).st_mode & 0o777, 0o700,
                 'its directory')


def main():
    with editlib.scratch() as tmp:
        check_planted(tmp)
        src, key = check_postgres(tmp)
        check_again(tmp, src, key)
        check_damaged(tmp, os.path.join(SAMPLES, 'greenplum6.gpsnap'))
        check_operands(tmp, os.path.join(SAMPLES, 'greenplum6.gpsnap'))
        if os.environ.get('GS_KEEP'):
            shutil.copytree(tmp, os.environ['GS_KEEP'])


if __name__ == '__main__':
    main()
