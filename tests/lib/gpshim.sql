-- gpshim.sql - makes one database of a PostgreSQL server look like a Greenplum
-- 6 coordinator to those who read its catalog: names, columns and types of
-- what gpsnap asks for, not what they mean.
--
--   psql -X -v ON_ERROR_STOP=1 -f gpshim.sql
--
-- Tests fill gp_segment_configuration, gpshim.session (session ids, and whose
-- pid it says it has; else a backend's pid is its session),
-- gpshim.segment_lock, gpshim.resgroup, gpshim.setting.  gp_dist_random() has
-- one row per primary.  Where gpshim.option.dispatch is true, whatever
-- Greenplum would send to segments first connects to each primary, by address
-- and port, and hangs as long as one of them does.
SET allow_system_table_mods = on;
SET client_min_messages = warning;
SET search_path = pg_catalog;

CREATE SCHEMA gpshim;
CREATE TABLE gpshim.option (dispatch boolean, version text, version_num text);
INSERT INTO gpshim.option VALUES (false,
    'PostgreSQL 9.4.26 (Greenplum Database 6.24.0 build commit:0) on '
    'x86_64-unknown-linux-gnu, compiled by gcc', '90426');
CREATE TABLE gpshim.session (pid int, sess_id int, shown int);
CREATE TABLE gpshim.setting (name text, setting text);
INSERT INTO gpshim.setting VALUES ('gp_resource_manager', 'group'),
    ('gp_vmem_protect_limit', '8192');
CREATE TABLE gpshim.resgroup (rsgname name, groupid oid, num_running int,
    num_queueing int, num_queued int, num_executed int,
    total_queue_duration interval, concurrency text, cpu_rate_limit text,
    memory_limit text);
INSERT INTO gpshim.resgroup VALUES
    ('default_group', 6437, 2, 1, 7, 40, '00:00:01.5', '20', '30', '0'),
    ('admin_group', 6438, 1, 0, 0, 90, '0', '10', '10', '10');
CREATE TABLE gp_segment_configuration (dbid smallint, content smallint,
    role "char", preferred_role "char", mode "char", status "char",
    port int, hostname text, address text, datadir text);
CREATE TABLE gp_id (gpname name, numsegments smallint, dbid smallint,
    content smallint);

-- ---- version and settings ----------------------------------------------

-- The server calls its own functions by number, whatever replaces them.
ALTER FUNCTION version() RENAME TO gpshim_version;
CREATE FUNCTION version() RETURNS text LANGUAGE sql STABLE AS
    $$ SELECT version FROM gpshim.option $$;
ALTER FUNCTION current_setting(text) RENAME TO gpshim_setting;
CREATE FUNCTION current_setting(name text) RETURNS text
    LANGUAGE sql STABLE AS $$ SELECT CASE WHEN $1 = 'server_version_num'
    THEN (SELECT version_num FROM gpshim.option)
    ELSE gpshim_setting($1) END $$;
ALTER VIEW pg_settings RENAME TO gpshim_settings;
CREATE VIEW pg_settings AS SELECT * FROM gpshim_settings UNION ALL
    SELECT name, setting, NULL, 'Greenplum', NULL, NULL, 'postmaster',
    'string', 'configuration file', NULL, NULL, NULL, NULL, NULL, NULL,
    NULL, false FROM gpshim.setting;

-- ---- roles and queues ---------------------------------------------------

CREATE TABLE pg_resqueue (oid oid, rsqname name);
INSERT INTO pg_resqueue VALUES (6055, 'pg_default'), (16400, 'reports');
CREATE TABLE gpshim.role_queue (rolname name, queue oid);
ALTER VIEW pg_roles RENAME TO gpshim_roles;
CREATE VIEW pg_roles AS SELECT r.*, coalesce(q.queue, 6055) AS rolresqueue
    FROM gpshim_roles r LEFT JOIN gpshim.role_queue q USING (rolname);

-- ---- what is sent to segments ------------------------------------------

DO $do$ BEGIN
    CREATE EXTENSION dblink SCHEMA gpshim;
EXCEPTION WHEN OTHERS THEN
    CREATE FUNCTION gpshim.dblink(text, text) RETURNS SETOF record
        LANGUAGE plpgsql AS 'BEGIN RAISE ''no dblink here''; END';
END $do$;

CREATE FUNCTION gpshim.reach() RETURNS boolean LANGUAGE plpgsql VOLATILE
    SECURITY DEFINER AS
$$
DECLARE s record;
BEGIN
    IF NOT (SELECT dispatch FROM gpshim.option) THEN
        RETURN true;
    END IF;
    FOR s IN SELECT address, port FROM gp_segment_configuration
        WHERE content >= 0 AND role = 'p' LOOP
        PERFORM * FROM gpshim.dblink(format(
            'host=%s port=%s dbname=postgres application_name=gpshim',
            s.address, s.port), 'SELECT 1') AS t(one int);
    END LOOP;
    RETURN true;
END $$;

-- ---- activity ----------------------------------------------------------

ALTER VIEW pg_stat_activity RENAME TO gpshim_activity;
CREATE VIEW pg_stat_activity AS
    SELECT a.datid, a.datname, coalesce(s.shown, a.pid) AS pid,
        coalesce(s.sess_id, a.pid) AS sess_id, a.usesysid, a.usename,
        a.application_name, a.client_addr, a.client_hostname, a.client_port,
        a.backend_start, a.xact_start, a.query_start, a.state_change,
        coalesce(a.wait_event_type = 'Lock', false) AS waiting, a.state,
        a.backend_xid, a.backend_xmin, a.query,
        CASE WHEN a.wait_event_type = 'Lock' THEN 'lock' END
            AS waiting_reason,
        0::oid AS rsgid, CASE WHEN a.usename = 'postgres' THEN 'unknown'
            ELSE 'default_group' END AS rsgname,
        CASE WHEN a.usename <> 'postgres' THEN '00:00:02.25'::interval END
            AS rsgqueueduration
    FROM gpshim_activity a LEFT JOIN gpshim.session s ON s.pid = a.pid
    WHERE a.datid IS NOT NULL AND a.usename IS NOT NULL;

-- ---- locks -------------------------------------------------------------

ALTER VIEW pg_locks RENAME TO gpshim_locks;
CREATE TABLE gpshim.segment_lock AS
    SELECT locktype, database, relation, page, tuple, virtualxid,
        transactionid, classid, objid, objsubid, virtualtransaction, pid,
        mode, granted, fastpath, pid AS mppsessionid, granted AS mppiswriter,
        pid AS gp_segment_id FROM gpshim_locks WHERE false;
CREATE VIEW pg_locks AS
    SELECT l.locktype, l.database, l.relation, l.page, l.tuple, l.virtualxid,
        l.transactionid, l.classid, l.objid, l.objsubid,
        l.virtualtransaction, l.pid, l.mode, l.granted, l.fastpath,
        coalesce(s.sess_id, l.pid) AS mppsessionid, true AS mppiswriter,
        -1 AS gp_segment_id
    FROM gpshim_locks l LEFT JOIN gpshim.session s ON s.pid = l.pid
    WHERE gpshim.reach()
    UNION ALL SELECT * FROM gpshim.segment_lock;

-- ---- replication -------------------------------------------------------

ALTER VIEW pg_stat_replication RENAME TO gpshim_replication;
CREATE VIEW pg_stat_replication AS
    SELECT pid, usesysid, usename, application_name, client_addr,
        client_hostname, client_port, backend_start, backend_xmin, state,
        sent_lsn AS sent_location, write_lsn AS write_location,
        flush_lsn AS flush_location, replay_lsn AS replay_location,
        sync_priority, sync_state
    FROM gpshim_replication;
CREATE VIEW gp_stat_replication AS
    SELECT content::int AS gp_segment_id,
        CASE WHEN status = 'u' THEN 300000 + content END AS pid,
        'gp_walreceiver'::text AS application_name,
        '127.0.0.1'::inet AS client_addr, 'streaming'::text AS state,
        '0/3000000'::pg_lsn AS sent_location,
        '0/3000000'::pg_lsn AS write_location,
        '0/2FFFF00'::pg_lsn AS flush_location,
        '0/2FFFE00'::pg_lsn AS replay_location, 'sync'::text AS sync_state,
        'none'::text AS sync_error
    FROM gp_segment_configuration WHERE role = 'm';
CREATE FUNCTION pg_xlog_location_diff(pg_lsn, pg_lsn) RETURNS numeric
    LANGUAGE sql STABLE STRICT AS 'SELECT pg_wal_lsn_diff($1, $2)';
CREATE FUNCTION pg_current_xlog_location() RETURNS pg_lsn
    LANGUAGE sql VOLATILE AS 'SELECT pg_current_wal_lsn()';
CREATE FUNCTION pg_last_xlog_receive_location() RETURNS pg_lsn
    LANGUAGE sql VOLATILE AS 'SELECT pg_last_wal_receive_lsn()';

-- ---- gp_dist_random ----------------------------------------------------
-- A function can't have the columns of whatever table it is given, so it has
-- the columns of all.  gp_execution_segment() tells the segments of the rows
-- of the last gp_dist_random(), one after the other, then -1.

CREATE TYPE gpshim.anything AS (
    -- pg_stat_activity
    datname name, pid int, sess_id int, usename name, application_name text,
    client_addr inet, client_hostname text, client_port int,
    backend_start timestamptz, xact_start timestamptz,
    query_start timestamptz, state_change timestamptz, waiting boolean,
    state text, backend_xid xid, backend_xmin xid, query text,
    waiting_reason text, rsgname text, rsgqueueduration interval,
    -- pg_stat_replication
    sent_location pg_lsn, write_location pg_lsn, flush_location pg_lsn,
    replay_location pg_lsn, sync_state text,
    -- those of Greenplum 7 and Cloudberry
    wait_event_type text, wait_event text, backend_type text,
    sent_lsn pg_lsn, write_lsn pg_lsn, flush_lsn pg_lsn, replay_lsn pg_lsn,
    -- pg_settings
    name text, setting text,
    segment int);

CREATE FUNCTION gpshim.rows_of(what text, segment int)
    RETURNS SETOF gpshim.anything LANGUAGE plpgsql VOLATILE AS
$$
DECLARE r gpshim.anything;
BEGIN
    IF what = 'pg_stat_activity' THEN
        r := jsonb_populate_record(NULL::gpshim.anything, jsonb_build_object(
            'datname', 'postgres', 'pid', 100000 + segment, 'sess_id', 77,
            'usename', 'analyst', 'application_name', '',
            'backend_start', '2026-01-01 00:00:00+00', 'state', 'active',
            'waiting', false, 'query', 'select 1 from t1',
            'backend_type', 'client backend'));
    ELSIF what = 'pg_stat_replication' THEN
        r := jsonb_populate_record(NULL::gpshim.anything, jsonb_build_object(
            'pid', 200000 + segment, 'application_name', 'gp_walreceiver',
            'client_addr', '127.0.0.1', 'state', 'streaming',
            'sync_state', 'sync',
            'sent_location', pg_current_wal_lsn() - 100,
            'write_location', pg_current_wal_lsn() - 200,
            'flush_location', pg_current_wal_lsn() - 300,
            'replay_location', pg_current_wal_lsn() - 400,
            'sent_lsn', pg_current_wal_lsn() - 100,
            'write_lsn', pg_current_wal_lsn() - 200,
            'flush_lsn', pg_current_wal_lsn() - 300,
            'replay_lsn', pg_current_wal_lsn() - 400));
    END IF;
    IF what = 'pg_settings' THEN
        -- a segment has more than the coordinator's 100
        r := jsonb_populate_record(NULL::gpshim.anything, jsonb_build_object(
            'name', 'max_connections', 'setting', 150 + segment));
    END IF;
    r.segment := segment;
    RETURN NEXT r;
END $$;

CREATE FUNCTION gp_dist_random(what text) RETURNS SETOF gpshim.anything
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS
$$
DECLARE s int; todo text := '';
BEGIN
    PERFORM gpshim.reach();
    FOR s IN SELECT content FROM gp_segment_configuration
        WHERE content >= 0 AND role = 'p' ORDER BY content LOOP
        RETURN QUERY SELECT * FROM gpshim.rows_of(what, s);
        todo := todo || s || ',';
    END LOOP;
    PERFORM set_config('gpshim.todo', todo, false);
END $$;

CREATE FUNCTION gp_execution_segment() RETURNS int LANGUAGE plpgsql VOLATILE
    AS
$$
DECLARE todo text := current_setting('gpshim.todo', true);
BEGIN
    IF todo IS NULL OR todo = '' THEN
        RETURN -1;
    END IF;
    PERFORM set_config('gpshim.todo',
        substr(todo, strpos(todo, ',') + 1), false);
    RETURN split_part(todo, ',', 1)::int;
END $$;

-- ---- toolkit -----------------------------------------------------------

CREATE SCHEMA gp_toolkit;
CREATE VIEW gp_toolkit.gp_resgroup_status AS
    SELECT rsgname, groupid, num_running, num_queueing, num_queued,
        num_executed, total_queue_duration, '{}'::json AS cpu_usage,
        '{}'::json AS memory_usage
    FROM gpshim.resgroup WHERE gpshim.reach();
CREATE VIEW gp_toolkit.gp_resgroup_config AS
    SELECT groupid, rsgname AS groupname, concurrency, cpu_rate_limit,
        memory_limit, '80'::text AS memory_shared_quota,
        '0'::text AS memory_spill_ratio, 'vmtracker'::text AS memory_auditor,
        '-1'::text AS cpuset
    FROM gpshim.resgroup;
CREATE TABLE gp_toolkit.gp_resqueue_status (queueid oid, rsqname name,
    rsqcountlimit int, rsqcountvalue int, rsqcostlimit real,
    rsqcostvalue real, rsqmemorylimit real, rsqmemoryvalue real,
    rsqwaiters int, rsqholders int);
INSERT INTO gp_toolkit.gp_resqueue_status VALUES
    (6055, 'pg_default', 20, 7, -1, 6.87621e+06, -1, 6.58506e+08, 2, 7);
CREATE VIEW gp_toolkit.gp_workfile_entries AS
    SELECT 'postgres'::name AS datname, 100 AS pid, 77 AS sess_id,
        3 AS command_cnt, 'analyst'::name AS usename, 'select 1'::text AS
        query, content::int AS segid, 2 AS slice, 'Sort'::text AS optype,
        (1000000 + content)::bigint AS size, 1 AS numfiles,
        'Sort_1'::text AS prefix
    FROM gp_segment_configuration
    WHERE content >= 0 AND role = 'p' AND gpshim.reach();

CREATE SCHEMA session_state;
CREATE VIEW session_state.session_level_memory_consumption AS
    SELECT a.datname, a.sess_id, a.usename, a.query, c.content::int AS segid,
        16 + c.content AS vmem_mb, false AS is_runaway, 2 AS qe_count,
        1 AS active_qe_count, 0 AS dirty_qe_count, 0 AS runaway_vmem_mb,
        0 AS runaway_command_cnt, a.backend_start AS idle_start
    FROM pg_stat_activity a, gp_segment_configuration c
    WHERE c.role = 'p' AND gpshim.reach();

GRANT USAGE ON SCHEMA gpshim, gp_toolkit, session_state TO public;
GRANT SELECT ON ALL TABLES IN SCHEMA gpshim, gp_toolkit, session_state,
    pg_catalog TO public;
