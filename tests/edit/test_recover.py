# SPDX-License-Identifier: Apache-2.0
"""gpsnap recover and convert: what is whole, and nothing under a name that is
not."""
import datetime
import json
import os
import re
import signal
import subprocess

import editlib
import gstest


def flip(data, at):
    return data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1:]


# What is done to a file of n bytes, exit status, and words of what is told.
DAMAGE = [
    ('whole', lambda d: d, 0, ''),
    ('cut off', lambda d: d[:len(d) * 2 // 3], 1, 'cut off'),
    ('a byte', lambda d: flip(d, len(d) // 2), 1, 'lost from'),
    ('the first byte', lambda d: flip(d, 0), 1, 'lost from the start'),
    ('a hole', lambda d: d[:50000] + bytes(5000) + d[55000:], 1, 'lost from'),
    ('cut out', lambda d: d[:50000] + d[60000:], 1, 'lost from'),
    ('begins within', lambda d: d[70001:], 1, 'lost from the start'),
    ('garbage at the end', lambda d: d + b'x' * 100, 1, 'offset'),
    ('nothing whole', lambda d: d[10:300], 2, 'not a gpsnap recording'),
    ('empty', lambda d: b'', 2, 'empty'),
]


def run(*argv):
    return subprocess.run([gstest.binary('gpsnap'), *argv], env=editlib.ENV,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)


def whole_ticks(path):
    said = run('verify', path).stdout.decode()
    found = re.search(r', (\d+) ticks?', said.splitlines()[-1]) if said else 0
    return int(found.group(1)) if found else 0


def check_damage(tmp):
    with open(os.path.join(tmp, 'all.gpsnap'), 'rb') as f:
        data = f.read()
    src, out = (os.path.join(tmp, n) for n in ('d.gpsnap', 'r.gpsnap'))
    for name, do, status, words in DAMAGE:
        with open(src, 'wb') as f:
            f.write(do(data))
        done = run('recover', src, '-o', out, '--force')
        said = done.stderr.decode()
        gstest.equal(done.returncode, status, name + ': ' + said)
        gstest.check(words in said, '%s: %s' % (name, said))
        if status == 2:
            gstest.check(not os.path.exists(out), name + ': OUT is there')
            continue
        gstest.equal(whole_ticks(out), whole_ticks(src), name + ': ticks')
        if 'lost from' in words:  # verify says the same of it
            gstest.check('lost from' in run('verify', src).stdout.decode(),
                         name + ': verify does not say what is lost')
        gstest.equal(run('verify', '-q', out).returncode, 0, name)
        if name == 'a byte':
            editlib.same_everywhere(out, [], src, [], name,
                                    but=('overview', 'events'))  # of the damage
        os.unlink(out)


def check_convert(tmp):
    src, out, again = (os.path.join(tmp, n + '.gpsnap')
                       for n in ('all', 'conv', 'conv2'))
    editlib.gpsnap('convert', src, '-o', out, '-z', '9')
    editlib.same_everywhere(out, [], src, [], 'convert')
    editlib.gpsnap('convert', out, '-o', again, '-z', '9')
    gstest.check(os.path.getsize(again) < 1.02 * os.path.getsize(out),
                 'converted twice it grows')


def holes(path):
    """The lines of info about them, and the events that tell of one."""
    said = editlib.gpsnap('info', path, status=(0, 1)).decode()
    line = re.search(r'^holes +(.*\n(?: .*\n)*)', said, re.M).group(1)
    (table,) = editlib.tables(path, 'events', [])
    return ' '.join(line.split()), [
        row['text'] for row in table['rows'] if row['event'] == 'hole']


def check_reason(tmp):
    """Damage of the source is not called "not written": also in copies of copies."""
    src = os.path.join(tmp, 'd.gpsnap')
    with open(os.path.join(tmp, 'all.gpsnap'), 'rb') as f:
        data = f.read()
    with open(src, 'wb') as f:
        f.write(flip(data, len(data) // 2))
    for i, argv in enumerate((
            ('recover',), ('cut', '--from', '+0'), ('thin', '--every', '10s'),
            ('merge',), ('share',))):
        once, twice = (os.path.join(tmp, '%s%d.gpsnap' % (n, i))
                       for n in ('once', 'twice'))
        done = run(argv[0], src, '-o', once, *argv[1:])
        gstest.equal(done.returncode, 1, argv[0])
        gstest.check(b'wrong checksum' in done.stderr,
                     argv[0] + ' does not tell of the damage')
        editlib.gpsnap('cut', once, '-o', twice, '--from', '+0', status=1)
        for path in (once, twice):
            line, events = holes(path)
            gstest.check('in the source: wrong checksum' in line, '%s: %s' % (argv, line))
            gstest.equal(events, ['in the source: wrong checksum'], '%s: events' % (argv,))


def reasons(path):
    """Of the holes between its samples."""
    table = json.loads(editlib.gpsnap('replay', path, '-V', 'hosts', '-f',
                                      'json', status=(0, 1)))
    first, last = table['from'], table['to']
    return [(h['from'], h['to'], h['why']) for h in table['holes']
            if h['from'] >= first and h['to'] <= last]


def check_again(tmp):
    """A copy of a damaged file that is damaged, too."""
    once, src, out = (os.path.join(tmp, n + '.gpsnap')
                      for n in ('once0', 'd2', 'again'))
    with open(once, 'rb') as f:
        data = f.read()
    seen = 0
    for i in range(5, 40, 3):
        with open(src, 'wb') as f:
            f.write(flip(data, len(data) * i // 45))
        was = [(a, b, why if re.match('in the source: |sdw', why)
                else 'in the source: ' + why) for a, b, why in reasons(src)]
        for argv in (('recover',), ('thin', '--every', '10s')):
            run(argv[0], src, '-o', out, '--force', *argv[1:])
            gstest.equal(reasons(out), was, '%s %d' % (argv[0], i))
        seen += len(was) > 1
    gstest.check(seen > 3, 'holes')


def check_edge(tmp):
    """A range that begins in the damage has it as a hole, after its first sample."""
    src, out = (os.path.join(tmp, n) for n in ('d.gpsnap', 'edge.gpsnap'))
    table = json.loads(editlib.gpsnap('replay', src, '-V', 'hosts', '-f',
                                      'json', status=(0, 1)))
    (hole,) = [h for h in table['holes'] if h['why'] == 'wrong checksum']
    done = run('cut', src, '-o', out, '--from', hole['from'])
    gstest.check(b'what was before' not in done.stdout, done.stdout)
    line, events = holes(out)
    gstest.check('in the source: wrong checksum' in line, line)
    gstest.equal(events.count('in the source: wrong checksum'), 1, 'events')
    gstest.equal(run('verify', '-q', out).returncode, 0, 'verify')
    # from within: events of the first sample are in the range
    recovered = os.path.join(tmp, 'once0.gpsnap')
    (hole,) = [h for h in reasons(recovered) if 'checksum' in h[2]]
    start = datetime.datetime.fromisoformat(hole[1][:-1]) - \
        datetime.timedelta(seconds=5)
    editlib.gpsnap('cut', recovered, '-o', out, '--force', '--to', hole[1],
                   '--from', start.isoformat() + 'Z', status=(0, 1))
    gstest.equal(holes(out)[1], [hole[2]], 'events of the first sample')


def check_names(tmp):
    """What is there stays; what fails leaves nothing."""
    src = os.path.join(tmp, 'all.gpsnap')
    taken = os.path.join(tmp, 'taken.gpsnap')
    with open(taken, 'w', encoding='utf-8') as f:
        f.write('mine')
    done = run('convert', src, '-o', taken)
    gstest.equal(done.returncode, 2, 'exists')
    gstest.check(b'exists already' in done.stderr, done.stderr)
    gstest.equal(os.path.getsize(taken), 4, 'what was there')
    editlib.gpsnap('convert', src, '-o', taken, '--force')
    gstest.equal(whole_ticks(taken), whole_ticks(src), 'replaced')
    # over itself
    editlib.gpsnap('convert', taken, '-o', taken, '--force')
    gstest.equal(whole_ticks(taken), whole_ticks(src), 'over itself')
    done = run('convert', src, '-o', os.path.join(tmp, 'no', 'x.gpsnap'))
    gstest.equal(done.returncode, 2, 'no directory')
    done = run('convert', src, '-o', tmp)
    gstest.equal(done.returncode, 64, 'a directory')


def check_full(tmp):
    """As on a full disk: a file may not become as long as it must."""
    src, out = (os.path.join(tmp, n) for n in ('all.gpsnap', 'full.gpsnap'))
    done = subprocess.run(
        ['sh', '-c', 'ulimit -f 20; exec "$@"', 'sh', gstest.binary('gpsnap'),
         'convert', src, '-o', out], env=editlib.ENV, stderr=subprocess.PIPE,
        check=False)
    gstest.equal(done.returncode, 2, 'full')
    gstest.check(b'full.gpsnap' in done.stderr, done.stderr)
    left = [n for n in os.listdir(tmp) if n.startswith('full')]
    gstest.equal(left, [], 'what is left')


def check_stopped(tmp):
    """A signal leaves nothing; what a kill left is no obstacle."""
    out = os.path.join(tmp, 'stop.gpsnap')
    for sig in (signal.SIGTERM, signal.SIGKILL):
        with subprocess.Popen(
                [gstest.binary('gpsnap'), 'convert', '-', '-o', out],
                stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                stdout=subprocess.PIPE, env=editlib.ENV) as p:
            with open(os.path.join(tmp, 'all.gpsnap'), 'rb') as f:
                data = f.read()
            p.stdin.write(data[:len(data) // 2])
            p.stdin.flush()
            gstest.wait_for('the output', lambda: os.path.exists(
                out + '.part') and os.path.getsize(out + '.part') > 0)
            p.send_signal(sig)
            try:  # it may look at the signal at the next sample only
                p.stdin.write(data[len(data) // 2:])
                p.stdin.close()
            except BrokenPipeError:
                pass
            gstest.check(p.wait() != 0, 'stopped')
        gstest.check(not os.path.exists(out), 'stopped: OUT is there')
        gstest.equal(os.path.exists(out + '.part'), sig == signal.SIGKILL,
                     'OUT.part')
    editlib.gpsnap('convert', os.path.join(tmp, 'all.gpsnap'), '-o', out)
    gstest.check(not os.path.exists(out + '.part'), 'OUT.part stays')


def check_waiting(tmp):
    """A pipe of which nothing comes for long does not hold up a signal, and
    what ends by it is no end of the recording."""
    out = os.path.join(tmp, 'wait.gpsnap')
    with open(os.path.join(tmp, 'all.gpsnap'), 'rb') as f:
        data = f.read()
    for before in (b'', data[:len(data) // 2], data):
        with subprocess.Popen(
                [gstest.binary('gpsnap'), 'cut', '-', '-o', out],
                stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                stdout=subprocess.PIPE, env=editlib.ENV) as p:
            p.stdin.write(before)
            p.stdin.flush()
            if before:
                gstest.wait_for('the output', lambda: os.path.exists(
                    out + '.part') and os.path.getsize(out + '.part') > 0)
            # sent again: it may come before anybody waits for it
            gstest.wait_for('its end', lambda: p.send_signal(
                signal.SIGTERM) or p.poll() is not None)
            said = p.stderr.read()
        if before or p.returncode != -signal.SIGTERM:  # not caught yet
            gstest.equal(p.returncode, 2, said)
            gstest.check(b'stopped' in said, said)
        left = [n for n in os.listdir(tmp) if n.startswith('wait')]
        gstest.equal(left, [], 'what is left')


def main():
    with editlib.scratch() as tmp:
        subprocess.run([gstest.binary('make_recordings'), tmp], check=True)
        check_damage(tmp)
        check_convert(tmp)
        check_reason(tmp)
        check_again(tmp)
        check_edge(tmp)
        check_names(tmp)
        check_full(tmp)
        check_stopped(tmp)
        check_waiting(tmp)


if __name__ == '__main__':
    main()
