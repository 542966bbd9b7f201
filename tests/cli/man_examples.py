#!/usr/bin/env python3
"""man_examples.py BIN_DIR PAGE...: runs the examples of manual pages.

Each line "gpsnap ..." of a literal display in EXAMPLES is run, in a directory
that has a recording a.gpsnap unless the page makes it itself.  Long recordings
are made short: -d becomes one second, what goes on for ever ends after two.
"""
import os
import re
import subprocess
import sys
import tempfile


def examples(path):
    section, literal = "", False
    with open(path, encoding="utf-8") as f:
        for line in f.read().splitlines():
            if line.startswith(".Sh "):
                section = line[4:]
            elif line.startswith(".Bd -literal"):
                literal = True
            elif line.startswith(".Ed"):
                literal = False
            elif literal and section == "EXAMPLES":
                yield line.replace("\\-", "-").replace("\\e", "\\")


def shortened(command):
    if re.search(r"gpsnap (--)?record", command):
        command = re.sub(r"-d \S+", "-d 1", command)
    endless = re.fullmatch(r"nohup (.*) &", command)
    if endless:
        return f"timeout --preserve-status -s INT 2 {endless.group(1)}"
    return command


def run(command, cwd, env):
    done = subprocess.run(["bash", "-c", shortened(command)], cwd=cwd,
                          env=env, stdin=subprocess.DEVNULL, timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace")
    if done.returncode in (0, 1):
        return True
    print(f"{command}: exit status {done.returncode}\n{done.stdout}")
    return False


def check(path, bin_dir):
    commands = list(examples(path))
    good = True
    with tempfile.TemporaryDirectory() as cwd:
        env = dict(os.environ, HOME=cwd, LC_ALL="C.UTF-8", TZ="UTC",
                   PATH=bin_dir + ":" + os.environ["PATH"])
        if not any("-o a.gpsnap" in c for c in commands):
            good = run("gpsnap record -q -i 0.5 -n 4 -o a.gpsnap", cwd, env)
        for command in commands:
            good = run(command, cwd, env) and good
    if not commands:
        print(f"{path}: has no examples")
    return good and bool(commands)


def main():
    bin_dir = os.path.abspath(sys.argv[1])
    results = [check(path, bin_dir) for path in sys.argv[2:]]
    sys.exit(0 if all(results) else 1)


main()
