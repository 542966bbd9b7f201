# SPDX-License-Identifier: Apache-2.0
"""Runs catalog_dump and reads what it says."""
import json
import os
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest

DATABASE_UP, DATABASE_DOWN, REFUSED, NOTE = 12, 13, 6, 1
SEGMENT, SESSION = 14, 15

# No call of the catalog may take longer than this, whatever the server does.
# Generous: the machine may be busy with other tests.
BLOCK_US = 1000000

# A host on which libpq is not installed: the same by the server's psql.
BY_PSQL = os.environ.get('GS_ASKS') == 'psql'
NO_LIBPQ = {'LD_PRELOAD': os.environ.get('GS_NOLIBPQ', '')} if BY_PSQL else {}


class Dump:
    """catalog_dump in the background; its lines as they come."""

    def __init__(self, pg, *argv, env=None, ticks=100000, interval=100):
        self.child = subprocess.Popen(
            [gstest.binary('catalog_dump'), '-n', str(ticks), '-i',
             str(interval), *argv], env={**pg.env(), **NO_LIBPQ, **(env or {})},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines = []
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def read(self):
        for line in self.child.stdout:
            self.lines.append(json.loads(line))

    def stop(self):
        if self.child.poll() is None:
            self.child.kill()
        self.child.wait()
        self.reader.join()
        # a sanitizer's report, if there is one
        err = self.child.stderr.read().decode('utf-8', 'replace')
        gstest.check(err == '', 'catalog_dump: ' + err)
        self.child.stdout.close()
        self.child.stderr.close()
        self.check_blocking()

    def check_blocking(self):
        worst = max((t['block_us'] for t in self.lines), default=0)
        gstest.check(worst < BLOCK_US, 'a call took %d us' % worst)

    def now(self):
        """The newest tick."""
        gstest.wait_for('a tick', lambda: self.lines)
        return self.lines[-1]

    def until(self, what, test, seconds=180.0, since=None):
        """The first tick from now on, or from that number of ticks on, of which
        test says something true."""
        seen = [max(0, len(self.lines) - 1) if since is None else since]

        def look():
            while seen[0] < len(self.lines):
                tick = self.lines[seen[0]]
                seen[0] += 1
                if test(tick):
                    return tick
            gstest.check(self.child.poll() is None or
                         seen[0] < len(self.lines),
                         '%s: catalog_dump ended' % what)
            return None
        try:
            return gstest.wait_for(what, look, seconds)
        except SystemExit:
            print('events:', self.events())
            print('newest:', json.dumps(self.lines[-1])[:3000])
            raise

    def describes(self, what, test=lambda described: True):
        """The first tick of all whose description of the server says so: most
        have none, and on a slow machine it may have come before this is asked."""
        return self.until(what, lambda t: t['described'] and
                          test(t['described']), since=0)

    def pause(self, ticks):
        """That many ticks further."""
        want = len(self.lines) + ticks
        gstest.wait_for('ticks', lambda: len(self.lines) >= want)
        return self.lines[-1]

    def events(self, kind=None):
        """Texts of all events so far."""
        return [text for tick in list(self.lines)
                for k, text in tick['events'] if kind in (None, k)]


def others(tick):
    """Client backends by application, without our own."""
    return {row['application']: row for row in tick['rows'].get('backend', ())
            if row['application'] not in ('', 'gpsnap') and
            row.get('type') != 'parallel worker'}


def collector(tick, name):
    """The row of a collector, or None."""
    for row in tick['rows'].get('collector', ()):
        if row['name'] == name:
            return row
    return None


class Sessions:
    """psql sessions of a server that are given statements."""

    def __init__(self, pg):
        self.pg = pg
        self.all = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for child in self.all.values():
            child.kill()
            child.wait()
            child.stdin.close()

    def say(self, name, sql):
        """In the session of that application name; does not wait."""
        if name not in self.all:
            self.all[name] = self.pg.popen(
                ['psql', '-X', '-q', 'application_name=' + name],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
        self.all[name].stdin.write(sql.encode() + b';\n')
        self.all[name].stdin.flush()

    def end(self, name):
        child = self.all.pop(name)
        child.stdin.close()
        child.wait()


def ours(pg):
    """Pids of gpsnap's backends, asked of the server itself."""
    return [int(p) for p in pg.sql(
        "select pid from pg_stat_get_activity(null) "
        "where application_name = 'gpsnap' order by pid").split()]


def is_gone(pid):
    return not os.path.exists('/proc/%d' % pid)


def now_us():
    return time.time_ns() // 1000
