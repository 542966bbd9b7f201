#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""DB time by class and event, as gpsnap estimates it, is what psql finds that
asks pg_stat_activity ten times a second, as far as samples can tell.

Four clients queue for one row, two work as pgbench does, one reads more than
shared_buffers holds, one is idle in a transaction.  Both samplers see the
same twenty seconds, at instants of their own.

The share of a class in DB time is a ratio of sums over samples.  Its standard
error comes from sums over blocks of a second (batch means): within a block
samples are alike, as waits outlast the interval; from block to block they
hardly are.  Two shares may differ by four standard errors of the difference,
and by one sighting of one backend.
"""
import collections
import datetime
import math
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest

SECONDS = 20
BLOCK = 1.0
ERRORS = 4

LOCK = """begin;
update pgbench_branches set bbalance = bbalance + 1 where bid = 1;
select pg_sleep(0.2);
commit;
"""
READ = 'select sum(abalance) from pgbench_accounts;\n'

# What counts as active, said independently of gpsnap.
ASK = """select extract(epoch from clock_timestamp()),
    coalesce(wait_event_type, 'CPU*'), coalesce(wait_event, ''), count(*)
from pg_stat_activity
where pid <> pg_backend_pid() and application_name <> 'gpsnap'
    and case when backend_type in ('client backend', 'parallel worker')
        then state in ('active', 'fastpath function call')
        else wait_event_type is distinct from 'Activity'
            and wait_event is distinct from 'CheckpointWriteDelay'
            and wait_event is distinct from 'VacuumDelay' end
group by 2, 3
union all select extract(epoch from clock_timestamp()), '', '', 0
\\watch 0.1
"""


class Load:
    """Clients that work until they are stopped."""

    def __init__(self, pg):
        self.pg = pg
        self.children = []

    def __enter__(self):
        for name, text in (('lock', LOCK), ('read', READ)):
            with open(self.pg.tmp.file(name + '.sql'), 'w') as f:
                f.write(text)
        self.start('pgbench', '-n', '-c', '4', '-j', '1', '-T', '600', '-f',
                   self.pg.tmp.file('lock.sql'))
        self.start('pgbench', '-n', '-c', '2', '-j', '1', '-T', '600', '-N')
        self.start('pgbench', '-n', '-c', '1', '-T', '600', '-f',
                   self.pg.tmp.file('read.sql'))
        idle = self.start('psql', '-X', '-q', stdin=subprocess.PIPE)
        idle.stdin.write(b'begin; select 1;\n')
        idle.stdin.flush()
        gstest.wait_for('clients', lambda: self.pg.sql(
            "select count(*) from pg_stat_activity where application_name "
            "= 'pgbench'") == '7')
        return self

    def start(self, *argv, **more):
        self.children.append(self.pg.popen(
            argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            **more))
        return self.children[-1]

    def __exit__(self, *_):
        for child in self.children:
            child.kill()
            child.wait()


def sampled(text):
    """{instant: {(class, event): backends}} of what psql wrote."""
    out = collections.defaultdict(dict)
    for line in text.splitlines():
        part = line.split('|')
        if len(part) != 4:
            continue
        at = round(float(part[0]), 2)  # all lines of an answer
        if part[1]:
            out[at][part[1], part[2]] = int(part[3])
        else:
            out.setdefault(at, {})
    return dict(out)


def tables(path, since, until, *argv):
    return gstest.replay_json(
        path, '-V', 'time_model', '--top', '1000', '--min-pct', '0',
        '--from', '%.3f' % since, '--to', '%.3f' % until, *argv)


def instant(text):
    return datetime.datetime.fromisoformat(
        text[:26].rstrip('Z') + '+00:00').timestamp()


def times(table):
    """{(class, event): seconds} of a table, events only."""
    out, of_class = {}, {}
    for row in table['rows']:
        name = row['stat']
        if name.startswith('  ') and ':' in name:
            kind, _, event = name.strip().partition(':')
            out[kind, event] = row['seconds']
        elif name[0] not in ' (' and name != 'DB time':
            of_class[name] = row['seconds']
    for kind, seconds in of_class.items():
        rest = seconds - sum(v for k, v in out.items() if k[0] == kind)
        if rest > 1e-6:  # a class without events
            out[kind, ''] = rest
    return out


def by_class(sums):
    out = collections.Counter()
    for (kind, _), value in sums.items():
        out[kind] += value
    return out


class Series:
    """What one sampler saw: [(instant, {what: weight})]."""

    def __init__(self, samples):
        self.samples = samples
        self.total = sum(sum(s.values()) for _, s in samples)
        self.seen = len(samples)

    def share(self, what):
        return sum(s.get(what, 0) for _, s in self.samples) / self.total

    def error(self, what):
        """Standard error of the share, by sums over blocks."""
        share = self.share(what)
        block = collections.Counter()
        for at, s in self.samples:
            block[int(at / BLOCK)] += (s.get(what, 0) -
                                       share * sum(s.values()))
        n = len(block)
        mean = sum(block.values()) / n
        spread = sum((v - mean) ** 2 for v in block.values()) / (n - 1)
        return math.sqrt(n * spread) / self.total

    def sighting(self):
        """Share of one backend that is seen once."""
        return min(v for _, s in self.samples
                   for v in s.values() if v > 1e-6) / self.total


def compare(title, ours, theirs, least):
    """Prints both, and fails where they differ by more than chance."""
    names = sorted({w for _, s in ours.samples + theirs.samples for w in s},
                   key=lambda w: -theirs.share(w))
    print('%-34s %8s %8s %8s %8s' % (title, 'gpsnap', 'psql', 'differ',
                                     'may'))
    wrong, main = [], 0
    for what in names:
        a, b = ours.share(what), theirs.share(what)
        may = ERRORS * math.hypot(ours.error(what), theirs.error(what)) + \
            ours.sighting() + theirs.sighting()
        if max(a, b) < least:
            continue
        print('%-34s %7.1f%% %7.1f%% %7.1f%% %7.1f%%' % (
            what if isinstance(what, str) else ':'.join(what).rstrip(':'),
            100 * a, 100 * b, 100 * (a - b), 100 * may))
        if abs(a - b) > may:
            wrong.append(what)
        main += max(a, b) > 2 * may
    gstest.check(not wrong, '%s: more than chance: %r' % (title, wrong))
    return main


def take(pg, path):
    """Both samplers for a while; what psql wrote, and the range."""
    dsn = 'host=%s port=%d user=%s dbname=postgres' % (
        pg.tmp.path, pg.port, pg.owner.pw_name)
    psql = pg.popen(['psql', '-X', '-q', '-A', '-t'], stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with gstest.Recorder(path, '-i', '0.2', '--dsn', dsn) as recorder:
        recorder.wait_ticks(5)
        psql.stdin.write(ASK.encode())
        psql.stdin.flush()
        time.sleep(1)
        since = time.time()
        time.sleep(SECONDS)
        until = time.time()
        psql.send_signal(signal.SIGINT)
        psql.stdin.close()
        text = psql.stdout.read().decode()
        psql.wait()
        recorder.stop()
    return text, since, until


def check(path, text, since, until):
    theirs = sorted((at, s) for at, s in sampled(text).items()
                    if since <= at <= until)
    ticks = tables(path, since, until, '--ticks')
    (whole,) = tables(path, since, until)
    ours = [(instant(t['to']), times(t)) for t in ticks]
    gstest.near(sum(times(whole).values()),
                sum(sum(s.values()) for _, s in ours), 1e-6,
                'a range of %d ticks and %d of them, by class: %r, %r' % (
                    whole['ticks'], len(ticks), by_class(times(whole)),
                    sum((by_class(s) for _, s in ours), collections.Counter())))
    gstest.check(len(theirs) > 5 * SECONDS, 'psql took %d samples only' %
                 len(theirs))
    gstest.check(whole['covered_seconds'] > 0.9 * SECONDS,
                 'covered: %g s' % whole['covered_seconds'])
    print('%d samples by gpsnap, %d by psql, %.1f s' % (
        len(ours), len(theirs), until - since))
    mine = sum(sum(s.values()) for _, s in ours) / whole['covered_seconds']
    print('AAS: gpsnap %.2f, psql %.2f' % (
        mine, sum(sum(s.values()) for _, s in theirs) / len(theirs)))
    main = compare('class', Series([(at, by_class(s)) for at, s in ours]),
                   Series([(at, by_class(s)) for at, s in theirs]), 0.0)
    gstest.check(main >= 2, 'no class stands out: nothing was compared')
    compare('event', Series(ours), Series(theirs), 0.01)
    gstest.check(Series(theirs).share(('Lock', 'transactionid')) > 0.05,
                 'nobody waited for the row')


def main():
    gstest.binary('gpsnap')
    settings = ('shared_buffers=1MB', 'max_connections=30')
    with gstest.Postgres(settings=settings) as pg, gstest.TempDir() as tmp:
        path = tmp.file('waits.gpsnap')
        pg.run('pgbench', '-i', '-q', '-s', '3')
        with Load(pg):
            text, since, until = take(pg, path)
        check(path, text, since, until)


if __name__ == '__main__':
    main()
