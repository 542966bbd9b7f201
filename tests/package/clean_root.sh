#!/usr/bin/env bash
# clean_root.sh - as root, with Debian's debootstrap: makes the packages,
# installs them with apt-get into a fresh minimal Debian 12, records and
# replays there, removes them again.  Takes some minutes.
#
#   tests/package/clean_root.sh [MIRROR]
set -eu
cd "$(dirname "$0")/../.."
mirror=${1:-$(sed -n 's/^deb \(\[[^]]*\] \)\?\([^ ]*\) bookworm .*/\2/p' \
	/etc/apt/sources.list 2>/dev/null | head -1)}
[ -n "$mirror" ] || mirror=$(sed -n 's/^URIs: *\([^ ]*\).*/\1/p' \
	/etc/apt/sources.list.d/*.sources | head -1)
root=$(mktemp -d /tmp/gpsnap-clean-XXXXXX)
trap 'umount "$root/proc" 2>/dev/null; rm -rf "$root"' EXIT

tools/package.sh DEB
debootstrap --variant=minbase bookworm "$root" "$mirror" >/dev/null
cp /etc/apt/sources.list "$root/etc/apt/" 2>/dev/null || true
cp -r /etc/apt/sources.list.d /etc/apt/apt.conf.d "$root/etc/apt/"
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
cp build/package/gpsnap*.deb "$root/root/"
mount -t proc proc "$root/proc"
there() { env -i PATH=/usr/sbin:/usr/bin HOME=/root DEBIAN_FRONTEND=noninteractive \
	chroot "$root" "$@"; }
there apt-get -qq update
there sh -c 'apt-get -qq -y install --no-install-recommends systemd \
	/root/gpsnap*.deb' >/dev/null
there getent passwd gpsnap
there gpsnap --version
there gpsnap record -q -i 0.2 -n 3 -o /root/a.gpsnap
there gpsnap verify /root/a.gpsnap
there systemd-analyze verify --man=no gpsnap@gpsnap.service
there sh -c 'cd /root; gpsnap status; [ $? = 3 ]'
echo '# changed' >>"$root/etc/default/gpsnap"
there apt-get -qq -y remove gpsnap gpsnap-agent >/dev/null
[ ! -e "$root/usr/bin/gpsnap" ]
[ -e "$root/etc/default/gpsnap" ]
there apt-get -qq -y purge gpsnap >/dev/null
[ ! -e "$root/etc/default/gpsnap" ]
echo "installed, run, removed and purged in a clean root"
