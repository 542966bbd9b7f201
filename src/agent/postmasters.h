/* SPDX-License-Identifier: Apache-2.0 */
/*
 * postmasters.h - the postmasters of this host, and their rows.
 *
 * Facts of a server beside its process are in its data directory:
 * postmaster.pid (used only if it names this process), PG_VERSION.  They are
 * read through /proc/<pid>/cwd, which works for containers, too.  They are
 * read when a server is first seen, and again as often as quiet processes.  A
 * data directory on a network is not read, since the call may never return.
 */
#ifndef GS_AGENT_POSTMASTERS_H
#define GS_AGENT_POSTMASTERS_H

#include "agent/mounts.h"
#include "agent/places.h"
#include "agent/procs.h"
#include "model/rows.h"
#include "title/title_names.h"

enum titles {
	TITLES_UNKNOWN, /* no client process shows it */
	TITLES_ON,
	TITLES_OFF /* update_process_title = off: titles do not change */
};

struct postmaster {
	uint32_t pid;
	uint64_t start; /* ticks since boot */
	uint64_t ns_pid; /* in its own namespace; 0: the same */
	uint64_t first_tick;
	int64_t read_ns;
	bool seen, born;
	struct buf path; /* data directory, by the server's name for it */
	struct buf dir; /* path it is read from; empty: not read */
	uint32_t datadir, version; /* texts, one reference each; 0: unknown */
	uint32_t port;
	bool has_port, has_shmem;
	uint64_t shmem; /* KiB */
	bool listen; /* titles are examined at this tick */
	enum titles titles, titles_now; /* and their state at this tick */
	struct title_names names; /* the cluster_name in them */

	/* temporary files: spill.h */
	struct places places;
	int64_t spilled_ns; /* time of the last full listing; 0: never */
	uint64_t orphan_bytes, orphan_files;
	bool spill_new; /* fully listed at this tick */
	bool spill_known; /* figures of the last listing are still valid */
};

struct postmasters {
	struct postmaster *server; /* by pid */
	size_t n, made, cap;
	bool changed; /* one was added or removed */
	struct rows rows;
};

void postmasters_init(struct postmasters *s, struct sent_texts *sent);
void postmasters_release(struct postmasters *s);

/* Finds the servers and puts their rows.  Adds an event for a server whose
 * titles turn out to be off. */
void postmasters_tick(struct postmasters *s, const struct scan *sc,
	const struct procs *ps, struct mounts *mounts, struct block *b);

/* The server with that pid, or NULL. */
struct postmaster *postmasters_find(const struct postmasters *s, uint32_t pid);

#endif
