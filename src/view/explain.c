/* SPDX-License-Identifier: Apache-2.0 */
#include "view/explain.h"

#include "base/compiler.h"
#include "base/scan.h"

/* Views that use a definition. */
#define TIMES "waits time_model system_event session_event query_event"
#define EVENTS "system_event session_event query_event"
#define ALL TIMES " histogram active"

/*
 * To add one: add a row in reading order; then tests/man/columns.py --refresh
 * writes it into the manual.  Terms are short, texts whole sentences.
 */
static const struct explain rows[] = {
	{ "sample", "Each answer of pg_stat_activity is a sample of all "
	    "backends. Its weight is the time since the sample before, by the "
	    "monotonic clock, but at most three intervals (of the recorder, or "
	    "of the query if that runs less often). Time beyond that is "
	    "without data: it is in no sum and no divisor, and is missing in "
	    "the covered time.", ALL },
	{ "active", "A backend is active if its state is active or fastpath "
	    "function call. A background process is active unless it is in a "
	    "wait of class Activity or in a timeout with which it paces itself "
	    "(CheckpointWriteDelay, VacuumDelay and the like). gpsnap's own "
	    "backends are never counted.", ALL },
	{ "class and event", "The server's wait_event_type and wait_event; "
	    "CPU* if there is none: on a CPU, runnable, or in code without "
	    "wait events. The state is checked first, then the event, as the "
	    "server does not change both at once. State idle is "
	    "Client:ClientRead, idle in transaction is IdleTx; these and the "
	    "class Activity are in parentheses, outside of DB time.", ALL },
	{ "time", "Of an event: the sum, over the samples, of the weight times "
	    "the number of backends that were seen in it.", TIMES },
	{ "sessions of Greenplum", "A session that is active for a second has "
	    "one second of time. If its coordinator process works, or has a "
	    "wait of its own (a lock, a queue, its client), the second counts "
	    "for that. If it waits for its executors, the second is split in "
	    "equal shares among executors that work (CPU*), wait for a disk "
	    "(IO) or for something outside of the session (Lock, Replication, "
	    "Queue, LWLock). An executor that waits for rows of others of its "
	    "session has no share. So if one of four executors is on a CPU and "
	    "three wait for its rows, CPU* gets the whole second; if one is on "
	    "a CPU and one waits for a lock, both get half. Only if all wait "
	    "for each other, the second counts for Motion: rows are being "
	    "sent. Shares add up to the sample's weight, so DB time and AAS "
	    "are unchanged. The event shown for the backend is a wait for a "
	    "lock, a standby or a queue, if any of its executors has one; else "
	    "the largest share.", ALL },
	{ "DB time", "The sum of the times of all events that are not idle, "
	    "and of CPU*, of the coordinator's backends. Classes add up to it, "
	    "and it is never more than the covered time times the number of "
	    "backends.", ALL },
	{ "parts of DB time", "Of clients, with their parallel workers; of "
	    "autovacuum; of other background processes: shown if not all of it "
	    "is of clients. IO workers are shown, too, outside of DB time.",
	    "time_model" },
	{ "AAS", "Average active sessions: time divided by the time that "
	    "samples cover.",
	    "waits time_model system_event session_event query_event" },
	{ "DB%, EVENT%, QUERY%", "Time divided by DB time; of a query and an "
	    "event, divided by all time of the event, and by all time of the "
	    "query. With --pid or --session, DB% is of the DB time of that "
	    "backend or session.", TIMES },
	{ "error", "A time from n samples has an error of about 1/sqrt(n) of "
	    "it, more if waits are longer than the interval: 10 % for 100 "
	    "samples. The mark ~ shows such an estimate. Sampling can't find "
	    "the number of waits, nor their average length: there is no such "
	    "column.", TIMES },
	{ "long waits", "An average over the waits that samples found is too "
	    "high: long waits are found more often.",
	    "system_event session_event query_event histogram" },
	{ "run", "Consecutive samples in which one backend did the same for "
	    "the same query. With r samples, w apart, the wait took more than "
	    "(r - 1) w and less than (r + 1) w. The number of runs is a lower "
	    "bound of the number of waits (WAITS). The time from the first to "
	    "the last sample of the longest run is a lower bound of the "
	    "longest wait (LONGEST).", EVENTS " histogram" },
	{ "lengths", "The histogram is of runs, from lower to upper bound; "
	    "waits shorter than the interval are in its first line if a sample "
	    "found them.", "histogram" },
	{ "since", "A backend is unchanged at least since the first sample of "
	    "the run (SINCE), and at most since its last change of state or "
	    "query (ATMOST).", "active" },
	{ "CPU*, split", "If the backend's process is recorded, its CPU time "
	    "in the same interval is on CPU, its time in the run queue is "
	    "runnable, and the rest is not known: waits without a name in the "
	    "server, and work at other instants than the sample's. Where "
	    "block IO is known, too, the rest is asleep. The time of Unknown "
	    "is split in the same way.",
	    "time_model" },
	{ "sessions and segments", "On Greenplum and Cloudberry a session "
	    "counts once: it is active if the coordinator's backend or an "
	    "executor is active. Time of segments' processes is not DB time "
	    "and has a column of its own (SEGAAS); it comes from their titles, "
	    "or from pg_stat_activity with --collect +segment_activity. "
	    "Segments are asked less often than the coordinator, so what a "
	    "sample of them saw counts until the next one.",
	    TIMES },
	{ "workers", "A parallel worker and an executor count for their "
	    "leader's session and query. IO workers serve backends that wait "
	    "meanwhile, and are not in DB time.",
	    "waits session_event query_event" },
	{ "query", "Queries are identified by the server's identifier, if it "
	    "has one; else by their recorded text, with literals masked; else, "
	    "from titles, by session, command counter and activity.",
	    "query_event" },
	{ "without a catalog", "If the database was not asked or does not "
	    "answer, titles show idle, idle in transaction, waits for a lock "
	    "(Lock), a resource queue or group (Queue) and a standby "
	    "(Replication); the state of the process shows whether an active "
	    "one runs (CPU*), waits for a disk (IO:BlockDevice; IO:SpillFile "
	    "if its temporary files changed meanwhile) or sleeps. If the "
	    "kernel shows the function in which it sleeps (wchan), that is a "
	    "semaphore (LWLock, as titles show waits for other locks), a "
	    "socket (Client; of an executor Motion:Coordinator), a pipe or a "
	    "child (IPC), or of an executor a message of others (Motion). All "
	    "other sleep is Unknown.", ALL },
	{ "Greenplum 6", "It has no wait events, but a flag and a reason: "
	    "Lock, Replication, resource group. It shows lock for a wait for a "
	    "resource queue, too: that is Queue if the title or pg_locks shows "
	    "it. Active backends without such a wait are classified by the "
	    "state of the process, as without a catalog.", ALL },
	{ "Queue", "Waits for a resource queue or group, also if the server "
	    "has classes ResourceQueue and ResourceGroup for them; the event "
	    "shows which.", ALL },
	{ "hosts", "Each host's samples have that host's own weights, as hosts "
	    "are not read at one instant. A missing host makes sums smaller, "
	    "never zero: holes are listed above the table.", TIMES },
	{ "windows", "All end at the end of the range. Each begins at the last "
	    "sample at or before its requested start.",
	    "waits time_model system_event session_event query_event histogram" },
};

bool explain_get(size_t i, struct explain *ret)
{
	if (i >= GS_LEN(rows))
		return false;
	*ret = rows[i];
	return true;
}

bool explain_is_of(const struct explain *x, const char *view)
{
	struct span all = span_str(x->views), word;

	while (scan_word(&all, &word)) {
		if (span_eq(word, view))
			return true;
	}
	return false;
}
