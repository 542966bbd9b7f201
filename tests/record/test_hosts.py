#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Hosts reached by real ssh: three sets of namespaces, each with an sshd."""
import os
import shutil
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import nscluster  # noqa: E402
from rec import (KILL, main, size, wait_for, want, want_in,  # noqa: E402
                 want_well)
from test_fleet import (answers_all, blocks, never_twice, on_time,  # noqa: E402
                        texts)

HOSTS = ('h1', 'h2', 'h3')
SILENT_S = 6  # an agent, until it is given up; a slow machine brings one in 4
PLACES = '/root/.cache /root /dev/shm /var/tmp /tmp'


class Ground:
    """A cluster that all cases share; each begins with empty homes."""
    cluster = None

    @classmethod
    def get(cls):
        if not cls.cluster:
            cls.cluster = nscluster.Cluster(HOSTS).__enter__()
        for host in cls.cluster.hosts.values():
            for name in os.listdir(host.home):
                path = os.path.join(host.home, name)
                if os.path.isdir(path):
                    shutil.rmtree(path)
                else:
                    os.unlink(path)
        return cls.cluster


def start(p, c, *args, hosts='h1,h2,h3', command=None, **env):
    return p.start('-i', 0.5, '--hosts', hosts, '--agent-command',
                   command or c.agent_command(), '-o', 'a.gpsnap', *args,
                   **env)


def record(p, c, *args, **more):
    return p.end(start(p, c, *args, **more), timeout=180)


def nothing_left(c):
    wait_for(lambda: set(c.agents().values()) == {0}, 'agents end')
    for host in c.hosts.values():
        # places of other tests are theirs, and so are indexes of directories
        want(host.run('find %s -name "gpsnap-*" -prune -o -name .gpsnap.index '
                      '-o -name ".gpsnap*" -print 2>/dev/null || true' % PLACES), '',
             'left on ' + host.name)


def running(p, proc, ticks=4):
    def some():
        try:
            return len(p.read('a.gpsnap').ticks) >= ticks
        except (OSError, IndexError):
            return False
    wait_for(some, 'ticks')
    want(proc.poll(), None, 'it records')


def sampled(p, rec, index):
    """In each tick once it was in one."""
    got = blocks(rec, index)
    answers_all(p, rec, index, next(i for i, b in enumerate(got + [1]) if b))
    want(got[-1] > 0, True, 'host %d: %r' % (index, got))


def all_up(p, hosts=len(HOSTS)):
    """An agent comes up later than the first ticks where machines are slow."""
    wait_for(lambda: len(texts(p.read('a.gpsnap'), 'host up')) >= hosts,
             'hosts are up')


def record_up(p, c, *args, hosts=len(HOSTS)):
    """Some ticks of so many hosts; what the others were asked has an answer."""
    proc = start(p, c, *args)
    running(p, proc, 1)
    all_up(p, hosts)
    wait_for(lambda: len(texts(p.read('a.gpsnap'), 'host down')) >=
             len(HOSTS) - hosts, 'the others are not')
    running(p, proc, len(p.read('a.gpsnap').ticks) + 4)
    return p.end(proc, signal.SIGTERM, timeout=60)


def agent_is_brought(p):
    """Where none is installed, into the home directory; nothing stays, even
    of a recorder that is killed."""
    c = Ground.get()
    status, err = record_up(p, c)
    want_well((status, err))
    rec = p.read('a.gpsnap')
    on_time(p, rec)
    want([h.name for h in rec.headers[0].host], list(HOSTS), 'header')
    want(sorted(texts(rec, 'host up')), list(HOSTS), 'up')
    for i in range(3):
        sampled(p, rec, i)
        (clock,) = {h.offset_ns // 10 ** 8 for t in rec.ticks for h in t.host
                    if abs(h.offset_ns) > h.rtt_ns} or {None}
        want(clock, None, 'offset within the round trip')
    nothing_left(c)
    os.unlink(p.path('a.gpsnap'))
    proc = start(p, c)
    running(p, proc)
    all_up(p)
    want(c.agents(), dict.fromkeys(HOSTS, 1), 'agents')
    p.end(proc, KILL)
    nothing_left(c)


def installed_one_is_used(p):
    """If it is of this version; another is left alone."""
    c = Ground.get()
    for host in c.hosts.values():
        os.mkdir(os.path.join(host.home, 'bin'))
        with open(os.path.join(host.home, 'bin/agent'), 'wb') as to, \
                open(os.path.join(os.environ['GS_BIN'], 'gpsnap-agent'),
                     'rb') as f:
            to.write(f.read())
        os.chmod(os.path.join(host.home, 'bin/agent'), 0o755)
    status, err = record_up(p, c, '--deploy', 'never', '--agent-path',
                             '/root/bin/agent')
    want_well((status, err))
    for i in range(3):
        sampled(p, p.read('a.gpsnap'), i)
    os.unlink(p.path('a.gpsnap'))
    for host in c.hosts.values():
        with open(os.path.join(host.home, 'bin/agent'), 'w') as f:
            f.write('#!/bin/sh\n[ "$1" = --version ] || exit 9\n'
                    'echo gpsnap-agent 0.0.1\n')
    status, err = record_up(p, c, '--deploy', 'never', '--agent-path',
                            '/root/bin/agent', hosts=0)
    want(status, 1, 'status')
    want_in('agent on h2: no gpsnap-agent', err, 'reason')
    os.unlink(p.path('a.gpsnap'))
    status, err = record_up(p, c, '--agent-path', '/root/bin/agent')
    want_well((status, err))
    nothing_left(c)


def home_is_noexec(p):
    c = Ground.get()
    c['h2'].enter('mount', '-t', 'tmpfs', '-o', 'noexec', 'none', '/root')
    try:
        proc = start(p, c)
        running(p, proc)
        all_up(p)
        exe = [os.readlink('/proc/%d/exe' % c[h].pids('gpsnap-agent')[0])
               for h in ('h1', 'h2')]
        want([e.rsplit('/', 2)[0] for e in exe], ['/root', '/dev/shm'],
             'where it ran')
        want(exe[1].endswith(' (deleted)'), True, exe[1])
        status, err = p.end(proc, signal.SIGTERM)
        want_well((status, err))
        nothing_left(c)
    finally:
        c['h2'].enter('umount', '-l', '/root')


def another_architecture(p):
    c = Ground.get()
    home = c['h2'].home
    os.mkdir(os.path.join(home, 'bin'))
    with open(os.path.join(home, 'bin/uname'), 'w') as f:
        f.write('#!/bin/sh\necho s390x\n')
    os.chmod(os.path.join(home, 'bin/uname'), 0o755)
    with open(os.path.join(home, '.bashrc'), 'w') as f:
        f.write('PATH=/root/bin:$PATH\n')
    status, err = record_up(p, c, hosts=2)
    want(status, 1, 'status')
    want_in('agent on h2: it is s390x, the agent here is for %s' %
            os.uname().machine, err, 'reason')
    rec = p.read('a.gpsnap')
    sampled(p, rec, 0)
    sampled(p, rec, 2)
    nothing_left(c)


def login_shells_talk(p):
    c = Ground.get()
    with open(os.path.join(c['h1'].home, '.bashrc'), 'w') as f:
        f.write('printf "Welcome to %s: " `hostname`\n'
                'echo "no disk left" >&2\n')
    with open(os.path.join(c['h3'].home, '.bashrc'), 'w') as f:
        f.write('echo "closed for the season" >&2; exit 5\n')
    status, err = record_up(p, c, hosts=2)
    want(status, 1, 'status')
    want_in('agent on h3: closed for the season', err, 'reason')
    want('no disk left' in err, False, 'noise is no error')
    sampled(p, p.read('a.gpsnap'), 0)


def agent_dies_and_stops(p):
    c = Ground.get()
    proc = start(p, c, '--host-timeout', SILENT_S)
    running(p, proc)
    all_up(p)
    c['h1'].kill('gpsnap-agent')
    c['h2'].kill('gpsnap-agent', signal.SIGSTOP)
    wait_for(lambda: len(texts(p.read('a.gpsnap'), 'host up')) >= 5,
             'both are back')
    status, err = p.end(proc, signal.SIGTERM)
    want(status, 1, 'status: ' + err)
    c['h2'].kill('gpsnap-agent', signal.SIGCONT)
    nothing_left(c)
    rec = p.read('a.gpsnap')
    on_time(p, rec)
    sampled(p, rec, 2)
    want_in('agent on h2: no answer for %d s' % SILENT_S,
            texts(rec, 'host down', 1), 'h2 down')
    downs, lates = ([len(texts(rec, 'host ' + what, i)) for i in range(3)]
                    for what in ('down', 'late'))
    # a machine that is slow has its own reasons
    want(downs == [1, 1, 0] or p.busy() and min(downs[:2]) > 0, True,
         'down: %r' % downs)
    want(lates[1:] == [1, 0] or p.busy() and lates[1] > 0, True,
         'late: %r' % lates)


def host_is_cut_off(p):
    """Off the network, and back; one is not there at all."""
    c = Ground.get()
    c['h3'].cut()
    try:
        proc = start(p, c)
        wait_for(lambda: size(p.path('a.gpsnap')) > 0, 'the file')
        running(p, proc)
        all_up(p, 2)
        c['h2'].cut()
        wait_for(lambda: texts(p.read('a.gpsnap'), 'host down', 1), 'down')
        c['h2'].join()
        c['h3'].join()
        wait_for(lambda: len(texts(p.read('a.gpsnap'), 'host up')) >= 4,
                 'back')
        status, err = p.end(proc, signal.SIGTERM)
    finally:
        c['h2'].join()
        c['h3'].join()
    want(status, 1, 'status: ' + err)
    rec = p.read('a.gpsnap')
    on_time(p, rec)
    sampled(p, rec, 0)
    want(len(texts(rec, 'host up', 2)), 1, 'h3 comes')
    want(0 in blocks(rec, 1), True, 'h2 was away')


def other_name_of_a_host(p):
    c = Ground.get()
    with open(c.tmp.file('ssh_config')) as f:
        config = f.read()
    config = 'Host twin\n    HostName %s\n    HostKeyAlias h1\n' % (
        c['h1'].address) + config
    with open(p.path('ssh_config'), 'w') as f:
        f.write(config)
    status, err = record(p, c, '-n', 20, hosts='h1,root@h2,twin',
                         command='ssh -F %s -T {host} {agent}' %
                         p.path('ssh_config'))
    want_well((status, err))
    rec = p.read('a.gpsnap')
    # the first name, if it was in time for the first tick
    (stays,) = never_twice(rec, 'h1', 'twin')
    goes = 'h1' if stays == 'twin' else 'twin'
    want([h.name for h in rec.headers[-1].host], sorted(['h2', stays]),
         'header')
    want(texts(rec, 'note')[-1], '%s is the same host as %s' % (goes, stays),
         'note')
    nothing_left(c)


if __name__ == '__main__':
    try:
        main([agent_is_brought, installed_one_is_used, home_is_noexec,
              another_architecture, login_shells_talk, agent_dies_and_stops,
              host_is_cut_off, other_name_of_a_host], fake=False)
    finally:
        if Ground.cluster:
            Ground.cluster.__exit__()
