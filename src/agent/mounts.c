/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/mounts.h"

#include "base/compiler.h"

void mounts_release(struct mounts *m)
{
	buf_release(&m->table);
	buf_release(&m->path);
}

bool mounts_read(struct mounts *m, struct root *r)
{
	struct span text;

	buf_reset(&m->table);
	if (root_read_proc(r, r->is_default || !r->procfs
		? "self/mountinfo" : "1/mountinfo", &text) < 0)
		return false;
	buf_add(&m->table, text.ptr, span_len(text));
	return true;
}

/* True if dir is point or below it. */
static bool is_below(struct span dir, struct span point)
{
	size_t n = span_len(point);

	if (span_eq(point, "/"))
		return true;
	return span_len(dir) >= n && memcmp(dir.ptr, point.ptr, n) == 0 &&
	    (span_len(dir) == n || dir.ptr[n] == '/');
}

/* The deepest mount; of equal ones the last. */
bool mounts_find(struct mounts *m, struct span dir, struct mount *ret)
{
	struct span table = span_of(buf_str(&m->table), m->table.len);
	size_t best = 0;
	struct mount mount;

	while (mountinfo_next(&table, &mount)) {
		buf_reset(&m->path);
		mountinfo_unescape(mount.point, &m->path);
		if (m->path.len < best || !is_below(dir,
			span_of(buf_str(&m->path), m->path.len)))
			continue;
		best = m->path.len;
		*ret = mount;
	}
	return best > 0;
}

bool mount_may_hang(const struct mount *m)
{
	static const char *const net[] = { "nfs", "cifs", "smb", "9p", "ceph",
		"fuse", "afs", "glusterfs", "ncp", "lustre", "gpfs" };
	size_t i;

	for (i = 0; i < GS_LEN(net); i++) {
		if (span_starts(m->type, net[i]))
			return true;
	}
	return false;
}
