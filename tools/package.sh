#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# package.sh - installs what the build needs and builds the packages:
# build/package/*.deb, and *.rpm where there is rpmbuild.  An .rpm is for a system
# with these libraries: build it there.
#
#   tools/package.sh [GENERATOR]...     DEB, RPM; default: both
set -eu
cd "$(dirname "$0")/.."
. tools/packages.sh
dir=build/package
need_packages $packages_build dpkg-dev || exit 2
mkdir -p build
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null ||
	stat -c %Y CHANGELOG.md)}"
export SOURCE_DATE_EPOCH
cmake -S . -B $dir $package_options \
	${GS_MAINTAINER:+"-DGS_MAINTAINER=$GS_MAINTAINER"} >$dir.configure ||
	{ cat $dir.configure; exit 1; }
ninja -C $dir --quiet
if [ $# -gt 0 ]; then
	set -- -G "$(IFS=';'; echo "$*")"
fi
(cd $dir && cpack "$@")
