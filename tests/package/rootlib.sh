# SPDX-License-Identifier: Apache-2.0
# rootlib.sh - sourced by clean_root.sh and boot_root.sh, from the top of the
# tree: a fresh minimal Debian 12 with gpsnap's packages in /root.

root=$(mktemp -d /tmp/gpsnap-clean-XXXXXX)
chmod 755 "$root"

mirror_of_host() {
	{
		sed -n 's/^deb \(\[[^]]*\] \)\?\([^ ]*\) bookworm .*/\2/p' \
			/etc/apt/sources.list
		sed -n 's/^URIs: *\([^ ]*\).*/\1/p' \
			/etc/apt/sources.list.d/*.sources
	} 2>/dev/null | head -1
}

# make_root [MIRROR]: with a /proc, which is the caller's to unmount.
make_root() {
	tools/package.sh DEB
	debootstrap --variant=minbase bookworm "$root" \
		"${1:-$(mirror_of_host)}" >/dev/null
	cp /etc/apt/sources.list "$root/etc/apt/" 2>/dev/null || true
	cp -r /etc/apt/sources.list.d /etc/apt/apt.conf.d "$root/etc/apt/"
	cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
	cp build/package/gpsnap*.deb "$root/root/"
	mount -t proc proc "$root/proc"
	there apt-get -qq update
}

# there COMMAND...: in it.
there() {
	env -i PATH=/usr/sbin:/usr/bin HOME=/root \
		DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}
