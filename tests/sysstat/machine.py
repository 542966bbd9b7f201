# SPDX-License-Identifier: Apache-2.0
"""A machine whose figures go on: what its /proc and /sys say of it as a whole.
Its processes are in trees.py."""
import os
import random

from trees import HZ, UNAME, put

IP = ('Forwarding DefaultTTL InReceives InHdrErrors InAddrErrors '
      'ForwDatagrams InUnknownProtos InDiscards InDelivers OutRequests '
      'OutDiscards OutNoRoutes ReasmTimeout ReasmReqds ReasmOKs ReasmFails '
      'FragOKs FragFails FragCreates').split()
ICMP = ('InMsgs InErrors InDestUnreachs InTimeExcds InParmProbs InSrcQuenchs '
        'InRedirects InEchos InEchoReps InTimestamps InTimestampReps '
        'InAddrMasks InAddrMaskReps OutMsgs OutErrors OutDestUnreachs '
        'OutTimeExcds OutParmProbs OutSrcQuenchs OutRedirects OutEchos '
        'OutEchoReps OutTimestamps OutTimestampReps OutAddrMasks '
        'OutAddrMaskReps').split()
TCP = ('RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens '
       'AttemptFails EstabResets CurrEstab InSegs OutSegs RetransSegs InErrs '
       'OutRsts').split()
UDP = 'InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors' \
    .split()
NEW_VMSTAT = (
    'pgpromote_success pgdemote_kswapd pgdemote_direct pgpgin pgpgout pswpin '
    'pswpout allocstall_normal pgfree pgactivate pgdeactivate pgfault '
    'pgmajfault pgsteal_kswapd pgsteal_direct pgsteal_khugepaged '
    'pgscan_kswapd pgscan_direct pgscan_khugepaged pgscan_direct_throttle '
    'pgscan_anon pgscan_file pgsteal_anon pgsteal_file').split()
OLD_VMSTAT = (
    'pgpgin pgpgout pswpin pswpout pgfree pgactivate pgdeactivate pgfault '
    'pgmajfault pgsteal_kswapd_dma pgsteal_kswapd_normal pgsteal_direct_dma '
    'pgsteal_direct_normal pgscan_kswapd_dma pgscan_kswapd_normal '
    'pgscan_direct_dma pgscan_direct_normal pgscan_direct_throttle '
    'allocstall').split()
MEMINFO = {
    'MemTotal': 16307244, 'MemFree': 1234567, 'MemAvailable': 9000000,
    'Buffers': 300000, 'Cached': 5000000, 'SwapCached': 1000,
    'Active': 4000000, 'Inactive': 2000000, 'Dirty': 700, 'AnonPages': 900000,
    'Slab': 400000, 'KernelStack': 9000, 'PageTables': 30000,
    'SwapTotal': 4194300, 'SwapFree': 4000000, 'CommitLimit': 12347922,
    'Committed_AS': 6000000, 'VmallocUsed': 50000, 'HugePages_Total': 100,
    'HugePages_Free': 60, 'HugePages_Rsvd': 7, 'HugePages_Surp': 3,
    'Hugepagesize': 2048,
}
STEADY = ('MemTotal', 'SwapTotal', 'CommitLimit', 'HugePages_Total',
          'Hugepagesize')
WRAPS = {3: 32, 7: 32, 9: 32, 10: 32, 14: 32, 16: 32}  # ms, of a disk


class Machine:
    """pass_time() and the scenario change it; put() writes a tree."""

    def __init__(self, cpus, seed=1, old=False, up_cs=360000,
                 btime=1790000000):
        self.rng = random.Random(seed)
        self.btime, self.up_cs, self.boots = btime, up_cs, 0
        self.n_cpus, self.old, self.offline = cpus, old, set()
        self.pressure = () if old else ('cpu', 'memory', 'io', 'irq')
        self.missing = set()  # files below proc that are not there
        self.disks, self.nets = {}, {}  # name: Disk; name: counters
        self.start()

    def start(self):
        """What a boot begins with."""
        small = self.rng.randint
        self.jiffies = [[small(1, 5000) for _ in range(8)] + [0, 0]
                        for _ in range(self.n_cpus)]
        self.intr, self.ctxt, self.forks = 5000, 90000, 700
        self.vm = {k: small(0, 9000)
                   for k in (OLD_VMSTAT if self.old else NEW_VMSTAT)}
        self.snmp = {proto: {k: small(0, 900) for k in keys} for proto, keys
                     in (('Ip', IP), ('Icmp', ICMP), ('Tcp', TCP),
                         ('Udp', UDP))}
        self.mem = dict(MEMINFO)
        self.stalls = {r: [0, 0] for r in self.pressure}
        for counters in list(self.disks.values()) + list(self.nets.values()):
            counters.clear()
        self.levels()

    def boot(self, seconds):
        """Goes down, and is up again some time later."""
        self.btime += self.up_cs // 100 + seconds
        self.up_cs, self.boots = 2345, self.boots + 1
        self.start()

    def add_disk(self, name, major, minor, **more):
        self.disks[name] = Disk(major, minor, **more)

    def add_net(self, name, **more):
        self.nets[name] = Net(**more)

    def levels(self):
        """What is no counter."""
        small = self.rng.randint
        for k in self.mem:
            if k not in STEADY:
                self.mem[k] = MEMINFO[k] * small(50, 120) // 100
        self.mem['SwapFree'] = min(self.mem['SwapFree'],
                                   self.mem['SwapTotal'])
        self.load = [small(0, 900) for _ in range(3)]
        self.running, self.blocked = small(1, 9), small(0, 3)
        self.tasks = small(100, 2000)
        self.tables = [small(90000, 100000), small(1, 90000),
                       small(5000, 9000), small(0, 5000), small(900, 9000),
                       small(0, 12)]
        self.sock = [small(0, 500) for _ in range(10)]
        self.averages = {r: [small(0, 9999) for _ in range(6)]
                         for r in self.pressure}

    def run_cpus(self, cs):
        for i, cpu in enumerate(self.jiffies):
            if i in self.offline:
                continue
            left = cs * HZ // 100
            for field in (0, 1, 2, 4, 5, 6, 7):
                part = self.rng.randint(0, max(left // 3, 0))
                cpu[field] += part
                left -= part
                if field < 2 and self.rng.random() < 0.4:
                    cpu[8 + field] += part // 3
            cpu[3] += max(left, 0)

    def pass_time(self, cs):
        self.up_cs += cs
        self.run_cpus(cs)
        some = self.rng.randint
        self.intr += some(0, 40 * cs)
        self.ctxt += some(0, 90 * cs)
        self.forks += some(0, cs)
        for k in self.vm:
            self.vm[k] = (self.vm[k] + some(0, 30 * cs)) % 2 ** 64
        for table in self.snmp.values():
            for k in table:
                table[k] = (table[k] + some(0, 3 * cs)) % 2 ** 64
        for pair in self.stalls.values():
            pair[0] += some(0, cs * 10000)
            pair[1] += some(0, cs * 5000)
        for disk in self.disks.values():
            disk.work(cs, self.rng)
        for net in self.nets.values():
            net.work(cs, self.rng)
        self.levels()

    def now(self):
        """Seconds since 1970, as its programs see them."""
        return self.btime + self.up_cs // 100

    def stat(self):
        rows = [[sum(c[f] for c in self.jiffies) for f in range(10)]]
        rows += self.jiffies
        lines = []
        for i, row in enumerate(rows):
            if i - 1 not in self.offline:
                lines.append('cpu%s %s' % (i - 1 if i else ' ', ' '.join(
                    map(str, row))))
        lines += ['intr %d 0 %d' % (self.intr, self.intr),
                  'ctxt %d' % self.ctxt, 'btime %d' % self.btime,
                  'processes %d' % self.forks,
                  'procs_running %d' % self.running,
                  'procs_blocked %d' % self.blocked]
        return '\n'.join(lines) + '\n'

    def meminfo(self):
        return ''.join('%-15s %8d%s\n' % (
            k + ':', v, '' if k.startswith('HugePages_') else ' kB')
            for k, v in self.mem.items()
            if not (self.old and k == 'MemAvailable'))

    def diskstats(self):
        return ''.join('%4d %7d %s %s\n' % (
            d.major, d.minor, name, ' '.join(map(
                str, d.counters[:11 if self.old else 17])))
            for name, d in self.disks.items() if d.there)

    def net_dev(self):
        return ('Inter-|   Receive                                      '
                '          |  Transmit\n'
                ' face |bytes    packets errs drop fifo frame compressed '
                'multicast|bytes    packets errs drop fifo colls carrier '
                'compressed\n') + ''.join('%6s: %s\n' % (
                    name, ' '.join(map(str, n.counters)))
                    for name, n in self.nets.items() if n.there)

    def net_snmp(self):
        return ''.join('%s: %s\n%s: %s\n' % (
            proto, ' '.join(table), proto, ' '.join(
                map(str, table.values())))
            for proto, table in self.snmp.items())

    def sockstat(self):
        return ('sockets: used %d\nTCP: inuse %d orphan %d tw %d alloc %d '
                'mem %d\nUDP: inuse %d mem %d\nUDPLITE: inuse 0\n'
                'RAW: inuse %d\nFRAG: inuse %d memory 0\n' %
                tuple(self.sock))

    def psi(self, resource):
        avg = ['%d.%02d' % divmod(v, 100) for v in self.averages[resource]]
        some, full = self.stalls[resource]
        lines = [] if resource == 'irq' else [
            'some avg10=%s avg60=%s avg300=%s total=%d' % (*avg[:3], some)]
        lines.append('full avg10=%s avg60=%s avg300=%s total=%d' % (
            *avg[3:], full))
        return '\n'.join(lines) + '\n'

    def files(self):
        t = self.tables
        out = {
            'uptime': '%d.%02d 1.00\n' % divmod(self.up_cs, 100),
            'stat': self.stat(), 'meminfo': self.meminfo(),
            'vmstat': ''.join('%s %d\n' % kv for kv in self.vm.items()),
            'loadavg': '%s %d/%d 4711\n' % (' '.join(
                '%d.%02d' % divmod(v, 100) for v in self.load),
                self.running, self.tasks),
            'diskstats': self.diskstats(), 'net/dev': self.net_dev(),
            'net/snmp': self.net_snmp(), 'net/sockstat': self.sockstat(),
            'sys/fs/dentry-state': '%d\t%d\t45\t0\t7\t0\n' % (t[0], t[1]),
            'sys/fs/inode-state': '%d\t%d\t0\t0\t0\t0\t0\n' % (t[2], t[3]),
            'sys/fs/file-nr': '%d\t0\t100000\n' % t[4],
            'sys/kernel/pty/nr': '%d\n' % t[5],
            'sys/kernel/osrelease': UNAME.release + '\n',
            'sys/kernel/hostname': UNAME.nodename + '\n',
            'sys/kernel/arch': UNAME.machine + '\n',
            'sys/kernel/random/boot_id': 'boot-%d\n' % self.boots,
            'self': '',
        }
        for r in self.pressure:
            out['pressure/' + r] = self.psi(r)
        return {k: v for k, v in out.items() if k not in self.missing}

    def sys_files(self):
        out = {}
        for i in range(self.n_cpus):
            out['devices/system/cpu/cpu%d/online' % i] = \
                '0\n' if i in self.offline else '1\n'
        for name, n in self.nets.items():
            if n.there:
                out['class/net/%s/speed' % name] = '%d\n' % n.speed
                out['class/net/%s/duplex' % name] = n.duplex + '\n'
        return out

    def put(self, root):
        for folder, files in (('proc', self.files()),
                              ('sys', self.sys_files())):
            for path, text in files.items():
                put_file('%s/%s/%s' % (root, folder, path), text)
        for name, d in self.disks.items():
            if d.there:
                d.put_sys(root + '/sys', name)


def put_file(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    put(path, text)


class Disk:
    """physical: has hardware; of: the disk that it is a part of."""

    def __init__(self, major, minor, physical=True, of=None, idle=False):
        self.major, self.minor = major, minor
        self.physical, self.of, self.idle = physical, of, idle
        self.there = True
        self.clear()

    def clear(self):
        self.counters = [0] * 17

    def work(self, cs, rng):
        if self.idle or not self.there:
            return
        c = self.counters
        reads, writes, discards = (rng.randint(0, 2 * cs) for _ in range(3))
        more = [reads, rng.randint(0, 9), reads * rng.randint(1, 256),
                rng.randint(0, 10 * cs), writes, rng.randint(0, 9),
                writes * rng.randint(1, 256), rng.randint(0, 10 * cs), 0,
                rng.randint(0, 10 * cs), rng.randint(0, 30 * cs), discards,
                0, discards * 8, rng.randint(0, cs), rng.randint(0, 5),
                rng.randint(0, cs)]
        for i, v in enumerate(more):
            c[i] = (c[i] + v) % 2 ** WRAPS.get(i, 64)
        c[8] = rng.randint(0, 7)

    def put_sys(self, root, name):
        """Its directory, and the link that names it by its number."""
        where = 'block/%s/%s' % (self.of, name) if self.of else \
            'block/' + name
        kind = 'partition' if self.of else \
            'device/model' if self.physical else 'dm/name'
        put_file('%s/%s/%s' % (root, where, kind), '1\n')
        os.makedirs(root + '/dev/block', exist_ok=True)
        os.symlink('../../' + where, '%s/dev/block/%d:%d' % (
            root, self.major, self.minor))


class Net:
    def __init__(self, speed=1000, duplex='full', idle=False):
        self.speed, self.duplex, self.idle = speed, duplex, idle
        self.there = True
        self.clear()

    def clear(self):
        self.counters = [0] * 16

    def work(self, cs, rng):
        if self.idle or not self.there:
            return
        for i in range(16):
            most = 900000 * cs // 100 if i in (0, 8) else 10 * cs
            self.counters[i] = (self.counters[i] + rng.randint(0, most)) \
                % 2 ** 64
