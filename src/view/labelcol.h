/*
 * labelcol.h - columns that name a group: sessions, processes, devices.
 * Private to src/view.
 */
#ifndef GS_VIEW_LABELCOL_H
#define GS_VIEW_LABELCOL_H

#include "view/figure.h"

/* Of hosts, also of one that has no rows: the subject. */
struct cell labelcol_host_name(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_host_state(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_host_covered(const struct figure_env *v,
	const struct figure *f, const struct group *g);

/* What the recorder knows of the host's clock. */
struct cell labelcol_clock_offset(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_round_trip(const struct figure_env *v,
	const struct figure *f, const struct group *g);

struct cell labelcol_host(const struct figure_env *v, const struct figure *f,
	const struct group *g);
/* The database server of a session, a process, a row of a catalog. */
struct cell labelcol_server(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_catalog_server(const struct figure_env *v,
	const struct host *catalog);

struct cell labelcol_name(const struct figure_env *v, const struct figure *f,
	const struct group *g);

/* Sessions and queries. */
struct cell labelcol_session(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_query(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_cmd(const struct figure_env *v, const struct figure *f,
	const struct group *g);
struct cell labelcol_user(const struct figure_env *v, const struct figure *f,
	const struct group *g);
struct cell labelcol_database(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_client(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_state(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_age(const struct figure_env *v, const struct figure *f,
	const struct group *g);
struct cell labelcol_began(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_title(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_procs(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_hosts(const struct figure_env *v,
	const struct figure *f, const struct group *g);

/* What the catalog says of them; the session that each waits for in the end;
 * the most loaded segment by the average one. */
struct cell labelcol_application(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_group(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_xact_age(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_text(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_wait_segment(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_blocker(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_skew(const struct figure_env *v,
	const struct figure *f, const struct group *g);

/* Processes; state and start of others, too, by the figure's column. */
struct cell labelcol_pid(const struct figure_env *v, const struct figure *f,
	const struct group *g);
struct cell labelcol_command(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_process_state(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_started(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_ended(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_process_title(const struct figure_env *v,
	const struct figure *f, const struct group *g);

/* The text of a label kind (scale holds its number), when grouped by it. */
struct cell labelcol_key(const struct figure_env *v, const struct figure *f,
	const struct group *g);

/* Disks: ms per request. */
struct cell labelcol_await(const struct figure_env *v,
	const struct figure *f, const struct group *g);

/* Hosts: the whole disk with the longest await. */
struct cell labelcol_worst_disk(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_worst_await(const struct figure_env *v,
	const struct figure *f, const struct group *g);
struct cell labelcol_worst_util(const struct figure_env *v,
	const struct figure *f, const struct group *g);

struct skew;

/* Its most loaded segment by the average one; absent where that tells
 * nothing. */
struct cell skew_ratio(const struct skew *k);

/* A session of the lock graph, as views name it. */
struct cell locknode_name(const struct figure_env *v,
	const struct locknode *n);

#endif
