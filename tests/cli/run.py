#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs command line cases: run.py [--refresh] BIN_DIR FILE...; the format is
in README.md."""
import difflib
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))
import gstest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
TIMEOUT_S = 60


class Step:
    """One command, the lines above it, and the answer that it must give."""

    def __init__(self, above, command):
        self.above = above
        self.command = command
        self.expected = []

    def lines(self):
        return self.above + ["$ " + self.command] + self.expected


def parse(path):
    """Steps of a file, and the lines after the last of them."""
    steps, above = [], []
    with open(path, encoding="utf-8") as f:
        for line in f.read().splitlines():
            if line.startswith("$ "):
                steps.append(Step(above, line[2:]))
                above = []
            elif line and line[0] in "|!=" and steps and not above:
                steps[-1].expected.append(line)
            elif line == "" or line.startswith("#"):
                above.append(line)
            else:
                sys.exit(f"{path}: no such kind of line: {line}")
    return steps, above


def environment(bin_dir, home):
    env = {
        "PATH": bin_dir + ":" + os.environ.get("PATH", "/usr/bin:/bin"),
        "HOME": home, "LC_ALL": "C.UTF-8", "TZ": "UTC", "COLUMNS": "80",
        "SOURCE": SOURCE, "GPSNAP_NO_CATALOG": "1",
    }
    for name, value in os.environ.items():
        if name.startswith(("ASAN_", "UBSAN_", "LSAN_")):
            env[name] = value
    return env


def marked(mark, text):
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [(mark + " " + line).rstrip(" ") if line == "" else
            mark + " " + line for line in lines]


def answer(command, cwd, env):
    done = subprocess.run(["sh", "-c", command], cwd=cwd, env=env,
                          stdin=subprocess.DEVNULL, timeout=TIMEOUT_S,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    lines = marked("|", done.stdout.decode("utf-8", "backslashreplace"))
    lines += marked("!", done.stderr.decode("utf-8", "backslashreplace"))
    return lines + [f"= {done.returncode}"]


def line_matches(want, got):
    if want[1:2] == "~":
        return want[0] == got[0] and re.fullmatch(want[3:], got[2:])
    return want == got


def matches(expected, got):
    if not any(line.startswith("=") for line in expected):
        expected = expected + ["= 0"]
    return len(expected) == len(got) and all(
        line_matches(w, g) for w, g in zip(expected, got))


def kept(expected, got):
    """The answer as it is now, with regular expressions for the lines that
    still match them."""
    patterns = [line for line in expected if line[1:2] == "~"]
    lines = []
    for line in got:
        at = next((i for i, p in enumerate(patterns) if line_matches(p, line)),
                  None)
        lines.append(line if at is None else patterns[at])
        if at is not None:
            del patterns[:at + 1]
    return lines


def run(path, bin_dir, refresh):
    """True if every step of the file answers as it must."""
    steps, tail = parse(path)
    good = True
    with tempfile.TemporaryDirectory() as cwd:
        env = environment(bin_dir, cwd)
        for step in steps:
            got = answer(step.command, cwd, env)
            if matches(step.expected, got):
                continue
            good = False
            print(f"{path}: $ {step.command}")
            if got[-1] == "= 0" and "= 0" not in step.expected:
                got.pop()  # as if it were not written
            got = kept(step.expected, got)
            print("\n".join(difflib.unified_diff(
                step.expected, got, "expected", "got", lineterm="")))
            step.expected = got
    if refresh and not good:
        lines = [line for step in steps for line in step.lines()] + tail
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
    return good or refresh


def main():
    gstest.own_network()
    args = sys.argv[1:]
    refresh = "--refresh" in args
    args = [a for a in args if a != "--refresh"]
    bin_dir = os.path.abspath(args[0])
    results = [run(path, bin_dir, refresh) for path in args[1:]]
    sys.exit(0 if all(results) else 1)


main()
