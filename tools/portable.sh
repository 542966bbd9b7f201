#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# portable.sh - builds gpsnap as one static file that needs nothing of the
# system that it is copied to: build/portable/gpsnap-VERSION-MACHINE, for
# x86_64 and aarch64.  The agents of both are in each.
#
#   tools/portable.sh [--install] [MACHINE]...
#       --install: Debian's packages for it, as root
set -eu
cd "$(dirname "$0")/.."
. tools/packages.sh
if [ "${1:-}" = --install ]; then
	shift
	dpkg --add-architecture arm64
	apt-get -qq update
	# shellcheck disable=SC2086 # lists
	need_packages $packages_build $packages_cross $packages_portable
fi
[ $# -gt 0 ] || set -- x86_64 aarch64
for machine in "$@"; do
	case $machine in
	aarch64 | x86_64) ;;
	*)
		echo "portable.sh: $machine: expected x86_64 or aarch64" >&2
		exit 64
		;;
	esac
done
if [ "$(uname -m)" != x86_64 ]; then
	echo "portable.sh: only on x86_64: its own compiler is for that" >&2
	exit 2
fi
if ! command -v aarch64-linux-gnu-gcc >/dev/null; then
	echo "portable.sh: no aarch64-linux-gnu-gcc: tools/portable.sh" \
		"--install" >&2
	exit 2
fi
dir=build/portable
mkdir -p $dir

# build DIR TARGET [CMAKE OPTION]...: as for a package, in DIR.
build() {
	local to=$1 target=$2
	shift 2
	cmake -S . -B "$to" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
		-DCMAKE_INSTALL_PREFIX=/usr -DGS_TESTS=OFF "$@" \
		>"$to.configure" || { cat "$to.configure"; exit 1; }
	ninja -C "$to" --quiet "$target"
}

# toolchain MACHINE: its CMake options.
toolchain() {
	[ "$1" = x86_64 ] ||
		echo -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64-linux-gnu.cmake
}

for machine in x86_64 aarch64; do
	build $dir/agent-$machine gpsnap-agent -DGS_AGENT_ONLY=ON \
		$(toolchain $machine)
	strip=strip
	[ $machine = x86_64 ] || strip=aarch64-linux-gnu-strip
	$strip -o $dir/gpsnap-agent-$machine \
		$dir/agent-$machine/bin/gpsnap-agent
done
for machine in "$@"; do
	options=$(toolchain "$machine")
	# shellcheck disable=SC2086 # none or one
	build $dir/$machine gpsnap $options -DGS_PORTABLE=ON \
		-DGS_AGENT_X86_64="$PWD/$dir/gpsnap-agent-x86_64" \
		-DGS_AGENT_AARCH64="$PWD/$dir/gpsnap-agent-aarch64"
	strip=strip
	[ "$machine" = x86_64 ] || strip=aarch64-linux-gnu-strip
	version=$(sed -n 's/^project(gpsnap VERSION \([^ ]*\).*/\1/p' \
		CMakeLists.txt)
	$strip -o "$dir/gpsnap-$version-$machine" "$dir/$machine/bin/gpsnap"
	ls -l "$dir/gpsnap-$version-$machine"
done
