/* SPDX-License-Identifier: Apache-2.0 */
#include "record/host_set.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "record/localagent.h"
#include "record/self.h"
#include "record/twins.h"

/* Per host_conn: three pipes, and one while it starts; and those of everything else. */
#define HOST_CONN_FDS 4u
#define OTHER_FDS 128u

struct host_set {
	struct host_set_options opt;
	struct host_set_ops ops;
	struct host_conn_plan plan;
	struct buf agent; /* path of this host's */
	char *local_argv[4];
	struct host_conn **host_conn;
	size_t n_conn, cap;
	uint32_t next_index;
	uv_timer_t turns; /* due when a host may connect */
	bool turns_open;
	bool started, stopped;
	bool was_up;
	size_t n_awaited;
	uint64_t names; /* counts changes of aliases */
};

/* ---- life ------------------------------------------------------------ */

static int open_agent(struct host_set *f, struct gs_err *err)
{
	int n = 0, status = localagent_find(&f->agent, err);

	if (status < 0)
		return status;
	f->local_argv[n++] = f->agent.ptr;
	if (f->opt.root) {
		f->local_argv[n++] = (char *)(uintptr_t)"--root";
		f->local_argv[n++] = (char *)(uintptr_t)f->opt.root;
	}
	f->plan.local_argv = f->local_argv;
	return 0;
}

static int open_remote_command(struct host_set *f, struct gs_err *err)
{
	const char *command = f->opt.agent_command ? f->opt.agent_command
	                                           : REMOTE_COMMAND_DEFAULT;
	int status = remote_command_parse(&f->plan.remote, command, err);

	if (status < 0)
		gs_err_prefix(err, "--agent-command");
	return status;
}

struct host_set *host_set_new(uv_loop_t *loop,
    const struct host_set_options *opt, const struct host_set_ops *ops,
    struct gs_err *err)
{
	struct host_set *f = gs_calloc(1, sizeof(*f));
	int64_t timeout = opt->timeout_ns ? opt->timeout_ns
	                                  : HOST_SET_TIMEOUT_NS;
	int status;

	f->opt = *opt;
	f->ops = *ops;
	if (f->opt.connect_parallel == 0)
		f->opt.connect_parallel = HOST_SET_PARALLEL;
	f->plan.want = opt->deploy;
	f->plan.request = (struct request) { .with = opt->with,
		.busiest = opt->busiest,
		.chosen = opt->n_pid + opt->n_comm > 0,
		.pid = opt->pid, .n_pid = opt->n_pid,
		.comm = opt->comm, .n_comm = opt->n_comm,
		.heap_interval_s = opt->heap_interval_s };
	f->plan.timeout_ms = (uint64_t)(timeout / GS_NSEC_PER_MSEC);
	/* Without it pauses are equal for all hosts. */
	(void)getrandom(&f->plan.random, sizeof(f->plan.random), 0);
	agent_conn_pool_init(&f->plan.pool, loop);
	f->plan.pool.ignores_offset = opt->root != NULL;
	(void)uv_timer_init(loop, &f->turns); /* can't fail */
	f->turns.data = f;
	f->turns_open = true;
	status = open_agent(f, err);
	if (status == 0)
		status = open_remote_command(f, err);
	if (status == 0)
		return f;
	host_set_stop(f);
	(void)uv_run(loop, UV_RUN_DEFAULT);
	host_set_free(f);
	return NULL;
}

void host_set_stop(struct host_set *f)
{
	size_t i;

	f->stopped = true;
	for (i = 0; i < f->n_conn; i++)
		host_conn_stop(f->host_conn[i]);
	if (f->turns_open)
		uv_close((uv_handle_t *)&f->turns, NULL);
	f->turns_open = false;
}

void host_set_free(struct host_set *f)
{
	size_t i;

	if (!f)
		return;
	for (i = 0; i < f->n_conn; i++)
		host_conn_free(f->host_conn[i]);
	free(f->host_conn);
	agent_conn_pool_release(&f->plan.pool);
	remote_command_release(&f->plan.remote);
	deploy_release(&f->plan.deploy);
	buf_release(&f->agent);
	free(f);
}

/* ---- turns ----------------------------------------------------------- */

/* A host must be identified before the next tick; this one is. */
static void connect_host_conn(const struct host_set *f, struct host_conn *s)
{
	host_conn_connect(s);
	if (!f->stopped && (!s->local || s->awaited))
		(void)host_conn_request(s);
}

static size_t connecting(const struct host_set *f)
{
	size_t n = 0, i;

	for (i = 0; i < f->n_conn; i++)
		n += f->host_conn[i]->turn;
	return n;
}

/* Hosts that never failed go first: dead hosts must not delay others. */
static void on_turns(uv_timer_t *t)
{
	struct host_set *f = t->data;
	size_t n = connecting(f), i;
	int pass;

	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < f->n_conn && n < f->opt.connect_parallel;
			i++) {
			if (f->stopped)
				return;
			if (f->host_conn[i]->state != HOST_CONN_QUEUED ||
			    (pass == 0 && f->host_conn[i]->failed))
				continue;
			connect_host_conn(f, f->host_conn[i]);
			n += !f->stopped && f->host_conn[i]->turn;
		}
	}
}

/* Called from the loop: a host_conn that fails at once asks again at once. */
static void give_turns(struct host_set *f)
{
	if (f->started && !f->stopped)
		(void)uv_timer_start(&f->turns, on_turns, 0, 0);
}

static void unawait(struct host_set *f, struct host_conn *s)
{
	if (!s->awaited)
		return;
	s->awaited = false;
	if (--f->n_awaited == 0)
		f->ops.all_answered(f->ops.arg);
}

static void await(struct host_set *f, struct host_conn *s)
{
	f->n_awaited += !s->awaited;
	s->awaited = true;
}

/* ---- one host, many names -------------------------------------------- */

static void list(struct host_set *f, const struct host_conn *s, bool is)
{
	f->names++;
	f->ops.listed(f->ops.arg, s, is);
}

static void note(
    struct host_set *f, struct host_conn *s, const struct buf *text)
{
	if (text->len > 0)
		f->ops.event(f->ops.arg, s, EVENT_NOTE, 0, buf_str(text));
}

/* s becomes an alias. */
static void join(
    struct host_set *f, struct host_conn *s, struct host_conn *twin)
{
	struct buf text = BUF_INIT;

	buf_printf(&text, "%s is the same host as %s", s->name, twin->name);
	note(f, twin, &text);
	buf_release(&text);
	list(f, s, false);
	host_conn_be_alias(s, twin);
}

/* Its aliases become hosts again. */
static void free_aliases(struct host_set *f, const struct host_conn *of)
{
	size_t i;

	for (i = 0; i < f->n_conn; i++) {
		struct host_conn *s = f->host_conn[i];

		if (s->state != HOST_CONN_ALIAS || s->same != of)
			continue;
		s->same = NULL;
		list(f, s, true);
		host_conn_start(s);
	}
}

static struct twins twins_of(const struct host_set *f)
{
	return (struct twins) { .conn = f->host_conn, .n = f->n_conn };
}

/* A host may send another host's boot id: the samples decide whether they are
 * one.  Until then one of them is not in the recording. */
static void hold_twins(struct host_set *f, struct host_conn *s)
{
	struct twins t = twins_of(f);
	struct buf text = BUF_INIT;
	struct host_conn *held;

	while ((held = twins_hold(&t, s, &text))) {
		note(f, held, &text);
		list(f, held, false);
	}
	buf_release(&text);
}

static void release_twin(struct host_set *f, struct host_conn *s)
{
	struct twins t = twins_of(f);
	struct buf text = BUF_INIT;

	if (twins_release(&t, s, &text)) {
		note(f, s, &text);
		list(f, s, true);
	}
	buf_release(&text);
}

/* True if s has gone. */
static bool decide_twins(struct host_set *f, struct host_conn *s)
{
	struct twins t = twins_of(f);
	struct host_conn *same = twins_same(&t, s);

	if (same)
		join(f, s, same);
	release_twin(f, same ? same : s);
	return same != NULL;
}

/* ---- answers --------------------------------------------------------- */

static void on_moved(void *arg, struct host_conn *s)
{
	struct host_set *f = arg;

	if (f->stopped)
		return;
	give_turns(f);
	if (!host_conn_is_up(s))
		release_twin(f, s);
	if (s->state == HOST_CONN_RETRY || s->state == HOST_CONN_ALIAS ||
	    s->state == HOST_CONN_IDLE)
		unawait(f, s);
}

static void on_answered(void *arg, struct host_conn *s, const struct tick *t)
{
	struct host_set *f = arg;

	if (f->stopped)
		return;
	if (!s->announced) {
		give_turns(f);
		s->announced = true;
		f->ops.event(f->ops.arg, s, EVENT_HOST_UP, 0, s->name);
		hold_twins(f, s);
	}
	if (decide_twins(f, s))
		return;
	f->was_up |= s->fresh;
	f->ops.answered(f->ops.arg, s, t);
	if (!f->stopped && s->fresh)
		unawait(f, s);
}

static void on_event(void *arg, struct host_conn *s, enum event_kind kind,
	int64_t value, const char *text)
{
	struct host_set *f = arg;

	if (!f->stopped)
		f->ops.event(f->ops.arg, s, kind, value, text);
}

/* ---- hosts ----------------------------------------------------------- */

static struct host_conn *find(const struct host_set *f, const char *name)
{
	size_t i;

	for (i = 0; i < f->n_conn; i++) {
		if (strcmp(f->host_conn[i]->name, name) == 0)
			return f->host_conn[i];
	}
	return NULL;
}

/* The usual soft limit of 1,024 is enough for 224 hosts. */
static void make_room(const struct host_set *f)
{
	rlim_t want = f->n_conn * HOST_CONN_FDS + OTHER_FDS;
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) < 0 || r.rlim_cur >= want)
		return;
	r.rlim_cur = GS_MIN(want * 2, r.rlim_max);
	/* If it is not enough, some connections fail, and report why. */
	(void)setrlimit(RLIMIT_NOFILE, &r);
}

static int carry_agent(struct host_set *f, struct gs_err *err)
{
	int status;

	if (f->plan.deploy.version || !f->plan.remote.has_agent)
		return 0;
	status = deploy_open(&f->plan.deploy, buf_str(&f->agent),
	    f->opt.version, f->opt.agent_path, err);
	f->plan.deploy.idle_s = GS_MAX(f->plan.deploy.idle_s,
	    (unsigned)(f->opt.interval_ns / GS_NSEC_PER_SEC * 3));
	return status;
}

static int add(struct host_set *f, const char *name, const char *hostname,
	const char *address, bool local, struct gs_err *err)
{
	struct host_conn_ops ops = { .answered = on_answered,
		.event = on_event, .moved = on_moved, .arg = f };
	struct host_conn *s = find(f, name);
	int status;

	if (s && !s->removed)
		return 0;
	if (!s && f->next_index >= TICK_HOSTS_MAX)
		return gs_fail(err, GS_E_LIMIT, "more than %u hosts",
		    TICK_HOSTS_MAX);
	status = local ? 0 : carry_agent(f, err);
	if (status < 0)
		return status;
	if (!s) {
		s = host_conn_new(&f->plan, name, hostname, address, &ops);
		s->local = local;
		s->index = f->next_index++;
		GS_GROW(f->host_conn, &f->cap, f->n_conn + 1);
		f->host_conn[f->n_conn++] = s;
		make_room(f);
	}
	s->removed = false;
	list(f, s, true);
	host_conn_start(s);
	return 0;
}

int host_set_add_local(struct host_set *f, struct gs_err *err)
{
	return add(f, f->opt.nodename, f->opt.nodename, NULL, true, err);
}

static bool has_local(const struct host_set *f)
{
	size_t i;

	for (i = 0; i < f->n_conn; i++) {
		if (f->host_conn[i]->local && !f->host_conn[i]->removed)
			return true;
	}
	return false;
}

/* Every host has a loopback address; the name tells which one is meant. */
static bool is_here(const struct host_set *f, const char *hostname,
	const char *address)
{
	return self_is(hostname, f->opt.nodename) ||
	    (address && !self_is_loopback(address) &&
	    self_is(address, f->opt.nodename));
}

int host_set_add_host(struct host_set *f, const char *name,
    const char *hostname, const char *address, struct gs_err *err)
{
	int status = remote_command_check_host(hostname, err);
	bool local;

	if (status == 0 && address && address[0] != '\0')
		status = remote_command_check_host(address, err);
	if (status < 0)
		return status;
	if (self_is_loopback(name))
		return host_set_add_local(f, err);
	local = is_here(f, hostname, address);
	if (local && has_local(f))
		return 0; /* under another name */
	return add(f, name, hostname, address, local, err);
}

void host_set_remove_host(struct host_set *f, const char *name)
{
	struct host_conn *s = find(f, name);

	if (!s || s->removed)
		return;
	if (s->state != HOST_CONN_ALIAS)
		list(f, s, false);
	host_conn_remove(s);
	free_aliases(f, s);
}

static bool is_meant(const struct host_set *f, const struct host_conn *s,
	const char *hostname, const char *address)
{
	if (s->local && (hostname ? is_here(f, hostname, address)
	        : address && self_is(address, f->opt.nodename)))
		return true;
	if (hostname && (strcmp(s->name, hostname) == 0 ||
	    strcmp(s->hostname, hostname) == 0))
		return true;
	return address && ((s->address && strcmp(s->address, address) == 0) ||
	    strcmp(s->hostname, address) == 0);
}

const char *host_set_host_of(const struct host_set *f, const char *hostname,
	const char *address)
{
	const struct world *w;
	size_t i;

	for (i = 0; i < f->n_conn; i++) {
		const struct host_conn *s = f->host_conn[i];

		if (s->removed || !is_meant(f, s, hostname, address))
			continue;
		if (s->held_for)
			s = s->held_for; /* most probably */
		while (s->state == HOST_CONN_ALIAS)
			s = s->same;
		/* A captured tree has the host name in it. */
		w = host_conn_world(s);
		return f->opt.root && world_hosts(w) > 0
		    ? world_host(w, 0)->name : s->name;
	}
	return NULL;
}

uint64_t host_set_names(const struct host_set *f)
{
	return f->names;
}

uint32_t host_set_new_index(struct host_set *f)
{
	return f->next_index++;
}

/* ---- ticks ----------------------------------------------------------- */

void host_set_start(struct host_set *f)
{
	f->started = true;
	give_turns(f);
}

/* Connecting for the first time, and not known to fail; or asked for a base
 * again. */
static bool is_new(const struct host_conn *s)
{
	if (s->state == HOST_CONN_SAMPLING)
		return !s->fresh && !s->framed;
	return !s->failed && !s->was_up && (s->state == HOST_CONN_QUEUED ||
	    s->state == HOST_CONN_CONNECTING);
}

void host_set_request(struct host_set *f, bool wait_new)
{
	bool asked = false;
	size_t i;

	for (i = 0; i < f->n_conn; i++) {
		struct host_conn *s = f->host_conn[i];
		bool was_up = host_conn_is_up(s);

		if (host_conn_request(s) && was_up) {
			await(f, s);
			asked = true;
		} else if (wait_new && is_new(s)) {
			await(f, s);
		}
	}
	/* Late hosts are waited for if nothing else is. */
	for (i = 0; !asked && i < f->n_conn; i++) {
		if (f->host_conn[i]->state == HOST_CONN_LATE)
			await(f, f->host_conn[i]);
	}
}

bool host_set_is_waiting(const struct host_set *f)
{
	return f->n_awaited > 0;
}

size_t host_set_to_gather(struct host_set *f)
{
	return agent_conn_pool_in_part(&f->plan.pool) ? 0 : f->n_awaited;
}

size_t host_set_wait_no_more(struct host_set *f)
{
	size_t n = 0, i;

	for (i = 0; i < f->n_conn; i++) {
		struct host_conn *s = f->host_conn[i];

		if (!s->awaited)
			continue;
		s->awaited = false;
		n += host_conn_is_up(s);
		host_conn_note_late(s);
	}
	f->n_awaited = 0;
	return n;
}

/* ---- looking --------------------------------------------------------- */

size_t host_set_count(const struct host_set *f)
{
	return f->n_conn;
}

struct host_conn *host_set_host_conn(const struct host_set *f, size_t i)
{
	return f->host_conn[i];
}

size_t host_set_hosts(const struct host_set *f, size_t *ret_up)
{
	size_t n = 0, up = 0, i;

	for (i = 0; i < f->n_conn; i++) {
		const struct host_conn *s = f->host_conn[i];

		n += !s->removed && s->state != HOST_CONN_ALIAS;
		up += host_conn_is_up(s) && !s->held_for;
	}
	*ret_up = up;
	return n;
}

bool host_set_is_local(const struct host_set *f)
{
	return f->n_conn == 1 && f->host_conn[0]->local;
}

bool host_set_was_up(const struct host_set *f)
{
	return f->was_up;
}
