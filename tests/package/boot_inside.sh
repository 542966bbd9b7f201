# SPDX-License-Identifier: Apache-2.0
# boot_inside.sh - what boot_root.sh starts in namespaces of its own: makes
# $ROOT a container's root and becomes its systemd.
set -eu
mount --bind "$ROOT" "$ROOT"
mount -t proc proc "$ROOT/proc"
mount --bind "$ROOT/proc/sys" "$ROOT/proc/sys"
mount -o remount,bind,ro "$ROOT/proc/sys"
mount -t sysfs -o ro sysfs "$ROOT/sys"
mount -t cgroup2 cgroup2 "$ROOT/sys/fs/cgroup"
mount -t tmpfs -o mode=755,nosuid tmpfs "$ROOT/dev"
for node in null:3 zero:5 full:7 random:8 urandom:9; do
	mknod -m 666 "$ROOT/dev/${node%:*}" c 1 "${node#*:}"
done
mknod -m 666 "$ROOT/dev/tty" c 5 0
ln -s /proc/self/fd "$ROOT/dev/fd"
mkdir "$ROOT/dev/shm" "$ROOT/dev/mqueue" "$ROOT/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$ROOT/dev/pts"
ln -s pts/ptmx "$ROOT/dev/ptmx"
mount -t tmpfs tmpfs "$ROOT/dev/shm"
mount -t tmpfs -o mode=755 tmpfs "$ROOT/run"
mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"
mkdir -p "$ROOT/.old"
cd "$ROOT"
pivot_root . .old
# Nothing that reaches beyond the namespaces.
exec setpriv --inh-caps=-all --bounding-set=-sys_time,-sys_module,-sys_rawio,-syslog,-mac_admin,-mac_override \
	env -i container=gpsnap-boot PATH=/usr/sbin:/usr/bin sh -c \
	'umount -l /.old; exec /lib/systemd/systemd --log-target=journal'
