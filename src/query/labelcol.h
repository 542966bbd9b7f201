/* SPDX-License-Identifier: Apache-2.0 */
/*
 * labelcol.h - columns that name a group: sessions, processes, devices.
 * Used by src/query and src/view.
 */
#ifndef GS_QUERY_LABELCOL_H
#define GS_QUERY_LABELCOL_H

#include "query/figure.h"

/* Hosts, including those without rows: the subject is the host. */
struct cell labelcol_host_name(FIGURE_ARGS);
struct cell labelcol_host_state(FIGURE_ARGS);
struct cell labelcol_host_covered(FIGURE_ARGS);

/* The recorder's knowledge of the host's clock. */
struct cell labelcol_clock_offset(FIGURE_ARGS);
struct cell labelcol_round_trip(FIGURE_ARGS);

struct cell labelcol_host(FIGURE_ARGS);
/* Of a session of the operating system, whose number is the host's. */
struct cell labelcol_session_host(FIGURE_ARGS);
/* The database server of a session, a process, or a row of a catalog. */
struct cell labelcol_server(FIGURE_ARGS);
struct cell labelcol_catalog_server(const struct figure_env *v,
	const struct host *catalog);

struct cell labelcol_name(FIGURE_ARGS);

/* A text, whose offset in struct label or struct session is f->member. */
struct cell labelcol_text_of_label(FIGURE_ARGS);
struct cell labelcol_text_of_session(FIGURE_ARGS);

/* Sessions and queries. */
struct cell labelcol_session(FIGURE_ARGS);
struct cell labelcol_query(FIGURE_ARGS);
struct cell labelcol_cmd(FIGURE_ARGS);
struct cell labelcol_user(FIGURE_ARGS);
struct cell labelcol_state(FIGURE_ARGS);
struct cell labelcol_age(FIGURE_ARGS);
struct cell labelcol_began(FIGURE_ARGS);
struct cell labelcol_title(FIGURE_ARGS);
/* Of a group of --group-by, without the server's part: of a process its own, else
 * its command; of a session that of its leading process. */
struct cell labelcol_group_title(FIGURE_ARGS);
struct cell labelcol_group_text(FIGURE_ARGS);
struct cell labelcol_procs(FIGURE_ARGS);
struct cell labelcol_stay(FIGURE_ARGS);
struct cell labelcol_hosts(FIGURE_ARGS);
struct cell labelcol_host_names(FIGURE_ARGS);

/* From the catalog; the session at the end of the wait chain; CPU time of the
 * most loaded segment divided by that of the average one. */
struct cell labelcol_xact_age(FIGURE_ARGS);
struct cell labelcol_text(FIGURE_ARGS);
struct cell labelcol_wait(FIGURE_ARGS);
struct cell labelcol_wait_seconds(FIGURE_ARGS);
struct cell labelcol_db_time(FIGURE_ARGS);
struct cell labelcol_wait_segment(FIGURE_ARGS);
struct cell labelcol_blocker(FIGURE_ARGS);
struct cell labelcol_skew(FIGURE_ARGS);

/* Processes.  State and start are also used for other rows, by the figure's
 * column. */
struct cell labelcol_pid(FIGURE_ARGS);
struct cell labelcol_segment(FIGURE_ARGS);
struct cell labelcol_slice(FIGURE_ARGS);
struct cell labelcol_command_counter(FIGURE_ARGS);
struct cell labelcol_process_state(FIGURE_ARGS);
struct cell labelcol_started(FIGURE_ARGS);
struct cell labelcol_ended(FIGURE_ARGS);

/* The text of a label kind (its number is in scale), for groups of labels. */
struct cell labelcol_key(FIGURE_ARGS);

/* Disks: ms per request. */
struct cell labelcol_await(FIGURE_ARGS);

/* Hosts: the whole disk with the longest await. */
struct cell labelcol_worst_disk(FIGURE_ARGS);
struct cell labelcol_worst_await(FIGURE_ARGS);
struct cell labelcol_worst_util(FIGURE_ARGS);

/* Appends who waits for whom, "89 < 80 < 92": from the one that waits for nobody
 * to that session.  False: it waits for nobody. */
bool labelcol_add_chain(const struct figure_env *v, const struct session *s,
	struct buf *to);

struct skew;

/* The most loaded segment divided by the average one; absent if there was too
 * little CPU time. */
struct cell skew_ratio(const struct skew *k);

/* Name of a session of the lock graph in views. */
struct cell locknode_name(const struct figure_env *v,
	const struct locknode *n);

#endif
