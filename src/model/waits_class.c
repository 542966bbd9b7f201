/*
 * waits_class.c - one sample of one backend: idle, on a CPU, or waiting for
 * what.
 *
 * The state comes first, then the wait: the server does not read them
 * atomically, and an idle backend may show the wait that it just ended.
 */
#include "model/waits_int.h"

#include "base/compiler.h"

/* Sleeps by which background processes pace themselves: not work. */
static const char *const pacing[] = {
	"BaseBackupThrottle", "CheckpointWriteDelay", "CheckpointerMain",
	"RecoveryApplyDelay", "RecoveryRetrieveRetryInterval", "VacuumDelay",
	"WalSummarizerError",
};

/* Greenplum 6 knows reasons, not events. */
static const struct {
	const char *reason, *class;
} reasons[] = {
	{ "lock", "Lock" },
	{ "replication", "Replication" },
	{ "resgroup", "ResGroup" },
	{ "resqueue", "ResQueue" },
};

static bool is_pacing(struct span class, struct span event)
{
	size_t i;

	if (!span_eq(class, "Timeout"))
		return false;
	for (i = 0; i < GS_LEN(pacing); i++) {
		if (span_eq(event, pacing[i]))
			return true;
	}
	return false;
}

static void say(struct wait_what *ret, enum wait_kind kind,
	struct span class, struct span event)
{
	*ret = (struct wait_what) { kind, class, event };
}

static void say_cpu(struct wait_what *ret)
{
	say(ret, WAIT_CPU, span_str("CPU*"), span_str(""));
}

/* Before wait events there was a flag, and on Greenplum a reason. */
static void classify_flag(const struct world *w, const struct row *r,
	const struct row *process, bool waits, struct wait_what *ret)
{
	struct span reason = row_text(w, r, COL(BACKEND, WAIT_TYPE));
	uint64_t state;
	size_t i;

	if (!waits) {
		say_cpu(ret);
		if (process && row_get(process, COL(PROCESS, STATE), &state) &&
		    state == 'D')
			say(ret, WAIT_EVENT, span_str("IO"),
			    span_str("BlockDevice"));
		return;
	}
	say(ret, WAIT_EVENT, span_empty(reason) ? span_str("Lock") : reason,
	    span_str(""));
	for (i = 0; i < GS_LEN(reasons); i++) {
		if (span_eq(reason, reasons[i].reason))
			ret->class = span_str(reasons[i].class);
	}
}

static void classify_active(const struct world *w, const struct row *r,
	const struct row *process, struct wait_what *ret)
{
	struct span class = row_text(w, r, COL(BACKEND, WAIT_TYPE));
	struct span event = row_text(w, r, COL(BACKEND, WAIT_EVENT));
	uint64_t waits;

	if (row_get(r, COL(BACKEND, WAITING), &waits))
		classify_flag(w, r, process, waits != 0, ret);
	else if (span_empty(class))
		say_cpu(ret);
	else if (span_eq(class, "Activity") || is_pacing(class, event))
		say(ret, WAIT_IDLE, class, event);
	else
		say(ret, WAIT_EVENT, class, event);
}

bool waits_classify(const struct world *w, const struct row *r,
	const struct row *process, struct wait_what *ret)
{
	struct span state = row_text(w, r, COL(BACKEND, STATE));
	struct span type = row_text(w, r, COL(BACKEND, TYPE));
	bool client = span_empty(type) || span_eq(type, "client backend") ||
	    span_eq(type, "parallel worker");

	if (span_eq(row_text(w, r, COL(BACKEND, APPLICATION)), "gpsnap"))
		return false;
	if (!client) {
		classify_active(w, r, process, ret);
		return true;
	}
	if (span_eq(state, "active") ||
	    span_eq(state, "fastpath function call")) {
		classify_active(w, r, process, ret);
		return true;
	}
	if (span_starts(state, "idle in transaction")) {
		say(ret, WAIT_IDLE_TX, span_str("IdleTx"), span_str(""));
		return true;
	}
	if (span_eq(state, "idle")) {
		say(ret, WAIT_IDLE, span_str("Client"),
		    span_str("ClientRead"));
		return true;
	}
	/* Nobody may see it, or track_activities is off. */
	return false;
}
