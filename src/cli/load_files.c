/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/load_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/start.h"

static void add_file(struct load_files *l, const struct recfile *f)
{
	GS_GROW(l->file, &l->cap, l->n + 1);
	l->file[l->n++] = *f;
	reader_rest(f->reader);
}

static int add_directory(struct load_files *l, const char *path,
	struct gs_err *err)
{
	struct recfile *file = NULL;
	size_t i, n = 0;
	int r = recfile_list(path, false, &file, &n, err);

	for (i = 0; i < n; i++) {
		if (!file[i].refused) {
			add_file(l, &file[i]);
			continue;
		}
		cli_notice("%s", file[i].refused);
		l->n_refused++;
		recfile_release(&file[i]);
	}
	free(file);
	return r;
}

static int check_path(const char *path, struct gs_err *err)
{
	struct stat st;

	if (strcmp(path, "-") == 0)
		return gs_fail(err, GS_E_USAGE, "-: what is loaded must be a "
		    "file, so that it is known what of it is loaded");
	if (stat(path, &st) < 0 || access(path, R_OK) < 0)
		return gs_fail_errno(err, errno, "%s", path);
	return GS_OK;
}

int load_files_check(char *const *path, size_t n, struct gs_err *err)
{
	size_t i;
	int r = GS_OK;

	for (i = 0; r == GS_OK && i < n; i++)
		r = check_path(path[i], err);
	return r;
}

static int add_path(struct load_files *l, const char *path,
	struct gs_err *err)
{
	struct recfile f;
	int r;

	if (path_is_directory(path))
		return add_directory(l, path, err);
	r = recfile_open(path, &f, err);
	if (r < 0)
		return r;
	if (!reader_is_file(f.reader)) {
		recfile_release(&f);
		return gs_fail(err, GS_E_USAGE, "%s: what is loaded must be a "
		    "file, so that it is known what of it is loaded", path);
	}
	add_file(l, &f);
	return GS_OK;
}

static int by_origin(const void *x, const void *y)
{
	const struct recfile *a = x, *b = y;
	bool made_a = a->header->n_source > 0, made_b = b->header->n_source > 0;

	return made_a == made_b ? recfile_by_time(x, y) : made_a - made_b;
}

int load_files_open(struct load_files *l, char *const *path, size_t n,
	struct gs_err *err)
{
	size_t i;
	int r = GS_OK;

	*l = (struct load_files) { .file = NULL };
	for (i = 0; r == GS_OK && i < n; i++)
		r = add_path(l, path[i], err);
	if (r == GS_OK && l->n > 1) {
		recfile_sort(l->file, l->n, sizeof(*l->file));
		qsort(l->file, l->n, sizeof(*l->file), by_origin);
	}
	return r;
}

void load_files_release(struct load_files *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		recfile_release(&l->file[i]);
	free(l->file);
	*l = (struct load_files) { .file = NULL };
}

static int describe(const struct recfile *f, struct plan_file *ret,
	struct gs_err *err)
{
	const struct frame_entry *e;
	size_t i, n;
	int r = reader_index(f->reader, &e, &n, err);

	if (r < 0)
		return r;
	*ret = (struct plan_file) { .path = f->path,
		.number = f->header->file_number, .first_ns = f->first_ns,
		.last_ns = f->first_ns };
	for (i = 0; i < n; i++) {
		ret->first_seq = i == 0 ? e[i].seq
		                        : GS_MIN(ret->first_seq, e[i].seq);
		if (e[i].seq < ret->last_seq)
			continue;
		ret->last_seq = e[i].seq;
		ret->last_ns = e[i].wall_ns;
	}
	return GS_OK;
}

int load_files_recording(struct load_files *l, size_t *i,
	struct plan_file **ret, size_t *ret_n, struct gs_err *err)
{
	size_t end = *i, n = 0;
	struct plan_file *f;
	int r = GS_OK;

	while (end < l->n && recfile_same(&l->file[*i], &l->file[end]))
		end++;
	f = gs_calloc(end - *i, sizeof(*f));
	for (; r == GS_OK && *i < end; (*i)++)
		r = describe(&l->file[*i], &f[n++], err);
	if (r < 0) {
		free(f);
		return r;
	}
	*ret = f;
	*ret_n = n;
	return GS_OK;
}
