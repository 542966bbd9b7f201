#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lint.py CHECK SOURCE_DIR BUILD_DIR COMPILER (tests/README.md has the limits, too)

includes  include lines of src/ follow the direction of dependencies
sizes     no function above 60 lines, no file above 600; of tests 100 and 700;
          tables not counted; no line above 100 columns, texts not counted
headers   every header compiles alone
options   every option stands in the manual page of its command
callers   what a header declares is called by the program, not only by tests
ids       ids and names in the registry are unique
keys      the key tables of kernel files are in the order that key_find() needs
circles   no modules of a folder (X.c and X.h) need each other in a circle, by
          include lines and by what the linker resolves
symbols   no two libraries define the same global symbol
names     a header's guard is its path; a head comment that begins with the
          name of a file begins with its own
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

# Lines of a function and of a file, by the first folder.
SIZES = {"src": (60, 600), "tests": (100, 700), "bench": (100, 700)}

COLUMNS = 100

# Files of src/ that are longer still.  Nothing is added; one that is short
# enough is deleted.
LONG = []

# What a folder of src/ may include besides itself; and what those may.
DEPENDENCIES = {
    "base": [],
    "metric": ["base"],
    "title": ["base"],
    "model": ["metric"],
    "procfs": ["model"],
    "pg": ["model"],
    "format": ["model"],
    "agent": ["procfs", "format", "title"],
    "record": ["pg", "format", "title"],
    "replay": ["format"],
    "analysis": ["model", "title"],
    "anonymize": ["format", "title"],
    "edit": ["query", "anonymize", "replay"],
    "merge": ["edit"],
    "query": ["analysis"],
    "waitgrid": ["query"],
    "findings": ["query"],
    "view": ["findings", "waitgrid"],
    "render": ["view"],
    "report": ["render"],
    "web": ["report", "replay"],
    "diff": ["render"],
    "history": ["pg", "render"],
    "tui": ["render"],
    "sysstat": ["model"],
    "pidstat": ["sysstat"],
    "sar": ["sysstat"],
    "sadf": ["sar"],
    "sandbox": ["base"],
    "heap": ["procfs", "sandbox"],
    "cli": ["record", "merge", "diff", "history", "sandbox",
            "pidstat", "report", "sadf", "tui", "web"],
}

# Headers of other projects, and the folders that may see them.
FOREIGN = {
    r"zstd.*\.h": "format",
    r"protobuf-c/.*": "format",
    r"gpsnap\.pb-c\.h": "format",
    r"isa-l.*|crc\.h": "format",
    r"uv\.h|uv/.*": "record",
    r"yajl/.*": "render pidstat sadf",
    r"zlib.h": "report",
    r"microhttpd\.h": "web",
    r"libpq.*|pg_.*\.h": "pg history",
    r"n?curses.*\.h": "tui",
    r"elfutils/.*|dwarf\.h": "heap",
    r"seccomp\.h|linux/(seccomp|landlock)\.h": "sandbox",
}


# Circles that are still there, each as the modules of it.  Nothing is added;
# one that is gone is deleted.
CIRCLES = {
}

# Symbols that two libraries define still, as above.
TWICE = []

# Functions of headers that only tests and fuzzers call, and why they must be
# there.  Nothing is added that a test can do by itself.
FOR_TESTS = {
    "catalog_own_pids": "a test leaves out backends of the recorder itself",
    "config_forget": "a fuzzer reads many files in one process",
    "logins_count": "names of a stranger's file are bounded",
    "plain_list": "words are sorted",
    "sink_put_gist": "a file with wrong gists",
    "sink_put_summary": "a file with wrong summaries",
}


def allowed(folder):
    """The folder and all that it may include."""
    todo, seen = [folder], set()
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            todo += DEPENDENCIES[one]
    return seen


def sources(root, *patterns):
    found = []
    for pattern in patterns:
        found += glob.glob(os.path.join(root, pattern), recursive=True)
    return sorted(found)


def read_lines(path):
    with open(path, encoding="utf-8") as f:
        return f.read().split("\n")


def check_include(folder, target):
    """What is wrong with that include line, or None."""
    for pattern, only in FOREIGN.items():
        if re.fullmatch(pattern, target) and folder not in only.split():
            return f"{target} belongs to src/{only} alone"
    other = target.split("/")[0]
    if other in DEPENDENCIES and "/" in target and \
            other not in allowed(folder):
        return f"src/{folder} must not know src/{other}"
    return None


def includes(root, _build, _compiler):
    wrong = []
    for path in sources(root, "src/**/*.[ch]"):
        relative = os.path.relpath(path, root)
        folder = relative.split(os.sep)[1]
        if folder not in DEPENDENCIES:
            wrong.append(f"{relative}: src/{folder} stands in no table")
            continue
        for number, line in enumerate(read_lines(path), 1):
            m = re.match(r'\s*#\s*include\s+["<]([^">]+)[">]', line)
            why = check_include(folder, m.group(1)) if m else None
            if why:
                wrong.append(f"{relative}:{number}: {why}")
    return wrong


def long_functions(lines, most):
    """(line number, length) of functions that are too long."""
    start = None
    for number, line in enumerate(lines, 1):
        if line == "{":
            start = number
        elif line == "}" and start:
            if number - start - 1 > most:
                yield start, number - start - 1
            start = None


def code_lines(lines):
    """How many lines there are without those of tables."""
    count, table = 0, False
    for line in lines:
        if re.match(r"\S.*= \{$", line):
            table = True
        elif line == "};":
            table = False
        count += not table
    return count


def wide_lines(lines):
    for number, line in enumerate(lines, 1):
        code = re.sub(r'"(?:\\.|[^"\\])*"', '""', line.expandtabs(8))
        if len(code) > COLUMNS:
            yield number, len(code)


def sizes(root, _build, _compiler):
    wrong = []
    for path in sources(root, "src/**/*.[ch]", "tests/**/*.[ch]",
                        "bench/**/*.[ch]"):
        relative = os.path.relpath(path, root)
        function, most = SIZES[relative.split(os.sep)[0]]
        lines = read_lines(path)
        n = code_lines(lines)
        if n > most and relative not in LONG:
            wrong.append(f"{relative}: {n} lines, at most {most}")
        elif n <= most and relative in LONG:
            wrong.append(f"{relative}: is short enough, delete it in LONG")
        wrong += [f"{relative}:{at}: function of {n} lines, at most "
                  f"{function}" for at, n in long_functions(lines, function)]
        wrong += [f"{relative}:{at}: {n} columns, at most {COLUMNS}"
                  for at, n in wide_lines(lines)]
    return wrong + [f"{path}: is no file, delete it in LONG" for path in LONG
                    if not os.path.exists(os.path.join(root, path))]


GUARDED = re.compile(r"(?:/\*.*?\*/\s*)*#ifndef (\w+)\n#define \1\n.*\n#endif\n", re.S)


def first_includes(root):
    """Headers that the build compiles alone: some file begins with them."""
    for path in sources(root, "src/**/*.c"):
        with open(path, encoding="utf-8") as f:
            found = re.search(r'^#include ["<](.*)[">]$', f.read(), re.M)
        if found:
            yield found[1]


def headers(root, build, compiler):
    """Each header compiles alone, and is guarded."""
    wrong = []
    alone = set(first_includes(root))
    libpq = run("pkg-config", "--cflags", "libpq").split()
    with tempfile.TemporaryDirectory() as scratch:
        unit = os.path.join(scratch, "unit.c")
        for path in sources(root, "src/**/*.h"):
            relative = os.path.relpath(path, os.path.join(root, "src"))
            with open(path, encoding="utf-8") as f:
                if not GUARDED.fullmatch(f.read()):
                    wrong.append(f"src/{relative}: has no guard around it")
            if relative in alone:
                continue
            with open(unit, "w", encoding="utf-8") as f:
                f.write(f'#include "{relative}"\nextern int not_empty;\n')
            done = subprocess.run(
                [compiler, "-std=gnu11", "-D_GNU_SOURCE", "-fsyntax-only",
                 "-Wall", "-Wextra", "-Werror", "-Wno-unused-function",
                 *libpq, "-I", os.path.join(root, "src"),
                 "-I", os.path.join(build, "proto"), unit],
                stderr=subprocess.PIPE, text=True, check=False)
            if done.returncode:
                wrong.append(f"src/{relative}: does not compile alone\n" +
                             done.stderr)
    return wrong


def run(program, *args):
    return subprocess.run([program, *args], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def missing_options(program, command, page):
    """Options of the command that its page does not name."""
    for line in run(program, "help", f"--options={command}").splitlines():
        short, name = line.split("\t")[:2]
        if short != "-" and not re.search(
                rf"Fl {re.escape(short[1:])}\b", page):
            yield short
        if not re.search(rf"Fl {re.escape(name[1:])}(?![\w-])", page):
            yield name


def options(root, build, _compiler):
    wrong = []
    program = os.path.join(build, "bin", "gpsnap")
    for line in run(program, "help", "--commands").splitlines():
        command = line.split("\t")[0]
        name = "gpsnap.1" if command == "help" else f"gpsnap-{command}.1"
        path = os.path.join(root, "man", name)
        if not os.path.exists(path):
            wrong.append(f"man/{name}: there is no such page")
            continue
        page = "\n".join(read_lines(path)).replace("\\-", "-")
        wrong += [f"man/{name}: says nothing of {option}" for option in
                  missing_options(program, command, page)]
    return wrong


def code_of(path):
    """Text without comments, strings and lines of the preprocessor that go
    on."""
    text = "\n".join(read_lines(path))
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def declared(code):
    """Names of the functions that the text of a header declares."""
    code = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", "", code, flags=re.M)
    inner = re.compile(r"\{[^{}]*\}")
    while inner.search(code):
        code = inner.sub(";", code)
    for piece in code.split(";"):
        m = re.search(r"\b([a-z_][a-z0-9_]*)\s*\(", piece)
        if m and not piece.strip().startswith("typedef") and \
                re.match(r"\s*\w", piece):
            yield m.group(1)


def is_inline(code, name):
    """Declared and defined at once."""
    return bool(re.search(rf"static inline [^;{{}}]*\b{name}\(", code))


def words_of(codes):
    times = {}
    for code in codes.values():
        for word in re.findall(r"\b[a-z_][a-z0-9_]*\b", code):
            times[word] = times.get(word, 0) + 1
    return times


def callers(root, _build, _compiler):
    """Names that stand nowhere but where they are declared and defined."""
    codes = {path: code_of(path) for path in
             sources(root, "src/**/*.[ch]", "src/**/*.def", "bench/**/*.[ch]",
                     "man/*.c")}
    times = words_of(codes)
    tested = words_of({path: code_of(path) for path in
                       sources(root, "tests/**/*.[ch]")})
    wrong, alone = [], set()
    for path in sources(root, "src/**/*.h"):
        for name in declared(codes[path]):
            if times[name] > 2 - is_inline(codes[path], name):
                continue
            alone.add(name)
            if name not in FOR_TESTS:
                who = "only tests call" if name in tested else "nobody calls"
                wrong.append(f"{os.path.relpath(path, root)}: {who} {name}()")
    return wrong + [f"{name}: is called, or gone: delete it in FOR_TESTS"
                    for name in FOR_TESTS if name not in alone]


def ids(root, _build, _compiler):
    """Rows METRIC(ENTITY, id, NAME, ...) and ENTITY(id, NAME, ...)."""
    wrong, seen = [], set()
    folder = os.path.join(root, "src", "metric")
    rows = re.findall(r"^\s*ENTITY\(\s*(\w+),\s*(\w+)", code_of(
        os.path.join(folder, "entities.def")), re.M)
    keys = [("an entity", what) for row in rows for what in row]
    rows = re.findall(r"^\s*METRIC\(\s*(\w+),\s*(\w+),\s*(\w+)", code_of(
        os.path.join(folder, "metrics.def")), re.M)
    keys += [(row[0], what) for row in rows for what in row[1:]]
    for key in keys:
        if key in seen:
            wrong.append(f"src/metric: {key[1]} stands twice in {key[0]}")
        seen.add(key)
    if not rows:
        wrong.append("src/metric/metrics.def: no row was understood")
    return wrong


def keys(root, _build, _compiler):
    """Rows ("key", ...) of each table of struct key_row."""
    wrong, tables = [], 0
    for path in sorted(glob.glob(os.path.join(root, "src", "*", "*.c"))):
        text = re.sub(r"/\*.*?\*/", " ", "\n".join(read_lines(path)),
                      flags=re.S)
        for name, body in re.findall(
                r"\bstruct key_row (\w+)\[\] = \{(.*?)\n\};", text, re.S):
            tables += 1
            where = f"{os.path.relpath(path, root)}: {name}[]:"
            rows = re.findall(r'\(\s*"([^"]+)"', body)
            if not rows or len(rows) != len(re.findall(r"^\t\w", body, re.M)):
                wrong.append(f"{where} a row was not understood")
            for before, row in zip(rows, rows[1:]):
                if row.encode() <= before.encode():
                    wrong.append(f'{where} "{row}" must not stand behind '
                                 f'"{before}": tables are sorted by key')
    if tables == 0:
        wrong.append("src: no table of struct key_row was found")
    return wrong


def library(build, folder):
    """Its archive: objects beside it may be of sources that are gone."""
    return os.path.join(build, "src", folder, f"libgs_{folder}.a")


def module_of(path):
    return os.path.basename(path).split(".")[0]


def symbols_of(build, folder):
    """What each module defines, and what it needs: two dicts of sets."""
    defined, needed = {}, {}
    archive = library(build, folder)
    for line in run("nm", "-A", archive).splitlines():
        path, rest = line[len(archive) + 1:].split(":", 1)
        kind, name = rest.split()[-2:]
        if kind in "TDBRVW":
            defined.setdefault(name, set()).add(module_of(path))
        elif kind == "U":
            needed.setdefault(module_of(path), set()).add(name)
    return defined, needed


def needs_of(root, build, folder):
    """module: the modules of the folder that it needs."""
    defined, needed = symbols_of(build, folder)
    graph = {m: set().union(*(defined.get(n, set()) for n in names)) - {m}
             for m, names in needed.items()}
    for path in sources(root, f"src/{folder}/*.[ch]"):
        for name in re.findall(rf'#include "{folder}/(\w+)\.h"',
                               "\n".join(read_lines(path))):
            if name in needed and name != module_of(path):
                graph.setdefault(module_of(path), set()).add(name)
    return graph


def reached(graph, start):
    todo, seen = list(graph.get(start, ())), set()
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            todo += graph.get(one, ())
    return seen


def circles(root, build, _compiler):
    wrong = []
    for folder in DEPENDENCIES:
        graph = needs_of(root, build, folder)
        reach = {m: reached(graph, m) for m in graph}
        found = {" ".join(sorted(o for o in reach[m] if m in reach.get(o, ())))
                 for m in reach if m in reach[m]}
        known = set(CIRCLES.get(folder, []))
        wrong += [f"src/{folder}: in a circle: {c}" for c in found - known]
        wrong += [f"src/{folder}: is no circle any more, delete it in "
                  f"CIRCLES: {c}" for c in known - found]
    return wrong


def symbols(_root, build, _compiler):
    where = {}
    for folder in DEPENDENCIES:
        for name in symbols_of(build, folder)[0]:
            where.setdefault(name, []).append(folder)
    twice = {n: w for n, w in where.items() if len(w) > 1}
    if not where:
        return ["no symbol was found: are these objects of a linker's own?"]
    return [f"{n}: defined in src/" + ", src/".join(twice[n])
            for n in sorted(twice) if n not in TWICE] + \
        [f"{n}: is defined once, delete it in TWICE"
         for n in TWICE if n not in twice]


def guard_of(relative):
    """src/a/b.h: GS_A_B_H; tests/a/b.h: TESTS_A_B_H."""
    return re.sub(r"\W", "_", re.sub("^src/", "gs/", relative)).upper()


def names(root, _build, _compiler):
    wrong, guarded, named = [], 0, 0
    for path in sources(root, "src/**/*.[ch]", "tests/**/*.[ch]",
                        "bench/**/*.[ch]", "src/**/*.def"):
        relative = os.path.relpath(path, root)
        text = "\n".join(read_lines(path))
        guard = guard_of(relative)
        if path.endswith(".h"):
            guarded += 1
            if f"#ifndef {guard}\n#define {guard}\n" not in text:
                wrong.append(f"{relative}: its guard is not {guard}")
        m = re.match(r"(?:/\*.*\*/\n)?/\*\n \* ([\w.]+\.(?:[ch]|def))\b", text)
        named += bool(m)
        if m and m.group(1) != os.path.basename(path):
            wrong.append(f"{relative}: calls itself {m.group(1)}")
    if not guarded or not named:
        wrong.append("no header, or no head comment, was understood")
    return wrong


def main():
    check, root, build, compiler = sys.argv[1:5]
    checks = {"includes": includes, "sizes": sizes, "headers": headers,
              "options": options, "callers": callers, "ids": ids, "keys": keys,
              "circles": circles, "symbols": symbols, "names": names}
    wrong = checks[check](root, build, compiler)
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


main()
