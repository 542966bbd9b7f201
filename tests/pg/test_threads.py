# SPDX-License-Identifier: Apache-2.0
"""Threads by the statement of their session: a session that runs one between two
samples is with it for one sample, also where a range begins."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest

# More threads than are looked at together.
MANY = '''
import sys, threading
for _ in range(150):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
print(flush=True)
sys.stdin.read()
'''


def record(pg, path):
    """A session runs a statement before each sample, and is idle then."""
    many = subprocess.Popen([sys.executable, '-c', MANY], text=True,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    many.stdout.readline()
    psql = pg.popen(['psql', '-X', '-q'], stdin=subprocess.PIPE, text=True,
                    stdout=subprocess.DEVNULL)
    psql.stdin.write('select 1 as often \\watch 0.05\n')
    psql.stdin.flush()
    try:
        ended = subprocess.run(
            [gstest.binary('gpsnap'), 'record', '-i', '0.2', '-n', '25',
             '--all', '--threads', '--dsn', 'host=%s port=%d dbname=postgres '
             'user=%s' % (pg.tmp.path, pg.port, pg.owner.pw_name),
             '-o', path], check=False, capture_output=True, text=True)
    finally:
        psql.kill()
        psql.wait()
        psql.stdin.close()
        many.communicate('')
    gstest.check(gstest.ended_well(ended.returncode, ended.stderr),
                 ended.stderr)


def rows(path, *argv):
    return gstest.replay_json(path, '-V', 'threads', '-g', 'statement', '-l',
                              '0', '-c', '+threads,+wall_seconds', *argv)


def main():
    with gstest.TempDir() as tmp, gstest.Postgres() as pg:
        whole, part = tmp.file('whole.gpsnap'), tmp.file('part.gpsnap')
        record(pg, whole)
        tables = rows(whole, '--every', '0.6s')
        gstest.check(len(tables) > 3, 'steps')
        gstest.check(any((r['statement'] or '').startswith('select ? as often')
                         for t in tables for r in t['rows']), 'the statement')
        for at in ('+1s', '+2s', '+3s'):
            gstest.gpsnap('cut', whole, '--from', at, '-o', part, '-q',
                          '--force')
            gstest.equal(rows(part)[0]['rows'],
                         rows(whole, '--from', at)[0]['rows'], at)


main()
