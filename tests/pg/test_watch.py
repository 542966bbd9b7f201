#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A recorder watches a real pile-up at a lock: it samples more often for a
while, sets a mark, and runs a command with the finding, in which recorded text
is only ever text."""
import json
import os
import subprocess
import sys
import time

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'),
                os.path.join(os.path.dirname(os.path.abspath(__file__)), '..',
                             'lib')]
import gstest
import reader

WAITERS = 7
LOCK_RULES = ('idle in transaction', 'lock pile-up', 'lock wait')
HOSTILE = "$(touch pwned)'; touch pwned; `touch pwned` \" | & {x} [y]"
PAGE = '''#!/bin/sh
# What arrived: the standard input, the environment, open descriptors.
cat > "$0.json"
env > "$0.env"
ls -l /proc/self/fd > "$0.fd"
'''


class Pile:
    """Sessions that wait for one."""

    def __init__(self, pg):
        self.pg = pg
        name = HOSTILE.replace("'", "''")[:60]
        self.holder = self.psql(
            "set application_name = '%s';\nbegin; lock table t;\n" % name)
        gstest.wait_for('the lock', lambda: pg.sql(
            "select 1 from pg_locks where mode = 'AccessExclusiveLock' "
            "and relation = 't'::regclass"))
        self.waiters = [self.psql('select * from t /* %s */;\n' % HOSTILE)
                        for _ in range(WAITERS)]
        gstest.wait_for('waiters', lambda: pg.sql(
            'select count(*) from pg_locks where not granted') == str(WAITERS))

    def psql(self, text):
        child = self.pg.popen(['psql', '-X', '-q'], stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
        child.stdin.write(text.encode())
        child.stdin.flush()
        return child

    def end(self):
        for child in [self.holder] + self.waiters:
            child.stdin.close()
        for child in [self.holder] + self.waiters:
            child.wait()


class Recorder:
    """gpsnap record -i 1 into x.gpsnap of a directory."""

    def __init__(self, pg, tmp, *args, **env):
        self.path = tmp.file('x.gpsnap')
        self.proc = subprocess.Popen(
            [gstest.binary('gpsnap'), 'record', '-q', '-i', '1', '-o',
             self.path, *args], env=dict(pg.env(), HOME=tmp.path, **env),
            cwd=tmp.path, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        gstest.wait_for('it records', lambda: os.path.exists(self.path))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.proc.poll() is None:
            self.proc.kill()
            self.proc.wait()

    def status(self):
        out = subprocess.run(
            [gstest.binary('gpsnap'), 'status', '-f', 'json', self.path],
            stdout=subprocess.PIPE, check=False).stdout
        return json.loads(out)

    def stop(self):
        """Its messages."""
        self.proc.send_signal(15)
        return self.proc.communicate(timeout=30)[1].decode()


def ticks_of(path):
    return [state.tick for state in reader.read(path).ticks()]


def check_interval(path):
    """Ticks are a second apart, then a fifth of one, then a second."""
    ticks = ticks_of(path)
    kinds = [t.header.interval_ns for t in ticks if t.key]
    gstest.check(10**9 in kinds and 2 * 10**8 in kinds and
                 kinds[-1] == 10**9, 'intervals of keys: %s' % kinds)
    steps = [round((b.wall_ns - a.wall_ns) / 1e9, 1)
             for a, b in zip(ticks, ticks[1:])]
    gstest.check(steps.count(0.2) >= 10, 'steps: %s' % steps)
    gstest.check(steps[0] > 0.5 and steps[-2] > 0.5, 'steps: %s' % steps)
    gstest.equal([t.seq for t in ticks],
                 list(range(ticks[0].seq, ticks[0].seq + len(ticks))),
                 'numbers of ticks')
    out = gstest.gpsnap('info', path, status=gstest.OF_BUSY).decode()
    gstest.check(' every 1s, ' in out and ' of them every 200ms, 1 time'
                 in out and 'holes      none' in out, out)


def check_finding(tmp):
    with open(tmp.file('page.sh.json'), encoding='utf-8') as f:
        text = f.read()
    gstest.equal(text.count('\n'), 1, 'one line')
    got = json.loads(text)
    gstest.equal(got['rule'], 'lock.waiters > 5 for 3s', 'rule')
    gstest.equal(got['severity'], 'warning', 'severity')
    gstest.equal(got['figures']['blocks'], WAITERS, 'figures')
    gstest.equal(got['file'], tmp.file('x.gpsnap'), 'file')
    gstest.check(got['next'].startswith('gpsnap replay ') and
                 '-V locks --at' in got['next'], got['next'])
    gstest.check('blocks %d sessions' % WAITERS in got['sentence'] or
                 'blocks %d' % WAITERS in got['sentence'], got['sentence'])
    with open(tmp.file('page.sh.env'), encoding='utf-8') as f:
        env = f.read()
    gstest.check('\nGPSNAP_RULE=lock.waiters > 5 for 3s\n' in '\n' + env, env)
    gstest.check('GPSNAP_SAYS=' in env and 'GPSNAP_FILE=' in env, env)
    with open(tmp.file('page.sh.fd'), encoding='utf-8') as f:
        fds = [x for x in f.read().splitlines() if '->' in x]
    # 0, 1, 2, and that of ls itself
    gstest.check(len(fds) <= 4 and 'socket' not in ' '.join(fds), str(fds))
    gstest.check(' 0 -> pipe:' in fds[0], 'a script may open /dev/stdin')
    gstest.check(not os.path.exists(tmp.file('pwned')), 'recorded text ran')


def check_hostile(tmp):
    """The name of an application is text, whatever it looks like."""
    with open(tmp.file('two.sh.json'), encoding='utf-8') as f:
        got = json.loads(f.read())
    gstest.equal(got['rule'], 'idle in transaction', 'rule')
    gstest.check("$(touch pwned)'; touch pwned; `touch pwned`" in
                 got['sentence'], got['sentence'])
    with open(tmp.file('two.sh.env'), encoding='utf-8') as f:
        env = f.read()
    gstest.check("GPSNAP_SAYS=" in env and '$(touch pwned)' in env, env)
    gstest.check(not os.path.exists(tmp.file('pwned')), 'recorded text ran')


def check_marks(path):
    marks = [e for t in ticks_of(path) for e in t.event
             if reader.EVENTS[e.kind] == 'mark']
    gstest.equal(len(marks), 1, 'marks')
    gstest.check('watch lock.waiters > 5 for 3s: blocks %d' % WAITERS
                 in marks[0].text.decode(), marks[0].text)


def script(tmp, name, text):
    with open(tmp.file(name), 'w', encoding='utf-8') as f:
        f.write(text)
    os.chmod(tmp.file(name), 0o755)


def watch_during(pg, tmp, rec):
    """A pile-up of some seconds."""
    pile = Pile(pg)
    try:
        gstest.wait_for('the command',
                        lambda: os.path.exists(tmp.file('page.sh.fd')))
        gstest.wait_for('the interval',
                        lambda: rec.status()['interval_seconds'] == 0.2)
        said = rec.status()
        watch = said['watch_list'][0]
        gstest.equal([watch['held'], watch['times'], watch['runs']],
                     [1, 1, 1], 'status %s' % watch)
        gstest.check(said['watch_dropped'] == 0 and
                     said['watch_bytes'] > 0, 'status %s' % said)
        time.sleep(6)
    finally:
        pile.end()
    gstest.wait_for('its end', lambda: [
        w['held'] for w in rec.status()['watch_list']] == [0, 0])
    gstest.wait_for('the interval',
                    lambda: rec.status()['interval_seconds'] == 1)
    time.sleep(2.5)


def acceptance(pg):
    with gstest.TempDir() as tmp:
        script(tmp, 'page.sh', PAGE)
        script(tmp, 'two.sh', PAGE)
        with Recorder(pg, tmp, '--on', 'lock.waiters > 5 for 3s', '--do',
                      'fast:0.2s/5s,mark,run:./page.sh', '--on',
                      'idle in transaction', '--do', 'run:./two.sh') as rec:
            time.sleep(2.5)
            watch_during(pg, tmp, rec)
            err = rec.stop()
        gstest.check('page.sh' not in err, err)
        check_finding(tmp)
        check_hostile(tmp)
        check_marks(rec.path)
        check_interval(rec.path)


def before(pg):
    """Only what was around the pile-up is written, and the first tick."""
    with gstest.TempDir() as tmp:
        with Recorder(pg, tmp, '-i', '0.5', '--before', '5s', '--on',
                      'finding:lock-pile-up for 1s') as rec:
            time.sleep(14)
            said = rec.status()
            gstest.equal(said['ticks_written'], 1, 'written in peace')
            gstest.check(10 <= said['kept_ticks'] <= 100 and
                         said['kept_bytes'] > 1000, 'kept %s' % said)
            pile = Pile(pg)
            try:
                gstest.wait_for('it to hold', lambda: rec.status()
                                ['watch_list'][0]['held'] == 1)
                time.sleep(4) # idle in transaction holds 3 s
            finally:
                pile.end()
            gstest.wait_for('the end', lambda: rec.status()['kept_ticks'] > 2)
            rec.stop()
        ticks = ticks_of(rec.path)
        (at,) = [e.wall_ns for t in ticks for e in t.event
                 if reader.EVENTS[e.kind] == 'mark']
        ages = [(at - t.wall_ns) / 1e9 for t in ticks]
        gap = max(a - b for a, b in zip(ages, ages[1:]))
        gstest.check(gap > 1 and ages[0] - ages[1] == gap,
                     'the hole is after the first tick: %s' % ages)
        gstest.check(ages[1] >= 4.5, 'ticks before: %s' % ages)
        gstest.check(ages[-1] <= -5, 'ticks after: %s' % ages)
        out = gstest.gpsnap('info', rec.path, status=(0, 1)).decode()
        gstest.check('not written to this file' in out, out)
        (row,) = [r for t in gstest.replay_json(rec.path, '-V', 'findings')
                  for r in t['rows'] if r['finding'] == 'idle in transaction']
        gstest.check(row['length_seconds'] > 2, str(row))


def alerts(pg):
    """Each finding begins and ends once, unless another one says it."""
    live = subprocess.Popen(
        [gstest.binary('gpsnap'), 'live', '-i', '1', '--alerts', '-f',
         'json'], env=pg.env(), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        time.sleep(2.5)
        pile = Pile(pg)
        try:
            time.sleep(6)
        finally:
            pile.end()
        time.sleep(8)
        live.send_signal(2)
        out, err = live.communicate(timeout=30)
    finally:
        if live.poll() is None:
            live.kill()
            live.wait()
    gstest.check(live.returncode in gstest.OF_BUSY, err.decode())
    said = [json.loads(x) for x in out.decode().splitlines()]
    # "lock pile-up" may stand before, after two seconds; "lock wait", after
    # five, was said already
    begun, ended = (sorted(x['rule'] for x in said if x['event'] == e and
                           x['rule'] in LOCK_RULES) for e in ('begin', 'end'))
    gstest.equal(begun, ended, 'what began has ended')
    gstest.check('idle in transaction' in begun and 'lock wait' not in begun,
                 'findings: %s' % begun)


def main():
    with gstest.Postgres() as pg:
        pg.sql('create table t (x int)')
        acceptance(pg)
        before(pg)
        alerts(pg)


if __name__ == '__main__':
    main()
