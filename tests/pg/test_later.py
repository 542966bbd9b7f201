#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A server that is started after the recorder is asked all the same.  In a pid
namespace of its own there is no other."""
import json
import os
import signal
import subprocess
import sys

sys.path.insert(1, os.path.join(os.path.dirname(
    os.path.abspath(__file__)), '..', 'lib'))
import gstest


def start(path, said):
    env = {k: v for k, v in os.environ.items()
           if not k.startswith('PG') and k != 'GPSNAP_NO_CATALOG'}
    return subprocess.Popen(
        [gstest.binary('gpsnap'), 'record', '-o', path, '-i', '0.2'],
        env=env, stdin=subprocess.DEVNULL, stderr=said)


def state(path):
    """Of the database, as the recorder has it; None if it can't be asked."""
    run = subprocess.run([gstest.binary('gpsnap'), 'status', path, '-f',
                          'json'], capture_output=True, check=False)
    return json.loads(run.stdout)['database'] if run.stdout else None


def text(said):
    with open(said) as f:
        return f.read()


def asked(path):
    """The collectors that the recording has had so far."""
    return [row['collector'] for table in
            gstest.replay_json(path, '-V', 'collectors')
            for row in table.get('rows', ())]


def end(child, said):
    child.send_signal(signal.SIGTERM)
    status = child.wait(timeout=30)
    gstest.check(gstest.ended_well(status, text(said)),
                 'record: exit status %d\n%s' % (status, text(said)))


def later(tmp):
    path, said = tmp.file('a.gpsnap'), tmp.file('said')
    with open(said, 'wb') as err:
        child = start(path, err)
    gstest.wait_for('ticks', lambda: state(path) == 'none')
    with gstest.Postgres() as pg:
        gstest.wait_for('the database', lambda: state(path) == 'up', 90)
        gstest.wait_for('the notice of it', lambda:
                        'gpsnap: database: PostgreSQL ' in text(said))
        pg.sql('select count(*) from pg_class')
        gstest.wait_for('its sessions', lambda: 'activity' in asked(path))
        end(child, said)
    gstest.gpsnap('verify', path)
    gstest.check('activity' in asked(path), 'what was asked: %r' % asked(path))


def main():
    gstest.own_processes()
    with gstest.TempDir() as tmp:
        later(tmp)


if __name__ == '__main__':
    main()
