/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/fsrow.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#include "agent/blockdev.h"
#include "base/mem.h"

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
		blockdev_disks(sc->root, major, minor, &f->path);
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
	buf_add_str(&to->path, sc->root->is_default ? "" : sc->root->dir);
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

static void set_sizes(const struct fsrow_mount *m, struct cells c)
{
	struct statvfs v;
	uint64_t unit;

	if (!m->asked || statvfs(buf_str(&m->path), &v) < 0)
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
		set_sizes(m, c);
		rows_put(&f->rows, m->point);
	}
	rows_end(&f->rows);
}
