#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# boot_root.sh - as root, with Debian's debootstrap: installs the packages into
# a fresh Debian 12, boots its systemd in namespaces of its own and looks at
# the units: that they start, write where they may and nowhere else, find a
# database that comes later, are started again, and go on after a second boot.
# Needs cgroup2 at /sys/fs/cgroup or /sys/fs/cgroup/unified.  Takes some
# minutes.
#
#   tests/package/boot_root.sh [MIRROR]
set -eu
cd "$(dirname "$0")/../.."
. tests/package/rootlib.sh
group=$(findmnt -n -t cgroup2 -o TARGET | head -1)/gpsnap-boot-$$
manager=

# unshare ends with its child, and the child with it.
halt() {
	[ -n "$manager" ] || return 0
	inside systemctl start --no-block poweroff.target || true
	timeout 30 tail --pid="$manager" -f /dev/null || true
	kill -KILL "$manager" 2>/dev/null || true
	wait "$manager" 2>/dev/null || true
	manager=
}

clean_up() {
	halt
	umount "$root/proc" 2>/dev/null || true
	find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true
	rm -rf "$root"
}
trap clean_up EXIT

# What a container's systemd expects, and nothing of this machine.
boot() {
	mkdir -p "$group"
	ROOT=$root GROUP=$group sh -c 'echo $$ >"$GROUP/cgroup.procs"
		exec unshare --pid --fork --kill-child --mount --cgroup \
			--ipc --uts --net bash tests/package/boot_inside.sh' \
		</dev/null >/dev/null &
	manager=$!
	wait_for "systemd" inside systemctl is-system-running --wait
}

inside() {
	local pid
	pid=$(pgrep -P "$manager") &&
		nsenter -t "$pid" -m -p -C -i -u -n --root env -i --chdir=/ \
			PATH=/usr/sbin:/usr/bin LC_ALL=C.UTF-8 "$@"
}

wait_for() {
	local what=$1 i
	shift
	for i in $(seq 120); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.5
	done
	echo "waited in vain for $what" >&2
	inside journalctl -b --no-pager -n 40 >&2 || true
	exit 1
}

check() {
	local what=$1
	shift
	"$@" || { echo "not so: $what" >&2; exit 1; }
}

unit=gpsnap@gpadmin
dir=/var/lib/gpsnap/gpadmin
shows() { [ "$(inside systemctl show -P "$1" $unit)" = "$2" ]; }
says() { inside gpsnap status $dir -f json | grep -q "$1"; }
restarted() { shows NRestarts "$1" && shows ActiveState active; }
server() { inside runuser -u gpadmin -- env -C /tmp sh -c \
	'/usr/lib/postgresql/15/bin/pg_ctl -s -D ~/data -l ~/log -w "$@"' - "$@"; }

nowhere_else() {
	local pid f
	pid=$(inside systemctl show -P MainPID $unit)
	for f in /home/gpadmin /root /tmp /var/tmp /etc /dev/shm /run/user; do
		! inside nsenter -t "$pid" -m touch $f/x 2>/dev/null || return
	done
	inside nsenter -t "$pid" -m touch $dir/.x
}

make_root "${1:-}"
there sh -c 'apt-get -qq -y install --no-install-recommends systemd \
	systemd-sysv postgresql /root/gpsnap*.deb' >/dev/null
there useradd -m gpadmin
echo 'GPSNAP_OPTIONS=-i 1s' >>"$root/etc/default/gpsnap"
for unwanted in postgresql.service getty.target systemd-udevd.service; do
	ln -sf /dev/null "$root/etc/systemd/system/$unwanted"
done
# A first boot has no manager yet that could be asked to enable it.
ln -s /usr/lib/systemd/system/gpsnap@.service \
	"$root/etc/systemd/system/multi-user.target.wants/$unit.service"
umount "$root/proc"

boot
wait_for "the recorder" shows ActiveState active
check "it writes nowhere else" nowhere_else
inside runuser -u gpadmin -- sh -c 'cd; /usr/lib/postgresql/15/bin/initdb \
	-D data >/dev/null 2>&1
	echo "unix_socket_directories = '"'/tmp'"'" >>data/postgresql.conf'
server start
inside runuser -u gpadmin -- env -C /tmp createdb -h /tmp gpadmin
wait_for "the database" says '"database":"up"'
server restart
wait_for "the database again" says '"database":"up"'
inside gpsnap mark $dir "before the first"

inside mkdir -p /run/systemd/system/$unit.service.d
inside sh -c "printf '[Service]\nWatchdogSec=3\nRestartSec=1\n' \
	>/run/systemd/system/$unit.service.d/quick.conf"
inside systemctl daemon-reload
inside systemctl restart $unit
inside systemctl kill -s STOP --kill-who=main $unit
wait_for "the watchdog" restarted 1
inside systemctl kill -s KILL --kill-who=main $unit
wait_for "the next recorder" restarted 2
inside sh -c "gpsnap replay $dir -V hosts" | grep -q 'nothing recorded'
inside systemctl stop $unit
check "a clean end" shows Result success
inside sh -c 'echo "GPSNAP_ARCHIVE_OPTIONS=--older-than 0d" \
	>/etc/default/gpsnap-archive-gpadmin'
inside systemctl start gpsnap-archive@gpadmin
inside systemctl -q enable --now gpsnap-archive@gpadmin.timer
check "archived" inside sh -c "! ls $dir/*T*Z.gpsnap 2>/dev/null"
inside sh -c "gpsnap verify $dir/*.gpsnap" >/dev/null

halt
boot
wait_for "the recorder of the second boot" shows ActiveState active
inside gpsnap replay $dir -V hosts | grep -q 'before the first'
inside dpkg -r gpsnap >/dev/null
check "its links are gone" inside sh -c \
	'! ls /etc/systemd/system/*.wants | grep gpsnap'
check "it is gone" inside sh -c '! pidof gpsnap'
echo "booted twice: the units do what they should"
