#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Servers that begin while a recorder runs: one that does not say at once where
its socket is, one that comes back at another port, more than are asked.  In a
pid namespace of its own there are no others."""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading

sys.path.insert(1, os.path.join(os.path.dirname(
    os.path.abspath(__file__)), '..', 'lib'))
import gstest

ASKED = 16  # at most


class Likeness:
    """A process that looks like a server which begins: its postmaster.pid has
    no directory of a socket yet."""

    def __init__(self, tmp, owner, port):
        self.data, self.owner, self.port = tmp.file('%d' % port), owner, port
        os.mkdir(self.data)
        program = tmp.file('postgres')
        if not os.path.exists(program):
            shutil.copy('/bin/sleep', program)
        self.write('PG_VERSION', '15\n')
        self.child = subprocess.Popen([program, '600'], cwd=self.data,
                                      user=owner.pw_uid, group=owner.pw_gid,
                                      extra_groups=[])
        self.say('')

    def write(self, name, text):
        """All of it or nothing, as the server does."""
        path = os.path.join(self.data, name)
        with open(path + '.new', 'w') as f:
            f.write(text)
        os.rename(path + '.new', path)

    def say(self, directory):
        lines = [self.child.pid, self.data, 1800000000, self.port, directory]
        if directory:
            lines += ['', ' 12345 1', 'ready   ']
        self.write('postmaster.pid', ''.join('%s\n' % v for v in lines))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.kill()
        self.child.wait()


class Socket:
    """Notices whoever comes."""

    def __init__(self, owner, path):
        self.came = threading.Event()
        self.socket = socket.socket(socket.AF_UNIX)
        os.setegid(owner.pw_gid)
        os.seteuid(owner.pw_uid)
        try:
            self.socket.bind(path)
            self.socket.listen(5)
        finally:
            os.seteuid(0)
            os.setegid(0)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            peer, _ = self.socket.accept()
            self.came.set()
            peer.close()


class Recorder:
    def __init__(self, tmp):
        self.path, self.said = tmp.file('a.gpsnap'), tmp.file('said')
        env = {k: v for k, v in os.environ.items()
               if not k.startswith('PG') and k != 'GPSNAP_NO_CATALOG'}
        with open(self.said, 'wb') as err:
            self.child = subprocess.Popen(
                [gstest.binary('gpsnap'), 'record', '-o', self.path, '-i',
                 '0.2'], env=env, stdin=subprocess.DEVNULL, stderr=err)

    def __enter__(self):
        gstest.wait_for('the recorder', lambda: self.status().get('ticks'))
        return self

    def __exit__(self, *_):
        self.child.send_signal(signal.SIGTERM)
        self.child.wait(timeout=30)

    def status(self):
        run = subprocess.run([gstest.binary('gpsnap'), 'status', self.path,
                              '-f', 'json'], capture_output=True, check=False)
        return json.loads(run.stdout) if run.stdout else {}

    def servers(self):
        return {s['name']: s['state'] for s in
                self.status().get('database_list', [])}

    def wait_ticks(self, more):
        want = self.status()['ticks'] + more
        gstest.wait_for('ticks', lambda: self.status().get('ticks', 0) >= want)

    def told(self):
        with open(self.said) as f:
            return f.read()


def late_socket(tmp, owner):
    """It is asked where its socket is, not where libpq would look."""
    place = Socket(owner, tmp.file('.s.PGSQL.5701'))
    with Recorder(tmp) as recorder, Likeness(tmp, owner, 5701) as server:
        recorder.wait_ticks(4)
        server.say(tmp.path)
        gstest.check(place.came.wait(60), 'nobody came: ' + recorder.told())


def too_many(tmp, owner):
    """How many are not asked, whenever there are more of them."""
    servers = [Likeness(tmp, owner, 5710 + i) for i in range(ASKED + 2)]
    for server in servers:
        server.say(tmp.path)
    with Recorder(tmp) as recorder:
        said = 'the catalogs of %d are recorded, of the other %d only their ' \
            'processes'
        gstest.wait_for('notice', lambda: said % (ASKED, 2) in recorder.told())
        gstest.equal(len(recorder.servers()), ASKED, 'asked')
        servers.append(Likeness(tmp, owner, 5709))
        servers[-1].say(tmp.path)
        gstest.wait_for('news', lambda: said % (ASKED, 3) in recorder.told())
        recorder.wait_ticks(2)
    for server in servers:
        server.__exit__()
    events = gstest.replay_json(recorder.path, '-V', 'events', '-l', '0')
    texts = [r['text'] for t in events for r in t['rows'] if r['text']]
    for n in (2, 3):
        gstest.check(any(said % (ASKED, n) in t for t in texts),
                     'events: %r' % texts)


def moved(tmp):
    """A server that is started again at another port."""
    pg = gstest.Postgres(settings=['port=5702'])
    pg.port = 5702
    with pg:
        with Recorder(tmp) as recorder:
            gstest.wait_for('the first port', lambda: recorder.servers() ==
                            {'port 5702': 'up'})
            pg.server.send_signal(signal.SIGINT)
            pg.server.wait(timeout=20)
            gstest.wait_for('its end', lambda: recorder.servers() ==
                            {'port 5702': 'down'})
            pg.settings.append('port=5703')
            pg.port = 5703
            pg.again()
            gstest.wait_for('the second port', lambda: recorder.servers() ==
                            {'port 5703': 'up'})
            recorder.wait_ticks(3)
        rows = gstest.replay_json(recorder.path, '-V', 'clusters')[-1]['rows']
        gstest.equal([r['port'] for r in rows], [5703], 'ports')


def main():
    gstest.own_processes()
    owner = gstest.pg_owner()
    for case in (late_socket, too_many):
        with gstest.TempDir(owner) as tmp:
            case(tmp, owner)
    with gstest.TempDir() as tmp:
        moved(tmp)


if __name__ == '__main__':
    main()
