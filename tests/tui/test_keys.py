# SPDX-License-Identifier: Apache-2.0
"""The terminal, driven in tmux: each key of the list, on recordings whose
figures do not change."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'lib'))
import gstest
from tmuxlib import Terminal

GPSNAP = gstest.binary('gpsnap')
SAMPLE = os.path.join(gstest.TOP, 'samples', 'postgresql15.gpsnap')


def open_sample(*options, cols=80, rows=24, **env):
    """At its end, if no part of it is named."""
    if '--to' not in options:
        options += ('--to', '-0s')
    return Terminal([GPSNAP, 'replay', SAMPLE, *options], cols, rows, env,
                    cwd=env.get('PWD'))


def printed(*options):
    """What the same range prints as text, without lines above the table."""
    done = subprocess.run([GPSNAP, 'replay', SAMPLE, *options, '-f', 'text'],
                          stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout


def keys_listed():
    done = subprocess.run([GPSNAP, 'help', '--keys'], check=True,
                          stdout=subprocess.PIPE, text=True)
    return [line.split('\t') for line in done.stdout.splitlines()]


def test_every_key_is_documented():
    with open(os.path.join(gstest.TOP, 'man', 'gpsnap-replay.1'),
              encoding='utf-8') as f:
        page = f.read().replace('\\&', '')
    for key, _ in keys_listed():
        gstest.check(not key or '\n.It Cm %s\n' % key in page,
                     'gpsnap-replay.1 has no key %s' % key)


def test_help_lists_every_key():
    term = open_sample(rows=80)
    screen = term.after('?', see=['Time', 'Rows', 'quit'])
    for key, text in keys_listed():
        gstest.check(text in screen, '? does not say: %s %s' % (key, text))
    term.after('x', see=['overview'], without=['Draw the'])
    term.close()


def test_rows_of_the_tree_are_opened():
    """A process, not the session that it stands below."""
    for key in ('Enter', 'd'):
        term = open_sample()
        term.after('2', see=['sessions'])
        term.after('e', see=['tree'])
        term.after('O', see=['all rows are open'])
        term.after('Down', 'Down', see=['row 3 of'])
        page = term.after(key, see=['number of keys that the row has'])
        gstest.check(re.search(r'^ level +3 ', page, re.M), page)
        term.close()


def table_of(screen):
    lines = screen.splitlines()
    head = next(i for i, line in enumerate(lines) if 'SESSION' in line)
    return lines[head:-1]


def test_explains():
    """As --explain says it."""
    term = open_sample('-V', 'disks', rows=60)
    term.see('row 1 of')
    screen = term.after('x', see=['\n disks\n', 'AWAIT, await_ms'])
    done = subprocess.run([GPSNAP, 'replay', SAMPLE, '-V', 'disks',
                           '--explain', '--width', '79'], check=True,
                          stdout=subprocess.PIPE, text=True)
    for line in done.stdout.splitlines()[:30]:
        gstest.check(line in screen, '%r is not on\n%s' % (line, screen))
    term.after('Escape', see=['row 1 of'])
    term.close()


def test_windows():
    """As --window has them; the row stays in its table; one length ends it."""
    term = open_sample('-V', 'sessions', '-W', '5s,20s,1m', rows=60)
    screen = term.see('last 5s', 'last 20s', 'last 1m', 'windows 5s,20s,1m')
    done = subprocess.run([GPSNAP, 'replay', SAMPLE, '-V', 'sessions', '-W',
                           '5s,20s,1m', '-l', '0', '--width', '79'], check=True,
                          stdout=subprocess.PIPE, text=True)
    rows = [line for line in done.stdout.splitlines() if 'sid 44 ' in line]
    gstest.equal(len(rows), 3, 'rows of pgbench')
    for line in rows:
        gstest.check(' '.join(line.split()) in ' '.join(screen.split()),
                     '%r is not on\n%s' % (line, screen))
    last = int(re.search(r'row 1 of (\d+)', screen).group(1))
    term.after('G', see=['row %d of' % last])
    term.after('T', 't', see=['row %d of %d' % (last, last)])
    term.after('D', see=['compare with'])
    term.type('-1m')
    term.after('Enter', see=['tables are of windows'])
    term.after('Escape', see=['last 20s'], without=['compare with'])
    term.after('W', see=['5s,20s,1m'])
    term.keys('End')
    term.type(',2')
    term.after('Enter', see=['expected rising lengths'])
    term.after('Escape', see=['last 20s'], without=['that end here'])
    term.after('+', see=['windows stay 5s,20s,1m'])
    term.after('W', 'C-u', see=['that end here'])
    term.type('5s,10s,20s')
    term.after('Enter', see=['last 5s', 'last 10s', 'last 20s'])
    term.after('+', see=['windows of 10s,15s,30s', 'last 15s'])
    term.after('-', see=['windows of 5s,10s,15s', 'last 5s'])
    term.after(':', see=[':'])
    term.type('window 10s')
    term.after('Enter', see=['  10s'], without=['last 15s', 'windows 5s'])
    term.close()


def test_typed_ahead():
    """Keys are about the table that those before them asked for."""
    term = open_sample()
    term.type('2rjj')
    term.see('\n sessions  by +cpu_seconds', 'row 3 of')
    term.after('Escape', '4', 'Enter', see=[' processes > '])
    term.close()


def test_time():
    term = open_sample('-V', 'sessions')
    first = term.see('sessions', 'row 1 of', '1m')
    end = first.splitlines()[0]
    back = term.after('T', see=['row 1 of'], without=[end])
    forward = term.after('t', see=[end])
    # the line of time above the table may not have been complete at first
    gstest.equal(table_of(forward), table_of(first), 'a tick back and on')
    gstest.check(back != forward, 'T changed nothing')
    term.after('t', see=['this is the last tick'])
    for _ in range(9):
        term.keys('-')
    term.after(see=['window of 1s'])
    term.after('Home', see=['  1s'])
    term.after(']', ']', see=['the recording ends here'])
    term.after('[', '[', see=['the recording begins here'])
    term.after('+', see=['window of 2s'])
    term.keys('b')
    term.see('jump to')
    term.type('-10s')
    term.after('Enter', see=['2s'], without=['jump to'])
    term.keys('b')
    term.type('nonsense')
    term.after('Enter', see=['nonsense', 'jump to'])
    term.after('Escape', see=['row 1 of'], without=['jump to'])
    for key in '{}()zmnN':
        term.keys(key)
    term.after('End', see=['row 1 of'])
    term.close()


def test_rows_are_those_of_text():
    """Of the whole range and all rows that fit."""
    for view in ('sessions', 'processes', 'hosts', 'disks', 'top'):
        term = open_sample('-V', view, '--from', '+0s', '--to', '+1m',
                           cols=121, rows=60)
        screen = term.see(view, 'row 1 of')
        want = printed('-V', view, '--from', '+0s', '--to', '+1m', '-l', '0',
                       '--width', '120')
        table = want.rstrip('\n').split('\n\n')[-1].splitlines()
        for line in table[:40]:
            gstest.check(any(line in s for s in screen.splitlines()),
                         '%s: %r is not on\n%s' % (view, line, screen))
        term.close()


def test_views_and_zoom():
    term = open_sample()
    term.see('overview', 'row 1 of')
    for number, name in enumerate(
            'overview sessions queries processes hosts disks waits '
            'locks events'.split(), 1):
        term.after(str(number), see=['\n %s' % name])
    term.after('Tab', see=['\n hosts '])
    term.after('BTab', see=['\n events '])
    term.after('0', see=['view', 'workfiles', 'arrows and Enter'])
    term.after('Escape', see=['\n events '])
    term.keys('v')
    term.type('proce')
    term.after('Tab', see=['view: processes'])
    term.after('Enter', see=['\n processes '])
    term.after('2', see=['\n sessions '])
    term.keys('&')
    term.type('user = app and cpu > 0')
    term.after('Enter', see=['where user = app'])
    term.after('Enter', see=['sessions > ', ': queries'])
    term.after('Enter', see=[': processes'])
    term.after('Enter', see=[': matrix'])
    for _ in range(3):
        term.keys('Escape')
    term.after(see=['where user = app'])
    term.after('5', see=['\n hosts '])
    term.after('i', see=['zoom into', 'disks', 'nets'])
    term.after('2', see=[': disks'])
    term.keys('Escape')
    term.after('2', see=['\n sessions '])
    term.keys('&')
    term.keys('C-u')
    term.type('session ~ sid')
    term.after('Enter', see=['where session ~ sid'])
    # the system's sessions have processes, and no queries
    term.after('Enter', see=['sessions > sid', ': processes', 'row 1 of'])
    term.close()


def test_table():
    term = open_sample('-V', 'processes')
    term.see('row 1 of')
    term.after('Down', see=['row 2 of', '\n>'])
    term.after('G', see=['row'], without=['row 2 of'])
    term.after('g', see=['row 1 of'])
    term.after('NPage', see=['row'], without=['row 1 of'])
    term.after('PPage', see=['row 1 of'])
    term.after('>', see=['by memory'])
    term.after('<', see=['by cpu_seconds'])
    term.after('r', see=['by +cpu_seconds'])
    term.keys('s', 'C-u')
    term.type('mem')
    term.after('Enter', see=['by mem'])
    term.keys('c')
    term.type('+parent')
    term.after('Enter', see=['PPID'])
    term.after('a', see=['active'])
    term.after('a', see=['all rows'])
    term.after('f', see=['stays in view'])
    term.after('Down', see=['*'])
    term.after('f', see=['no row is kept'])
    term.after('C-l', see=['row 2 of'])
    term.after('m', see=['waiting'])
    term.keys('M')
    term.type('sessions.memory')
    term.after('Enter', see=['memory'])
    term.after('Space', see=['this is the end'])
    term.close()


def test_copies_to_the_clipboard():
    term = open_sample('-V', 'sessions')
    term.run('set', '-s', 'set-clipboard', 'on')
    term.see('row 1 of')
    term.after('y', see=['copied, '])
    term.keys('Y')
    term.see('the row is copied')
    gstest.wait_for('two copies', lambda: len(term.run(
        'list-buffers').splitlines()) == 2, 60)
    row = term.run('show-buffer')
    shown = next(line for line in term.screen().splitlines()
                 if ' SESSION ' in line and 'CPU' in line)
    gstest.equal(len(row.split('\t')), len(shown.split()), row)
    term.close()


def test_mouse():
    """As an old terminal says it: button, column, line, each plus 32."""
    term = open_sample('-V', 'sessions', TERM='screen')
    screen = term.see('row 1 of').splitlines()
    head = next(i for i, line in enumerate(screen) if 'SESSION' in line)
    for button in (' ', '#'):  # pressed, released
        term.type('\033[M%s%c%c' % (button, 33 + 5, 33 + head + 3))
    term.see('row 3 of')
    term.type(''.join('\033[M%s%c%c' % (button, 33 + 5, 33 + head + 5)
                      for button in ' #'))  # at once
    term.see('row 5 of')
    for button in (' ', '#'):
        term.type('\033[M%s%c%c' % (button, 33 + 3, 33 + head))
    term.see('by session')
    # an item of a list, and in the list of columns
    screen = term.after('0', see=['arrows and Enter']).splitlines()
    line = next(i for i, l in enumerate(screen) if ' hosts ' in l)
    for button in ' #':
        term.type('\033[M%s%c%c' % (
            button, 33 + screen[line].index(' hosts ') + 2, 33 + line))
    screen = term.see('\n hosts ')
    screen = term.after('C', see=['[x] host']).splitlines()
    line = next(i for i, l in enumerate(screen) if '[x] host' in l)
    for button in ' #':
        term.type('\033[M%s%c%c' % (button, 33 + 5, 33 + line))
    term.see('[ ] host')
    term.close()


def test_below_letters_are_an_option():
    with gstest.TempDir() as d:
        with open(d.file('config'), 'w', encoding='utf-8') as f:
            f.write('[terminal]\nkeys = below\n')
        term = open_sample('-V', 'sessions', GPSNAP_CONFIG=d.file('config'))
        term.see('row 1 of')
        term.after('J', 'J', see=['the recording begins here'])
        # the list and the last line say what these are
        screen = term.after('?', see=['  J j  ', '  K k  ', '  H h  '],
                            without=['[ ]', 'as k j'])
        gstest.check('  / & =' in term.after('NPage', see=['  F3  ']),
                     screen)
        term.after('x', see=['F3 search'])
        term.after('/', see=['only rows where'])
        term.close()


def test_columns_are_kept():
    with gstest.TempDir() as d:
        kept = d.file('gpsnap/columns')
        term = open_sample('-V', 'hosts', XDG_STATE_HOME=d.path)
        term.after('C', see=['[x] host'])
        term.after('Down', 'Space', 'Enter', see=['row 1 of'],
                   without=['[x]'])
        gstest.wait_for('the file', lambda: os.path.exists(kept))
        head = term.after('Escape', see=['HOST']).splitlines()
        head = [line for line in head if 'HOST' in line]
        term.close()
        term = open_sample('-V', 'hosts', XDG_STATE_HOME=d.path)
        term.see('row 1 of', head[0])
        term.close()
        # the command line wins; what is damaged is ignored
        term = open_sample('-V', 'hosts', '-c', 'host,load1',
                           XDG_STATE_HOME=d.path)
        term.see('row 1 of', 'HOST', without=[head[0]])
        term.close()
        with open(kept, 'a', encoding='utf-8') as f:
            f.write('hosts')
        term = open_sample('-V', 'hosts', XDG_STATE_HOME=d.path)
        term.see('row 1 of', 'kept columns are ignored', 'line 3',
                 without=[head[0]])
        term.close()


def test_columns_are_forgotten():
    with gstest.TempDir() as d:
        os.makedirs(d.file('gpsnap'))
        with open(d.file('gpsnap/config'), 'w', encoding='utf-8') as f:
            f.write('[terminal]\ncolumns = forget\n')
        term = open_sample('-V', 'hosts', XDG_STATE_HOME=d.path,
                           GPSNAP_CONFIG=d.file('gpsnap/config'))
        term.after('C', see=['[x] host'])
        term.after('Down', 'Space', 'Enter', see=['row 1 of'],
                   without=['[x]'])
        term.close()
        gstest.check(not os.path.exists(d.file('gpsnap/columns')),
                     'columns were kept')


def test_writes_in_the_current_directory_alone():
    with gstest.TempDir() as d, gstest.TempDir() as other:
        path = other.file('t.txt')
        lines = gstest.gpsnap('replay', SAMPLE, '--explain-sandbox').decode()
        if 'held by Landlock' not in lines:
            return
        for options in ([], ['--no-sandbox']):
            term = open_sample('-V', 'sessions', *options, cols=100,
                               PWD=d.path)
            term.see('row 1 of')
            term.keys('w', 'C-u')
            term.type(path)
            term.after('Enter', see=['is written' if options else
                                     'only in the current directory'])
            gstest.check(os.path.exists(path) == bool(options), path)
            term.close()


def test_writes_nothing_in_the_home():
    with gstest.TempDir() as d:
        lines = gstest.gpsnap('replay', SAMPLE, '--explain-sandbox').decode()
        if 'held by Landlock' not in lines:
            return
        for options in ([], ['--no-sandbox']):
            term = open_sample('-V', 'sessions', *options, cols=100,
                               PWD=d.path, HOME=d.path)
            term.see('row 1 of')
            term.keys('w', 'C-u')
            term.type('t.txt')
            term.after('Enter', see=['is written' if options else
                                     'not in a home directory'])
            gstest.check(os.path.exists(d.file('t.txt')) == bool(options),
                         't.txt')
            term.close()


def test_what_is_written_is_what_is_printed():
    with gstest.TempDir() as d:
        for name in ('t.txt', 't.csv', 't.json'):
            term = open_sample('-V', 'sessions', '--from', '+10s', '--to',
                               '+40s', cols=100, PWD=d.path)
            term.see('row 1 of')
            term.keys('w', 'C-u')
            path = d.file(name)
            term.type(path)
            term.after('Enter', see=['is written'])
            with open(path, encoding='utf-8') as f:
                got = f.read()
            want = subprocess.run(
                [GPSNAP, 'replay', SAMPLE, '-V', 'sessions', '--from', '+10s',
                 '--to', '+40s', '-l', '0', '--width', '100', '-f',
                 {'txt': 'text'}.get(name[2:], name[2:])], check=False,
                stdout=subprocess.PIPE, text=True).stdout
            gstest.equal(got, want, name)
            term.keys('w', 'C-u')
            term.type(path)
            term.after('Enter', see=['exists'])
            term.close()


def test_options_of_a_fixed_table():
    """The overview has no order; a message says what has, by its key."""
    term = open_sample()
    term.see('row 1 of')
    for option in ('sort memory', 'where cpu > 1', '-c host'):
        term.keys(':', 'C-u')
        term.type(option)
        term.after('Enter', see=['the overview is fixed; 2 shows sessions'])
        term.keys('Escape')
    term.after('s', see=['the overview is fixed'], without=[':-c'])
    term.close()


def test_beside_another_range():
    """The table that --baseline prints; other views, and none again."""
    with gstest.TempDir() as d:
        term = open_sample('-V', 'sessions', '--from', '+35s', '--to', '+20s',
                           cols=100, PWD=d.path)
        term.see('row 1 of')
        term.keys('D')
        term.see('compare with')
        term.type('+10s..+30s')
        term.after('Enter', see=['beside +10s..+30s', 'WAS'])
        term.keys('w', 'C-u')
        term.type(d.file('t.txt'))
        term.after('Enter', see=['is written'])
        with open(d.file('t.txt'), encoding='utf-8') as f:
            got = f.read()
        want = subprocess.run(
            [GPSNAP, 'replay', SAMPLE, '-V', 'sessions', '--from', '+35s',
             '--to', '+20s', '--baseline', '+10s..+30s', '-l', '0', '--width',
             '100', '-f', 'text'], check=False, stdout=subprocess.PIPE,
            text=True).stdout
        gstest.equal(got, want, 'beside')
        term.after('9', see=['events', 'not beside'])
        term.after('1', see=['overview', 'not beside'])
        term.after('5', see=['hosts', 'beside', 'WAS'])
        term.keys('D', 'C-u')
        term.type('soon')
        term.after('Enter', see=['compare with', 'soon'])
        term.keys('C-u')
        term.after('Enter', see=['hosts'], without=['WAS', 'beside'])
        # the range moves with the window
        term.keys('D')
        term.type('-10s')
        first = term.after('Enter', see=['beside -10s', 'WAS'])
        gstest.check('overlaps' in first, first)
        term.after('T', see=['beside -10s'])
        gstest.check(term.after('t', see=['WAS']) == first, 'there and back')
        term.close()


def test_sizes():
    term = open_sample('-V', 'sessions')
    term.see('row 1 of')
    term.resize(200, 50)
    wide = term.see('row 1 of', 'FAULTS/s')
    gstest.check(any(len(line) > 150 for line in wide.splitlines()),
                 'nothing stands to the right')
    term.resize(40, 11)
    term.see('sessions', 'SESSION', without=['FAULTS/s'])
    term.resize(19, 4)
    term.see('too small')
    term.resize(80, 24)
    term.see('row 1 of', '? keys')
    term.close()


def test_ascii():
    term = open_sample(LC_ALL='C')
    screen = term.see('overview', 'row 1 of')
    gstest.check(screen.isascii(), 'not ASCII:\n' + screen)
    term.close()


def main():
    for name, test in sorted(globals().items()):
        if name.startswith('test_'):
            test()


main()
