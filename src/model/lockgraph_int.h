/*
 * lockgraph_int.h - what lockgraph.c (who waits for whom) and lockholders.c
 * (who has a lock, and has it still) share.
 */
#ifndef GS_MODEL_LOCKGRAPH_INT_H
#define GS_MODEL_LOCKGRAPH_INT_H

#include "model/lockgraph.h"

struct lockbackend {
	int64_t content;
	uint64_t pid;
	const struct row *row;
};

struct lockholders {
	const struct world *w;
	const struct host *h; /* the catalog; NULL: none */
	const struct sessions *sessions; /* NULL: processes are not known */
	const struct instances *instances;
	struct lockbackend *backend; /* by content and pid */
	size_t n_backend;
	bool dated; /* asked_us is known */
	int64_t asked_us; /* when locks were asked for; wall clock */
};

void lockholders_init(struct lockholders *g, const struct world *w,
	const struct host *catalog, const struct sessions *s,
	const struct instances *t);
void lockholders_release(struct lockholders *g);

/* Its row of pg_stat_activity; NULL: it is in no list. */
const struct row *lockholders_backend(const struct lockholders *g,
	int64_t content, uint64_t pid);

/* Its process; NULL: not recorded. */
const struct proc *lockholders_proc(const struct lockholders *g,
	int64_t content, uint64_t pid);

/* Whether the lock r is there still.  b: the backend that has or wants it;
 * NULL: it is in no list. */
bool lockholders_has(const struct lockholders *g, const struct row *r,
	const struct row *b, bool granted);

static inline uint64_t lock_cell(const struct row *r, unsigned col)
{
	uint64_t v = 0;

	(void)row_get(r, col, &v); /* absent counts as 0 */
	return v;
}

#endif
