#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""collectors.py GPSNAP PAGE: what --collect may name, in gpsnap record --help and in
its page, are the rows of collectors.def, the usual ones first.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
import gstest

ROWS = os.path.join(HERE, '..', '..', 'src', 'metric', 'collectors.def')
ROW = re.compile(r'^COLLECTOR\(\w+, "(\w+)", \w+, ([01]),', re.M)
# from the option to the words after the list
HELP = re.compile(r'--collect=LIST +what to query: (.*?); all but')
PAGE = re.compile(r'^\.It Fl -collect .*?\n.*?\n((?:\.Cm .*\n)+)', re.M)


def main():
    gpsnap, page = sys.argv[1:]
    with open(ROWS, encoding='utf-8') as f:
        rows = ROW.findall(f.read())
    gstest.check(rows, ROWS)
    want = [name for name, usual in rows if usual == '1'] + \
        [name for name, usual in rows if usual == '0']
    said = subprocess.run([gpsnap, 'record', '--help'], check=True,
                          stdout=subprocess.PIPE, encoding='utf-8').stdout
    found = HELP.search(' '.join(said.split()))
    gstest.equal(re.split('[,;] ', found.group(1)), want, '--help')
    with open(page, encoding='utf-8') as f:
        found = PAGE.search(f.read())
    gstest.equal(re.findall(r'\w+', found.group(1).replace('.Cm', '')), want,
                 page)


main()
