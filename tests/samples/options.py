#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""options.py: each view uses each option that selects rows, or refuses it: none is
ignored.  An option whose value fits nothing changes the table, or the exit status.
"""
import functools
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest

SAMPLES = [os.path.join(gstest.TOP, 'samples', name + '.gpsnap') for name in
           ('greenplum6-spill', 'postgresql15-incident')]
REFUSED, NOTHING = 64, 3
# Values that nothing has.
OPTIONS = (('--pid', '99999999'), ('--query-id', 'nosuch'),
           ('--min-pct', '100'), ('--top', '0'), ('--event', 'nosuch'),
           ('--class', 'nosuch'), ('--session', '4711'),
           ('--server', 'nosuch'), ('--sort', 'nosuch'),
           ('--where', 'nosuch = 1'), ('--columns', 'nosuch'),
           ('--group-by', 'nosuch'), ('--metric', 'nosuch'),
           ('--cgroup-flatten', 'x'), ('--normalize',), ('--nested',))
# What a view can't do without, by sample.
NEEDS = {'query': (('--session', '170'), ('--session', '86')),
         'histogram': (('--class', 'IPC'), ('--class', 'IPC'))}
# No row of a sample is below the value, or has the entity.
FITS_ALL = {('--min-pct', 'session_event'), ('--top', 'time_model')}
# Words of the session in every view that has sessions, of these samples.
OF_SESSIONS = ('sessions', 'queries', 'query', 'processes', 'threads',
               'offcpu', 'locks', 'skew', 'matrix', 'spill', 'top',
               'findings', 'backends', 'pglocks', 'vmems', 'workfiles',
               'waits', 'time_model', 'system_event', 'session_event',
               'query_event', 'active')


@functools.lru_cache(maxsize=None)
def run(*argv):
    done = subprocess.run([gstest.binary('gpsnap'), 'replay', *argv],
                          check=False, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def views():
    out = gstest.gpsnap('help', '--options=replay').decode()
    [line] = [f for f in (ln.split('\t') for ln in out.splitlines())
              if f[1] == '--view']
    return line[4].split(', ')


def effect(view, option):
    """refused, used, or ignored."""
    found = 'ignored'
    for i, path in enumerate(SAMPLES):
        argv = [path, '-V', view]
        needs = NEEDS.get(view, ((), ()))[i]
        if needs and needs[0] != option[0]:
            argv += needs
        plain, given = run(*argv), run(*argv, *option)
        if given[0] == REFUSED:
            gstest.check(given[2].startswith('gpsnap replay: '), given[2])
            return 'refused'
        if plain[:2] != given[:2]:
            found = 'used'
    return found


def check_options():
    todo = [(v, o) for i, v in enumerate(views())
            for o in gstest.some(OPTIONS, i)]
    with ThreadPoolExecutor(2) as pool:
        found = dict(zip(todo, pool.map(lambda a: effect(*a), todo)))
    ignored = ['%s: %s' % (v, ' '.join(o)) for (v, o), how in found.items()
               if how == 'ignored' and (o[0], v) not in FITS_ALL]
    gstest.equal(ignored, [], 'options that a view ignores')
    used = sum(how == 'used' for how in found.values())
    gstest.check(used > gstest.few(60), '%d are used' % used)
    return len(found)


def check_sessions():
    """Both ways to write a session mean the same; one that is not there is said
    to be not there, everywhere."""
    for view in gstest.some(OF_SESSIONS):
        for name in ('170', 'con170'):
            status, _, said = run(SAMPLES[0], '-V', view, '--session', name)
            gstest.check(status in (0, 1) and 'nothing of it' not in said,
                         '%s --session %s: %s' % (view, name, said))
        gstest.equal(run(SAMPLES[0], '-V', view, '--session', '170')[1],
                     run(SAMPLES[0], '-V', view, '--session', 'con170')[1],
                     view + ' by number and by name')
        status, out, said = run(SAMPLES[0], '-V', view, '--session', '4711')
        gstest.equal(status, NOTHING, view + ' --session 4711')
        gstest.equal((out + said).count('--session 4711: nothing of it here'),
                     1, view + ' says it once')
    table = gstest.gpsnap('replay', SAMPLES[0], '-V', 'vmems', '--session',
                          'con170', '-f', 'csv', status=None)
    gstest.check(table.count(b'\n') > 2, table)


if __name__ == '__main__':
    n = check_options()
    check_sessions()
    print('%d options of views' % n)
