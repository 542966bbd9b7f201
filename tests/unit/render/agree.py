#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random grids through every renderer: JSON and CSV must hold the same
numbers, and text must be their rounding.  Argument: the program render_dump.
"""
import csv
import io
import json
import re
import subprocess
import sys

SUFFIX = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6, "Z": 7}
BASE = {"bytes": 1024, "bytes_rate": 1024}
DURATION = {"d": 86400, "h": 3600, "m": 60, "s": 1}


def run(program, fmt, seed):
    done = subprocess.run([program, fmt, str(seed)], check=True,
                          stdout=subprocess.PIPE)
    return done.stdout.decode("utf-8")


def text_rows(text):
    """Rows of the table: cells of the columns, marks taken off."""
    lines = text.split("\n\n", 1)[1].splitlines()
    names = lines[0].split()
    for line in lines[1:]:
        cells = re.split(r" {2,}", line.strip())
        yield dict(zip(names, (re.sub("^(~|≥ )", "", c) for c in cells)))


def scaled(text, name):
    """A scaled number and half a unit of its last digit."""
    m = re.fullmatch(r"(-?)([0-9]+)(?:\.([0-9]+))?([KMGTPEZ]?)", text)
    assert m, f"{name}: {text}"
    unit = BASE.get(name, 1000) ** SUFFIX[m.group(4)]
    digits = m.group(3) or ""
    value = float(m.group(2) + "." + (digits or "0")) * unit
    return (-value if m.group(1) else value), 0.5 * unit / 10 ** len(digits)


def duration(text):
    sign = -1 if text.startswith("-") else 1
    parts = re.findall(r"([0-9]+(?:\.([0-9]+))?)([dhms])", text)
    assert parts and "".join(p[0] + p[2] for p in parts) == text.lstrip("-")
    value = sum(float(p[0]) * DURATION[p[2]] for p in parts)
    last = parts[-1]
    step = DURATION[last[2]] / 10 ** len(last[1])
    # minutes and hours are cut, not rounded
    exact = len(parts) == 1 and last[2] == "s"
    return sign * value, (0.5 if exact else 1) * step + 0.5


def check_text(name, shown, value):
    if value is None:
        assert shown == "-", (name, shown)
        return
    if name == "name":
        assert shown == value, (name, shown, value)
        return
    if name in ("seconds", "age"):
        back, slack = duration(shown)
        if re.fullmatch(r"-?[0-9.]+s", shown):
            slack -= 0.5
    else:
        back, slack = scaled(shown, name)
    slack = slack * (1 + 1e-9) + abs(value) * 1e-12
    assert abs(back - value) <= slack, (name, shown, value, slack)
    digits = re.sub(r"[^0-9]", "", shown)
    if name in ("rate", "number", "bytes_rate"):
        assert len(digits) <= 4, (name, shown)


def check(program, seed):
    objects = [json.loads(line) for line in
               run(program, "json", seed).splitlines()]
    assert len(objects) == 1
    raw = run(program, "csv", seed)
    assert "\r" not in raw
    table = list(csv.DictReader(io.StringIO(raw, newline="")))
    text = list(text_rows(run(program, "text", seed)))
    rows = objects[0]["rows"]
    names = [c["name"] for c in objects[0]["columns"]]
    assert list(table[0]) == names
    assert len(rows) == len(table) == len(text) == 200
    for in_json, in_csv, in_text in zip(rows, table, text):
        assert list(in_json) == names
        for name, value in in_json.items():
            if value is None:
                assert in_csv[name] == ""
            elif name == "name":
                assert in_csv[name] == value
            else:
                assert float(in_csv[name]) == value, (name, value)
            check_text(name, in_text[name], value)


def main():
    for seed in range(1, 21):
        check(sys.argv[1], seed)


main()
