# SPDX-License-Identifier: Apache-2.0
"""What happens to the machines whose figures sar is asked for.

Each scenario is a generator: it yields the machine once per step, and says
with a string what sadc is asked to note before the step."""
from machine import Machine

RESTART = 'RESTART'
NEAR32 = 2 ** 32 - 20000


def furnish(m):
    m.add_disk('sda', 8, 0)
    m.add_disk('sda1', 8, 1, of='sda')
    m.add_disk('nvme0n1', 259, 0)
    m.add_disk('dm-0', 253, 0, physical=False)
    m.add_disk('sr0', 11, 0, idle=True)
    m.add_disk('loop0', 7, 0, physical=False, idle=True)
    m.add_net('lo', speed=-1, duplex='unknown')
    m.add_net('eth0')
    m.add_net('eth1', speed=10, duplex='half')
    m.add_net('a-very-long0', speed=-1, idle=True)
    m.pass_time(1000)
    return m


def plain(steps=8):
    m = furnish(Machine(2, seed=5))
    for _ in range(steps):
        yield m
        m.pass_time(m.rng.choice((1000, 1000, 1001, 999, 1037, 980)))


def long():
    """Headings come again, even in files, where every CPU is shown."""
    m = furnish(Machine(2, seed=12))
    for _ in range(30):
        yield m
        m.pass_time(100)


def old():
    """Linux 3.10 with one CPU."""
    m = furnish(Machine(1, seed=6, old=True))
    for _ in range(5):
        yield m
        m.pass_time(1000)


def many():
    """CPUs go offline and come back."""
    m = furnish(Machine(64, seed=7))
    for step in range(7):
        if step == 1:
            m.offline = {3, 62}
        if step == 3:
            m.offline = {3, 7, 8}
        if step == 5:
            m.offline = {8}
        yield m
        m.pass_time(1000)


def wrap():
    """Counters near their end; things that go and come back with less."""
    m = furnish(Machine(2, seed=8))
    for i in (3, 7, 9, 10, 14):
        m.disks['sda'].counters[i] = NEAR32
    for i in (0, 2, 4, 6):
        m.disks['nvme0n1'].counters[i] = 10 ** 7
    for i in range(16):
        m.nets['eth1'].counters[i] = NEAR32
    m.nets['lo'].counters[0] = 2 ** 62
    m.add_disk('sdb', 8, 16)
    m.add_net('tap0', speed=100)
    m.disks['sdb'].there = m.nets['tap0'].there = False
    for step in range(7):
        if step == 1:
            m.disks['sdb'].there = m.nets['tap0'].there = True
        if step == 3:
            m.disks['nvme0n1'].there = m.nets['eth1'].there = False
        if step == 4:  # another in its place
            m.disks['nvme0n1'].there = m.nets['eth1'].there = True
            m.disks['nvme0n1'].clear()
            m.nets['eth1'].clear()
            m.disks['nvme0n1'].work(500, m.rng)
            m.nets['eth1'].work(500, m.rng)
        if step == 5:
            m.disks['sdb'].there = m.nets['tap0'].there = False
        yield m
        m.pass_time(1000)


def reboot():
    """Twice, the second time with other CPUs; notes in between."""
    m = furnish(Machine(2, seed=9))
    for step in range(9):
        if step == 2:
            yield 'before the update'
        if step in (3, 7):
            m.boot(90)
            yield RESTART
        yield m
        m.pass_time(1000)


def night():
    """Over midnight, every ten minutes."""
    up = 360000
    m = furnish(Machine(2, seed=10, up_cs=up,
                        btime=1790035200 - 86400 // 24 - up // 100 + 17))
    for _ in range(10):
        yield m
        m.pass_time(60000)


def bare():
    """Files that are not there."""
    m = furnish(Machine(2, seed=11))
    m.pressure = ()
    m.missing = {'sys/fs/dentry-state', 'sys/kernel/pty/nr', 'net/sockstat',
                 'net/snmp'}
    for _ in range(4):
        yield m
        m.pass_time(1000)


ALL = {f.__name__: f for f in (plain, long, old, many, wrap, reboot, night, bare)}


def make(folder, name):
    """Writes folder/00, 01, ...: [(step, note)], where note is None for a
    sample."""
    plan, step = [], 0
    for what in ALL[name]():
        if isinstance(what, str):
            plan.append((step, what))
            continue
        what.put('%s/%02d' % (folder, step))
        plan.append((step, None))
        step += 1
    return plan
