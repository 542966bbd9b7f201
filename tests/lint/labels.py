#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""labels.py SOURCE_DIR BUILD_DIR CTEST: labels of tests are those of tests/README.md,
check.sh runs each test in one of its builds, and counts what passed and failed; it is
run in a folder of its own, with a ctest that only says what a case wants.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

PACKAGES = """packages_build= packages_cmocka= packages_test=
need_packages() { :; }
missing_packages() { :; }
"""
GOOD = "100% tests passed, 0 tests failed out of 4\n"
BAD = """ 1/4 Test  #1: a/one ............***Timeout 300.00 sec
50% tests passed, 2 tests failed out of 4
The following tests FAILED:
\t  1 - a/one (Timeout)
\t  2 - a/two+ (Failed)
"""
ONE = "50% tests passed, 1 tests failed out of 2\n"
NESTED = "100% tests passed, 0 tests failed out of 3\n"
# Words of check.sh; what ctest says of what waits, of what computes, of what failed,
# alone; builds that fail; passed, failed, status.
CASES = [
    ("gcc", GOOD, GOOD, "", "", 8, 0, 0),
    ("quick", GOOD, GOOD, "", "", 4, 0, 0),
    ("gcc clang", GOOD, GOOD, "", "", 16, 0, 0),
    ("gcc", BAD, GOOD, ONE, "", 7, 1, 1),
    ("gcc", BAD, GOOD, GOOD, "", 8, 0, 0),
    ("gcc", BAD, GOOD, "killed\n", "", 6, 2, 1),
    ("gcc", "killed\n", GOOD, "", "", 4, 1, 1),
    ("gcc", GOOD, "", "", "", 4, 1, 1),
    ("gcc", NESTED + BAD, GOOD, ONE, "", 7, 1, 1),
    ("gcc clang", GOOD, GOOD, "", "gcc", 8, 1, 1),
    ("gcc clang", BAD, GOOD, ONE, "clang", 7, 2, 1),
    ("gcc clang", GOOD, GOOD, "", "gcc clang", 0, 2, 1),
]


def script(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    os.chmod(path, 0o755)


def scratch(root, folder):
    """A check.sh whose ctest says what files of the folder have."""
    for name in ("bin", "tools", "build"):
        os.mkdir(os.path.join(folder, name))
    shutil.copy(os.path.join(root, "check.sh"), folder)
    script(folder, "tools/packages.sh", PACKAGES)
    script(folder, "bin/cmake", "#!/bin/sh\n")
    script(folder, "bin/npm", "#!/bin/sh\n")
    script(folder, "bin/ninja", """#!/bin/sh
for name in $BROKEN; do case "$*" in *build/$name*) exit 1 ;; esac; done
""")
    script(folder, "bin/ctest", """#!/bin/sh
echo "$*" >>asked
case "$*" in
*" -R "*) cat alone ;; *" -L waits"*) cat waits ;; *) cat computes ;;
esac
""")
    os.makedirs(os.path.join(folder, "tests/report/axe/node_modules/axe-core"))


def counts(folder, case):
    words, waits, computes, alone, broken = case[:5]
    for name, said in (("waits", waits), ("computes", computes), ("alone", alone)):
        script(folder, name, said)
    done = subprocess.run(
        ["bash", os.path.join(folder, "check.sh"), *words.split()],
        env=dict(os.environ, BROKEN=broken, PATH=os.path.join(folder, "bin") +
                 os.pathsep + os.environ["PATH"]),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    said = done.stdout.decode()
    last = re.fullmatch(r"(\d+) passed, (\d+) failed", said.splitlines()[-1])
    got = last and (int(last[1]), int(last[2]), done.returncode)
    if got != case[5:]:
        yield f"check.sh {words}: {got}, want {case[5:]}: {case[1:5]!r}\n{said}"


def order(folder):
    """Each build runs the same tests, in whatever order they are named."""
    asked = []
    for words in ("gcc clang", "clang gcc"):
        path = os.path.join(folder, "asked")
        if os.path.exists(path):
            os.unlink(path)
        yield from counts(folder, (words, GOOD, GOOD, "", "", 16, 0, 0))
        with open(path, encoding="utf-8") as f:
            asked.append(sorted(f))
    if asked[0] != asked[1]:
        yield "check.sh gcc clang: %s; clang gcc: %s" % tuple(asked)


def tests(build, ctest):
    said = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"],
                          stdout=subprocess.PIPE, check=True).stdout
    for test in json.loads(said)["tests"]:
        yield test["name"], next((p["value"] for p in test["properties"]
                                  if p["name"] == "LABELS"), [])


def wrong_labels(root, build, ctest):
    with open(os.path.join(root, "tests/README.md"), encoding="utf-8") as f:
        rows = re.search(r"\n\| label \|.*?\n\n", f.read(), re.S)[0]
    known = {name for row in rows.splitlines() for name in
             re.findall(r"`(\w+)`", row.split("|")[1] if "|" in row else "")}
    used = set()
    for name, labels in tests(build, ctest):
        used |= set(labels)
        for label in set(labels) - known:
            yield f"{name}: label {label} is not in tests/README.md"
        if {"once", "figures"} <= set(labels):
            yield f"{name}: once and figures: check.sh never runs it"
        if "quick" in labels and len(labels) > 1:
            yield f"{name}: quick and {labels}"
    for label in known - used:
        yield f"tests/README.md: no test has label {label}"


def main():
    root, build, ctest = sys.argv[1:]
    wrong = list(wrong_labels(root, build, ctest))
    with tempfile.TemporaryDirectory() as folder:
        scratch(root, folder)
        for case in CASES:
            wrong += counts(folder, case)
        wrong += order(folder)
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


main()
