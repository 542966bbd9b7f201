/* SPDX-License-Identifier: Apache-2.0 */
#include "record/host_conn.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "record/host_limits.h"

static void on_ready(void *arg);
static void on_answered(void *arg, const struct tick *t);
static void on_note(void *arg, const char *text);
static void on_down(void *arg, const struct gs_err *why);

struct host_conn *host_conn_new(struct host_conn_plan *plan, const char *name,
    const char *hostname, const char *address, const struct host_conn_ops *ops)
{
	struct host_conn *s = gs_calloc(1, sizeof(*s));
	struct agent_conn_ops lo = { .ready = on_ready, .answered = on_answered,
		.note = on_note, .down = on_down, .arg = s };
	int64_t now = gs_clock_mono_ns();

	s->plan = plan;
	s->ops = *ops;
	s->name = gs_strdup(name);
	s->hostname = gs_strdup(hostname);
	if (address && address[0] != '\0' && strcmp(address, hostname) != 0)
		s->address = gs_strdup(address);
	s->backoff_ms = HOST_CONN_BACKOFF_MIN_MS;
	s->events = event_limit_of(HOST_EVENTS_BURST, HOST_EVENTS_PER_S, now);
	s->notices = allowance_of(HOST_NOTICES_BURST, HOST_NOTICES_PER_S,
	    now);
	s->link = agent_conn_new(&plan->pool, s->name, &lo);
	(void)uv_timer_init(plan->pool.loop, &s->timer); /* can't fail */
	s->timer.data = s;
	s->timer_open = true;
	return s;
}

void host_conn_free(struct host_conn *s)
{
	if (!s)
		return;
	agent_conn_free(s->link);
	free(s->name);
	free(s->hostname);
	free(s->address);
	free(s->why);
	free(s->first_why);
	free(s->boot_id);
	free(s);
}

void host_conn_stop(struct host_conn *s)
{
	agent_conn_stop(s->link);
	s->state = HOST_CONN_IDLE;
	if (s->timer_open)
		uv_close((uv_handle_t *)&s->timer, NULL);
	s->timer_open = false;
}

const struct world *host_conn_world(const struct host_conn *s)
{
	return agent_conn_world(s->link);
}

uint64_t host_conn_agent_sum(const struct host_conn *s, unsigned col)
{
	const struct world *w = host_conn_world(s);
	const struct table *t;
	uint64_t sum = 0, v;
	size_t i;

	if (world_hosts(w) == 0)
		return 0;
	t = &world_host(w, 0)->table[ENTITY_AGENT];
	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i] && row_peek(t->slot[i], col, &v))
			sum += v;
	}
	return sum;
}

bool host_conn_is_up(const struct host_conn *s)
{
	return s->state == HOST_CONN_SAMPLING || s->state == HOST_CONN_LATE;
}

static void report(struct host_conn *s, enum event_kind kind, int64_t value,
	const char *text)
{
	s->ops.event(s->ops.arg, s, kind, value, text);
}

/* ---- connecting ------------------------------------------------------ */

static const char *target(const struct host_conn *s)
{
	return s->at_address ? s->address : s->hostname;
}

void host_conn_start(struct host_conn *s)
{
	s->state = HOST_CONN_QUEUED;
	s->ops.moved(s->ops.arg, s);
}

void host_conn_give_up(struct host_conn *s, const struct gs_err *why)
{
	agent_conn_drop(s->link);
	on_down(s, why);
}

static void on_silent(uv_timer_t *t);

static void set_silent(struct host_conn *s, uint64_t ms)
{
	s->silent_ns = gs_clock_mono_ns() + (int64_t)ms * GS_NSEC_PER_MSEC;
	(void)uv_timer_start(&s->timer, on_silent, ms, 0);
}

static void on_silent(uv_timer_t *t)
{
	struct host_conn *s = t->data;
	struct gs_err err;

	/* The recorder did not run: an unread answer may be there. */
	if (gs_clock_mono_ns() - s->silent_ns > HOST_CONN_STOOD_NS) {
		set_silent(s, HOST_CONN_STOOD_NS / GS_NSEC_PER_MSEC);
		return;
	}
	(void)gs_fail(&err, GS_E_GONE, "agent on %s: no answer for %llu s",
	    s->name, (unsigned long long)(s->plan->timeout_ms / 1000));
	host_conn_give_up(s, &err);
}

static void on_turn_over(uv_timer_t *t)
{
	struct host_conn *s = t->data;
	uint64_t ms = s->plan->timeout_ms;

	s->turn = false;
	set_silent(s, ms - GS_MIN(ms, HOST_CONN_TURN_MS));
	s->ops.moved(s->ops.arg, s);
}

static int start_link(struct host_conn *s, struct gs_err *err)
{
	const struct host_conn_plan *p = s->plan;
	enum deploy_want want = s->deploys ? DEPLOY_ALWAYS : p->want;
	char **argv;
	int r;

	if (s->local)
		return agent_conn_start(
		    s->link, p->local_argv, LINK_LOCAL, NULL, want, err);
	argv = remote_command_argv(&p->remote, target(s), "sh");
	r = agent_conn_start(s->link, argv, p->remote.has_agent ? LINK_SHELL
		: LINK_DIRECT, &p->deploy, want, err);
	remote_command_argv_free(argv);
	return r;
}

void host_conn_connect(struct host_conn *s)
{
	struct gs_err err;

	s->state = HOST_CONN_CONNECTING;
	s->turn = true;
	/* The first start of this host's own agent is not reported. */
	if (!s->connecting_reported && (!s->local || s->was_up))
		report(s, EVENT_HOST_CONNECTING, 0, target(s));
	s->connecting_reported = true;
	if (start_link(s, &err) < 0) {
		on_down(s, &err);
		return;
	}
	(void)uv_timer_start(&s->timer, on_turn_over, HOST_CONN_TURN_MS, 0);
}

static void on_ready(void *arg)
{
	struct host_conn *s = arg;

	(void)host_conn_request(s);
}

/* ---- answers --------------------------------------------------------- */

static const struct row *own_row(const struct world *w)
{
	return world_hosts(w) > 0 ? host_row(world_host(w, 0)) : NULL;
}

static void note_identity(struct host_conn *s)
{
	const struct world *w = host_conn_world(s);
	const struct row *r = own_row(w);
	struct span id;

	free(s->boot_id);
	s->boot_id = NULL;
	s->pid_ns = 0;
	if (!r)
		return;
	id = row_peek_text(w, r, COL(HOST, BOOT_ID));
	if (!span_empty(id))
		s->boot_id = gs_strndup(id.ptr, span_len(id));
	(void)row_peek(r, COL(HOST, PID_NS), &s->pid_ns);
}

static void note_mark(struct host_conn *s)
{
	const struct world *w = host_conn_world(s);
	const struct row *r = own_row(w);
	struct host_conn_mark *now = &s->mark[0];

	memmove(&s->mark[1], now, sizeof(s->mark) - sizeof(*now));
	*now = (struct host_conn_mark) { 0 };
	s->held_samples += s->held_for != NULL;
	if (!r)
		return;
	now->boot_ns = world_host(w, 0)->clock.boot_ns;
	now->known = row_peek(r, COL(HOST, CTXT), &now->switches) &&
	    row_peek(r, COL(HOST, INTR), &now->interrupts);
}

static void note_up(struct host_conn *s)
{
	s->turn = false;
	s->state = HOST_CONN_SAMPLING;
	s->up_ns = s->changed_ns = gs_clock_mono_ns();
	memset(s->mark, 0, sizeof(s->mark));
	s->has_twin = false;
	s->held_for = NULL;
	s->failed = s->connecting_reported = false;
	free(s->why);
	s->why = NULL;
	free(s->first_why);
	s->first_why = NULL;
	note_identity(s);
}

static void note_in_time(struct host_conn *s)
{
	int64_t ns = gs_clock_mono_ns() - s->late_ns;

	if (s->late_ns == 0 || s->state == HOST_CONN_LATE)
		return;
	s->late_ns = 0;
	report(s, EVENT_HOST_IN_TIME, ns, "answers in time again");
}

/* For the first answer the agent reads all files of all processes, which the
 * kernel may have to fetch first.  If that takes long, the counters are that
 * much later than the sample's clocks, and would lack in all that is counted
 * from there on.  The next answer comes at once, and is the first to be
 * recorded.  A captured tree has clocks and counters of one instant. */
static bool ask_again(struct host_conn *s, const struct tick *t)
{
	if (s->plan->pool.ignores_offset ||
	    t->block[0]->clock.rtt_ns <= HOST_CONN_SLOW_NS ||
	    !host_conn_request(s))
		return false;
	set_silent(s, s->plan->timeout_ms);
	return true;
}

static void on_answered(void *arg, const struct tick *t)
{
	struct host_conn *s = arg;
	bool first = !host_conn_is_up(s);

	(void)uv_timer_stop(&s->timer);
	note_in_time(s);
	if (first)
		note_up(s);
	note_mark(s);
	s->state = HOST_CONN_SAMPLING;
	s->fresh = !first || !ask_again(s, t);
	s->was_up = true;
	s->ops.answered(s->ops.arg, s, t);
}

static void on_note(void *arg, const char *text)
{
	report(arg, EVENT_NOTE, 0, text);
}

bool host_conn_request(struct host_conn *s)
{
	struct request req = s->plan->request;

	if (!s->local)
		req.n_pid = 0;
	return agent_conn_request(s->link, &req);
}

void host_conn_note_late(struct host_conn *s)
{
	int64_t ns = agent_conn_waiting_ns(s->link);
	uint64_t ms = s->plan->timeout_ms, passed;

	if (s->state != HOST_CONN_SAMPLING || ns == 0)
		return;
	s->state = HOST_CONN_LATE;
	passed = (uint64_t)(ns / GS_NSEC_PER_MSEC);
	set_silent(s, ms - GS_MIN(ms, passed));
	if (s->late_ns != 0)
		return;
	s->late_ns = gs_clock_mono_ns() - ns;
	report(s, EVENT_HOST_LATE, ns, "no answer in time");
}

/* ---- failures -------------------------------------------------------- */

static void on_pause_over(uv_timer_t *t)
{
	host_conn_start(t->data);
}

/* Hosts that failed together are not all tried again at the same time. */
static uint64_t with_jitter(struct host_conn_plan *p, uint64_t ms)
{
	p->random = p->random * UINT64_C(6364136223846793005) + 1;
	return ms * 3 / 4 + (p->random >> 33) % (ms / 2 + 1);
}

static void pause_then_retry(struct host_conn *s)
{
	s->state = HOST_CONN_RETRY;
	s->at_address = false;
	(void)uv_timer_start(&s->timer, on_pause_over,
	    with_jitter(s->plan, s->backoff_ms), 0);
	s->backoff_ms = GS_MIN(s->backoff_ms * 2, HOST_CONN_BACKOFF_MAX_MS);
}

/* The same failure is not reported again. */
static void report_down(struct host_conn *s, const char *why)
{
	if (!s->announced && s->why && strcmp(s->why, why) == 0)
		return;
	free(s->why);
	s->why = gs_strdup(why);
	s->announced = false;
	report(s, EVENT_HOST_DOWN, 0, s->why);
}

/* Tries another way to connect, without a pause. */
static bool try_otherwise(struct host_conn *s, const struct gs_err *why)
{
	if (!s->local && s->plan->remote.has_agent && !s->deploys &&
	    s->plan->want == DEPLOY_AUTO && agent_conn_wants_deploy(s->link)) {
		s->deploys = true;
		return true;
	}
	if (s->local || s->announced || s->at_address || !s->address)
		return false;
	s->at_address = true;
	free(s->first_why);
	s->first_why = gs_strdup(why->msg);
	return true;
}

static void on_down(void *arg, const struct gs_err *why)
{
	struct host_conn *s = arg;
	struct gs_err both = *why;

	(void)uv_timer_stop(&s->timer);
	s->turn = false;
	s->late_ns = 0;
	s->lost |= s->announced;
	s->fresh = false;
	if (try_otherwise(s, why)) {
		host_conn_start(s);
		return;
	}
	if (s->at_address && s->first_why)
		(void)gs_fail(&both, why->status, "%s; as %s: %s",
		    s->first_why, s->address, why->msg);
	if (s->announced && gs_clock_mono_ns() - s->up_ns > HOST_CONN_STEADY_NS)
		s->backoff_ms = HOST_CONN_BACKOFF_MIN_MS;
	s->status = both.status;
	if (!s->failed)
		s->changed_ns = gs_clock_mono_ns();
	s->failed = true;
	pause_then_retry(s);
	report_down(s, both.msg);
	s->ops.moved(s->ops.arg, s);
}

static void leave(struct host_conn *s)
{
	agent_conn_drop(s->link);
	(void)uv_timer_stop(&s->timer);
	s->turn = s->fresh = false;
	s->late_ns = 0;
	s->lost |= s->announced;
	s->announced = s->connecting_reported = false;
	s->held_for = NULL;
}

void host_conn_be_alias(struct host_conn *s, struct host_conn *of)
{
	leave(s);
	s->state = HOST_CONN_ALIAS;
	s->same = of;
	s->ops.moved(s->ops.arg, s);
}

void host_conn_remove(struct host_conn *s)
{
	leave(s);
	s->state = HOST_CONN_IDLE;
	s->removed = true;
	s->same = NULL;
	s->ops.moved(s->ops.arg, s);
}

/* ---- telling --------------------------------------------------------- */

enum host_conn_news host_conn_fetch_news(struct host_conn *s)
{
	if (s->lost) {
		s->lost = s->framed = false;
		return HOST_CONN_IS_LOST;
	}
	if (!s->fresh || s->held_for)
		return HOST_CONN_NO_NEWS;
	s->fresh = false;
	s->framed = true;
	return HOST_CONN_IS_FRESH;
}
