#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What a recorder watches for, and what it does then, whatever becomes of the
commands; by the real agent, without a database."""
import json
import os
import subprocess
import time

from rec import (TERM, gstest, main, reader, wait_for, want, want_in,
                 want_well)

ALWAYS = 'host.busy >= 0'


def script(p, name, text):
    with open(p.path(name), 'w', encoding='utf-8') as f:
        f.write('#!/bin/sh\n' + text)
    os.chmod(p.path(name), 0o755)


def config(p, text):
    with open(p.path('conf'), 'w', encoding='utf-8') as f:
        f.write(text)
    return {'GPSNAP_CONFIG': p.path('conf')}


def status(p):
    return json.loads(gstest.gpsnap('status', '-f', 'json',
                                    p.path('a.gpsnap'), status=(0, 1)))


def from_configuration(p):
    """Names are those of sections; a script that fails is a warning."""
    script(p, 'page', 'cat > got\nexit 3\n')
    env = config(p, '[watch busy]\non = %s\ndo = mark,run:./page\n' % ALWAYS)
    proc = p.start('-i', 0.5, '-d', 3, '-o', 'a.gpsnap', **env)
    ended = p.end(proc)
    want_well(ended)
    want_in('watch busy: ./page ended with status 3', ended[1], 'warning')
    with open(p.path('got'), encoding='utf-8') as f:
        got = json.loads(f.read())
    want((got['rule'], got['event']), (ALWAYS, 'begin'), 'finding')
    (mark,) = [e.text.decode() for e in p.read('a.gpsnap').events('mark')]
    want_in('watch busy: busy_percent', mark, 'mark')


def commands_that_misbehave(p):
    """No tick waits for them, nor does the end."""
    script(p, 'hangs', 'exec sleep 15\n')
    script(p, 'deaf', 'exec <&-\nexit 0\n')
    with open(p.path('said'), 'w+', encoding='utf-8') as said:
        proc = p.start('-i', 0.2, '-d', 4, '-o', 'a.gpsnap', '--on', ALWAYS,
                       '--do', 'run:./hangs', '--on', 'host.cpus > 0', '--do',
                       'run:./deaf', '--on', 'host.cpus > 0', '--do', 'mark',
                       stderr=said)
        status = proc.wait(timeout=10)
        said.seek(0)
        want_well((status, said.read()))
    rec = p.read('a.gpsnap')
    want(len(rec.ticks) >= 10, True, 'ticks: %d' % len(rec.ticks))


def faster_for_a_while(p):
    """Ticks, their interval in the file, and what reads it."""
    ended = p.run('-i', 1, '-d', 8, '-o', 'a.gpsnap', '--on', ALWAYS,
                  '--do', 'fast:0.2s/3s')
    want_well(ended)
    rec = p.read('a.gpsnap')
    paces = [h.interval_ns for h in rec.headers]
    want((paces[0], min(paces), paces[-1]), (10**9, 2 * 10**8, 10**9),
         'intervals')
    short = [b - a for a, b in zip(rec.walls(), rec.walls()[1:])
             if b - a < 3 * 10**8]
    if not p.busy():
        want(13 <= len(short) <= 17, True, 'short steps: %d' % len(short))
    ends = gstest.OF_BUSY if p.busy() else 0
    for command in (['verify'], ['replay', '-V', 'hosts', '--ticks'],
                    ['thin', '--every', '2s', '-o', p.path('t.gpsnap')]):
        gstest.gpsnap(command[0], p.path('a.gpsnap'), *command[1:], status=ends)
    gstest.gpsnap('sar', '-u', '-f', p.path('a.gpsnap'), status=ends)
    hosts = gstest.replay_json(p.path('a.gpsnap'), '-V', 'hosts', status=ends)
    want(p.busy() or hosts[-1]['holes'] == [], True,
         'holes: %r' % hosts[-1]['holes'])


def kept_in_memory(p):
    """Nothing is written in peace but the first tick; a mark lets it out, and
    so does the end.  The memory is bounded."""
    proc = p.start('-i', 0.2, '--before', '2s', '--before-memory',
                   '100K', '--on', 'host.busy > 200%', '-o', 'a.gpsnap')
    wait_for(lambda: os.path.exists(p.path('a.gpsnap')), 'the file')
    time.sleep(5)
    said = status(p)
    want(said['ticks_written'], 1, 'ticks written')
    want(5 <= said['kept_ticks'] <= 20, True, 'ticks in memory')
    want(said['kept_bytes'] <= 100 << 10, True, 'bytes in memory')
    gstest.gpsnap('mark', p.path('a.gpsnap'), 'now')
    wait_for(lambda: status(p)['ticks_written'] > 10, 'ticks before the mark')
    time.sleep(4)
    wait_for(lambda: status(p)['kept_ticks'] > 2, 'memory again')
    ended = p.end(proc, TERM)
    want_well(ended)
    rec = p.read('a.gpsnap')
    want(rec.closed, True, 'closed')
    want(len(rec.events('stop')), 1, 'its end is written')


def little_memory(p):
    """What is let out is written, also where the memory is too small for what
    is to be kept, and for one frame; and so is the end, also of a recorder that
    had 2 s of peace again."""
    for memory in ('40K', '1K'):
        proc = p.start('-i', 0.1, '--before', '2s', '--before-memory', memory,
                       '--on', 'host.busy > 200%', '-o', 'a.gpsnap')
        wait_for(lambda: os.path.exists(p.path('a.gpsnap')), 'the file')
        time.sleep(3)
        gstest.gpsnap('mark', p.path('a.gpsnap'), 'now')
        wait_for(lambda: status(p)['ticks_written'] > 10, 'ticks')
        want_well(p.end(proc, TERM))
        rec = p.read('a.gpsnap')
        want(len(rec.events('mark')), 1, 'marks')
        at = [t.seq for t in rec.ticks if any(
            reader.EVENTS[e.kind] == 'mark' for e in t.event)][0]
        after = [seq for seq in rec.seqs() if seq >= at][:-1]
        want(after, list(range(at, at + len(after))), 'ticks after the mark')
        os.remove(p.path('a.gpsnap'))


if __name__ == '__main__':
    main([from_configuration, commands_that_misbehave, faster_for_a_while,
          kept_in_memory, little_memory], fake=False)
