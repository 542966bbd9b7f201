/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/export_dir.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/newfile.h"

struct export_file {
	char *table;
	struct newfile *file;
};

static int begin(struct export_dir *d, const char *table,
	struct export_file **ret, struct gs_err *err)
{
	struct buf path = BUF_INIT;
	struct export_file *f;
	int r;

	GS_GROW(d->file, &d->cap, d->n + 1);
	f = &d->file[d->n++];
	*f = (struct export_file) { gs_strdup(table), NULL };
	buf_printf(&path, "%s/%s.csv", d->path, table);
	r = newfile_begin(buf_str(&path), d->force, 0640, &f->file, err);
	buf_release(&path);
	*ret = f;
	return r;
}

int export_dir_add(struct export_dir *d, const char *table,
	const struct buf *text, struct gs_err *err)
{
	struct export_file *f = NULL;
	int r = GS_OK;
	size_t i;

	for (i = 0; i < d->n && !f; i++) {
		if (strcmp(d->file[i].table, table) == 0)
			f = &d->file[i];
	}
	if (!f)
		r = begin(d, table, &f, err);
	return r < 0 ? r : newfile_add(f->file, buf_str(text), text->len, err);
}

int export_dir_finish(struct export_dir *d, struct gs_err *err)
{
	int r = GS_OK;
	size_t i;

	for (i = 0; r == GS_OK && i < d->n; i++)
		r = newfile_finish(d->file[i].file, err);
	return r;
}

void export_dir_release(struct export_dir *d)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		newfile_free(d->file[i].file);
		free(d->file[i].table);
	}
	free(d->file);
	d->file = NULL;
	d->n = d->cap = 0;
}
