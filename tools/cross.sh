#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cross.sh - builds the agent for arm64 on another machine: a static program,
# build/arm64/bin/gpsnap-agent, to be copied there or to stand beside gpsnap
# under --agent-path.
#
#   tools/cross.sh [--install]    --install: Debian's packages for it, as root
set -eu
cd "$(dirname "$0")/.."
. tools/packages.sh
if [ "${1:-}" = --install ]; then
	dpkg --add-architecture arm64
	apt-get -qq update
	# shellcheck disable=SC2086 # a list
	need_packages $packages_cross
fi
if ! command -v aarch64-linux-gnu-gcc >/dev/null; then
	echo "cross.sh: no aarch64-linux-gnu-gcc: tools/cross.sh --install" >&2
	exit 2
fi
cmake -S . -B build/arm64 -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
	-DCMAKE_TOOLCHAIN_FILE=cmake/aarch64-linux-gnu.cmake \
	-DGS_AGENT_ONLY=ON -DCMAKE_INSTALL_PREFIX=/usr >build/arm64.configure ||
	{ cat build/arm64.configure; exit 1; }
ninja -C build/arm64 --quiet
file -b build/arm64/bin/gpsnap-agent 2>/dev/null || ls build/arm64/bin
