# SPDX-License-Identifier: Apache-2.0
"""What is missing of a directory of files, or damaged: verify, info, recover
and replay tell the same holes, with the same ticks, and exit alike."""
import json
import os
import re
import shutil
import subprocess

import editlib
import gstest

PARTS = ('part1.gpsnap', 'part2.gpsnap', 'part3.gpsnap')


def run(*argv):
    done = subprocess.run([gstest.binary('gpsnap'), *argv], env=editlib.ENV,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def change(path, do):
    with open(path, 'rb') as f:
        data = f.read()
    with open(path, 'wb') as f:
        f.write(do(data))


def flip(at):
    """The offset at a share of the file."""
    def do(data):
        i = int(len(data) * at)
        return data[:i] + bytes([data[i] ^ 0x55]) + data[i + 1:]
    return do


def damage(name, do):
    return lambda where: change(os.path.join(where, name), do)


def remove(*names):
    return lambda where: [os.unlink(os.path.join(where, n)) for n in names]


def both(*dos):
    return lambda where: [do(where) for do in dos]


def rubbish(where):
    """Between the first two files, which become one."""
    with open(os.path.join(where, PARTS[1]), 'rb') as f:
        second = f.read()
    change(os.path.join(where, PARTS[0]), lambda d: d + b'rubbish' + second)
    os.unlink(os.path.join(where, PARTS[1]))


# What is done; how many holes; exit status of verify and of recover; words of
# verify.
CASES = (
    ('whole', lambda where: None, 0, (0, 0), ''),
    ('a bit of the first', damage(PARTS[0], flip(.6)), 1, (1, 1), 'offset'),
    ('a bit of the second', damage(PARTS[1], flip(.9)), 1, (1, 1), 'offset'),
    ('the end of the last', damage(PARTS[2], flip(.95)), 1, (1, 1),
     'to the end'),
    ('two files', both(damage(PARTS[0], flip(.7)),
                       damage(PARTS[1], flip(.7))), 2, (1, 1), 'offset'),
    ('end and no whole tick', both(
        damage(PARTS[0], flip(.7)), damage(PARTS[1], lambda d: b'')), 1,
     (1, 1), 'file 2 of the recording is missing\n'),
    ('a file', remove(PARTS[1]), 1, (1, 1),
     'file 2 of the recording is missing, '),
    ('an empty file', damage(PARTS[1], lambda d: b''), 1, (1, 1),
     'empty: may be the file that is missing'),
    ('the first file', remove(PARTS[0]), 1, (1, 1),
     'file 1 of the recording is missing, '),
    ('two first files', remove(*PARTS[:2]), 1, (1, 1),
     'files 1 to 2 of the recording are missing, '),
    ('the last file', remove(PARTS[2]), 0, (0, 0), ''),
    ('rubbish', rubbish, 0, (1, 0), 'damaged bytes, 7 bytes\n'),
)


def numbers(pattern, text):
    return sum(int(n) for n in re.findall(pattern, text))


def lost_of_recover(text):
    """Its holes, and what is lost before and after all that it wrote."""
    line = text.strip().splitlines()[-1] if text.strip() else ''
    found = re.search(r', (\d+) holes?\b', line)
    return (int(found.group(1)) if found else 0) + \
        len(re.findall(r', what was (?:before|after) it is lost', line))


def holes_of_info(text):
    found = re.search(r'^holes .*(?:\n .*)*', text, re.M).group(0)
    found = re.sub(r'\n +', ' ', found)
    return (len(re.findall(r' to (?:\S+ [0-9:]+|the end): ', found)),
            numbers(r', (\d+) ticks?\b', found))


def check_case(where, out, case):
    name, do, holes, status, words = case
    do(where)
    got, said, _ = run('verify', where)
    gstest.equal(got, status[0], name + ': verify\n' + said)
    gstest.check(words in said, '%s: verify\n%s' % (name, said))
    gstest.check('nothing lost' not in said, '%s: verify\n%s' % (name, said))
    lost = numbers(r'(\d+) ticks? lost', said)
    gstest.equal(len(re.findall(r'\d+ ticks? lost', said)), holes,
                 name + ': verify\n' + said)

    got, said, told = run('info', where)
    # hosts did not answer for a while, which is status 1, too
    gstest.equal(got, 2 if 'empty' in told else 1,
                 name + ': info\n' + said + told)
    gstest.equal(holes_of_info(said), (holes, lost), name + ': info\n' + said)
    gstest.equal('\ndamage ' in said, name == 'rubbish', name + '\n' + said)

    got, said, told = run('recover', where, '-o', out, '--force')
    gstest.equal(got, status[1], name + ': recover\n' + said + told)
    gstest.equal(lost_of_recover(said), holes, name + said)
    gstest.equal(numbers(r', (\d+) ticks?, lost from', told), lost,
                 name + ': recover\n' + told)

    got, said, told = run('replay', where, '-V', 'hosts', '-f', 'json')
    gstest.equal(got in (0, 1), True, name + told)
    told = [h for h in json.loads(said.splitlines()[0])['holes']
            if 'did not answer' not in h['why']]
    gstest.equal(len(told), holes, '%s: replay %r' % (name, told))
    for hole in told:
        gstest.check(hole['from'] < hole['to'], '%s: %r' % (name, hole))
    return lost


def main():
    with editlib.scratch() as tmp:
        subprocess.run([gstest.binary('make_recordings'), tmp], check=True)
        out = os.path.join(tmp, 'out.gpsnap')
        for case in CASES:
            where = os.path.join(tmp, 'dir')
            os.mkdir(where)
            for name in PARTS:
                shutil.copy(os.path.join(tmp, name), where)
            lost = check_case(where, out, case)
            gstest.equal(lost > 0, case[2] > 0, case[0] + ': ticks')
            shutil.rmtree(where)


if __name__ == '__main__':
    main()
