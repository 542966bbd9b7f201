# SPDX-License-Identifier: Apache-2.0
"""Three questions, answered by the keys that README.md names for them."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
from tmuxlib import Terminal

GPSNAP = gstest.binary('gpsnap')
INCIDENT = os.path.join(gstest.TOP, 'samples', 'incidents',
                        'lock-pileup.gpsnap')

# Names of keys as README.md has them, and as tmux does.
NAMES = {'Esc': 'Escape'}


def keys_for(question):
    """Of the row of the table: what is between back quotes, in its order."""
    with open(os.path.join(gstest.TOP, 'README.md'), encoding='utf-8') as f:
        rows = [line for line in f if line.startswith('| %s ' % question)]
    gstest.check(len(rows) == 1, 'README.md: no row for: ' + question)
    return re.findall('`([^`]*)`', rows[0])


def answer(question, width=120, lines=40):
    term = Terminal([GPSNAP, 'replay', INCIDENT], width, lines)
    term.see('4 sessions waited')
    for word in keys_for(question):
        for key in word.split(' '):
            # more than a key: typed as it is
            if len(key) > 1 and key not in ('Enter', 'Esc'):
                term.type(key)
            else:
                term.keys(NAMES.get(key, key))
        term.see('UTC')
    return term


def test_who_blocked_whom():
    term = answer('Who blocked whom?')
    term.see('\n locks ', '67', 'pgbench_branches', 'BLOCKS')
    term.close()


def test_what_did_a_session_run():
    term = answer('What did session 67 run?')
    term.see(': query', 'query 67/1: select pg_sleep(?);')
    term.close()


def test_what_changed():
    term = answer('What changed after 19:11:30?', 80, 24)
    term.see('19:11:30 - 19:11:35', 'beside -5s', 'WAS')
    # what matters comes first, with the state that it was in
    # and with the amount that it has its place by
    gstest.check(re.search(r'SESSION.* STATE +WAS +WAIT.* DIFF +IN *>?\n'
                           r'.56 .* idle +lock +Lock:.* ~-0.99s +WAITED',
                           term.screen()), term.screen())
    # what no session is of has a name, too
    term.see(' exited c')
    term.close()


def test_another_session_and_range():
    """The same keys again: what is typed takes the place of what was."""
    term = answer('What did session 67 run?')
    term.after('Escape', see=['where session=67'])
    term.keys('&')
    term.type('session=56')
    term.after('Enter', see=['where session=56', 'row 1 of'])
    for span in ('-5s', '-10s'):
        term.keys('D')
        term.type(span)
        term.after('Enter', see=['beside %s' % span, 'WAS'])
    term.close()


def test_a_page_beside_a_range():
    """What a session ran is of one range, also while tables are compared."""
    term = answer('What changed after 19:11:30?', 80, 24)
    term.after('d', see=[': query', 'not beside -5s', 'BLOCKERS'])
    term.after('Escape', see=['  beside -5s', ' IN '])
    term.close()


def main():
    for name, test in list(globals().items()):
        if name.startswith('test_'):
            test()


main()
