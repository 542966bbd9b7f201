#include "pg/queries.h"

#include <limits.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"

#define ANY_VERSION INT_MAX

/* Microseconds of a time or an interval. */
#define USEC(t) "(extract(epoch from " t ")*1e6)::int8"

/* Busy ones first, in case there are more than the limit. */
#define ACTIVITY(content, more, from) \
	"SELECT " content " AS content, pid, " \
	USEC("backend_start") " AS start, usename AS \"user\", " \
	"datname AS database, application_name AS application, " \
	"host(client_addr) AS client_addr, client_hostname AS client_host, " \
	"client_port, state, " USEC("query_start") " AS query_start, " \
	USEC("xact_start") " AS xact_start, " \
	USEC("state_change") " AS state_change, " \
	"backend_xid::text::int8 AS xid, age(backend_xid) AS xid_age, " \
	"age(backend_xmin) AS xmin_age, {query} AS query, " more \
	" FROM " from " ORDER BY coalesce(state, 'idle') = 'idle', pid"

#define ACTIVITY_WAITS \
	"backend_type AS type, wait_event_type AS wait_type, wait_event"

/* Each call stops all taking of locks for a moment: not for many. */
#define ACTIVITY_BLOCKERS \
	"CASE WHEN wait_event_type = 'Lock' AND count(CASE WHEN " \
	"wait_event_type = 'Lock' THEN 1 END) OVER () <= 50 " \
	"THEN array_to_string(pg_blocking_pids(pid), ',') END AS blockers"

#define ACTIVITY_SESSION \
	"sess_id AS session, nullif(rsgname, 'unknown') AS \"group\""

#define ACTIVITY_QUEUE \
	"sess_id AS session, rsqname AS \"group\""

/* Statements of superusers stand in no queue. */
#define JOIN_QUEUE \
	" LEFT JOIN (SELECT rolname, rsqname FROM pg_roles " \
	"JOIN pg_resqueue ON pg_resqueue.oid = rolresqueue " \
	"WHERE NOT rolsuper) AS queue_of ON rolname = usename"

#define ACTIVITY_REASON \
	"waiting, waiting_reason AS wait_type, " \
	USEC("rsgqueueduration") " AS group_wait"

#define ACTIVITY_GREENPLUM6 ACTIVITY_SESSION ", " ACTIVITY_REASON

/* Rows of one object, each with whether somebody waits for it. */
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

/* Where the log ends; on a standby that feeds others, what it has got. */
#define WAL_HERE \
	"CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() " \
	"ELSE pg_current_wal_lsn() END"

#define LAG(diff, here, at, name) \
	"greatest(" diff "(" here ", " at "), 0)::bigint AS " name

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

static const struct query table[] = {
#define QUERY(c, fl, min, max, need_, ent, sent_, period_, deadline, limit_, \
	sql_) \
	{ .collector = COLLECT_##c, .flavours = (fl), .min_version = (min), \
	    .max_version = (max), .need = (need_), .entity = ENTITY_##ent, \
	    .sent = (sent_), .period = (period_), .deadline_s = (deadline), \
	    .limit = (limit_), .sql = sql_ },
#include "pg/queries.def"
#undef QUERY
};

static bool fits(const struct query *q, const struct server *s)
{
	return q->flavours & s->flavour && s->version_num >= q->min_version &&
	    s->version_num <= q->max_version &&
	    (q->need == NEED_NOTHING || q->need == s->manager);
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

/* A server may log each statement: the blanks after commas, and around what
 * compares, are for who reads this. */
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

void query_sql(const struct query *q, size_t max_chars, size_t limit,
	struct buf *out)
{
	static const char place[] = "{query}";
	const char *p = strstr(q->sql, place);

	buf_reset(out);
	if (p) {
		add_terse(out, q->sql, (size_t)(p - q->sql));
		if (max_chars)
			buf_printf(out, "left(query, %zu)", max_chars);
		else
			buf_add_str(out, "NULL::text");
		p += sizeof(place) - 1;
	}
	add_terse(out, p ? p : q->sql, strlen(p ? p : q->sql));
	buf_printf(out, " LIMIT %zu", limit + 1);
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
		return 10 * GS_NSEC_PER_SEC;
	}
	return 0;
}
