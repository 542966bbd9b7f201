#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Recordings of processes that the user names, by the real agent; and what it
could not read of them is told once, with what would help."""
import json
import os
import subprocess
import tempfile

from rec import gstest, main, size, wait_for, want, want_in, want_well

NOBODY = 65534
# A test that failed may leave them behind: they hold none of its output open.
UNHEARD = {'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL}
SENTENCE = ('IO of 2 processes of other users is not readable: the agent '
            'needs CAP_SYS_PTRACE')


def sleepers(n):
    return [subprocess.Popen(['sleep', '1000'], **UNHEARD) for _ in range(n)]


def end(procs):
    for p in procs:
        p.kill()
        p.wait()


def show(path, view):
    """Rows of a view, as JSON."""
    out = gstest.gpsnap('replay', path, '-V', view, '-f', 'json', '-l', '0')
    return json.loads(out)['rows']


def before_and_after(p):
    procs = sleepers(3)
    pids = [q.pid for q in procs]
    try:
        status, err = p.run('--pids', '%d,%d,4000000' % tuple(pids[:2]),
                            '--with', 'all', '-n', 2, '-i', 0.2,
                            '-o', 'a.gpsnap')
        want_well((status, err))
        want_in('--pids: no process 4000000\n', err, 'the missing one')
        rec = p.read('a.gpsnap')
        want(rec.rows, [2, 2], 'processes')
        want(rec.headers[0].content & 4, 0, 'not all')
        want([e.text.decode() for e in rec.events('note')],
             ['only pids %d, %d, 4000000' % tuple(pids[:2])], 'note')
        path = p.path('a.gpsnap')
        want(sorted(r['pid'] for r in show(path, 'processes')),
             sorted(pids[:2]), 'replay')
        want(sorted(r['tid'] for r in show(path, 'threads')),
             sorted(pids[:2]), 'threads')
        want(sorted(r['pss'] is not None and r['fds'] == 3 for r in json.loads(
            gstest.gpsnap('replay', path, '-V', 'processes', '-f', 'json',
                          '-c', 'pss,fds'))['rows']), [True, True], 'all')
        want_in('command', gstest.gpsnap('info', path).decode(), 'info')
    finally:
        end(procs)


def some_end(p):
    procs = sleepers(2)
    try:
        rec = p.start('--pids', '%d,%d' % tuple(q.pid for q in procs),
                      '-n', 20, '-i', 0.1, '-o', 'a.gpsnap')
        path = p.path('a.gpsnap')
        wait_for(lambda: size(path) > 700, 'ticks')
        end(procs[:1])
        status, err = p.end(rec)
        want_well((status, err))
        want(p.read('a.gpsnap').rows[-1], 1, 'the other one goes on')
    finally:
        end(procs)


def none_exists(p):
    status, err = p.run('--pids', '4000000,4000001', '-n', 1, '-o', 'a.gpsnap')
    want((status, err), (2, 'gpsnap: --pids: no process 4000000, 4000001: '
                         'nothing to record\n'), 'none')
    want(os.path.exists(p.path('a.gpsnap')), False, 'file')


def by_name(p):
    procs = sleepers(1)
    try:
        status, err = p.run('--comm', 'sle[e]p,gs-none', '-n', 1,
                            '-o', 'a.gpsnap')
        want_well((status, err))
        want_in('--comm: no process is called gs-none yet', err, 'notice')
        rows = show(p.path('a.gpsnap'), 'processes')
        want({r['command'] for r in rows}, {'sleep'}, 'names')
        want(procs[0].pid in {r['pid'] for r in rows}, True, 'is there')
        want([e.text.decode() for e in p.read('a.gpsnap').events('note')],
             ['only processes called sle[e]p, gs-none'], 'note')
    finally:
        end(procs)


def unreadable(p):
    """Once for each file, in events and in info."""
    if os.geteuid() != 0:
        return
    procs = sleepers(2)
    own = subprocess.Popen(['sleep', '1000'], **UNHEARD, user=NOBODY, group=NOBODY,
                           extra_groups=[])
    os.chmod(p.dir, 0o755)
    with tempfile.TemporaryDirectory() as folder:
        os.chown(folder, NOBODY, NOBODY)
        path = os.path.join(folder, 'a.gpsnap')
        try:
            done = subprocess.run(
                ['setpriv', '--reuid=%d' % NOBODY, '--regid=%d' % NOBODY,
                 '--clear-groups', p.path('bin/gpsnap'), 'record', '--pids',
                 ','.join(str(q.pid) for q in procs + [own]), '--no-quiet',
                 '-n', '5', '-i', '0.1', '-o', path], env=p.env({}),
                stderr=subprocess.PIPE, check=False, cwd=folder)
            err = done.stderr.decode()
            want_well((done.returncode, err))
            want(err.count(SENTENCE), 1, 'told once: ' + err)
            texts = [r['text'] for r in show(path, 'events')
                     if r['event'] == 'refused']
            want(sum(t.startswith(SENTENCE) for t in texts), 1, texts)
            info = ' '.join(gstest.gpsnap('info', path).decode().split())
            want_in('refused ' + SENTENCE, info, 'info')
            (io,) = [r for r in show(path, 'sources') if r['file'] == 'io']
            # a slow first sample is asked for again
            n = max(5, io['tried'] // 3)
            want((io['tried'], io['failed'], io['denied'], io['processes'],
                  io['error']), (3 * n, 2 * n, 2 * n, 2, 'EACCES'), 'sources')
            text = gstest.gpsnap('replay', path, '-V', 'sources').decode()
            want('…' in text, False, 'what helps is cut: ' + text)
        finally:
            end(procs + [own])


if __name__ == '__main__':
    main([before_and_after, some_end, none_exists, by_name, unreadable],
         fake=False)
