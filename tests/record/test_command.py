#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""gpsnap record -- COMMAND."""
import os
import time

from rec import INT, TERM, main, want, want_in


def exit_status(p):
    for i, (script, status) in enumerate((
            ('exit 0', 0), ('exit 7', 7), ('exit 255', 255),
            ('kill -TERM $$', 128 + 15), ('kill -KILL $$', 128 + 9))):
        name = '%d.gpsnap' % i
        got, err = p.run('-i', 0.2, '-o', name, '--', 'sh', '-c', script)
        want(got, status, '%s: %s' % (script, err))
        want(p.read(name).closed, True, 'closed')


def records_while_it_runs(p):
    start = time.time_ns()
    status, _ = p.run('-i', 0.2, '-o', 'a.gpsnap', '--', 'sleep', '1.1')
    want(status, 0, 'status')
    rec = p.read('a.gpsnap')
    walls = rec.walls()
    # One at once, at multiples, one at its end.
    most = (walls[-1] - walls[0]) // (2 * 10**8) + 3 # on a busy machine it ends late
    want(len(walls) in range(*((3, most + 1) if p.busy() else (6, 9))), True,
         'ticks: %d' % len(walls))
    want(p.busy() or walls[0] - start < 5 * 10**8, True, 'first')
    want(walls[-1] - walls[0] >= 11 * 10**8, True, 'covers all of it')
    want(p.busy() or all(len(t.host) == 1 for t in rec.ticks), True,
         'all sampled')
    want(rec.events('stop')[0].text, b'the command ended with status 0',
         'reason')


def shorter_than_the_interval(p):
    want(p.run('-i', '1h', '-o', 'a.gpsnap', '--', 'sleep', '0.2')[0], 0,
         'status')
    rec = p.read('a.gpsnap')
    want(len(rec.ticks), 2, 'ticks')
    want(rec.walls()[1] - rec.walls()[0] >= 2 * 10**8, True, 'covers it')


def not_found(p):
    for command, status in (('/nonexistent', 127), ('/etc/passwd', 126)):
        got, err = p.run('-i', 0.2, '-o', 'x%d.gpsnap' % status, '--',
                         command)
        want(got, status, command)
        want_in('gpsnap: ' + command, err, 'message')
        want(os.path.exists(p.path('x%d.gpsnap' % status)), False,
             'a file is left')


def its_streams_are_ours(p):
    proc = p.start('-i', 0.2, '-q', '-o', 'a.gpsnap', '--', 'echo', 'hello')
    out, err = proc.communicate(timeout=20)
    want(out, b'hello\n', 'stdout')
    want(err, b'', 'stderr')


def termination_is_passed_on(p):
    proc = p.start('-i', 0.2, '-o', 'a.gpsnap', '--', 'sh', '-c',
                   'trap "exit 5" TERM INT; echo go; while :; do sleep 0.05;'
                   ' done', session=True)
    want(proc.stdout.readline(), b'go\n', 'start')
    want(p.end(proc, TERM)[0], 5, 'status')
    want(p.read('a.gpsnap').closed, True, 'closed')


def interrupt_without_terminal_is_passed_on(p):
    proc = p.start('-i', 0.2, '-o', 'a.gpsnap', '--', 'sh', '-c',
                   'trap "exit 6" INT; echo go; while :; do sleep 0.05;'
                   ' done', session=True)
    want(proc.stdout.readline(), b'go\n', 'start')
    want(p.end(proc, INT)[0], 6, 'status')


def outlives_the_recording(p):
    """The count is reached, the command goes on: its status counts."""
    start = time.monotonic()
    status, _ = p.run('-i', 0.1, '-n', 3, '-o', 'a.gpsnap', '--', 'sh', '-c',
                      'sleep 1; exit 4')
    want(status, 4, 'status')
    want(time.monotonic() - start >= 1, True, 'waits')
    want(len(p.read('a.gpsnap').ticks), 3, 'ticks')


if __name__ == '__main__':
    main([exit_status, records_while_it_runs, shorter_than_the_interval,
          not_found, its_streams_are_ours, termination_is_passed_on,
          interrupt_without_terminal_is_passed_on, outlives_the_recording])
