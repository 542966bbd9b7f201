#!/usr/bin/env bash
# check.sh - installs what is missing, builds with warnings as errors, runs
# all tests: with gcc, and with clang under the address and undefined
# behaviour sanitizers.  The last line is "N passed, N failed".
#
#   ./check.sh [gcc|clang|release]...     default: all; release only builds
set -u
cd "$(dirname "$0")" || exit 2
. tools/packages.sh
export LC_ALL=C.UTF-8 GPSNAP_CONFIG=
# What a sanitizer ends is not taken for exit status 1, "there are gaps".
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
jobs=$(nproc)
passed=0
failed=0

# run_tests NAME JOBS CTEST_OPTION...: of build/NAME, so many at once; adds to
# what has passed and failed.
run_tests() {
	local name=$1 jobs=$2 summary
	shift 2
	ctest --test-dir "build/$name" -j "$jobs" --output-on-failure \
		--timeout 600 --no-tests=error "$@" 2>&1 |
		tee "build/$name.ctest"
	summary=$(grep -o '[0-9]* tests failed out of [0-9]*' \
		"build/$name.ctest") || return 1
	set -- $summary
	failed=$((failed + $1))
	passed=$((passed + $6 - $1))
	[ "$1" = 0 ]
}

# check NAME CMAKE_OPTION...: configures build/NAME, builds, tests: first what
# computes, then what waits, which leaves the CPUs to others.
check() {
	local name=$1 dir=build/$1 status=0
	shift
	echo "== $name"
	if ! cmake -S . -B "$dir" -G Ninja "$@" >"build/$name.configure" 2>&1
	then
		cat "build/$name.configure"
		return 1
	fi
	ninja -C "$dir" -j "$jobs" --quiet || return 1
	run_tests "$name" "$jobs" -LE waits || status=1
	run_tests "$name" $((4 * jobs)) -L waits || status=1
	return $status
}

# Warnings depend on how far a compiler optimises: those of what is released.
check_release() {
	local dir=build/release
	echo "== release"
	if ! cmake -S . -B "$dir" -G Ninja -DCMAKE_C_COMPILER=gcc \
		-DCMAKE_BUILD_TYPE=Release >build/release.configure 2>&1
	then
		cat build/release.configure
		return 1
	fi
	ninja -C "$dir" -j "$jobs" --quiet gpsnap gpsnap-agent
}

status=0
mkdir -p build
need_packages $packages_build $packages_test || exit 2
[ $# -gt 0 ] || set -- gcc release clang
for name in "$@"; do
	case $name in
	gcc)
		check gcc -DCMAKE_C_COMPILER=gcc \
			-DCMAKE_INSTALL_PREFIX=/usr || status=1 ;;
	clang)
		check clang -DCMAKE_C_COMPILER=clang -DGS_SANITIZE=ON ||
			status=1 ;;
	release)
		check_release || status=1 ;;
	*)
		echo "check.sh: $name: gcc, clang or release" >&2
		exit 64 ;;
	esac
done
[ $status = 0 ] || [ $failed != 0 ] || failed=1 # it did not build
echo "$passed passed, $failed failed"
exit $status
