/* SPDX-License-Identifier: Apache-2.0 */
/*
 * visit.c - one process: whether it may be read, where its counters are, and
 * what they say in each of its threads.
 *
 * All files are opened below one directory descriptor, so that a number that is
 * used again is noticed.
 */
#include "heap/visit.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAPS_MAX (16u << 20)

/* Where the counters of a process are. */
struct place {
	struct layout layout;
	uint64_t base;
	bool program; /* in the program itself, not in a library */
	uint64_t slot; /* the value of the layout's word */
};

struct visiting {
	struct visitor *v;
	const struct heap_request *r;
	int dir_fd;
	struct place place;
	struct buf *out;
	unsigned measured, busy;
};

void visitor_init(struct visitor *v)
{
	*v = (struct visitor) { .parent = getppid() };
}

void visitor_release(struct visitor *v)
{
	layouts_release(&v->layouts);
	buf_release(&v->text);
	buf_release(&v->maps);
}

static struct span text_of(const struct buf *b)
{
	return span_of(b->ptr, b->len);
}

/* ---- whether it may be read ----------------------------------------------- */

static int check(struct visiting *g)
{
	struct buf *text = &g->v->text;
	struct task_state now;

	if (procfile_read(g->dir_fd, "stat", 4096, text) < 0 ||
	    !procfile_stat(text_of(text), &now) || now.start != g->r->start ||
	    now.state == 'Z' || now.state == 'X')
		return ESRCH;
	if ((pid_t)g->r->pid == getpid() || (pid_t)g->r->pid == g->v->parent)
		return HEAP_NO_JEMALLOC;
	if (!g->r->named && procfile_is_database(g->dir_fd, text))
		return HEAP_DATABASE;
	if (procfile_read(g->dir_fd, "status", 65536, text) < 0)
		return ESRCH;
	return procfile_is_traced(text_of(text)) ? HEAP_BUSY : 0;
}

/* ---- where its counters are ------------------------------------------------ */

/* The path as this host has it, unless the process sees other files. */
static int open_module(const struct visiting *g, const struct module *m,
	const char *path)
{
	struct buf full = BUF_INIT;
	struct stat st;
	int fd;

	buf_printf(&full, "/proc/%" PRIu32 "/root%s", g->r->pid, path);
	fd = open(buf_str(&full), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	buf_release(&full);
	if (fd >= 0 && (fstat(fd, &st) < 0 || st.st_ino != m->inode)) {
		(void)close(fd); /* was not read */
		return -1;
	}
	return fd;
}

/* The file of a process's program can always be opened, even if it was
 * replaced; -errno. */
static int open_program(const struct visiting *g)
{
	int fd = openat(g->dir_fd, "exe", O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	return fd < 0 ? -errno : fd;
}

/* True if the search ends with it. */
static bool take(struct place *p, const struct layout *l,
	const struct module *m, bool program, int *error)
{
	if (l->error == HEAP_NO_JEMALLOC)
		return false;
	*error = l->error;
	if (l->error != 0)
		return l->error == HEAP_FOREIGN;
	if (!program && l->slot == SLOT_NONE) {
		*error = HEAP_NO_SYMBOLS;
		return false;
	}
	*p = (struct place) { .layout = *l, .base = m->base,
		.program = program };
	return true;
}

static bool try_module(struct visiting *g, const struct module *m,
	ino_t program, int *error)
{
	bool is_program = m->inode == program, done = false;
	char *path = strndup(m->path.ptr, span_len(m->path));
	int fd = is_program ? open_program(g) : open_module(g, m, path);

	if (fd >= 0) {
		done = take(&g->place, layouts_get(&g->v->layouts, fd, path),
		    m, is_program, error);
		(void)close(fd); /* was only read */
	}
	free(path);
	return done;
}

static int find_place(struct visiting *g)
{
	struct visitor *v = g->v;
	int error = HEAP_NO_JEMALLOC, status, fd = open_program(g);
	struct stat program;
	size_t i;

	if (fd < 0)
		return -fd == ENOENT ? HEAP_NO_JEMALLOC : -fd;
	status = fstat(fd, &program) < 0 ? -errno
	    : procfile_read(g->dir_fd, "maps", MAPS_MAX, &v->maps);
	(void)close(fd); /* was not read */
	if (status < 0)
		return -status;
	modules_scan(text_of(&v->maps), &v->modules);
	for (i = 0; i < v->modules.n; i++) {
		if (try_module(g, &v->modules.m[i], program.st_ino, &error))
			break;
	}
	return error;
}

/* The word by which a library finds its block. */
static int read_slot(struct visiting *g)
{
	struct place *p = &g->place;

	if (p->program)
		return 0;
	return -attach_word((pid_t)g->r->pid, p->base - p->layout.first +
	    p->layout.slot_at, &p->slot);
}

/* ---- a thread --------------------------------------------------------------- */

/* In a thread's vector, entries of two words: its length is before the first
 * one.  *ret stays 0 if the thread has no block yet. */
static int find_in_vector(pid_t pid, uint64_t pointer, uint64_t module,
	uint64_t *ret)
{
#if defined(__x86_64__)
	const uint64_t at = pointer + sizeof(uint64_t);
#else
	const uint64_t at = pointer;
#endif
	uint64_t vector, length, block;
	int status = attach_word(pid, at, &vector);

	if (status == 0)
		status = attach_word(pid, vector - 16, &length);
	if (status < 0 || module > length)
		return status;
	status = attach_word(pid, vector + 16 * module, &block);
	if (status == 0 && block != UINT64_MAX)
		*ret = block;
	return status;
}

/* Where the block of a thread begins; 0 if it has none yet, since it has not
 * allocated. */
static int find_block(const struct visiting *g, uint64_t pointer, uint64_t *ret)
{
	const struct place *p = &g->place;

	*ret = 0;
	if (p->program)
		*ret = pointer + (uint64_t)layout_of_program(&p->layout);
	else if (p->layout.slot == SLOT_OFFSET)
		*ret = pointer + p->slot - (uint64_t)p->layout.addend;
	else
		return find_in_vector((pid_t)g->r->pid, pointer, p->slot, ret);
	return 0;
}

static int read_counters(const struct visiting *g, const struct attached *a,
	struct heap_answer *t)
{
	const struct layout *l = &g->place.layout;
	pid_t pid = (pid_t)g->r->pid;
	uint64_t pointer, block;
	int status = attach_pointer(a, &pointer);

	if (status < 0)
		return status;
	if (pointer == 0)
		return 0; /* it has no TLS: it did not allocate */
	status = find_block(g, pointer, &block);
	if (status < 0 || block == 0)
		return status;
	status = attach_word(pid, block + l->allocated, &t->allocated);
	return status < 0 ? status : attach_word(pid, block + l->deallocated,
	    &t->deallocated);
}

/* Adds its line; an errno value that ends the visit, or 0. */
static int visit_thread(struct visiting *g, uint32_t tid)
{
	struct heap_answer t = { .kind = 'T', .pid = g->r->pid, .tid = tid };
	struct task_state now;
	struct attached a;
	char file[48];
	int status;

	(void)snprintf(file, sizeof(file), "task/%" PRIu32 "/stat", tid);
	if (procfile_read(g->dir_fd, file, 4096, &g->v->text) < 0 ||
	    !procfile_stat(text_of(&g->v->text), &now) ||
	    now.state == 'Z' || now.state == 'X')
		return 0; /* it has ended */
	t.start = now.start;
	status = now.state == 'D' || now.state == 't' ? -EBUSY
	    : attach_stop(&g->v->late, (pid_t)tid, &a);
	if (status == 0) {
		status = read_counters(g, &a, &t);
		attach_let_go(&a);
	}
	if (status == -ESRCH)
		return 0;
	if (status == -EBUSY) {
		t.kind = 'B';
		g->busy++;
	} else if (status < 0) {
		return -status;
	}
	g->measured += t.kind == 'T';
	heapline_put_answer(&t, g->out);
	return 0;
}

static int visit_threads(struct visiting *g)
{
	int fd = openat(g->dir_fd, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;
	unsigned n = 0;
	int error = 0;

	if (!dir) {
		if (fd >= 0)
			(void)close(fd); /* was not read */
		return ESRCH;
	}
	while (error == 0 && (e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		error = n++ == HEAP_THREADS_MAX ? HEAP_TOO_MANY
		    : visit_thread(g, (uint32_t)strtoul(e->d_name, NULL, 10));
	}
	(void)closedir(dir); /* was only read */
	if (error == 0 && g->measured == 0)
		error = g->busy > 0 ? HEAP_BUSY : ESRCH;
	return error;
}

void visit(struct visitor *v, const struct heap_request *r, struct buf *out)
{
	struct visiting g = { .v = v, .r = r, .out = out };
	struct heap_answer end = { .kind = 'P', .pid = r->pid,
		.start = r->start };
	char path[24];

	(void)snprintf(path, sizeof(path), "/proc/%" PRIu32, r->pid);
	g.dir_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	end.error = g.dir_fd < 0 ? ESRCH : check(&g);
	if (end.error == 0)
		end.error = find_place(&g);
	if (end.error == 0)
		end.error = read_slot(&g);
	if (end.error == 0)
		end.error = visit_threads(&g);
	if (g.dir_fd >= 0)
		(void)close(g.dir_fd); /* was only a path */
	heapline_put_answer(&end, out);
}
