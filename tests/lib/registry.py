# SPDX-License-Identifier: Apache-2.0
"""The rows of src/metric/metrics.def, for tests and benchmarks that must know
what is recorded and where it comes from."""
import os
import re

METRICS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..',
                       'src', 'metric', 'metrics.def')
ROW = re.compile(r'^METRIC\((?P<entity>\w+), (?P<id>\d+), (?P<symbol>\w+), '
                 r'"(?P<name>\w+)", (?P<cls>\w+), (?P<unit>\w+), (?P<bits>\d+), '
                 r'(?P<agg>\w+),\s+(?P<flags>[\w |]+), (?P<source>\w+), '
                 r'"(?P<field>[^"]*)", (?P<width>\d+), "(?P<title>[^"]*)",',
                 re.MULTILINE)


def rows():
    """A dictionary for each metric, all values texts."""
    with open(METRICS, encoding='utf-8') as f:
        text = f.read()
    found = [m.groupdict() for m in ROW.finditer(text)]
    assert len(found) == len(re.findall(r'^METRIC\(', text, re.MULTILINE))
    return found


def fields(entity, source):
    """{field of the kernel file: name of the metric}."""
    return {r['field']: r['name'] for r in rows()
            if (r['entity'], r['source']) == (entity, source)}


def numbers(entity, source):
    """The same of lines "key: number" and of what stat numbers ("field 4");
    a key that several metrics are of, or a text, is the caller's."""
    texts = {r['name'] for r in rows()
             if r['entity'] == entity and r['cls'] == 'TEXT'}
    return {key: name for key, name in fields(entity, source).items()
            if re.fullmatch(r'\w+|field \d+', key) and name not in texts}
