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
    gstest.check(screen[2].startswith('■lock ') and '█' in screen[2],
                 'no stack: %r' % screen[2])
    term.close()


def test_a_finding_soon_after_the_beginning():
    """The window is not mostly of a time before the recording."""
    term = Terminal([GPSNAP, 'replay', os.path.join(
        gstest.TOP, 'samples', 'greenplum6-spill.gpsnap')], 100, 30, {})
    term.see('10:18:15 - 10:19:00 UTC', 'few segments', 'are all busy',
             without=['covered'])
    term.close()


def test_where_it_is_busiest():
    term = open_incident('calm-tpcb')
    term.see('no findings; this is where it is busiest')
    term.close()


def test_a_named_part_is_shown():
    term = open_incident('lock-pileup', '--to', '19:11:37')
    term.see('19:11:37 UTC', '? keys', without=['problem: 4 sessions'])
    term.close()


def test_the_list_of_findings():
    term = open_incident('lock-pileup')
    term.see('problem: 4 sessions')
    term.after('End', see=['19:11:39 UTC'])
    term.after('!', see=['findings, the worst first', '>1 19:11:22  problem'])
    term.after('Enter', see=['\n locks ', '19:11:34 UTC',
                             'problem: 4 sessions'])
    term.close()


def test_the_row_that_a_finding_is_about():
    term = open_incident('greenplum7-mixed')
    term.after('!', see=['findings, the worst first'])
    term.after('Escape', '4', see=['\n processes '])
    screen = term.after('!', 'Enter', see=['\n locks '])
    gstest.check('1 session waited for con45 ' in screen, screen)
    chosen = [line for line in screen.splitlines() if line.startswith('>')]
    gstest.check(len(chosen) == 1 and 'con45' in chosen[0].split(),
                 'con45 is not chosen on\n' + screen)
    term.close()


def test_a_finding_about_a_range():
    """Its command has --from and --to: they are shown."""
    term = open_incident('runaway-query', cols=80)
    term.see('19:22:00 - 19:22:42', 'runaway query  69/1', 'used 99 %')
    term.after('!', see=['>1 19:22:06  problem  69 (analyst, tableau)'])
    term.after('Enter', see=['\n queries ', '19:22:05 - 19:22:43', ' 37.0s',
                             '>69/1      DO '])
    term.close()


def test_a_row_of_findings_opens_it():
    term = open_incident('runaway-query', cols=80)
    term.see('runaway query  69/1', 'row 1 of')
    term.after('Enter', see=['\n queries ', '19:22:06 - 19:22:42'])
    term.close()


def test_a_baseline_from_the_start():
    """The window has been read by then."""
    term = open_incident('lock-pileup', '-V', 'sessions', '--to', '-0s')
    term.see('row 1 of')
    term.keys('D')
    term.type('..19:11:20')
    term.after('Enter', see=['beside ..19:11:20', 'WAS'])
    term.close()


def test_a_condition_about_another_view():
    term = open_incident('runaway-query', '-V', 'hosts', cols=80)
    term.see('\n hosts ')
    term.keys('F')
    term.type('session.cpu > 50')
    term.after('Enter', see=['when it was so', '>1 19:22:06  19:22:32'])
    # the first tick at which it was so
    term.after('Enter', see=['\n sessions ', '>69  ', ' - 19:22:07 '])
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
    # made again from what is known
    term.keys('&')
    term.type('cpu > 0')
    term.after('Enter', see=['where cpu > 0'])
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


def attributes(term):
    return term.run('capture-pane', '-e', '-p').splitlines()


def test_what_ended_is_no_louder_than_what_lives():
    """Grey of 256 colours, dimmed of 8, and never blue."""
    for name, quiet in (('screen-256color', '\033[38;5;244m'),
                        ('screen', '\033[2m')):
        term = open_incident('lock-pileup', '-V', 'sessions', '--to', '-0s',
                             TERM=name)
        term.see('ended')
        lines = attributes(term)
        ended = [line for line in lines if 'ended' in line]
        gstest.check(ended, 'no row has ended')
        for line in ended[1:]:
            gstest.check(quiet in line, '%s: %r' % (name, line))
            gstest.check('\033[1m' not in line, '%s: %r' % (name, line))
        gstest.check(not any('\033[34m' in line for line in lines),
                     '%s: dark blue' % name)
        term.close()


def test_function_keys():
    term = open_incident('lock-pileup', '--to', '-0s')
    term.see('? keys')
    term.after('F1', see=['Time', 'jump to a time'])
    term.after('Escape', see=['? keys'])
    term.after('F7', see=['the worst first', '>1 19:11:22'])
    term.after('Escape', see=['? keys'])
    term.keys('F10')
    term.see('status 0')
    term.close()


def test_the_last_line_fits():
    for cols in (40, 80, 200):
        term = open_incident('lock-pileup', '--to', '-0s', cols=cols)
        last = term.see('? keys  q quit').splitlines()[-1]
        gstest.check(len(last) <= cols and last.split()[-1] in (
            'jump', 'search', 'window', 'write'), 'cut: %r' % last)
        term.close()


def main():
    for name, test in list(globals().items()):
        if name.startswith('test_'):
            test()


main()
