# SPDX-License-Identifier: Apache-2.0
"""Views of the catalog with the columns that they have in other versions of
PostgreSQL, by its manuals, in a database of the server at hand."""
import gstest

DATABASE = '''datid datname numbackends xact_commit xact_rollback blks_read
    blks_hit tup_returned tup_fetched tup_inserted tup_updated tup_deleted
    conflicts temp_files temp_bytes deadlocks blk_read_time blk_write_time
    stats_reset'''
CHECKSUMS = ' checksum_failures checksum_last_failure'
SESSIONS = ''' session_time active_time idle_in_transaction_time sessions
    sessions_abandoned sessions_fatal sessions_killed'''
BGWRITER = '''checkpoints_timed checkpoints_req checkpoint_write_time
    checkpoint_sync_time buffers_checkpoint buffers_clean maxwritten_clean
    buffers_backend buffers_backend_fsync buffers_alloc stats_reset'''
CHECKPOINTER = '''num_timed num_requested restartpoints_timed
    restartpoints_req restartpoints_done write_time sync_time buffers_written
    stats_reset'''
WAL = 'wal_records wal_fpi wal_bytes wal_buffers_full'
WAL_WRITES = ' wal_write wal_sync wal_write_time wal_sync_time'
IO = '''backend_type object context reads read_time writes write_time
    writebacks writeback_time extends extend_time op_bytes hits evictions
    reuses fsyncs fsync_time stats_reset'''
IO_BYTES = IO.replace('op_bytes', 'read_bytes write_bytes extend_bytes')
SLOTS = 'slot_name plugin slot_type datoid database active xmin catalog_xmin ' \
    'restart_lsn'
SLOT_USE = ' temporary active_pid confirmed_flush_lsn'
SLOT_LIMITS = ' wal_status safe_wal_size'
VACUUM = '''pid datid datname relid phase heap_blks_total heap_blks_scanned
    heap_blks_vacuumed index_vacuum_count'''
DEAD = ' max_dead_tuples num_dead_tuples'
DEAD_BYTES = ' max_dead_tuple_bytes dead_tuple_bytes num_dead_item_ids ' \
    'indexes_total indexes_processed'

# The first version with these columns; None: the view is gone.
SHAPES = {
    'pg_stat_database': {90400: DATABASE, 120000: DATABASE + CHECKSUMS,
                         140000: DATABASE + CHECKSUMS + SESSIONS},
    'pg_stat_bgwriter': {90400: BGWRITER, 170000: 'buffers_clean '
                         'maxwritten_clean buffers_alloc stats_reset'},
    'pg_stat_checkpointer': {90400: None, 170000: CHECKPOINTER,
                             180000: CHECKPOINTER + ' num_done slru_written'},
    'pg_stat_wal': {90400: None, 140000: WAL + WAL_WRITES + ' stats_reset',
                    180000: WAL + ' stats_reset'},
    'pg_stat_io': {90400: None, 160000: IO, 180000: IO_BYTES},
    'pg_replication_slots': {
        90400: SLOTS, 100000: SLOTS + SLOT_USE,
        130000: SLOTS + SLOT_USE + SLOT_LIMITS,
        140000: SLOTS + SLOT_USE + SLOT_LIMITS + ' two_phase'},
    'pg_stat_progress_vacuum': {90400: None, 100000: VACUUM + DEAD,
                                170000: VACUUM + DEAD_BYTES},
    'pg_stat_progress_create_index': {90400: None, 120000: '''pid datid
        datname relid index_relid command phase lockers_total lockers_done
        current_locker_pid blocks_total blocks_done tuples_total tuples_done
        partitions_total partitions_done'''},
    'pg_stat_progress_cluster': {90400: None, 120000: '''pid datid datname
        relid command phase cluster_index_relid heap_tuples_scanned
        heap_tuples_written heap_blks_total heap_blks_scanned
        index_rebuild_count'''},
    'pg_stat_progress_analyze': {90400: None, 130000: '''pid datid datname
        relid phase sample_blks_total sample_blks_scanned ext_stats_total
        ext_stats_computed child_tables_total child_tables_done
        current_child_table_relid'''},
    'pg_stat_progress_basebackup': {90400: None, 130000: '''pid phase
        backup_total backup_streamed tablespaces_total
        tablespaces_streamed'''},
    'pg_stat_progress_copy': {90400: None, 140000: '''pid datid datname relid
        command type bytes_processed bytes_total tuples_processed
        tuples_excluded'''},
}

# Columns that this server has not: 7 where nothing else stands here.
VALUES = {'stats_reset': "'2026-01-01 00:00:00+00'::timestamptz",
          'restart_lsn': "'0/0'::pg_lsn"}
IO_ROWS = {'backend_type': ('client backend', 'checkpointer',
                            'background writer', 'autovacuum worker',
                            'client backend', 'client backend'),
           'object': ('relation', 'relation', 'relation', 'relation', 'wal',
                      'wal'),
           'context': ('normal', 'normal', 'normal', 'vacuum', 'normal',
                       'init'),
           'writes': (3, 1000, 1000, 10, 5, 1000),
           'write_bytes': (24576, 1000, 1000, 81920, 5, 1000),
           'extends': (2, 0, 0, 'NULL', 0, 0),
           'extend_bytes': (16384, 0, 0, 'NULL', 0, 0),
           'fsyncs': (1, 100, 100, 0, 4, 100),
           'op_bytes': (8192,) * 6}
# In bytes, syncs: of client backends and autovacuum.
BACKEND_WRITTEN, BACKEND_SYNCS = 15 * 8192, 1


def of_version(view, version):
    """The columns; None: it does not have the view."""
    known = [v for v in SHAPES[view] if v <= version]
    text = SHAPES[view][max(known)]
    return text.split() if text else None


def columns_of(pg, database, view):
    return pg.run('psql', '-X', '-A', '-t', '-d', database, '-c',
                  "select attname from pg_attribute where attrelid = "
                  "to_regclass('pg_catalog.%s') and attnum > 0" % view).split()


def io_view(columns):
    rows = ['SELECT ' + ', '.join('%s AS %s' % (
        VALUES.get(c) or (repr(IO_ROWS[c][i]) if isinstance(
            IO_ROWS.get(c, (0,) * 6)[i], str) and IO_ROWS[c][i] != 'NULL'
            else '%s::int8' % IO_ROWS.get(c, (7,) * 6)[i]), c)
        for c in columns) for i in range(6)]
    return ' UNION ALL '.join(rows)


def reshape(pg, database, version):
    """The views of a version, in a database that nobody uses yet."""
    sql = ['SET allow_system_table_mods = on; SET search_path = pg_catalog;']
    for view in SHAPES:
        has = columns_of(pg, database, view)
        want = of_version(view, version)
        old = 'shape_' + view
        if has:
            sql.append('ALTER VIEW %s RENAME TO %s;' % (view, old))
        if want and view == 'pg_stat_io':
            sql.append('CREATE VIEW %s AS %s;' % (view, io_view(want)))
        elif want:
            sql.append('CREATE VIEW %s AS SELECT %s%s;' % (
                view, ', '.join(c if c in has else '%s AS %s' % (
                    VALUES.get(c, '7::int8'), c) for c in want),
                ' FROM ' + old if has else ''))
        sql.append('GRANT SELECT ON ALL TABLES IN SCHEMA pg_catalog '
                   'TO public;')
    pg.run('psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', database, '-c',
           ' '.join(sql))


def new_database(pg, version):
    """A database that looks like one of that version; its name."""
    name = 'v%d' % version
    pg.sql('CREATE DATABASE %s TEMPLATE template0' % name)
    reshape(pg, name, version)
    pg.run('psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', name, '-c', '''
        SET allow_system_table_mods = on; SET search_path = pg_catalog;
        ALTER FUNCTION version() RENAME TO shape_version;
        CREATE FUNCTION version() RETURNS text LANGUAGE sql STABLE AS
            $$ SELECT 'PostgreSQL %d.1 on x' $$;
        ALTER FUNCTION current_setting(text) RENAME TO shape_setting;
        CREATE FUNCTION current_setting(name text) RETURNS text
            LANGUAGE sql STABLE AS $$ SELECT CASE WHEN $1 =
            'server_version_num' THEN '%d' ELSE shape_setting($1) END $$'''
           % (version // 10000, version))
    gstest.equal(pg.run('psql', '-X', '-A', '-t', '-d', name, '-c', 'select '
                        "current_setting('server_version_num')").strip(),
                 str(version), 'the shape of a version')
    return name
