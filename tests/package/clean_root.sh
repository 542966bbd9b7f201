#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clean_root.sh - as root, with Debian's debootstrap: makes the packages,
# installs them with apt-get into a fresh minimal Debian 12, records and
# replays there, removes them again.  Takes some minutes.
#
#   tests/package/clean_root.sh [MIRROR]
set -eu
cd "$(dirname "$0")/../.."
. tests/package/rootlib.sh
trap 'umount "$root/proc" 2>/dev/null; rm -rf "$root"' EXIT
make_root "${1:-}"
there sh -c 'apt-get -qq -y install --no-install-recommends systemd \
	/root/gpsnap*.deb' >/dev/null
there getent passwd gpsnap
there gpsnap --version
there gpsnap record -q -i 0.2 -n 3 -o /root/a.gpsnap
there gpsnap verify /root/a.gpsnap
there systemd-analyze verify --man=no gpsnap@gpsnap.service
there sh -c 'cd /root; gpsnap status a.gpsnap; [ $? = 3 ]'
echo '# changed' >>"$root/etc/default/gpsnap"
there apt-get -qq -y remove gpsnap gpsnap-agent >/dev/null
[ ! -e "$root/usr/bin/gpsnap" ]
[ -e "$root/etc/default/gpsnap" ]
there apt-get -qq -y purge gpsnap >/dev/null
[ ! -e "$root/etc/default/gpsnap" ]
echo "installed, run, removed and purged in a clean root"
