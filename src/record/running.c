/* SPDX-License-Identifier: Apache-2.0 */
#include "record/running.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "record/sockets.h"

static int by_start(const void *a, const void *b)
{
	const struct running *x = a, *y = b;

	if (x->status.started != y->status.started)
		return x->status.started < y->status.started ? -1 : 1;
	return x->status.pid < y->status.pid ? -1
	                                     : x->status.pid > y->status.pid;
}

static int request_status(struct running *r, struct gs_err *err)
{
	struct buf text = BUF_INIT;
	int status = ask(&r->whom, "status", &text, err);

	if (status == 0)
		status = status_report_read(&r->status, buf_str(&text),
		    text.len, err);
	buf_release(&text);
	return status;
}

/* At most this many recorders of another user that do not answer are waited
 * for. */
#define MUTE_OF_OTHERS_MAX 3u

/* Sockets that bear one user's number and belong to another; not waited for. */
struct impostors {
	size_t n;
	char first[GS_ERR_MSG_MAX];
};

/* Recorders that can't be asked, as their queues are full. */
struct crowded {
	struct ask_whom *whom;
	size_t n, cap;
};

static void note_mute(struct runnings *l, const struct ask_whom *whom,
	const char *why)
{
	buf_printf(&l->mute, "a recorder of uid %ju: %s\n",
	    (uintmax_t)whom->uid, why);
	GS_GROW(l->mute_uid, &l->mute_cap, l->n_mute + 1);
	l->mute_uid[l->n_mute++] = whom->uid;
}

static void note_impostors(struct runnings *l, const struct impostors *no)
{
	if (no->n == 0)
		return;
	buf_add_str(&l->mute, no->first);
	if (no->n > 1)
		buf_printf(&l->mute, "; so are %zu more", no->n - 1);
	buf_add_char(&l->mute, '\n');
}

/* A user's number in a name proves nothing: it is a recorder that does not
 * answer only if a process of that user has it. */
static void note_crowded(struct runnings *l, struct crowded *c)
{
	size_t i, unknown = 0;

	ask_find_owners(c->whom, c->n);
	for (i = 0; i < c->n; i++) {
		if (c->whom[i].owned)
			note_mute(l, &c->whom[i],
			    "it is being asked by too many");
		else
			unknown++;
	}
	if (unknown > 0)
		buf_printf(&l->mute, "%zu name%s of recorders, which others "
		    "may have bound, can't be asked: too many wait there\n",
		    unknown, unknown == 1 ? "" : "s");
}

/* A user who binds names that never answer hides only his own recorders. */
static bool is_tiresome(const struct runnings *l, uid_t uid)
{
	size_t i, n = 0;

	for (i = 0; uid != geteuid() && i < l->n_mute; i++)
		n += l->mute_uid[i] == uid;
	return n >= MUTE_OF_OTHERS_MAX;
}

static void ask_one(struct runnings *l, const struct ask_whom *whom,
	struct impostors *no, struct crowded *full)
{
	struct running one = { .whom = *whom };
	struct gs_err err;
	int r;

	if (is_tiresome(l, whom->uid))
		return;
	r = request_status(&one, &err);
	if (r == 0) {
		GS_GROW(l->item, &l->cap, l->n + 1);
		l->item[l->n++] = one;
	} else if (r == GS_E_DENIED) {
		if (no->n++ == 0)
			(void)snprintf(no->first, sizeof(no->first), "%s",
			    err.msg);
	} else if (r == GS_E_LIMIT) {
		GS_GROW(full->whom, &full->cap, full->n + 1);
		full->whom[full->n++] = *whom;
	} else if (r != GS_E_GONE) {
		note_mute(l, whom, err.msg);
	}
}

int runnings_find(struct runnings *l, struct gs_err *err)
{
	struct ask_whom *whom = NULL;
	struct impostors no = { .n = 0 };
	struct crowded full = { .n = 0 };
	size_t i, n = 0, others = 0;
	int r = ask_list(SOCKETS_TABLE, &whom, &n, &others, err);

	*l = (struct runnings)RUNNINGS_INIT;
	if (r < 0)
		return r;
	l->n_others = others;
	for (i = 0; i < n; i++)
		ask_one(l, &whom[i], &no, &full);
	note_impostors(l, &no);
	note_crowded(l, &full);
	free(full.whom);
	free(whom);
	if (l->n > 1)
		qsort(l->item, l->n, sizeof(*l->item), by_start);
	return 0;
}

void runnings_release(struct runnings *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		status_report_release(&l->item[i].status);
	free(l->item);
	free(l->mute_uid);
	buf_release(&l->mute);
	*l = (struct runnings)RUNNINGS_INIT;
}

/* Whatever path names it: links, "..". */
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
		const struct status_report *b = &l->item[i].status;

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
		const struct status_report *s = &l->item[i].status;
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
	const char *usual, const struct running **ret, struct gs_err *err)
{
	const struct running *r = NULL;
	size_t n;

	if (path) {
		r = find(l, path, &n);
		if (!r)
			return none(l, path, err);
	} else if (l->n == 1) {
		r = &l->item[0];
	} else if (l->n > 1) {
		r = find(l, usual, &n);
		if (!r || n > 1)
			return several(l, err);
	}
	if (!r)
		return none(l, NULL, err);
	*ret = r;
	return 0;
}
