#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# reproducible.sh - makes the release of the newest commit twice, in
# directories of different names, at different times: all bytes are equal.
# Takes some minutes.
#
#   tests/package/reproducible.sh [PART]...    package portable; default: both
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- package portable
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH CCACHE_DISABLE=1
work=$(mktemp -d /tmp/gpsnap-twice-XXXXXX)
trap 'rm -rf "$work"' EXIT
for place in one another/place; do
	mkdir -p "$work/$place"
	git archive HEAD | tar -x -C "$work/$place"
	for part in "$@"; do
		"$work/$place/tools/$part.sh" >/dev/null
	done
	(
		cd "$work/$place/build"
		find package portable -maxdepth 1 -type f \( -name '*.deb' -o \
			-name '*.rpm' -o -name 'gpsnap-*' \) \
			! -name '*.configure' -exec sha256sum {} + \
			2>/dev/null | sort -k2
	) >"$work/sums.${place%%/*}"
	sleep 1
done
cat "$work/sums.one"
[ -s "$work/sums.one" ]
diff "$work/sums.one" "$work/sums.another"
echo "built twice: the same bytes"
