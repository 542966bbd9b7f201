-- Tables by which Greenplum and Cloudberry read recordings themselves, on all
-- segment hosts in parallel and without loading them.  Made by
--
--     gpsnap load --print external --schema gpsnap_files /data/gpsnap
--
-- /data/gpsnap is a directory of recordings on each host; a host that has none
-- gives no rows.  gpsnap must be in the PATH of the database's user there.
-- For recordings on the coordinator alone replace ON HOST by ON MASTER
-- (Greenplum 6) or ON COORDINATOR.
CREATE SCHEMA "gpsnap_files";

CREATE EXTERNAL WEB TABLE "gpsnap_files"."sessions" (
	"step" timestamptz,
	"session" text,
	"server" text,
	"command" text,
	"user" text,
	"database" text,
	"client" text,
	"state" text,
	"age_seconds" double precision,
	"cpu_percent" double precision,
	"cpu_seconds" double precision,
	"memory" double precision,
	"memory_peak" double precision,
	"io_bytes_per_second" double precision,
	"spill" double precision,
	"skew" double precision,
	"blocker" text,
	"wait_segments" text,
	"xact_age_seconds" double precision,
	"application" text,
	"group" text,
	"read_bytes_per_second" double precision,
	"write_bytes_per_second" double precision,
	"run_queue_percent" double precision,
	"faults_per_second" double precision,
	"context_switches_per_second" double precision,
	"user_percent" double precision,
	"system_percent" double precision,
	"major_faults_per_second" double precision,
	"io_delay_percent" double precision,
	"threads" double precision,
	"processes" double precision,
	"hosts" double precision,
	"syscalls_per_second" double precision,
	"cancelled_bytes_per_second" double precision,
	"swap" double precision,
	"read_chars_per_second" double precision,
	"write_chars_per_second" double precision,
	"title" text,
	"text" text
) EXECUTE '[ -e ''/data/gpsnap'' ] || exit 0; gpsnap replay ''/data/gpsnap'' -V sessions --every 1m --limit 0 -f csv; [ $? -le 1 ]'
ON HOST FORMAT 'csv' (HEADER NEWLINE 'CRLF') ENCODING 'UTF8';

CREATE EXTERNAL WEB TABLE "gpsnap_files"."queries" (
	"step" timestamptz,
	"query" text,
	"server" text,
	"session" text,
	"command" text,
	"user" text,
	"database" text,
	"state" text,
	"began" timestamptz,
	"age_seconds" double precision,
	"cpu_percent" double precision,
	"cpu_seconds" double precision,
	"memory" double precision,
	"memory_peak" double precision,
	"io_bytes_per_second" double precision,
	"spill" double precision,
	"skew" double precision,
	"blocker" text,
	"wait_segments" text,
	"xact_age_seconds" double precision,
	"application" text,
	"group" text,
	"read_bytes_per_second" double precision,
	"write_bytes_per_second" double precision,
	"run_queue_percent" double precision,
	"faults_per_second" double precision,
	"context_switches_per_second" double precision,
	"user_percent" double precision,
	"system_percent" double precision,
	"major_faults_per_second" double precision,
	"io_delay_percent" double precision,
	"threads" double precision,
	"hosts" double precision,
	"syscalls_per_second" double precision,
	"cancelled_bytes_per_second" double precision,
	"swap" double precision,
	"read_chars_per_second" double precision,
	"write_chars_per_second" double precision,
	"title" text,
	"text" text
) EXECUTE '[ -e ''/data/gpsnap'' ] || exit 0; gpsnap replay ''/data/gpsnap'' -V queries --every 1m --limit 0 -f csv; [ $? -le 1 ]'
ON HOST FORMAT 'csv' (HEADER NEWLINE 'CRLF') ENCODING 'UTF8';

CREATE EXTERNAL WEB TABLE "gpsnap_files"."processes" (
	"step" timestamptz,
	"pid" bigint,
	"host" text,
	"server" text,
	"state" text,
	"session" text,
	"user" text,
	"started" timestamptz,
	"ended" timestamptz,
	"cpu_percent" double precision,
	"cpu_seconds" double precision,
	"memory" double precision,
	"memory_peak" double precision,
	"io_bytes_per_second" double precision,
	"spill" double precision,
	"read_bytes_per_second" double precision,
	"write_bytes_per_second" double precision,
	"run_queue_percent" double precision,
	"faults_per_second" double precision,
	"context_switches_per_second" double precision,
	"user_percent" double precision,
	"system_percent" double precision,
	"major_faults_per_second" double precision,
	"io_delay_percent" double precision,
	"threads" double precision,
	"rss" double precision,
	"syscalls_per_second" double precision,
	"cancelled_bytes_per_second" double precision,
	"swap" double precision,
	"read_chars_per_second" double precision,
	"write_chars_per_second" double precision,
	"parent" bigint,
	"nice" bigint,
	"processor" bigint,
	"command" text,
	"title" text
) EXECUTE '[ -e ''/data/gpsnap'' ] || exit 0; gpsnap replay ''/data/gpsnap'' -V processes --every 1m --limit 0 -f csv; [ $? -le 1 ]'
ON HOST FORMAT 'csv' (HEADER NEWLINE 'CRLF') ENCODING 'UTF8';

CREATE EXTERNAL WEB TABLE "gpsnap_files"."segments" (
	"step" timestamptz,
	"segment" bigint,
	"server" text,
	"role" text,
	"preferred_role" text,
	"mode" text,
	"status" text,
	"host" text,
	"port" bigint,
	"pid" bigint,
	"dbid" bigint,
	"cpu_percent" double precision,
	"cpu_seconds" double precision,
	"memory" double precision,
	"memory_peak" double precision,
	"io_bytes_per_second" double precision,
	"read_bytes_per_second" double precision,
	"write_bytes_per_second" double precision,
	"run_queue_percent" double precision,
	"faults_per_second" double precision,
	"context_switches_per_second" double precision,
	"user_percent" double precision,
	"system_percent" double precision,
	"major_faults_per_second" double precision,
	"io_delay_percent" double precision,
	"threads" double precision,
	"spill" double precision,
	"processes" double precision,
	"syscalls_per_second" double precision,
	"cancelled_bytes_per_second" double precision,
	"swap" double precision,
	"read_chars_per_second" double precision,
	"write_chars_per_second" double precision,
	"datadir" text
) EXECUTE '[ -e ''/data/gpsnap'' ] || exit 0; gpsnap replay ''/data/gpsnap'' -V segments --every 1m --limit 0 -f csv; [ $? -le 1 ]'
ON HOST FORMAT 'csv' (HEADER NEWLINE 'CRLF') ENCODING 'UTF8';

CREATE EXTERNAL WEB TABLE "gpsnap_files"."skew" (
	"step" timestamptz,
	"query" text,
	"server" text,
	"session" text,
	"command" text,
	"user" text,
	"database" text,
	"state" text,
	"cpu_seconds" double precision,
	"max_seconds" double precision,
	"average_seconds" double precision,
	"excess_seconds" double precision,
	"skew" double precision,
	"imbalance_percent" double precision,
	"hot" text,
	"busy" text,
	"absent_segments" double precision
) EXECUTE '[ -e ''/data/gpsnap'' ] || exit 0; gpsnap replay ''/data/gpsnap'' -V skew --every 1m --limit 0 -f csv; [ $? -le 1 ]'
ON HOST FORMAT 'csv' (HEADER NEWLINE 'CRLF') ENCODING 'UTF8';

CREATE EXTERNAL WEB TABLE "gpsnap_files"."spill" (
	"step" timestamptz,
	"session" text,
	"query" text,
	"server" text,
	"user" text,
	"host" text,
	"segment" bigint,
	"pid" bigint,
	"state" text,
	"operator" text,
	"spill" double precision,
	"spill_peak" double precision,
	"files" double precision
) EXECUTE '[ -e ''/data/gpsnap'' ] || exit 0; gpsnap replay ''/data/gpsnap'' -V spill --every 1m --limit 0 -f csv; [ $? -le 1 ]'
ON HOST FORMAT 'csv' (HEADER NEWLINE 'CRLF') ENCODING 'UTF8';

CREATE EXTERNAL WEB TABLE "gpsnap_files"."connections" (
	"step" timestamptz,
	"segment" bigint,
	"server" text,
	"role" text,
	"host" text,
	"port" bigint,
	"pid" bigint,
	"used" double precision,
	"active" double precision,
	"waiting" double precision,
	"idle_in_transaction" double precision,
	"aborted" double precision,
	"idle" double precision,
	"other" double precision,
	"max_connections" double precision,
	"reserved" double precision,
	"left" double precision,
	"new_per_second" double precision
) EXECUTE '[ -e ''/data/gpsnap'' ] || exit 0; gpsnap replay ''/data/gpsnap'' -V connections --every 1m --limit 0 -f csv; [ $? -le 1 ]'
ON HOST FORMAT 'csv' (HEADER NEWLINE 'CRLF') ENCODING 'UTF8';

CREATE EXTERNAL WEB TABLE "gpsnap_files"."hosts" (
	"step" timestamptz,
	"host" text,
	"state" text,
	"own_covered_seconds" double precision,
	"busy_percent" double precision,
	"user_percent" double precision,
	"system_percent" double precision,
	"iowait_percent" double precision,
	"steal_percent" double precision,
	"idle_percent" double precision,
	"nice_percent" double precision,
	"softirq_percent" double precision,
	"run_queue" double precision,
	"run_queue_peak" double precision,
	"blocked" double precision,
	"load1" double precision,
	"memory_available" double precision,
	"commit_percent" double precision,
	"swap_bytes_per_second" double precision,
	"worst_disk" text,
	"worst_disk_await_ms" double precision,
	"worst_disk_util_percent" double precision,
	"retransmits_per_second" double precision,
	"udp_buffer_errors_per_second" double precision,
	"reassembly_failures_per_second" double precision,
	"listen_drops_per_second" double precision,
	"cpu_pressure_percent" double precision,
	"memory_pressure_percent" double precision,
	"io_pressure_percent" double precision,
	"context_switches_per_second" double precision,
	"forks_per_second" double precision,
	"oom_kills_per_second" double precision,
	"open_files" double precision
) EXECUTE '[ -e ''/data/gpsnap'' ] || exit 0; gpsnap replay ''/data/gpsnap'' -V hosts --every 1m --limit 0 -f csv; [ $? -le 1 ]'
ON HOST FORMAT 'csv' (HEADER NEWLINE 'CRLF') ENCODING 'UTF8';

CREATE EXTERNAL WEB TABLE "gpsnap_files"."disks" (
	"step" timestamptz,
	"host" text,
	"disk" text,
	"reads_per_second" double precision,
	"writes_per_second" double precision,
	"read_bytes_per_second" double precision,
	"write_bytes_per_second" double precision,
	"await_ms" double precision,
	"read_await_ms" double precision,
	"write_await_ms" double precision,
	"queue" double precision,
	"util_percent" double precision,
	"merged_per_second" double precision,
	"discards_per_second" double precision,
	"flushes_per_second" double precision
) EXECUTE '[ -e ''/data/gpsnap'' ] || exit 0; gpsnap replay ''/data/gpsnap'' -V disks --every 1m --limit 0 -f csv; [ $? -le 1 ]'
ON HOST FORMAT 'csv' (HEADER NEWLINE 'CRLF') ENCODING 'UTF8';

CREATE EXTERNAL WEB TABLE "gpsnap_files"."nets" (
	"step" timestamptz,
	"host" text,
	"net" text,
	"rx_bytes_per_second" double precision,
	"tx_bytes_per_second" double precision,
	"rx_packets_per_second" double precision,
	"tx_packets_per_second" double precision,
	"rx_errors_per_second" double precision,
	"tx_errors_per_second" double precision,
	"rx_drops_per_second" double precision,
	"tx_drops_per_second" double precision
) EXECUTE '[ -e ''/data/gpsnap'' ] || exit 0; gpsnap replay ''/data/gpsnap'' -V nets --every 1m --limit 0 -f csv; [ $? -le 1 ]'
ON HOST FORMAT 'csv' (HEADER NEWLINE 'CRLF') ENCODING 'UTF8';

CREATE EXTERNAL WEB TABLE "gpsnap_files"."filesystems" (
	"step" timestamptz,
	"host" text,
	"mount" text,
	"device" text,
	"type" text,
	"disk" text,
	"size" double precision,
	"free" double precision,
	"available" double precision,
	"available_percent" double precision,
	"inodes_free" double precision
) EXECUTE '[ -e ''/data/gpsnap'' ] || exit 0; gpsnap replay ''/data/gpsnap'' -V filesystems --every 1m --limit 0 -f csv; [ $? -le 1 ]'
ON HOST FORMAT 'csv' (HEADER NEWLINE 'CRLF') ENCODING 'UTF8';

CREATE EXTERNAL WEB TABLE "gpsnap_files"."system_event" (
	"step" timestamptz,
	"event" text,
	"server" text,
	"seconds" double precision,
	"db_percent" double precision,
	"query_percent" double precision,
	"sessions" double precision,
	"segment_processes" double precision,
	"samples" double precision,
	"waits" double precision,
	"longest_seconds" double precision
) EXECUTE '[ -e ''/data/gpsnap'' ] || exit 0; gpsnap replay ''/data/gpsnap'' -V system_event --every 1m --limit 0 -f csv; [ $? -le 1 ]'
ON HOST FORMAT 'csv' (HEADER NEWLINE 'CRLF') ENCODING 'UTF8';

CREATE EXTERNAL WEB TABLE "gpsnap_files"."session_event" (
	"step" timestamptz,
	"pid" bigint,
	"server" text,
	"session" text,
	"segment" bigint,
	"type" text,
	"user" text,
	"database" text,
	"application" text,
	"seconds" double precision,
	"db_percent" double precision,
	"cpu_percent" double precision,
	"wait_percent" double precision,
	"process_cpu_percent" double precision,
	"process_io_bytes_per_second" double precision,
	"process_memory" double precision,
	"top_wait" text
) EXECUTE '[ -e ''/data/gpsnap'' ] || exit 0; gpsnap replay ''/data/gpsnap'' -V session_event --every 1m --limit 0 -f csv; [ $? -le 1 ]'
ON HOST FORMAT 'csv' (HEADER NEWLINE 'CRLF') ENCODING 'UTF8';

CREATE EXTERNAL WEB TABLE "gpsnap_files"."query_event" (
	"step" timestamptz,
	"query_id" text,
	"server" text,
	"event" text,
	"seconds" double precision,
	"db_percent" double precision,
	"event_percent" double precision,
	"query_percent" double precision,
	"segment_processes" double precision,
	"waits" double precision,
	"query" text
) EXECUTE '[ -e ''/data/gpsnap'' ] || exit 0; gpsnap replay ''/data/gpsnap'' -V query_event --every 1m --limit 0 -f csv; [ $? -le 1 ]'
ON HOST FORMAT 'csv' (HEADER NEWLINE 'CRLF') ENCODING 'UTF8';

CREATE EXTERNAL WEB TABLE "gpsnap_files"."events" (
	"step" timestamptz,
	"time" timestamptz,
	"event" text,
	"host" text,
	"value" bigint,
	"text" text
) EXECUTE '[ -e ''/data/gpsnap'' ] || exit 0; gpsnap replay ''/data/gpsnap'' -V events --every 1m --limit 0 -f csv; [ $? -le 1 ]'
ON HOST FORMAT 'csv' (HEADER NEWLINE 'CRLF') ENCODING 'UTF8';
