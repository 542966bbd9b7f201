# SPDX-License-Identifier: Apache-2.0
"""Findings against the truth: which incidents are found, with the right session
and object, and how far their edges are off; and what is said beside them."""
import glob
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(TOP, 'tests', 'lib'))
import gstest

# Ticks by which an edge may be off.
TOLERANCE = 2


class Verdict:
    """Of one truth; finding is None if nothing tells it."""

    def __init__(self, name, truth, interval, finding):
        self.name = name
        self.truth = truth
        self.finding = finding
        self.off = finding and tuple(
            (seconds(finding[key]) - truth[key]) / interval
            for key in ('from', 'to'))

    def is_right(self):
        return self.finding is not None and \
            max(abs(x) for x in self.off) <= TOLERANCE


class Judged:
    """All incidents of a directory."""

    def __init__(self):
        self.verdicts = []
        self.extra = []  # (name, finding): above note, and no truth
        self.n_files = 0

    def right(self):
        return [v for v in self.verdicts if v.is_right()]

    def recall(self):
        return len(self.right()) / len(self.verdicts)

    def precision(self):
        said = len(self.right()) + len(self.extra)
        return len(self.right()) / said if said else 1.0


def seconds(instant):
    """Of "2026-11-20T14:05:30.250Z", or of a number."""
    if isinstance(instant, (int, float)):
        return float(instant)
    from datetime import datetime
    return datetime.fromisoformat(instant.replace('Z', '+00:00')).timestamp()


def findings(path):
    out = gstest.gpsnap('findings', path, '-f', 'json', status=(0, 1, 3))
    (table,) = [json.loads(line) for line in out.decode().splitlines()]
    return table['rows']


def tells(truth, finding):
    said = ' '.join(str(finding[k] or '')
                    for k in ('subject', 'host', 'session', 'what'))
    return finding['finding'] in truth['kinds'] and \
        all(name in said for name in truth['names'])


def distance(truth, finding):
    return abs(seconds(finding['from']) - truth['from']) + \
        abs(seconds(finding['to']) - truth['to'])


def judge_one(path, to):
    with open(path) as f:
        about = json.load(f)
    left = findings(path[:-len('.json')] + '.gpsnap')
    to.n_files += 1
    for truth in about['truths']:
        some = sorted((f for f in left if tells(truth, f)),
                      key=lambda f: distance(truth, f))
        to.verdicts.append(Verdict(about['name'], truth,
                                   truth.get('every', about['interval']),
                                   some[0] if some else None))
        if some:
            left.remove(some[0])
    also = about.get('also', [])
    to.extra += [(about['name'], f) for f in left
                 if f['severity'] != 'note' and f['finding'] not in also]


def judge(directory):
    judged = Judged()
    for path in sorted(glob.glob(os.path.join(directory, '*.json'))):
        judge_one(path, judged)
    return judged
