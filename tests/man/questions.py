#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""questions.py: the commands of README.md's I WANT TO KNOW, as they are written
there, answer their questions: they say what is known to have happened in the sample.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest

SECTION = re.compile(r'^## I want to know.*?(?=^## )', re.M | re.S)
QUESTION = re.compile(r'^    (gpsnap .*?) +# (.*)$', re.M)
SAMPLE = 'postgresql15-incident.gpsnap'

# Sessions 85 and 86 of the user analyst sort, and spill; 89 of bi leaves its
# transaction open; 92 of admin wants to alter a table, from 17:51:19 to 17:51:44;
# 79 to 84 of web wait for it.  From 17:51:06 on all CPUs are busy.
ANSWERS = {
    'what was wrong': (
        r'problem +idle in transaction +89',
        r'7 sessions waited for 89', r'spill +86'),
    'how it went, and who was busiest': (
        r'^sessions\n', r'^processes\n', r'^hosts\n', r'most of each: 8\s+sessions',
        r'^86 +analyst', r'^17:51:\d\d +17:51:\d\d +\S+ +db1'),
    'when the CPUs were full': (
        r'^17:51:06 +17:52:02 +56.0s +db1 +100',),
    'who blocked whom': (
        r'- +89 +idle-tx|  89 +idle-tx', r'^ +- +- +  92 +lock .*alter table',
        r'^ +- +- +    79 +lock'),
    'what each backend did at that time': (
        r'^ *89 +idle in tx', r'^ *79 +waiting +Lock:relation',
        r'^ *92 +waiting +Lock:relation.*alter table'),
    'what the database waited for': (
        r'^DB time ', r'^Lock +~\d', r'^  Lock:relation +~\d'),
    'which sessions used the CPU, and when': (
        r'^86 +analyst .*·····█', r'^85 +analyst .*··[▂-█]'),
    'which queries those were': (
        r'^86/1 +5\.72s +select bid, sum\(abalance\)',
        r'^85/1 +3\.83s +select count\(\*\)'),
    'which user caused the load': (
        r'^USER .*\nanalyst +\d+ +12\.1', r'^web ', r'^os:postgres '),
    'who filled the disk with temporary files': (
        r'^85 +analyst .* 245M', r'^86 +analyst .* 97\.0M'),
    'whether the machine was the bottleneck': (
        r'^ +TIME +HOST +BUSY%', r'^17:50:50 +db1 +\d\d?\.\d ',
        r'^17:51:30 +db1 +(100|99\.\d) '),
    'what was different from before': (
        r'^89 +bi +new ', r'^85 +analyst +gone ', r'baseline 2026-11-22 17:50:43 to 17:51:10'),
}


def answer(command, where):
    env = dict(os.environ, COLUMNS='80', LC_ALL='C.UTF-8', TZ='UTC',
               PATH=os.path.dirname(gstest.binary('gpsnap')) + ':' +
               os.environ['PATH'])
    done = subprocess.run(command, shell=True, cwd=where, env=env,
                          check=False, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    gstest.equal((done.returncode, done.stderr), (0, ''), command)
    return done.stdout


def main():
    with open(os.path.join(gstest.TOP, 'README.md'), encoding='utf-8') as f:
        section = SECTION.search(f.read()).group()
    asked = [(q, c) for c, q in QUESTION.findall(section)]
    gstest.equal([q for q, _ in asked], list(ANSWERS), 'questions')
    gstest.equal(len(asked), 12, 'number of questions')
    gstest.check(SAMPLE in section, 'the sample is named')
    with tempfile.TemporaryDirectory() as where:
        os.symlink(os.path.join(gstest.TOP, 'samples', SAMPLE),
                   os.path.join(where, 'incident.gpsnap'))
        for question, command in asked:
            said = answer(command, where)
            for pattern in ANSWERS[question]:
                gstest.check(re.search(pattern, said, re.M),
                             '%s: %s has no %s:\n%s' % (
                                 question, command, pattern, said))
    print('%d questions' % len(asked))


if __name__ == '__main__':
    main()
