#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The .deb and the .rpm of this build: what they have and need, and that
gpsnap records and replays in a root that has nothing but them and the
libraries that they ask for."""
import glob
import os
import re
import shutil
import subprocess

import packlib
from packlib import gstest

AGENT = ['/usr/bin/gpsnap-agent', '/usr/share/man/man1/gpsnap-agent.1.gz']
HEAP = ['/usr/bin/gpsnap-heap', '/usr/share/man/man1/gpsnap-heap.1.gz']
HAS_HEAP = os.path.exists(gstest.binary('gpsnap-heap'))
CONFIG = '/etc/default/gpsnap'
CONFIGS = [CONFIG, CONFIG + '-archive', '/etc/gpsnap.conf']


def pack(generator, to):
    """Paths of gpsnap's package, of the agent's and of gpsnap-heap's, which is
    None if it was not built."""
    packlib.run('cpack', '-G', generator, '-B', to, '--config',
                os.path.join(packlib.BUILD, 'CPackConfig.cmake'))
    found = glob.glob(os.path.join(to, '*.' + generator.lower()))
    gstest.equal(len(found), 2 + HAS_HEAP, 'packages')
    parts = []
    for name in ('gpsnap-agent', 'gpsnap-heap'):
        part = [p for p in found if name in os.path.basename(p)]
        found = [p for p in found if p not in part]
        parts += part or [None]
    gstest.equal(len(found), 1, 'packages of gpsnap')
    return found[0], *parts


def check_files(main, agent, heap=None):
    main, agent, heap = [
        [f for f in part or () if not re.match('/usr/share/(doc|lintian)/', f)]
        for part in (main, agent, heap)]
    gstest.equal(heap or HEAP, HEAP, 'files of gpsnap-heap')
    gstest.equal(agent, AGENT, 'files of the agent')
    gstest.check('/usr/bin/gpsnap' in main and CONFIG in main and
                 '/usr/lib/systemd/system/gpsnap@.service' in main,
                 'files of gpsnap: %r' % main)
    gstest.check(not set(main) & set(agent), 'a file in both')
    plain = [f for f in main if '/man/' in f and not f.endswith('.gz')]
    gstest.equal(plain, [], 'man pages that are not compressed')
    strange = [f for f in main + agent
               if not re.match('/usr/(bin|lib|share)/|/etc/', f)]
    gstest.equal(strange, [], 'files elsewhere')


def check_policy(paths):
    """Debian's checker of packages finds no error."""
    if not shutil.which('lintian'):
        print('not checked by lintian: Debian\'s lintian is not installed')
        return
    done = subprocess.run(
        ['lintian', '--allow-root', '--fail-on', 'error', *paths], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=False)
    gstest.check(done.returncode == 0, 'lintian: ' + done.stdout)


def check_units(installed, tmp):
    """systemd finds nothing wrong in the units, nor an unknown key."""
    if not shutil.which('systemd-analyze'):
        print('units are not checked: no systemd-analyze')
        return
    root = os.path.join(tmp, 'units')
    system = '/usr/lib/systemd/system'
    units = root + system
    shutil.copytree(installed + system, units)
    ours = sorted(os.listdir(units))
    for path in glob.glob('/lib/systemd/system/*.target'):
        shutil.copy2(path, units)
    for program in ('bin/sh', 'usr/bin/gpsnap'):
        os.makedirs(os.path.dirname(os.path.join(root, program)),
                    exist_ok=True)
        shutil.copy2('/bin/sh', os.path.join(root, program))
    done = subprocess.run(
        ['systemd-analyze', 'verify', '--man=no', '--root=' + root,
         *(os.path.join(system, n.replace('@.', '@x.')) for n in ours)], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=False)
    said = [line for line in done.stdout.splitlines() if 'gpsnap' in line]
    gstest.equal(said, [], 'systemd-analyze verify')


def check_man(root):
    """man finds each page by its name."""
    if not shutil.which('man'):
        return
    for page in sorted(packlib.files(root + '/usr/share/man')):
        name = os.path.basename(page)[:-len('.gz')]
        found = packlib.run('man', '-M', root + '/usr/share/man', '-w',
                            name.rsplit('.', 1)[1], name.rsplit('.', 1)[0])
        gstest.check(found.strip().endswith(page), found)


def run_there(path):
    if not packlib.can_chroot():
        print('not run in a root of its own: only root may')
        return
    root = packlib.Root(path)
    root.add_libraries('/usr/bin/gpsnap')
    root.record_and_replay()
    gstest.check('gpsnap-agent ' in root.run('gpsnap-agent', '--version'),
                 'version of the agent')


def owners(program):
    """Packages of Debian that have the libraries that a program names
    itself."""
    named = set(re.findall(r'\(NEEDED\).*\[(.*)\]', packlib.run(
        'readelf', '-d', program)))
    out = set()
    for lib in packlib.libraries(program):
        if os.path.basename(lib) in named:
            # dpkg knows files of /usr/lib as those of /lib, some of them
            path = os.path.realpath(lib)
            done = subprocess.run(['dpkg', '-S', '*' + path[len('/usr'):]],
                                  capture_output=True, text=True, check=True)
            out.add(done.stdout.split(':')[0])
    return out


def check_capability(script, name, group, capability):
    """A package's script gives a capability to a group that the administrator
    names, and else to nobody.  The commands only say that they were called."""
    with open(script, encoding='utf-8') as f:
        text = f.read()
    tmp = os.path.dirname(script)
    for command in ('chgrp', 'chmod', 'setcap'):
        path = os.path.join(tmp, command)
        with open(path, 'w', encoding='utf-8') as f:
            f.write('#!/bin/sh\necho ${0##*/} "$@"\n')
        os.chmod(path, 0o755)
    default = os.path.join(tmp, 'default')
    gstest.check('/etc/default/' + name in text, text)
    with open(script, 'w', encoding='utf-8') as f:
        f.write(text.replace('/etc/default/' + name, default))
    said = []
    for line in ('', group + '=dba\n'):
        with open(default, 'w', encoding='utf-8') as f:
            f.write(line)
        said.append(subprocess.run(
            ['sh', script, 'configure'], check=True, stdout=subprocess.PIPE,
            env={'PATH': tmp + ':/usr/bin:/bin'}).stdout.decode())
    program = '/usr/bin/' + name
    gstest.equal(said, ['', 'chgrp dba %s\nchmod 0750 %s\nsetcap %s %s\n' % (
        program, program, capability, program)], name)


def deb(tmp):
    packlib.need('dpkg-shlibdeps', 'dpkg-dev')
    gpsnap, agent, heap = pack('DEB', os.path.join(tmp, 'deb'))
    root = os.path.join(tmp, 'debroot')
    lists = []
    for path in filter(None, (gpsnap, agent, heap)):
        packlib.run('dpkg-deb', '-x', path, root)
        alone = os.path.join(tmp, os.path.basename(path) + '.d')
        packlib.run('dpkg-deb', '-R', path, alone)
        lists.append([f for f in packlib.files(alone)
                      if not f.startswith('/DEBIAN/')])
        if path == gpsnap:
            with open(os.path.join(alone, 'DEBIAN', 'conffiles')) as f:
                gstest.equal(f.read().split(), CONFIGS, 'conffiles')
            for script in ('postinst', 'prerm', 'postrm'):
                packlib.run('sh', '-n', os.path.join(alone, 'DEBIAN', script))
        script = os.path.join(alone, 'DEBIAN', 'postinst')
        if path == agent:
            check_capability(script, 'gpsnap-agent', 'DELAYS_GROUP',
                             'cap_net_admin+p')
        if path == heap:
            check_capability(script, 'gpsnap-heap', 'HEAP_GROUP',
                             'cap_sys_ptrace=ep')
    check_files(*lists)
    check_policy([p for p in (gpsnap, agent, heap) if p])
    check_units(root, tmp)
    check_man(root)
    depends = packlib.run('dpkg-deb', '-f', gpsnap, 'Depends')
    names = {d.split()[0] for d in depends.split(', ')}
    missing = owners(root + '/usr/bin/gpsnap') - names
    gstest.equal(missing, set(), 'not in Depends: %s' % depends)
    gstest.check('gpsnap-agent' in names, depends)
    gstest.check('libpq5' not in names, 'it is loaded when it is needed')
    wished = packlib.run('dpkg-deb', '-f', gpsnap, 'Suggests')
    gstest.check('libpq5' in wished, 'Suggests: %s' % wished)
    gstest.equal(packlib.run('dpkg-deb', '-f', agent, 'Depends').strip(), '',
                 'what the agent depends on')
    if heap:
        depends = packlib.run('dpkg-deb', '-f', heap, 'Depends')
        gstest.equal({'gpsnap-agent', 'libdw1'} - {
            d.split()[0] for d in depends.split(', ')}, set(), depends)
    gstest.check('libdw1' not in names, 'only gpsnap-heap needs it')
    run_there(root)


# What rpmlint says of packages that are built with another distribution's
# names, and of what is meant: an agent that is static, a search path that
# keeps a database's libraries away, root's own files.
RPM_MEANT = re.compile(
    r'invalid-spec-name|no-signature|binary-or-shlib-defines-rpath|'
    r'statically-linked-binary|non-standard-group|invalid-url|no-documentation|'
    r'only-non-binary-in-usr-lib|no-group-tag|spelling-error|'
    r'no-changelogname-tag|no-%.*section')


def check_rpms(paths):
    if not shutil.which('rpmlint'):
        print('not checked by rpmlint: Debian\'s rpmlint is not installed')
        return
    done = subprocess.run(['rpmlint', *paths], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    wrong = [line for line in done.stdout.splitlines()
             if ': E: ' in line and not RPM_MEANT.search(line)]
    gstest.equal(wrong, [], 'rpmlint')


def rpm(tmp):
    if not shutil.which('rpmbuild'):
        print('no .rpm: Debian\'s rpm is not installed')
        return
    gpsnap, agent, heap = pack('RPM', os.path.join(tmp, 'rpm'))

    def ask(path, what):
        return packlib.run('rpm', '-qp', what, path).splitlines()
    needs = ask(gpsnap, '--requires')
    for one in ('libseccomp.so.2', 'libuv.so.1', 'libzstd.so.1', 'gpsnap-agent'):
        gstest.check(any(n.startswith(one) for n in needs),
                     '%s is not required: %r' % (one, needs))
    gstest.check('libpq.so.5()(64bit)' in ask(gpsnap, '--suggests'),
                 'libpq is not suggested')
    gstest.equal(sorted(ask(gpsnap, '--configfiles')), CONFIGS,
                 'configuration')
    shared = {'/usr', '/usr/bin', '/usr/share/man/man1', '/etc', '/usr/lib',
              '/etc/default', '/usr/lib/systemd/system', '/usr/share'}
    if heap:
        needs = ask(heap, '--requires')
        gstest.check(any(n.startswith('libdw.so.1') for n in needs),
                     'libdw is not required: %r' % needs)
    for path in filter(None, (gpsnap, agent, heap)):
        gstest.equal(shared & set(ask(path, '-l')), set(),
                     'directories of the system')
    if os.geteuid() != 0:
        return
    check_rpms([p for p in (gpsnap, agent, heap) if p])
    root = os.path.join(tmp, 'rpmroot')
    os.mkdir(root)
    packlib.run('rpm', '--root', root, '--initdb')
    packlib.run('rpm', '--root', root, '-i', '--nodeps', '--noscripts',
                gpsnap, agent)
    packlib.run('rpm', '--root', root, '-V', '--nodeps', 'gpsnap',
                'gpsnap-agent')
    run_there(root)


def main():
    packlib.need_packable()
    with gstest.TempDir() as tmp:
        deb(tmp.path)
        rpm(tmp.path)


if __name__ == '__main__':
    main()
