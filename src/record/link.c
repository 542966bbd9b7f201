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

#define BACKOFF_MIN_MS UINT64_C(1000)
#define BACKOFF_MAX_MS UINT64_C(30000)
/* From the first sign of an end to the others: exit status, last words. */
#define LAST_WORDS_MS UINT64_C(500)
#define READ_BYTES (size_t)65536
#define STDERR_KEPT (size_t)2048

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
	uv_write_t write;
	int handles; /* not closed yet */
	bool spawned, exited, out_ended, err_ended;
	int64_t exit_status;
	int term_signal;
};

struct link {
	uv_loop_t *loop;
	const char *name;
	char *const *argv;
	struct link_ops ops;
	struct conn *conn;
	struct conn *dying; /* given up, their processes not ended yet */
	uv_timer_t timer; /* retry, or the wait for last words */
	bool timer_open;
	enum link_state state;
	uint64_t backoff_ms;
	struct wire_codec *codec;
	struct answer answer;
	struct world *world;
	struct buf rx, tx;
	struct buf words; /* the end of its stderr */
	uint32_t connections;
	uint64_t sequence; /* of the last request */
	bool waiting;
	bool up;
	bool ignores_offset;
	int64_t sent_wall_ns, sent_mono_ns;
};

struct link *link_new(uv_loop_t *loop, const char *name, char *const *argv,
	const struct link_ops *ops)
{
	struct link *l = gs_calloc(1, sizeof(*l));

	l->loop = loop;
	l->name = name;
	l->argv = argv;
	l->ops = *ops;
	l->backoff_ms = BACKOFF_MIN_MS;
	l->codec = wire_codec_new();
	l->world = world_new();
	(void)uv_timer_init(loop, &l->timer); /* can't fail */
	l->timer.data = l;
	l->timer_open = true;
	return l;
}

void link_free(struct link *l)
{
	if (!l)
		return;
	tick_release(&l->answer.tick);
	wire_codec_free(l->codec);
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

enum link_state link_state(const struct link *l)
{
	return l->state;
}

const char *link_name(const struct link *l)
{
	return l->name;
}

const struct world *link_world(const struct link *l)
{
	return l->world;
}

bool link_is_up(const struct link *l)
{
	return l->up;
}

bool link_is_waiting(const struct link *l)
{
	return l->waiting;
}

/* ---- the end of a connection ----------------------------------------- */

static void on_closed(uv_handle_t *h)
{
	struct conn *c = h->data;

	if (--c->handles == 0)
		free(c);
}

/* The process stays watched until it has ended, so that it leaves no zombie
 * behind. */
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

static void on_retry(uv_timer_t *t)
{
	link_start(t->data);
}

/* Gives the connection up and says why. */
static void go_down(struct link *l, const struct gs_err *why)
{
	if (!l->conn)
		return;
	conn_give_up(l->conn);
	l->conn = NULL;
	l->waiting = false;
	l->up = false;
	l->state = LINK_RETRY;
	world_free(l->world);
	l->world = world_new();
	(void)uv_timer_start(&l->timer, on_retry, l->backoff_ms, 0);
	l->backoff_ms = GS_MIN(l->backoff_ms * 2, BACKOFF_MAX_MS);
	l->ops.down(l->ops.arg, l, why);
}

/* The last line that the carrier said, made safe to show. */
static void last_line(const struct link *l, struct buf *out)
{
	size_t end = l->words.len, at;

	while (end > 0 && l->words.ptr[end - 1] == '\n')
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
		(void)gs_fail(err, GS_E_GONE, "agent on %s: %s", l->name,
		    buf_str(&text));
	else if (c->exited && c->term_signal)
		(void)gs_fail(err, GS_E_GONE,
		    "agent on %s: killed by signal %d", l->name,
		    c->term_signal);
	else if (c->exited)
		(void)gs_fail(err, GS_E_GONE,
		    "agent on %s: ended with exit status %lld", l->name,
		    (long long)c->exit_status);
	else
		(void)gs_fail(err, GS_E_GONE, "agent on %s: closed its output",
		    l->name);
	buf_release(&text);
}

static void on_last_words(uv_timer_t *t)
{
	struct link *l = t->data;
	struct gs_err err;

	describe_end(l, &err);
	go_down(l, &err);
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

static int check_answer(const struct link *l, const struct answer *a,
	struct gs_err *err)
{
	if (a->has_hello && a->hello.protocol != WIRE_PROTOCOL)
		return gs_fail(err, GS_E_VERSION,
		    "speaks protocol %u, need %u: install the same version",
		    a->hello.protocol, WIRE_PROTOCOL);
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
	int r = wire_get_answer(l->codec, p, len, &l->answer, err);

	if (r == 0)
		r = check_answer(l, &l->answer, err);
	if (r < 0)
		return r;
	complete(l, &l->answer.tick);
	r = world_apply(l->world, &l->answer.tick, err);
	if (r < 0)
		return r;
	l->waiting = false;
	l->up = true;
	l->state = LINK_SAMPLING;
	l->backoff_ms = BACKOFF_MIN_MS;
	l->ops.answered(l->ops.arg, l, &l->answer.tick);
	return 0;
}

static void fail(struct link *l, struct gs_err *err)
{
	gs_err_prefix(err, "agent on %s", l->name);
	go_down(l, err);
}

/* Takes whole messages from the front of what has come. */
static void take_messages(struct link *l)
{
	struct conn *c = l->conn;
	struct gs_err err;
	size_t at = 0;
	int64_t n;

	/* A callback may have ended the connection. */
	while (l->conn == c) {
		n = wire_message_len(l->rx.ptr + at, l->rx.len - at, &err);
		if (n == 0)
			break;
		if (n < 0 || take_answer(l, l->rx.ptr + at, (size_t)n, &err) <
			0) {
			fail(l, &err);
			return;
		}
		at += (size_t)n;
	}
	if (l->conn != c)
		return;
	if (at > 0 && at < l->rx.len)
		memmove(l->rx.ptr, l->rx.ptr + at, l->rx.len - at);
	l->rx.len -= at;
}

/* ---- pipes ----------------------------------------------------------- */

static void on_alloc_out(uv_handle_t *h, size_t hint, uv_buf_t *ret)
{
	struct conn *c = h->data;

	(void)hint;
	if (!c->link) {
		*ret = uv_buf_init(NULL, 0);
		return;
	}
	*ret = uv_buf_init(buf_reserve(&c->link->rx, READ_BYTES), READ_BYTES);
}

static void on_read_out(uv_stream_t *s, ssize_t n, const uv_buf_t *b)
{
	struct conn *c = s->data;

	(void)b;
	if (!c->link || n == 0)
		return;
	if (n < 0) {
		c->out_ended = true;
		(void)uv_read_stop(s);
		note_end(c);
		return;
	}
	c->link->rx.len += (size_t)n;
	take_messages(c->link);
}

static void on_alloc_err(uv_handle_t *h, size_t hint, uv_buf_t *ret)
{
	struct conn *c = h->data;
	struct link *l = c->link;

	(void)hint;
	if (!l) {
		*ret = uv_buf_init(NULL, 0);
		return;
	}
	/* The older half goes when it is full. */
	if (l->words.len >= STDERR_KEPT) {
		memmove(l->words.ptr, l->words.ptr + STDERR_KEPT / 2,
		    l->words.len - STDERR_KEPT / 2);
		l->words.len -= STDERR_KEPT / 2;
	}
	*ret = uv_buf_init(buf_reserve(&l->words, STDERR_KEPT), STDERR_KEPT);
	ret->len = STDERR_KEPT - l->words.len;
}

static void on_read_err(uv_stream_t *s, ssize_t n, const uv_buf_t *b)
{
	struct conn *c = s->data;

	(void)b;
	if (!c->link || n == 0)
		return;
	if (n < 0) {
		c->err_ended = true;
		(void)uv_read_stop(s);
		note_end(c);
		return;
	}
	c->link->words.len += (size_t)n;
}

static void on_written(uv_write_t *req, int status)
{
	/* A broken pipe shows as the end of its output, too. */
	(void)req;
	(void)status;
}

/* ---- starting -------------------------------------------------------- */

static struct conn *conn_new(struct link *l)
{
	struct conn *c = gs_calloc(1, sizeof(*c));
	int i;

	c->link = c->owner = l;
	for (i = 0; i < PIPE_COUNT; i++) {
		(void)uv_pipe_init(l->loop, &c->pipe[i], 0); /* can't fail */
		c->pipe[i].data = c;
	}
	c->handles = PIPE_COUNT + 1;
	return c;
}

static int spawn(struct link *l, struct conn *c)
{
	uv_stdio_container_t io[PIPE_COUNT] = {
		{ .flags = UV_CREATE_PIPE | UV_READABLE_PIPE },
		{ .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE },
		{ .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE },
	};
	/* A session of its own: an interrupt at the terminal is for us; the
	 * agent ends when its input does. */
	uv_process_options_t opt = { .exit_cb = on_ended,
		.file = l->argv[0],
		.args = (char **)(uintptr_t)l->argv,
		.flags = UV_PROCESS_DETACHED,
		.stdio = io,
		.stdio_count = PIPE_COUNT };
	int i;

	for (i = 0; i < PIPE_COUNT; i++)
		io[i].data.stream = (uv_stream_t *)&c->pipe[i];
	i = uv_spawn(l->loop, &c->proc, &opt);
	c->proc.data = c;
	c->spawned = i == 0;
	return i;
}

static void on_spawn_failed(uv_timer_t *t)
{
	struct link *l = t->data;
	struct gs_err err;

	(void)gs_fail_errno(&err, (int)-l->conn->exit_status, "%s",
	    l->argv[0]);
	fail(l, &err);
}

void link_start(struct link *l)
{
	struct conn *c = conn_new(l);
	int r;

	l->conn = c;
	l->state = LINK_CONNECTING;
	l->connections++;
	l->sequence = 0;
	buf_reset(&l->rx);
	buf_reset(&l->words);
	r = spawn(l, c);
	if (r == 0)
		r = uv_read_start((uv_stream_t *)&c->pipe[PIPE_OUT],
		    on_alloc_out, on_read_out);
	if (r == 0)
		r = uv_read_start((uv_stream_t *)&c->pipe[PIPE_ERR],
		    on_alloc_err, on_read_err);
	if (r == 0)
		return;
	c->exit_status = r;
	(void)uv_timer_start(&l->timer, on_spawn_failed, 0, 0);
}

bool link_request(struct link *l, uint32_t with, uint32_t busiest)
{
	struct request req = { .sequence = l->sequence + 1, .with = with,
		.busiest = busiest };
	struct gs_err err;
	uv_buf_t b;

	if (!l->conn || !l->conn->spawned || l->conn->out_ended)
		return false;
	if (l->waiting) {
		if (gs_clock_mono_ns() - l->sent_mono_ns >
		    LINK_SILENCE_MAX_NS) {
			(void)gs_fail(&err, GS_E_GONE,
			    "agent on %s: no answer for %d s", l->name,
			    (int)(LINK_SILENCE_MAX_NS / GS_NSEC_PER_SEC));
			go_down(l, &err);
			return false;
		}
		l->state = LINK_LATE;
		return false;
	}
	buf_reset(&l->tx);
	wire_put_request(l->codec, &req, &l->tx);
	l->sequence++;
	l->waiting = true;
	l->sent_wall_ns = gs_clock_wall_ns();
	l->sent_mono_ns = gs_clock_mono_ns();
	b = uv_buf_init(l->tx.ptr, (unsigned)l->tx.len);
	(void)uv_write(&l->conn->write,
	    (uv_stream_t *)&l->conn->pipe[PIPE_IN], &b, 1, on_written);
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

	if (l->conn) {
		conn_give_up(l->conn);
		l->conn = NULL;
	}
	for (c = l->dying; c; c = c->next_dying)
		uv_close((uv_handle_t *)&c->proc, on_closed);
	l->dying = NULL;
	l->state = LINK_IDLE;
	l->waiting = false;
	if (l->timer_open) {
		l->timer_open = false;
		uv_close((uv_handle_t *)&l->timer, on_timer_closed);
	}
}
