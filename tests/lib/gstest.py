# SPDX-License-Identifier: Apache-2.0
"""Helpers for tests of whole programs.

GS_BIN names the directory of the binaries under test, GS_SANITIZE is 1 if
they were built with sanitizers.  skip() ends a test
with status 77, which ctest shows as skipped, and says why.
"""
import ctypes
import json
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(TOP, 'tests'))

# The binaries have sanitizers, with which they take five times as long.
SANITIZED = os.environ.get('GS_SANITIZE') == '1'


def some(of, turn=0, each=4):
    """With sanitizers every fourth, from a turn on: each costs five times as much,
    and what is asked differs in what is shown more than in what it runs through.  A
    build without them tries all."""
    return list(of)[turn % each::each] if SANITIZED else list(of)


def few(n, each=4):
    """How many of so many that is."""
    return len(some(range(n), each=each))


def skip(why):
    print('SKIP: ' + why)
    sys.exit(77)


def fail(what):
    print('FAIL: ' + what)
    sys.exit(1)


def check(ok, what):
    if not ok:
        fail(what)


def equal(got, want, what):
    check(got == want, '%s: got %r, want %r' % (what, got, want))


def near(got, want, share, what):
    """Within a share of the wanted value."""
    check(abs(got - want) <= share * abs(want),
          '%s: got %g, want %g within %g %%' % (what, got, want,
                                                100 * share))


def binary(name):
    path = os.path.join(os.environ.get('GS_BIN', ''), name)
    if not os.access(path, os.X_OK):
        skip('%s is not there: set GS_BIN' % path)
    return path


def wait_for(what, test, seconds=180.0):
    """Polls until test() is true, and gives what it gave."""
    end = time.monotonic() + seconds
    while True:
        got = test()
        if got:
            return got
        if time.monotonic() > end:
            fail('%s: not within %g s' % (what, seconds))
        time.sleep(0.02)


class TempDir:
    """A directory that is gone at the end, whoever owns what is in it."""

    def __init__(self, owner=None):
        self.path = tempfile.mkdtemp(prefix='gpsnap-test-')
        if owner:
            os.chown(self.path, owner.pw_uid, owner.pw_gid)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def file(self, name):
        return os.path.join(self.path, name)


# How a command ends that reads what was recorded just now: a recorder on a busy
# machine skips ticks, and a hole is status 1.
OF_BUSY = (0, 1)


def gpsnap(*argv, status=0):
    """Runs gpsnap to its end; its stdout.  status: what it must exit with, or
    one of these; None: any will do."""
    run = subprocess.run([binary('gpsnap'), *argv], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    wanted = status if isinstance(status, tuple) else (status,)
    if status is not None and run.returncode not in wanted:
        fail('gpsnap %s: exit status %d, want %s\n%s' % (
            ' '.join(argv), run.returncode, ' or '.join(map(str, wanted)),
            (run.stdout[-4000:] + run.stderr).decode('utf-8', 'replace')))
    return run.stdout


def ended_well(status, said):
    """A recorder's end: 0, or 1 if all it misses are ticks that a busy machine
    skipped, as its last line says."""
    last = said.rstrip().rpartition('\n')[2]
    return status == 0 or (
        status == 1 and re.search(r', \d+ (skipped|lost)\b', last) is not None
        and 'never answered' not in last)


def own_processes():
    """This test once more, where only its own processes are seen."""
    inside = 'GS_TEST_INSIDE'
    if os.environ.get(inside):
        return
    if os.geteuid() != 0:
        skip('only root can have a pid namespace of its own')
    argv = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']
    if subprocess.run([*argv, 'true'], capture_output=True,
                      check=False).returncode != 0:
        skip('there are no pid namespaces')
    os.environ[inside] = '1'
    os.execvp(argv[0], [*argv, sys.executable, os.path.abspath(sys.argv[0])])


def own_network():
    """From now on this process sees no socket of others, nor they one of its:
    recorders of other tests are not among those that `status` finds.  Only
    root can; others go on as they are."""
    clone_newnet = 0x40000000
    if os.geteuid() == 0 and ctypes.CDLL(None).unshare(clone_newnet) == 0:
        subprocess.run(['ip', 'link', 'set', 'lo', 'up'], check=False,
                       stderr=subprocess.DEVNULL)


def replay_json(path, *argv, status=OF_BUSY):
    """Tables of `gpsnap replay -f json`, one object each; status: what it may
    exit with."""
    out = gpsnap('replay', path, '-f', 'json', *argv, status=status)
    return [json.loads(line) for line in out.decode().splitlines() if line]


def stalled():
    """Seconds, since boot, in which some task waited for a CPU or a disk;
    None: this kernel does not say."""
    total = 0
    for name in ('cpu', 'io'):
        try:
            with open('/proc/pressure/' + name) as f:
                total += int(f.readline().rpartition('=')[2])
        except (OSError, ValueError):
            return None
    return total / 1e6


class Stalls:
    """Whether others may have kept a recorder from its CPU, or from the disk,
    since this object was made: then ticks may be late or skipped."""

    def __init__(self):
        self.before = stalled()

    def any(self):
        return self.before is None or stalled() - self.before > 0.05


class Recorder:
    """gpsnap record in the background."""

    def __init__(self, path, *argv):
        self.path = path
        self.child = subprocess.Popen(
            [binary('gpsnap'), 'record', '-o', path, *argv],
            env=dict(os.environ, GPSNAP_NO_CATALOG='1'),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def ticks(self):
        """Index frames that the file has by now."""
        import reader
        try:
            return sum(1 for _ in reader.read(self.path).frames())
        except FileNotFoundError:
            return 0

    def wait_ticks(self, more):
        """Waits for so many further ticks."""
        want = self.ticks() + more
        wait_for('tick %d' % want, lambda: self.ticks() >= want)

    def stop(self):
        """Ends it in good order."""
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGTERM)
        err = self.child.communicate(timeout=30)[1].decode('utf-8', 'replace')
        check(ended_well(self.child.returncode, err),
              'record: exit status %d\n%s' % (self.child.returncode, err))


# ---- PostgreSQL ----------------------------------------------------------

def pg_bin():
    """Directory of the newest server's programs."""
    top = '/usr/lib/postgresql'
    versions = sorted((v for v in os.listdir(top) if v.isdigit()), key=int) \
        if os.path.isdir(top) else []
    for version in reversed(versions):
        path = os.path.join(top, version, 'bin')
        if os.access(os.path.join(path, 'initdb'), os.X_OK):
            return path
    skip('no PostgreSQL server is installed')


def pg_owner():
    """Who runs the server: initdb refuses root."""
    if os.geteuid() != 0:
        return pwd.getpwuid(os.geteuid())
    try:
        return pwd.getpwnam('postgres')
    except KeyError:
        return pwd.getpwnam('nobody')


class Postgres:
    """A private server in a directory of its own, on a socket in it."""

    def __init__(self, cgroup=None, settings=()):
        self.owner = pg_owner()
        self.bin = pg_bin()
        self.tmp = TempDir(self.owner)
        self.data = self.tmp.file('data')
        self.port = 5400 + os.getpid() % 1000
        self.cgroup = cgroup
        self.settings = ['fsync=off', 'logging_collector=off',
                         'listen_addresses=', 'autovacuum=off',
                         'unix_socket_directories=' + self.tmp.path,
                         'port=%d' % self.port, *settings]
        self.server = None
        self.log = None

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.server and self.server.poll() is None:
            self.server.send_signal(signal.SIGINT)
            try:
                self.server.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.server.kill()
                self.server.wait()
        if self.log:
            self.log.close()
        self.tmp.__exit__()

    def env(self):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith('PG')}
        env.update(PGHOST=self.tmp.path, PGPORT=str(self.port),
                   PGUSER=self.owner.pw_name, PGDATABASE='postgres',
                   LC_ALL='C.UTF-8', HOME=self.tmp.path)
        return env

    def popen(self, argv, as_owner=True, **more):
        user = {}
        if as_owner and os.geteuid() == 0:
            user = {'user': self.owner.pw_uid, 'group': self.owner.pw_gid,
                    'extra_groups': []}
        return subprocess.Popen([os.path.join(self.bin, argv[0]), *argv[1:]],
                                env=self.env(), cwd=self.tmp.path, **user,
                                **more)

    def run(self, *argv):
        """A client program to its end; its stdout."""
        child = self.popen(argv, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE)
        out, err = child.communicate()
        check(child.returncode == 0, '%s: %s' % (
            ' '.join(argv), err.decode('utf-8', 'replace')))
        return out.decode()

    def sql(self, text):
        return self.run('psql', '-X', '-q', '-A', '-t', '-c', text).strip()

    def is_ready(self):
        check(self.server.poll() is None, 'the server ended:\n' +
              open(self.tmp.file('log')).read())
        child = self.popen(['pg_isready', '-q'])
        return child.wait() == 0

    def start(self):
        self.run('initdb', '-A', 'trust', '-N', '-D', self.data)
        self.log = open(self.tmp.file('log'), 'wb')
        self.again()

    def again(self):
        """Starts the server that was not there, or ended."""
        argv = ['postgres', '-D', self.data]
        for setting in self.settings:
            argv += ['-c', setting]
        self.server = self.popen(argv, stdout=self.log, stderr=self.log,
                                 stdin=subprocess.DEVNULL,
                                 start_new_session=True)
        if self.cgroup:
            self.cgroup.add(self.server.pid)
        wait_for('the server', self.is_ready)

    def children(self):
        """Pids below the postmaster."""
        return children(self.server.pid)


class Greenplum(Postgres):
    """A server that looks like the coordinator of a Greenplum 6 (gpshim.sql),
    of a Greenplum 7 or a Cloudberry (gpshim7.sql: newer is 'greenplum7' or
    'cloudberry'), with these rows of gp_segment_configuration."""

    def __init__(self, segments=(), newer=None, **more):
        super().__init__(**more)
        self.segments = segments
        self.newer = newer

    def start(self):
        super().start()
        self.script('gpshim.sql')
        if self.newer:
            self.script('gpshim7.sql', 'cloudberry=%d' %
                        (self.newer == 'cloudberry'))
        for row in self.segments:
            self.sql("set allow_system_table_mods = on; insert into "
                     "gp_segment_configuration values (%d, %d, '%s', '%s', "
                     "'%s', '%s', %d, '%s', '%s', '%s')" % tuple(row))

    def script(self, name, *variables):
        argv = ['psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1']
        for variable in variables:
            argv += ['-v', variable]
        # the server's user may not read the file itself
        with open(os.path.join(HERE, name), 'rb') as f:
            text = f.read()
        child = self.popen(argv, stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        _, err = child.communicate(text)
        check(child.returncode == 0, 'psql: %s' %
              err.decode('utf-8', 'replace'))


def segments(hosts, per_host=1, port=6000, mirrors=False):
    """Rows for that many segments on each host, and their coordinator on the
    first, as gp_segment_configuration has them."""
    rows = [(1, -1, 'p', 'p', 'n', 'u', port, hosts[0], hosts[0],
             '/data/gpseg-1')]
    count = len(hosts) * per_host
    for content in range(count):
        host = hosts[content // per_host]
        rows.append((content + 2, content, 'p', 'p',
                     's' if mirrors else 'n', 'u', port + 2 + content, host,
                     host, '/data/gpseg%d' % content))
    for content in range(count if mirrors else 0):
        host = hosts[(content // per_host + 1) % len(hosts)]
        rows.append((content + 2 + count, content, 'm', 'm', 's', 'u',
                     port + 1002 + content, host, host,
                     '/data/mirror%d' % content))
    return rows


def children(pid):
    with open('/proc/%d/task/%d/children' % (pid, pid)) as f:
        return [int(p) for p in f.read().split()]


# ---- by hand -------------------------------------------------------------

def read_proc(pid, name):
    with open('/proc/%d/%s' % (pid, name), 'rb') as f:
        return f.read()


def by_hand(pid):
    """Counters of one process, read and parsed here, by metric name."""
    fields = read_proc(pid, 'stat').rpartition(b')')[2].split()
    out = {'minflt': int(fields[7]), 'majflt': int(fields[9]),
           'utime': int(fields[11]), 'stime': int(fields[12]),
           'cutime': int(fields[13]), 'cstime': int(fields[14]),
           'start': int(fields[19])}
    run = read_proc(pid, 'schedstat').split()
    out['run_ns'], out['run_delay'] = int(run[0]), int(run[1]) // 1000
    for line in read_proc(pid, 'io').decode().splitlines():
        name, value = line.split(': ')
        out[name] = int(value)
    return out


def settle(pids, seconds=10.0):
    """Waits until none of the processes has run for a while."""
    last = [None]

    def still():
        now = [read_proc(pid, 'schedstat') for pid in pids]
        same = now == last[0]
        last[0] = now
        if not same:
            time.sleep(0.2)
        return same
    wait_for('processes at rest', still, seconds)


def steady_children(pg):
    """The server's children once there are no others for a second."""
    last, since = set(), time.monotonic()
    while time.monotonic() < since + 1:
        now = set(pg.children())
        if now != last:
            last, since = now, time.monotonic()
        time.sleep(0.05)
    return last


class Cgroup:
    """A control group whose CPU time can be read."""

    def __init__(self, name):
        self.path = self.usage = None
        name = 'gpsnap-test-%s-%d' % (name, os.getpid())
        for top, usage in (('/sys/fs/cgroup/cpuacct', 'cpuacct.usage'),
                           ('/sys/fs/cgroup/cpu,cpuacct', 'cpuacct.usage'),
                           ('/sys/fs/cgroup', 'cpu.stat')):
            path = os.path.join(top, name)
            if not os.path.exists(os.path.join(top, 'cgroup.procs')):
                continue
            try:
                os.mkdir(path)
            except OSError:
                continue
            if os.path.exists(os.path.join(path, usage)):
                self.path, self.usage = path, os.path.join(path, usage)
                return
            os.rmdir(path)
        skip('no control group can be made here to measure CPU time by')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        wait_for('the control group to empty', self.remove)

    def remove(self):
        try:
            os.rmdir(self.path)
        except OSError:
            return False
        return True

    def add(self, pid):
        with open(os.path.join(self.path, 'cgroup.procs'), 'w') as f:
            f.write(str(pid))

    def pids(self):
        with open(os.path.join(self.path, 'cgroup.procs')) as f:
            return [int(line) for line in f]

    def cpu_ns(self):
        with open(self.usage) as f:
            text = f.read()
        if text.startswith('usage_usec'):
            return int(text.split()[1]) * 1000
        return int(text)
