#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# campaign.sh - builds all fuzz targets with clang, libFuzzer and sanitizers
# and runs each for a time.
#
#   tests/fuzz/campaign.sh [-s SECONDS] [-w DIR] [TARGET ...]
#
# -s  seconds for each target (default 30)
# -w  a directory for what the fuzzers find, kept from run to run
#     (default build/fuzz/work): corpora by target, and crash-* files
#
# Prints a line per target: executions, how many per second of CPU, peak
# memory, findings.
# Exit status: 0 nothing found, 1 something found, 2 it could not be run.
set -u
cd "$(dirname "$0")/../.." || exit 2
seconds=30
work=$PWD/build/fuzz/work
while getopts s:w: opt; do
	case $opt in
	s) seconds=$OPTARG ;;
	w) work=$OPTARG ;;
	*) exit 64 ;;
	esac
done
shift $((OPTIND - 1))
if [ $# = 0 ]; then
	set -- $(sed -n 's/^gs_fuzz(\([a-z]*\) .*/\1/p' tests/fuzz/CMakeLists.txt)
fi

cmake -S . -B build/fuzz -G Ninja -DGS_FUZZ=ON -DGS_SANITIZE=ON \
	-DCMAKE_C_COMPILER=clang >build/fuzz.configure 2>&1 ||
	{ cat build/fuzz.configure; exit 2; }
ninja -C build/fuzz --quiet "${@/#/fuzz_}" || exit 2

stat_of() { # LOG NAME
	sed -n "s/^stat::$2: *//p" "$1"
}

status=0
total=0
printf '%-12s %12s %10s %8s  %s\n' target executions per_cpu_s peak_MB found
for name in "$@"; do
	mkdir -p "$work/$name"
	log=$work/$name.log
	TIMEFORMAT='%U %S'
	{ time build/fuzz/bin/fuzz_"$name" -max_total_time="$seconds" -timeout=20 \
		-rss_limit_mb=1024 -print_final_stats=1 -verbosity=0 \
		-artifact_prefix="$work/$name-" "$work/$name" \
		"tests/fuzz/corpus/$name" >"$log" 2>&1; found=$?; } 2>"$work/$name.time"
	n=$(stat_of "$log" number_of_executed_units)
	total=$((total + ${n:-0}))
	what=-
	if [ $found != 0 ]; then
		status=1
		what=$(grep -m1 -oE 'SUMMARY: .*' "$log" || tail -n 1 "$log")
	fi
	printf '%-12s %12s %10s %8s  %s\n' "$name" "${n:-0}" \
		"$(awk -v n="${n:-0}" '{ printf "%d", n / ($1 + $2) }' \
			"$work/$name.time")" \
		"$(stat_of "$log" peak_rss_mb)" "$what"
done
echo "$total executions"
exit $status
