#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""samples/external.sql is what gpsnap prints, and its columns are those that
gpsnap replay writes.  test_external.py --refresh writes it again."""
import difflib
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
from gstest import check, equal

SAMPLES = os.path.join(gstest.TOP, 'samples')
PATH = os.path.join(SAMPLES, 'external.sql')
HEAD = """\
-- Tables by which Greenplum and Cloudberry read recordings themselves, on all
-- segment hosts in parallel and without loading them.  Made by
--
--     gpsnap load --print external --schema gpsnap_files /data/gpsnap
--
-- /data/gpsnap is a directory of recordings on each host; a host that has none
-- gives no rows.  gpsnap must be in the PATH of the database's user there.
-- For recordings on the coordinator alone replace ON HOST by ON MASTER
-- (Greenplum 6) or ON COORDINATOR.
"""


def printed():
    return HEAD + gstest.gpsnap('load', '--print', 'external', '--schema',
                                'gpsnap_files', '/data/gpsnap').decode()


def tables(sql):
    """Names of columns and the options of replay, by view."""
    for body, command in re.findall(
            r'CREATE EXTERNAL WEB TABLE "\w+"\."\w+" \(\n(.*?)\n\) EXECUTE '
            r"'(.*?)'\nON HOST", sql, re.DOTALL):
        m = re.search(r"; gpsnap replay ''(\S+)'' -V (\w+) (.*?);", command)
        yield m.group(2), m.group(3).split(), re.findall(r'\t"(\w+)" ', body)


def check_columns(sql):
    n = 0
    for view, options, columns in tables(sql):
        for name in ('greenplum6.gpsnap', 'postgresql15.gpsnap'):
            out = gstest.gpsnap('replay', os.path.join(SAMPLES, name), '-V',
                                view, *options).decode()
            heading = out.split('\n')[0].split(',')
            equal(heading[0], 'step' if view == 'events' else 'time',
                  'first column of ' + view)
            equal(columns[1:], heading[1:], 'columns of ' + view)
            n += 1
    check(n >= 20, 'tables were compared')


def main():
    sql = printed()
    if sys.argv[1:] == ['--refresh']:
        with open(PATH, 'w', encoding='utf-8') as f:
            f.write(sql)
        return
    with open(PATH, encoding='utf-8') as f:
        was = f.read()
    diff = '\n'.join(difflib.unified_diff(was.splitlines(),
                                          sql.splitlines(), 'samples',
                                          'printed', lineterm=''))
    check(was == sql, 'samples/external.sql is not what gpsnap prints:\n' +
          diff + '\nrefresh it with tests/history/test_external.py --refresh')
    check_columns(sql)


main()
