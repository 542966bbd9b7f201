# SPDX-License-Identifier: Apache-2.0
"""Remarks of gpsnap mark in sar and sadf, beside comments of sadc.

Both are shown in the same lines, which differ in two things: the times, and that
a mark of gpsnap names the user who set it.
"""
import json
import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'lib')]
import both  # noqa: E402
import gstest  # noqa: E402
import sar_series  # noqa: E402
import test_sar  # noqa: E402

SADF = both.find('sadf')
TEXT = 'before the update'
ODD = 'a "b" <c> & \\d; e\tf\x1b[1m --'
GPSNAP = gstest.binary('gpsnap')
FORMS = [['sar', '-C', '-w'], ['sar', '-C', '-u', '-b'],
         ['sadf', '-C', '-d'], ['sadf', '-C', '-p'], ['sadf', '-C', '-j'],
         ['sadf', '-C', '-x'], ['sadf', '-C', '-d', '-h'],
         ['sadf', '-C', '-d', '-U'], ['sadf', '-C', '-p', '-t']]


def ticks(path):
    out = subprocess.run([GPSNAP, 'status', '-f', 'json', path],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         check=False).stdout
    return json.loads(out)['ticks'] if out.strip() else 0


def record(path):
    """A recording with a remark between two of its ticks."""
    with subprocess.Popen([GPSNAP, 'record', '-q', '--no-catalog', '-i', '0.1',
                           '-o', path]
                          ) as proc:
        gstest.wait_for('ticks', lambda: ticks(path) > 1)
        for text in (TEXT, ODD):
            subprocess.check_call([GPSNAP, 'mark', path, text])
        told = ticks(path)
        gstest.wait_for('more', lambda: ticks(path) > told + 2)
        proc.terminate()


def shape(out):
    """What is not of the one machine or moment, of lines with the remark."""
    user = pwd.getpwuid(os.getuid()).pw_name
    out = out.decode().replace(user + ': ' + TEXT, TEXT)
    out = re.sub(r'\d+-\d+-\d+', 'DATE', out)
    out = re.sub(r'\d+:\d+:\d+', 'TIME', out)
    out = re.sub(r'\b\d{10}\b', 'SECONDS', out)
    return [line for line in out.splitlines() if TEXT in line]


def compare(form, trees, recording, sa):
    env = both.environment()
    name, args = form[0], form[1:]
    files = [['-f', recording], ['-f', sa]] if name == 'sar' else [
        [recording], [sa]]
    got, want = [
        both.run([*program, *args, *files[i]],
                 both.shown(trees, env) if i else env)[0]
        for i, program in enumerate([
            [GPSNAP, name, '--strict'],
            [test_sar.SAR if name == 'sar' else SADF]])]
    gstest.equal(shape(got), shape(want), ' '.join(form))
    gstest.check(shape(want), 'the real one has it')


def without(recording):
    """sar and sadf show marks only with -C; the SVG of sadf -g has them, too."""
    for name in ('sar', 'sadf'):
        out = subprocess.check_output([GPSNAP, name, '-f', recording])
        gstest.check(TEXT.encode() not in out, 'a remark without -C')
    out = subprocess.check_output([GPSNAP, 'sadf', '-g', '-C', recording])
    gstest.check(TEXT.encode() in out, 'a remark in a drawing')


def host_of(form, recording):
    out = subprocess.check_output([GPSNAP, 'sadf', '-C', form, recording])
    if form == '-j':
        return json.loads(out)['sysstat']['hosts'][0]
    return ElementTree.fromstring(out)


def escaped(recording):
    """What was said is no part of the document's form."""
    said = [c['comment']['com']
            for c in host_of('-j', recording)['comments']]
    shown = ODD.replace('\t', '\\x09').replace('\x1b', '\\x1B')
    gstest.check(any(c.endswith(shown) for c in said), 'JSON: %r' % said)
    said = [e.get('com') for e in host_of('-x', recording).iter()
            if e.tag.endswith('}comment')]
    gstest.check(any(c.endswith(shown) for c in said), 'XML: %r' % said)
    for form in ('-d', '-p'):
        out = subprocess.check_output([GPSNAP, 'sadf', '-C', form, recording])
        line = [x for x in out.splitlines() if b'"b"' in x]
        gstest.equal(len(line), 1, form)
        gstest.check(b'\x1b' not in line[0] and b'COM' in line[0], form)


def main():
    folder = tempfile.mkdtemp(prefix='gpsnap-comments-')
    try:
        trees = os.path.join(folder, 'trees')
        recording, sa = trees + '.gpsnap', trees + '.sa'
        os.mkdir(trees)
        plan = sar_series.make(trees, 'reboot')
        gstest.check((2, TEXT) in plan, 'the series has the comment')
        test_sar.collect(trees, plan, sa)
        record(recording)
        for form in FORMS:
            compare(form, trees, recording, sa)
        without(recording)
        escaped(recording)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
