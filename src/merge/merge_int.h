/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_int.h - shared by merge.c (iterates over ticks), merge_files.c (finds
 * recordings), merge_clock.c (their clocks), merge_hosts.c (which recording
 * supplies a host), merge_server.c (and a catalog), merge_cluster.c,
 * merge_header.c, merge_event.c, merge_note.c (notes, names of hosts).
 */
#ifndef GS_MERGE_MERGE_INT_H
#define GS_MERGE_MERGE_INT_H

#include "edit/pick.h"
#include "merge/align.h"
#include "merge/input.h"
#include "merge/merge.h"

/* The database server of a catalog. */
struct merge_server {
	bool known;
	bool has_port, has_start;
	bool is_clear; /* a PostgreSQL without segments, at a port of a host:
	                * that identifies it */
	uint64_t port, start;
	char *host, *datadir; /* "" where not known */
};

/* A host of the merged recording; its number is its index. */
struct merge_host {
	char *name;
	bool catalog;
	struct merge_server server; /* of a catalog */
	bool due; /* a recording that goes on should have it */
	bool ended; /* the recordings that had it have ended */
	struct input *owner; /* supplies its samples; NULL: none yet */
	size_t at; /* its position in owner */
	uint32_t raise; /* added to connections, which must not decrease */
	uint32_t connection; /* written last */
	struct sample_clock written; /* of the sample that was written last */
	bool has_written; /* written is valid */
	bool waits; /* for the next sample of an input that continues it */
	struct input *first; /* with a current sample; during the election */
	size_t first_at;
};

struct merge {
	struct merge_options opt;
	struct pick pick; /* everything */
	struct input **input; /* by rank: the first has priority */
	size_t n_input, input_cap;
	bool plain;
	bool thinned; /* sums cover the time since the previous sample */
	struct align_next *next; /* by input; valid with held ticks */
	struct aligned aligned;
	struct tick_encoder *encoder; /* NULL: no tick was made yet */
	struct merge_host *host;
	size_t n_host, host_cap;
	uint64_t seq;
	uint64_t merged; /* ticks so far */
	int64_t started_ns;
	int64_t at_ns; /* of the newest */
	int64_t interval_ns; /* in the header */
	bool gap_reported; /* the gap before the current tick is a gap of all
	                * inputs */
	bool relisted; /* the header has changed */
	struct tick events; /* of the current tick */
	size_t n_refused; /* files that are not recordings */
	char **note;
	size_t n_note, note_cap;
	uint8_t id[RECORDING_ID_LEN];
};

/* merge_note.c: adds a note, once; takes ownership of the text. */
void merge_add_note(struct merge *m, char *text);

/* The host of that name; adds it if it does not exist. */
size_t merge_host_named(struct merge *m, const char *name, bool catalog);

/* merge_files.c: finds the recordings, opens the inputs. */
int merge_find(
    struct merge *m, char *const *path, size_t n, struct gs_err *err);

/* merge_clock.c: sets shift_ns of all inputs. */
int merge_set_clocks(struct merge *m, struct gs_err *err);

/* merge_hosts.c: chooses the owners of hosts for the current tick, once its
 * inputs are joined.  GS_E_USAGE: the recordings can't be merged. */
int merge_elect(struct merge *m, struct gs_err *err);
void merge_encode_hosts(struct merge *m);

/* merge_server.c: finds the catalog of the merged recording for that of an
 * input: the one of the same server, whatever its name.  MERGE_NO_CATALOG: not
 * known yet; GS_E_USAGE in err: it can't be known. */
#define MERGE_NO_CATALOG SIZE_MAX
int merge_find_catalog(struct merge *m, struct input *l, size_t at, size_t *ret,
	struct gs_err *err);

/* True if the input's catalog is now of another server. */
bool merge_is_other_server(struct merge *m, const struct input *l, size_t at);
void merge_server_release(struct merge_server *s);

/* merge_cluster.c: GS_E_USAGE: the joined samples are of different
 * clusters. */
int merge_check_clusters(struct merge *m, struct gs_err *err);
int merge_check_coordinators(struct merge *m, struct gs_err *err);

/* Both are known, and they differ. */
bool merge_differ(struct span a, struct span b);

/* merge_header.c: sets the header from the newest keys of the inputs. */
void merge_set_header(struct merge *m);

/* merge_header.c: sets due of all hosts; true if that has changed. */
bool merge_note_due(struct merge *m);

/* merge_event.c: encodes the events of the inputs that joined, in order of
 * time. */
void merge_encode_events(struct merge *m);

#endif
