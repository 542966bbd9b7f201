#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What a thinned recording from a stranger tells of waits: activities without a name,
amounts of any size, many of one row.  Every command goes on, or says why not."""
import itertools
import json
import os
import subprocess
import sys

import zstandard

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
sys.path.insert(0, os.path.join(HERE, '..'))
import gstest  # noqa: E402
import reader  # noqa: E402
from hostile_files import File, data  # noqa: E402

SAMPLE = os.path.join(gstest.TOP, 'samples', 'postgresql15-incident.gpsnap')
BACKEND = 12
PROCESS = 7
VIEWS = ('processes', 'time_model', 'system_event', 'session_event', 'query_event',
         'waits', 'sessions', 'queries')
MANY = 20000
ENV = dict(os.environ, TZ='UTC', LC_ALL='C.UTF-8')


def gpsnap(*argv, status=(0, 1)):
    done = subprocess.run([gstest.binary('gpsnap'), *argv], env=ENV,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    gstest.check(done.returncode in status, 'gpsnap %s: %d\n%s' % (
        ' '.join(argv), done.returncode, done.stderr.decode()))
    return done.stdout


def ticks_of(path):
    """Each as a message, as a frame of its own has it."""
    r = reader.read(path)
    unzip = zstandard.ZstdDecompressor()
    for frame, comp in r.frames():
        for tick in r.ticks_of(unzip, frame, comp):
            for host in tick.host:
                for entity in host.entity:
                    del entity.columns[:]  # they are in column
                    for c in entity.column:
                        for name in ('rows', 'diffs', 'texts', 'gones'):
                            c.ClearField(name)
            yield tick


def write(path, ticks):
    f = File()
    for t in ticks:
        f.put(t.key, t.seq, t.wall_ns, data(1, data(1, t.SerializeToString())))
    with open(path, 'wb') as out:
        out.write(f.end())


def told(ticks):
    for t in ticks[1:]:
        for host in t.host:
            for entity in host.entity:
                yield from ((entity, w) for w in entity.waited)


def unnamed(ticks):
    entity, w = next((e, w) for e, w in told(ticks) if e.entity == BACKEND)
    entity.waited.add(slot=w.slot, kind=4, amount=[10 ** 9, 1])
    entity.waited.add(slot=w.slot, kind=4, amount=[10 ** 9, 1])


def many(ticks):
    entity, w = next((e, w) for e, w in told(ticks)
                     if e.entity == BACKEND and w.event)
    for i in range(MANY):
        entity.waited.add(slot=w.slot, kind=4, event=w.event, query_id=i,
                          has_query_id=True, amount=[10 ** 9, 1])


def amounts(value):
    def change(ticks):
        n = 0
        for _, w in told(ticks):
            if w.kind < 8:
                n += 1
                for i in range(len(w.amount)):
                    w.amount[i] = value
        gstest.check(n > 20, 'waits of the sample: %d' % n)
    return change


def threads(value):
    """Processes that stay claim that their threads were there for so long."""
    def change(ticks):
        of = [entity for t in ticks for host in t.host for entity in host.entity
              if entity.entity == PROCESS]
        gone = {slot for e in of for gaps in (e.closed_gap, e.ended_gap)
                for slot in itertools.accumulate(gaps)}
        stay = sorted(set(range(20)) - gone)
        gstest.check(len(of) > 3 and len(stay) > 3, 'processes that stay')
        for entity in of[1:]:
            for slot in stay:
                entity.waited.add(slot=slot, kind=10, amount=[value])
    return change


MOST = 1 << 60  # what an amount may be
VALUES = ((1 << 63) - 1, -(1 << 63), -10 ** 9, (1 << 62) + 5, MOST, -MOST, MOST + 1)
ATTACKS = {
    'unnamed': unnamed, 'many': many,
    **{'amounts %d' % v: amounts(v) for v in VALUES},
    **{'threads %d' % v: threads(v) for v in VALUES},
}
VALUE_OF = {'%s %d' % (of, v): v for v in VALUES for of in ('amounts', 'threads')}


def check(path, out, name):
    beyond = abs(VALUE_OF.get(name, 0)) > MOST
    said = gpsnap('verify', path, status=(1 if beyond else 0,))
    gstest.check((b'has an amount that is out of bounds' in said) == beyond,
                 '%s: %r' % (name, said))
    for view in VIEWS:
        gpsnap('replay', path, '-V', view, '--every', '10s')
        said = gpsnap('replay', path, '-V', view, '-f', 'json', '-l', '0', *(
            ['-c', '+wall_seconds'] if view == 'processes' else []))
        for row in json.loads(said.splitlines()[0])['rows']:
            for column in ('seconds', 'db_time_seconds', 'samples', 'wall_seconds'):
                value = row.get(column)
                gstest.check(value is None or value >= 0, '%s: %s: %s: %r' % (
                    name, view, column, value))
    for argv in (['thin', path, '--every', '1m'], ['cut', path],
                 ['report', path], ['merge', path, path]):
        gpsnap(*argv, '-q', '-o', out, '--force',
               # a sum of two may be beyond
               status=(0, 1, 2) if abs(VALUE_OF.get(name, 0)) >= MOST // 2
               else (0, 1))
    gpsnap('diff', path, path)


def main():
    with gstest.TempDir() as tmp:
        thin, path, out = (tmp.file(n) for n in ('thin', 'path', 'out'))
        gpsnap('thin', SAMPLE, '-o', thin, '--every', '7s', '-q')
        for name, attack in ATTACKS.items():
            ticks = list(ticks_of(thin))
            attack(ticks)
            write(path, ticks)
            check(path, out, name)


if __name__ == '__main__':
    main()
