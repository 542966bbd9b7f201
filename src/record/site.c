#include "record/site.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

static void on_ready(void *arg);
static void on_answered(void *arg, const struct tick *t);
static void on_down(void *arg, const struct gs_err *why);

struct site *site_new(struct site_plan *plan, const char *name,
	const char *hostname, const char *address, const struct site_ops *ops)
{
	struct site *s = gs_calloc(1, sizeof(*s));
	struct link_ops lo = { .ready = on_ready, .answered = on_answered,
		.down = on_down, .arg = s };

	s->plan = plan;
	s->ops = *ops;
	s->name = gs_strdup(name);
	s->hostname = gs_strdup(hostname);
	if (address && address[0] != '\0' && strcmp(address, hostname) != 0)
		s->address = gs_strdup(address);
	s->backoff_ms = SITE_BACKOFF_MIN_MS;
	s->link = link_new(&plan->pool, s->name, &lo);
	if (plan->ignores_offset)
		link_ignore_offset(s->link);
	(void)uv_timer_init(plan->pool.loop, &s->timer); /* can't fail */
	s->timer.data = s;
	s->timer_open = true;
	return s;
}

void site_free(struct site *s)
{
	if (!s)
		return;
	link_free(s->link);
	free(s->name);
	free(s->hostname);
	free(s->address);
	free(s->why);
	free(s->first_why);
	free(s->boot_id);
	free(s);
}

void site_stop(struct site *s)
{
	link_stop(s->link);
	s->state = SITE_IDLE;
	if (s->timer_open)
		uv_close((uv_handle_t *)&s->timer, NULL);
	s->timer_open = false;
}

const struct world *site_world(const struct site *s)
{
	return link_world(s->link);
}

bool site_is_up(const struct site *s)
{
	return s->state == SITE_SAMPLING || s->state == SITE_LATE;
}

static void tell(struct site *s, enum event_kind kind, int64_t value,
	const char *text)
{
	s->ops.event(s->ops.arg, s, kind, value, text);
}

/* ---- connecting ------------------------------------------------------ */

static const char *target(const struct site *s)
{
	return s->at_address ? s->address : s->hostname;
}

void site_start(struct site *s)
{
	s->state = SITE_QUEUED;
	s->ops.moved(s->ops.arg, s);
}

static void on_silent(uv_timer_t *t)
{
	struct site *s = t->data;
	struct gs_err err;

	(void)gs_fail(&err, GS_E_GONE, "agent on %s: no answer for %llu s",
	    s->name, (unsigned long long)(s->plan->timeout_ms / 1000));
	link_drop(s->link);
	on_down(s, &err);
}

static void on_turn_over(uv_timer_t *t)
{
	struct site *s = t->data;
	uint64_t ms = s->plan->timeout_ms;

	s->turn = false;
	(void)uv_timer_start(t, on_silent, ms - GS_MIN(ms, SITE_TURN_MS), 0);
	s->ops.moved(s->ops.arg, s);
}

static int start_link(struct site *s, struct gs_err *err)
{
	const struct site_plan *p = s->plan;
	enum deploy_want want = s->deploys ? DEPLOY_ALWAYS : p->want;
	char **argv;
	int r;

	if (s->local)
		return link_start(s->link, p->local_argv, LINK_LOCAL, NULL,
		    want, err);
	argv = carrier_argv(&p->carrier, target(s), "sh");
	r = link_start(s->link, argv, p->carrier.has_agent ? LINK_SHELL
		: LINK_DIRECT, &p->deploy, want, err);
	carrier_argv_free(argv);
	return r;
}

void site_connect(struct site *s)
{
	struct gs_err err;

	s->state = SITE_CONNECTING;
	s->turn = true;
	/* Of this host's own agent the first start is nothing to tell. */
	if (!s->told && (!s->local || s->was_up))
		tell(s, EVENT_HOST_CONNECTING, 0, target(s));
	s->told = true;
	if (start_link(s, &err) < 0) {
		on_down(s, &err);
		return;
	}
	(void)uv_timer_start(&s->timer, on_turn_over, SITE_TURN_MS, 0);
}

static void on_ready(void *arg)
{
	struct site *s = arg;

	s->ops.ready(s->ops.arg, s);
}

/* ---- answers --------------------------------------------------------- */

static void note_identity(struct site *s)
{
	const struct world *w = site_world(s);
	const struct row *r = world_hosts(w) > 0 ? host_row(world_host(w, 0))
	                                         : NULL;
	struct span id;

	free(s->boot_id);
	s->boot_id = NULL;
	s->pid_ns = 0;
	if (!r)
		return;
	id = row_text(w, r, COL(HOST, BOOT_ID));
	if (!span_empty(id))
		s->boot_id = gs_strndup(id.ptr, span_len(id));
	(void)row_get(r, COL(HOST, PID_NS), &s->pid_ns);
}

static void note_up(struct site *s)
{
	s->turn = false;
	s->state = SITE_SAMPLING;
	s->up_ns = s->changed_ns = gs_clock_mono_ns();
	s->failed = s->told = false;
	free(s->why);
	s->why = NULL;
	free(s->first_why);
	s->first_why = NULL;
	note_identity(s);
}

static void on_answered(void *arg, const struct tick *t)
{
	struct site *s = arg;

	(void)uv_timer_stop(&s->timer);
	if (!site_is_up(s))
		note_up(s);
	s->state = SITE_SAMPLING;
	s->fresh = true;
	s->was_up = true;
	s->ops.answered(s->ops.arg, s, t);
}

bool site_request(struct site *s, uint32_t with, uint32_t busiest)
{
	return link_request(s->link, with, busiest);
}

void site_note_late(struct site *s)
{
	int64_t ns = link_waiting_ns(s->link);
	uint64_t ms = s->plan->timeout_ms, passed;

	if (s->state != SITE_SAMPLING || ns == 0)
		return;
	s->state = SITE_LATE;
	passed = (uint64_t)(ns / GS_NSEC_PER_MSEC);
	(void)uv_timer_start(&s->timer, on_silent, ms - GS_MIN(ms, passed),
	    0);
	tell(s, EVENT_HOST_LATE, ns, "no answer in time");
}

/* ---- failures -------------------------------------------------------- */

static void on_pause_over(uv_timer_t *t)
{
	site_start(t->data);
}

/* Hosts that failed together are not all tried again together. */
static uint64_t with_jitter(struct site_plan *p, uint64_t ms)
{
	p->random = p->random * UINT64_C(6364136223846793005) + 1;
	return ms * 3 / 4 + (p->random >> 33) % (ms / 2 + 1);
}

static void pause_then_retry(struct site *s)
{
	s->state = SITE_RETRY;
	s->at_address = false;
	(void)uv_timer_start(&s->timer, on_pause_over,
	    with_jitter(s->plan, s->backoff_ms), 0);
	s->backoff_ms = GS_MIN(s->backoff_ms * 2, SITE_BACKOFF_MAX_MS);
}

/* The same failure again is no news. */
static void tell_down(struct site *s, const char *why)
{
	if (!s->announced && s->why && strcmp(s->why, why) == 0)
		return;
	free(s->why);
	s->why = gs_strdup(why);
	s->announced = false;
	tell(s, EVENT_HOST_DOWN, 0, s->why);
}

/* Another way to reach it, without a pause. */
static bool try_otherwise(struct site *s, const struct gs_err *why)
{
	if (!s->local && s->plan->carrier.has_agent && !s->deploys &&
	    s->plan->want == DEPLOY_AUTO && link_wants_deploy(s->link)) {
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
	struct site *s = arg;
	struct gs_err both = *why;

	(void)uv_timer_stop(&s->timer);
	s->turn = false;
	s->lost |= s->announced;
	s->fresh = false;
	if (try_otherwise(s, why)) {
		site_start(s);
		return;
	}
	if (s->at_address && s->first_why)
		(void)gs_fail(&both, why->status, "%s; as %s: %s",
		    s->first_why, s->address, why->msg);
	if (s->announced && gs_clock_mono_ns() - s->up_ns >
	    (int64_t)s->backoff_ms * GS_NSEC_PER_MSEC)
		s->backoff_ms = SITE_BACKOFF_MIN_MS;
	s->status = both.status;
	if (!s->failed)
		s->changed_ns = gs_clock_mono_ns();
	s->failed = true;
	pause_then_retry(s);
	tell_down(s, both.msg);
	s->ops.moved(s->ops.arg, s);
}

static void leave(struct site *s)
{
	link_drop(s->link);
	(void)uv_timer_stop(&s->timer);
	s->turn = s->fresh = false;
	s->lost |= s->announced;
	s->announced = s->told = false;
}

void site_be_alias(struct site *s, struct site *of)
{
	leave(s);
	s->state = SITE_ALIAS;
	s->same = of;
	s->ops.moved(s->ops.arg, s);
}

void site_remove(struct site *s)
{
	leave(s);
	s->state = SITE_IDLE;
	s->removed = true;
	s->same = NULL;
	s->ops.moved(s->ops.arg, s);
}

/* ---- telling --------------------------------------------------------- */

enum site_news site_take_news(struct site *s)
{
	if (s->lost) {
		s->lost = s->framed = false;
		return SITE_IS_LOST;
	}
	if (!s->fresh)
		return SITE_NO_NEWS;
	s->fresh = false;
	s->framed = true;
	return SITE_IS_FRESH;
}
