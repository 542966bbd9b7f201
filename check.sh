#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check.sh - installs what is missing, builds with warnings as errors, runs
# all tests: with gcc, and with clang under the address and undefined
# behaviour sanitizers.  The last line is "N passed, N failed".
#
#   ./check.sh quick                      gcc; tests that need no wait, no root
#                                         and no server (label quick)
#   ./check.sh [gcc|clang|release]...     default: all; release is demo.sh,
#                                         tools/package.sh and portable.sh
set -u
cd "$(dirname "$0")" || exit 2
. tools/packages.sh
export LC_ALL=C.UTF-8 GPSNAP_CONFIG=
jobs=$(nproc)
times=$(mktemp)
trap 'rm -f "$times"' EXIT
passed=0
failed=0

# run_ctest NAME JOBS CTEST_OPTION...: in build/NAME, so many at once, also if it
# is a job in the background, of which bash makes one that ignores SIGINT.
run_ctest() {
	local name=$1 jobs=$2
	shift 2
	env --default-signal=INT,QUIT ctest --test-dir "build/$name" -j "$jobs" \
		--output-on-failure --timeout 900 --no-tests=error "$@" 2>&1
}

# failed_tests: their names, of what ctest said, as a pattern for it.
failed_tests() {
	sed -n '/ (Skipped)$/d; s/^\t *[0-9]* - \(.*\) ([A-Z].*)$/\1/p' |
		sed 's/[.+]/\\&/g' | paste -s -d '|'
}

# sum_of FIELD SAID: how many tests failed (1), or ran (2), in the last words of ctest: a
# test that failed may have said the same.  Nothing, if ctest did not end.
sum_of() {
	sed -n "s/^[0-9]*% tests passed, \([0-9]*\) tests* failed out of \([0-9]*\)\$/\\$1/p" \
		"$2" | tail -n 1
}

# skipped_of SAID: how many of those that ran said that they could not.
skipped_of() {
	awk '$3 ~ /^#[0-9]+:$/ && /\*\*\*Skipped/ { n++ } END { print n + 0 }' "$1"
}

# count_tests NAME SAID...: adds to what has passed and failed, and to times, what
# ctest said in these files.  A few that fail are run once more, alone: beside
# others a machine may be too slow for what a test waits for.  What then passes is
# listed at the end, because it may also be a race in gpsnap.
count_tests() {
	local name=$1 said total=0 bad=0 ended=y n
	shift
	for said in "$@"; do
		n=$(sum_of 2 "$said")
		if [ -z "$n" ]; then
			echo "== $name: ctest did not end: $said"
			failed=$((failed + 1))
			ended=
			continue
		fi
		total=$((total + n - $(skipped_of "$said")))
		bad=$((bad + $(sum_of 1 "$said")))
	done
	awk -v name="$name" '$3 ~ /^#[0-9]+:$/ && $NF == "sec" {
		state = $(NF - 2)
		sub(/.*\*/, "", state)
		print $(NF - 1), name, $4, state
	}' "$@" >>"$times"
	if [ "$bad" -gt 0 ] && [ "$bad" -le 30 ]; then
		echo "== $name: what failed, alone"
		run_ctest "$name" 1 -R "^($(cat "$@" | failed_tests))\$" |
			tee "build/$name.alone"
		n=$(sum_of 1 "build/$name.alone")
		bad=${n:-$bad}
		awk -v name="$name" '/ Passed +[0-9.]+ sec$/ {
			print 0, name, $4, "Alone" }' "build/$name.alone" >>"$times"
	fi
	failed=$((failed + bad))
	passed=$((passed + total - bad))
	[ "$bad" = 0 ] && [ -n "$ended" ]
}

# build NAME: in large pages, which takes clang a seventh less.
build() {
	GLIBC_TUNABLES=glibc.malloc.hugetlb=1 ninja -C "build/$1" -j "$jobs" --quiet
}

# configure NAME CMAKE_OPTION...: build/NAME.
configure() {
	local name=$1
	shift
	echo "== $name"
	cmake -S . -B "build/$name" -G Ninja "$@" >"build/$name.configure" 2>&1 ||
		{ cat "build/$name.configure"; return 1; }
}

# compute NAME LEFT_OUT [AHEAD]: of check, what leaves the CPUs to what waits.
compute() {
	renice -n 19 -p $BASHPID >/dev/null
	trap 'exit 130' INT # a job in the background would go on
	run_ctest "$1.computes" $((jobs + 1)) -LE "waits${2:+|$2}" >"build/$1.computed"
	[ -z "${3:-}" ] || "$3" >/dev/null 2>&1
}

# check NAME LEFT_OUT [AHEAD]: builds what is configured, and tests: what waits,
# much of it at once, and beside it what computes; then the command AHEAD begins the
# next build.  LEFT_OUT: a label of tests, or nothing.
check() {
	build "$1" || return 1
	mkdir -p "build/$1.computes" # two runs of ctest don't share a directory
	echo "subdirs(\"$PWD/build/$1\")" >"build/$1.computes/CTestTestfile.cmake"
	compute "$@" &
	run_ctest "$1" $((3 * jobs)) -L waits ${2:+-LE "$2"} |
		tee "build/$1.waited"
	wait
	cat "build/$1.computed"
	count_tests "$1" "build/$1.waited" "build/$1.computed"
}

configure_gcc() {
	configure gcc -DCMAKE_C_COMPILER=gcc -DCMAKE_INSTALL_PREFIX=/usr
}

build_gcc() {
	configure_gcc && build gcc
}

# On a machine that has none of it, the first build begins while what only the
# tests need is installed.  What fails is said when it is built for good.
install_packages() {
	need_packages $packages_build $packages_cmocka || return
	if [ -n "$gcc" ] && [ -n "$(missing_packages $packages_test)" ]; then
		build_gcc >/dev/null 2>&1 &
	fi
	need_packages $packages_test || return
	wait
}

configure_clang() {
	configure clang -DCMAKE_C_COMPILER=clang -DGS_SANITIZE=ON
}

# What check_clang builds; what fails is said there.
build_clang_ahead() {
	configure_clang && (renice -n 19 -p $BASHPID >/dev/null; build clang)
}

# Where both are built, the one with sanitizers runs what takes long, and the
# other one what compares figures, which is five times as fast there.
check_gcc() {
	configure_gcc && check gcc "${clang:+once}" ${clang:+build_clang_ahead}
}

check_clang() {
	configure_clang && check clang "${whole:+figures}" ${release:+build_release_ahead}
}

check_quick() {
	build_gcc || return
	run_ctest gcc "$jobs" -L quick | tee build/gcc.quick
	count_tests gcc build/gcc.quick
}

# try_command NAME COMMAND...: one test; its output is shown if it fails.
try_command() {
	local name=$1
	shift
	echo "== $name"
	if "$@" >"build/$name.out" 2>&1; then
		passed=$((passed + 1))
		return
	fi
	cat "build/$name.out"
	failed=$((failed + 1))
	return 1
}

# The rules of the page's audit, as locked.  Without npm its test says that it is
# skipped: a machine has the npm of Debian or that of Node.js, and both conflict.
get_axe() {
	local dir=tests/report/axe
	[ $dir/node_modules/axe-core/axe.min.js -nt $dir/package-lock.json ] &&
		return
	command -v npm >/dev/null || return 0
	echo "installing: axe-core"
	(cd $dir && npm ci --silent --ignore-scripts --no-audit --no-fund) &&
		touch $dir/node_modules/axe-core/axe.min.js
}

# Does what check_release does, so that there is nothing left to build.
build_release_ahead() {
	WERROR=ON nice -n 19 ./demo.sh
	nice -n 19 tools/package.sh
}

# What is released, as a new user builds and tries it.  Warnings depend on how far
# a compiler optimises.
check_release() {
	local status=0
	WERROR=ON try_command demo ./demo.sh || status=1
	try_command package tools/package.sh || status=1
	check_portable || status=1
	return $status
}

# Where tools/portable.sh --install was done once: it needs libraries of arm64.
check_portable() {
	local status=0
	if ! command -v aarch64-linux-gnu-gcc >/dev/null; then
		echo "skipped: tools/portable.sh: no aarch64-linux-gnu-gcc"
		return
	fi
	try_command portable tools/portable.sh || return
	[ -d build/gcc ] || return 0
	try_command portable-test ctest --test-dir build/gcc \
		--output-on-failure --no-tests=error -R package/portable ||
		status=1
	return $status
}

# What took long, and what could not run here: seconds, build, test.
report_times() {
	[ -s "$times" ] || return
	echo "slowest:"
	sort -rn "$times" | head -n 10 | awk '{ printf "%8.1f s  %s %s\n", $1, $2, $3 }'
	awk '$4 == "Skipped" { printf "skipped: %s %s\n", $2, $3 }
		$4 == "Alone" { printf "failed, then passed alone: %s %s\n", $2, $3 }' "$times"
}

# asks NAME: it is one of the arguments.
asks() {
	case " $arguments " in *" $1 "*) ;; *) return 1 ;; esac
}

status=0
mkdir -p build
[ $# -gt 0 ] || set -- gcc clang release
for name in "$@"; do
	case $name in
	gcc | quick | clang | release) ;;
	*)
		echo "check.sh: $name: quick, gcc, clang or release" >&2
		exit 64 ;;
	esac
done
arguments=$*
gcc= clang= release= whole=
asks gcc && gcc=y whole=y
asks quick && gcc=y
asks gcc && asks clang && clang=y # after gcc
asks clang && asks release && release=y # after clang
install_packages || exit 2
get_axe
for name in gcc quick clang release; do
	asks $name || continue
	before=$failed
	"check_$name" && continue
	status=1
	[ "$failed" != "$before" ] || failed=$((failed + 1)) # it did not build
done
report_times
echo "$passed passed, $failed failed"
exit $status
