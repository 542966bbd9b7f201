#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gpsnap replay --follow: what a recorder that runs writes, as it comes; in
the end the tables are those of a replay of all of it."""
import json
import os
import pty
import re
import subprocess
import time

from rec import INT, KILL, Place, main, size, wait_for, want, want_in

VIEW = ('-V', 'processes', '-l', '0')


class Follower:
    """A replay that follows; out and err are files, which can be looked at
    while it runs."""

    def __init__(self, place, *args, stdout=None):
        self.place = place
        self.out_path = place.path('out')
        self.err_path = place.path('err')
        with open(self.out_path, 'wb') as out, \
                open(self.err_path, 'wb') as err:
            self.proc = subprocess.Popen(
                [place.path('bin/gpsnap'), 'replay', '--follow', *args],
                cwd=place.dir, env=place.env({}), stdin=subprocess.DEVNULL,
                stdout=stdout or out, stderr=err)
        place.procs.append(self.proc)

    def out(self):
        with open(self.out_path, 'rb') as f:
            return f.read().decode()

    def err(self):
        with open(self.err_path, 'rb') as f:
            return f.read().decode()

    def sees(self, lines):
        """How many it has written once it is at least that many."""
        try:
            wait_for(lambda: self.out().count('\n') >= lines, 'followed')
        except AssertionError as e:
            raise AssertionError('%s: status %s, %r, %r' % (
                e, self.proc.poll(), self.out()[:200],
                self.err()[-500:])) from None
        return self.out().count('\n')

    def ends_as(self, rec):
        """A recorder that is interrupted; on a busy machine ticks may have
        been late, which both say."""
        status = self.place.end(rec, INT)[0]
        want_in(str(status), '01', 'record')
        want_in(str(self.proc.wait(timeout=30)), '01' if status else '0',
                self.err())

    def ends(self, status):
        want(self.proc.wait(timeout=30), status, self.err())


def replay(place, *args):
    return subprocess.run(
        [place.path('bin/gpsnap'), 'replay', *args], cwd=place.dir,
        env=place.env({}), stdin=subprocess.DEVNULL, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout.decode()


def same_tables(place, follower, *args):
    """Line by line but for the lines above the tables: a replay knows where
    the recording ends."""
    followed, replayed = follower.out(), replay(place, *args)
    if 'csv' not in args:
        assert followed.count('\n') > 4, followed
    want(followed.splitlines(), replayed.splitlines(), 'tables')


def written(place, path):
    """Files of a directory, or of the file that goes on in others."""
    if path[-1] == '/':
        return place.files(path)
    return [f for f in place.files('.') if f.startswith('f')]


def across_rotations(place):
    """Files of one recording in a directory, and of a file that goes on."""
    for path, how in (('d/', ('--rotate-every', '1s')),
                      ('f.gpsnap', ('--rotate-size', '4K'))):
        rec = place.start('-o', path, '-i', '0.1', *how,
                          FAKE_PROCESSES=20, FAKE_NOISE=100)
        wait_for(lambda p=path: size(place.path(p)) > 200 if p[-1] != '/'
                 else os.path.isdir(place.path(p)) and place.files(p),
                 'the first file')
        follower = Follower(place, path, '--from', '-1h', '-f', 'csv', *VIEW)
        follower.sees(1)
        wait_for(lambda p=path: len(written(place, p)) > 2, 'more files')
        follower.ends_as(rec)
        files = written(place, path)
        same_tables(place, follower, *(
            [path] if path[-1] == '/' else files), '--ticks', '-f', 'csv',
            *VIEW)
        want_in('the recorder has ended', follower.err(), path)


def every_step(place):
    rec = place.start('-o', 'a.gpsnap', '-i', '0.1', FAKE_PROCESSES=3)
    wait_for(lambda: size(place.path('a.gpsnap')) > 200, 'a first tick')
    follower = Follower(place, 'a.gpsnap', '--from', '-1h', '--every', '1s',
                        '-f', 'json', *VIEW)
    follower.sees(3)
    time.sleep(0.5)  # a last step of its own: a short one would be joined
    follower.ends_as(rec)
    got = [json.loads(line) for line in follower.out().splitlines()]
    all_of_it = [json.loads(line) for line in replay(
        place, 'a.gpsnap', '--every', '1s', '-f', 'json',
        *VIEW).splitlines()]
    assert len(got) >= 3, got
    want([t['to'] for t in got], [t['to'] for t in all_of_it], 'ends')
    want([t['rows'] for t in got], [t['rows'] for t in all_of_it], 'rows')


def from_the_newest_tick_on(place):
    place.start('-o', 'a.gpsnap', '-i', '0.1', FAKE_PROCESSES=3)
    wait_for(lambda: replay(place, 'a.gpsnap', '--ticks', '-f', 'csv', *VIEW)
             .count('\n') > 20, 'some ticks')
    follower = Follower(place, 'a.gpsnap', '-n', '5', '-f', 'json', *VIEW)
    follower.ends(0)
    tables = [json.loads(line) for line in follower.out().splitlines()]
    want(len(tables), 5, 'tables')
    every = [json.loads(line) for line in replay(
        place, 'a.gpsnap', '--ticks', '-f', 'json', *VIEW).splitlines()]
    ends = [t['to'] for t in every]
    first = ends.index(tables[0]['to'])
    assert first > 3, first
    for mine, other in zip(tables, every[first:]):
        want(mine['to'], other['to'], 'instants')
        want(mine['rows'], other['rows'], 'rows')


def killed(place):
    rec = place.start('-o', 'a.gpsnap', '-i', '0.1')
    wait_for(lambda: size(place.path('a.gpsnap')) > 200, 'a first tick')
    follower = Follower(place, 'a.gpsnap', '--from', '-1h', '-f', 'csv',
                        *VIEW)
    wait_for(lambda: follower.out().count('\n') > 10, 'some tables')
    place.end(rec, KILL)
    follower.ends(1)
    want_in('a.gpsnap: its recorder ended without closing it',
            follower.err(), 'message')
    same_tables(place, follower, 'a.gpsnap', '--ticks', '-f', 'csv', *VIEW)


def another_recorder_in_the_directory(place):
    """The second begins while the first one is followed to its end."""
    place.run('-o', 'd/', '-i', '0.1', '-n', '3')
    rec = place.start('-o', 'd/', '-i', '0.1')
    wait_for(lambda: len(place.files('d')) == 2, 'a second recording')
    follower = Follower(place, 'd', '--from', '-1h', '-f', 'csv', *VIEW)
    wait_for(lambda: follower.out().count('\n') > 15, 'some tables')
    place.end(rec, INT)
    place.run('-o', 'd/', '-i', '0.1', '-n', '10')
    want(len(place.files('d')), 3, 'recordings')
    want(follower.proc.wait(timeout=30) in (0, 1), True,  # with holes
         follower.err())
    same_tables(place, follower, 'd', '--ticks', '-f', 'csv', *VIEW)


def it_is_interrupted(place):
    place.start('-o', 'gpsnap/', '-i', '0.1')
    wait_for(lambda: os.path.isdir(place.path('gpsnap')) and
             place.files('gpsnap'), 'a file')
    follower = Follower(place, '-V', 'hosts')  # of the default place
    wait_for(lambda: len(re.findall(r'^\d\d:\d\d:', follower.out(), re.M)) > 2,
             'some tables')
    follower.proc.send_signal(INT)
    follower.ends(0)
    want(follower.err(), '', 'messages')


def before_the_first_sample(place):
    """The agent has not answered yet: it waits for it."""
    place.start('-o', 'a.gpsnap', '-i', '0.2', FAKE_DELAY_MS=600)
    wait_for(lambda: os.path.exists(place.path('a.gpsnap')), 'the file')
    follower = Follower(place, 'a.gpsnap', '-n', '1', '-f', 'csv', *VIEW)
    follower.ends(0)
    assert follower.out().count('\n') > 1, follower.out()


def looking_back(place):
    """The overview and windows, of the newest tick each time."""
    place.start('-o', 'a.gpsnap', '-i', '0.1')
    wait_for(lambda: size(place.path('a.gpsnap')) > 2000, 'some ticks')
    follower = Follower(place, 'a.gpsnap', '-n', '3')
    follower.ends(0)
    want(follower.out().count('\nsessions\n'), 3, follower.out())
    follower = Follower(place, 'a.gpsnap', '-n', '2', '-W', '0.2s,0.4s',
                        '-V', 'hosts', '-f', 'json')
    follower.ends(0)
    tables = [json.loads(line) for line in follower.out().splitlines()]
    want([t['window_seconds'] for t in tables], [0.2, 0.4] * 2, 'windows')
    assert tables[0]['to'] == tables[1]['to'] < tables[2]['to'], tables


def a_terminal_is_drawn_anew(place):
    place.start('-o', 'a.gpsnap', '-i', '0.1')
    wait_for(lambda: size(place.path('a.gpsnap')) > 200, 'a first tick')
    master, slave = pty.openpty()
    follower = Follower(place, 'a.gpsnap', '-n', '3', '-V', 'hosts',
                        stdout=slave)
    os.close(slave)
    shown = b''
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            shown += os.read(master, 65536)
        except OSError:  # nobody writes any more
            break
    follower.ends(0)
    screens = shown.split(b'\033[H\033[2J')
    want(len(screens), 4, shown)
    for screen in screens[1:]:
        want(screen.count(b'a.gpsnap'), 1, 'the lines above the table')
        want(screen.count(b'HOST'), 1, 'one table')


def between_two_files(place):
    """A recorder that rotates holds no lock of a file for a moment."""
    place.run('-o', 'f.gpsnap', '-i', '0.1', '-n', '20', '--rotate-size', '4K',
              FAKE_PROCESSES=20, FAKE_NOISE=100)
    first = 'f.gpsnap'
    others = [f for f in written(place, first) if f != first]
    want(len(others) > 0, True, 'files')
    for f in others:
        os.rename(place.path(f), place.path(f + '.away'))
    follower = Follower(place, first, '--from', '-1h', '-f', 'csv', *VIEW)
    time.sleep(0.3)
    for f in others:
        os.rename(place.path(f + '.away'), place.path(f))
    if place.busy() and follower.proc.wait(timeout=180) == 2:
        return  # it began to look when they were all there
    follower.ends(0)
    followed, replayed = follower.out(), replay(
        place, first, *others, '--ticks', '-f', 'csv', *VIEW)
    want([followed.count('\n') > 1, followed.splitlines()[-1]],
         [True, replayed.splitlines()[-1]], 'the last line')


def nobody_records(place):
    place.run('-o', 'a.gpsnap', '-i', '0.1', '-n', '2')
    for args, status, text in (
            (['a.gpsnap'], 2, 'nobody is recording there now'),
            (['.'], 2, 'nobody is recording there now'),
            ([], 2, 'gpsnap/: no such directory'),
            (['b.gpsnap'], 2, 'b.gpsnap: No such file'),
            (['-'], 64, '--follow needs a file'),
            (['a.gpsnap', '-V', 'hosts', '-f', 'openmetrics'], 64,
             'one instant')):
        follower = Follower(place, *args)
        follower.ends(status)
        want_in(text, follower.err(), args)


main([across_rotations, every_step, from_the_newest_tick_on, killed,
      another_recorder_in_the_directory, it_is_interrupted,
      before_the_first_sample, looking_back, a_terminal_is_drawn_anew,
      between_two_files, nobody_records])
