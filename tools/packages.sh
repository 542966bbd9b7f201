# SPDX-License-Identifier: Apache-2.0
# packages.sh - sourced by check.sh and demo.sh: what they need from Debian.
#
# need_packages PACKAGE...   installs those that are missing, with apt-get,
#                            through sudo where this is not root.

packages_build="gcc libc6-dev cmake ninja-build pkg-config libzstd-dev
libprotobuf-c-dev protobuf-c-compiler libisal-dev libuv1-dev libyajl-dev libinih-dev zlib1g-dev
libpq-dev libmicrohttpd-dev libseccomp-dev libdw-dev uthash-dev libncurses-dev"

packages_cmocka="libcmocka-dev" # to build the tests

packages_test="clang libclang-rt-dev protobuf-compiler python3
python3-protobuf python3-zstandard python3-prometheus-client zstd jq tmux mandoc postgresql util-linux
libjemalloc2 chromium prometheus openssl openssh-client openssh-server iproute2 dpkg-dev rpm lintian rpmlint
man-db sysstat libxml2-utils zsh fish"

# For tools/cross.sh: the agent for arm64, and to run it here.
packages_cross="gcc-aarch64-linux-gnu libc6-dev-arm64-cross libzstd-dev:arm64
libprotobuf-c-dev:arm64 libisal-dev protobuf-c-compiler cmake ninja-build
pkg-config qemu-user-static"

packages_portable="libuv1-dev:arm64 libyajl-dev:arm64 libinih-dev:arm64
zlib1g-dev:arm64 libseccomp-dev:arm64 libncurses-dev:arm64"

packages_bench="sysstat atop postgresql python3 python3-protobuf
python3-zstandard zstd util-linux"

# How demo.sh and tools/package.sh configure build/package: by the same options, so that
# the second has nothing left to build.
package_options="-G Ninja -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=RelWithDebInfo
-DCMAKE_INSTALL_PREFIX=/usr -DGS_TESTS=OFF"

missing_packages() {
	local p
	for p in "$@"; do
		dpkg-query -W -f='${Status}' "$p" 2>/dev/null |
			grep -q ' installed$' || printf '%s ' "$p"
	done
}

# postgresql makes a cluster and starts it, unless told not to.  Nothing here
# needs one, so a machine that has no PostgreSQL gets none running.
without_cluster() {
	local conf=/etc/postgresql-common/createcluster.conf
	[ -e "$conf" ] && return
	"$@" mkdir -p "${conf%/*}"
	echo 'create_main_cluster = false' | "$@" tee "$conf" >/dev/null
}

# The tests start sshd themselves, for hosts of their own: a machine that has
# none gets none listening.  (To have one later: systemctl unmask ssh.)
without_sshd() {
	local dir=/etc/systemd/system
	[ -e $dir/ssh.service ] || [ -L $dir/ssh.service ] && return
	"$@" mkdir -p $dir
	"$@" ln -s /dev/null $dir/ssh.service
}

# The same for prometheus.
without_prometheus() {
	local unit=/etc/systemd/system/prometheus.service
	[ -e $unit ] || [ -L $unit ] && return
	"$@" mkdir -p ${unit%/*}
	"$@" ln -s /dev/null $unit
}

need_packages() {
	local missing sudo=
	if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null
	then
		echo "no apt-get here: these Debian packages must be there" \
			"under their local names:" "$@" >&2
		return 0
	fi
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0
	if [ "$(id -u)" != 0 ]; then
		if ! command -v sudo >/dev/null; then
			echo "as root: apt-get install $missing" >&2
			return 1
		fi
		sudo=sudo
	fi
	echo "installing: $missing"
	case " $missing " in
	*' postgresql '*) without_cluster $sudo ;;
	esac
	case " $missing " in
	*' openssh-server '*) without_sshd $sudo ;;
	esac
	case " $missing " in
	*' prometheus '*) without_prometheus $sudo ;;
	esac
	$sudo apt-get -qq update &&
		$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
			install --no-install-recommends $missing </dev/null \
			>/dev/null
}
