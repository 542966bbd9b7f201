#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Another local user binds a socket of the port that the environment names:
the recorder neither tells it a password nor takes it for the database."""
import os
import pwd
import socket
import struct
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest

SSL, GSS = 80877103, 80877104
PORT = 20000 + os.getpid() % 10000
SECRET = b'sekrit'


class Stranger:
    """A server of that user, which asks for a clear text password."""

    def __init__(self, user, path):
        self.got = []
        self.socket = socket.socket(socket.AF_UNIX)
        self.path = path
        # who binds it, and who listens, is what others see
        os.setegid(user.pw_gid)
        os.seteuid(user.pw_uid)
        try:
            self.socket.bind(path)
            os.chmod(path, 0o777)
            self.socket.listen(5)
        finally:
            os.seteuid(0)
            os.setegid(0)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                peer, _ = self.socket.accept()
            except OSError:
                return  # it ends
            with peer:
                peer.settimeout(20)
                try:
                    self.talk(peer)
                except OSError:
                    pass

    def talk(self, peer):
        said = peer.recv(4096)
        while len(said) >= 8 and struct.unpack('>I', said[4:8])[0] in (SSL,
                                                                       GSS):
            peer.sendall(b'N')
            said = peer.recv(4096)
        if said:
            peer.sendall(b'R' + struct.pack('>II', 8, 3))
            self.got.append(peer.recv(4096)[5:-1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        os.unlink(self.path)


def record(user, home):
    """What a recorder of that user says, whose password stands ready."""
    passfile = os.path.join(home, 'pass')
    with open(passfile, 'wb') as f:
        f.write(b'*:*:*:*:' + SECRET + b'\n')
    os.chmod(passfile, 0o600)
    for path in (home, passfile):
        os.chown(path, user.pw_uid, user.pw_gid)
    env = {k: v for k, v in os.environ.items() if not k.startswith('PG')}
    env.update(HOME=home, PGPASSFILE=passfile, PGUSER='gpadmin',
               PGPORT=str(PORT))
    run = subprocess.run(
        [gstest.binary('gpsnap'), 'record', '-i', '0.5', '-n', '4', '-o',
         os.path.join(home, 'a.gpsnap')], env=env, cwd=home,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, check=False, user=user.pw_uid,
        group=user.pw_gid, extra_groups=[])
    os.unlink(os.path.join(home, 'a.gpsnap'))
    said = run.stderr.decode('utf-8', 'replace')
    gstest.equal(run.returncode, 1, 'status without a database: ' + said)
    gstest.check('the database never answered' in said, said)


def trial(victim, other, where):
    with tempfile.TemporaryDirectory(prefix='gpsnap-stranger-') as top:
        os.chmod(top, 0o755)
        home, theirs = os.path.join(top, 'home'), os.path.join(top, 'theirs')
        os.mkdir(home)
        os.mkdir(theirs)
        os.chown(theirs, other.pw_uid, other.pw_gid)
        path = os.path.join(where or theirs, '.s.PGSQL.%d' % PORT)
        with Stranger(other, path) as s:
            record(victim, home)
            return s.got


def main():
    if os.geteuid() != 0:
        gstest.skip('only root can be two users')
    gstest.pg_bin()
    try:
        victim, other = pwd.getpwnam('nobody'), pwd.getpwnam('daemon')
    except KeyError as e:
        gstest.skip(str(e))
    gstest.check(SECRET in trial(other, other, None),
                 'a server of the same user is told the password')
    gstest.equal(trial(victim, other, None), [], 'in its own directory')
    gstest.equal(trial(victim, other, '/tmp'), [], 'in /tmp')


if __name__ == '__main__':
    main()
