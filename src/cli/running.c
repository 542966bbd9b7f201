#include "cli/running.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/scan.h"
#include "cli/default_dir.h"
#include "cli/start.h"

static int by_start(const void *a, const void *b)
{
	const struct running *x = a, *y = b;

	if (x->says.started != y->says.started)
		return x->says.started < y->says.started ? -1 : 1;
	return x->says.pid < y->says.pid ? -1 : x->says.pid > y->says.pid;
}

static int hear(struct running *r, struct gs_err *err)
{
	struct buf text = BUF_INIT;
	int status = ask(&r->whom, "status", &text, err);

	if (status == 0)
		status = bulletin_read(&r->says, buf_str(&text), text.len,
		    err);
	buf_release(&text);
	return status;
}

int runnings_find(struct runnings *l, struct gs_err *err)
{
	struct ask_whom *whom = NULL;
	struct gs_err one;
	size_t i, n = 0, others = 0;
	int r = ask_list(ASK_SOCKETS, &whom, &n, &others, err);

	*l = (struct runnings)RUNNINGS_INIT;
	if (r < 0)
		return r;
	l->n_others = others;
	l->item = gs_calloc(n, sizeof(*l->item));
	for (i = 0; i < n; i++) {
		struct running *it = &l->item[l->n];

		*it = (struct running) { .whom = whom[i] };
		r = hear(it, &one);
		if (r == 0) {
			l->n++;
		} else if (r != GS_E_GONE) {
			buf_printf(&l->mute, "a recorder of uid %ju: %s\n",
			    (uintmax_t)whom[i].uid, one.msg);
			l->n_mute++;
		}
	}
	free(whom);
	if (l->n > 1)
		qsort(l->item, l->n, sizeof(*l->item), by_start);
	return 0;
}

void runnings_tell_mute(const struct runnings *l)
{
	struct span all = span_of(buf_str(&l->mute), l->mute.len), line;

	while (scan_line(&all, &line))
		cli_warning("%.*s", (int)span_len(line), line.ptr);
}

void runnings_release(struct runnings *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		bulletin_release(&l->item[i].says);
	free(l->item);
	buf_release(&l->mute);
	*l = (struct runnings)RUNNINGS_INIT;
}

/* However it is called: by links, by "..". */
static bool is_same(const struct stat *st, const char *path)
{
	struct stat other;

	return path && stat(path, &other) == 0 &&
	    other.st_dev == st->st_dev && other.st_ino == st->st_ino;
}

static const struct running *find(const struct runnings *l, const char *path,
	size_t *ret_n)
{
	const struct running *found = NULL;
	struct stat st;
	size_t i;

	*ret_n = 0;
	if (stat(path, &st) < 0)
		return NULL;
	for (i = 0; i < l->n; i++) {
		const struct bulletin *b = &l->item[i].says;

		if (!is_same(&st, b->file) && !is_same(&st, b->directory))
			continue;
		if (!found)
			found = &l->item[i];
		++*ret_n;
	}
	return found;
}

static int several(const struct runnings *l, struct gs_err *err)
{
	struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < l->n; i++) {
		const struct bulletin *s = &l->item[i].says;
		const char *path = s->directory ? s->directory : s->file;

		buf_printf(&b, "%s%s (pid %" PRIu64 ")", i ? ", " : "",
		    path ? path : "the standard output", s->pid);
	}
	(void)gs_fail(err, GS_E_USAGE,
	    "%zu recorders run: say which, by its file or directory:\n%s",
	    l->n, buf_str(&b));
	buf_release(&b);
	return GS_E_USAGE;
}

static int none(const struct runnings *l, const char *path,
	struct gs_err *err)
{
	(void)gs_fail(err, GS_E_NOTFOUND, "no recorder is running");
	if (path)
		(void)gs_fail(err, GS_E_NOTFOUND,
		    "%s: no recorder that runs writes it", path);
	else if (l->n_others > 0)
		(void)gs_fail(err, GS_E_NOTFOUND,
		    "no recorder of this user is running; %zu of other users "
		    "can be asked by them and by root", l->n_others);
	return GS_E_NOTFOUND;
}

int runnings_choose(const struct runnings *l, const char *path,
	const struct running **ret, struct gs_err *err)
{
	struct buf dir = BUF_INIT;
	const struct running *r = NULL;
	size_t n;

	if (path) {
		r = find(l, path, &n);
		if (!r)
			return none(l, path, err);
	} else if (l->n == 1) {
		r = &l->item[0];
	} else if (l->n > 1) {
		r = find(l, default_dir(&dir), &n);
		buf_release(&dir);
		if (!r || n > 1)
			return several(l, err);
	}
	if (!r)
		return none(l, NULL, err);
	*ret = r;
	return 0;
}
