#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A whole cluster: gpsnap record on the coordinator's host finds the database,
the other hosts, brings its agent there, and goes on whatever happens to them.

Three hosts, each a set of namespaces with an sshd.  On the first runs what
looks like a Greenplum coordinator, on each other one a server in the place of
a primary; mirrors and standby are in the catalog only.  Greenplum's executors
are programs started by those servers that bear executors' titles.
"""
import os
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
sys.path.insert(1, os.path.join(os.path.dirname(
    os.path.dirname(os.path.abspath(__file__))), 'pg'))
import catdump
import gstest
import nscluster
import reader

# The catalog's names of the hosts; two of them call themselves otherwise.
NODES = ('node1', 'sdw1', 'node3')
HOSTS = ('node1', 'sdw1', 'sdw2')  # in the recording
PORT = 6000
SILENT_S = 8  # an agent, until it is given up; with sanitizers one comes in 5

# How the coordinator's host reaches the others: one name leads nowhere, so
# that the address is tried, and one is that of the host itself.
SSH = '''\
Host sdw2
    HostName 127.0.0.1
    Port 1
Host cdw
    HostName %s
    HostKeyAlias node1
'''

# A process of session 7: at work for a quarter of the time.
WORK = '''\
import time
while 1:
    end = time.time() + .05
    while time.time() < end: pass
    time.sleep(.15)
'''
QD = 'postgres:  6000, analyst demo [local] con7 cmd3 SELECT'
QE = ('postgres:  %d, analyst demo 198.18.0.1(1234) con7 seg%d cmd3 slice1 '
      'MPPEXEC SELECT')


class On:
    """A server on a host of the cluster: mixed into a class of gstest."""

    def __init__(self, host, port, *args, **more):
        self.host = host
        super().__init__(*args, **more)
        self.port = port
        self.settings += ['port=%d' % port, 'listen_addresses=*']

    def popen(self, argv, **more):
        return subprocess.Popen(
            [*self.host.inside(self.owner.pw_name),
             os.path.join(self.bin, argv[0]), *argv[1:]], env=self.env(),
            cwd=self.tmp.path, **more)

    def start(self):
        super().start()
        with open(os.path.join(self.data, 'pg_hba.conf'), 'a') as f:
            f.write('host all all %s trust\n' % nscluster.NET)
        self.sql('select pg_reload_conf()')

    def work(self, title):
        """Starts a process of that title below the postmaster: its pid here,
        its pid there."""
        lines = ','.join('($$%s$$)' % line for line in WORK.splitlines())
        self.popen(['psql', '-X', '-q', 'application_name=work', '-c',
                    'copy (values %s) to program $p$exec bash -c '
                    '\'exec -a "%s" python3\'$p$' % (lines, title)],
                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (pid,) = gstest.wait_for('a process at work',
                                 lambda: self.host.pids('python3'))
        with open('/proc/%d/status' % pid) as f:
            (there,) = [line.split()[-1] for line in f
                        if line.startswith('NSpid:')]
        return pid, int(there)

    def pid(self):
        """The postmaster's, by the pids of this machine."""
        (pid,) = gstest.children(self.server.pid)
        return pid

    def stop(self):
        """Its postmaster answers no more."""
        os.kill(self.pid(), signal.SIGSTOP)

    def go_on(self):
        pid = self.pid()
        self.server.send_signal(signal.SIGCONT)  # nsenter stops, too
        os.kill(pid, signal.SIGCONT)

    def __exit__(self, *_):
        if self.server and self.server.poll() is None:
            self.go_on()
            os.kill(self.pid(), signal.SIGKILL)
            self.server.wait()
        super().__exit__()


class Coordinator(On, gstest.Greenplum):
    """Sessions: 7 works with the executors of the segments, 8 has a lock, 9
    waits for it."""

    def begin_work(self):
        pid, there = self.work(QD)
        self.sql('insert into gpshim.session select pid, 7, %d from '
                 "gpshim_activity where application_name = 'work'" % there)
        return pid

    def begin_locks(self, talk):
        self.sql('create table t (x int)')
        talk.say('locker', 'begin; lock t')
        gstest.wait_for('a lock', lambda: self.sql(
            "select 1 from gpshim_locks where relation = 't'::regclass"))
        talk.say('waiter', 'select * from t')
        gstest.wait_for('who waits', lambda: self.sql(
            'select 1 from gpshim_locks where not granted'))
        self.sql('insert into gpshim.session select pid, '
                 "case application_name when 'locker' then 8 else 9 end "
                 'from gpshim_activity '
                 "where application_name in ('locker', 'waiter')")

    def ours(self):
        """How many backends gpsnap has."""
        return int(self.sql(
            'select count(*) from pg_stat_get_activity(null) '
            "where application_name = 'gpsnap'"))

    def set_dispatch(self, on):
        self.sql('update gpshim.option set dispatch = %s' % on)

    def fail_over(self):
        """The mirror of segment 1 takes its place."""
        self.sql('set allow_system_table_mods = on; '
                 'update gp_segment_configuration set '
                 "role = case role when 'p' then 'm' else 'p' end::\"char\", "
                 "status = case role when 'p' then 'd' else 'u' end"
                 '::\"char\" where content = 1'.replace('\\', ''))


class Segment(On, gstest.Postgres):
    """In the place of a primary."""


class Recorder:
    """gpsnap on the coordinator's host, as the user of the database."""

    def __init__(self, c, home, *argv):
        self.host, self.path = c[NODES[0]], os.path.join(home, 'c.gpsnap')
        for name in ('gpsnap', 'gpsnap-agent'):
            shutil.copy2(gstest.binary(name), home)
        self.child = subprocess.Popen(
            [*self.host.inside(c.user.pw_name),
             os.path.join(home, 'gpsnap'), 'record', '-o', self.path, *argv],
            env={'PATH': '/usr/bin:/bin', 'HOME': c.user.pw_dir,
                 'LC_ALL': 'C.UTF-8', 'TZ': 'UTC'}, cwd=home,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)

    def stop(self):
        """Exit status and what it said."""
        self.host.kill('gpsnap', signal.SIGTERM)
        err = self.child.communicate(timeout=30)[1].decode()
        return self.child.returncode, err

    def ticks(self):
        """So far; the state is that of the last."""
        try:
            return [(t.tick, t) for t in reader.read(self.path).ticks()]
        except (FileNotFoundError, IndexError):
            return []

    def events(self):
        return [(reader.EVENTS[e.kind], e.host, e.text.decode())
                for tick, _ in self.ticks() for e in tick.event]

    def count(self, kind, name):
        """Events of that kind about a host of the recording."""
        try:
            index = self.index(name)
        except ValueError:  # the newest header has not found it yet
            return 0
        return sum(1 for k, host, _ in self.events()
                   if k == kind and host == index + 1)

    def index(self, name):
        """A host's number, by the newest header; name None: the catalog's."""
        header = [t.header for t, _ in self.ticks()
                  if t.HasField('header')][-1]
        (index,) = [h.index for h in header.host
                    if (h.catalog if name is None else h.name == name)]
        return index

    def view(self, name, *argv):
        # 1: hosts were away, but that may be outside the range
        (table,) = gstest.replay_json(self.path, '-V', name, '--limit', '0',
                                      *argv, status=None)
        return table


class Ground:
    """The cluster, its database and a recorder."""

    def __init__(self, c, tmp):
        self.c, self.tmp = c, tmp
        with open(c.tmp.file('ssh_config')) as f:
            config = f.read()
        with open(tmp.file('ssh_config'), 'w') as f:
            f.write(SSH % c['node1'].address + config)
        self.segment = [Segment(c['sdw1'], PORT + 2),
                        Segment(c['node3'], PORT + 3)]
        self.pg = Coordinator(c['node1'], PORT, self.rows())
        self.most = 0
        self.stalls = gstest.Stalls()

    def rows(self):
        """gp_segment_configuration; a mirror stands beside the coordinator,
        under a name that only the catalog knows."""
        at = {'sdw1': self.c['sdw1'].address, 'sdw2': self.c['node3'].address,
              'mdw': self.c['node1'].address, 'cdw': 'cdw'}
        rows = [list(r) for r in
                gstest.segments(['sdw1', 'sdw2'], 1, PORT, mirrors=True)]
        rows[0][7] = 'cdw'
        rows[4][7] = 'mdw'
        rows.append([6, -1, 'm', 'm', 's', 'u', PORT + 1, 'sdw1', '',
                     '/data/standby'])
        for row in rows:
            row[8] = at[row[7]]
        return rows

    def record(self):
        self.rec = Recorder(self.c, self.tmp.path, '-i', '1',
                            '--host-timeout', str(SILENT_S), '--dispatch-interval',
                            '2', '--agent-command', 'ssh -F %s -T {host} '
                            '{agent}' % self.tmp.file('ssh_config'))

    def until(self, what, test, seconds=180):
        """Waits, and counts gpsnap's backends meanwhile."""
        end = time.monotonic() + seconds
        while not test():
            self.most = max(self.most, self.pg.ours())
            gstest.check(self.rec.child.poll() is None, 'gpsnap ended')
            if time.monotonic() > end:
                print(*self.rec.events(), sep='\n')
                gstest.fail('%s: not within %g s' % (what, seconds))
            time.sleep(0.4)

    def await_event(self, kind, name, before=0):
        self.until('%s of %s' % (kind, name),
                   lambda: self.rec.count(kind, name) > before)


def by_key(table, *names):
    return {tuple(row[n] for n in names): row for row in table['rows']}


# ---- all is well ----------------------------------------------------------

def record_work(g, pids):
    """Some ticks of everything; what /proc says of the processes at work."""
    g.record()
    g.until('the file', lambda: len(g.rec.ticks()) > 0)
    for name in HOSTS[1:]:
        g.await_event('host up', name)
    begin, hand = time.time(), [gstest.by_hand(pid) for pid in pids]
    time.sleep(6)
    end, then = time.time(), [gstest.by_hand(pid) for pid in pids]
    g.until('locks', lambda: g.rec.ticks()[-1][1].rows('lock'))
    return begin, end, [(b['run_ns'] - a['run_ns']) / 1e9
                        for a, b in zip(hand, then)]


def check_hosts(g):
    table = g.rec.view('hosts')
    gstest.equal(table['hosts'], list(HOSTS), 'hosts of the recording')
    gstest.equal([row['host'] for row in table['rows']], list(HOSTS),
                 'hosts')
    for row in table['rows']:
        gstest.check(row['memory_available'], 'rows of %s' % row['host'])
    kinds = [(kind, text) for kind, _, text in g.rec.events()]
    gstest.check(('note', 'cdw is the same host as node1') in kinds,
                 'one host, two names: %r' % kinds)
    gstest.check(('host connecting', 'mdw') not in kinds,
                 'an address of this host is not connected to')
    info = gstest.gpsnap('info', g.rec.path, status=None).decode()
    gstest.check('hosts      node1, sdw1, sdw2\n' in info, info)
    gstest.check('database   PostgreSQL 9.4.26 (Greenplum Database 6.24.0' in
                 info, info)


def check_segments(g):
    rows = by_key(g.rec.view('segments'), 'segment', 'role')
    want = {(-1, 'coordinator'): ('node1', PORT),
            (-1, 'standby'): ('sdw1', PORT + 1),
            (0, 'primary'): ('sdw1', PORT + 2),
            (0, 'mirror'): ('sdw2', PORT + 1002),
            (1, 'primary'): ('sdw2', PORT + 3),
            (1, 'mirror'): ('node1', PORT + 1003)}
    gstest.equal({k: (r['host'], r['port']) for k, r in rows.items()}, want,
                 'instances')
    for key, row in rows.items():
        here = key in ((-1, 'coordinator'), (0, 'primary'), (1, 'primary'))
        gstest.equal(row['pid'] is not None, here, 'server of %r' % (key,))
    rows = by_key(g.rec.view('connections'), 'segment', 'host')
    for key, most in (((-1, 'node1'), 100), ((0, 'sdw1'), 150),
                      ((1, 'sdw2'), 151)):  # as gpshim.sql has them
        gstest.equal(rows[key]['max_connections'], most, 'limit of %r' %
                     (key,))
    gstest.equal(rows[-1, 'node1']['waiting'], 1, 'who waits')


def check_session(g, begin, end, hand):
    """Session 7 is its three processes on three hosts."""
    span = ['--from', '%.3f' % begin, '--to', '%.3f' % end]
    table = g.rec.view('processes', *span, '-c', '+title')
    procs = {r['host']: r for r in table['rows'] if r['session'] == 'con7'}
    gstest.equal(sorted(procs), list(HOSTS), 'where it works')
    for name, used in zip(HOSTS, hand):
        # a tick at either end
        gstest.near(procs[name]['cpu_seconds'] / table['covered_seconds'],
                    used / (end - begin), 0.35, 'CPU on ' + name)
    (row,) = [r for r in g.rec.view('sessions', *span, '-c', '+application')
              ['rows'] if r['session'] == 'con7']
    gstest.near(row['cpu_seconds'],
                sum(r['cpu_seconds'] for r in procs.values()), 0.01,
                'CPU of the session')
    gstest.equal((row['state'], row['user'], row['application']),
                 ('active', 'postgres', 'work'), 'by the catalog')


def check_locks(g):
    rows = by_key(g.rec.view('locks'), 'session')
    gstest.equal(sorted(rows), [('con8',), ('con9',)], 'sessions')
    gstest.equal([(rows[n,]['root'], rows[n,]['state'], rows[n,]['blocks'])
                  for n in ('con8', 'con9')],
                 [('con8', 'idle-tx', 1), ('con8', 'lock', 0)], 'who waits')
    rows = by_key(g.rec.view('collectors'), 'collector')
    for name in ('activity', 'topology', 'locks', 'groups', 'vmem',
                 'replication', 'limits'):
        row = rows[name,]
        gstest.check(row['last'] and row['errors'] == 0 and
                     row['timeouts'] == 0, 'collector: %r' % row)


# ---- and then it is not ---------------------------------------------------

def agents_fail(g):
    """One is killed, one is stopped: both come back."""
    g.c['sdw1'].kill('gpsnap-agent')
    g.c['node3'].kill('gpsnap-agent', signal.SIGSTOP)
    for name in HOSTS[1:]:
        g.await_event('host up', name, 1)
    for name in HOSTS[1:]:
        # a machine that is slow has its own reasons
        gstest.check(g.rec.count('host down', name) in (1, 2, 3),
                     name + ' was down')
    for pid in g.c['node3'].pids('gpsnap-agent'):
        os.kill(pid, signal.SIGCONT)


def host_is_cut_off(g):
    g.c['sdw1'].cut()
    g.await_event('host down', 'sdw1', 1)
    g.c['sdw1'].join()
    g.await_event('host up', 'sdw1', 2)


def silent(g):
    return [text for kind, _, text in g.rec.events()
            if 'second connection: no answer to' in text]


def sent(g):
    """Answers of what is sent to segments, so far."""
    return sum(row.get('runs', 0)
               for _, row in g.rec.ticks()[-1][1].rows('collector')
               if row['name'] in (b'groups', b'vmem', b'replication'))


def fail(g):
    """All of it while a segment's postmaster is stopped."""
    g.pg.set_dispatch(True)
    g.segment[1].stop()
    agents_fail(g)
    host_is_cut_off(g)
    g.until('the segment is silent', lambda: silent(g))
    g.until('ticks', lambda n=len(g.rec.ticks()) + 3:
            len(g.rec.ticks()) >= n)
    gstest.equal(g.pg.ours(), 2, "gpsnap's backends")
    before = sent(g)
    g.pg.set_dispatch(False)
    g.segment[1].go_on()
    g.until('what is sent to segments again', lambda: sent(g) > before)


def fail_over(g):
    g.pg.fail_over()
    g.until('other roles', lambda: sum(
        kind == 'segment' for kind, _, _ in g.rec.events()) >= 2)


def check_ticks(g):
    """Each at its time, with what the coordinator says in it."""
    catalog, local = g.rec.index(None), g.rec.index('node1')
    ticks = [tick for tick, _ in g.rec.ticks()][:-1]  # the last is the stop
    slots = [t.wall_ns // 10**9 for t in ticks]
    gstest.equal(slots[1:], list(range(slots[1], slots[1] + len(slots) - 1)),
                 'ticks')
    for index, what in ((catalog, 'the coordinator'), (local, 'its host')):
        without = [t.seq for t in ticks[2:]
                   if index not in [h.host for h in t.host]]
        gstest.equal(without, [], 'ticks without ' + what)


def check_end(g):
    roles = {(r['segment'], r['host']): (r['role'], r['status'])
             for r in g.rec.view('segments', '--from', '-1s')['rows']}
    gstest.equal((roles[1, 'sdw2'], roles[1, 'node1']),
                 (('mirror', 'down'), ('primary', 'up')), 'roles at the end')
    rows = g.rec.view('events')['rows']
    gstest.equal(sorted(r['text'] for r in rows if r['event'] == 'segment'), [
        'segment 1 on mdw port 7003, role m is now p',
        'segment 1 on sdw2 port 6003, role p is now m, status u is now d'],
        'what changed')
    away = [r['host'] for r in rows if r['event'] == 'host down']
    # a machine that is slow has its own reasons
    gstest.check(away == ['sdw1', 'sdw2', 'sdw1'] or g.stalls.any() and
                 {*away} == {'sdw1', 'sdw2'}, 'who was away: %r' % away)
    gstest.equal([r for r in rows if r['event'] == 'database down'], [],
                 'the database')
    hosts = g.rec.view('hosts', '--from', '-3s')['rows']
    gstest.equal([r['host'] for r in hosts if r['memory_available']],
                 list(HOSTS), 'hosts at the end')
    print('%d ticks' % len(g.rec.ticks()))


def run(g, talk):
    pids = [g.pg.begin_work()]
    pids += [s.work(QE % (s.port, i))[0] for i, s in enumerate(g.segment)]
    g.pg.begin_locks(talk)
    begin, end, hand = record_work(g, pids)
    check_hosts(g)
    check_segments(g)
    check_session(g, begin, end, hand)
    check_locks(g)
    fail(g)
    fail_over(g)
    status, err = g.rec.stop()
    gstest.equal(status, 1, 'status, with gaps: ' + err)
    check_ticks(g)
    check_end(g)
    gstest.check(g.most <= 2, "%d backends of gpsnap's" % g.most)
    gstest.wait_for('the agents to end',
                    lambda: set(g.c.agents().values()) == {0})
    for node in NODES:
        gstest.equal([f for f in os.listdir(g.c[node].home)
                      if f.startswith('.gpsnap')], [], 'left on ' + node)


def main():
    gstest.binary('gpsnap')
    with nscluster.Cluster(NODES, gstest.pg_owner().pw_name) as c, \
            gstest.TempDir(c.user) as tmp:
        os.chmod(tmp.path, 0o755)
        c.connect()
        g = Ground(c, tmp)
        with g.segment[0], g.segment[1], g.pg, catdump.Sessions(g.pg) as talk:
            run(g, talk)


if __name__ == '__main__':
    main()
