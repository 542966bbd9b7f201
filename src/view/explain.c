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
	    "backends. It stands for the time since the sample before, by the "
	    "monotonic clock, its weight; but for no more than three intervals "
	    "(of the recorder, or of the question if that is asked less "
	    "often). What is beyond is no data: in no sum, in no divisor, and "
	    "missing in the time covered.", ALL },
	{ "active", "A backend is active if its state is active or fastpath "
	    "function call. A background process is, unless it is in a wait "
	    "of class Activity or in one of the timeouts by which it paces "
	    "itself (CheckpointWriteDelay, VacuumDelay and the like). "
	    "gpsnap's own backends are never counted.", ALL },
	{ "class and event", "The server's wait_event_type and wait_event; "
	    "CPU* where it names none: on a CPU, runnable, or in code that "
	    "tells nothing. The state is looked at first, then the event, as "
	    "the server does not change both at once. State idle is "
	    "Client:ClientRead, idle in transaction is IdleTx; these and the "
	    "class Activity stand in parentheses, outside of DB time.", ALL },
	{ "time", "Of an event: the sum, over the samples, of the weight times "
	    "the number of backends that were seen in it.", TIMES },
	{ "sessions of Greenplum", "A session that is at work for a second has "
	    "one second of time. Where its coordinator process works, or waits "
	    "for something of its own (a lock, a queue, its client), the "
	    "second is its own. Where it waits for its executors, the second is "
	    "theirs, in equal shares: of those that work (CPU*), wait for a "
	    "disk (IO) or for what is outside of the session (Lock, "
	    "Replication, Queue, LWLock). An executor that waits for rows of "
	    "others of its session has no share: it passes its time on to "
	    "them. So of four executors, of which one is on a CPU and three "
	    "wait for its rows, CPU* gets the whole second; if one was on a "
	    "CPU and one waited for a lock, both get half. Only if all wait "
	    "for each other, it is Motion's: rows are on their way. Shares add "
	    "up to the sample's weight, so that DB time and AAS stay whole. "
	    "The backend is shown by a wait for a lock, a standby or a queue, "
	    "if any of its executors is in one; else by the largest share.",
	    ALL },
	{ "DB time", "The sum of the times of all events that are not idle, "
	    "and of CPU*: waits, work and all, of the coordinator's backends. "
	    "Classes add up to it, and it is never more than the time covered "
	    "times the number of backends.", ALL },
	{ "whose DB time", "Of clients, with their parallel workers; of "
	    "autovacuum; of other processes in the background: shown where "
	    "it is not all of clients. IO workers are shown beside it.",
	    "time_model" },
	{ "AAS", "Active sessions on average: time divided by the time that "
	    "samples cover.", "waits time_model system_event session_event "
	    "query_event" },
	{ "DB%, EVENT%, QUERY%", "Time by DB time; of a query and an event, "
	    "by all time of the event, and by all time of the query. Of what "
	    "--pid or --session asks for, DB% is of its own DB time.", TIMES },
	{ "error", "A time that n samples made is off by about 1/sqrt(n) of "
	    "it, more where waits outlast the interval: 100 samples tell 10 "
	    "%. What is marked ~ is such an estimate. How many waits there "
	    "were, and how long they took on average, no sampling tells: "
	    "there is no such column.", TIMES },
	{ "long waits", "Whoever averages the lengths of waits that samples "
	    "found has too many long ones: they are found more often.",
	    "system_event session_event query_event histogram" },
	{ "run", "A row of samples in which one backend did the same for the "
	    "same query. Of r samples, w apart, the wait took more than "
	    "(r - 1) w and less than (r + 1) w. The number of runs is the "
	    "least number of waits (WAITS), the time from the first to the "
	    "last sample of the longest the least that a wait took "
	    "(LONGEST).", EVENTS " histogram" },
	{ "lengths", "The histogram is of runs, from lower to upper bound; "
	    "what is shorter than the interval is in its first line if a "
	    "sample met it at all.", "histogram" },
	{ "since", "A backend does the same at least since the first sample "
	    "of the run (SINCE), and at most since its last change of state "
	    "or query (ATMOST).", "active" },
	{ "CPU*, split", "Where the backend's process is recorded, its CPU "
	    "time in the same interval is on CPU, its time in the run queue "
	    "runnable, and the rest not known: waits that the server does not "
	    "name, and work of other instants than the sample's.",
	    "time_model" },
	{ "sessions and segments", "On Greenplum and Cloudberry a session "
	    "counts once: sessions at work are those of which the "
	    "coordinator's backend or an executor was active. What processes "
	    "of segments did is no DB time and stands beside it (SEGAAS), by "
	    "their titles, or by pg_stat_activity where --collect "
	    "+segment_activity asks for that.", TIMES },
	{ "workers", "A parallel worker and an executor work for their "
	    "leader's session and query. IO workers serve backends that wait "
	    "meanwhile and are not in DB time.", "waits session_event "
	    "query_event" },
	{ "query", "By the server's identifier, where it has one; else by its "
	    "text as recorded, where literals are masked; else, by titles, "
	    "by session, command counter and activity.", "query_event" },
	{ "without a catalog", "Where the database was not asked or does not "
	    "answer, titles tell idle, idle in transaction, waits for a lock "
	    "(Lock), a resource queue or group (Queue) and a standby "
	    "(Replication); the state of the process tells whether what is "
	    "active runs (CPU*), waits for a disk (IO:BlockDevice; "
	    "IO:SpillFile if its temporary files changed meanwhile) or sleeps. "
	    "Where the kernel tells in which function it sleeps (wchan), that "
	    "is a semaphore (LWLock, as waits for other locks stand in "
	    "titles), a socket (Client; of an executor Motion:Coordinator), a "
	    "pipe or a child (IPC), or of an executor a message of others "
	    "(Motion). All other sleep is Unknown.", ALL },
	{ "Greenplum 6", "It has no wait events, but a flag and a reason: "
	    "Lock, Replication, resource group. It says lock of who waits for "
	    "a resource queue, too: that is Queue if the title or pg_locks "
	    "says so. What is active and waits for none of these is told apart "
	    "by the state of its process, as without a catalog.", ALL },
	{ "Queue", "Waits for a resource queue or group, also where the server "
	    "has classes ResourceQueue and ResourceGroup for them; the event "
	    "says which.", ALL },
	{ "hosts", "Each host's samples have that host's own weights, as "
	    "hosts are not read at one instant. A host that is missing makes "
	    "sums smaller, never zero: holes are listed above the table.",
	    TIMES },
	{ "windows", "All end at the end of the range. Each begins at the "
	    "last sample at or before its edge.", "waits time_model "
	    "system_event session_event query_event histogram" },
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
