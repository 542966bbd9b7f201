/* SPDX-License-Identifier: Apache-2.0 */
#include "heap/layouts.h"

#include <stdlib.h>

#include "base/mem.h"
#include "heap/calibrate.h"
#include "heap/symbols.h"
#include "procfs/heapline.h"

/* A host has some thousand programs and libraries. */
#define FILES_MAX 8192u

struct known_file {
	dev_t dev;
	ino_t ino;
	struct timespec changed;
	off_t size;
	struct layout layout;
};

void layouts_release(struct layouts *ls)
{
	free(ls->file);
	*ls = (struct layouts) { 0 };
}

static bool is_file(const struct known_file *f, const struct stat *st)
{
	return f->ino == st->st_ino && f->dev == st->st_dev &&
	    f->size == st->st_size &&
	    f->changed.tv_sec == st->st_ctim.tv_sec &&
	    f->changed.tv_nsec == st->st_ctim.tv_nsec;
}

static struct known_file *find(const struct layouts *ls, const struct stat *st)
{
	size_t i;

	for (i = 0; i < ls->n; i++) {
		if (is_file(&ls->file[i], st))
			return &ls->file[i];
	}
	return NULL;
}

static struct known_file *add(struct layouts *ls, const struct stat *st)
{
	struct known_file *f;

	if (ls->n < FILES_MAX) {
		GS_GROW(ls->file, &ls->cap, ls->n + 1);
		f = &ls->file[ls->n++];
	} else {
		f = &ls->file[ls->next++ % FILES_MAX];
	}
	*f = (struct known_file) { .dev = st->st_dev, .ino = st->st_ino,
		.changed = st->st_ctim, .size = st->st_size };
	return f;
}

const struct layout *layouts_get(struct layouts *ls, int fd, const char *path)
{
	static const struct layout none = { .error = HEAP_NO_JEMALLOC };
	struct known_file *f;
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return &none;
	f = find(ls, &st);
	if (f)
		return &f->layout;
	f = add(ls, &st);
	symbols_find(fd, path, &f->layout);
	if (f->layout.error == HEAP_NO_SYMBOLS && f->layout.uncertain &&
	    calibrate_trusts(path, &st))
		(void)calibrate(path, &f->layout); /* else it stays unknown */
	return &f->layout;
}
