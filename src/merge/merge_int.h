/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_int.h - what the files of merge share: merge.c (the way through the
 * ticks), merge_files.c (which recordings there are), merge_clock.c (their
 * clocks), merge_hosts.c (which of them has a host), merge_server.c (which a
 * catalog), merge_cluster.c, merge_header.c, merge_event.c, merge_note.c
 * (notes, names of hosts).
 */
#ifndef GS_MERGE_MERGE_INT_H
#define GS_MERGE_MERGE_INT_H

#include "edit/pick.h"
#include "merge/align.h"
#include "merge/input.h"
#include "merge/merge.h"

/* Which database server a catalog is of. */
struct merge_server {
	bool known;
	bool has_port, has_start;
	bool is_clear; /* a PostgreSQL that leads no cluster, at a port of a
	                * host: what is its process, that tells */
	uint64_t port, start;
	char *host, *datadir; /* "" where not known */
};

/* A host of the merged recording; its number is its place. */
struct merge_host {
	char *name;
	bool catalog;
	struct merge_server server; /* of a catalog */
	bool due; /* some recording that goes on is to have it */
	bool ended; /* the recordings that had it have ended */
	struct input *owner; /* whose samples are taken; NULL: nobody's yet */
	size_t at; /* its position there */
	uint32_t raise; /* added to connections, which only count up */
	uint32_t connection; /* said last */
	struct sample_clock said; /* of the sample that was said last */
	bool is_said; /* there was one */
	bool waits; /* for the next sample of one that goes on from there */
	struct input *first; /* that has it about now; while electing */
	size_t first_at;
};

struct merge {
	struct merge_options opt;
	struct pick pick; /* everything */
	struct input **input; /* by rank: the first is believed first */
	size_t n_input, input_cap;
	bool plain;
	bool thinned; /* a sample tells of the time since the one before */
	struct align_next *next; /* by input; valid with held ticks */
	struct aligned aligned;
	struct tick_encoder *encoder; /* NULL: nothing was said yet */
	struct merge_host *host;
	size_t n_host, host_cap;
	uint64_t seq;
	uint64_t merged; /* ticks so far */
	int64_t started_ns;
	int64_t at_ns; /* of the newest */
	int64_t interval_ns; /* as the header has it */
	bool gap_told; /* what is missing before the tick at hand is missing
	                * of all */
	bool relisted; /* the header is another */
	struct tick events; /* of the tick at hand */
	size_t n_refused; /* files that are no recordings */
	char **note;
	size_t n_note, note_cap;
	uint8_t id[RECORDING_ID_LEN];
};

/* merge_note.c: takes the text; once each. */
void merge_add_note(struct merge *m, char *text);

/* The host of that name, made where there is none. */
size_t merge_host_named(struct merge *m, const char *name, bool catalog);

/* merge_files.c: finds the recordings, opens the inputs. */
int merge_find(
    struct merge *m, char *const *path, size_t n, struct gs_err *err);

/* merge_clock.c: sets shift_ns of all inputs. */
int merge_set_clocks(struct merge *m, struct gs_err *err);

/* merge_hosts.c: whose samples the tick at hand has, once its inputs are taken.
 * GS_E_USAGE: recordings that can not be put together. */
int merge_elect(struct merge *m, struct gs_err *err);
void merge_say_hosts(struct merge *m);

/* merge_server.c: which catalog of the merged recording that of a input is: the
 * one of the same server, whatever it is called.  MERGE_NO_CATALOG: it can't be
 * told yet; GS_E_USAGE in err: not at all. */
#define MERGE_NO_CATALOG SIZE_MAX
int merge_find_catalog(struct merge *m, struct input *l, size_t at, size_t *ret,
	struct gs_err *err);

/* True if the input's catalog is of another server by now. */
bool merge_is_other_server(struct merge *m, const struct input *l, size_t at);
void merge_server_release(struct merge_server *s);

/* merge_cluster.c: GS_E_USAGE: samples that are taken now are of another
 * cluster than the others'. */
int merge_check_clusters(struct merge *m, struct gs_err *err);
int merge_check_coordinators(struct merge *m, struct gs_err *err);

/* Both are known, and they are not the same. */
bool merge_differ(struct span a, struct span b);

/* merge_header.c: as the inputs' newest keys have it. */
void merge_set_header(struct merge *m);

/* The same: which hosts are still to be there; true if others than before. */
bool merge_note_due(struct merge *m);

/* merge_event.c: events of the inputs that are taken, in order of time. */
void merge_say_events(struct merge *m);

#endif
