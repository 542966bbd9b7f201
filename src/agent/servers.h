/* SPDX-License-Identifier: Apache-2.0 */
/*
 * servers.h - the postmasters of this host, and their rows.
 *
 * What a server is known by beside its process lies in its data directory:
 * postmaster.pid (believed only where it names this process), PG_VERSION.
 * That is read through /proc/<pid>/cwd, so that it works in a container, too;
 * when a server is seen first and again as the quiet are.  A data directory on
 * a network is not asked, since the answer may never come.
 */
#ifndef GS_AGENT_SERVERS_H
#define GS_AGENT_SERVERS_H

#include "agent/mounts.h"
#include "agent/places.h"
#include "agent/procs.h"
#include "model/rows.h"
#include "title/title_names.h"

enum titles {
	TITLES_UNKNOWN, /* no client is there to tell by */
	TITLES_ON,
	TITLES_OFF /* update_process_title = off: they do not change */
};

struct server {
	uint32_t pid;
	uint64_t start; /* ticks since boot */
	uint64_t ns_pid; /* in its own namespace; 0: the same */
	uint64_t first_tick;
	int64_t looked_ns;
	bool seen, born;
	struct buf path; /* data directory, as the server would name it */
	struct buf dir; /* from where it is read; empty: not at all */
	uint32_t datadir, version; /* texts, one reference each; 0: unknown */
	uint32_t port;
	bool has_port, has_shmem;
	uint64_t shmem; /* KiB */
	bool listen; /* titles are looked at, at this tick */
	enum titles titles, heard; /* and what they tell at this tick */
	struct title_names names; /* what they said of cluster_name */

	/* temporary files: spill.h */
	struct places places;
	int64_t spilled_ns; /* when all were listed last; 0: never */
	uint64_t orphan_bytes, orphan_files;
	bool spill_new; /* listed at this tick */
	bool spill_known; /* figures of the last listing hold */
};

struct servers {
	struct server *server; /* by pid */
	size_t n, made, cap;
	bool changed; /* one came or went */
	struct rows rows;
};

void servers_init(struct servers *s, struct sent_texts *told);
void servers_release(struct servers *s);

/* Finds and asks them, and puts their rows.  A server whose titles turn out
 * to be off is told in an event. */
void servers_tick(struct servers *s, const struct scan *sc,
	const struct procs *ps, struct mounts *mounts, struct block *b);

/* The server with that pid, or NULL. */
struct server *servers_find(const struct servers *s, uint32_t pid);

#endif
