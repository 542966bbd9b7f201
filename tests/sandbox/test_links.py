#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Links in a directory, which may be a stranger's, open recordings for reading
and nothing else; a descriptor that is named stays open."""
import os
import shutil

import attacklib
import gstest
from attacklib import SAMPLE, Room, run
from gstest import check, equal


def outcome(room, *argv):
    done = run(room, argv, 'all')
    got = attacklib.outcome(done.stderr)
    check('over' in got, 'was not attacked:\n' + done.stderr)
    return got, done


def link(room, name, to):
    os.symlink(to, room.file('in/%s.gpsnap' % name))


def test_links_to_others_open_nothing():
    with Room() as room:
        link(room, 'all', '/')
        link(room, 'one', room.file('home/.ssh/id'))
        link(room, 'nowhere', room.file('none'))
        for argv in (['replay', room.file('in')], ['verify', room.file('in')],
                     ['info', room.file('in')]):
            got, done = outcome(room, *argv)
            for attack in ('passwd', 'secret'):
                check(got[attack].startswith('refused'), '%s: %s: %s' % (
                    argv, attack, got[attack]))
            said = ' '.join(done.stderr.split())
            for to in (' /: that is no file', 'id: that is no recording'):
                check(to in said, '%s: no notice %r:\n%s' % (argv, to, said))


def test_links_to_recordings():
    with Room() as room:
        other = room.file('else/b.gpsnap')
        shutil.copy(SAMPLE, other)
        link(room, 'b', other)
        os.unlink(room.sample)
        said = ' '.join(run(room, ['info', room.file('in'),
                                   '--explain-sandbox'], '').stdout.split())
        check(other in said, 'it is not explained: ' + said)
        equal(run(room, ['replay', room.file('in')], '').returncode, 0,
              'a link to a recording')
        if os.getuid() != 0:
            return
        os.chown(other, 1, -1)
        done = run(room, ['replay', room.file('in')], '')
        check(done.returncode != 0 and 'neither yours' in ' '.join(
            done.stderr.split()), "a stranger's: " + done.stderr)
        os.chown(room.file('in'), 1, -1)
        equal(run(room, ['replay', room.file('in')], '').returncode, 0,
              "the directory's owner's")


def test_a_descriptor_that_is_named():
    with Room() as room:
        path = '/dev/fd/%d' % room.inherited
        for argv, want in ((['info', room.sample, path], True),
                           (['info', room.sample], False)):
            got = outcome(room, *argv)[0]['inherited']
            equal(got == 'done', want, '%s: %s' % (argv, got))


def main():
    test_a_descriptor_that_is_named()
    if attacklib.need_sandbox()[0]:
        test_links_to_others_open_nothing()
        test_links_to_recordings()
    else:
        gstest.skip('this kernel has no Landlock')


main()
