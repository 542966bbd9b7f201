#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Thousands of clusters in one file: who tells them apart must not compare each with
all others.

    hostile_clusters.py FILE ATTACK

hosts: each key is of another host and cluster; ports: of another server of the same
hosts; again: all clusters come a second time, the last one first."""
import sys

from hostile_files import File, block, data, header, number

KEYS = 4000
HOSTS_OF_PORTS = 20


def cluster(i, hosts):
    """The header of a key of a file that was made of others."""
    more = data(4, i.to_bytes(16, 'big')) + data(17, 'gpsnap merge')
    more += data(12, number(1, len(hosts)) + data(2, 'catalog') + number(3, 1))
    more += data(15, 'PostgreSQL 15')
    return header(more + data(16, data(1, 'port') + data(2, str(1024 + i))),
                  hosts)


def keys(numbers, hosts_of):
    f = File()
    for seq, i in enumerate(numbers):
        f.add(True, cluster(i, hosts_of(i)) + block(0, seq + 1, []))
    return f.end()


def one_host(i):
    return ('h%d' % i,)


def some_hosts(_):
    return tuple('h%d' % k for k in range(HOSTS_OF_PORTS))


def forth_and_back():
    return list(range(KEYS // 2)) + list(reversed(range(KEYS // 2)))


ATTACKS = {'hosts': lambda: keys(range(KEYS), one_host),
           'ports': lambda: keys(range(KEYS), some_hosts),
           'again': lambda: keys(forth_and_back(), one_host)}


def main():
    with open(sys.argv[1], 'wb') as f:
        f.write(ATTACKS[sys.argv[2]]())


if __name__ == '__main__':
    main()
