/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_stats.c - counters that servers keep of themselves: databases, the
 * write-ahead log, replication slots, progress, statements.
 *
 * A server is asked for them every 10 s or 30 s.  So rates divide by the increase of
 * the row's clock, the time between answers.  Where the clock stands still, as
 * between two answers, increases are not known: absent, not 0.
 */
#include "base/compiler.h"
#include "query/columns.h"
#include "view/label_figures.h"
#include "view/view_int.h"

static const struct cell absent = { .kind = CELL_ABSENT };

/* The catalog at the end of the range. */
#define CATALOG .living = true, .catalog = true

/* ---- rates -------------------------------------------------------------- */

/* The sum of all columns but the last, which is the clock. */
static struct cell per_second(FIGURE_ARGS)
{
	unsigned n = f->n_from - 1, i;
	double clock, one, sum = 0;
	bool any = false, part;

	if (!group_sum(v->rollup, g, f->from[n], 1, &clock, &part) ||
	    clock <= 0)
		return absent;
	for (i = 0; i < n; i++) {
		if (!group_sum(v->rollup, g, f->from[i], 1, &one, &part))
			continue;
		sum += one;
		any = true;
	}
	return any ? cell_real(f->scale * sum / clock) : absent;
}

/* The increase of the first column; the second is the clock. */
static struct cell counted(FIGURE_ARGS)
{
	double clock, one;
	bool part;

	if (!group_sum(v->rollup, g, f->from[1], 1, &clock, &part) ||
	    clock <= 0 ||
	    !group_sum(v->rollup, g, f->from[0], 1, &one, &part))
		return absent;
	return figure_amount(v, g, f->col.quantity == Q_COUNT
	    ? cell_int((int64_t)one) : cell_real(one));
}

#define COUNTED(E, SYM) BY(counted), FROM2(E, SYM, CLOCK), AMOUNT
#define PER_SECOND(E, SYM) BY(per_second), FROM2(E, SYM, CLOCK), ADDS
#define PER_SECOND2(E, A, B) \
	BY(per_second), .n_from = 3, \
	.from = { COL(E, A), COL(E, B), COL(E, CLOCK) }, ADDS

/* ---- databases ---------------------------------------------------------- */

static const struct figure databases[] = {
	NAMED_COLUMN("database", "DB", 80, CELL(DATABASE, NAME)),
	SERVER_FIGURE,
	METRIC_COLUMN(80, CELL(DATABASE, SESSIONS), ADDS),
	COLUMN("active_sessions", "ACTIVE", Q_NUMBER, 120,
	    "sessions that ran a statement, on average; a statement counts once it ends",
	    PER_SECOND(DATABASE, ACTIVE_TIME)),
	COLUMN("idle_in_transaction_sessions", "IDLEXACT", Q_NUMBER, 200,
	    "sessions that were idle in a transaction, on average",
	    PER_SECOND(DATABASE, IDLE_IN_TRANSACTION)),
	COLUMN("transactions_per_second", "TPS", Q_RATE, 80,
	    "transactions that ended, rolled back ones included",
	    PER_SECOND2(DATABASE, COMMITS, ROLLBACKS)),
	COLUMN("rollbacks_per_second", "ROLLBACK/s", Q_RATE, 80, "transactions rolled back",
	    PER_SECOND(DATABASE, ROLLBACKS)),
	COLUMN("rollback_percent", "ROLLBACK%", Q_PERCENT, GRID_ON_REQUEST,
	    "of the transactions that ended, those rolled back",
	    PART(DATABASE, ROLLBACKS, COMMITS)),
	COLUMN("hit_percent", "HIT%", Q_PERCENT, 80,
	    "blocks found in shared buffers, of all that were needed",
	    PART(DATABASE, HIT, READ)),
	COLUMN("read_bytes_per_second", "READ/s", Q_BYTES_RATE, 80,
	    "read from files into shared buffers; the kernel may have had them in memory",
	    PER_SECOND(DATABASE, READ)),
	COLUMN("read_seconds_per_second", "READWAIT", Q_NUMBER, 200,
	    "sessions that waited for such a read, on average; absent: track_io_timing is off",
	    PER_SECOND(DATABASE, READ_TIME)),
	METRIC_COLUMN(120, COUNTED(DATABASE, TEMP_FILES)),
	COLUMN("temp_bytes_per_second", "TEMP/s", Q_BYTES_RATE, 80,
	    "written to temporary files, counted when a file ends",
	    PER_SECOND(DATABASE, TEMP)),
	METRIC_COLUMN(80, COUNTED(DATABASE, DEADLOCKS), ALARMS),
	COLUMN("returned_per_second", "RETURNED/s", Q_RATE, 120,
	    "rows and index entries that scans read", PER_SECOND(DATABASE, ROWS_RETURNED)),
	COLUMN("fetched_per_second", "FETCHED/s", Q_RATE, 200, "rows fetched by index scans",
	    PER_SECOND(DATABASE, ROWS_FETCHED)),
	COLUMN("inserted_per_second", "INSERTED/s", Q_RATE, 120, "rows inserted",
	    PER_SECOND(DATABASE, ROWS_INSERTED)),
	COLUMN("updated_per_second", "UPDATED/s", Q_RATE, 120, "rows updated",
	    PER_SECOND(DATABASE, ROWS_UPDATED)),
	COLUMN("deleted_per_second", "DELETED/s", Q_RATE, 120, "rows deleted",
	    PER_SECOND(DATABASE, ROWS_DELETED)),
	COLUMN("connections_per_second", "CONN/s", Q_RATE, 200, "sessions begun (since 14)",
	    PER_SECOND(DATABASE, CONNECTIONS)),
	METRIC_COLUMN(200, COUNTED(DATABASE, ABANDONED)),
	METRIC_COLUMN(200, COUNTED(DATABASE, FATAL)),
	METRIC_COLUMN(200, COUNTED(DATABASE, KILLED)),
	METRIC_COLUMN(200, COUNTED(DATABASE, CONFLICTS)),
	METRIC_COLUMN(200, COUNTED(DATABASE, CHECKSUM_FAILURES)),
	METRIC_COLUMN(200, CELL(DATABASE, XID_AGE)),
};

ROW_VIEW(databases, DATABASE, "databases: transactions, buffers, temporary files, as they count",
    "transactions_per_second", CATALOG);

/* ---- wal ---------------------------------------------------------------- */

/* Since the last success; of an archiver that never succeeded, at least since the
 * last failure. */
static struct cell archive_failing(FIGURE_ARGS)
{
	uint64_t failed, archived;
	struct cell c;
	bool never;

	if (g->residual || !g->row ||
	    !row_peek(g->row, COL(WAL, LAST_FAILED), &failed))
		return absent;
	never = !row_peek(g->row, COL(WAL, LAST_ARCHIVED), &archived);
	if (!never && (int64_t)archived >= (int64_t)failed)
		return absent;
	c = cell_real((double)v->engine->to_ns / 1e9 -
	    (double)(int64_t)(never ? failed : archived) / 1e6);
	c.r = c.r > 0 ? c.r : 0;
	c.mark = never ? '>' : 0;
	return c;
}

static const struct figure wal[] = {
	SERVER_FIGURE,
	COLUMN("wal_bytes_per_second", "WAL/s", Q_BYTES_RATE, 80,
	    "log that was generated; on a standby, received", PER_SECOND(WAL, POSITION)),
	COLUMN("records_per_second", "RECORDS/s", Q_RATE, 120, "records of the log (since 14)",
	    PER_SECOND(WAL, RECORDS)),
	COLUMN("page_images_per_second", "FPI/s", Q_RATE, 120,
	    "images of whole pages in the log (since 14)", PER_SECOND(WAL, PAGE_IMAGES)),
	METRIC_COLUMN(200, COUNTED(WAL, BUFFERS_FULL)),
	COLUMN("syncs_per_second", "SYNCS/s", Q_RATE, 200, "syncs of the log (since 14)",
	    PER_SECOND(WAL, SYNCS)),
	COLUMN("sync_seconds_per_second", "SYNCWAIT", Q_NUMBER, 200,
	    "processes that waited for such a sync, on average; absent: track_wal_io_timing is off",
	    PER_SECOND(WAL, SYNC_TIME)),
	METRIC_COLUMN(80, COUNTED(WAL, CHECKPOINTS_TIMED)),
	METRIC_COLUMN(80, COUNTED(WAL, CHECKPOINTS_REQUESTED)),
	NAMED_COLUMN("checkpoint_write_seconds", "CKPTWRITE", 200,
	    COUNTED(WAL, CHECKPOINT_WRITE_TIME)),
	NAMED_COLUMN("checkpoint_sync_seconds", "CKPTSYNC", 120,
	    COUNTED(WAL, CHECKPOINT_SYNC_TIME)),
	COLUMN("checkpoint_bytes_per_second", "CKPT/s", Q_BYTES_RATE, 80,
	    "buffers that checkpoints wrote", PER_SECOND(WAL, CHECKPOINT_WRITTEN)),
	COLUMN("bgwriter_bytes_per_second", "BGWRITER/s", Q_BYTES_RATE, 120,
	    "buffers that the background writer wrote", PER_SECOND(WAL, BGWRITER_WRITTEN)),
	COLUMN("backend_bytes_per_second", "BACKENDS/s", Q_BYTES_RATE, 80,
	    "buffers that backends wrote themselves, extended files included",
	    PER_SECOND(WAL, BACKEND_WRITTEN)),
	COLUMN("allocated_bytes_per_second", "ALLOC/s", Q_BYTES_RATE, 120,
	    "buffers that were given new contents", PER_SECOND(WAL, ALLOCATED)),
	METRIC_COLUMN(80, COUNTED(WAL, ARCHIVED)),
	METRIC_COLUMN(80, COUNTED(WAL, ARCHIVE_FAILURES)),
	COLUMN("archive_failing_seconds", "FAILING", Q_AGE, 80,
	    "how long archiving has failed: since the last file that was archived; absent: the last attempt succeeded",
	    BY(archive_failing), FROM2(WAL, LAST_FAILED, LAST_ARCHIVED)),
	METRIC_COLUMN(120, CELL(WAL, LAST_ARCHIVED)),
	METRIC_COLUMN(120, CELL(WAL, LAST_FAILED)),
};

ROW_VIEW(wal, WAL, "checkpoints, the write-ahead log and its archiving, by server",
    "+server", CATALOG);

/* ---- slots -------------------------------------------------------------- */

static const struct figure slots[] = {
	NAMED_COLUMN("slot", "SLOT", 80, CELL(SLOT, NAME)),
	SERVER_FIGURE,
	METRIC_COLUMN(80, CELL(SLOT, TYPE)),
	METRIC_COLUMN(120, CELL(SLOT, PLUGIN)),
	METRIC_COLUMN(120, CELL(SLOT, DATABASE)),
	METRIC_COLUMN(80, CELL(SLOT, ACTIVE)),
	METRIC_COLUMN(80, CELL(SLOT, PID)),
	METRIC_COLUMN(80, CELL(SLOT, RETAINED)),
	METRIC_COLUMN(120, CELL(SLOT, UNCONFIRMED)),
	METRIC_COLUMN(80, CELL(SLOT, WAL_STATUS)),
	METRIC_COLUMN(80, CELL(SLOT, SAFE_WAL_SIZE)),
	METRIC_COLUMN(120, CELL(SLOT, XMIN_AGE)),
	METRIC_COLUMN(120, CELL(SLOT, CATALOG_XMIN_AGE)),
};

ROW_VIEW(slots, SLOT, "replication slots, and the log that is kept for them",
    "retained", CATALOG);

/* ---- progress ----------------------------------------------------------- */

static bool how_far(const struct group *g, double *ret_done, double *ret_total)
{
	uint64_t done, total;

	if (g->residual || !g->row ||
	    !row_peek(g->row, COL(PROGRESS, DONE), &done) ||
	    !row_peek(g->row, COL(PROGRESS, TOTAL), &total) || total == 0)
		return false;
	*ret_done = (double)done;
	*ret_total = (double)total;
	return true;
}

/* A table may grow meanwhile: no more than all of it. */
static struct cell done_percent(FIGURE_ARGS)
{
	double done, total;

	if (!how_far(g, &done, &total))
		return absent;
	return cell_real(done < total ? 100 * done / total : 100);
}

/* By what was done in the range. */
static struct cell left_seconds(FIGURE_ARGS)
{
	struct cell rate = per_second(v, f, g);
	double done, total;

	if (rate.kind == CELL_ABSENT || rate.r <= 0 ||
	    !how_far(g, &done, &total))
		return absent;
	rate.r = done < total ? (total - done) / rate.r : 0;
	rate.mark = '~';
	return rate;
}

static const struct figure progress[] = {
	METRIC_COLUMN(80, CELL(PROGRESS, PID)),
	SERVER_FIGURE,
	METRIC_COLUMN(80, CELL(PROGRESS, COMMAND), KEPT_COLUMN),
	METRIC_COLUMN(120, CELL(PROGRESS, DATABASE)),
	METRIC_COLUMN(80, CELL(PROGRESS, OBJECT), KEPT_COLUMN, OF_SCHEMA),
	METRIC_COLUMN(GRID_ON_REQUEST, CELL(PROGRESS, RELATION)),
	METRIC_COLUMN(80, CELL(PROGRESS, PHASE), FLEXES, YIELDS(1)),
	METRIC_COLUMN(80, CELL(PROGRESS, DONE)),
	METRIC_COLUMN(120, CELL(PROGRESS, TOTAL)),
	METRIC_COLUMN(80, CELL(PROGRESS, UNIT)),
	COLUMN("done_percent", "DONE%", Q_PERCENT, 80, "what is done of this phase",
	    BY(done_percent), FROM2(PROGRESS, DONE, TOTAL)),
	COLUMN("done_per_second", "DONE/s", Q_RATE, 120, "what was done of it in the range",
	    PER_SECOND(PROGRESS, DONE)),
	COLUMN("left_seconds", "LEFT", Q_AGE, 80,
	    "time to the end of this phase at that rate; absent: nothing was done in the range",
	    BY(left_seconds), FROM2(PROGRESS, DONE, CLOCK)),
};

ROW_VIEW(progress, PROGRESS, "vacuum, analyze, create index, cluster, copy, base backup: how far they are",
    "+server,+pid", CATALOG);

/* ---- statements of the server ------------------------------------------- */

static const struct figure pgstatements[] = {
	METRIC_COLUMN(120, CELL(PGSTATEMENT, QUERY_ID)),
	SERVER_FIGURE,
	METRIC_COLUMN(80, CELL(PGSTATEMENT, USER)),
	METRIC_COLUMN(80, CELL(PGSTATEMENT, DATABASE)),
	METRIC_COLUMN(GRID_ON_REQUEST, CELL(PGSTATEMENT, TOPLEVEL)),
	METRIC_COLUMN(80, COUNTED(PGSTATEMENT, CALLS)),
	COLUMN("calls_per_second", "CALLS/s", Q_RATE, 120, "executions that ended",
	    PER_SECOND(PGSTATEMENT, CALLS)),
	NAMED_COLUMN("total_seconds", "TOTAL", 80, COUNTED(PGSTATEMENT, TIME)),
	COLUMN("mean_seconds", "MEAN", Q_LATENCY, 80, "mean duration of the executions that ended",
	    RATIO(1, PGSTATEMENT, TIME, CALLS)),
	COLUMN("rows_per_call", "ROWS", Q_NUMBER, 80, "rows returned or changed by an execution",
	    RATIO(1, PGSTATEMENT, ROWS, CALLS)),
	COLUMN("hit_percent", "HIT%", Q_PERCENT, 80,
	    "blocks found in shared buffers, of all that were needed",
	    PART(PGSTATEMENT, HIT, READ)),
	METRIC_COLUMN(80, COUNTED(PGSTATEMENT, READ)),
	METRIC_COLUMN(200, COUNTED(PGSTATEMENT, DIRTIED)),
	METRIC_COLUMN(200, COUNTED(PGSTATEMENT, WRITTEN)),
	METRIC_COLUMN(120, COUNTED(PGSTATEMENT, TEMP_WRITTEN)),
	METRIC_COLUMN(120, COUNTED(PGSTATEMENT, WAL)),
	NAMED_COLUMN("plan_seconds", "PLAN", 200, COUNTED(PGSTATEMENT, PLAN_TIME)),
	NAMED_COLUMN("text", "TEXT", 80, CELL(PGSTATEMENT, QUERY), STATEMENT),
};

ROW_VIEW(pgstatements, PGSTATEMENT, "statements by their total time, as pg_stat_statements counts",
    "total_seconds", CATALOG);
