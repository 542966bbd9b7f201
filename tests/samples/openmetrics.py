#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every view of the samples as OpenMetrics, through a parser that is not
ours, and number by number against CSV."""
import csv
import io
import os
import subprocess
import sys

try:
    from prometheus_client.openmetrics.parser import (
        text_string_to_metric_families)
except ImportError:
    print("skipped: python3-prometheus-client is not installed")
    sys.exit(77)

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = os.path.join(HERE, "..", "..", "samples")
GPSNAP = os.path.join(os.environ["GS_BIN"], "gpsnap")
VIEWS = ["sessions", "queries", "processes", "hosts", "cpus", "disks", "nets",
         "filesystems", "cgroups", "agents", "waits", "time_model",
         "system_event", "session_event", "query_event",
         "histogram --metric cpu_percent", "histogram --metric memory",
         "histogram --class Client,Lock,CPU*", "processes -c cpu_seconds",
         "sessions -c user,cpu_seconds"]


def replay(path, view, fmt):
    done = subprocess.run([GPSNAP, "replay", path, "-V", *view.split(),
                           "-f", fmt, "-W", "off"], stdout=subprocess.PIPE, check=False)
    assert done.returncode in (0, 1), (path, view, fmt, done.returncode)
    return done.stdout.decode()


def check_info(family):
    """Texts that change have no figure: the sample is 1."""
    for sample in family.samples:
        assert sample.value == 1 and sample.labels, sample


def check(path, view):
    rows = list(csv.reader(io.StringIO(replay(path, view, "csv"),
                                       newline="")))
    families = list(text_string_to_metric_families(
        replay(path, view, "openmetrics")))
    if not rows:
        assert not families
        return 0
    total = 0
    for family in families:
        if family.type == "info":
            check_info(family)
            continue
        name = family.name[len("gpsnap_" + view.split()[0] + "_"):]
        at = [i for i, n in enumerate(rows[0]) if name in
              (n, n + "_bytes", n + "_timestamp_seconds")]
        assert len(at) == 1, (view, name)
        if name.endswith("_timestamp_seconds"):
            continue
        want = [float(r[at[0]]) for r in rows[1:] if r[at[0]] != ""]
        got = [s.value for s in family.samples]
        labels = {tuple(sorted(s.labels.items())) for s in family.samples}
        assert len(labels) == len(got), (path, view, name)
        assert got == want, (path, view, name, got, want)
        total += len(got)
    return total


def main():
    total = 0
    for name in ("greenplum6.gpsnap", "postgresql15.gpsnap"):
        for view in VIEWS:
            total += check(os.path.join(SAMPLES, name), view)
    assert total > 1000, total


main()
