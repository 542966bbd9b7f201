#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Several servers of one host, recorded at once: each session, lock, wait and
limit is its own server's, by each server's own word; one of them ends and
comes back meanwhile; a Greenplum stands beside a PostgreSQL.  In a pid
namespace of its own there are no others."""
import contextlib
import json
import os
import signal
import subprocess
import sys

sys.path.insert(1, os.path.join(os.path.dirname(
    os.path.abspath(__file__)), '..', 'lib'))
import gstest

BEGAN = "select pid from pg_stat_activity where state <> 'idle' and " \
        "backend_type = 'client backend' and pid <> pg_backend_pid()"


def server(kind, port, *settings):
    pg = kind(settings=('port=%d' % port, *settings))
    pg.port = port
    return pg


class Client:
    """A psql that is told what to do; it ends with the test."""

    def __init__(self, pg, name):
        self.child = pg.popen(['psql', '-X', '-q', '-A', '-t', 'dbname=postgres'
                               ' application_name=' + name],
                              stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)

    def tell(self, text):
        self.child.stdin.write((text + '\n').encode())
        self.child.stdin.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.kill()
        self.child.wait()


def clients_of(pg):
    """Pids of the clients that the test started, by the server's word."""
    text = pg.sql("select pid from pg_stat_activity where application_name "
                  "like 'test%'")
    return {int(pid) for pid in text.split()}


def waiting(pg):
    return int(pg.sql("select count(*) from pg_stat_activity where "
                      "wait_event_type = 'Lock'"))


class Recorder:
    def __init__(self, tmp):
        self.path, self.said = tmp.file('a.gpsnap'), tmp.file('said')
        env = {k: v for k, v in os.environ.items()
               if not k.startswith('PG') and k != 'GPSNAP_NO_CATALOG'}
        with open(self.said, 'wb') as err:
            self.child = subprocess.Popen(
                [gstest.binary('gpsnap'), 'record', '-o', self.path, '-i',
                 '0.5'], env=env, stdin=subprocess.DEVNULL, stderr=err)

    def status(self):
        run = subprocess.run([gstest.binary('gpsnap'), 'status', self.path,
                              '-f', 'json'], capture_output=True, check=False)
        return json.loads(run.stdout) if run.stdout else {}

    def wait_state(self, state):
        gstest.wait_for('databases %s' % state,
                        lambda: self.status().get('database') == state)

    def wait_ticks(self, more):
        want = self.status().get('ticks', 0) + more
        gstest.wait_for('ticks', lambda: self.status().get('ticks', 0) >= want)

    def told(self):
        with open(self.said) as f:
            return f.read()

    def end(self):
        self.child.send_signal(signal.SIGTERM)
        # 1: it may have skipped ticks, or a server was down
        status = self.child.wait(timeout=30)
        gstest.check(status in (0, 1), 'status %d: %s' % (status, self.told()))


def rows(path, *argv):
    return [row for table in gstest.replay_json(path, *argv, status=(0, 1, 3))
            for row in table.get('rows', ())]


def check_locks(path, pids):
    locks = rows(path, '-V', 'locks')
    gstest.equal({r['server'] for r in locks}, {'alpha'}, 'locks of')
    gstest.equal({int(r['session']) for r in locks}, pids, 'who locks')
    gstest.equal(len({r['root'] for r in locks}), 1, 'roots')


def check_waits(path):
    for row in rows(path, '-V', 'time_model', '-W', 'off'):
        if row['stat'] == 'Lock':
            gstest.equal(row['server'], 'alpha', 'who waits for locks')
    named = {r['server'] for r in rows(path, '-V', 'time_model', '-W', 'off')}
    gstest.check({'alpha', '5502'} <= named, 'DB time of %r' % named)
    active = rows(path, '-V', 'active')
    gstest.equal({r['server'] for r in active if r['event'] and
                  r['event'].startswith('Lock')}, {'alpha'}, 'active')


def check_limits(path, want):
    found = {r['server']: r['max_connections'] for r in
             rows(path, '-V', 'connections')}
    gstest.equal({k: found.get(k) for k in want}, want, 'limits')


def check_edited(tmp, path, want):
    """What is made of it is of the same servers."""
    for argv in (['cut', path], ['merge', path], ['thin', path, '--every',
                                                  '1s']):
        out = tmp.file(argv[0] + '.gpsnap')
        gstest.gpsnap(*argv, '-o', out, status=gstest.OF_BUSY)
        at_the_end(want, out)
    shared, key = tmp.file('shared.gpsnap'), tmp.file('key')
    gstest.gpsnap('share', path, '--anonymize', '--key', key, '-o', shared,
                  status=gstest.OF_BUSY)
    named = {r['server'] for r in rows(shared, '-V', 'clusters')}
    gstest.equal(len(named), len(want), 'pseudonyms %r' % named)
    gstest.check('alpha' not in named, 'a name is left: %r' % named)


def pile_up(pg, clients):
    """One holds the table, the others wait for it."""
    pg.sql('create table t (i int)')
    clients[0].tell('begin; lock table t;')
    gstest.wait_for('the lock', lambda: pg.sql(
        "select count(*) from pg_locks where relation = 't'::regclass and "
        "granted") == '1')
    for client in clients[1:]:
        client.tell('select * from t;')
    gstest.wait_for('waiters', lambda: waiting(pg) == len(clients) - 1)


def check_status(recorder):
    """A line for each; of the one that is down, why."""
    said = recorder.status()
    of = {s['name']: s['state'] for s in said['database_list']}
    gstest.equal(of, {'port 5501': 'up', 'port 5502': 'up',
                      'port 5503': 'down'}, 'servers')
    down = said['database_list'][-1]
    gstest.check(down['why'] and down['since'], 'why: %r' % down)
    gstest.equal(said['trouble'],
                 "1 of 3 database servers can't be asked", 'trouble')


def three(tmp, stack):
    alpha = stack.enter_context(server(gstest.Postgres, 5501,
                                       'cluster_name=alpha',
                                       'max_connections=31'))
    beta = stack.enter_context(server(gstest.Postgres, 5502,
                                      'max_connections=32'))
    gamma = stack.enter_context(server(gstest.Postgres, 5503,
                                       'max_connections=33'))
    mine = {pg: [stack.enter_context(Client(pg, 'test%d' % i))
                 for i in range(n)]
            for pg, n in ((alpha, 3), (beta, 2), (gamma, 1))}
    pile_up(alpha, mine[alpha])
    mine[beta][0].tell('select pg_sleep(600);')
    for pg, clients in mine.items():
        gstest.wait_for('clients', lambda pg=pg, n=len(clients):
                        len(clients_of(pg)) == n)
    recorder = Recorder(tmp)
    recorder.wait_state('up')
    recorder.wait_ticks(4)
    # one ends, the others are asked all the same, and it is asked again
    gamma.server.send_signal(signal.SIGINT)
    gamma.server.wait(timeout=20)
    recorder.wait_state('down')
    check_status(recorder)
    recorder.wait_ticks(2)
    gamma.again()
    back = stack.enter_context(Client(gamma, 'testback'))
    back.tell('select 1;')
    recorder.wait_state('up')
    gstest.wait_for('its client', lambda: len(clients_of(gamma)) == 1)
    # locks are asked every ten seconds
    gstest.wait_for('locks', lambda: rows(recorder.path, '-V', 'pglocks'))
    recorder.wait_ticks(4)
    want = {'alpha': clients_of(alpha), '5502': clients_of(beta),
            '5503': clients_of(gamma)}
    recorder.wait_ticks(2)
    recorder.end()
    told = recorder.told()
    gstest.check('port 5503: ' in told, 'which server is down: ' + told)
    return alpha, recorder.path, want


def at_the_end(want, path):
    """Ended sessions are of the range: those of the end are looked at."""
    live = {}
    for row in rows(path, '-V', 'sessions', '--where',
                    'application ~ "^test" and state != ended'):
        live.setdefault(row['server'], set()).add(int(row['session']))
    gstest.equal(live, want, 'sessions at the end')


def shown(path, *argv):
    out = gstest.gpsnap('replay', path, *argv, status=gstest.OF_BUSY)
    return ' '.join(out.decode().split())


def check_head(path):
    head = shown(path)
    for name in ('alpha', '5502', '5503'):
        gstest.check('%s: postgresql 1' % name in head, head[:600])
    of = {name: head.split(name + ': ')[1].split(' | ')[0].split(' range ')[0]
          for name in ('alpha', '5502', '5503')}
    gstest.check('2 waiting' in of['alpha'], 'alpha: ' + of['alpha'])
    gstest.check('waiting' not in of['5502'] + of['5503'], '%r' % of)
    gstest.check(' SERVER ' in shown(path, '-V', 'sessions'), 'no SERVER')
    groups = {r['server'] for r in rows(path, '--group-by', 'server')}
    gstest.check({'alpha', '5502', '5503'} <= groups, 'groups %r' % groups)


def refused(path, *argv):
    run = subprocess.run([gstest.binary('gpsnap'), 'replay', path, *argv],
                         capture_output=True, check=False)
    return run.returncode, (run.stdout + run.stderr).decode()


def check_chosen(path, pids):
    """--server in each view that has servers; a name that no server has."""
    for view in ('sessions', 'queries', 'backends', 'pglocks', 'locks',
                 'connections', 'segments', 'clusters', 'session_event',
                 'system_event', 'time_model', 'active', 'top'):
        of = {r['server'] for r in rows(path, '-V', view, '-l', '0', '--server',
                                        'alpha', '-W', 'off')}
        gstest.equal(of, {'alpha'}, 'servers of ' + view)
    locks = rows(path, '-V', 'locks', '--server', '5502')
    gstest.equal(locks, [], 'locks of another')
    live = {int(r['session']) for r in rows(
        path, '-V', 'sessions', '--server', 'alpha', '--where',
        'application ~ "^test" and state != ended')}
    gstest.equal(live, pids, 'sessions chosen')
    for view in ('sessions', 'time_model', 'locks'):
        code, said = refused(path, '-V', view, '--server', 'alph')
        gstest.equal(code, 3, 'exit status')
        for name in ('alph:', 'alpha', '5502', '5503'):
            gstest.check(name in said, said)
    found = {r['server'] for r in rows(path, '--find', 'database.sessions >= 0')}
    gstest.check({'alpha', '5502', '5503'} <= found, 'found of %r' % found)
    gstest.equal(refused(path, '-V', 'hosts', '--server', 'alpha')[0], 64,
                 'of hosts')


def check_elsewhere(pg, path, want):
    """Rows that are loaded or exported say of which server they are."""
    gstest.gpsnap('load', path, '--quiet', '--dsn',
                  'host=%s port=%d user=%s dbname=postgres' % (
                      pg.tmp.path, pg.port, pg.owner.pw_name),
                  status=gstest.OF_BUSY)
    loaded = {}
    for line in pg.sql("select distinct server, session from gpsnap."
                       "session_history where application ~ "
                       "'^test[0-9]'").split():
        name, session = line.split('|')
        loaded.setdefault(name, set()).add(int(session))
    for name in ('alpha', '5502'):
        gstest.equal(loaded[name], want[name], 'loaded of ' + name)
    of = {'cluster': {}, 'backend': {}}
    for line in gstest.gpsnap('export', path, '--entities', 'cluster,backend',
                              '--metrics', 'cluster.port,backend.application',
                              status=gstest.OF_BUSY).decode().splitlines()[1:]:
        word = line.split(',')
        if word[4] == 'port':
            of['cluster'][word[1]] = word[5]
        elif word[5].startswith('test'):
            of['backend'].setdefault(word[1], set()).add(
                int(word[3].split('pid=')[1].split()[0]))
    ports = {of['cluster'][c]: pids for c, pids in of['backend'].items()}
    gstest.equal((ports['5501'], ports['5502']),
                 (want['alpha'], want['5502']), 'exported')


def beside_greenplum(tmp, stack):
    gp = stack.enter_context(server(gstest.Greenplum, 5504))
    pg = stack.enter_context(server(gstest.Postgres, 5505))
    for one in (gp, pg):
        stack.enter_context(Client(one, 'test0')).tell('select 1;')
        gstest.wait_for('clients', lambda one=one: len(clients_of(one)) == 1)
    recorder = Recorder(tmp)
    recorder.wait_state('up')
    recorder.wait_ticks(3)
    recorder.end()
    flavours = {r['server']: r['flavour'] for r in
                rows(recorder.path, '-V', 'clusters')}
    gstest.equal(flavours, {'5504': 'greenplum', '5505': 'postgresql'},
                 'flavours')


def tests_of(path):
    """The sessions that the test began; none before the first sample."""
    out = gstest.gpsnap('replay', path, '-f', 'json', '-V', 'sessions',
                        '--where', 'application ~ "^test"', status=None)
    return [row for line in out.decode().splitlines()
            for row in json.loads(line)['rows']]


def apart(tmp, stack):
    """A recorder for each server: merged, each session is its server's."""
    paths, want = [], {}
    children = []
    for kind, port in ((gstest.Greenplum, 5506), (gstest.Postgres, 5507),
                       (gstest.Postgres, 5508)):
        pg = stack.enter_context(server(kind, port))
        for i in range(2):
            stack.enter_context(Client(pg, 'test%d' % i)).tell('select 1;')
        gstest.wait_for('clients', lambda pg=pg: len(clients_of(pg)) == 2)
        want[str(port)] = clients_of(pg)
        paths.append(tmp.file('%d.gpsnap' % port))
        children.append(subprocess.Popen(
            [gstest.binary('gpsnap'), 'record', '-q', '-o', paths[-1], '-i',
             '0.5', '--dsn', 'host=%s port=%d user=%s' % (
                 pg.tmp.path, port, pg.owner.pw_name)],
            stdin=subprocess.DEVNULL))
    for path in paths:
        gstest.wait_for('sessions', lambda path=path: len(tests_of(path)) == 2)
    for child in children:
        child.send_signal(signal.SIGTERM)
        child.wait(timeout=30)
    out = tmp.file('apart.gpsnap')
    gstest.gpsnap('merge', *paths, '-o', out, status=gstest.OF_BUSY)
    found = {}
    for row in tests_of(out):
        found.setdefault(row['server'], set()).add(int(row['session']))
    gstest.equal(found, want, 'sessions of merged servers')


def main():
    gstest.own_processes()
    with gstest.TempDir() as tmp, contextlib.ExitStack() as stack:
        alpha, path, want = three(tmp, stack)
        at_the_end(want, path)
        check_locks(path, want['alpha'])
        check_waits(path)
        check_limits(path, {'alpha': 31, '5502': 32, '5503': 33})
        check_head(path)
        check_chosen(path, want['alpha'])
        gstest.gpsnap('verify', path)
        check_edited(tmp, path, want)
        check_elsewhere(alpha, path, want)
    with gstest.TempDir() as tmp, contextlib.ExitStack() as stack:
        beside_greenplum(tmp, stack)
    with gstest.TempDir() as tmp, contextlib.ExitStack() as stack:
        apart(tmp, stack)


if __name__ == '__main__':
    main()
