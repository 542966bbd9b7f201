/* SPDX-License-Identifier: Apache-2.0 */
#include "pg/queries.h"

#include <limits.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/scan.h"

#define ANY_VERSION INT_MAX

/* Microseconds of a time or an interval. */
#define USEC(t) "(extract(epoch from " t ")*1e6)::int8"

/* Busy ones first, in case there are more than the limit. */
#define ACTIVITY(columns, more, from) \
	"SELECT {all}pid, backend_start, usename, datname, " \
	"application_name, client_addr, client_hostname, client_port, state, " \
	"query_start, xact_start, state_change, backend_xid, {query}, " \
	columns "{end}, age(backend_xid) AS xid_age, " \
	"age(backend_xmin) AS xmin_age" more " FROM " from \
	" ORDER BY state = 'idle', pid"

#define ACTIVITY_WAITS "backend_type, wait_event_type, wait_event"

/* Each call blocks the lock manager for a moment: not for many sessions. */
#define BLOCKERS \
	", CASE WHEN wait_event_type = 'Lock' AND count(CASE WHEN " \
	"wait_event_type = 'Lock' THEN 1 END) OVER () <= 50 " \
	"THEN array_to_string(pg_blocking_pids(pid), ',') END AS blockers"

#define ACTIVITY_SESSION "sess_id"

#define GROUP_NAME ", nullif(rsgname, 'unknown') AS \"group\""

#define ACTIVITY_QUEUE "sess_id, \"group\""

/* Statements of superusers wait in no queue. */
#define JOIN_QUEUE \
	" LEFT JOIN (SELECT rolname, rsqname AS \"group\" FROM pg_roles " \
	"JOIN pg_resqueue ON pg_resqueue.oid = rolresqueue " \
	"WHERE NOT rolsuper) AS queue_of ON rolname = usename"

#define ACTIVITY_REASON "waiting, waiting_reason"

#define GROUP_WAIT ", " USEC("rsgqueueduration") " AS group_wait"

#define SEGMENT_CONTENT ", gp_execution_segment() AS content"

/* Rows of one object, each with whether a session waits for it. */
#define LOCKS(content, more, partition) \
	"SELECT " content " AS content, l.pid, locktype AS type, mode, " \
	"database, relation, page, tuple, virtualxid, " \
	"transactionid::text::bigint AS xid, classid, objid, objsubid, " \
	"virtualtransaction AS virtual_transaction, granted, fastpath, " \
	"CASE WHEN database IN (0, (SELECT oid FROM pg_database " \
	"WHERE datname = current_database())) " \
	"THEN relation::regclass::text END AS object, " \
	"d.datname AS database_name" more \
	" FROM (SELECT *, bool_or(NOT granted) OVER (PARTITION BY " partition \
	"locktype, database, relation, page, tuple, virtualxid, " \
	"transactionid::text, classid, objid, objsubid) AS awaited " \
	"FROM pg_locks) AS l LEFT JOIN pg_database d ON d.oid = l.database " \
	"WHERE awaited ORDER BY granted, pid"

/* The end of the WAL; on a cascading standby, the end of received WAL. */
#define WAL_HERE \
	"CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() " \
	"ELSE pg_current_wal_lsn() END"

#define LAG(diff, here, at, name) \
	"greatest(" diff "(" here ", " at "), 0)::int8 AS " name

#define REPLICATION(content, diff, here, suffix, from) \
	"SELECT " content " AS content, pid, " \
	"application_name AS application, host(client_addr) AS client_addr, " \
	"state, sync_state, " \
	LAG(diff, here, "sent" suffix, "sent_lag") ", " \
	LAG(diff, here, "write" suffix, "write_lag") ", " \
	LAG(diff, here, "flush" suffix, "flush_lag") ", " \
	LAG(diff, here, "replay" suffix, "replay_lag") " FROM " from

#define REPLICATION_VIEW(diff, suffix) \
	"SELECT gp_segment_id AS content, pid, " \
	"application_name AS application, host(client_addr) AS client_addr, " \
	"state, sync_state, " \
	LAG(diff, "sent" suffix, "write" suffix, "write_lag") ", " \
	LAG(diff, "sent" suffix, "flush" suffix, "flush_lag") ", " \
	LAG(diff, "sent" suffix, "replay" suffix, "replay_lag") \
	" FROM gp_stat_replication WHERE pid IS NOT NULL ORDER BY 1, 2"

#include "pg/stats_sql.h"

static const struct query table[] = {
#define QUERY(c, fl, min, max, need_, sent_, period_, deadline, limit_, sql_) \
	{ .collector = COLLECT_##c, .flavours = (fl), .min_version = (min), \
	    .max_version = (max), .need = (need_), \
	    .sent = (sent_), .period = (period_), .deadline_s = (deadline), \
	    .limit = (limit_), .sql = sql_ },
#include "pg/queries.def"
#undef QUERY
};

static bool is_met(enum need need, const struct server *s)
{
	switch (need) {
	case NEED_NOTHING:
		return true;
	case NEED_STATEMENTS:
		return s->statements;
	case NEED_GROUPS:
	case NEED_QUEUES:
		return need == s->manager;
	}
	return false;
}

static bool fits(const struct query *q, const struct server *s)
{
	return q->flavours & s->flavour && s->version_num >= q->min_version &&
	    s->version_num <= q->max_version && is_met(q->need, s);
}

const struct query *query_pick(enum collector_id c, const struct server *s,
	const struct query *after)
{
	const struct query *q = after ? after + 1 : table;

	for (; q < table + GS_LEN(table); q++) {
		if (q->collector == c && fits(q, s))
			return q;
	}
	return NULL;
}

/* A server may log each statement: blanks after commas and around operators are
 * only for readers of this file, and are removed. */
static void add_terse(struct buf *out, const char *sql, size_t len)
{
	char quote = 0;
	size_t i;

	for (i = 0; i < len; i++) {
		bool blank = sql[i] == ' ' && i > 0 && i + 1 < len &&
		    sql[i + 1] != '-';

		if (quote == sql[i])
			quote = 0;
		else if (!quote && (sql[i] == '\'' || sql[i] == '"'))
			quote = sql[i];
		if (blank && !quote && (strchr(",=<>(", sql[i - 1]) ||
		    strchr("=<>", sql[i + 1])))
			continue;
		buf_add_char(out, sql[i]);
	}
}

/* Puts the replacement of a {word}; returns the text after it. */
static const char *add_word(struct buf *out, const char *p,
	const struct query_form *f)
{
	const char *after = strchr(p, '}') + 1;

	if (span_starts(span_str(p), "{all}") && f->all) {
		buf_add_char(out, '*');
		after = strstr(p, "{end}") + strlen("{end}");
	} else if (span_starts(span_str(p), "{query}") && f->max_chars) {
		buf_printf(out, "left(query,%zu)AS query", f->max_chars);
	} else if (span_starts(span_str(p), "{query}")) {
		buf_add_str(out, "NULL::text AS query");
	} else if (span_starts(span_str(p), "{blockers}") && f->blockers) {
		add_terse(out, BLOCKERS, strlen(BLOCKERS));
	} else if (span_starts(span_str(p), "{statements}")) {
		buf_printf(out, "%s.pg_stat_statements(%s)", f->statements,
		    f->max_chars && f->texts ? "true" : "false");
	}
	return after;
}

void query_sql(const struct query *q, const struct query_form *f,
	struct buf *out)
{
	const char *p = q->sql;

	buf_reset(out);
	while (*p) {
		size_t len = strcspn(p, "{");

		add_terse(out, p, len);
		p += len;
		if (*p)
			p = add_word(out, p, f);
	}
	buf_printf(out, " LIMIT %zu", f->limit + 1);
}

bool query_has_blockers(const struct query *q)
{
	return strstr(q->sql, "{blockers}") != NULL;
}

int64_t query_period_ns(const struct query *q,
	const struct catalog_options *opt)
{
	switch (q->period) {
	case PERIOD_ACTIVITY:
		return opt->activity_ns;
	case PERIOD_LOCKS:
		return opt->locks_ns;
	case PERIOD_DISPATCH:
		return opt->dispatch_ns;
	case PERIOD_SELDOM:
		return 20 * opt->dispatch_ns;
	case PERIOD_TOPOLOGY:
	case PERIOD_STATS:
		return 10 * GS_NSEC_PER_SEC;
	case PERIOD_STATEMENTS:
		return 30 * GS_NSEC_PER_SEC;
	}
	return 0;
}
