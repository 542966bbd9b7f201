#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# release.sh - what a release consists of, made of the tag that the tree is at,
# in build/release: the source, .deb, .rpm, the portable gpsnap of both
# machines, the agent for arm64, what is new, and checksums.  The same tag gives
# the same bytes on the same system (tests/package/reproducible.sh).
#
#   tools/release.sh [--untagged]    --untagged: to try it, of the newest commit
#
# GS_MAINTAINER, in the environment: whom the packages name.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^project(gpsnap VERSION \([^ ]*\).*/\1/p' CMakeLists.txt)

# changes_of NAME: the part of CHANGELOG.md, without its heading, which may have
# more after the name, such as a date.  Names are texts: 1.1 is not 1.10.
changes_of() {
	awk -v name="$1" '/^## / { on = $2 "" == name; next } on' CHANGELOG.md
}

has_part() {
	awk -v name="$1" '$1 == "##" && $2 "" == name { found = 1 }
		END { exit !found }' CHANGELOG.md
}

if [ "${1:-}" != --untagged ]; then
	# the commit may have other tags, too
	if ! git tag --points-at HEAD | grep -qxF "v$version"; then
		echo "release.sh: the newest commit is not tagged v$version" >&2
		exit 2
	fi
	if ! has_part "$version"; then
		echo "release.sh: CHANGELOG.md: no part ## $version" >&2
		exit 2
	fi
	if has_part Unreleased; then
		echo "release.sh: CHANGELOG.md: a part is ## Unreleased" >&2
		exit 2
	fi
fi
if [ -n "$(git status --porcelain --untracked-files=no)" ]; then
	echo "release.sh: the tree has changes that are not committed" >&2
	exit 2
fi
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
out=$PWD/build/release
name=gpsnap-$version
rm -rf "$out"
mkdir -p "$out"

# The source as it is in git, with one date, without the packer's.
git archive --format=tar --prefix="$name/" HEAD | gzip -9n \
	>"$out/$name.tar.gz"

# Built of that source and nothing else.
work=$(mktemp -d /tmp/gpsnap-release-XXXXXX)
trap 'rm -rf "$work"' EXIT
tar -xzf "$out/$name.tar.gz" -C "$work"
(
	cd "$work/$name"
	tools/portable.sh # first: it stops at once without a cross compiler
	tools/package.sh
	cp build/package/*.deb "$out"
	if command -v rpmbuild >/dev/null; then
		cp build/package/*.rpm "$out"
	fi
	cp build/portable/gpsnap-"$version"-* "$out"
	cp build/portable/gpsnap-agent-aarch64 "$out/"
)

part=Unreleased # only of --untagged
has_part "$part" || part=$version
changes_of "$part" >"$out/$name.changes.md"
(cd "$out" && sha256sum -- * >SHA256SUMS)
ls -l "$out"
