/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_tables.c - the tables of a page.  To add one: its columns, a row of
 * page_tables[], and a tab in web/tabs.js.  To add a column: a row here.
 */
#include "report/page_tables.h"

#include "base/compiler.h"

#define KEY(NAME) { NAME, PAGE_KEY, NULL, false }
#define TEXT(NAME) { NAME, PAGE_TEXT, NULL, false }
#define SUM(NAME) { NAME, PAGE_SUM, NULL, false }
#define SUM_RANKS(NAME) { NAME, PAGE_SUM, NULL, true }
#define RATE(NAME) { NAME, PAGE_RATE, NULL, false }
#define RATE_RANKS(NAME) { NAME, PAGE_RATE, NULL, true }
#define PER(NAME, OF) { NAME, PAGE_PER, OF, false }
#define MEAN(NAME, OF) { NAME, PAGE_MEAN, OF, false }
#define LAST(NAME) { NAME, PAGE_LAST, NULL, false }
#define LAST_RANKS(NAME) { NAME, PAGE_LAST, NULL, true }
#define MOST(NAME) { NAME, PAGE_MAX, NULL, false }
#define MOST_RANKS(NAME) { NAME, PAGE_MAX, NULL, true }
#define COVER { "covered", PAGE_COVER, NULL, false }
#define LEAST(NAME) { NAME, PAGE_MIN, NULL, false }

static const struct page_col waits[] = {
	KEY("stat"), KEY("server"), SUM("seconds"),
	PER("sessions", "seconds"), SUM("samples"),
};

static const struct page_col backends[] = {
	KEY("session"), KEY("server"), KEY("pid"), KEY("segment"),
	TEXT("type"), TEXT("user"), TEXT("database"), TEXT("application"),
	SUM_RANKS("seconds"), TEXT("top_wait"),
};

static const struct page_col wait_queries[] = {
	KEY("query_id"), KEY("server"), KEY("event"), KEY("query"),
	SUM_RANKS("seconds"), SUM("waits"),
};

#define WORK \
	PER("cpu_percent", "cpu_seconds"), SUM_RANKS("cpu_seconds"), \
	LAST("memory"), MOST_RANKS("memory_peak"), \
	RATE_RANKS("io_bytes_per_second")

static const struct page_col sessions[] = {
	KEY("session"), KEY("server"), KEY("os_host"), TEXT("command"),
	TEXT("user"),
	TEXT("database"), TEXT("application"), TEXT("client"), TEXT("state"),
	LAST("age_seconds"), WORK, LAST_RANKS("spill"), TEXT("blocker"),
	LAST("xact_age_seconds"), RATE("run_queue_percent"), TEXT("text"),
	COVER,
};

static const struct page_col queries[] = {
	KEY("query"), KEY("server"), KEY("os_host"), TEXT("command"),
	TEXT("user"),
	TEXT("database"), TEXT("state"), TEXT("began"), LAST("age_seconds"),
	WORK, LAST_RANKS("spill"), TEXT("blocker"), TEXT("text"), COVER,
};

static const struct page_col processes[] = {
	KEY("pid"), KEY("host"), TEXT("state"), TEXT("session"), TEXT("user"),
	TEXT("ended"), WORK, RATE("run_queue_percent"), TEXT("command"),
	TEXT("title"), COVER,
};

static const struct page_col parts[] = {
	KEY("user"), KEY("database"), KEY("host"), KEY("segment"),
	KEY("command"), SUM_RANKS("cpu_seconds"),
};

static const struct page_col hosts[] = {
	KEY("host"), TEXT("state"), SUM("own_covered_seconds"),
	RATE("busy_percent"), RATE("user_percent"), RATE("system_percent"),
	RATE("iowait_percent"), RATE("steal_percent"), LAST("run_queue"),
	MOST("run_queue_peak"), LAST("blocked"), LAST("load1"),
	LAST("memory_available"), LAST("mem_total"), RATE("swap_bytes_per_second"),
	MOST("worst_disk_await_ms"),
	MOST("worst_disk_util_percent"), RATE("retransmits_per_second"),
	RATE("cpu_pressure_percent"), RATE("memory_pressure_percent"),
	RATE("io_pressure_percent"),
};

static const struct page_col disks[] = {
	KEY("host"), KEY("disk"), RATE_RANKS("reads_per_second"),
	RATE("writes_per_second"), RATE("read_bytes_per_second"),
	RATE_RANKS("write_bytes_per_second"),
	MEAN("await_ms", "reads_per_second+writes_per_second"), RATE("queue"),
	RATE_RANKS("util_percent"), COVER,
};

static const struct page_col nets[] = {
	KEY("host"), KEY("net"), RATE_RANKS("rx_bytes_per_second"),
	RATE_RANKS("tx_bytes_per_second"), RATE("rx_packets_per_second"),
	RATE("tx_packets_per_second"), RATE("rx_errors_per_second"),
	RATE("tx_errors_per_second"), RATE("rx_drops_per_second"),
	RATE("tx_drops_per_second"), COVER,
};

static const struct page_col filesystems[] = {
	KEY("host"), KEY("mount"), TEXT("device"), TEXT("type"), LAST("size"),
	LAST("available"), LAST("available_percent"),
};

static const struct page_col locks[] = {
	KEY("root"), KEY("session"), KEY("server"), KEY("pid"), KEY("host"),
	KEY("mode"), KEY("object"), KEY("segment"), TEXT("state"),
	LAST("xact_age_seconds"), LAST("waited_seconds"), LAST_RANKS("blocks"),
	TEXT("user"), TEXT("database"), TEXT("application"), TEXT("cycle"),
	LAST("depth"), { "place", PAGE_PLACE, NULL, false }, TEXT("query"),
};

static const struct page_col matrix[] = {
	KEY("session"), KEY("server"), KEY("slice"), KEY("segment"),
	KEY("host"), SUM_RANKS("cpu_seconds"),
};

#define COLS(TABLE) .col = TABLE, .n_col = GS_LEN(TABLE)

const struct page_table page_tables[] = {
	{ .name = "sessions", .view = "sessions", .title = "Sessions",
	    COLS(sessions), .first = true, .by_id = true },
	{ .name = "queries", .view = "queries", .title = "Queries",
	    COLS(queries), .by_id = true },
	{ .name = "locks", .view = "locks", .title = "Locks", COLS(locks) },
	{ .name = "waits", .view = "time_model", .title = "Waits",
	    COLS(waits), .first = true, .whole = true },
	{ .name = "processes", .view = "processes", .title = "Processes",
	    COLS(processes), .by_id = true },
	{ .name = "disks", .view = "disks", .title = "Disks", COLS(disks) },
	{ .name = "nets", .view = "nets", .title = "Network", COLS(nets) },
	{ .name = "filesystems", .view = "filesystems",
	    .title = "File systems", COLS(filesystems) },
	{ .name = "hosts", .view = "hosts", .title = "Hosts", COLS(hosts),
	    .metric = "mem_total", .first = true, .whole = true,
	    .by_name = true },
	{ .name = "matrix", .view = "matrix", .title = "Skew",
	    COLS(matrix) },
	{ .name = "backends", .view = "session_event", COLS(backends) },
	{ .name = "wait_queries", .view = "query_event",
	    COLS(wait_queries) },
	{ .name = "parts", .view = "processes", COLS(parts),
	    .key = { LABEL_USER, LABEL_DATABASE, LABEL_HOST, LABEL_SEGMENT,
	        LABEL_COMMAND }, .n_key = 5, .first = true },
};

const size_t n_page_tables = GS_LEN(page_tables);

const char *page_rule_name(enum page_rule r)
{
	static const char *const name[] = { "key", "text", "sum", "rate",
		"per", "mean", "last", "place", "cover", "max", "min" };

	return name[r];
}
