#!/usr/bin/env python3
"""readme.py: what README.md shows of recordings in samples/ is what gpsnap
says today.

A line `$ gpsnap ...` in an indented block stands above its answer; other
lines of such blocks that read samples/ only have to work.
"""
import difflib
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest


def blocks(text):
    """Indented blocks, each a list of lines."""
    found = re.findall(r'(?:^(?: {4}.*)?\n)+', text, re.MULTILINE)
    return [b for b in ([line[4:] for line in f.strip('\n').split('\n')]
                        for f in found) if any(b)]


def steps(block):
    """(command, answer or None) of the lines of a block."""
    out = []
    for line in block:
        if line.startswith('$ '):
            out.append((line[2:], []))
        elif out and out[-1][1] is not None:
            out[-1][1].append(line)
        elif ' samples/' in line:
            out.append((line, None))
    return out


def main():
    gstest.binary('gpsnap')
    env = dict(os.environ, PATH=os.environ['GS_BIN'] + ':' +
               os.environ['PATH'], LC_ALL='C.UTF-8', TZ='UTC', COLUMNS='80')
    with open(os.path.join(gstest.TOP, 'README.md'), encoding='utf-8') as f:
        text = f.read()
    bad = n = 0
    for command, answer in [s for b in blocks(text) for s in steps(b)]:
        n += 1
        done = subprocess.run(['sh', '-c', command], cwd=gstest.TOP, env=env,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        got = [line.rstrip() for line in
               done.stdout.decode('utf-8', 'replace').split('\n')]
        while got and not got[-1]:
            got.pop()
        if done.returncode == 0 and answer in (None, got):
            continue
        bad += 1
        print('README.md: %s: exit status %d' % (command, done.returncode))
        print('\n'.join(difflib.unified_diff(answer or [], got, 'README.md',
                                             'now', lineterm='')))
    gstest.check(n > 0, 'README.md shows nothing of samples/')
    gstest.check(bad == 0, '%d of %d commands' % (bad, n))
    print('%d commands of README.md' % n)


if __name__ == '__main__':
    main()
