#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A backend of a real PostgreSQL is killed, and later the server is started
again: replay reports once that the server started again after a crash and how
many processes it lost, then that one postmaster is gone and another began; all of
it from /proc, none of it from the recorder.
"""
import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest

CLIENTS = 3


def clients(server):
    """Sessions that do nothing, and their backends."""
    was = set(server.children())
    for _ in range(CLIENTS):
        child = server.popen(['psql', '-X', '-q'], stdin=subprocess.PIPE,
                             stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
        child.stdin.write(b'select 1;\n')
        child.stdin.flush()
        yield child
    gstest.wait_for('backends', lambda: len(
        set(server.children()) - was) >= CLIENTS)


def is_back(server):
    """True once the server takes connections again."""
    return server.is_ready() and server.popen(
        ['psql', '-X', '-q', '-c', 'select 1'], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL).wait() == 0


def events(path, kind, pid):
    """Texts of the events of a kind about a postmaster."""
    (table,) = gstest.replay_json(path, '-V', 'events', '-l', '0')
    return [r['text'] for r in table['rows'] if r['event'] == kind and
            r['text'].startswith('postmaster %d ' % pid)]


def main():
    with gstest.Postgres() as server, gstest.TempDir() as tmp:
        path = tmp.file('crash.gpsnap')
        first = server.server.pid
        open_clients = list(clients(server))
        before = set(server.children())
        with gstest.Recorder(path, '-i', '0.5') as recorder:
            recorder.wait_ticks(3)
            victim = max(set(server.children()))
            os.kill(victim, signal.SIGKILL)
            gstest.wait_for('the crash', lambda: not (
                before & set(server.children())))
            gstest.wait_for('the server', lambda: is_back(server))
            recorder.wait_ticks(3)
            for child in open_clients:
                child.kill()
                child.wait()
            server.server.send_signal(signal.SIGINT)
            server.server.wait()
            recorder.wait_ticks(2)
            server.again()
            second = server.server.pid
            recorder.wait_ticks(3)
        crashes = events(path, 'crash reset', first)
        gstest.equal(len(crashes), 1, 'crashes of %d: %r' % (first, crashes))
        lost = int(crashes[0].split(': ')[1].split()[0])
        gstest.check(CLIENTS < lost <= len(before) + 2, crashes[0])
        gstest.equal(events(path, 'crash reset', second), [],
                     'crashes of the second')
        said = [t.rsplit(') ', 1)[-1] for t in
                events(path, 'postmaster', first)]
        gstest.equal(said, ['is gone'], 'the first postmaster')
        said = [t.rsplit(') ', 1)[-1] for t in
                events(path, 'postmaster', second)]
        gstest.equal(said, ['began'], 'the second postmaster')
    print('%d processes lost, once' % lost)


if __name__ == '__main__':
    main()
