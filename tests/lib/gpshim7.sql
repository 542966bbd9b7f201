-- gpshim7.sql - after gpshim.sql: the shapes of Greenplum 7 (PostgreSQL 12),
-- and with -v cloudberry=1 of Cloudberry 2 (PostgreSQL 14).
SET allow_system_table_mods = on;
SET client_min_messages = warning;
SET search_path = pg_catalog;

UPDATE gpshim.option SET version = CASE WHEN :cloudberry = 1
    THEN 'PostgreSQL 14.4 (Apache Cloudberry 2.0.0-incubating build 1) on x'
    ELSE 'PostgreSQL 12.12 (Greenplum Database 7.1.0 build 1) on x' END,
    version_num = CASE WHEN :cloudberry = 1 THEN '140004' ELSE '120012' END;

DROP VIEW session_state.session_level_memory_consumption;
DROP VIEW pg_stat_activity;
CREATE VIEW pg_stat_activity AS
    SELECT a.*, coalesce(s.sess_id, a.pid) AS sess_id, 0::oid AS rsgid,
        'default_group'::text AS rsgname
    FROM gpshim_activity a LEFT JOIN gpshim.session s ON s.pid = a.pid;

DROP VIEW pg_locks;
CREATE VIEW pg_locks AS
    SELECT l.*, coalesce(s.sess_id, l.pid) AS mppsessionid,
        true AS mppiswriter, -1 AS gp_segment_id
    FROM gpshim_locks l LEFT JOIN gpshim.session s ON s.pid = l.pid
    WHERE gpshim.reach();

DROP VIEW pg_stat_replication;
ALTER VIEW gpshim_replication RENAME TO pg_stat_replication;
DROP FUNCTION pg_xlog_location_diff(pg_lsn, pg_lsn);
DROP FUNCTION pg_current_xlog_location();
DROP FUNCTION pg_last_xlog_receive_location();

DROP VIEW gp_toolkit.gp_resgroup_status, gp_toolkit.gp_resgroup_config;
CREATE VIEW gp_toolkit.gp_resgroup_status AS
    SELECT groupid, rsgname AS groupname, num_running, num_queueing,
        num_queued, num_executed, total_queue_duration
    FROM gpshim.resgroup WHERE gpshim.reach();
CREATE VIEW gp_toolkit.gp_resgroup_config AS
    SELECT groupid, rsgname AS groupname, concurrency,
        cpu_rate_limit AS cpu_max_percent, '100'::text AS cpu_weight,
        '-1'::text AS cpuset, '-1'::text AS memory_quota,
        '0'::text AS min_cost, '-1'::text AS io_limit
    FROM gpshim.resgroup;

-- What the older of the two has not.
SELECT :cloudberry = 0 AS older \gset
\if :older
DROP VIEW pg_stat_activity;
CREATE VIEW pg_stat_activity AS
    SELECT datid, datname, a.pid, coalesce(s.sess_id, a.pid) AS sess_id,
        usesysid, usename, application_name, client_addr, client_hostname,
        client_port, backend_start, xact_start, query_start, state_change,
        wait_event_type, wait_event, state, backend_xid, backend_xmin, query,
        backend_type, 0::oid AS rsgid, 'default_group'::text AS rsgname
    FROM gpshim_activity a LEFT JOIN gpshim.session s ON s.pid = a.pid;
DROP VIEW pg_locks;
CREATE VIEW pg_locks AS
    SELECT locktype, database, relation, page, tuple, virtualxid,
        transactionid, classid, objid, objsubid, virtualtransaction, l.pid,
        mode, granted, fastpath, coalesce(s.sess_id, l.pid) AS mppsessionid,
        true AS mppiswriter, -1 AS gp_segment_id
    FROM gpshim_locks l LEFT JOIN gpshim.session s ON s.pid = l.pid
    WHERE gpshim.reach();
\endif
GRANT SELECT ON ALL TABLES IN SCHEMA gp_toolkit, pg_catalog TO public;
