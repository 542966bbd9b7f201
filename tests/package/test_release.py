#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What tools/release.sh and tools/portable.sh refuse before they build."""
import os
import shutil
import subprocess
import tempfile

from packlib import gstest

TOOLS = os.path.join(gstest.TOP, 'tools')
WHO = {'GIT_AUTHOR_NAME': 'a', 'GIT_AUTHOR_EMAIL': 'a@example.org',
       'GIT_COMMITTER_NAME': 'a', 'GIT_COMMITTER_EMAIL': 'a@example.org'}


def git(tree, *args):
    subprocess.run(['git', '-C', tree, *args], check=True,
                   env=dict(os.environ, **WHO), stdout=subprocess.DEVNULL)


def make_tree(tree, changes, *tags):
    """A commit of version 1.1 that has only what release.sh looks at."""
    shutil.copytree(TOOLS, os.path.join(tree, 'tools'))
    for name, text in (('CMakeLists.txt', 'project(gpsnap VERSION 1.1 C)\n'),
                       ('CHANGELOG.md', changes)):
        with open(os.path.join(tree, name), 'w', encoding='utf-8') as f:
            f.write(text)
    git(tree, 'init', '-q')
    git(tree, 'add', '.')
    git(tree, 'commit', '-q', '-m', 'one')
    for tag in tags:
        git(tree, 'tag', '-a', '-m', tag, tag)


def refusal(changes, *tags):
    with tempfile.TemporaryDirectory() as tree:
        make_tree(tree, changes, *tags)
        # what it would build with is not there
        done = subprocess.run([os.path.join(tree, 'tools', 'release.sh')],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False, text=True,
                              env=dict(os.environ, CC='false'))
    gstest.equal(done.returncode != 0, True, 'it fails')
    return done.stderr


def check_release():
    new = '# Changes\n\n## 1.1 (2026)\n\n- this\n'
    for name, want, changes, tags in (
            ('not tagged', 'not tagged v1.1', new, ()),
            ('another tag', 'not tagged v1.1', new, ('v1.10',)),
            ('only 1.10', 'no part ## 1.1', '## 1.10\n\n- that\n', ('v1.1',)),
            ('unreleased', 'a part is ## Unreleased',
             '## Unreleased\n\n' + new, ('v1.1',))):
        said = refusal(changes, *tags)
        gstest.equal(want in said, True, name + ': ' + said)
    two = refusal(new, 'v1.1', 'tried')
    gstest.equal('release.sh' in two, False, 'two tags: ' + two)


def check_portable():
    done = subprocess.run([os.path.join(TOOLS, 'portable.sh'), 'sparc'],
                          stderr=subprocess.PIPE, check=False, text=True)
    gstest.equal(done.returncode, 64, 'another machine')
    gstest.equal('expected x86_64 or aarch64' in done.stderr, True,
                 done.stderr)


def main():
    if not shutil.which('git'):
        gstest.skip('no git')
    check_release()
    check_portable()


if __name__ == '__main__':
    main()
