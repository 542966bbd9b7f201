#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What a hostile host does to a recorder, and to the honest host beside it.

    run.py [--bin DIR] [--jobs N] [--save FILE] [--beside FILE] [MODE]...

For each mode of agent.py, gpsnap records two hosts, "good" and "bad0".  The test
passes if samples of good go on; memory, messages and file stay bounded; an event
names bad0 and says what it did; SIGTERM ends the recorder, and its file is closed
and whole.  The table shows what was seen; exit status 1: a mode failed.  --save
keeps the table's words, --beside shows them as another column.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import zstandard

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, '..'))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
import gstest  # noqa: E402
import agent  # noqa: E402
import reader  # noqa: E402

ANSWERS = 8  # of the honest host
PATIENCE_S = 60  # for these, on a machine that is busy
END_S = 20  # from SIGTERM to the end
RSS_MAX_MIB = 320
FILE_MAX = 24 << 20
STDERR_MAX = 8 << 10
# What a slow machine says of a host by itself.  With sanitizers a recorder takes five
# times as long, and may say this instead of what is wanted.
LATE = re.compile('no answer (in time|for )|does not read|^host late')
BLAMES = ('note', 'refused', 'host down', 'host late')
PB = None
# Mode: interval and answers to wait for, where they are others.
SPECIAL = {'never_reads': (0.1, 300)}

# Mode: what an event has to say; '': none is wanted, since that may be of an
# honest host.  Others: any event that names it.
WANTED = dict.fromkeys((
    'honest', 'escapes_in_texts', 'unknown_metric', 'unknown_entity',
    'huge_numbers', 'slots_reused', 'rows_just_allowed', 'columns_together'), '')
WANTED['some_texts_each_tick'] = None  # the quota is not reached
WANTED['fat'] = None  # late, on a slow machine
WANTED.update({
    'waits_of_thinning': 'what rows waited for, which no agent sends',
    'columns_that_do_not_fit': 'values do not match rows',
    'columns_of_no_row': 'process: slot 900 is not open',
    'columns_flood': '4097 columns: the limit is 4096',
    'need_twice': 'asked for the agent program twice',
    'need_for_ever': 'asked for the agent program twice',
    'need_then_no_reader': 'does not read',
    'never_reads': 'does not read',
    'noise': 'not a valid Answer|truncated message|no answer|instead of',
    'never_answers': 'no answer for 2 s',
    'half_a_message': 'no answer for 2 s',
    'late_always': 'host late',
    'huge_length': 'an answer of 67108863 bytes',
    'twice': 'introduced itself twice|not asked',
    'wrong_version': 'protocol 99',
    'mono_backwards': 'monotonic clock went back',
    'boot_backwards': 'monotonic clock went back',
    'mono_leaps': 'its monotonic clock went on by',
    'wall_far_future': 'ahead of the recorder',
    'wall_far_past': 'behind the recorder',
    'wall_to_and_fro': 'ahead of the recorder',
    'reboots_each_tick': 'boot id changed',
    'catalog_cluster': 'rows of cluster, which no agent sends',
    'catalog_sessions': 'rows of backend, which no agent sends',
    'catalog_locks': 'rows of lock, which no agent sends',
    'sums_of_thinning': 'sums, which no agent sends',
    'hosts_in_host': 'hosts in one answer',
    'twin_of_good': 'say that they are one host',
    'twin_of_slow_good': 'say that they are one host',
    'events_flood': 'events were left out: a host\'s are 24',
    'event_texts_flood': 'events were left out|read no faster',
    'refused_flood': 'events were left out: a host\'s are 24',
    'rows_flood': '400001 new rows: the limit is 65536',
    'rows_churn': 'new rows: 2048 a second',
    'cpus_flood': 'new rows: the limit is 65536',
    'high_slots': 'row number 1048575',
    'text_ids_high': 'text number 16777215',
    'texts_unused': 'read no faster',
    'texts_kept': 'bytes of texts: the limit is|read no faster',
    'too_fat': 'bytes of texts: the limit is|no answer for',
    'stderr_flood': 'read no faster',
    'stderr_endless_line': 'read no faster',
})
WANTED.update((m, 'an agent may not send') for m in agent.MODES
              if m.startswith('forged_') and m != 'forged_host_and_time')


def pb():
    global PB
    if not PB:
        PB = reader.load_proto()
    return PB


class Trial:
    """One recorder with its hosts."""

    def __init__(self, opt, name, modes=None, args=(), command='record'):
        self.opt = opt
        self.name = name
        self.modes = modes or [name]
        self.step, self.answers = SPECIAL.get(name, (agent.STEP_S, ANSWERS))
        self.bad = ['bad%d' % i for i in range(len(self.modes))]
        self.hosts = ['good'] + self.bad
        if name == 'twin_of_slow_good':
            self.hosts.reverse()
        self.args = args
        self.command = command
        self.dir = tempfile.mkdtemp(prefix='gpsnap-hostile-')
        self.found = []
        self.rss_mib, self.file_max = opt.rss_mib, FILE_MAX
        self.awaited = WANTED.get(name)  # on stderr, as it is an event
        if self.awaited and 'host late' in self.awaited:
            self.awaited = None
        self.rss_kib = 0
        self.proc = None

    def path(self, *names):
        return os.path.join(self.dir, *names)

    def fail(self, what):
        self.found.append(what)

    # ---- running ------------------------------------------------------

    def place(self):
        os.mkdir(self.path('bin'))
        for program, name in ((os.path.join(self.opt.bin, 'gpsnap'),
                               'gpsnap'),
                              (self.opt.fake, 'gpsnap-agent')):
            try:
                os.link(program, self.path('bin', name))
            except OSError:
                shutil.copy2(program, self.path('bin', name))

    def argv(self):
        command = '/usr/bin/python3 -S -E %s %s {host}' % (
            os.path.join(HERE, 'agent.py'), '+'.join(self.modes))
        if any(m in agent.SHELL for m in self.modes):
            command += ' {agent}'
        return [self.path('bin/gpsnap'), self.command, '-i',
                str(self.step), '--hosts', ','.join(self.hosts),
                '--agent-command', command, '--host-timeout', '2',
                *self.args]

    def start(self, stdout=subprocess.DEVNULL):
        env = dict(os.environ, HOME=self.dir, GPSNAP_NO_CATALOG='1',
                   GS_FAKE=self.opt.fake, FAKE_TALLY=self.path('tally'),
                   PATH=os.environ['PATH'])
        self.err = open(self.path('stderr'), 'wb')
        self.proc = subprocess.Popen(
            self.argv(), cwd=self.dir, env=env, stdin=subprocess.DEVNULL,
            stdout=stdout, stderr=self.err)

    def tally(self):
        try:
            return os.path.getsize(self.path('tally'))
        except OSError:
            return 0

    def is_due(self):
        """What is to be said was not said yet, nor waited for in vain."""
        if not self.awaited or self.tally() >= 3 * self.answers:
            return False
        with open(self.path('stderr'), errors='replace') as f:
            return re.search(self.awaited, f.read()) is None

    def measure(self):
        try:
            with open('/proc/%d/status' % self.proc.pid) as f:
                got = re.search(r'VmHWM:\s+(\d+)', f.read())
        except OSError:
            return
        if got:
            self.rss_kib = max(self.rss_kib, int(got.group(1)))

    def wait(self, meanwhile=None):
        answers = self.answers
        end = time.monotonic() + PATIENCE_S
        while self.proc.poll() is None and (self.tally() < answers or
                                            self.is_due()):
            self.measure()
            if time.monotonic() > end:
                self.fail('good answered %d times' % self.tally())
                return
            if meanwhile:
                meanwhile(self)
            time.sleep(0.05)
        if self.proc.poll() is not None:
            self.fail('ended by itself: %s' % self.proc.returncode)

    def stop(self):
        self.measure()
        if self.proc.poll() is None:
            self.proc.send_signal(signal.SIGTERM)
        try:
            self.proc.wait(END_S)
        except subprocess.TimeoutExpired:
            self.fail('SIGTERM is ignored')
            self.proc.kill()
            self.proc.wait()
        self.err.close()
        if self.proc.returncode not in (0, 1) and not self.found:
            self.fail('status %d' % self.proc.returncode)

    # ---- judging ------------------------------------------------------

    def files(self):
        out = []
        for top, _, names in os.walk(self.dir):
            out += [os.path.join(top, n) for n in names
                    if n.endswith('.gpsnap')]
        return sorted(out)

    def ticks(self):
        """Of all files; what rows say is left alone."""
        seen, out = set(), []
        for path in self.files():
            for tick in read_ticks(path):
                if tick.seq not in seen:
                    seen.add(tick.seq)
                    out.append(tick)
        return out

    def judge(self):
        self.judge_messages()
        total = sum(os.path.getsize(f) for f in self.files())
        if total > self.file_max:
            self.fail('file of %.0f MB' % (total / 1e6))
        if self.rss_kib > self.rss_mib << 10:
            self.fail('%d MB of memory' % (self.rss_kib >> 10))
        if not self.files():
            self.fail('no file')
            return
        self.judge_file()
        try:
            ticks = self.ticks()
        except (ValueError, IndexError, KeyError) as e:
            self.fail('file: %r' % e)
            return
        self.judge_ticks(ticks)
        self.judge_events(ticks)

    def judge_messages(self):
        with open(self.path('stderr'), 'rb') as f:
            err = f.read()
        if len(err) > STDERR_MAX:
            self.fail('%d bytes of messages' % len(err))
        if is_raw(err.replace(b'\n', b'')):
            self.fail('escapes in messages')
        self.messages = err.decode(errors='replace')

    def judge_file(self):
        for path in self.files():
            try:
                got = subprocess.run(
                    [os.path.join(self.opt.tool, 'gpsnap'), 'verify', '--memory', '1G',
                     path],
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                    timeout=60, check=False)
            except subprocess.TimeoutExpired:
                self.fail('verify does not end')
                continue
            if got.returncode != 0 or b'not closed' in got.stdout:
                self.fail('verify %d: %s' % (
                    got.returncode, got.stdout.decode(errors='replace')
                    .strip().split('\n')[-1][-80:]))

    def judge_ticks(self, ticks):
        """The honest host is in place, tick after tick."""
        good = self.hosts.index('good')
        had = [any(h.host == good and h.sequence for h in t.host)
               for t in ticks[:-1]]
        if True not in had:
            self.fail('good was never sampled')
            return
        had = had[had.index(True):]
        walls = [t.wall_ns for t in ticks[:-1]][-len(had):]
        step = self.step * 1e9
        wanted = round((walls[-1] - walls[0]) / step) + 1
        fresh = len({h.sequence for t in ticks for h in t.host
                     if h.host == good})
        if fresh * 2 < wanted and (not gstest.SANITIZED or fresh < 2):
            self.fail('good was in %d of %d ticks' % (fresh, wanted))
        self.fresh, self.wanted = fresh, wanted

    def judge_events(self, ticks):
        events = [e for t in ticks for e in t.event]
        for e in events:
            name = reader.EVENTS.get(e.kind, '?')
            if b'forged' in e.text and name not in ('note', 'refused'):
                self.fail('forged ' + name)
            if e.host == 1 and b'forged' in e.text:
                self.fail('forged event of good')
            if is_raw(e.text):
                self.fail('escapes in an event')
        if len(events) > 40 * len(self.modes) + 10:
            self.fail('%d events' % len(events))
        for i, m in enumerate(self.modes):
            self.judge_blame(m, [
                e for e in events if e.host == i + 2 or
                self.bad[i].encode() in e.text])

    def judge_blame(self, m, events):
        said = [reader.EVENTS.get(e.kind, '?') + ': ' +
                e.text.decode(errors='replace') for e in events
                if reader.EVENTS.get(e.kind) in BLAMES]
        self.said = said
        wanted = WANTED.get(m, '.')
        if wanted is None:
            return
        # a slow machine is late by itself
        blamed = [s for s in said if not LATE.search(s)]
        if not wanted and blamed:
            self.fail('blamed: ' + blamed[0])
        elif wanted and not any(re.search(wanted, s) or gstest.SANITIZED and
                                LATE.search(s) for s in said):
            self.fail('no event of it says /%s/' % wanted
                      if said else 'no event names it')

    def run(self, **more):
        try:
            self.place()
            self.start()
            self.wait(**more)
            self.stop()
            self.judge()
        finally:
            self.close()
        return self

    def close(self):
        if self.proc and self.proc.poll() is None:
            self.proc.kill()
            self.proc.wait()
        if not self.opt.keep:
            shutil.rmtree(self.dir, ignore_errors=True)

    def verdict(self):
        return '; '.join(dict.fromkeys(self.found)) or 'held'


def is_raw(body):
    return re.search(rb'[\x00-\x08\x0b-\x1f\x7f]', body) is not None or \
        re.search('[\x80-\x9f\u202a-\u202e\u2066-\u2069]',
                  body.decode(errors='replace')) is not None


def read_ticks(path):
    """Without any check: that is what verify is for."""
    unzip = zstandard.ZstdDecompressor()
    with open(path, 'rb') as f:
        body = f.read()
    at = 0
    while body[at + 8:at + 12] == b'GPSN':
        frame = reader.Frame(at, reader.INDEX.unpack_from(body, at))
        at += reader.INDEX.size
        raw = unzip.decompress(body[at:at + frame.comp_len],
                               max_output_size=frame.raw_len)
        at += frame.comp_len
        recording = PB.Recording()
        recording.ParseFromString(raw)
        yield recording.record[0].tick


def trials_of(opt, names, only):
    return [Trial(opt, n) for n in names if n in agent.MODES] + [
        t for t in together(opt) if not only or t.name in names]


def again(opt, trial):
    """On a machine that is busy, a good host can be late as well: what did not
    hold beside others is tried once more, by itself."""
    print('%s: %s; once more, alone' % (trial.name, trial.verdict()))
    (alone,) = trials_of(opt, [trial.name], True)
    run_one(alone)
    return alone


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--bin', default=os.environ.get('GS_BIN'))
    p.add_argument('--fake', default=os.environ.get('GS_FAKE'))
    p.add_argument('--tool', help='whose verify reads the files')
    p.add_argument('--jobs', type=int, default=16)
    p.add_argument('--rss-mib', type=int, default=int(
        os.environ.get('GS_RSS_MIB', RSS_MAX_MIB)))
    p.add_argument('--save')
    p.add_argument('--beside')
    p.add_argument('--keep', action='store_true')
    p.add_argument('--said', action='store_true')
    p.add_argument('mode', nargs='*')
    opt = p.parse_args()
    opt.tool = opt.tool or opt.bin
    pb()
    names = opt.mode or sorted(agent.MODES, key=lambda m: m not in SPECIAL)
    trials = trials_of(opt, names, bool(opt.mode))
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(opt.jobs) as pool:
        list(pool.map(run_one, trials))
    trials = [again(opt, t) if t.found else t for t in trials]
    show(opt, trials)
    bad = sum(bool(t.found) for t in trials)
    print('%d modes, %d held, %.0f s' % (len(trials), len(trials) - bad,
                                         time.monotonic() - began))
    sys.exit(1 if bad else 0)


# ---- several at once, and what users do meanwhile ---------------------

class Many(Trial):
    """Hostile hosts together; what a frame holds is shared by all."""

    def judge_blame(self, m, events):
        pass


class Fat(Many):
    """As many texts as may be, in each key."""

    def __init__(self, opt, name):
        Trial.__init__(self, opt, name, ['fat'] * 10)
        self.rss_mib, self.file_max = 2 * opt.rss_mib, 160 << 20


class Quota(Trial):
    """A small directory: good's first samples are to stay in it."""

    def __init__(self, opt, name):
        Trial.__init__(self, opt, name, ['some_texts_each_tick'],
                       ['-o', 'dir/', '--rotate-size', '300K', '--keep-size',
                        '3M', '--min-free', '1'])
        self.awaited = 'its part of the files'
        self.answers = 16

    def judge_ticks(self, ticks):
        Trial.judge_ticks(self, ticks)
        if ticks[0].seq > 1:
            self.fail('%d ticks were pushed out' % (ticks[0].seq - 1))

    def judge_blame(self, m, events):
        if not any(b'its part of the files' in e.text for e in events):
            self.fail('no event says why')


class Asked(Many):
    """Somebody asks all the time what the recorder does."""

    def __init__(self, opt, name, modes):
        Trial.__init__(self, opt, name, modes, ['-o', 'dir/', '--rotate-size', '64K'])
        self.statuses = 0

    def wait(self):
        Trial.wait(self, self.ask)
        if not self.statuses and not self.found:
            self.fail('status has no answer: %r' % self.last)

    def ask(self, _):
        got = subprocess.run(
            [self.path('bin/gpsnap'), 'status', 'dir'], cwd=self.dir,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=30,
            check=False)
        self.last = got.stdout[-80:]
        self.statuses += got.returncode in (0, 1) and b'bad0' in got.stdout
        if is_raw(got.stdout.replace(b'\n', b'')):
            self.fail('escapes in the status')


class Live(Many):
    """gpsnap live, which keeps what it gets."""

    def __init__(self, opt, name, modes):
        Trial.__init__(self, opt, name, modes)
        self.rss_mib = 2 * opt.rss_mib

    def argv(self):
        argv = Trial.argv(self)
        return argv[:1] + ['live', '-f', 'csv'] + argv[2:]

    def start(self):
        Trial.start(self, open(self.path('stdout'), 'wb'))

    def judge(self):
        self.judge_messages()
        if self.rss_kib > self.rss_mib << 10:
            self.fail('%d MB of memory' % (self.rss_kib >> 10))
        with open(self.path('stdout'), 'rb') as f:
            if b'good' not in f.read():
                self.fail('good is not shown')


MIXED = ['need_twice', 'noise', 'rows_churn', 'new_texts_each_tick',
         'events_flood', 'stderr_flood', 'dies_after_each_answer',
         'escapes_in_events', 'rows_just_allowed', 'huge_length']


def together(opt):
    """[Trial]"""
    return [
        Many(opt, 'ten at once', MIXED),
        Fat(opt, 'ten fat ones'),
        Quota(opt, 'quota'),
        Asked(opt, 'status and rotation', MIXED[2:8]),
        Live(opt, 'live', MIXED[2:8]),
    ]


LOCK = threading.Lock()


def run_one(trial):
    try:
        trial.run()
    except Exception as e:  # the others are to be told, too
        trial.fail('test: %r' % e)
        raise
    with LOCK:
        print('%-26s %4d MB  %s' % (trial.name, trial.rss_kib >> 10,
                                    trial.verdict()), flush=True)
        if trial.opt.said:
            for s in getattr(trial, 'said', [])[:6]:
                print('      ' + s[:150])


def show(opt, trials):
    before = {}
    if opt.beside:
        with open(opt.beside) as f:
            before = json.load(f)
    if opt.save:
        with open(opt.save, 'w') as f:
            json.dump({t.name: t.verdict() for t in trials}, f, indent=1)
    if not before:
        return
    print('\n%-26s | %-50s | %s' % ('attack', 'before', 'now'))
    for t in trials:
        print('%-26s | %-50s | %s' % (t.name, before.get(t.name, '-'),
                                      t.verdict()))


if __name__ == '__main__':
    main()
