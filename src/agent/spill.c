/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/spill.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

/* If there was no time for a complete list, the last one counts as long. */
#define LIST_VALID_NS (10 * GS_NSEC_PER_SEC)
#define FILES_PER_CLOCK 64 /* files between two reads of the clock */
#define PARTS_MAX 8 /* operators of one process; further ones are added to the
		     * last */
/* A directory may change again within the resolution of its file system's
 * clock: until this time has passed it is listed even if its mtime is the
 * same. */
#define MTIME_STEP_NS (3 * GS_NSEC_PER_SEC)

/* Result of listing a directory, or all of a server. */
enum listing {
	LISTED,
	LISTING_CUT, /* the limit of time or files was reached */
	LISTING_REFUSED
};

/* State of one server's listing. */
struct job {
	struct spill *sp;
	const struct scan *sc;
	const struct procs *ps;
	struct postmaster *s;
	uint64_t orphan_bytes, orphan_files;
};

void spill_release(struct spill *sp)
{
	free(sp->part);
	buf_release(&sp->name);
}

/* ---- owner of a file --------------------------------------------------- */

/* A server in a pid namespace of its own uses the pids of that namespace. */
static struct proc *find_inner(const struct job *j, uint32_t pid)
{
	size_t i;
	uint64_t v;

	for (i = 0; i < j->ps->n; i++) {
		struct proc *p = j->ps->proc[i];

		if (p->postmaster == j->s->pid && p->open &&
		    cells_get(p->was, COL(PROCESS, NS_PID), &v) && v == pid)
			return p;
	}
	return NULL;
}

static bool is_there(const struct root *r, uint32_t pid)
{
	char path[16];

	(void)snprintf(path, sizeof(path), "%u", (unsigned)pid);
	return root_exists(r, r->proc_fd, path);
}

static void find_owner(struct job *j, uint32_t pid)
{
	struct spill *sp = j->sp;
	struct proc *p;

	if (pid == sp->owner_pid)
		return;
	sp->owner_pid = pid;
	sp->owner_new = false;
	sp->owner = NULL;
	if (j->s->ns_pid) {
		sp->owner = find_inner(j, pid);
		return;
	}
	p = proc_select_find(j->ps->proc, j->ps->n, pid);
	if (p && p->postmaster == j->s->pid && p->open)
		sp->owner = p;
	else if (!p)
		sp->owner_new = is_there(j->sc->root, pid);
}

static void add_part(struct spill *sp, struct proc *p, struct span op,
	uint64_t bytes)
{
	struct spill_part *part;
	uint32_t k, n = 0;

	for (k = p->spill_part; k; k = sp->part[k - 1].next) {
		part = &sp->part[k - 1];
		if (++n == PARTS_MAX || span_eq(op, part->op)) {
			part->bytes += bytes;
			return;
		}
	}
	GS_GROW(sp->part, &sp->part_cap, sp->n_part + 1);
	part = &sp->part[sp->n_part++];
	*part = (struct spill_part) { .next = p->spill_part,
		.bytes = bytes };
	memcpy(part->op, op.ptr, span_len(op));
	p->spill_part = (uint32_t)sp->n_part;
}

static void count_file(struct job *j, const struct spillname *name,
	uint64_t bytes)
{
	struct spill *sp = j->sp;

	find_owner(j, name->pid);
	if (sp->owner) {
		sp->owner->spill_bytes += bytes;
		sp->owner->spill_files++;
		add_part(sp, sp->owner, name->op, bytes);
	} else if (!sp->owner_new) {
		j->orphan_bytes += bytes;
		j->orphan_files++;
	}
}

/* ---- listing ----------------------------------------------------------- */

/* Counts one more file; false if the limit is reached. */
static bool may_go_on(struct spill *sp)
{
	if (sp->left == 0)
		return false;
	if (--sp->left % FILES_PER_CLOCK == 0 &&
	    gs_clock_mono_ns() > sp->end_ns)
		sp->left = 0;
	return true;
}

static void stat_file(struct job *j, int dir_fd, const char *file,
	const struct spillname *name)
{
	struct stat st;

	if (fstatat(dir_fd, file, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISREG(st.st_mode) || st.st_size < 0)
		return;
	count_file(j, name, (uint64_t)st.st_size);
}

/* Lists a directory of files shared by several processes. */
static enum listing list_set(struct job *j, const char *dir,
	const struct spillname *set)
{
	struct dirs *d = &j->sp->sub;
	const char *file;
	unsigned char type;
	int status = dirs_open(d, j->sc->root, j->sp->dir.fd, dir,
	    O_NOFOLLOW);

	if (status < 0)
		return status == -ENOENT ? LISTED : LISTING_REFUSED;
	while ((file = dirs_next(d, &type)) != NULL) {
		struct spillname name = *set;

		if (!may_go_on(j->sp))
			break;
		if (span_empty(name.op))
			name.op = spillname_member(span_str(file));
		stat_file(j, d->fd, file, &name);
	}
	status = d->status;
	dirs_close(d);
	if (file)
		return LISTING_CUT;
	return status < 0 ? LISTING_REFUSED : LISTED;
}

static bool is_dir(int dir_fd, const char *name, unsigned char type)
{
	struct stat st;

	if (type != DT_UNKNOWN)
		return type == DT_DIR;
	return fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISDIR(st.st_mode);
}

static enum listing list_files(struct job *j, bool *ret_empty)
{
	struct dirs *d = &j->sp->dir;
	enum listing result = LISTED;
	struct spillname name;
	const char *file;
	unsigned char type;

	*ret_empty = true;
	while (result == LISTED && (file = dirs_next(d, &type)) != NULL) {
		if (!spillname_parse(span_str(file), &name))
			continue;
		*ret_empty = false;
		if (!may_go_on(j->sp))
			return LISTING_CUT;
		if (is_dir(d->fd, file, type))
			result = list_set(j, file, &name);
		else
			stat_file(j, d->fd, file, &name);
	}
	return d->status < 0 ? LISTING_REFUSED : result;
}

/* True if no file can have been added since it was empty. */
static bool still_empty(struct place *pl, const struct scan *sc,
	const struct stat *st)
{
	if (pl->changed_ns != 0 && st->st_dev == pl->dev &&
	    st->st_ino == pl->ino &&
	    st->st_mtim.tv_sec == pl->mtime.tv_sec &&
	    st->st_mtim.tv_nsec == pl->mtime.tv_nsec)
		return pl->empty && sc->root->procfs &&
		    sc->mono_ns - pl->changed_ns > MTIME_STEP_NS;
	pl->dev = st->st_dev;
	pl->ino = st->st_ino;
	pl->mtime = st->st_mtim;
	pl->changed_ns = sc->mono_ns;
	pl->empty = false;
	return false;
}

static enum listing list_place(struct job *j, struct place *pl)
{
	const struct root *r = j->sc->root;
	enum listing result;
	struct stat st;
	int status;

	status = root_stat(r, r->proc_fd, pl->path.ptr, &st);
	if (status < 0)
		return status == -ENOENT ? LISTED : LISTING_REFUSED;
	if (still_empty(pl, j->sc, &st))
		return LISTED;
	status = dirs_open(&j->sp->dir, r, r->proc_fd, pl->path.ptr, 0);
	if (status < 0)
		return status == -ENOENT ? LISTED : LISTING_REFUSED;
	result = list_files(j, &pl->empty);
	dirs_close(&j->sp->dir);
	return result;
}

static enum listing list_server(struct job *j)
{
	struct places *pls = &j->s->places;
	size_t i;

	if (!pls->all)
		return LISTING_REFUSED;
	j->sp->owner_pid = 0;
	j->sp->owner = NULL;
	j->sp->owner_new = false;
	for (i = 0; i < pls->n; i++) {
		enum listing result = list_place(j, &pls->place[i]);

		if (result != LISTED)
			return result;
	}
	return LISTED;
}

/* ---- cells ------------------------------------------------------------- */

static void set_number(const struct scan *sc, struct proc *p, unsigned col,
	uint64_t v)
{
	uint64_t old = 0;

	if (cells_get(p->was, col, &old) && old == v)
		return;
	delta_change(sc->delta, col, p->slot, v - old);
	cells_set(p->was, col, v);
}

static void unset(const struct scan *sc, struct proc *p, unsigned col)
{
	if (!cells_has(p->was, col))
		return;
	delta_gone(sc->delta, col, p->slot);
	cells_unset(p->was, col);
}

/* Sets the operator that wrote most; absent without files. */
static void set_operator(const struct spill *sp, const struct scan *sc,
	struct proc *p)
{
	const unsigned col = COL(PROCESS, SPILL_OPERATOR);
	const struct spill_part *most = NULL;
	uint64_t old;
	uint32_t k, id;

	for (k = p->spill_part; k; k = sp->part[k - 1].next) {
		if (!most || sp->part[k - 1].bytes >= most->bytes)
			most = &sp->part[k - 1];
	}
	if (cells_get(p->was, col, &old)) {
		if (most && span_eq(texts_get(sc->sent->texts,
			(uint32_t)old), most->op))
			return;
		sent_drop(sc->sent, (uint32_t)old);
	}
	if (!most) {
		unset(sc, p, col);
		return;
	}
	id = sent_text(sc->sent, span_str(most->op));
	delta_change(sc->delta, col, p->slot, id);
	cells_set(p->was, col, id);
}

static void forget_cells(const struct scan *sc, struct proc *p)
{
	uint64_t old;

	if (cells_get(p->was, COL(PROCESS, SPILL_OPERATOR), &old))
		sent_drop(sc->sent, (uint32_t)old);
	unset(sc, p, COL(PROCESS, SPILL));
	unset(sc, p, COL(PROCESS, SPILL_FILES));
	unset(sc, p, COL(PROCESS, SPILL_OPERATOR));
}

static void finish_row(struct spill *sp, const struct scan *sc,
	const struct postmaster *s, struct proc *p)
{
	if (s && s->spill_new) {
		set_number(sc, p, COL(PROCESS, SPILL),
		    (p->spill_bytes + 1023) / 1024);
		set_number(sc, p, COL(PROCESS, SPILL_FILES), p->spill_files);
		set_operator(sp, sc, p);
	} else if (!s || !s->spill_known) {
		forget_cells(sc, p);
	}
	p->spill_bytes = 0;
	p->spill_files = p->spill_part = 0;
}

static void finish_rows(struct spill *sp, const struct scan *sc,
	const struct postmasters *servers, const struct procs *ps)
{
	const struct postmaster *s = NULL;
	size_t i;

	for (i = 0; i < ps->n; i++) {
		struct proc *p = ps->proc[i];

		if (!p->db || !p->open)
			continue;
		if (!s || s->pid != p->postmaster)
			s = postmasters_find(servers, p->postmaster);
		finish_row(sp, sc, s, p);
	}
}

/* Sums of all readable servers; absent if there are none, or if a sum is
 * incomplete. */
static void set_host(const struct postmasters *servers, bool cut,
	struct cells host)
{
	uint64_t bytes = 0, files = 0;
	bool any = false, all = true;
	size_t i;

	for (i = 0; i < servers->n; i++) {
		const struct postmaster *s = &servers->server[i];

		all &= s->spill_known || !s->places.all;
		any |= s->spill_known;
		if (!s->spill_known)
			continue;
		bytes += s->orphan_bytes;
		files += s->orphan_files;
	}
	if (!any)
		return;
	cells_set(host, COL(HOST, SPILL_CUT), cut);
	if (!all)
		return;
	cells_set(host, COL(HOST, SPILL_ORPHANS), (bytes + 1023) / 1024);
	cells_set(host, COL(HOST, SPILL_ORPHAN_FILES), files);
}

static enum listing list_next(struct spill *sp, const struct scan *sc,
	const struct procs *ps, struct postmaster *s)
{
	struct job j = { .sp = sp, .sc = sc, .ps = ps, .s = s };
	enum listing result = list_server(&j);

	s->spill_new = result == LISTED;
	if (s->spill_new) {
		s->orphan_bytes = j.orphan_bytes;
		s->orphan_files = j.orphan_files;
		s->spilled_ns = sc->mono_ns;
	}
	s->spill_known = s->spill_new || (result == LISTING_CUT &&
		s->spilled_ns != 0 &&
		sc->mono_ns - s->spilled_ns <= LIST_VALID_NS);
	return result;
}

void spill_tick(struct spill *sp, const struct scan *sc,
	struct postmasters *servers, struct procs *ps, struct cells host)
{
	size_t i, n = servers->n, first = n > 0 ? sp->first % n : 0;
	bool cut = false;

	sp->n_part = 0;
	sp->left = SPILL_FILES;
	sp->end_ns = gs_clock_mono_ns() + SPILL_NS;
	for (i = 0; i < n; i++) {
		size_t k = (first + i) % n;

		if (list_next(sp, sc, ps, &servers->server[k]) !=
		    LISTING_CUT || cut)
			continue;
		/* a server that needs more than the whole time must not block
		 * the others */
		cut = true;
		sp->first = i == 0 ? k + 1 : k;
	}
	finish_rows(sp, sc, servers, ps);
	set_host(servers, cut, host);
}
