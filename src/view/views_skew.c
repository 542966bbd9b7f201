/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_skew.c - tables of load distribution: skew over segments, and the
 * matrix of a session's slices and segments.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "query/columns.h"
#include "query/labelcol.h"
#include "query/skew.h"
#include "query/work_figures.h"
#include "view/label_figures.h"
#include "view/view_int.h"

static const struct cell absent = { .kind = CELL_ABSENT };

#define NAMES_MAX 3 /* busy segments that are named */

/* ---- figures of one skew ----------------------------------------------- */

static struct cell cpu(FIGURE_ARGS)
{
	const struct skew *k = v->subject;

	return cell_real(k->cpu_s);
}

static struct cell most(FIGURE_ARGS)
{
	const struct skew *k = v->subject;

	return cell_real(k->max_s);
}

static struct cell average(FIGURE_ARGS)
{
	return cell_real(skew_average_s(v->subject));
}

static struct cell excess(FIGURE_ARGS)
{
	const struct skew *k = v->subject;

	return cell_real(k->max_s - skew_average_s(k));
}

static struct cell ratio(FIGURE_ARGS)
{
	return skew_ratio(v->subject);
}

/* 0: even; near 100: all load on one of many segments. */
static struct cell imbalance(FIGURE_ARGS)
{
	struct cell c = skew_ratio(v->subject);

	return c.kind == CELL_REAL ? cell_real(100 - 100 / c.r) : absent;
}

static struct cell hot(FIGURE_ARGS)
{
	const struct skew *k = v->subject;
	char text[300];

	if (k->cpu_s < SKEW_CPU_LEAST_S)
		return absent;
	(void)snprintf(text, sizeof(text), "seg%" PRId32 "@%.200s", k->hot,
	    k->hot_host->name);
	return figure_text(v, text);
}

static struct cell cpu_percent(FIGURE_ARGS)
{
	const struct skew *k = v->subject;
	int64_t covered_ns = rollup_covered_ns(grouping_rollup(v->segments),
	    k->hot_host);

	return covered_ns > 0 ? cell_real(100 * k->cpu_s /
	    ((double)covered_ns / 1e9)) : absent;
}

static bool has_ended(const struct skew *k)
{
	return k->query ? !k->query->open : k->session->ended;
}

/* "2/96: seg3 seg7"; an ended query has no busy segments. */
static struct cell busy(FIGURE_ARGS)
{
	const struct skew *k = v->subject;
	const struct skews *s = figure_skews(v);
	struct buf b = BUF_INIT;
	int32_t name[NAMES_MAX];
	struct cell c;
	size_t n, i;

	if (has_ended(k))
		return absent;
	n = skew_busy(s, v->engine, k->session, name, NAMES_MAX);
	buf_printf(&b, "%zu/%zu", n, k->n_segment);
	for (i = 0; n <= NAMES_MAX && i < n; i++)
		buf_printf(&b, "%s seg%" PRId32, i ? "" : ":", name[i]);
	c = figure_text(v, buf_str(&b));
	buf_release(&b);
	return c;
}

static struct cell busy_segments(FIGURE_ARGS)
{
	const struct skew *k = v->subject;

	return has_ended(k) ? absent : cell_int((int64_t)skew_busy(
	    figure_skews(v), v->engine, k->session, NULL, 0));
}

static struct cell segments(FIGURE_ARGS)
{
	const struct skew *k = v->subject;

	return cell_int((int64_t)k->n_segment);
}

static struct cell missing(FIGURE_ARGS)
{
	const struct skew *k = v->subject;

	return cell_int((int64_t)k->n_absent);
}

/* ---- who it is about --------------------------------------------------- */

/* The naming columns of sessions and queries use a label. */
static struct cell named(FIGURE_ARGS)
{
	const struct skew *k = v->subject;
	struct label n = { .session = k->session, .query = k->query };
	const struct group of = { .label = &n };

	return f->inner(v, f, &of);
}

static struct cell query_or_session(FIGURE_ARGS)
{
	return grouping_label(g)->query ? labelcol_query(v, f, g)
	                                : labelcol_session(v, f, g);
}

#define NAMED(FN) ALONE(named), .inner = FN

static struct cell server(FIGURE_ARGS)
{
	const struct skew *k = v->subject;
	const struct dbserver *of = sessions_server(v->engine->sessions,
	    k->session);

	return of ? figure_text(v, of->name) : absent;
}

static const struct figure skew[] = {
	COLUMN("query", "QUERY", Q_TEXT, 80,
	    "session and number of the query; the session, where grouped by that", NAMED(query_or_session)),
	SERVER_FIGURE_OF(ALONE(server)),
	COLUMN("session", "SESSION", Q_TEXT, GRID_ON_REQUEST, "session", NAMED(labelcol_session)),
	COLUMN("command", "CMD", Q_TEXT, 120, "command counter and activity", NAMED(labelcol_cmd), VARIES),
	COLUMN("user", "USER", Q_TEXT, 80, "database user", NAMED(labelcol_user)),
	COLUMN("database", "DB", Q_TEXT, 200, "database", NAMED(labelcol_text_of_session),
	    .member = offsetof(struct session, database)),
	COLUMN("state", "STATE", Q_TEXT, 80, "state of its session; ended", NAMED(labelcol_state), VARIES),
	COLUMN("cpu_seconds", "CPU", Q_SECONDS, 80, "CPU time on all segments",
	    ALONE(cpu), FROM_CPU, ADDS),
	COLUMN("cpu_percent", "CPU%", Q_PERCENT, GRID_ON_REQUEST,
	    "the same, % of one core", ALONE(cpu_percent), FROM_CPU, ADDS),
	COLUMN("max_seconds", "MAX", Q_SECONDS, 80, "CPU time on the most loaded segment",
	    ALONE(most), FROM_CPU),
	COLUMN("average_seconds", "AVG", Q_SECONDS, 80,
	    "CPU time of the average segment, idle ones included", ALONE(average), FROM_CPU),
	COLUMN("excess_seconds", "EXCESS", Q_SECONDS, 120, "MAX - AVG", ALONE(excess), FROM_CPU),
	COLUMN("skew", "SKEW", Q_NUMBER, 80, "MAX / AVG; absent below 1 s of CPU time",
	    ALONE(ratio), FROM_CPU),
	COLUMN("imbalance_percent", "IMBAL%", Q_PERCENT, GRID_ON_REQUEST, "1 - AVG / MAX",
	    ALONE(imbalance), FROM_CPU),
	COLUMN("hot", "HOT", Q_TEXT, 80, "most loaded segment, and its host", ALONE(hot), FROM_CPU),
	COLUMN("busy", "BUSY", Q_TEXT, 80,
	    "number of segments that worked for it in the last tick, of all; their ids, if they are few",
	    ALONE(busy), FROM2(PROCESS, READ_BYTES, WRITE_BYTES)),
	COLUMN("busy_segments", "BUSYSEGS", Q_COUNT, GRID_ON_REQUEST,
	    "number of segments that worked for it in the last tick", ALONE(busy_segments),
	    FROM2(PROCESS, READ_BYTES, WRITE_BYTES)),
	COLUMN("segments", "SEGS", Q_COUNT, GRID_ON_REQUEST,
	    "number of segments, idle ones included", ALONE(segments)),
	COLUMN("absent_segments", "ABSENT", Q_COUNT, 200,
	    "primaries of the catalog that are not recorded: not counted", ALONE(missing)),
	COLUMN("text", "TEXT", Q_TEXT, GRID_ON_REQUEST, "text of the query",
	    NAMED(labelcol_text), STATEMENT),
};

static void list_skew(struct view_sink *to)
{
	const struct skews *s = figure_skews(view_env(to));
	size_t i;

	for (i = 0; i < skews_count(s); i++) {
		const struct skew *k = skews_get(s, i);

		if ((k->query && k->query->number == 0) || k->session->own)
			continue; /* the query is not known */
		view_put(to, k, NULL);
	}
}

static const struct view_rows skew_rows = { .list = list_skew };

const struct view view_skew = {
	.name = "skew",
	.help = "uneven distribution of queries over segments",
	.grouping = GROUPING_QUERY_SEGMENT,
	.session_grouping = GROUPING_SESSION_SEGMENT,
	.entity = ENTITY_PROCESS,
	FIGURES(skew),
	.sort = "excess_seconds",
	.rows = &skew_rows,
};

/* ---- matrix ------------------------------------------------------------ */

static struct cell slice(FIGURE_ARGS)
{
	const struct label *n = grouping_label(g);

	return n->has_slice ? cell_int(n->slice) : absent;
}

static struct cell segment(FIGURE_ARGS)
{
	return cell_int(grouping_label(g)->segment);
}

/* States of the cell's processes: "R", "SSD", most important first. */
static struct cell states(FIGURE_ARGS)
{
	static const char order[] = "DRTZSI";
	const struct label *n = grouping_label(g);
	size_t count[sizeof(order)] = { 0 }, i;
	const struct proc *p;
	struct buf b = BUF_INIT;
	struct cell c;

	for (p = n->session->procs; p; p = p->next) {
		const char *at;
		uint64_t s;

		if (!p->title.has_seg || p->title.seg != n->segment ||
		    p->title.has_slice != n->has_slice ||
		    (n->has_slice && p->title.slice != n->slice) ||
		    !row_get(p->row, COL(PROCESS, STATE), &s) || s == 0)
			continue;
		at = strchr(order, (int)s);
		if (at)
			count[at - order]++;
	}
	for (i = 0; i < sizeof(order) - 1; i++) {
		if (count[i] == 1)
			buf_add_char(&b, order[i]);
		else if (count[i] > 1)
			buf_printf(&b, "%c%zu", order[i], count[i]);
	}
	c = figure_text(v, buf_str(&b));
	buf_release(&b);
	return c;
}

static const struct figure matrix[] = {
	COLUMN("session", "SESSION", Q_TEXT, 80, "session", BY(labelcol_session)),
	SERVER_FIGURE,
	COLUMN("slice", "SLICE", Q_ID, 80,
	    "slice of the plan; absent: executors without work, and writers", BY(slice)),
	COLUMN("segment", "SEG", Q_ID, 80, "segment; -1: an executor on the coordinator",
	    BY(segment)),
	HOST_FIGURE(80),
	PROCESSES_FIGURE,
	COLUMN("states", "STATES", Q_TEXT, 80,
	    "states of these: D waits for a disk, R runs, T stopped, Z not reaped, S sleeps; with their number",
	    BY(states), FROM(PROCESS, STATE)),
	WORK_FIGURES,
	SPILL_FIGURE(80),
	MORE_WORK_FIGURES,
};

const struct view view_matrix = {
	.name = "matrix",
	.help = "slices of sessions by segment",
	.grouping = GROUPING_SLICE,
	.entity = ENTITY_PROCESS,
	FIGURES(matrix),
	.sort = "+session,+slice,+segment,+host",
};
