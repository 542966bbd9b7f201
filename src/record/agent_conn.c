/* SPDX-License-Identifier: Apache-2.0 */
#include "record/agent_conn_int.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "record/host_limits.h"

/* From the first sign of an end to the others: exit status, last output. */
#define LAST_WORDS_MS UINT64_C(500)

/* ---- life ------------------------------------------------------------ */

static void new_world(struct agent_conn *l)
{
	l->budget = (struct gs_budget) { .limit_bytes = HOST_HELD_MAX };
	l->world = world_new_resting();
	world_set_budget(l->world, &l->budget);
}

struct agent_conn *agent_conn_new(struct agent_conn_pool *pool,
    const char *name, const struct agent_conn_ops *ops)
{
	struct agent_conn *l = gs_calloc(1, sizeof(*l));

	l->pool = pool;
	l->name = name;
	l->ops = *ops;
	new_world(l);
	pool->n_link++;
	l->reading = allowance_of(HOST_READ_BURST, HOST_READ_PER_S,
	    gs_clock_mono_ns());
	l->opens = allowance_of(HOST_OPENS_BURST, HOST_OPENS_PER_S,
	    gs_clock_mono_ns());
	(void)uv_timer_init(pool->loop, &l->timer); /* can't fail */
	(void)uv_timer_init(pool->loop, &l->pace);
	l->timer.data = l->pace.data = l;
	l->timers_open = true;
	return l;
}

void agent_conn_free(struct agent_conn *l)
{
	if (!l)
		return;
	l->pool->n_link--;
	world_free(l->world);
	buf_release(&l->rx);
	buf_release(&l->words);
	free(l);
}

const struct world *agent_conn_world(const struct agent_conn *l)
{
	return l->world;
}

bool agent_conn_wants_deploy(const struct agent_conn *l)
{
	return l->wants_deploy;
}

int64_t agent_conn_waiting_ns(const struct agent_conn *l)
{
	return l->waiting ? GS_MAX(gs_clock_mono_ns() - l->sent_mono_ns, 1)
	                  : 0;
}

/* ---- the end of a connection ----------------------------------------- */

static void on_closed(uv_handle_t *h)
{
	struct conn *c = h->data;

	if (--c->handles > 0)
		return;
	buf_release(&c->script);
	buf_release(&c->request);
	free(c);
}

/* The process is watched until it has ended, so that it leaves no zombie.  A
 * stopped process must be continued to end. */
static void conn_give_up(struct conn *c)
{
	struct agent_conn *l = c->link;
	int i;

	c->link = NULL;
	for (i = 0; i < PIPE_COUNT; i++)
		uv_close((uv_handle_t *)&c->pipe[i], on_closed);
	if (c->exited || !c->spawned) {
		uv_close((uv_handle_t *)&c->proc, on_closed);
		return;
	}
	(void)uv_process_kill(&c->proc, SIGTERM); /* may be gone */
	(void)uv_process_kill(&c->proc, SIGCONT);
	c->given_up_ns = gs_clock_mono_ns();
	c->next_dying = l->dying;
	l->dying = c;
}

/* Kills processes that do not end on SIGTERM; returns how many are left. */
static size_t kill_dying(const struct agent_conn *l, int64_t after_ns)
{
	int64_t now = gs_clock_mono_ns();
	struct conn *c;
	size_t n = 0;

	for (c = l->dying; c; c = c->next_dying, n++) {
		if (now - c->given_up_ns >= after_ns)
			(void)uv_process_kill(&c->proc, SIGKILL);
	}
	return n;
}

static void note_death(struct conn *c)
{
	struct conn **p = &c->owner->dying;

	while (*p && *p != c)
		p = &(*p)->next_dying;
	if (*p)
		*p = c->next_dying;
	uv_close((uv_handle_t *)&c->proc, on_closed);
}

void agent_conn_drop(struct agent_conn *l)
{
	struct gs_err none;

	if (!l->conn)
		return;
	conn_give_up(l->conn);
	l->conn = NULL;
	l->ready = l->waiting = l->up = false;
	if (l->timers_open) {
		(void)uv_timer_stop(&l->timer);
		(void)uv_timer_stop(&l->pace);
	}
	world_free(l->world);
	new_world(l);
	buf_release(&l->rx);
	(void)agent_conn_count(l, &none);
}

/* Gives the connection up and says why. */
static void go_down(struct agent_conn *l, const struct gs_err *why)
{
	if (!l->conn)
		return;
	agent_conn_drop(l);
	l->ops.down(l->ops.arg, why);
}

/* The last line of its output, made safe to show. */
static void last_line(const struct agent_conn *l, struct buf *out)
{
	size_t end = l->words.len, at;

	while (end > 0 && (unsigned char)l->words.ptr[end - 1] <= ' ')
		end--;
	at = end;
	while (at > 0 && l->words.ptr[at - 1] != '\n')
		at--;
	utf8_add_safe(out, l->words.ptr + at, end - at);
}

static void describe_end(const struct agent_conn *l, struct gs_err *err)
{
	const struct conn *c = l->conn;
	struct buf text = BUF_INIT;

	if (l->words.len > 0)
		last_line(l, &text);
	if (text.len > 0)
		(void)gs_fail(err, GS_E_GONE, "%s", buf_str(&text));
	else if (c->exited && c->term_signal)
		(void)gs_fail(err, GS_E_GONE, "killed by signal %d",
		    c->term_signal);
	else if (c->exited)
		(void)gs_fail(err, GS_E_GONE, "ended with exit status %lld",
		    (long long)c->exit_status);
	else
		(void)gs_fail(err, GS_E_GONE, "closed its output");
	buf_release(&text);
}

/* Gives the connection up; err says why. */
static void fail(struct agent_conn *l, struct gs_err *err)
{
	gs_err_prefix(err, "agent on %s", l->name);
	go_down(l, err);
}

static void on_last_words(uv_timer_t *t)
{
	struct agent_conn *l = t->data;
	struct gs_err err;

	if (!l->conn)
		return;
	/* If a greeting is the only output, it is the reason. */
	if (!l->ready && l->rx.len > 0 && l->words.len == 0)
		agent_conn_keep_words(l, l->rx.ptr, l->rx.len);
	describe_end(l, &err);
	fail(l, &err);
}

static void note_end(struct conn *c)
{
	struct agent_conn *l = c->link;

	if (c->exited && c->out_ended && c->err_ended)
		on_last_words(&l->timer);
	else if (!uv_is_active((uv_handle_t *)&l->timer))
		(void)uv_timer_start(&l->timer, on_last_words, LAST_WORDS_MS,
		    0);
}

static void on_ended(uv_process_t *p, int64_t status, int sig)
{
	struct conn *c = p->data;

	c->exited = true;
	c->exit_status = status;
	c->term_signal = sig;
	if (c->link)
		note_end(c);
	else
		note_death(c);
}

/* ---- pipes ----------------------------------------------------------- */

static void on_read(uv_stream_t *s, ssize_t n, const uv_buf_t *b);

static void on_alloc(uv_handle_t *h, size_t hint, uv_buf_t *ret)
{
	const struct conn *c = h->data;

	(void)hint;
	*ret = c->link ? uv_buf_init(c->link->pool->read, LINK_READ_BYTES)
	               : uv_buf_init(NULL, 0);
}

static int start_reading(struct conn *c)
{
	int r = 0;

	if (!c->out_ended)
		r = uv_read_start((uv_stream_t *)&c->pipe[PIPE_OUT], on_alloc,
		    on_read);
	if (r == 0 && !c->err_ended)
		r = uv_read_start((uv_stream_t *)&c->pipe[PIPE_ERR], on_alloc,
		    on_read);
	return r;
}

static void on_pace(uv_timer_t *t)
{
	struct agent_conn *l = t->data;

	if (l->conn && start_reading(l->conn) < 0)
		on_last_words(&l->timer);
}

/* Full pipes make their writer wait. */
static bool pause_reading(struct agent_conn *l)
{
	int64_t ns = allowance_wait_ns(&l->reading, gs_clock_mono_ns());

	if (ns == 0)
		return false;
	(void)uv_read_stop((uv_stream_t *)&l->conn->pipe[PIPE_OUT]);
	(void)uv_read_stop((uv_stream_t *)&l->conn->pipe[PIPE_ERR]);
	(void)uv_timer_start(&l->pace, on_pace,
	    (uint64_t)(ns / GS_NSEC_PER_MSEC) + 1, 0);
	return true;
}

/* Charges bytes that were read; reading pauses if they are too many. */
static void pace(struct agent_conn *l, size_t len)
{
	struct buf text = BUF_INIT;

	allowance_charge(&l->reading, (double)len, gs_clock_mono_ns());
	if (!pause_reading(l) || l->paced)
		return;
	l->paced = true;
	buf_printf(&text, "agent on %s: sends more than %.0f KiB a second: "
	    "read no faster", l->name, HOST_READ_PER_S / 1024);
	if (l->ops.note)
		l->ops.note(l->ops.arg, buf_str(&text));
	buf_release(&text);
}

/* Of stdout or stderr. */
static void on_read(uv_stream_t *s, ssize_t n, const uv_buf_t *b)
{
	struct conn *c = s->data;
	bool out = s == (uv_stream_t *)&c->pipe[PIPE_OUT];
	struct gs_err err;

	if (!c->link || n == 0)
		return;
	if (n < 0) {
		*(out ? &c->out_ended : &c->err_ended) = true;
		(void)uv_read_stop(s);
		note_end(c);
		return;
	}
	if (!out)
		agent_conn_keep_words(c->link, b->base, (size_t)n);
	else if (agent_conn_receive(c->link, b->base, (size_t)n, &err) < 0)
		fail(c->link, &err);
	if (c->link)
		pace(c->link, (size_t)n);
}

/* ---- starting -------------------------------------------------------- */

static struct conn *conn_new(struct agent_conn *l)
{
	struct conn *c = gs_calloc(1, sizeof(*c));
	int i;

	c->link = c->owner = l;
	for (i = 0; i < PIPE_COUNT; i++) {
		/* can't fail */
		(void)uv_pipe_init(l->pool->loop, &c->pipe[i], 0);
		c->pipe[i].data = c;
	}
	c->handles = PIPE_COUNT + 1;
	return c;
}

static int spawn(struct agent_conn *l, struct conn *c, char *const *argv)
{
	uv_stdio_container_t io[PIPE_COUNT] = {
		{ .flags = UV_CREATE_PIPE | UV_READABLE_PIPE },
		{ .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE },
		{ .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE },
	};
	/* A new session: ^C at the terminal is for us only; the agent ends
	 * when its input does. */
	uv_process_options_t opt = { .exit_cb = on_ended,
		.file = argv[0],
		.args = (char **)(uintptr_t)argv,
		.env = l->pool->env,
		.flags = UV_PROCESS_DETACHED,
		.stdio = io,
		.stdio_count = PIPE_COUNT };
	int i;

	for (i = 0; i < PIPE_COUNT; i++)
		io[i].data.stream = (uv_stream_t *)&c->pipe[i];
	i = uv_spawn(l->pool->loop, &c->proc, &opt);
	c->proc.data = c;
	c->spawned = i == 0;
	return i;
}

static int send_script(struct agent_conn *l, enum deploy_want want)
{
	struct conn *c = l->conn;
	uv_buf_t b;

	deploy_script(l->deploy, want, &c->script);
	b = uv_buf_init(c->script.ptr, (unsigned)c->script.len);
	return uv_write(&c->script_write, (uv_stream_t *)&c->pipe[PIPE_IN],
	    &b, 1, NULL);
}

int agent_conn_start(struct agent_conn *l, char *const *argv,
    enum agent_conn_way way, const struct deploy *deploy, enum deploy_want want,
    struct gs_err *err)
{
	struct conn *c;
	int r;

	if (kill_dying(l, HOST_KILL_AFTER_S * GS_NSEC_PER_SEC) >=
	    HOST_DYING_MAX)
		return gs_fail(err, GS_E_LIMIT, "agent on %s: %u earlier "
		    "connections have not ended", l->name, HOST_DYING_MAX);
	c = conn_new(l);
	l->conn = c;
	l->way = way;
	l->deploy = deploy;
	l->ready = way != LINK_SHELL;
	l->wants_deploy = false;
	l->connections++;
	l->paced = false;
	l->sequence = 0;
	buf_reset(&l->rx);
	buf_reset(&l->words);
	r = spawn(l, c, argv);
	if (r == 0 && !pause_reading(l))
		r = start_reading(c);
	if (r == 0 && way == LINK_SHELL)
		r = send_script(l, want);
	if (r == 0)
		return 0;
	agent_conn_drop(l);
	(void)gs_fail_errno(err, -r, "agent on %s: %s", l->name, argv[0]);
	return err ? err->status : GS_E_IO;
}

static void on_asked(uv_write_t *w, int status)
{
	struct conn *c = w->data;

	(void)status; /* a broken pipe shows as the end of its output, too */
	c->writing = false;
}

static void write_request(struct conn *c)
{
	uv_buf_t b = uv_buf_init(c->request.ptr, (unsigned)c->request.len);

	c->request_write.data = c;
	c->writing = uv_write(&c->request_write,
	    (uv_stream_t *)&c->pipe[PIPE_IN], &b, 1, on_asked) == 0;
}

bool agent_conn_request(struct agent_conn *l, const struct request *what)
{
	struct request req = *what;
	struct conn *c = l->conn;

	if (!c || !l->ready || l->waiting || c->out_ended || c->writing)
		return false;
	buf_reset(&c->request);
	req.sequence = l->sequence + 1;
	wire_put_request(&req, &c->request);
	l->sequence++;
	l->waiting = true;
	l->sent_wall_ns = gs_clock_wall_ns();
	l->sent_mono_ns = gs_clock_mono_ns();
	write_request(c);
	return true;
}

/* ---- stopping -------------------------------------------------------- */

void agent_conn_stop(struct agent_conn *l)
{
	struct conn *c;

	agent_conn_drop(l);
	(void)kill_dying(l, GS_NSEC_PER_SEC);
	for (c = l->dying; c; c = c->next_dying)
		uv_close((uv_handle_t *)&c->proc, on_closed);
	l->dying = NULL;
	if (l->timers_open) {
		l->timers_open = false;
		uv_close((uv_handle_t *)&l->timer, NULL);
		uv_close((uv_handle_t *)&l->pace, NULL);
	}
}
