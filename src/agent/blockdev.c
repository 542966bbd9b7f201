/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/blockdev.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/dirs.h"

#define DEPTH_MAX 8 /* of stacked devices */
#define NAMES_MAX 1024u /* bytes */

static void walk(struct root *r, uint64_t major, uint64_t minor, int depth,
	struct buf *to);

/* Adds a name if it is new. */
static void add_name(struct buf *to, struct span name)
{
	struct span have = span_of(buf_str(to), to->len), item;
	bool more = true;

	while (more) {
		more = scan_until(&have, ',', &item);
		if (!more)
			item = have;
		if (span_len(item) == span_len(name) &&
		    memcmp(item.ptr, name.ptr, span_len(name)) == 0)
			return;
	}
	if (to->len + span_len(name) + 1 > NAMES_MAX)
		return;
	if (to->len > 0)
		buf_add_char(to, ',');
	buf_add(to, name.ptr, span_len(name));
}

/* Follows a link below dir to its device, whose number is in its file dev. */
static void walk_slave(struct root *r, const char *dir, const char *name,
	int depth, struct buf *to)
{
	char path[512];
	struct span text;
	uint64_t major, minor;

	if (snprintf(path, sizeof(path), "%s/%s/dev", dir, name) >=
	    (int)sizeof(path) || root_read_sys(r, path, &text) < 0 ||
	    !scan_u64(&text, &major) || span_empty(text) ||
	    *text.ptr++ != ':' || !scan_u64(&text, &minor))
		return;
	walk(r, major, minor, depth + 1, to);
}

/* Follows all slaves; false if there is none. */
static bool walk_slaves(struct root *r, const char *dir, int depth,
	struct buf *to)
{
	struct dirs d;
	const char *name;
	unsigned char type;
	bool any = false;

	if (dirs_open(&d, r->sys_fd, dir, 0) < 0)
		return false;
	while ((name = dirs_next(&d, &type)) != NULL) {
		any = true;
		walk_slave(r, dir, name, depth, to);
	}
	dirs_close(&d);
	return any;
}

static struct span last_part(struct span path)
{
	const char *slash = memrchr(path.ptr, '/', span_len(path));

	if (slash)
		path.ptr = slash + 1;
	return path;
}

static void walk(struct root *r, uint64_t major, uint64_t minor, int depth,
	struct buf *to)
{
	char dev[64], path[96];
	struct span link, name;
	bool is_part;

	if (depth > DEPTH_MAX || r->sys_fd < 0)
		return;
	(void)snprintf(dev, sizeof(dev), "dev/block/%" PRIu64 ":%" PRIu64,
	    major, minor);
	(void)snprintf(path, sizeof(path), "%s/slaves", dev);
	if (walk_slaves(r, path, depth, to))
		return;
	(void)snprintf(path, sizeof(path), "%s/partition", dev);
	is_part = faccessat(r->sys_fd, path, F_OK, 0) == 0;
	(void)snprintf(path, sizeof(path), "%s/../slaves", dev);
	if (is_part && walk_slaves(r, path, depth, to))
		return;
	if (root_readlink(r, r->sys_fd, dev, &link) < 0)
		return;
	name = last_part(link);
	if (is_part && name.ptr > link.ptr) {
		/* its disk is the path component before */
		link.end = name.ptr - 1;
		name = last_part(link);
	}
	if (!span_empty(name))
		add_name(to, name);
}

void blockdev_disks(struct root *r, uint64_t major, uint64_t minor,
	struct buf *to)
{
	walk(r, major, minor, 0, to);
}
