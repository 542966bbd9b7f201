#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# demo.sh - installs what the build needs, builds gpsnap, records this host
# for ten seconds and replays the recording.  WERROR=ON: warnings are errors.
set -u
cd "$(dirname "$0")" || exit 2
. tools/packages.sh
dir=build/package

say() { printf '\n== %s\n' "$*"; }

# Status 1: done, but a sample is missing, as on a busy machine.
run() {
	"$@"
	[ $? -le 1 ] || exit 2
}

need_packages $packages_build || exit 2
mkdir -p build
if ! cmake -S . -B $dir $package_options -DGS_WERROR="${WERROR:-OFF}" \
	>$dir.configure 2>&1
then
	cat $dir.configure
	exit 2
fi
ninja -C $dir --quiet || exit 2
bin=$dir/bin

file=build/demo-$(date -u +%Y%m%dT%H%M%SZ).gpsnap
say "recording this host for 10 s to $file"
run $bin/gpsnap record -i 1 -d 10 -o "$file"

if grep -qsx postgres /proc/[0-9]*/comm; then
	say "sessions: $bin/gpsnap replay $file -V sessions"
	run $bin/gpsnap replay "$file" -V sessions --limit 10
fi
say "processes: $bin/gpsnap replay $file -V processes"
run $bin/gpsnap replay "$file" -V processes --limit 10
say "hosts: $bin/gpsnap replay $file -V hosts"
run $bin/gpsnap replay "$file" -V hosts
say "the recording is $file ($(stat -c %s "$file") bytes); next, try"
cat <<END
  $bin/gpsnap replay $file                          # overview
  $bin/gpsnap replay $file -V processes --from -3s  # its last 3 s
  $bin/gpsnap replay $file -V hosts --every 2s -f csv
  $bin/gpsnap info $file
  $bin/gpsnap record -i 1                           # until Ctrl-C, to ~/gpsnap/
END
