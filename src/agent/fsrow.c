/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/fsrow.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "agent/dirs.h"
#include "base/mem.h"

#define DEPTH_MAX 8 /* of stacked devices */
#define NAMES_MAX 1024u /* bytes */

void fsrow_init(struct fsrow *f, struct sent_texts *sent)
{
	*f = (struct fsrow) { 0 };
	rows_init(&f->rows, ENTITY_FS, sent);
}

void fsrow_release(struct fsrow *f)
{
	size_t i;

	for (i = 0; i < f->made; i++)
		buf_release(&f->mount[i].path);
	free(f->mount);
	rows_release(&f->rows);
	buf_release(&f->path);
}

/* ---- disks ----------------------------------------------------------- */

static void walk(struct root *r, uint64_t major_nr, uint64_t minor_nr,
	int depth, struct buf *to);

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
	uint64_t major_nr, minor_nr;

	if (snprintf(path, sizeof(path), "%s/%s/dev", dir, name) >=
	    (int)sizeof(path) || root_read_sys(r, path, &text) < 0 ||
	    !scan_u64(&text, &major_nr) || span_empty(text) ||
	    *text.ptr++ != ':' || !scan_u64(&text, &minor_nr))
		return;
	walk(r, major_nr, minor_nr, depth + 1, to);
}

/* Follows all slaves; false if there is none. */
static bool walk_slaves(struct root *r, const char *dir, int depth,
	struct buf *to)
{
	struct dirs d;
	const char *name;
	unsigned char type;
	bool any = false;

	if (dirs_open(&d, r, r->sys_fd, dir, 0) < 0)
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

/* Adds the names of the disks below a block device, through dm and md; none if
 * sysfs does not know it. */
static void walk(struct root *r, uint64_t major_nr, uint64_t minor_nr,
	int depth, struct buf *to)
{
	char dev[64], path[96];
	struct span link, name;
	bool is_part;

	if (depth > DEPTH_MAX || r->sys_fd < 0)
		return;
	(void)snprintf(dev, sizeof(dev), "dev/block/%" PRIu64 ":%" PRIu64,
	    major_nr, minor_nr);
	(void)snprintf(path, sizeof(path), "%s/slaves", dev);
	if (walk_slaves(r, path, depth, to))
		return;
	(void)snprintf(path, sizeof(path), "%s/partition", dev);
	is_part = root_exists(r, r->sys_fd, path);
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

/* ---- mounts ---------------------------------------------------------- */

static uint32_t unescaped(struct fsrow *f, struct sent_texts *sent,
	struct span text)
{
	buf_reset(&f->path);
	mountinfo_unescape(text, &f->path);
	return sent_text(sent, span_of(buf_str(&f->path), f->path.len));
}

/* The disks of a file system; one with a virtual device number (btrfs) is
 * looked up by the name of its device. */
static uint32_t disks_of(struct fsrow *f, const struct scan *sc,
	const struct mount *m)
{
	uint64_t major = m->major, minor = m->minor;
	struct stat st;

	buf_reset(&f->path);
	mountinfo_unescape(m->source, &f->path);
	if (major == 0 && sc->root->is_default && f->path.len > 0 &&
	    f->path.ptr[0] == '/' && stat(f->path.ptr, &st) == 0 &&
	    S_ISBLK(st.st_mode)) {
		major = major(st.st_rdev);
		minor = minor(st.st_rdev);
	}
	buf_reset(&f->path);
	if (major != 0)
		walk(sc->root, major, minor, 0, &f->path);
	return sent_text(sc->sent, span_of(buf_str(&f->path), f->path.len));
}

static void add_mount(struct fsrow *f, const struct scan *sc,
	const struct mount *m)
{
	uint32_t point = unescaped(f, sc->sent, m->point);
	struct fsrow_mount *to;
	size_t i;

	for (i = 0; i < f->n; i++) {
		if (f->mount[i].point == point) {
			sent_drop(sc->sent, point);
			return;
		}
	}
	if (f->n == f->made) {
		GS_GROW(f->mount, &f->cap, f->n + 1);
		f->mount[f->made++] = (struct fsrow_mount) { 0 };
	}
	to = &f->mount[f->n++];
	to->point = point;
	buf_reset(&to->path);
	mountinfo_unescape(m->point, &to->path);
	to->device = unescaped(f, sc->sent, m->source);
	to->type = sent_text(sc->sent, m->type);
	to->disk = disks_of(f, sc, m);
	to->asked = sc->root->procfs && !mount_may_hang(m);
}

static void forget_mounts(struct fsrow *f, struct sent_texts *sent)
{
	size_t i;

	for (i = 0; i < f->n; i++) {
		sent_drop(sent, f->mount[i].point);
		sent_drop(sent, f->mount[i].device);
		sent_drop(sent, f->mount[i].type);
		sent_drop(sent, f->mount[i].disk);
	}
	f->n = 0;
}

static void add_holder(struct fsrow *f, const struct scan *sc,
	struct mounts *mounts, struct span dir)
{
	struct mount m;

	if (span_starts(dir, "/") && mounts_find(mounts, dir, &m))
		add_mount(f, sc, &m);
}

static void find_mounts(struct fsrow *f, const struct scan *sc,
	const struct postmasters *servers, struct mounts *mounts)
{
	size_t i;

	forget_mounts(f, sc->sent);
	if (!mounts_read(mounts, sc->root))
		return;
	add_holder(f, sc, mounts, span_str("/"));
	for (i = 0; i < servers->n; i++) {
		const struct postmaster *s = &servers->server[i];

		add_holder(f, sc, mounts, span_of(buf_str(&s->path),
		    s->path.len));
	}
}

/* Before Linux 3.12 a path alone is not enough to ask. */
static int ask_sizes(const struct root *r, const char *path,
	struct statvfs *ret)
{
	int fd, status;

	if (r->is_default)
		return statvfs(path, ret);
	fd = root_open(r, r->proc_fd, path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return fd;
	status = fstatvfs(fd, ret);
	(void)close(fd); /* was only a path */
	if (status == 0 || errno != EBADF)
		return status;
	fd = root_open(r, r->proc_fd, path,
	    O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return fd;
	status = fstatvfs(fd, ret);
	(void)close(fd); /* was only read */
	return status;
}

static void set_sizes(const struct root *r, const struct fsrow_mount *m,
	struct cells c)
{
	struct statvfs v;
	uint64_t unit;

	if (!m->asked || ask_sizes(r, buf_str(&m->path), &v) < 0)
		return;
	unit = v.f_frsize;
	cells_set(c, COL(FS, SIZE), v.f_blocks * unit / 1024);
	cells_set(c, COL(FS, FREE), v.f_bfree * unit / 1024);
	cells_set(c, COL(FS, AVAIL), v.f_bavail * unit / 1024);
	if (v.f_files == 0)
		return; /* inodes are not limited in number */
	cells_set(c, COL(FS, INODES), v.f_files);
	cells_set(c, COL(FS, INODES_FREE), v.f_ffree);
}

void fsrow_tick(struct fsrow *f, const struct scan *sc,
	const struct postmasters *servers, struct mounts *mounts,
	struct block *b)
{
	size_t i;

	if (scan_refreshes(sc) || servers->changed)
		find_mounts(f, sc, servers, mounts);
	scan_begin_rows(sc, &f->rows, &b->ent[ENTITY_FS]);
	for (i = 0; i < f->n; i++) {
		const struct fsrow_mount *m = &f->mount[i];
		struct cells c = rows_now(&f->rows);

		set_text_id(sc->sent, c, COL(FS, MOUNT), m->point);
		set_text_id(sc->sent, c, COL(FS, DEVICE), m->device);
		set_text_id(sc->sent, c, COL(FS, TYPE), m->type);
		set_text_id(sc->sent, c, COL(FS, DISK), m->disk);
		set_sizes(sc->root, m, c);
		rows_put(&f->rows, m->point);
	}
	rows_end(&f->rows);
}
