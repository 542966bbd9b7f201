#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A disk that is full, fails, stalls: what is whole stays whole, what is lost
is a hole, and the recorder goes on."""
import os
import subprocess
import time

from rec import (TERM, Skip, main, size, wait_for, want, want_in, want_slots,
                 want_well)


class Disk:
    """The recorder under the shim, which does as it is ordered."""

    def __init__(self, p, *args, **env):
        self.p = p
        self.order('ok')
        self.proc = p.start('-i', 0.1, '--sync', 0, *args, session=True,
                            GS_SHIM=p.path('order'),
                            LD_PRELOAD=os.environ['GS_SHIM_LIB'], **env)

    def order(self, text):
        tmp = self.p.path('order.new')
        with open(tmp, 'w') as f:
            f.write(text)
        os.rename(tmp, self.p.path('order'))

    def end(self):
        return self.p.end(self.proc, TERM)


def all_ticks(recs):
    """Ticks of files in a row, each once; what is missing is in holes."""
    seqs, lost = [], 0
    for i, rec in enumerate(recs):
        want(rec.damage, [], 'damage of file %d' % i)
        want(rec.headers[0].file_number, i + 1, 'number of file %d' % i)
        for tick in rec.ticks:
            if not seqs or tick.seq > seqs[-1]:
                hole = sum(e.value for e in tick.event if e.kind == 2)
                want(tick.seq - (seqs[-1] if seqs else 0) - 1, hole,
                     'missing before %d' % tick.seq)
                if hole:
                    want(tick.key, True, 'key after a hole')
                lost += hole
                seqs.append(tick.seq)
    return seqs, lost


def stalls(p):
    """Sampling goes on while the disk hangs; nothing is lost in a queue."""
    d = Disk(p, '-o', 'a.gpsnap')
    wait_for(lambda: size(p.path('a.gpsnap')) > 700, 'ticks')
    d.order('stall')
    time.sleep(0.2)
    before = size(p.path('a.gpsnap'))
    time.sleep(2)
    want(size(p.path('a.gpsnap')), before, 'size while it hangs')
    d.order('ok')
    status, err = d.end()
    want_well((status, err))
    rec = p.read('a.gpsnap')
    seqs, lost = all_ticks([rec])
    want(lost, 0, 'lost')
    want_slots(p, rec.walls()[:-1], 10**8)


def stalls_longer_than_the_queue(p):
    d = Disk(p, '-o', 'a.gpsnap')
    wait_for(lambda: size(p.path('a.gpsnap')) > 700, 'ticks')
    d.order('stall')
    time.sleep(8)
    d.order('ok')
    time.sleep(0.5)
    status, err = d.end()
    want(status, 1, 'status: ' + err)
    rec = p.read('a.gpsnap')
    seqs, lost = all_ticks([rec])
    want(lost > 5, True, 'lost: %d' % lost)
    want(rec.events('hole')[0].text, b'the disk is too slow', 'reason')
    slots = [w // 10**8 for w in rec.walls()[:-1]]
    want(len(slots) + lost, slots[-1] - slots[0] + 1,
         'ticks and holes cover the time')


def is_broken(p):
    """EIO: the file is given up, a new one begun."""
    d = Disk(p, '-o', 'a.gpsnap')
    wait_for(lambda: size(p.path('a.gpsnap')) > 700, 'ticks')
    d.order('errno 5')
    time.sleep(0.15)
    d.order('ok')
    wait_for(lambda: any(n != 'a.gpsnap' for n in p.files('')), 'new file',
             timeout=5)
    time.sleep(0.5)
    status, err = d.end()
    want(status, 1, 'status')
    want_in('a.gpsnap: Input/output error', err, 'message')
    want_in('going on in a new file', err, 'message')
    want_in('writing again after', err, 'message')
    names = ['a.gpsnap'] + sorted(n for n in p.files('') if n != 'a.gpsnap')
    recs = [p.read(n) for n in names]
    want(recs[0].closed, False, 'the first has no footer')
    want(recs[-1].closed, True, 'the last has')
    seqs, lost = all_ticks(recs)
    want(lost > 0, True, 'lost')


def short_write(p):
    d = Disk(p, '-o', 'a.gpsnap')
    wait_for(lambda: size(p.path('a.gpsnap')) > 700, 'ticks')
    d.order('short')
    time.sleep(0.25)
    d.order('ok')
    time.sleep(2.5)
    want(d.end()[0], 1, 'status')
    want(p.files(''), ['a.gpsnap'], 'the same file')
    rec = p.read('a.gpsnap')
    seqs, lost = all_ticks([rec])
    want(lost > 0, True, 'lost')
    want(rec.closed, True, 'closed')


def state(p):
    """As gpsnap status has it, of is_full()'s recorder."""
    return subprocess.run(
        [p.path('bin/gpsnap'), 'status', 'small/a.gpsnap'], cwd=p.dir,
        env=p.env({}), capture_output=True, text=True, check=False).stdout


def is_full(p):
    """A real one: a tmpfs that something else fills, and frees again."""
    os.mkdir(p.path('small'))
    made = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=256k',
                           'tmpfs', p.path('small')],
                          stderr=subprocess.DEVNULL, check=False)
    if made.returncode != 0:
        raise Skip('no mount here')
    try:
        proc = p.start('-i', 0.1, '-o', 'small/a.gpsnap', session=True)
        wait_for(lambda: size(p.path('small/a.gpsnap')) > 700, 'ticks')
        with open(p.path('small/ballast'), 'wb') as f:
            try:
                f.write(b'x' * 1000000)
            except OSError:
                pass
        # What is left of the last page is filled first.
        before = 0
        while size(p.path('small/a.gpsnap')) != before:
            before = size(p.path('small/a.gpsnap'))
            time.sleep(1)
        want(proc.poll(), None, 'still runs')
        wait_for(lambda: 'nothing is written: ' in state(p), 'it to say so')
        os.unlink(p.path('small/ballast'))
        wait_for(lambda: size(p.path('small/a.gpsnap')) > before + 500,
                 'goes on')
        wait_for(lambda: 'records all that it should' in state(p),
                 'it to say so')
        status, err = p.end(proc, TERM)
        want(status, 1, 'status')
        want_in('No space left on device', err, 'message')
        want_in('writing again after', err, 'message')
        rec = p.read('small/a.gpsnap')
        seqs, lost = all_ticks([rec])
        want(lost > 0, True, 'lost')
        want(rec.closed, True, 'closed')
        want_in(b'No space left', rec.events('hole')[0].text, 'reason')
    finally:
        subprocess.run(['umount', '-l', p.path('small')], check=False)


def too_little_free(p):
    """Below --min-free the oldest of ours go; then it pauses."""
    os.mkdir(p.path('small'))
    made = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=1m',
                           'tmpfs', p.path('small')],
                          stderr=subprocess.DEVNULL, check=False)
    if made.returncode != 0:
        raise Skip('no mount here')
    try:
        old = p.path('small/d', os.uname().nodename +
                     '-20200101T000000Z.gpsnap')
        os.mkdir(p.path('small/d'))
        with open(old, 'wb') as f:
            f.write(b'\x5d\x2a\x4d\x18' + b'x' * 200000)
        os.utime(old, (time.time() - 7200,) * 2)
        young = p.path('small/d', os.uname().nodename +
                       '-20200101T010000Z.gpsnap')
        with open(young, 'wb') as f:
            f.write(b'\x5d\x2a\x4d\x18')
        with open(p.path('small/ballast'), 'wb') as f:
            f.write(b'x' * 600000)
        proc = p.start('-i', 0.1, '-o', 'small/d', '--min-free', '30%',
                       '--keep-for', 0, session=True)
        wait_for(lambda: not os.path.exists(old), 'the oldest is deleted')
        with open(p.path('small/more'), 'wb') as f:
            f.write(b'x' * 200000)
        time.sleep(2)
        os.unlink(p.path('small/more'))
        time.sleep(4)
        status, err = p.end(proc, TERM)
        want(status, 1, 'status')
        want_in('less than 30 % of the file system is free', err, 'message')
        want(os.path.exists(young), True, 'the last hour is there')
        os.unlink(young)
        (name,) = p.files('small/d')
        seqs, lost = all_ticks([p.read('small/d/' + name)])
        want(lost > 0, True, 'lost')
    finally:
        subprocess.run(['umount', '-l', p.path('small')], check=False)


def file_size_limit(p):
    """RLIMIT_FSIZE: goes on in the next file, is not killed."""
    import resource
    status, err = p.run('-i', 0.1, '-n', 30, '-o', 'a.gpsnap', FAKE_NOISE=200,
                        preexec=lambda: resource.setrlimit(
                            resource.RLIMIT_FSIZE, (9000, 9000)))
    want(status, 1, 'status: ' + err)
    want_in('File too large', err, 'message')
    names = p.files('')
    want(len(names) > 1, True, 'files: %r' % names)
    names.sort(key=lambda n: p.read(n).seqs()[0])
    all_ticks([p.read(n) for n in names])


if __name__ == '__main__':
    main([stalls, stalls_longer_than_the_queue, is_broken, short_write,
          is_full, too_little_free, file_size_limit])
