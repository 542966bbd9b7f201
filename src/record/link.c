/*
 * A connection (struct conn) lives until libuv has closed its handles, which
 * may be after the link has begun the next one or is gone: conn->link is NULL
 * from the moment the link has given it up.
 */
#include "record/link.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"

/* From the first sign of an end to the others: exit status, last words. */
#define LAST_WORDS_MS UINT64_C(500)
#define READ_BYTES (size_t)65536
#define WORDS_KEPT (size_t)2048
/* What is left of an answer is kept in so much; more is given back. */
#define REST_KEPT (size_t)16384

enum {
	PIPE_IN,
	PIPE_OUT,
	PIPE_ERR,
	PIPE_COUNT
};

struct conn {
	struct link *link; /* NULL: given up */
	struct link *owner;
	struct conn *next_dying;
	uv_process_t proc;
	uv_pipe_t pipe[PIPE_COUNT];
	uv_write_t script_write, image_write, write;
	struct buf script;
	int handles; /* not closed yet */
	bool spawned, exited, out_ended, err_ended;
	int64_t exit_status;
	int term_signal;
};

struct link {
	struct link_pool *pool;
	const char *name;
	struct link_ops ops;
	enum link_way way;
	const struct deploy *deploy;
	struct conn *conn;
	struct conn *dying; /* given up, their processes not ended yet */
	uv_timer_t timer; /* the wait for last words */
	bool timer_open;
	struct world *world;
	struct buf rx, tx;
	struct buf words; /* the end of what it said beside its answers */
	uint32_t connections;
	uint64_t sequence; /* of the last request */
	bool ready; /* takes requests */
	bool waiting;
	bool up;
	bool wants_deploy;
	bool ignores_offset;
	int64_t sent_wall_ns, sent_mono_ns;
};

/* ---- what links share ------------------------------------------------ */

/* Libraries that a database brings are not for ssh, nor its Python. */
static bool is_foreign(const char *var)
{
	return strncmp(var, "LD_LIBRARY_PATH=", 16) == 0 ||
	    strncmp(var, "LD_PRELOAD=", 11) == 0 ||
	    strncmp(var, "PYTHON", 6) == 0;
}

static char **children_env(void)
{
	size_t n = 0, kept = 0, i;
	char **env;

	while (environ[n])
		n++;
	env = gs_calloc(n + 1, sizeof(*env));
	for (i = 0; i < n; i++) {
		if (!is_foreign(environ[i]))
			env[kept++] = gs_strdup(environ[i]);
	}
	return env;
}

void link_pool_init(struct link_pool *p, uv_loop_t *loop)
{
	*p = (struct link_pool) { .loop = loop };
	p->env = children_env();
	p->codec = wire_codec_new();
	p->read = gs_malloc(READ_BYTES);
}

void link_pool_release(struct link_pool *p)
{
	size_t i;

	for (i = 0; p->env && p->env[i]; i++)
		free(p->env[i]);
	free(p->env);
	free(p->read);
	tick_release(&p->answer.tick);
	wire_codec_free(p->codec);
	*p = (struct link_pool) { 0 };
}

/* ---- life ------------------------------------------------------------ */

struct link *link_new(struct link_pool *pool, const char *name,
	const struct link_ops *ops)
{
	struct link *l = gs_calloc(1, sizeof(*l));

	l->pool = pool;
	l->name = name;
	l->ops = *ops;
	l->world = world_new_plain();
	(void)uv_timer_init(pool->loop, &l->timer); /* can't fail */
	l->timer.data = l;
	l->timer_open = true;
	return l;
}

void link_free(struct link *l)
{
	if (!l)
		return;
	world_free(l->world);
	buf_release(&l->rx);
	buf_release(&l->tx);
	buf_release(&l->words);
	free(l);
}

void link_ignore_offset(struct link *l)
{
	l->ignores_offset = true;
}

const struct world *link_world(const struct link *l)
{
	return l->world;
}

bool link_wants_deploy(const struct link *l)
{
	return l->wants_deploy;
}

int64_t link_waiting_ns(const struct link *l)
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
	free(c);
}

/* The process stays watched until it has ended, so that it leaves no zombie
 * behind.  One that is stopped would not end before it goes on. */
static void conn_give_up(struct conn *c)
{
	struct link *l = c->link;
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
	c->next_dying = l->dying;
	l->dying = c;
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

void link_drop(struct link *l)
{
	if (!l->conn)
		return;
	conn_give_up(l->conn);
	l->conn = NULL;
	l->ready = l->waiting = l->up = false;
	if (l->timer_open)
		(void)uv_timer_stop(&l->timer);
	world_free(l->world);
	l->world = world_new_plain();
	buf_release(&l->rx);
}

/* Gives the connection up and says why. */
static void go_down(struct link *l, const struct gs_err *why)
{
	if (!l->conn)
		return;
	link_drop(l);
	l->ops.down(l->ops.arg, why);
}

/* The last line that it said, made safe to show. */
static void last_line(const struct link *l, struct buf *out)
{
	size_t end = l->words.len, at;

	while (end > 0 && (unsigned char)l->words.ptr[end - 1] <= ' ')
		end--;
	at = end;
	while (at > 0 && l->words.ptr[at - 1] != '\n')
		at--;
	utf8_add_safe(out, l->words.ptr + at, end - at);
}

static void describe_end(const struct link *l, struct gs_err *err)
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

static void keep_words(struct link *l, const char *p, size_t len)
{
	if (len > WORDS_KEPT) {
		p += len - WORDS_KEPT;
		len = WORDS_KEPT;
	}
	/* The older half goes when it is full. */
	if (l->words.len + len > 2 * WORDS_KEPT) {
		memmove(l->words.ptr, l->words.ptr + l->words.len -
			WORDS_KEPT, WORDS_KEPT);
		l->words.len = WORDS_KEPT;
	}
	buf_add(&l->words, p, len);
}

static void fail(struct link *l, struct gs_err *err)
{
	gs_err_prefix(err, "agent on %s", l->name);
	go_down(l, err);
}

static void on_last_words(uv_timer_t *t)
{
	struct link *l = t->data;
	struct gs_err err;

	if (!l->conn)
		return;
	/* A greeting is all that was said, perhaps: then it is the reason. */
	if (!l->ready && l->rx.len > 0 && l->words.len == 0)
		keep_words(l, l->rx.ptr, l->rx.len);
	describe_end(l, &err);
	fail(l, &err);
}

static void note_end(struct conn *c)
{
	struct link *l = c->link;

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

/* ---- answers --------------------------------------------------------- */

static int check_answer(struct link *l, const struct answer *a,
	struct gs_err *err)
{
	if (a->has_hello && a->hello.protocol != WIRE_PROTOCOL) {
		l->wants_deploy = true;
		return gs_fail(err, GS_E_VERSION,
		    "speaks protocol %u, need %u: install the same version",
		    a->hello.protocol, WIRE_PROTOCOL);
	}
	if (!a->has_hello && !l->up)
		return gs_fail(err, GS_E_PROTOCOL, "did not introduce itself");
	if (!l->waiting || a->tick.n_block != 1)
		return gs_fail(err, GS_E_PROTOCOL,
		    "answered what it was not asked");
	if (a->tick.block[0]->clock.sequence != l->sequence)
		return gs_fail(err, GS_E_PROTOCOL,
		    "answered request %llu, wanted %llu",
		    (unsigned long long)a->tick.block[0]->clock.sequence,
		    (unsigned long long)l->sequence);
	return 0;
}

/* What only this side knows about the sample. */
static void complete(const struct link *l, struct tick *t)
{
	struct sample_clock *c = &t->block[0]->clock;

	t->block[0]->host = 0;
	c->connection = l->connections;
	c->rtt_ns = gs_clock_mono_ns() - l->sent_mono_ns;
	c->offset_ns = l->ignores_offset
	    ? 0 : c->wall_ns - (l->sent_wall_ns + c->rtt_ns / 2);
	t->seq = c->sequence;
	t->wall_ns = c->wall_ns;
}

static int take_answer(struct link *l, const void *p, size_t len,
	struct gs_err *err)
{
	struct answer *a = &l->pool->answer;
	int r = wire_get_answer(l->pool->codec, p, len, a, err);

	if (r == 0)
		r = check_answer(l, a, err);
	if (r < 0)
		return r;
	complete(l, &a->tick);
	r = world_apply(l->world, &a->tick, err);
	if (r < 0)
		return r;
	l->waiting = false;
	l->up = true;
	l->ops.answered(l->ops.arg, &a->tick);
	return 0;
}

/* Takes whole messages from the front of the len bytes at p.  *ret_used:
 * their length, if the connection still is. */
static int take_messages(struct link *l, const char *p, size_t len,
	size_t *ret_used, struct gs_err *err)
{
	const struct conn *c = l->conn;
	size_t at = 0;
	int64_t n;
	int r;

	*ret_used = 0;
	/* A callback may have ended the connection. */
	while (l->conn == c) {
		n = wire_message_len(p + at, len - at, err);
		if (n == 0)
			break;
		r = n < 0 ? (int)n
		          : take_answer(l, p + at, (size_t)n, err);
		if (r < 0)
			return r;
		at += (size_t)n;
	}
	*ret_used = at;
	return 0;
}

static void send_image(struct link *l)
{
	uv_buf_t b = uv_buf_init(l->deploy->image, (unsigned)l->deploy->len);

	/* A broken pipe shows as the end of its output, too. */
	(void)uv_write(&l->conn->image_write,
	    (uv_stream_t *)&l->conn->pipe[PIPE_IN], &b, 1, NULL);
}

/* Passes over what is said before the protocol begins.  *ret_used: bytes
 * that are done with. */
static int take_greeting(struct link *l, const char *p, size_t len,
	size_t *ret_used, struct gs_err *err)
{
	size_t at = 0, used = 0, noise = 0;
	enum deploy_step step;

	while (!l->ready) {
		step = deploy_hear(l->deploy, p + at, len - at, &used, &noise,
		    err);
		if (step == DEPLOY_WAIT)
			break;
		keep_words(l, p + at, noise);
		if (step == DEPLOY_FAILED)
			return err->status;
		at += used;
		if (step == DEPLOY_SEND)
			send_image(l);
		l->ready = step == DEPLOY_READY;
	}
	*ret_used = at;
	return 0;
}

/* A carrier that nobody asked for a mark may say one all the same, after a
 * greeting; without one an answer stands at the front. */
static int take_first(struct link *l, const char *p, size_t len,
	size_t *ret_used, struct gs_err *err)
{
	const struct conn *c = l->conn;
	size_t noise = 0, at = 0;
	int r;

	if (deploy_hear(NULL, p, len, &at, &noise, err) == DEPLOY_READY)
		keep_words(l, p, noise);
	else
		at = 0;
	r = take_messages(l, p + at, len - at, ret_used, err);
	*ret_used += at;
	if (l->conn == c && r == GS_E_PROTOCOL && at == 0 &&
	    len <= DEPLOY_NOISE_MAX) {
		*ret_used = 0;
		r = 0;
	}
	return r;
}

/* However far it has come; *ret_used: bytes taken from the front. */
static int take(struct link *l, const char *p, size_t len, size_t *ret_used,
	struct gs_err *err)
{
	const struct conn *c = l->conn;
	size_t used = 0;
	int r;

	*ret_used = 0;
	if (!l->ready) {
		r = take_greeting(l, p, len, ret_used, err);
		if (r == 0 && l->ready)
			l->ops.ready(l->ops.arg);
		if (r < 0 || l->conn != c || !l->ready)
			return r;
	}
	p += *ret_used;
	len -= *ret_used;
	if (l->way == LINK_DIRECT && !l->up)
		r = take_first(l, p, len, &used, err);
	else
		r = take_messages(l, p, len, &used, err);
	*ret_used += used;
	return r;
}

static void take_bytes(struct link *l, const char *p, size_t len)
{
	const struct conn *c = l->conn;
	struct gs_err err;
	size_t used;
	bool kept = l->rx.len > 0;
	int r;

	if (kept) {
		buf_add(&l->rx, p, len);
		p = l->rx.ptr;
		len = l->rx.len;
	}
	r = take(l, p, len, &used, &err);
	if (l->conn != c)
		return;
	if (r < 0) {
		fail(l, &err);
		return;
	}
	if (!kept) {
		buf_add(&l->rx, p + used, len - used);
		return;
	}
	memmove(l->rx.ptr, l->rx.ptr + used, len - used);
	l->rx.len -= used;
	if (l->rx.len == 0 && l->rx.cap > REST_KEPT)
		buf_release(&l->rx);
}

/* ---- pipes ----------------------------------------------------------- */

static void on_alloc(uv_handle_t *h, size_t hint, uv_buf_t *ret)
{
	const struct conn *c = h->data;

	(void)hint;
	*ret = c->link ? uv_buf_init(c->link->pool->read, READ_BYTES)
	               : uv_buf_init(NULL, 0);
}

static void on_read_out(uv_stream_t *s, ssize_t n, const uv_buf_t *b)
{
	struct conn *c = s->data;

	if (!c->link || n == 0)
		return;
	if (n < 0) {
		c->out_ended = true;
		(void)uv_read_stop(s);
		note_end(c);
		return;
	}
	take_bytes(c->link, b->base, (size_t)n);
}

static void on_read_err(uv_stream_t *s, ssize_t n, const uv_buf_t *b)
{
	struct conn *c = s->data;

	if (!c->link || n == 0)
		return;
	if (n < 0) {
		c->err_ended = true;
		(void)uv_read_stop(s);
		note_end(c);
		return;
	}
	keep_words(c->link, b->base, (size_t)n);
}

/* ---- starting -------------------------------------------------------- */

static struct conn *conn_new(struct link *l)
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

static int spawn(struct link *l, struct conn *c, char *const *argv)
{
	uv_stdio_container_t io[PIPE_COUNT] = {
		{ .flags = UV_CREATE_PIPE | UV_READABLE_PIPE },
		{ .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE },
		{ .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE },
	};
	/* A session of its own: an interrupt at the terminal is for us; the
	 * agent ends when its input does. */
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

static int send_script(struct link *l, enum deploy_want want)
{
	struct conn *c = l->conn;
	uv_buf_t b;

	deploy_script(l->deploy, want, &c->script);
	b = uv_buf_init(c->script.ptr, (unsigned)c->script.len);
	return uv_write(&c->script_write, (uv_stream_t *)&c->pipe[PIPE_IN],
	    &b, 1, NULL);
}

int link_start(struct link *l, char *const *argv, enum link_way way,
	const struct deploy *deploy, enum deploy_want want, struct gs_err *err)
{
	struct conn *c = conn_new(l);
	int r;

	l->conn = c;
	l->way = way;
	l->deploy = deploy;
	l->ready = way != LINK_SHELL;
	l->wants_deploy = false;
	l->connections++;
	l->sequence = 0;
	buf_reset(&l->rx);
	buf_reset(&l->words);
	r = spawn(l, c, argv);
	if (r == 0)
		r = uv_read_start((uv_stream_t *)&c->pipe[PIPE_OUT], on_alloc,
		    on_read_out);
	if (r == 0)
		r = uv_read_start((uv_stream_t *)&c->pipe[PIPE_ERR], on_alloc,
		    on_read_err);
	if (r == 0 && way == LINK_SHELL)
		r = send_script(l, want);
	if (r == 0)
		return 0;
	link_drop(l);
	(void)gs_fail_errno(err, -r, "agent on %s: %s", l->name, argv[0]);
	return err ? err->status : GS_E_IO;
}

bool link_request(struct link *l, uint32_t with, uint32_t busiest)
{
	struct request req = { .sequence = l->sequence + 1, .with = with,
		.busiest = busiest };
	uv_buf_t b;

	if (!l->conn || !l->ready || l->waiting || l->conn->out_ended)
		return false;
	buf_reset(&l->tx);
	wire_put_request(l->pool->codec, &req, &l->tx);
	l->sequence++;
	l->waiting = true;
	l->sent_wall_ns = gs_clock_wall_ns();
	l->sent_mono_ns = gs_clock_mono_ns();
	b = uv_buf_init(l->tx.ptr, (unsigned)l->tx.len);
	/* A broken pipe shows as the end of its output, too. */
	(void)uv_write(&l->conn->write,
	    (uv_stream_t *)&l->conn->pipe[PIPE_IN], &b, 1, NULL);
	return true;
}

/* ---- stopping -------------------------------------------------------- */

static void on_timer_closed(uv_handle_t *h)
{
	(void)h;
}

void link_stop(struct link *l)
{
	struct conn *c;

	link_drop(l);
	for (c = l->dying; c; c = c->next_dying)
		uv_close((uv_handle_t *)&c->proc, on_closed);
	l->dying = NULL;
	if (l->timer_open) {
		l->timer_open = false;
		uv_close((uv_handle_t *)&l->timer, on_timer_closed);
	}
}
