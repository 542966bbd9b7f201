/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/instances.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/mem.h"

/* Values of process.role */
#define PROCESS_IS_POSTMASTER 1

struct key {
	uint64_t host, pid;
};

struct entry {
	struct key key;
	struct instance instance;
	bool has_executors; /* titles name its segment */
	bool has_sessions;
	UT_hash_handle hh;
};

struct instances {
	const struct world *w;
	struct entry *by_pid;
	struct entry **all;
	size_t n, cap;
};

static uint64_t cell(const struct row *r, unsigned col)
{
	uint64_t v = 0;

	(void)row_get(r, col, &v); /* absent counts as 0 */
	return v;
}

uint64_t process_postmaster(const struct row *r)
{
	if (cell(r, COL(PROCESS, ROLE)) == PROCESS_IS_POSTMASTER)
		return cell(r, COL(PROCESS, PID));
	return cell(r, COL(PROCESS, POSTMASTER));
}

static struct entry *add(struct instances *t)
{
	struct entry *e = gs_calloc(1, sizeof(*e));

	GS_GROW(t->all, &t->cap, t->n + 1);
	t->all[t->n++] = e;
	return e;
}

static struct entry *find(const struct instances *t, const struct host *h,
	uint64_t pid)
{
	const struct key key = { h->index, pid };
	struct entry *e = NULL;

	HASH_FIND(hh, t->by_pid, &key, sizeof(key), e);
	return e;
}

static struct entry *entry_of(struct instances *t, const struct host *h,
	uint64_t pid)
{
	struct entry *e = find(t, h, pid);

	if (e)
		return e;
	e = add(t);
	e->key = (struct key) { h->index, pid };
	e->instance.host = h;
	e->instance.pid = pid;
	HASH_ADD(hh, t->by_pid, key, sizeof(e->key), e);
	return e;
}

static void set_port(struct instance *i, bool has, uint64_t port)
{
	if (!has || i->has_port)
		return;
	i->has_port = true;
	i->port = port;
}

/* ---- what hosts show --------------------------------------------------- */

static void add_postmasters(struct instances *t, const struct host *h)
{
	const struct table *rows = &h->table[ENTITY_POSTMASTER];
	size_t k;

	for (k = 0; k < rows->n_slot; k++) {
		const struct row *r = rows->slot[k];
		struct instance *i;
		uint64_t port;

		if (!r)
			continue;
		i = &entry_of(t, h, cell(r, COL(POSTMASTER, PID)))->instance;
		i->postmaster = r;
		if (row_get(r, COL(POSTMASTER, PORT), &port))
			set_port(i, true, port);
		i->datadir = row_text(t->w, r, COL(POSTMASTER, DATADIR));
	}
}

static void add_process(struct instances *t, const struct row *r,
	const struct proc *p)
{
	uint64_t pid = process_postmaster(r);
	struct entry *e;
	struct instance *i;

	if (pid == 0)
		return;
	e = entry_of(t, r->host, pid);
	i = &e->instance;
	if (cell(r, COL(PROCESS, PID)) == pid) {
		i->process = r;
		if (span_empty(i->datadir))
			i->datadir = p->title.datadir;
	}
	set_port(i, p->title.has_port, p->title.port);
	e->has_sessions |= p->title.kind == TITLE_QD;
	if (p->title.has_seg && p->title.seg >= 0) {
		e->has_executors = true;
		i->content = p->title.seg;
	}
}

static void add_processes(struct instances *t, const struct host *h,
	const struct sessions *s)
{
	const struct table *rows = &h->table[ENTITY_PROCESS];
	size_t k;

	for (k = 0; k < rows->n_slot; k++) {
		const struct proc *p = rows->slot[k]
		    ? sessions_proc(s, rows->slot[k]) : NULL;

		if (p)
			add_process(t, rows->slot[k], p);
	}
}

/* ---- what the catalog says --------------------------------------------- */

/* The server on a host by port or data directory; NULL. */
static struct entry *match(const struct instances *t, const struct host *h,
	bool has_port, uint64_t port, struct span datadir)
{
	size_t k;

	for (k = 0; k < t->n; k++) {
		struct instance *i = &t->all[k]->instance;

		if (!h || i->host != h || i->segment || i->cluster)
			continue;
		if (i->has_port && has_port ? i->port == port
		    : !span_empty(datadir) && span_same(i->datadir, datadir))
			return t->all[k];
	}
	return NULL;
}

static const struct host *host_named(const struct world *w, struct span name)
{
	size_t k;

	for (k = 0; k < world_hosts(w); k++) {
		const struct host *h = world_host(w, k);

		if (!h->catalog && span_eq(name, h->name))
			return h;
	}
	return NULL;
}

static void add_segment(struct instances *t, const struct row *r)
{
	struct span name = row_text(t->w, r, COL(SEGMENT, HOST));
	struct span datadir = row_text(t->w, r, COL(SEGMENT, DATADIR));
	const struct host *h = host_named(t->w, span_empty(name)
	    ? row_text(t->w, r, COL(SEGMENT, HOSTNAME)) : name);
	uint64_t port = 0, v;
	bool has_port = row_get(r, COL(SEGMENT, PORT), &port);
	struct entry *e;
	struct instance *i;

	e = match(t, h, has_port, port, datadir);
	if (!e) {
		e = add(t);
		e->instance.host = h;
	}
	i = &e->instance;
	i->segment = r;
	i->catalog = r->host;
	set_port(i, has_port, port);
	i->datadir = span_empty(datadir) ? i->datadir : datadir;
	i->role = (char)cell(r, COL(SEGMENT, ROLE));
	if (row_get(r, COL(SEGMENT, CONTENT), &v)) {
		i->has_content = true;
		i->content = (int64_t)v;
	}
}

static void add_cluster(struct instances *t, const struct row *r)
{
	const struct host *h = host_named(t->w,
	    row_text(t->w, r, COL(CLUSTER, HOST)));
	struct span datadir = row_text(t->w, r, COL(CLUSTER, DATADIR));
	uint64_t port = 0;
	bool has_port = row_get(r, COL(CLUSTER, PORT), &port);
	struct entry *e = NULL;
	size_t k;

	for (k = 0; k < t->n && !e; k++) {
		const struct instance *i = &t->all[k]->instance;

		if (i->segment && i->catalog == r->host && i->has_content &&
		    i->content == -1 && i->role == 'p')
			e = t->all[k];
	}
	if (!e)
		e = match(t, h, has_port, port, datadir);
	if (!e) {
		e = add(t);
		e->instance.host = h;
		e->instance.datadir = datadir;
		set_port(&e->instance, has_port, port);
	}
	e->instance.cluster = r;
	e->instance.catalog = r->host;
}

static void add_catalog(struct instances *t, const struct host *h)
{
	size_t k;

	for (k = 0; k < h->table[ENTITY_SEGMENT].n_slot; k++) {
		if (h->table[ENTITY_SEGMENT].slot[k])
			add_segment(t, h->table[ENTITY_SEGMENT].slot[k]);
	}
	for (k = 0; k < h->table[ENTITY_CLUSTER].n_slot; k++) {
		if (h->table[ENTITY_CLUSTER].slot[k])
			add_cluster(t, h->table[ENTITY_CLUSTER].slot[k]);
	}
}

/* ---- the list ---------------------------------------------------------- */

static void set_content(struct entry *e)
{
	struct instance *i = &e->instance;

	if (i->segment)
		return;
	i->has_content = e->has_executors || e->has_sessions;
	if (!e->has_executors)
		i->content = -1;
}

static int compare(const void *pa, const void *pb)
{
	const struct instance *a = &(*(struct entry *const *)pa)->instance;
	const struct instance *b = &(*(struct entry *const *)pb)->instance;
	int names;

	if (a->has_content != b->has_content)
		return a->has_content ? -1 : 1;
	if (a->has_content && a->content != b->content)
		return a->content < b->content ? -1 : 1;
	if (a->role != b->role)
		return a->role > b->role ? -1 : 1; /* p before m */
	names = strcmp(a->host ? a->host->name : "",
	    b->host ? b->host->name : "");
	if (names)
		return names;
	if (a->port != b->port)
		return a->port < b->port ? -1 : 1;
	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

struct instances *instances_new(const struct world *w,
	const struct sessions *s)
{
	struct instances *t = gs_calloc(1, sizeof(*t));
	const struct host *c;
	size_t k;

	t->w = w;
	for (k = 0; k < world_hosts(w); k++) {
		const struct host *h = world_host(w, k);

		if (h->catalog)
			continue;
		add_postmasters(t, h);
		add_processes(t, h, s);
	}
	for (k = 0; (c = world_catalog(w, k)) != NULL; k++)
		add_catalog(t, c);
	for (k = 0; k < t->n; k++)
		set_content(t->all[k]);
	if (t->n > 0)
		qsort(t->all, t->n, sizeof(struct entry *), compare);
	for (k = 0; k < t->n; k++)
		t->all[k]->instance.at = k;
	return t;
}

void instances_free(struct instances *t)
{
	size_t k;

	if (!t)
		return;
	HASH_CLEAR(hh, t->by_pid);
	for (k = 0; k < t->n; k++)
		free(t->all[k]);
	free(t->all);
	free(t);
}

size_t instances_count(const struct instances *t)
{
	return t->n;
}

const struct instance *instances_get(const struct instances *t, size_t i)
{
	return &t->all[i]->instance;
}

const struct instance *instances_find(const struct instances *t,
	const struct host *h, uint64_t pid)
{
	const struct entry *e = find(t, h, pid);

	return e ? &e->instance : NULL;
}

const struct instance *instances_of(const struct instances *t,
	const struct row *process)
{
	return instances_find(t, process->host, process_postmaster(process));
}

bool instance_is_primary(const struct instance *i)
{
	if (!i->has_content || i->content < 0 || i->role == 'm')
		return false;
	return !i->segment || cell(i->segment, COL(SEGMENT, STATUS)) != 'd';
}
