/* SPDX-License-Identifier: Apache-2.0 */
#include "record/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"
#include "format/lockfile.h"
#include "format/naming.h"

/* Names tried for one file before giving up. */
#define TRIES_MAX 10000u

enum output_kind output_kind_of(const char *arg)
{
	size_t len = strlen(arg);
	struct stat st;

	if (strcmp(arg, "-") == 0)
		return OUTPUT_STREAM;
	if (len > 0 && arg[len - 1] == '/')
		return OUTPUT_DIR;
	return stat(arg, &st) == 0 && S_ISDIR(st.st_mode) ? OUTPUT_DIR
	                                                  : OUTPUT_FILE;
}

/* mkdir -p, 0750. */
static int make_dirs(const char *dir, struct gs_err *err)
{
	char *path = gs_strdup(dir);
	char *p;
	int r = 0;

	for (p = path + 1; r == 0; p++) {
		char c = *p;

		if (c != '/' && c != '\0')
			continue;
		*p = '\0';
		if (mkdir(path, 0750) < 0 && errno != EEXIST)
			r = gs_fail_errno(err, errno, "%s", path);
		*p = c;
		if (c == '\0')
			break;
	}
	free(path);
	return r;
}

static char *without_slashes(const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	return gs_strndup(path, len);
}

static void set_retention(struct output *o, const struct output_options *opt)
{
	o->keep = (struct retention) { .dir = o->path, .name = o->name,
		.keep_bytes = opt->keep_bytes, .keep_ns = opt->keep_ns,
		.min_free = opt->min_free };
}

int output_open(struct output *o, const struct output_options *opt,
	const struct io_ops *io, int64_t wall_ns, struct gs_err *err)
{
	struct buf name = BUF_INIT;
	int r = 0;

	*o = (struct output)OUTPUT_INIT;
	o->io = io;
	o->kind = opt->kind;
	naming_host(opt->host, &name);
	o->name = gs_strdup(buf_str(&name));
	buf_release(&name);
	o->path = o->kind == OUTPUT_DIR ? without_slashes(opt->path)
	                                : gs_strdup(opt->path);
	set_retention(o, opt);
	if (o->kind == OUTPUT_DIR) {
		r = make_dirs(o->path, err);
		if (r == 0)
			r = lockfile_acquire(o->path, o->name, &o->lock_fd, err);
	}
	if (r == 0)
		r = output_next(o, wall_ns, NULL, err);
	if (r < 0)
		(void)output_close(o, NULL); /* nothing was written */
	return r;
}

static void name_file(const struct output *o, int64_t wall_ns, unsigned nth,
	struct buf *path)
{
	struct buf file = BUF_INIT;

	if (o->kind == OUTPUT_DIR) {
		naming_rotated(o->name, wall_ns, nth, &file);
		buf_reset(path);
		buf_printf(path, "%s/%s", o->path, buf_str(&file));
	} else {
		naming_continued(o->path, nth, path);
	}
	buf_release(&file);
}

/* The directory may have been removed or moved, and its lock with it. */
static int keep_dir(struct output *o, struct gs_err *err)
{
	int r;

	if (lockfile_is_there(o->path, o->name, o->lock_fd))
		return 0;
	if (o->lock_fd >= 0)
		(void)close(o->lock_fd); /* locks a directory that is gone */
	o->lock_fd = -1;
	r = make_dirs(o->path, err);
	return r < 0 ? r : lockfile_acquire(o->path, o->name, &o->lock_fd, err);
}

/* The same for the directory of a file. */
static int remake_dir(const char *path, struct gs_err *err)
{
	char *dir = path_directory(path);
	int r = make_dirs(dir, err);

	free(dir);
	return r;
}

/* The first free name.  The very first file of OUTPUT_FILE must have the name
 * that was asked for. */
static int create_next(struct output *o, int64_t wall_ns, struct gs_err *err)
{
	bool only = o->kind == OUTPUT_FILE && o->nth == 0;
	unsigned nth = o->kind == OUTPUT_FILE ? o->nth : 0;
	unsigned last = nth + TRIES_MAX;
	struct buf path = BUF_INIT;
	int r;

	do {
		name_file(o, wall_ns, ++nth, &path);
		r = outfile_create(&o->file, o->io, buf_str(&path), err);
	} while (r == GS_E_EXISTS && !only && nth < last);
	if (r == 0)
		o->nth = nth;
	buf_release(&path);
	return r;
}

static void sync_dir(struct output *o)
{
	char *dir = path_directory(o->file.path);

	/* Some file systems can't; the file itself is written all the same. */
	(void)o->io->sync_dir(o->io->ctx, dir);
	free(dir);
}

int output_next(struct output *o, int64_t wall_ns, struct gs_err *ret_finish,
	struct gs_err *err)
{
	int r = 0;

	/* An error of the old file is returned separately: the new one is opened. */
	(void)outfile_finish(&o->file, ret_finish);
	if (o->kind == OUTPUT_STREAM) {
		outfile_stream(&o->file, o->io, STDOUT_FILENO,
		    "standard output");
		return 0;
	}
	if (o->kind == OUTPUT_DIR)
		r = keep_dir(o, err);
	else if (o->nth > 0)
		r = remake_dir(o->path, err);
	if (r == 0)
		r = create_next(o, wall_ns, err);
	if (r == 0)
		sync_dir(o);
	return r;
}

void output_abandon(struct output *o)
{
	if (outfile_is_open(&o->file) && o->file.frames == 0)
		outfile_unlink(&o->file);
	outfile_release(&o->file);
}

static const char *live_name(const struct output *o)
{
	const char *slash;

	if (!outfile_is_open(&o->file))
		return NULL;
	slash = strrchr(o->file.path, '/');
	return slash ? slash + 1 : o->file.path;
}

int output_tidy(struct output *o, int64_t wall_ns,
	struct retention_result *ret, struct gs_err *err)
{
	*ret = (struct retention_result) { 0 };
	if (o->kind != OUTPUT_DIR)
		return 0;
	return retention_apply(&o->keep, o->io, live_name(o), wall_ns, ret,
	    err);
}

bool output_has_room(struct output *o, int64_t wall_ns)
{
	struct retention_result res;
	char *dir;
	bool room;

	if (o->keep.min_free <= 0 || o->kind == OUTPUT_STREAM)
		return true;
	dir = o->kind == OUTPUT_DIR ? gs_strdup(o->path) : path_directory(o->path);
	room = retention_free_share(o->io, dir) >= o->keep.min_free;
	free(dir);
	if (room || o->kind != OUTPUT_DIR)
		return room;
	(void)output_tidy(o, wall_ns, &res, NULL); /* res.low is enough */
	return !res.low;
}

int output_close(struct output *o, struct gs_err *err)
{
	int r = outfile_finish(&o->file, err);

	outfile_release(&o->file);
	if (o->lock_fd >= 0)
		(void)close(o->lock_fd); /* drops the lock */
	free(o->path);
	free(o->name);
	*o = (struct output)OUTPUT_INIT;
	return r;
}
