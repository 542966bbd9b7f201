# SPDX-License-Identifier: Apache-2.0
"""What `gpsnap-agent --dump-reads FILE` wrote, parsed here and compared with a
recording cell by cell.

A dump is a sequence of
    tick N proc/<pid>/<file> LENGTH\\n  followed by LENGTH bytes
with proc/<file>, sys/<file> for the host and note/<pid>/<what> for what was
learned otherwise.  A full read of a process begins with a note "clock".
The note "slept" means that the process has not run since its last full read: the
agent did not read again what only running can change, nor status, if memory and
CPUs of the process were the same, nor stat, if its other settings were as well.
Notes of its switches mean that it has run and status was not read: then its
anonymous memory is that of statm, if this was read, else as it was.
"""
import pwd

import registry

# metric: (position after the command name in stat, from 0)
STAT = {name: int(field.split()[1]) - 3 for field, name in
        registry.numbers('PROCESS', 'STAT').items()
        if name not in ('pid', 'comm', 'state', 'blkio_delay')}
STATUS = registry.numbers('PROCESS', 'STATUS')
# Kept while a process sleeps.
OF_RUNNING = ('run_delay', 'timeslices', *(
    name for source in ('IO', 'CMDLINE', 'WCHAN')
    for name in registry.fields('PROCESS', source).values()))
OF_STATUS = (*registry.fields('PROCESS', 'STATUS').values(), 'no_memory')
# Said by the agent, not by the kernel; or not of /proc.
OWN = {'role', 'postmaster', 'spill', 'spill_files', 'spill_operator',
       *(r['name'] for r in registry.rows() if r['entity'] == 'PROCESS'
         and (r['source'] == 'TASKSTATS' or r['name'].startswith('counted_')))}
SWITCHES = ('csw_vol', 'csw_invol')
NOTES = (*SWITCHES, 'schedstat')  # of what was not read from a file


def records(path):
    """(tick, 'proc/12/stat', bytes) one after the other."""
    with open(path, 'rb') as f:
        while True:
            head = f.readline()
            if not head:
                return
            _, tick, name, length = head.split()
            yield int(tick), name.decode(), f.read(int(length))


def reads_by_tick(path):
    """(tick, {pid: [[(file, bytes)] of one full read, ...]})."""
    now, full = None, {}
    for tick, name, data in records(path):
        if tick != now:
            if now is not None:
                yield now, full
            now, full = tick, {}
        kind, first, *rest = name.split('/')
        if not first.isdigit() or not rest:
            continue
        pid = int(first)
        if kind == 'note' and rest[0] in ('clock', 'slept'):
            full.setdefault(pid, []).append([(rest[0], data)])
        elif pid in full and (kind == 'proc' or rest[0] in NOTES):
            full[pid][-1].append((rest[0], data))
    if now is not None:
        yield now, full


def parse_stat(data, cells):
    pid, _, rest = data.partition(b' (')
    comm, _, rest = rest.rpartition(b') ')
    fields = rest.split()
    cells['pid'] = int(pid)
    cells['comm'] = comm
    cells['state'] = fields[0][0]
    for name, at in STAT.items():
        cells[name] = int(fields[at])
    cells['vsize'] = int(fields[20]) // 1024
    cells['rss'] = int(fields[21]) * 4


def parse_status(data, cells):
    ns_pid = None
    for line in data.decode('utf-8', 'replace').split('\n'):
        key, _, value = line.partition(':')
        words = value.split()
        if key in STATUS:
            cells[STATUS[key]] = int(words[0])
        elif key == 'Uid':
            cells['uid'], cells['euid'] = int(words[0]), int(words[1])
        elif key == 'Gid':
            cells['gid'] = int(words[0])
        elif key == 'Cpus_allowed_list':
            cells['cpus_allowed'] = words[0].encode()
        elif key == 'NSpid':
            ns_pid = words
    if ns_pid and len(ns_pid) > 1:
        cells['ns_pid'] = int(ns_pid[-1])
    # a process without memory has no figures of it
    if 'vm_peak' not in cells:
        cells['no_memory'] = True


def parse_cgroup(data, cells):
    best = None
    groups = {}
    for line in data.decode('utf-8', 'surrogateescape').split('\n'):
        number, _, rest = line.partition(':')
        names, _, path = rest.partition(':')
        if path:
            groups[names] = path
    order = [groups.get('')]
    for want in ('memory', 'cpu'):
        order += [p for n, p in groups.items() if want in n.split(',')]
    order += list(groups.values())
    for path in order:
        if path and path != '/':
            best = path
            break
    cells['cgroup'] = (best or '/').encode('utf-8', 'surrogateescape')
    for want in ('cpu', 'memory'):
        paths = [p for n, p in groups.items() if want in n.split(',')]
        paths += [p for n, p in groups.items() if not n]
        if paths:
            cells['cgroup_' + want] = paths[0].encode('utf-8',
                                                      'surrogateescape')


def parse_read(files, last):
    """Cells of one full read; last: the cells of the read before."""
    cells = {}
    titles = []
    if 'stat' not in [name for name, _ in files]:
        cells.update(last)
    if 'status' not in [name for name, _ in files]:
        cells.update((k, last[k]) for k in OF_STATUS if k in last)
    for name, data in files:
        if name in SWITCHES:
            cells[name] = int(data)
        elif name == 'statm' and SWITCHES[0] in dict(files):
            resident, shared = (4 * int(w) for w in data.split()[1:3])
            cells['rss_anon'] = max(0, resident - shared)
            cells['vm_hwm'] = max(cells['vm_hwm'], resident)
        if name in ('clock', 'slept'):
            cells['cpu'] = int(data) // 1000
        if name == 'slept':
            cells.update((k, last[k]) for k in OF_RUNNING if k in last)
        elif name == 'stat':
            parse_stat(data, cells)
        elif name == 'schedstat':
            words = data.split()
            cells['run_delay'] = int(words[1]) // 1000
            cells['timeslices'] = int(words[2])
        elif name == 'status':
            parse_status(data, cells)
        elif name == 'io':
            for line in data.decode().splitlines():
                key, _, value = line.partition(': ')
                cells[key] = int(value)
        elif name == 'cmdline':
            titles.append(data.rstrip(b'\0').replace(b'\0', b' ')
                          if data.strip(b'\0') else b'')
        elif name == 'cgroup':
            parse_cgroup(data, cells)
        elif name == 'wchan' and data.strip() not in (b'', b'0'):
            cells['wchan'] = data.rstrip(b'\n')
    if titles:
        cells['title'] = titles[-1] or last.get('title')
    for name in ('title', 'cgroup', 'cgroup_cpu', 'cgroup_memory'):
        if cells.get(name) is None:
            cells.pop(name, None)
            if last.get(name) is not None:
                cells[name] = last[name]
    return cells


class Compare:
    """Follows both; counts cells that agree, keeps those that do not."""

    def __init__(self):
        self.cells = 0
        self.rows = 0
        self.wrong = []
        self.last = {}  # (pid, start): cells of its last full read
        self.start = {}  # by pid, of the last one that was read

    def take_reads(self, full):
        for pid, reads in full.items():
            for files in reads:
                names = [name for name, _ in files]
                key = self.key_of(pid, names, files)
                if key is None:
                    continue
                self.last[key] = parse_read(files, self.last.get(key, {}))

    def key_of(self, pid, names, files):
        """None: the process was lost while it was read."""
        if 'stat' in names and {'status', 'slept', 'csw_vol'} & set(names):
            stat = dict(files)['stat']
            self.start[pid] = int(stat.rpartition(b') ')[2].split()[19])
        elif 'stat' in names or 'slept' not in names:
            return None
        return pid, self.start[pid]

    def take_rows(self, seq, rows):
        for row in rows:
            want = self.last.get((row['pid'], row['start']))
            self.rows += 1
            if want is None:
                self.wrong.append((seq, row['pid'], 'row', 'no read', ''))
                continue
            self.take_row(seq, row, want)

    def take_row(self, seq, row, want):
        skip = set(OWN) | {'no_memory', 'sched_run', 'blkio_delay',
                           'private'}
        if want.get('no_memory'):
            skip |= {'vsize', 'rss'}
        # absent on purpose where the kernel does not measure
        if not any(want.get(k) for k in ('run_delay', 'timeslices')):
            skip |= {'run_delay', 'timeslices'}
        want = dict(want, os_user=name_of(want.get('uid')))
        for name in (set(want) | set(row)) - skip:
            self.cells += 1
            if row.get(name) != want.get(name) and len(self.wrong) < 1000:
                self.wrong.append((seq, row['pid'], name, row.get(name),
                                   want.get(name)))


def name_of(uid):
    """By this host's /etc/passwd, as the agent reads it."""
    try:
        return pwd.getpwuid(uid).pw_name.encode()
    except (KeyError, TypeError):
        return None


def is_begun(last, rows):
    """The recording's first tick is that of these reads."""
    same = sum(r['cpu'] == last.get((r['pid'], r['start']), {}).get('cpu')
               for r in rows)
    return same >= len(rows)


def compare(dump_path, ticks):
    """ticks: an iterator of (sequence, rows) of the recording.  Ticks of
    both are matched by their order, the first by CPU time, since a slow first
    answer is not recorded; one that the recorder did not write shows as
    different cells."""
    result = Compare()
    reads = reads_by_tick(dump_path)
    for n, (seq, rows) in enumerate(ticks):
        for tries, (_, full) in enumerate(reads):
            result.take_reads(full)
            if n > 0 or tries > 3 or is_begun(result.last, rows):
                break
        result.take_rows(seq, rows)
    return result
