#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What the options do, and what is refused."""
import os
import resource
import subprocess

from rec import HOST, Place, main, want, want_in, want_slots, want_well


def one_file(p):
    status, err = p.run('-i', 0.1, '-n', 12, '-o', 'a.gpsnap')
    want_well((status, err))
    want_in('12 ticks', err, 'summary')
    want_in('next: gpsnap replay a.gpsnap', err, 'summary')
    rec = p.read('a.gpsnap')
    want(rec.damage, [], 'damage')
    want(rec.closed, True, 'closed')
    want(rec.seqs(), list(range(1, 13)), 'sequence')
    want(rec.rows, [3] * 12, 'rows')
    want(os.stat(p.path('a.gpsnap')).st_mode & 0o777, 0o640, 'mode')
    h = rec.headers[0]
    want(len(h.recording_id), 16, 'id')
    want(h.recording_id != b'\0' * 16, True, 'id is random')
    want(h.interval_ns, 100000000, 'interval')
    want(h.file_number, 1, 'file number')
    want(h.recorder_host, HOST, 'host')
    want(h.options, 'gpsnap record -i 0.1 -n 12 -o a.gpsnap', 'options')
    want(h.content, 1 | 16, 'content')
    want(h.started_ns, rec.walls()[0], 'start')
    want([len(rec.events(k)) for k in ('start', 'host up', 'stop')],
         [1, 1, 1], 'events')


def ticks_at_multiples(p):
    """Each tick comes just after a multiple, also when some are slow."""
    p.run('-i', 0.2, '-n', 15, '-o', 'a.gpsnap', FAKE_DELAY_MS=30,
          FAKE_SLOW_EVERY=4, FAKE_SLOW_MS=150)
    walls = p.read('a.gpsnap').walls()
    want(len(walls), 15, 'ticks')
    want_slots(p, walls, 2 * 10**8)
    early = [w % 200000000 for w in walls]
    want(p.busy() or sorted(early)[7] < 20000000, True, 'median lateness')


def duration(p):
    p.run('-i', 0.2, '-d', '1s', '-o', 'a.gpsnap')
    rec = p.read('a.gpsnap')
    want(len(rec.ticks) in range(1 if p.busy() else 4, 6), True,
         'ticks: %d' % len(rec.ticks))
    want(rec.events('stop')[0].text, b'time is over', 'reason')


def content_flags(p):
    p.run('-i', 0.1, '-n', 1, '--all', '--arguments', '-o', 'a.gpsnap')
    want(p.read('a.gpsnap').headers[0].content, 1 | 2 | 4 | 16, 'content')


def no_database(p):
    note = 'no PostgreSQL or Greenplum here: recording all processes'
    status, err = p.run('-i', 0.1, '-n', 4, '-o', 'a.gpsnap', FAKE_ROLE=4)
    want_well((status, err))
    want(err.count(note), 1, 'said once')
    rec = p.read('a.gpsnap')
    want(rec.headers[0].content, 1 | 4 | 16, 'content')
    want([e.text.decode() for e in rec.events('note')], [note], 'note')
    for args, role in ((['--all'], 4), ([], 1)):
        _, err = p.run('-i', 0.1, '-n', 1, '-o', 'b%d.gpsnap' % role, *args,
                       FAKE_ROLE=role)
        want(note in err, False, 'not said with %r' % args)


def stream(p):
    out = subprocess.run(
        [p.path('bin/gpsnap'), 'record', '-i', '0.1', '-n', '5', '-o', '-'],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=p.env({}),
        check=True)
    with open(p.path('a.gpsnap'), 'wb') as f:
        f.write(out.stdout)
    rec = p.read('a.gpsnap')
    want(rec.seqs(), [1, 2, 3, 4, 5], 'sequence')
    want(rec.damage, [], 'damage')


def stream_without_reader(p):
    r, w = os.pipe()
    os.close(r)
    proc = p.start('-i', 0.1, '-o', '-', stdout=w)
    os.close(w)
    status, err = p.end(proc)
    want(status, 2, 'status')
    want_in('nobody reads it', err, 'message')


def stream_into_full(p):
    """The reason is told once, and is the true one."""
    with open('/dev/full', 'wb') as full:
        status, err = p.run('-i', 0.1, '-n', 3, '-o', '-', stdout=full)
    want(status, 2, 'status')
    want(err.count('standard output'), 1, 'messages: ' + err)
    want_in('standard output: No space left on device', err, 'message')


def few_descriptors(p):
    """libuv aborts without its own."""
    for n in (5, 8, 12):
        status, err = p.run(
            '-i', 0.1, '-n', 1, '-o', 'few.gpsnap', preexec=lambda n=n:
            resource.setrlimit(resource.RLIMIT_NOFILE, (n, n)))
        want(status, 2, 'status with %d: %s' % (n, err))
        want_in('file descriptors are needed', err, 'message')


def existing_file(p):
    with open(p.path('a.gpsnap'), 'w') as f:
        f.write('precious')
    status, err = p.run('-n', 1, '-o', 'a.gpsnap')
    want(status, 2, 'status')
    want(err, 'gpsnap: a.gpsnap: exists already: use another name, '
         'or a directory\n', 'message')
    with open(p.path('a.gpsnap')) as f:
        want(f.read(), 'precious', 'file')


def refused(p):
    os.mkdir(p.path('dir'))
    with open(p.path('plain'), 'w'):
        pass
    for args, status, message in (
            (['-i', '0.05'], 64, '--interval'),
            (['-n', '0'], 64, '--count'),
            (['--with', 'fd,nonsense', '-o', 'x'], 64,
             '--with: expected fd, stack, smaps, sched, threads, heap, all, got '),
            (['-o', 'x', '--keep-size', '1M'], 64,
             '--keep-size needs a directory'),
            (['-o', ''], 64, 'empty'),
            (['a.gpsnap'], 64, 'a file goes after -o'),
            (['-o', 'no/a.gpsnap'], 2, 'no such directory: create it first'),
            (['-o', 'plain/x/'], 2, 'plain'),
            (['-o', '/proc/x/'], 2, '/proc/x')):
        got, err = p.run(*args)
        want(got, status, 'status of %r: %s' % (args, err))
        want_in(message, err, 'message of %r' % args)


def no_agent(p):
    os.unlink(p.path('bin/gpsnap-agent'))
    status, err = p.run('-n', 1, '-o', 'a.gpsnap', PATH='/usr/bin')
    want(status, 2, 'status')
    want_in('gpsnap-agent: not found beside gpsnap', err, 'message')
    want(os.path.exists(p.path('a.gpsnap')), False, 'file')


def quiet(p):
    want(p.run('-q', '-i', 0.1, '-n', 2, '-o', 'a.gpsnap'), (0, ''), '-q')


def secrets_of_the_command(p):
    p.run('-i', 0.1, '-o', 'a.gpsnap', '--', 'true', '--password=x')
    want(p.read('a.gpsnap').headers[0].options,
         'gpsnap record -i 0.1 -o a.gpsnap -- true ...', 'options')


def nothing_to_write_to(p):
    """Started without stdin, stdout and stderr: the file has only ticks."""
    def close():
        for fd in range(3):
            os.close(fd)

    status, _ = p.run('-i', 0.1, '-n', 2, '-o', 'a.gpsnap', preexec=close)
    want(status in ((0, 1) if p.busy() else (0,)), True, 'status')
    rec = p.read('a.gpsnap')
    want(rec.damage, [], 'damage')
    want(rec.seqs(), [1, 2], 'sequence')


if __name__ == '__main__':
    main([one_file, ticks_at_multiples, duration, content_flags, no_database,
          stream, stream_without_reader,
          stream_into_full, few_descriptors, existing_file, refused, no_agent,
          quiet, secrets_of_the_command, nothing_to_write_to])
