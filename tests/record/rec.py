# SPDX-License-Identifier: Apache-2.0
"""What the tests of the recorder share: a place of their own, the program
beside a fake agent, and what its files say, read by reader.py."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [TESTS, os.path.join(TESTS, 'lib')]
import gstest  # noqa: E402
import reader  # noqa: E402

HOST = os.uname().nodename


class Place:
    """A directory with gpsnap and an agent in bin/."""

    def __init__(self, fake=True):
        self.dir = tempfile.mkdtemp(prefix='gpsnap-rec-')
        os.mkdir(self.path('bin'))
        real = os.environ['GS_BIN']
        self.link(os.path.join(real, 'gpsnap'), 'bin/gpsnap')
        self.link(os.environ['GS_FAKE'] if fake else
                  os.path.join(real, 'gpsnap-agent'), 'bin/gpsnap-agent')
        self.procs = []
        self.busy = gstest.Stalls().any

    def link(self, program, name):
        """Not a symbolic one: /proc/self/exe would lead back."""
        try:
            os.link(program, self.path(name))
        except OSError:
            shutil.copy2(program, self.path(name))

    def path(self, *names):
        return os.path.join(self.dir, *names)

    def env(self, env):
        out = dict(os.environ, HOME=self.dir, GPSNAP_NO_CATALOG='1')
        out.update({k: str(v) for k, v in env.items()})
        return out

    def start(self, *args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
              stderr=subprocess.PIPE, session=False, preexec=None, **env):
        proc = subprocess.Popen(
            [self.path('bin/gpsnap'), 'record', *map(str, args)],
            cwd=self.dir, env=self.env(env), stdin=stdin, stdout=stdout,
            stderr=stderr, start_new_session=session, preexec_fn=preexec)
        self.procs.append(proc)
        return proc

    def run(self, *args, **env):
        """(status, stderr)"""
        return self.end(self.start(*args, **env))

    @staticmethod
    def end(proc, sig=None, timeout=180):
        if sig:
            proc.send_signal(sig)
        out, err = proc.communicate(timeout=timeout)
        return proc.returncode, (err or b'').decode()

    def read(self, name):
        return Recording(self.path(name))

    def files(self, *names):
        d = self.path(*names)
        return sorted(n for n in os.listdir(d) if n.endswith('.gpsnap'))

    def close(self):
        for proc in self.procs:
            if proc.poll() is None:
                proc.kill()
                proc.wait()
        shutil.rmtree(self.dir, ignore_errors=True)


class Recording:
    """Ticks of one file, with what only the frames say."""

    def __init__(self, path):
        r = reader.read(path)
        self.ticks = []
        self.rows = []
        self.usage = []
        self.headers = []
        for state in r.ticks():
            self.ticks.append(state.tick)
            self.rows.append(len(state.rows('process')))
            self.usage.append([r for _, r in state.rows('process')])
            if state.tick.HasField('header'):
                self.headers.append(state.tick.header)
        self.damage = r.damage
        self.closed = r.entries is not None
        if self.closed:
            want(len(r.entries), len(self.ticks), 'entries of the footer')

    def seqs(self):
        return [t.seq for t in self.ticks]

    def walls(self):
        return [t.wall_ns for t in self.ticks]

    def events(self, kind):
        return [e for t in self.ticks for e in t.event
                if reader.EVENTS[e.kind] == kind]

    def lost(self):
        return sum(e.value for e in self.events('hole'))


def want(got, wanted, what):
    if got != wanted:
        raise AssertionError('%s: got %r, want %r' % (what, got, wanted))


def want_well(ended, what='record'):
    """(status, stderr) of a recorder that misses nothing but ticks."""
    status, said = ended
    want(gstest.ended_well(status, said), True,
         '%s: status %d: %s' % (what, status, said))


def want_in(part, whole, what):
    if part not in whole:
        raise AssertionError('%s: %r is not in %r' % (what, part, whole))


def want_slots(p, walls, step_ns):
    """A tick at each multiple of the interval; at most of them, where the
    machine is busy."""
    slots = [w // step_ns for w in walls]
    if p.busy():
        want(len(set(slots)) * 2 > slots[-1] - slots[0], True,
             'ticks: %r' % slots)
    else:
        want(slots, list(range(slots[0], slots[0] + len(slots))), 'ticks')


def wait_for(condition, what, timeout=180):
    end = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > end:
            raise AssertionError('waited in vain: ' + what)
        time.sleep(0.01)


def size(path):
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


class Skip(Exception):
    pass


def main(cases, fake=True):
    """Runs functions that take a Place; exits with the test's status."""
    # not as under nohup: recorders are to take it
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    failed = skipped = 0
    only = sys.argv[1:]
    for case in cases:
        if only and case.__name__ not in only:
            continue
        place = Place(fake)
        start = time.monotonic()
        try:
            case(place)
            verdict = 'ok'
        except Skip as e:
            skipped += 1
            verdict = 'skipped: %s' % e
        except Exception:
            failed += 1
            verdict = 'FAILED\n' + traceback.format_exc()
        finally:
            place.close()
        print('%s (%.1f s): %s' % (case.__name__, time.monotonic() - start,
                                   verdict), flush=True)
    sys.exit(1 if failed else 77 if skipped == len(cases) else 0)


INT, TERM, HUP, KILL = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP,
                        signal.SIGKILL)
