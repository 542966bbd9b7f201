/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simlife.h - what happens on made-up hosts: processes are born, work, change
 * their titles, end.  The same seed gives the same life.
 */
#ifndef TESTS_LIB_SIMLIFE_H
#define TESTS_LIB_SIMLIFE_H

#include "simhost.h"

#define SIMLIFE_ROWS 64

struct simlife {
	struct simhost host;
	uint32_t rng;
	uint64_t pid, parent; /* the first process is all others' parent */
	size_t proc[SIMLIFE_ROWS]; /* living ones */
	size_t n;
	size_t away; /* one that is not selected now; 0: none */
	size_t disk;
	unsigned steps;
};

static inline uint32_t simlife_random(struct simlife *l, uint32_t below)
{
	l->rng = l->rng * 1664525u + 1013904223u;
	return (l->rng >> 8) % below;
}

static inline void simlife_title(struct simlife *l, size_t i, uint64_t pid)
{
	static const char *const doing[] = { "SELECT", "idle", "INSERT",
		"idle in transaction", "SELECT waiting" };
	char text[128];
	const char *what = doing[simlife_random(l, 5)];
	int cmd = 1 + (int)simlife_random(l, 3);

	if (pid % 3 == 0)
		(void)snprintf(text, sizeof(text), "postgres: 5432, bob dw "
		    "10.0.0.1(4000) con%d cmd%d %s", (int)pid, cmd, what);
	else
		(void)snprintf(text, sizeof(text),
		    "postgres: alice shop [local] %s", what);
	SIM_TITLE(&l->host, i, text);
}

static inline void simlife_birth(struct simlife *l, enum row_open how)
{
	size_t i;

	if (l->n == SIMLIFE_ROWS)
		return;
	l->pid++;
	i = simhost_process(&l->host, how, l->pid, l->parent,
	    "postgres: startup");
	simlife_title(l, i, l->pid);
	SIM_SET(&l->host, i, CPU, simlife_random(l, 1000) * 1000000);
	SIM_SET(&l->host, i, UTIME, 1);
	SIM_SET(&l->host, i, STIME, 1);
	SIM_SET(&l->host, i, READ_BYTES, simlife_random(l, 1000));
	SIM_SET(&l->host, i, RSS_ANON, simlife_random(l, 1000));
	l->proc[l->n++] = i;
}

static inline void simlife_work(struct simlife *l, size_t i)
{
	SIM_ADD(&l->host, i, CPU, 1000000 * simlife_random(l, 500));
	SIM_ADD(&l->host, i, UTIME, simlife_random(l, 50));
	SIM_ADD(&l->host, i, MINFLT, simlife_random(l, 100));
	if (simlife_random(l, 3) == 0)
		SIM_ADD(&l->host, i, READ_BYTES,
		    4096 * simlife_random(l, 1000));
	if (simlife_random(l, 3) == 0)
		SIM_SET(&l->host, i, RSS_ANON, simlife_random(l, 100000));
	if (simlife_random(l, 3) == 0)
		simlife_title(l, i, l->host.row[ENTITY_PROCESS][i]
		    .now.val[COL(PROCESS, PID)]);
}

static inline void simlife_init(struct simlife *l, const char *name,
	uint32_t seed, unsigned processes)
{
	/* sessions are told by pids: hosts do not share them */
	*l = (struct simlife) { .rng = seed, .pid = 1000 * (seed % 8 + 1) };
	simhost_init(&l->host, name);
	l->disk = simhost_open(&l->host, ENTITY_DISK, OPEN_APPEARED);
	simhost_set_text(&l->host, ENTITY_DISK, l->disk, COL(DISK, NAME),
	    "vda");
	while (processes-- > 0) {
		simlife_birth(l, OPEN_APPEARED);
		l->parent = 1000 * (seed % 8 + 1) + 1;
	}
}

/* One ends, and its parent waits for it; others may have come and gone. */
static inline void simlife_end(struct simlife *l)
{
	uint32_t k = 1 + simlife_random(l, (uint32_t)l->n - 1);
	size_t i = l->proc[k], parent = l->proc[0];
	const struct cells c = l->host.row[ENTITY_PROCESS][i].now;

	SIM_ADD(&l->host, parent, READ_BYTES, c.val[COL(PROCESS, READ_BYTES)]
	    + simlife_random(l, 5000));
	SIM_ADD(&l->host, parent, CUTIME, c.val[COL(PROCESS, UTIME)] +
	    simlife_random(l, 20));
	SIM_ADD(&l->host, parent, CMINFLT, c.val[COL(PROCESS, MINFLT)] + 1);
	SIM_EXIT(&l->host, i);
	l->proc[k] = l->proc[--l->n];
}

/* One is selected no more for some time; it goes on all the same. */
static inline void simlife_leave(struct simlife *l)
{
	struct simrow *r;

	if (l->away == 0 && l->n > 1) {
		uint32_t k = 1 + simlife_random(l, (uint32_t)l->n - 1);

		l->away = l->proc[k];
		l->proc[k] = l->proc[--l->n];
		simhost_close(&l->host, ENTITY_PROCESS, l->away, CLOSE_LEFT);
	} else if (l->away != 0 && l->n < SIMLIFE_ROWS) {
		r = &l->host.row[ENTITY_PROCESS][l->away];
		r->closed = 0;
		r->how = OPEN_APPEARED;
		SIM_ADD(&l->host, l->away, CPU, 1000000);
		l->proc[l->n++] = l->away;
		l->away = 0;
	}
}

/* What happens until the next sample, and the sample. */
static inline void simlife_step(struct simlife *l, int64_t dt_ns)
{
	struct simhost *h = &l->host;
	size_t i;

	l->steps++;
	simhost_add(h, ENTITY_HOST, 0, COL(HOST, CPU_USER), 50);
	simhost_add(h, ENTITY_HOST, 0, COL(HOST, CPU_IDLE), 150);
	simhost_add(h, ENTITY_DISK, l->disk, COL(DISK, READS), 7);
	simhost_add(h, ENTITY_DISK, l->disk, COL(DISK, READ_TIME), 21);
	for (i = 0; i < l->n; i++) {
		if (simlife_random(l, 2) == 0)
			simlife_work(l, l->proc[i]);
	}
	if (l->n > 1 && simlife_random(l, 4) == 0)
		simlife_end(l);
	if (simlife_random(l, 5) == 0)
		simlife_leave(l);
	if (simlife_random(l, 3) == 0)
		simlife_birth(l, OPEN_BORN);
	simhost_tick(h, dt_ns);
}

static inline void simlife_release(struct simlife *l)
{
	simhost_release(&l->host);
}

#endif
