# SPDX-License-Identifier: Apache-2.0
"""Where the terminal opens, and the line of time, on recorded incidents."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
from tmuxlib import Terminal

GPSNAP = gstest.binary('gpsnap')
INCIDENTS = os.path.join(gstest.TOP, 'samples', 'incidents')


def open_incident(name, *options, cols=100, rows=30, **env):
    return Terminal([GPSNAP, 'replay', os.path.join(
        INCIDENTS, name + '.gpsnap'), *options], cols, rows, env)


def test_at_the_worst_finding():
    term = open_incident('lock-pileup')
    screen = term.see('19:11:34 UTC', 'problem: 4 sessions waited for 67',
                      'lock pile-up').splitlines()
    # its message is longer than the screen is wide, and whole
    gstest.check('public.pgbench_branches, "select' in
                 ' '.join(line.strip() for line in screen[-2:]),
                 'the message is cut: %r' % screen[-2:])
    gstest.check(screen[1].startswith('load    6 ') and '▄' in screen[1],
                 'no scale: %r' % screen[1])
    gstest.check(screen[2].startswith('lock ') and '█' in screen[2],
                 'no stack: %r' % screen[2])
    term.close()


def test_where_it_is_busiest():
    term = open_incident('calm-tpcb')
    term.see('no findings; this is where it is busiest')
    term.close()


def test_a_named_part_is_shown():
    term = open_incident('lock-pileup', '--to', '19:11:37')
    term.see('19:11:37 UTC', '? keys', without=['4 sessions waited'])
    term.close()


def test_the_list_of_findings():
    term = open_incident('lock-pileup')
    term.see('problem: 4 sessions')
    term.after('End', see=['19:11:39 UTC'])
    term.after('!', see=['findings, the worst first', '>1 19:11:22  problem'])
    term.after('Enter', see=['\n locks ', '19:11:34 UTC',
                             'problem: 4 sessions'])
    term.close()


def test_the_page_of_a_session():
    """Of one that waits: its whole query, its course, and who blocks it."""
    term = open_incident('lock-pileup', '-V', 'sessions', cols=80)
    term.see('row 1 of')
    term.keys('/')
    term.type('lock')
    term.after('Enter', see=['  /lock'])
    screen = term.after('d', see=['sessions > 5', ': query', ' BLOCKERS',
                                  ' CPU%', 'at most', 'BLOCKERS 67'])
    # the title is the query, however long
    text = ' '.join(line.strip() for line in screen.splitlines())
    gstest.check('UPDATE pgbench_branches SET bbalance = bbalance + ? WHERE '
                 'bid = ?' in text, 'the query is cut:\n' + screen)
    term.after('Escape', see=['\n sessions '])
    term.close()


def test_the_page_of_a_process():
    term = open_incident('lock-pileup', '-V', 'processes', cols=80)
    term.see('row 1 of')
    term.keys('/')
    term.type('pg_sleep')
    term.see('/pg_sleep')
    term.after('Enter', see=['  /pg_sleep'])
    screen = term.after('d', see=['cpu_seconds', 'process id',
                                  'Esc goes back'])
    term.after('T', see=['cpu_seconds'])
    term.after('PPage', 'NPage', see=['Esc goes back'])
    gstest.check(screen != term.after('NPage', see=['Esc goes back']),
                 'it does not scroll')
    term.after('Escape', see=['row '], without=['Esc goes back'])
    term.close()


def test_waiting_is_offered_first():
    term = open_incident('lock-pileup')
    term.see('load    6')
    term.after('m', see=['waiting: '])
    term.after('m', see=['cpu: '])
    term.close()
    term = open_incident('runaway-query')
    term.see('load ')
    term.after('m', see=['cpu: '])
    term.close()


def test_without_colours_the_stack_has_letters():
    term = open_incident('lock-pileup', NO_COLOR='1')
    gstest.check('LLLLLL' in term.see('4 sessions waited').splitlines()[2],
                 'no letters')
    term.close()


def main():
    for name, test in list(globals().items()):
        if name.startswith('test_'):
            test()


main()
