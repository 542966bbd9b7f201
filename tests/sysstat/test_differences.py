# SPDX-License-Identifier: Apache-2.0
"""Where gpsnap pidstat knows better than the real one: of the same trees,
without --strict."""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'lib')]
import gstest  # noqa: E402
import sys_record  # noqa: E402
from gstest import check, equal  # noqa: E402


def run(recording, line, status=0):
    """What is written is UTF-8, whatever names hold."""
    done = subprocess.run(
        [gstest.binary('gpsnap'), 'pidstat', '-f', recording, *line.split()],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        encoding='utf-8', check=False,
        errors='replace' if '--strict' in line else 'strict')
    equal(done.returncode, status, line + ': ' + done.stderr)
    return done


def rows(recording, line):
    """{name: [its rows' words]}, without headings."""
    out = {}
    for text in run(recording, line).stdout.splitlines()[1:]:
        if not text or 'Command' in text:
            continue
        words, name = text[:text.rindex('  ')].split(), \
            text[text.rindex('  ') + 2:]
        out.setdefault(name, []).append(words)
    return out


def of(table, name):
    """(reports, averages) of a task."""
    found = table.get(name, [])
    return ([w for w in found if w[0] != 'Average:'],
            [w for w in found if w[0] == 'Average:'])


def identity(rec):
    cpu = rows(rec, '-u 1 4')
    flat = [float(w) for words in cpu.values() for row in words
            for w in row[3:8] if w != '-']
    check(max(flat) < 10000, 'a number is another task: %g' % max(flat))
    # the one that was, and the one that is
    reused, another = of(cpu, 'reused'), of(cpu, 'another')
    check(reused[1] and another[1], 'both are in the averages')
    check(another[0], 'the new one counts from zero')
    # it ended, and stays
    check(of(cpu, 'dies')[1], 'the average of one that ended')
    check(of(cpu, 'born')[1], 'the average of one that came and went')
    # what it did before it was seen is not of the interval
    appeared = of(cpu, 'appeared')
    check(all(float(w[7]) < 500 for w in appeared[0] + appeared[1]),
          'it appeared: %r' % (appeared,))
    threads = rows(rec, '-t -u 1 4')
    check(of(threads, '|__new thread')[1] and of(threads, '|__worker 0')[1],
          'threads with the same number')


def absence(rec):
    io = of(rows(rec, '-d 1 4'), 'no_io')
    check(io[0] and all(w[3:6] == ['-'] * 3 for w in io[0] + io[1]),
          'what may not be read: %r' % (io,))
    wait = of(rows(rec, '-u -p 307 1 1'), 'odd')
    equal(wait[0][0][3:8], ['0.00', '0.00', '0.00', '-', '0.00'],
          'no schedstat, no %wait')
    odd = of(rows(rec, '-u 1 4'), 'odd')
    check(all(float(w[3]) < 1000 for w in odd[0]), 'guest above user')
    check('no_io' in rows(rec, '-s -p ALL 1 4'), 'it has a stack')
    # what may not be read takes nothing else along
    both = of(rows(rec, '-us 1 4'), 'no_stack')
    check(both[0] and both[1], 'a task without a stack has CPU time')
    for name, line, at, want in (
            ('no_stack', '-s -p 308 1 1', slice(3, 5), ['-', '-']),
            ('no_fd', '-v -p 309 1 1', slice(3, 5), ['1', '-']),
            ('no_sched', '-u -p 310 1 1', slice(6, 7), ['-']),
            ('old_kernel', '-u -p 312 1 1', slice(5, 6), ['-'])):
        equal(of(rows(rec, line), name)[0][0][at], want, name)
    statistics = reports(rec, '-d -o JSON -p 303 1 4')
    equal({row['kB_rd/s'] for s in statistics for row in s['io']}, {None},
          'null')


# What pidstat 12.7.7 has in each list of its JSON.
KEYS = {
    'task-cpu-load': ['usr', 'system', 'guest', 'wait', 'cpu', 'cpu_nr'],
    'child-cpu-load': ['usr-ms', 'system-ms', 'guest-ms'],
    'task-memory': ['minflt/s', 'majflt/s', 'VSZ', 'RSS', 'MEM'],
    'child-memory': ['minflt-nr', 'majflt-nr'],
    'stack': ['StkSize', 'StkRef'],
    'io': ['kB_rd/s', 'kB_wr/s', 'kB_ccwr/s', 'iodelay'],
    'context-switch': ['cswch/s', 'nvcswch/s'],
    'kernel': ['threads', 'fd-nr'],
    'realtime': ['prio', 'policy'],
}


def reports(rec, line):
    host = json.loads(run(rec, line).stdout)['sysstat']['hosts'][0]
    equal(host['sysname'], 'Linux', 'sysname')
    return host['statistics']


def forms(rec):
    statistics = reports(rec, '-o JSON -T ALL -urdwvsR -t -p ALL 1 4')
    equal(len(statistics), 4, 'reports')
    equal(list(statistics[0]), ['timestamp', *KEYS], 'lists, in order')
    for report, keys in KEYS.items():
        row = statistics[0][report][0]
        equal(list(row), ['UID', 'TGID', 'TID', *keys, 'leader', 'cmd'],
              'keys of ' + report)
        equal({type(row[k]) for k in ('UID', 'TGID', 'TID')}, {str},
              'numbers of things are texts')
    row = reports(rec, '-o JSON -U -d -p 1 1 1')[0]['io'][0]
    equal(list(row), ['USER', 'PID', *KEYS['io'], 'cmd'], 'keys without -t')
    plain = run(rec, '-o JSON -urd -p ALL 1 2').stdout
    for more in ('--dec=0', '--human', '-h'):
        equal(run(rec, '-o JSON %s -urd -p ALL 1 2' % more).stdout, plain,
              more + ' does nothing to JSON')
    names = {r['cmd'] for r in statistics[0]['io']}
    check('q"u\\o\te' in names or any('q"u' in n for n in names),
          'a name with quotes: %r' % names)
    text = run(rec, '-u -p ALL 1 1').stdout
    check('\t\x1b' not in text and '\x1b' not in text,
          'no control character of a name')
    strict = run(rec, '--strict -u -p ALL 1 1').stdout
    check('\x1b' in strict, 'strict leaves names alone')


def refusals(rec):
    for line, why in (('-C ( 1 1', 'Unmatched'),
                      ('-G [a 1 1', 'nmatched'), ('-p 1,,2', 'number'), ('-p x', 'whole number'),
                      ('-p 0', 'whole number'), ('1 0', 'COUNT'),
                      ('0 2', 'COUNT'), ('--dec=3', '0 to 2'), ('--dec=A', '--dec'),
                      ('-T X', 'TASK, CHILD, ALL'),
                      ('-o XML', 'JSON'), ('1 2 3', 'unexpected 3'),
                      ('-v -T CHILD 1', 'not available'),
                      ('--host nobody 1', 'nobody'), ('-p SELF 1', 'SELF')):
        said = run(rec, line, 64)
        check(why in said.stderr and not said.stdout,
              '%s: %s' % (line, said.stderr))
    check(subprocess.run([gstest.binary('gpsnap'), 'pidstat', '-f', '/none',
                          '1'], stderr=subprocess.DEVNULL,
                         check=False).returncode == 2, 'no such file')


def resampling(rec, steps):
    """Of 30 samples, about one second apart."""
    def stamps(line):
        out = run(rec, line).stdout.splitlines()
        return sorted({int(x.split()[0]) for x in out
                       if x[:10].isdigit()})

    each = stamps('-H -h -p 1 1')
    lines = [x for x in run(rec, '-H -p 1 1').stdout.splitlines()
             if x[:10].isdigit() and x.endswith('init')]
    equal(len(lines), steps - 1, 'reports, one per tick')
    every = stamps('-H -h -p 1 10')
    check(len(every) < len(each) / 4, 'fewer reports: %r' % every)
    check(all(5 <= b - a for a, b in zip(every, every[1:])),
          'not evenly: %r' % every)
    check(set(every) <= set(each), 'at ticks')
    part = stamps('--from %d --to %d -H -h -p 1 1' % (each[3], each[9]))
    check(part and part[0] > each[3] and part[-1] <= each[9],
          'a part: %r of %r' % (part, each))
    # what came and went between two samples
    said = run(rec, '-u 1000 1', 2)
    check('has less of the host than INTERVAL' in said.stderr, said.stderr)
    said = run(rec, '-u --from %d --to %d 1' % (each[3], each[3]), 2)
    check('less than two samples' in said.stderr, said.stderr)
    check('born' in rows(rec, '-u 20 1'), 'it ended within the interval')


def main():
    with tempfile.TemporaryDirectory(prefix='gpsnap-pidstat-') as folder:
        rec, _ = sys_record.record_series(folder, 'short', cpus=2, seed=7)
        identity(rec)
        absence(rec)
        forms(rec)
        refusals(rec)
        rec, steps = sys_record.record_series(folder, 'long', cpus=2,
                                              seed=3, steps=30)
        resampling(rec, steps)


main()
