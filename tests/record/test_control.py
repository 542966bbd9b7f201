#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""gpsnap status and gpsnap mark against a running recorder: its answers, marks
in the file, users without the right, clients that send nonsense or nothing."""
import calendar
import contextlib
import ctypes
import json
import os
import pwd
import re
import select
import signal
import socket
import subprocess
import time

from rec import KILL, TERM, Skip, main, size, wait_for, want, want_in

NOBODY = 65534
CLONE_NEWNET = 0x40000000


def ask(p, *args, uid=None, cwd=None):
    """(status, stdout, stderr) of gpsnap ARGS..."""
    done = subprocess.run(
        [p.path('bin/gpsnap'), *map(str, args)], cwd=cwd or p.dir,
        env=p.env({}), capture_output=True, timeout=30, user=uid)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def status(p, *args):
    code, out, err = ask(p, 'status', '-f', 'json', *args)
    want(err, '', 'stderr')
    return code, json.loads(out)


def written(p, name):
    """Bytes of a file, or of those in a directory."""
    if not os.path.isdir(p.path(name)):
        return size(p.path(name))
    return sum(size(p.path(name, f)) for f in p.files(name))


def started(p, *args, name='a.gpsnap', **more):
    proc = p.start('-i', 0.1, '-o', name, *args, session=True, **more)
    wait_for(lambda: proc.poll() is not None or written(p, name) > 700,
             'ticks')
    want(proc.poll(), None, 'it runs')
    return proc


def socket_of(proc):
    """The name of a recorder's socket."""
    links = set()
    for fd in os.listdir('/proc/%d/fd' % proc.pid):
        try:
            links.add(os.readlink('/proc/%d/fd/%s' % (proc.pid, fd)))
        except OSError:
            pass
    with open('/proc/net/unix') as f:
        for line in f:
            m = re.match(r'\S+ \S+ \S+ 00010000 \S+ \S+ +(\d+) @(\S+)', line)
            if m and 'socket:[%s]' % m.group(1) in links:
                return '\0' + m.group(2)
    raise AssertionError('no socket of %d' % proc.pid)


def guest(proc):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(10)
    s.connect(socket_of(proc))
    return s


def answer(s):
    data = b''
    while True:
        try:
            part = s.recv(65536)
        except ConnectionResetError:
            part = b''
        if not part:
            return data
        data += part


# ---- marks ---------------------------------------------------------------

def marks(p):
    proc = started(p)
    want(ask(p, 'mark', 'a.gpsnap', 'deployed 2.3'), (0, '', ''), 'mark')
    os.mkdir(p.path('else'))
    os.symlink(p.path('a.gpsnap'), p.path('else', 'link'))
    code, _, err = ask(p, 'mark', 'a.gpsnap')
    want(code, 64, 'the text forgotten')
    want_in('expected a text after it', err, 'the text forgotten')
    want(ask(p, 'mark', 'link', 'second\x1b[31m \xff', cwd=p.path('else')),
         (0, '', ''), 'through a link')
    want(status(p, 'a.gpsnap')[1]['marks'], 2, 'counted')
    p.end(proc, TERM)
    got = p.read('a.gpsnap').events('mark')
    user = pwd.getpwuid(os.getuid()).pw_name.encode()
    want([e.text for e in got], [user + b': deployed 2.3',
                                 user + b': second\x1b[31m \xc3\xbf'], 'text')
    want([e.host for e in got], [0, 0], 'of no host')
    for view in ('sessions', 'hosts', 'overview', 'events'):
        _, out, _ = ask(p, 'replay', 'a.gpsnap', '-V', view)
        want_in(': deployed 2.3\n', out, view)
        want('\x1b' in out, False, 'escapes in ' + view)
    _, out, _ = ask(p, 'replay', 'a.gpsnap', '-V', 'hosts', '--width', 60)
    want(len(re.findall(r'^marks? ', out, re.M)), 1, 'a head of marks')
    _, out, _ = ask(p, 'replay', 'a.gpsnap', '-V', 'hosts', '-f', 'json')
    said = json.loads(out)['remarks']
    want([m['text'][-12:] for m in said][0], 'deployed 2.3', 'remarks')
    # A table for each tick: each mark stands above one of them.
    _, out, _ = ask(p, 'replay', 'a.gpsnap', '-V', 'hosts', '--ticks')
    want(out.count('deployed 2.3'), 1, 'once in steps')


def mark_before_the_end_is_kept(p):
    """However long the next tick would take."""
    proc = p.start('-i', 3600, '-o', 'a.gpsnap', '--', 'sleep', 60)
    wait_for(lambda: size(p.path('a.gpsnap')) > 0, 'first tick')
    want(ask(p, 'mark', 'a.gpsnap', 'just before')[0], 0, 'mark')
    p.end(proc, TERM)
    want(len(p.read('a.gpsnap').events('mark')), 1, 'marks')


def what_is_no_mark(p):
    proc = started(p)
    for text in ('', '  ', 'a\nb', 'x' * 1001):
        want(ask(p, 'mark', 'a.gpsnap', text)[0], 64, repr(text[:9]))
    want(ask(p, 'mark', 'a.gpsnap', 'x' * 1000)[0], 0, 'the longest')
    want(ask(p, 'mark', 'b.gpsnap', 'x')[0], 3, 'no such file')
    with open(p.path('b.gpsnap'), 'w'):
        pass
    want(ask(p, 'mark', 'b.gpsnap', 'x')[0], 3, 'not that file')
    s = guest(proc)
    s.sendall(b'mark ' + b'x' * 1001 + b'\n')
    want_in(b'error ', answer(s), 'too long')
    p.end(proc, TERM)
    want(len(p.read('a.gpsnap').events('mark')), 1, 'marks')


def too_many_marks(p):
    proc = p.start('-i', 3600, '-o', 'a.gpsnap', '--', 'sleep', 60)
    wait_for(lambda: size(p.path('a.gpsnap')) > 0, 'first tick')
    for i in range(102):
        s = guest(proc)
        s.sendall(b'mark %d\n' % i)
        want_in(b'ok' if i < 100 else b'error 100 marks wait', answer(s),
                'mark %d' % i)
    p.end(proc, TERM)
    want(len(p.read('a.gpsnap').events('mark')), 100, 'marks')


# ---- status --------------------------------------------------------------

def tells_what_is(p):
    proc = started(p, name='d/')
    code, said = status(p, 'd')
    want(code, 0, 'status')
    want(said['pid'], proc.pid, 'pid')
    want(said['directory'], p.path('d'), 'directory')
    want(said['file'], p.path('d', p.files('d')[0]), 'file')
    want(said['interval_seconds'], 0.1, 'interval')
    want((said['hosts'], said['hosts_up']), (1, 1), 'hosts')
    want(said['host_list'][0]['state'], 'up', 'host')
    want((said['processes'], said['processes_quiet']), (3, 1), 'of the agent')
    want(said['trouble'], None, 'trouble')
    want((said['database'], said['database_list']), ('none', []), 'database')
    want((said['files'], said['agents']), (1, 1), 'files, agents')
    wait_for(lambda: status(p, 'd')[1]['ticks'] > said['ticks'], 'more ticks')
    want(0 < said['file_bytes'] <= size(said['file']), True, 'bytes')
    p.end(proc, TERM)
    rec = p.read('d/' + p.files('d')[0])
    want(said['first_tick'][:19], time.strftime(
        '%Y-%m-%dT%H:%M:%S', time.gmtime(rec.walls()[0] // 10**9)), 'first')
    want(ask(p, 'status', 'd')[0], 3, 'when it is over')


def text_of_it(p):
    proc = started(p)
    code, out, err = ask(p, 'status', 'a.gpsnap', '-u')
    want((code, err), (0, ''), 'status')
    for label in ('recorder', 'state', 'since', 'file', 'written',
                  'last tick', 'host', 'missing', 'overhead'):
        want(bool(re.search('^%s +[^ ]' % label, out, re.M)), True, label)
    want_in('pid %d of ' % proc.pid, out, 'recorder')
    want_in('UTC, for ', out, 'since')
    p.end(proc, TERM)


def says_what_is_wrong(p):
    """A host that never answers, beside one that does."""
    carrier = p.path('carrier')
    with open(carrier, 'w') as f:
        f.write('#!/bin/sh\n[ "$1" = good ] && exec %s\n'
                'echo no route to it >&2\nexit 1\n' %
                p.path('bin/gpsnap-agent'))
    os.chmod(carrier, 0o755)
    proc = started(p, '--hosts', 'good,bad', '--agent-command',
                   carrier + ' {host}')
    wait_for(lambda: status(p, 'a.gpsnap')[1]['last_error'], 'an error')
    code, said = status(p, 'a.gpsnap')
    want(code, 1, 'status')
    want(said['trouble'], '1 of 2 hosts not recorded', 'trouble')
    bad = [h for h in said['host_list'] if h['name'] == 'bad'][0]
    want(bad['state'], 'down', 'state')
    want_in('no route to it', bad['why'], 'why')
    want_in('no route to it', said['last_error'], 'last error')
    _, out, _ = ask(p, 'status', 'a.gpsnap')
    want_in('1 of 2 up', out, 'hosts')
    want(bool(re.search('^ +bad down for .*no route', out, re.M)), True,
         'the bad one is named')
    p.end(proc, TERM)


def silent_host(p):
    """Stopped, as if its network were gone: late since it was asked."""
    proc = started(p, '--hosts', 'quiet', '--agent-command',
                   "sh -c 'echo $$ > pid.$0; exec %s' {host}" %
                   p.path('bin/gpsnap-agent'))
    with open(p.path('pid.quiet')) as f:
        pid = int(f.read())
    stopped = time.time()
    os.kill(pid, signal.SIGSTOP)

    def quiet():
        return [h for h in status(p, 'a.gpsnap')[1]['host_list']
                if h['name'] == 'quiet'][0]
    wait_for(lambda: quiet()['state'] == 'late', 'it to be late')
    since = calendar.timegm(time.strptime(quiet()['since'][:19],
                                          '%Y-%m-%dT%H:%M:%S'))
    want(since >= int(stopped) - 1, True, 'late since it was stopped')
    _, out, _ = ask(p, 'status', 'a.gpsnap')
    want(bool(re.search('^ +quiet late for ', out, re.M)), True, out)
    os.kill(pid, signal.SIGCONT)
    p.end(proc, TERM)


def several(p):
    a = started(p)
    b = started(p, name='b.gpsnap')
    code, out, _ = ask(p, 'status')
    want_in('\n%d ' % a.pid, out, 'the first')
    want_in('\n%d ' % b.pid, out, 'the second')
    code, _, err = ask(p, 'mark', 'for whom?')
    want(code, 2, 'mark')
    want_in('recorders run: say which', err, 'mark')
    c = p.start('-i', 0.1)
    wait_for(lambda: ask(p, 'status', p.path('gpsnap'))[0] == 0,
             'the one in ~/gpsnap')
    wait_for(lambda: os.path.isdir(p.path('gpsnap')) and any(
        os.path.getsize(p.path('gpsnap', n)) for n in p.files('gpsnap')),
             'its first sample')
    want(ask(p, 'mark', 'for that one'), (0, '', ''), 'mark')
    for proc in (a, b, c):
        p.end(proc, TERM)
    want(len(p.read('gpsnap/' + p.files('gpsnap')[0]).events('mark')), 1,
         'marks')


def killed_one_leaves_nothing(p):
    proc = started(p, name='d/')
    p.end(proc, KILL)
    want(ask(p, 'status', 'd')[0], 3, 'after SIGKILL')
    proc = started(p, name='d/')
    wait_for(lambda: ask(p, 'status', 'd')[0] == 0, 'the next one')
    p.end(proc, TERM)


def one_that_does_not_answer(p):
    """It is told where it may matter: not to who asks for another one."""
    deaf = started(p)
    other = started(p, name='b.gpsnap')
    deaf.send_signal(signal.SIGSTOP)
    want(ask(p, 'status', 'b.gpsnap')[2], '', 'another one')
    code, _, err = ask(p, 'status', 'a.gpsnap')
    want(code, 2, 'status')
    want_in('no answer from the recorder for 5 s', err, 'status')
    deaf.send_signal(signal.SIGCONT)
    for proc in (deaf, other):
        p.end(proc, TERM)


def one_that_writes_a_pipe(p):
    with open(os.devnull, 'wb') as null:
        proc = p.start('-i', 0.1, '-o', '-', stdout=null, session=True)
        want_pid = ('"pid":%d,' % proc.pid)
        wait_for(lambda: want_pid in ask(p, 'status', '-f', 'json')[1],
                 'it to be listed')
        p.end(proc, TERM)


# ---- others --------------------------------------------------------------

def other_users_are_not_served(p):
    if os.getuid() != 0:
        raise Skip('only root can be somebody else')
    os.chmod(p.dir, 0o755)
    proc = started(p)
    want(ask(p, 'status', 'a.gpsnap', uid=NOBODY)[0], 3, 'sees nothing')
    code, _, err = ask(p, 'status', uid=NOBODY)
    want(code, 3, 'without a name')
    want_in('no recorder of this user is running; ', err, 'there are others')
    name = socket_of(proc)
    code = ('import socket; s = socket.socket(socket.AF_UNIX); '
            's.settimeout(10); s.connect(%r); s.sendall(b"status\\n"); '
            'print(s.recv(100))' % name)
    done = subprocess.run(['/usr/bin/python3', '-c', code], user=NOBODY,
                          capture_output=True, text=True, timeout=30)
    # Its connection is closed, before it asked or after.
    want(done.stdout.strip() in ('', "b''"), True, done.stdout)
    want(ask(p, 'status', 'a.gpsnap')[0], 0, 'root is served')
    p.end(proc, TERM)


def root_sees_all(p):
    if os.getuid() != 0:
        raise Skip('only root can be somebody else')
    os.chmod(p.dir, 0o777)
    proc = started(p, preexec=lambda: os.setuid(NOBODY))
    code, said = status(p, 'a.gpsnap')
    want((code, said['pid']), (0, proc.pid), 'status')
    want(said['user'], 'nobody', 'user')
    want(ask(p, 'mark', 'a.gpsnap', 'from above')[0], 0, 'mark')
    want(ask(p, 'mark', 'a.gpsnap', 'from beside', uid=NOBODY)[0], 0, 'mark')
    p.end(proc, TERM)
    want([e.text for e in p.read('a.gpsnap').events('mark')],
         [b'root: from above', b'nobody: from beside'], 'marks')


def impostors_are_not_believed(p):
    """A socket with root's number in its name, bound by somebody else."""
    if os.getuid() != 0:
        raise Skip('only root can be somebody else')
    code = ('import socket\n'
            's = socket.socket(socket.AF_UNIX)\n'
            's.bind("\\0gpsnap/0/%016x")\n'
            's.listen()\nprint(flush=True)\n'
            'while True:  # other tests ask, too\n'
            ' c, _ = s.accept()\n'
            ' try: c.sendall(b"ok\\npid 1\\n")\n'
            ' except OSError: pass\n'
            ' c.close()\n' % os.getpid())
    proc = subprocess.Popen(['/usr/bin/python3', '-c', code], user=NOBODY,
                            stdout=subprocess.PIPE)
    p.procs.append(proc)
    proc.stdout.readline()
    _, out, err = ask(p, 'status')
    want_in("is not uid 0's but uid 65534's", err, 'status')
    want('pid 1 ' in out, False, 'believed')


SQUAT = """
import os, resource, socket, time
resource.setrlimit(resource.RLIMIT_NOFILE, (8200, 8200))
os.setuid(%d)
held = []
for i in range(8000):
    s = socket.socket(socket.AF_UNIX)
    s.bind("\\0gpsnap/0/%%016x" %% (i + (os.getpid() << 32)))
    s.listen()
    held.append(s)
print(flush=True)
time.sleep(60)
"""


def squatters_hide_nobody(p):
    """More names than anybody would look through, with root's number in
    them, bound by somebody else."""
    if os.getuid() != 0:
        raise Skip('only root can be somebody else')
    squat = subprocess.Popen(['/usr/bin/python3', '-c', SQUAT % NOBODY],
                             stdout=subprocess.PIPE)
    p.procs.append(squat)
    squat.stdout.readline()
    proc = started(p)
    code, out, err = ask(p, 'status', '-f', 'json', 'a.gpsnap')
    want((code, err), (0, ''), 'status')
    want(json.loads(out)['pid'], proc.pid, 'status')
    want(ask(p, 'mark', 'a.gpsnap', 'still heard'), (0, '', ''), 'mark')
    _, out, err = ask(p, 'status')
    want_in('%d' % proc.pid, out, 'listed')
    want_in('; so are ', err, 'the others are told')
    want(err.count("is not uid 0's"), 1, 'in one line')
    squat.kill()
    p.end(proc, TERM)


CROWD = """
import os, socket, time
if %d:
    os.setuid(%d)
s = socket.socket(socket.AF_UNIX)
s.bind("\\0gpsnap/%d/%%016x" %% os.getpid())
s.listen(0)
held = []
while True:
    held.append(socket.socket(socket.AF_UNIX))
    held[-1].setblocking(False)
    try:
        held[-1].connect(s.getsockname())
    except BlockingIOError:
        break
print(flush=True)
time.sleep(60)
"""


def crowd(p, really, claims):
    """A socket of a user, with the number of one in its name, that is full."""
    proc = subprocess.Popen(['/usr/bin/python3', '-c',
                             CROWD % (really, really, claims)],
                            stdout=subprocess.PIPE)
    p.procs.append(proc)
    proc.stdout.readline()
    return proc


@contextlib.contextmanager
def alone():
    """In a network where nobody else has sockets."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open('/proc/self/ns/net', 'rb') as before:
        if libc.unshare(CLONE_NEWNET) != 0:
            raise Skip('no network namespace')
        try:
            yield
        finally:
            want(libc.setns(before.fileno(), CLONE_NEWNET), 0, 'setns')


def full_ones_are_their_owners(p):
    """A queue that is full keeps the kernel from saying whose it is."""
    with alone():
        crowds(p)


def crowds(p):
    me = os.getuid()
    proc = started(p)
    if me == 0:
        other = crowd(p, NOBODY, 0)
        code, out, err = ask(p, 'status')
        want(code, 0, 'status beside a name of another: ' + err)
        want_in('1 name of recorders, which others may have bound', err,
                'it is told')
        want_in('%d' % proc.pid, out, 'the true one')
        want(ask(p, 'mark', 'still heard')[0], 0, 'mark')
        other.kill()
        other.wait()
    own = crowd(p, me, me)
    code, _, err = ask(p, 'status')
    want(code, 2, 'status beside one of this user')
    want_in('a recorder of uid %d: it is being asked by too many' % me, err,
            'it is told')
    own.kill()
    own.wait()
    want(ask(p, 'status')[0], 0, 'after it')
    p.end(proc, TERM)


def nobody_delays_ticks(p):
    """The silent, the deaf, the talkative and a crowd of them."""
    proc = started(p)
    silent = [guest(proc) for _ in range(8)]
    long = guest(proc)
    long.settimeout(0.2)
    try:
        long.sendall(b'x' * (1 << 20))
    except OSError:
        pass
    before = size(p.path('a.gpsnap'))
    wait_for(lambda: size(p.path('a.gpsnap')) > before + 1000, 'more ticks')
    want(select.select(silent, [], [], 0)[0], [], 'they are still there')
    # They are shown out after a while, and others have their turn.
    wait_for(lambda: ask(p, 'status', 'a.gpsnap')[0] == 0, 'an answer')
    for s in silent:
        want(answer(s), b'', 'what the silent get')
    for words in (b'\n', b'\0\0\n', b'status now\n', b'marks\n', b'mark\n'):
        s = guest(proc)
        s.sendall(words)
        want_in(b'error ', answer(s), repr(words))
    s = guest(proc)
    s.sendall(b'status')
    s.shutdown(socket.SHUT_WR)
    want(answer(s), b'', 'half a request')
    p.end(proc, TERM)


if __name__ == '__main__':
    main([marks, mark_before_the_end_is_kept, what_is_no_mark,
          too_many_marks, tells_what_is, text_of_it, says_what_is_wrong,
          silent_host, several, killed_one_leaves_nothing, one_that_does_not_answer,
          one_that_writes_a_pipe,
          other_users_are_not_served, root_sees_all,
          impostors_are_not_believed, squatters_hide_nobody, full_ones_are_their_owners,
          nobody_delays_ticks])
