/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stats_sql.h - fragments of queries.def: counters that the server keeps of
 * itself.  Private to queries.c.
 *
 * What the server does not measure is 0 in its views; here it is NULL.
 */
#ifndef GS_PG_STATS_SQL_H
#define GS_PG_STATS_SQL_H

#define BLOCKS(n) "(" n "*current_setting('block_size')::int8)::int8"

/* Milliseconds that are measured only while a setting is on. */
#define MEASURED(setting, ms) \
	"CASE WHEN current_setting('" setting "') = 'on' " \
	"THEN (" ms "*1000)::int8 END"
#define IO_TIME(ms) MEASURED("track_io_timing", ms)
#define WAL_TIME(ms) MEASURED("track_wal_io_timing", ms)
#define MSEC(ms) "(" ms "*1000)::int8"

/* ---- databases ---------------------------------------------------------- */

#define DATABASES(more) \
	"SELECT d.datid AS oid, " USEC("d.stats_reset") " AS stats_reset, " \
	"d.datname AS name, d.numbackends AS sessions, " \
	"xact_commit AS commits, xact_rollback AS rollbacks, " \
	BLOCKS("blks_read") " AS read, " BLOCKS("blks_hit") " AS hit, " \
	"tup_returned AS rows_returned, tup_fetched AS rows_fetched, " \
	"tup_inserted AS rows_inserted, tup_updated AS rows_updated, " \
	"tup_deleted AS rows_deleted, conflicts, temp_files, " \
	"temp_bytes AS temp, deadlocks, " \
	IO_TIME("blk_read_time") " AS read_time, " \
	IO_TIME("blk_write_time") " AS write_time, " more \
	"age(b.datfrozenxid) AS xid_age FROM pg_stat_database AS d " \
	"LEFT JOIN pg_database AS b ON b.oid = d.datid " \
	"ORDER BY xact_commit + xact_rollback DESC, 1"

#define CHECKSUMS "checksum_failures, "

#define SESSION_TIMES \
	MSEC("session_time") " AS session_time, " \
	MSEC("active_time") " AS active_time, " \
	MSEC("idle_in_transaction_time") " AS idle_in_transaction_time, " \
	"d.sessions AS connections, sessions_abandoned AS abandoned, " \
	"sessions_fatal AS fatal, sessions_killed AS killed, "

/* ---- wal ---------------------------------------------------------------- */

#define WAL_POSITION \
	"pg_wal_lsn_diff(" WAL_HERE ", '0/0')::int8 AS position"

/* Before PostgreSQL 10. */
#define XLOG_HERE \
	"CASE WHEN pg_is_in_recovery() " \
	"THEN pg_last_xlog_receive_location() " \
	"ELSE pg_current_xlog_location() END"
#define XLOG_POSITION \
	"pg_xlog_location_diff(" XLOG_HERE ", '0/0')::int8 AS position"

/* Before PostgreSQL 17. */
#define BGWRITER \
	"SELECT " USEC("b.stats_reset") " AS checkpoints_reset, " \
	"checkpoints_timed, checkpoints_req AS checkpoints_requested, " \
	MSEC("checkpoint_write_time") " AS checkpoint_write_time, " \
	MSEC("checkpoint_sync_time") " AS checkpoint_sync_time, " \
	BLOCKS("buffers_checkpoint") " AS checkpoint_written, " \
	BLOCKS("buffers_clean") " AS bgwriter_written, " \
	"maxwritten_clean AS bgwriter_stops, " \
	BLOCKS("buffers_backend") " AS backend_written, " \
	"buffers_backend_fsync AS backend_syncs, " \
	BLOCKS("buffers_alloc") " AS allocated, "

#define CHECKPOINTER \
	"SELECT " USEC("c.stats_reset") " AS checkpoints_reset, " \
	USEC("b.stats_reset") " AS buffers_reset, " \
	USEC("io.stats_reset") " AS io_reset, " \
	"num_timed AS checkpoints_timed, " \
	"num_requested AS checkpoints_requested, " \
	MSEC("c.write_time") " AS checkpoint_write_time, " \
	MSEC("c.sync_time") " AS checkpoint_sync_time, " \
	BLOCKS("c.buffers_written") " AS checkpoint_written, " \
	BLOCKS("buffers_clean") " AS bgwriter_written, " \
	"maxwritten_clean AS bgwriter_stops, " \
	"io.backend_written, io.backend_syncs, " \
	BLOCKS("buffers_alloc") " AS allocated, "

#define ARCHIVER \
	USEC("a.stats_reset") " AS archiver_reset, " \
	"archived_count AS archived, failed_count AS archive_failures, " \
	USEC("last_archived_time") " AS last_archived, " \
	USEC("last_failed_time") " AS last_failed, "

#define WAL_RECORDS \
	USEC("w.stats_reset") " AS wal_reset, wal_records AS records, " \
	"wal_fpi AS page_images, wal_bytes::int8 AS written, " \
	"wal_buffers_full AS buffers_full, "

/* From PostgreSQL 14 to 17. */
#define WAL_WRITES \
	"wal_write AS writes, wal_sync AS syncs, " \
	WAL_TIME("wal_write_time") " AS write_time, " \
	WAL_TIME("wal_sync_time") " AS sync_time, "

/* From PostgreSQL 18 on they are in pg_stat_io. */
#define WAL_WRITES_IO \
	"io.writes, io.syncs, " WAL_TIME("io.write_ms") " AS write_time, " \
	WAL_TIME("io.sync_ms") " AS sync_time, "

/* Processes other than these two are what buffers_backend counted. */
#define OF_BACKENDS \
	" FILTER (WHERE object = 'relation' AND backend_type " \
	"NOT IN ('checkpointer', 'background writer'))"
#define OF_LOG " FILTER (WHERE object = 'wal' AND context = 'normal')"

#define STAT_IO(written, more) \
	"(SELECT max(stats_reset) AS stats_reset, " \
	"(sum(" written ")" OF_BACKENDS ")::int8 AS backend_written, " \
	"(sum(fsyncs)" OF_BACKENDS ")::int8 AS backend_syncs" more \
	" FROM pg_stat_io) AS io"

#define STAT_IO_17 \
	STAT_IO("(coalesce(writes, 0) + coalesce(extends, 0))*op_bytes", "")
#define STAT_IO_18 \
	STAT_IO("coalesce(write_bytes, 0) + coalesce(extend_bytes, 0)", \
	    ", (sum(writes)" OF_LOG ")::int8 AS writes, (sum(fsyncs)" OF_LOG \
	    ")::int8 AS syncs, sum(write_time)" OF_LOG " AS write_ms, " \
	    "sum(fsync_time)" OF_LOG " AS sync_ms")

/* ---- slots -------------------------------------------------------------- */

/* A location that is not known is no distance of 0. */
#define KEPT(diff, at) \
	"CASE WHEN " at " IS NOT NULL " \
	"THEN greatest(" diff "(here, " at "), 0)::int8 END"

#define SLOTS(diff, here, more) \
	"SELECT slot_name AS name, slot_type AS type, plugin, database, " \
	"active, " KEPT(diff, "restart_lsn") " AS retained, " more \
	"age(xmin) AS xmin_age, age(catalog_xmin) AS catalog_xmin_age " \
	"FROM (SELECT *, " here " AS here FROM pg_replication_slots) AS s " \
	"ORDER BY restart_lsn, 1"

#define SLOT_USE \
	"active_pid AS pid, " \
	KEPT("pg_wal_lsn_diff", "confirmed_flush_lsn") " AS unconfirmed, "

#define SLOT_LIMITS "wal_status, safe_wal_size, "

/* ---- progress ----------------------------------------------------------- */

/* The name of a relation is known here for the connected database only. */
#define PROGRESS(rows) \
	"SELECT pid, command, phase, datname AS database, relation, done, " \
	"total, unit, CASE WHEN datname = current_database() " \
	"THEN relation::oid::regclass::text END AS object " \
	"FROM (" rows ") AS p ORDER BY pid, command"

#define PROGRESS_ROW(command, phase, relation, done, total, unit, view) \
	"SELECT pid, " command " AS command, " phase " AS phase, datname, " \
	"nullif(" relation ", 0) AS relation, " done " AS done, " \
	total " AS total, " unit " AS unit FROM pg_stat_progress_" view

#define VACUUM_DONE \
	"CASE phase WHEN 'scanning heap' THEN heap_blks_scanned " \
	"WHEN 'vacuuming heap' THEN heap_blks_vacuumed"
#define VACUUM_TOTAL \
	"CASE WHEN phase IN ('scanning heap', 'vacuuming heap') " \
	"THEN heap_blks_total"
#define OF_INDEXES "phase IN ('vacuuming indexes', 'cleaning up indexes')"
#define VACUUM(done, total, unit) \
	PROGRESS_ROW("'VACUUM'", "phase", "relid::int8", \
	    VACUUM_DONE done " END", VACUUM_TOTAL total " END", unit, "vacuum")
#define VACUUM_10 VACUUM("", "", "'blocks'")
#define VACUUM_17 \
	VACUUM(" WHEN 'vacuuming indexes' THEN indexes_processed " \
	    "WHEN 'cleaning up indexes' THEN indexes_processed", \
	    " WHEN " OF_INDEXES " THEN indexes_total", \
	    "CASE WHEN " OF_INDEXES " THEN 'indexes' ELSE 'blocks' END")

/* Whichever of them is counted in this phase. */
#define INDEX_OF(lockers, blocks, rows) \
	"CASE WHEN phase LIKE 'waiting for%' THEN " lockers \
	" WHEN blocks_total > 0 THEN " blocks \
	" WHEN tuples_total > 0 THEN " rows " END"
#define CREATE_INDEX \
	PROGRESS_ROW("command", "phase", "relid::int8", \
	    INDEX_OF("lockers_done", "blocks_done", "tuples_done"), \
	    INDEX_OF("lockers_total", "blocks_total", "tuples_total"), \
	    INDEX_OF("'lockers'", "'blocks'", "'rows'"), "create_index")

#define CLUSTER_OF(blocks, rows, indexes) \
	"CASE phase WHEN 'seq scanning heap' THEN " blocks \
	" WHEN 'index scanning heap' THEN " rows \
	" WHEN 'writing new heap' THEN " rows \
	" WHEN 'rebuilding index' THEN " indexes " END"
#define CLUSTER \
	PROGRESS_ROW("command", "phase", "relid::int8", \
	    CLUSTER_OF("heap_blks_scanned", "heap_tuples_written", \
	    "index_rebuild_count"), \
	    CLUSTER_OF("heap_blks_total", "NULL", "NULL"), \
	    CLUSTER_OF("'blocks'", "'rows'", "'indexes'"), "cluster")

#define ANALYZE_OF(blocks, statistics) \
	"CASE WHEN phase LIKE 'acquiring %sample rows' THEN " blocks \
	" WHEN phase = 'computing extended statistics' THEN " statistics " END"
#define ANALYZE \
	PROGRESS_ROW("'ANALYZE'", "phase", "relid::int8", \
	    ANALYZE_OF("sample_blks_scanned", "ext_stats_computed"), \
	    ANALYZE_OF("sample_blks_total", "ext_stats_total"), \
	    ANALYZE_OF("'blocks'", "'statistics'"), "analyze")

#define BASE_BACKUP \
	"SELECT pid, 'BASE BACKUP' AS command, phase, NULL::name AS datname, " \
	"NULL::int8 AS relation, backup_streamed AS done, " \
	"nullif(backup_total, 0) AS total, 'bytes' AS unit " \
	"FROM pg_stat_progress_basebackup"

#define COPY \
	PROGRESS_ROW("command", "NULL::text", "relid::int8", \
	    "bytes_processed", "nullif(bytes_total, 0)", "'bytes'", "copy")

#define PROGRESS_12 CREATE_INDEX " UNION ALL " CLUSTER
#define PROGRESS_13 PROGRESS_12 " UNION ALL " ANALYZE " UNION ALL " BASE_BACKUP
#define PROGRESS_14 PROGRESS_13 " UNION ALL " COPY

/* ---- statements --------------------------------------------------------- */

/* The texts are in a file, which is read only for those that are new.  Nothing
 * but the function is used: a role may have made a view of the name that an
 * older version of the extension lacks. */
#define STATEMENTS(time, io, more) \
	"SELECT queryid AS query_id, pg_get_userbyid(userid) AS user, " \
	"datname AS database, calls, " MSEC(time) " AS time, rows, " \
	BLOCKS("shared_blks_hit") " AS hit, " \
	BLOCKS("shared_blks_read") " AS read, " \
	BLOCKS("shared_blks_dirtied") " AS dirtied, " \
	BLOCKS("shared_blks_written") " AS written, " \
	BLOCKS("temp_blks_read") " AS temp_read, " \
	BLOCKS("temp_blks_written") " AS temp_written, " \
	IO_TIME(io "_read_time") " AS read_time, " \
	IO_TIME(io "_write_time") " AS write_time, " more "{query} " \
	"FROM (SELECT * FROM {statements} WHERE queryid IS NOT NULL " \
	"ORDER BY " time " DESC LIMIT 200) AS s " \
	"LEFT JOIN pg_database AS d ON d.oid = dbid ORDER BY " time " DESC"

#define STATEMENTS_13 \
	MEASURED("pg_stat_statements.track_planning", "total_plan_time") \
	" AS plan_time, wal_bytes::int8 AS wal, "
#define STATEMENTS_14 STATEMENTS_13 "toplevel, "
#define STATEMENTS_17 \
	STATEMENTS_14 USEC("stats_since") " AS stats_since, "

#endif
