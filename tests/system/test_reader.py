#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The independent reader and gpsnap replay tell the same of a recording of
this host, and of those in samples/: CPU, IO and memory of every process that
was seen, and CPU of the host; and the index of the file leads to where its
frames stand."""
import glob
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
import reader

COLUMNS = ('pid', 'cpu_seconds', 'memory', 'rss', 'threads', 'ended',
           'read_chars_per_second', 'write_chars_per_second',
           'faults_per_second')
CPU_FIELDS = ('user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq',
              'steal')
# Work that lasts, and short-lived processes besides.
BUSY = ('i=0; while [ $i -lt 40 ]; do i=$((i+1)); '
        'head -c 3000000 /dev/zero | md5sum >/dev/null; sleep 0.05; done')


class Seen:
    """One process over the recording: last cells, by how much its counters
    grew, and since when they count."""

    def __init__(self, row, since):
        self.grown = {}
        self.since = since
        self.last = row
        self.last_ns = since
        self.ended = self.exited = False
        self.until = None  # when it ended, or was seen no more

    def again(self, since):
        """What it did while it was not seen does not count."""
        self.since += max(0, since - self.until)
        self.ended = False
        self.until = None

    def grow(self, amounts):
        for name, amount in amounts.items():
            self.grown[name] = self.grown.get(name, 0) + amount

    def seconds(self, end):
        """What exited counts as idle after it."""
        on = not self.ended or self.exited
        return ((end if on else self.until) - self.since) / 1e9

    def reaped(self):
        """It had children that ended, seen or not."""
        return self.grew('cminflt', 'cutime', 'cstime') > 0

    def grew(self, *names):
        if any(n not in self.last for n in names):
            return None
        return sum(self.grown.get(n, 0) for n in names)


def keys(rows):
    return {(r['pid'], r['start']) for r in rows}


def note(procs, rows, since, now):
    """Takes in rows of a tick; those seen anew count since then, or now."""
    for row in rows:
        key = (row['pid'], row['start'])
        if key not in procs:
            procs[key] = Seen(row, since.get(key, now))
        elif procs[key].ended:
            procs[key].again(since.get(key, now))
        procs[key].last = row
        procs[key].last_ns = now


def follow(path):
    """({(pid, start): Seen}, host rows, monotonic time of each tick).

    In a thinned recording, figures of what came or went between two ticks
    may be of all the time between them."""
    data = reader.read(path)
    procs, hosts, clock = {}, [], []
    for state in data.ticks():
        now = state.hosts[0].block.mono_ns
        thinned = state.header.thinned_ns > 0
        opened, closed = state.notes('process')
        rows = [row for _, row in state.rows('process')]
        ended = [row for _, row in state.ended('process')]
        there = keys(rows)
        grown = {(r['pid'], r['start']): amounts
                 for entity, _, r, amounts in state.growth()
                 if clock and entity == 'process'}
        since = dict.fromkeys(grown, clock[-1]) if clock and thinned else {}
        if clock:
            since.update(dict.fromkeys(
                keys(r for how, r in opened if how == 'born'), clock[0]))
        note(procs, rows + ended, since, now)
        for key, amounts in grown.items():
            procs[key].grow(amounts)
        for why, row in closed:
            key = (row['pid'], row['start'])
            if key in there:
                continue  # it came back at once
            seen = procs[key]
            seen.ended = True
            seen.exited = why == 'exited'
            seen.until = seen.last_ns
        hosts.append(state.rows('host')[0][1])
        clock.append(now)
    gstest.equal(data.damage, [], 'damage')
    return procs, hosts, clock


def named(frame, comp):
    """The ticks of a frame, as its list or the index frame names them."""
    if frame.kind == 3:
        return reader.group_list(frame, comp)[0]
    return [(frame.seq, frame.wall_ns, frame.kind, 0)]


def check_groups(pairs):
    gstest.equal([f.back_prev_key for f, _ in pairs],
                 [0] + [b[0].offset - a[0].offset
                        for a, b in zip(pairs, pairs[1:])], 'groups before')


def check_index(path):
    """Footer and distances back lead to the frames that were found."""
    data = reader.read(path)
    pairs = list(data.frames())
    gstest.equal(data.entries, [
        (f.offset, f.comp_len, f.raw_len, *tick) for f, comp in pairs
        for tick in named(f, comp)], 'footer')
    if all(frame.kind == 3 for frame, _ in pairs):
        check_groups(pairs)
        return
    key = before = None
    for i, (frame, comp) in enumerate(pairs):
        # with summaries a key is a group, of this tick only
        ((_, _, kind, _),) = named(frame, comp)
        # a part that was cut out begins later
        gstest.equal(frame.seq, pairs[0][0].seq + i, 'sequence')
        if kind == 1:
            before, key = key, frame.offset
            gstest.equal(frame.back_key, 0, 'key at %d' % frame.offset)
        else:
            gstest.equal(frame.offset - frame.back_key, key, 'back to key')
        want = frame.offset - before if before is not None else 0
        gstest.equal(frame.back_prev_key, want, 'back to the key before')


def same(got, want, what):
    if want is None:
        gstest.check(got is None, '%s: got %r, want nothing' % (what, got))
        return
    gstest.check(got is not None, '%s: got nothing, want %g' % (what, want))
    gstest.check(abs(got - want) <= 1e-6 * max(abs(want), 1e-3),
                 '%s: got %r, want %r' % (what, got, want))


def cpu_seconds(seen, hz):
    """By the CPU clock, else in clock ticks."""
    cpu = seen.grew('cpu')
    if cpu is not None:
        return cpu / 1e6
    ticks = seen.grew('utime', 'stime')
    return None if ticks is None else ticks / hz


def check_process(row, seen, seconds, hz):
    what = 'pid %d, ' % row['pid']
    last = seen.last
    if seconds == 0:  # seen once: nothing to compare
        same(row['faults_per_second'], None, what + 'faults')
        return
    same(row['cpu_seconds'], cpu_seconds(seen, hz), what + 'cpu_seconds')
    faults = seen.grew('minflt', 'majflt')
    same(row['faults_per_second'], faults / seconds, what + 'faults')
    if not seen.reaped():  # what its children did is in a row of its own
        for name, metric in (('read_chars_per_second', 'rchar'),
                             ('write_chars_per_second', 'wchar')):
            grew = seen.grew(metric)
            same(row[name], None if grew is None else grew / seconds,
                 what + name)
    gstest.equal(row['ended'] is not None, seen.ended, what + 'ended')
    if seen.ended:
        return
    if 'rss_anon' in last:
        same(row['memory'], 1024 * (last['rss_anon'] + last['vm_swap']),
             what + 'memory')
    if 'rss' in last:
        same(row['rss'], 1024 * last['rss'], what + 'rss')
    same(row['threads'], last['threads'], what + 'threads')


def check_processes(path):
    procs, hosts, clock = follow(path)
    (table,) = gstest.replay_json(path, '-V', 'processes', '--limit', '0',
                                  '--columns', ','.join(COLUMNS))
    seconds = (clock[-1] - clock[0]) / 1e9
    same(table['covered_seconds'], seconds, 'covered_seconds')
    by_pid = {}
    for key, seen in procs.items():
        by_pid.setdefault(key[0], []).append(seen)
    n = 0
    for row in table['rows']:
        seen = by_pid.get(row['pid'], [])
        if len(seen) != 1:
            continue  # the row of its exited children, or a pid used twice
        if row['threads'] is None and row['ended'] is None:
            continue
        check_process(row, seen[0], seen[0].seconds(clock[-1]),
                      hosts[-1]['clock_ticks'])
        n += 1
    gstest.check(n > len(procs) * 0.9, 'only %d of %d processes in replay' %
                 (n, len(procs)))
    print('%d processes over %.1f s agree' % (n, seconds))


def check_host(path):
    _, hosts, _ = follow(path)
    (table,) = gstest.replay_json(path, '-V', 'hosts')
    (row,) = table['rows']
    grew = {f: hosts[-1]['cpu_' + f] - hosts[0]['cpu_' + f]
            for f in CPU_FIELDS}
    grew['user'] += grew['nice']  # the view's user time is of both
    whole = sum(grew.values()) - grew['nice']
    for field in ('user', 'system', 'iowait', 'steal'):
        same(row[field + '_percent'],
             100 * grew[field] / whole, field)


def check(path):
    check_index(path)
    check_processes(path)
    check_host(path)


# Recordings of incidents in which the host does not answer at some tick.
SILENT = ('agent-lost', 'hole')


def main():
    gstest.binary('gpsnap')
    for path in sorted(glob.glob(os.path.join(gstest.TOP, 'samples', '**',
                                              '*.gpsnap'), recursive=True)):
        (hosts,) = gstest.replay_json(path, '-V', 'hosts')
        if len(hosts['rows']) == 1 and not os.path.basename(
                path).startswith(SILENT):
            check(path)
        else:
            check_index(path)  # follow() knows one host, which answers
    with gstest.TempDir() as tmp:
        path = tmp.file('host.gpsnap')
        busy = subprocess.Popen(['sh', '-c', BUSY])
        with gstest.Recorder(path, '--all', '-i', '0.5') as recorder:
            recorder.wait_ticks(8)
            recorder.stop()
        busy.terminate()
        busy.wait()
        check(path)


if __name__ == '__main__':
    main()
