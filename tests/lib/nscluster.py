# SPDX-License-Identifier: Apache-2.0
"""Hosts of a cluster on one machine: each is a set of namespaces (network,
mounts, processes, node name) with an sshd of its own, and is reached by real
ssh with keys made here.  Where that is not allowed the test is skipped.

    with Cluster(['h1', 'h2']) as c:
        subprocess.run(c.ssh('h1', 'hostname'))
        gpsnap record --hosts h1,h2 --agent-command c.agent_command()
        subprocess.Popen([*c['h1'].inside('postgres'), 'gpsnap', ...])

Each host has a home directory of its own (Host.home, also seen from outside),
and everything else of this machine's file system.  Processes of a host are
ordinary processes here: Host.pids().
"""
import contextlib
import ipaddress
import os
import pwd
import shutil
import signal
import subprocess

import gstest

# For measurements between hosts (RFC 2544): nobody's, hence no clash.
NET = ipaddress.ip_network('198.18.0.0/16')

SSHD = '''\
Port 22
HostKey {dir}/host_key
AuthorizedKeysFile {dir}/user_key.pub
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication no
MaxStartups 1000
ClientAliveInterval 1
ClientAliveCountMax 3
LogLevel ERROR
'''

SSH = '''\
Host *
    User {user}
    IdentityFile {dir}/user_key
    IdentitiesOnly yes
    UserKnownHostsFile {dir}/known_hosts
    GlobalKnownHostsFile /dev/null
    StrictHostKeyChecking yes
    BatchMode yes
    ConnectTimeout 3
    ServerAliveInterval 1
    ServerAliveCountMax 3
    LogLevel ERROR
'''

# What a host is before its sshd: node name, home, and a place for sshd.
BEGIN = '''
set -e
hostname "$1"
mount -t tmpfs none /run
mkdir /run/sshd
mount --bind "$2" "$4"
mount --bind "$5" /etc/shadow
exec /usr/sbin/sshd -D -e -f "$3"
'''


def run(*argv, **more):
    done = subprocess.run(argv, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, **more)
    if done.returncode != 0:
        gstest.fail('%s: %s' % (' '.join(argv), done.stdout.decode()))
    return done.stdout.decode()


def need():
    """Skips the test where there can be no cluster."""
    if os.geteuid() != 0:
        gstest.skip('network namespaces need root')
    for tool in ('/usr/sbin/sshd', 'ssh', 'ssh-keygen', 'ip', 'unshare'):
        if not shutil.which(tool):
            gstest.skip('%s is not installed' % tool)
    name = 'gstry%d' % os.getpid()
    done = subprocess.run(
        'ip netns add {0} && ip netns exec {0} unshare --uts --pid --fork '
        '--mount-proc true; s=$?; ip netns del {0}; exit $s'.format(name),
        shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        check=False)
    if done.returncode != 0:
        gstest.skip('no namespaces here: ' + done.stdout.decode().strip())


class Host:
    """One of them.  address: where it is reached; gateway: we, seen from
    it."""

    def __init__(self, cluster, name, n):
        self.cluster, self.name = cluster, name
        self.ns = 'gs%d-%s' % (os.getpid(), name)
        self.link = 'gs%dn%d' % (os.getpid() % 100000, n)
        net = NET.network_address + (os.getpid() % 4000) * 16 + n * 4
        self.gateway, self.address = str(net + 1), str(net + 2)
        self.home = cluster.tmp.file('home-' + name)
        self.child = None

    def start(self):
        os.mkdir(self.home, 0o700)
        os.chown(self.home, self.cluster.user.pw_uid,
                 self.cluster.user.pw_gid)
        run('ip', 'netns', 'add', self.ns)
        run('ip', 'link', 'add', self.link, 'type', 'veth', 'peer', 'name',
            'eth0', 'netns', self.ns)
        run('ip', 'addr', 'add', self.gateway + '/30', 'dev', self.link)
        run('ip', 'link', 'set', self.link, 'up')
        for argv in (('addr', 'add', self.address + '/30', 'dev', 'eth0'),
                     ('link', 'set', 'eth0', 'up'),
                     ('link', 'set', 'lo', 'up'),
                     ('route', 'add', 'default', 'via', self.gateway)):
            run('ip', '-n', self.ns, *argv)
        self.begin()

    def begin(self):
        """The host's first process, and with it all others."""
        self.child = subprocess.Popen(
            ['ip', 'netns', 'exec', self.ns, 'unshare', '--uts', '--pid',
             '--mount', '--fork', '--kill-child', '--mount-proc', 'sh', '-c',
             BEGIN, 'sh', self.name, self.home,
             self.cluster.tmp.file('sshd_config'), self.cluster.user.pw_dir,
             self.cluster.tmp.file('shadow')],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(self.cluster.tmp.file('sshd-' + self.name), 'wb'))

    def is_up(self):
        gstest.check(self.child.poll() is None, 'sshd of %s: %s' % (
            self.name, open(self.cluster.tmp.file(
                'sshd-' + self.name)).read()))
        return subprocess.run(self.cluster.ssh(self.name, 'true'),
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL,
                              stdin=subprocess.DEVNULL,
                              check=False).returncode == 0

    def crash(self):
        """All its processes are gone at once."""
        if self.child and self.child.poll() is None:
            self.child.kill()
        if self.child:
            self.child.wait()

    def stop(self):
        self.crash()
        for argv in (('link', 'del', self.link), ('netns', 'del', self.ns)):
            subprocess.run(['ip', *argv], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=False)

    def cut(self):
        """Takes it off the network; nobody is told."""
        run('ip', 'link', 'set', self.link, 'down')

    def join(self):
        run('ip', 'link', 'set', self.link, 'up')

    def enter(self, *argv):
        """Runs a command in its namespaces, but the network, with the
        programs of this machine; its output."""
        return run('nsenter', '-m', '-u', '-p', '-t', str(self.first()), *argv)

    def inside(self, user='root'):
        """What a command begins with that is to run on it as that user."""
        return ['nsenter', '-n', '-m', '-u', '-p', '-t', str(self.first()),
                'setpriv', '--reuid=' + user, '--regid=' + user,
                '--init-groups']

    def first(self):
        """Its process 1, by the pids of this machine."""
        (pid,) = gstest.children(self.child.pid)
        return pid

    def pids(self, comm=None):
        """Its processes, by the pids of this machine."""
        out = []
        ns = os.readlink('/proc/%d/ns/pid' % self.first())
        for pid in filter(str.isdigit, os.listdir('/proc')):
            try:
                if os.readlink('/proc/%s/ns/pid' % pid) != ns:
                    continue
                with open('/proc/%s/comm' % pid) as f:
                    if comm in (None, f.read().strip()):
                        out.append(int(pid))
            except OSError:
                continue
        return out

    def kill(self, comm, sig=signal.SIGKILL):
        pids = self.pids(comm)
        gstest.check(pids, 'no %s on %s' % (comm, self.name))
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, sig)

    def run(self, command):
        """A shell command on it; its output."""
        return run(*self.cluster.ssh(self.name, command),
                   stdin=subprocess.DEVNULL)


class Cluster:
    """Hosts by name: cluster['h1'].  user: who comes by ssh."""

    def __init__(self, names, user='root'):
        need()
        self.user = pwd.getpwnam(user)
        self.tmp = gstest.TempDir()
        os.chmod(self.tmp.path, 0o755)  # sshd reads the key as that user
        self.hosts = {name: Host(self, name, n)
                      for n, name in enumerate(names)}

    def __getitem__(self, name):
        return self.hosts[name]

    def __enter__(self):
        try:
            self.make_keys()
            self.unlock()
            for host in self.hosts.values():
                host.start()
            for host in self.hosts.values():
                gstest.wait_for('sshd of ' + host.name, host.is_up)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for host in self.hosts.values():
            host.stop()
        self.tmp.__exit__()

    def make_keys(self):
        for name in ('host_key', 'user_key'):
            run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f',
                self.tmp.file(name))
        os.chown(self.tmp.file('user_key'), self.user.pw_uid,
                 self.user.pw_gid)
        with open(self.tmp.file('host_key.pub')) as f:
            key = ' '.join(f.read().split()[:2])
        with open(self.tmp.file('known_hosts'), 'w') as f:
            for host in self.hosts.values():
                f.write('%s,%s %s\n' % (host.name, host.address, key))
        with open(self.tmp.file('sshd_config'), 'w') as f:
            f.write(SSHD.format(dir=self.tmp.path))
        with open(self.tmp.file('ssh_config'), 'w') as f:
            for host in self.hosts.values():
                f.write('Host %s\n    HostName %s\n    HostKeyAlias %s\n' % (
                    host.name, host.address, host.name))
            f.write(SSH.format(dir=self.tmp.path,
                               user=self.user.pw_name))

    def unlock(self):
        """sshd lets nobody in who is locked; others just have no
        password."""
        start = self.user.pw_name + ':!'
        with open('/etc/shadow') as f, \
                open(os.open(self.tmp.file('shadow'), os.O_CREAT |
                             os.O_WRONLY, 0o600), 'w') as to:
            for line in f:
                if line.startswith(start):
                    line = start[:-1] + '*' + line[len(start):]
                to.write(line)

    def connect(self):
        """The hosts reach one another, through this machine."""
        for host in self.hosts.values():
            path = '/proc/sys/net/ipv4/conf/%s/forwarding' % host.link
            try:
                with open(path, 'w') as f:
                    f.write('1')
            except OSError as e:
                gstest.skip('hosts can not reach one another: %s' % e)

    def ssh(self, name, *command):
        """An argument vector."""
        return ['ssh', '-F', self.tmp.file('ssh_config'), '-T', name,
                *command]

    def agent_command(self):
        return 'ssh -F %s -T {host} {agent}' % self.tmp.file('ssh_config')

    def agents(self):
        """Agents that run, by host."""
        return {name: len(host.pids('gpsnap-agent'))
                for name, host in self.hosts.items()}
