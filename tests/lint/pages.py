#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pages.py SOURCE_DIR: files and functions that docs/ and src/*/README.md name
exist, and every folder of src/ has a README.md.

A file is named in backticks, with or without src/ before it, a function with
() after it.
"""
import glob
import os
import re
import sys


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def sources(root, *patterns):
    return [path for pattern in patterns for path in sorted(glob.glob(
        os.path.join(root, pattern), recursive=True))]


def functions(root):
    """Names before a parenthesis, outside of comments."""
    words = set()
    for path in sources(root, "src/**/*.[ch]"):
        code = re.sub(r"/\*.*?\*/", " ", read(path), flags=re.S)
        words.update(re.findall(r"\b([a-z_][a-z0-9_]*)\(", code))
    return words


def missing(root, text, words):
    for name in re.findall(r"`([\w*][\w*./-]*/[\w*.-]+)`", text):
        if not sources(root, name, "src/" + name):
            yield name
    for name in re.findall(r"\b([a-z_][a-z0-9_]*)\(\)", text):
        if name not in words:
            yield name + "()"


def main():
    root = sys.argv[1]
    words = functions(root)
    found = sources(root, "docs/*.md", "src/*/README.md")
    wrong = [f"{os.path.relpath(folder, root)}: has no README.md"
             for folder in glob.glob(os.path.join(root, "src", "*"))
             if os.path.isdir(folder) and
             os.path.join(folder, "README.md") not in found]
    for path in found:
        wrong += [f"{os.path.relpath(path, root)}: {name} does not exist"
                  for name in missing(root, read(path), words)]
    for line in wrong:
        print(line)
    sys.exit(1 if wrong or not found else 0)


main()
