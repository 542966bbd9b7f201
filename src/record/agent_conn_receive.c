/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_conn_receive.c - parses the output of the other side: a greeting,
 * answers.
 *
 * The input is not trusted.  Any error ends the connection.
 */
#include "record/agent_conn_int.h"

#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "record/host_limits.h"

/* The buffer of an incomplete answer keeps so much; more is freed. */
#define REST_KEPT (size_t)16384
#define WORDS_KEPT (size_t)2048

void agent_conn_keep_words(struct agent_conn *l, const char *p, size_t len)
{
	if (len > WORDS_KEPT) {
		p += len - WORDS_KEPT;
		len = WORDS_KEPT;
	}
	/* The older half is dropped when it is full. */
	if (l->words.len + len > 2 * WORDS_KEPT) {
		memmove(l->words.ptr, l->words.ptr + l->words.len -
			WORDS_KEPT, WORDS_KEPT);
		l->words.len = WORDS_KEPT;
	}
	buf_add(&l->words, p, len);
}

/* ---- answers --------------------------------------------------------- */

/* Data must have left our queue before the other side can have read it: a peer
 * that goes on while data is queued here does not read. */
static int check_reading(const struct agent_conn *l, struct gs_err *err)
{
	size_t n = uv_stream_get_write_queue_size(
	    (const uv_stream_t *)&l->conn->pipe[PIPE_IN]);

	if (n == 0)
		return 0;
	return gs_fail(err, GS_E_PROTOCOL,
	    "does not read: went on with %zu bytes of ours unread", n);
}

static int check_answer(struct agent_conn *l, const struct answer *a,
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
	if (a->has_hello && l->up)
		return gs_fail(err, GS_E_PROTOCOL, "introduced itself twice");
	if (!l->waiting || a->tick.n_block != 1)
		return gs_fail(err, GS_E_PROTOCOL,
		    "answered, but was not asked");
	if (a->tick.block[0]->clock.sequence != l->sequence)
		return gs_fail(err, GS_E_PROTOCOL,
		    "answered request %llu, wanted %llu",
		    (unsigned long long)a->tick.block[0]->clock.sequence,
		    (unsigned long long)l->sequence);
	return 0;
}

/* Fills what only this side knows about the sample. */
static void complete(const struct agent_conn *l, struct tick *t)
{
	struct sample_clock *c = &t->block[0]->clock;

	t->block[0]->host = 0;
	c->connection = l->connections;
	c->rtt_ns = gs_clock_mono_ns() - l->sent_mono_ns;
	c->offset_ns = l->pool->ignores_offset
	    ? 0 : c->wall_ns - (l->sent_wall_ns + c->rtt_ns / 2);
	t->seq = c->sequence;
	t->wall_ns = c->wall_ns;
}

/* Within a connection both clocks only advance. */
static int check_clocks(const struct agent_conn *l, const struct tick *t,
	struct gs_err *err)
{
	const struct sample_clock *was, *now = &t->block[0]->clock;

	if (!l->up || l->pool->ignores_offset)
		return 0;
	was = &world_host(l->world, 0)->clock;
	if (now->mono_ns >= was->mono_ns && now->boot_ns >= was->boot_ns)
		return 0;
	return gs_fail(err, GS_E_PROTOCOL,
	    "its monotonic clock went back");
}

/* Limits new rows, per answer and per second. */
static int check_opens(struct agent_conn *l, const struct tick *t,
	struct gs_err *err)
{
	size_t n = 0;
	int e;

	for (e = 0; e < ENTITY_COUNT; e++)
		n += t->block[0]->ent[e].n_opened;
	if (allowance_spend(&l->opens, (double)n, gs_clock_mono_ns()))
		return 0;
	return gs_fail(err, GS_E_LIMIT,
	    "%zu more new rows: %.0f a second are recorded", n,
	    HOST_OPENS_PER_S);
}

/* The host's own row comes once, and no connection outlives a boot, except in a
 * captured tree. */
static int check_facts(const struct agent_conn *l, struct gs_err *err)
{
	const struct host *h = world_host(l->world, 0);

	if (h->table[ENTITY_HOST].n_live > 1)
		return gs_fail(err, GS_E_PROTOCOL, "%zu hosts in one answer",
		    h->table[ENTITY_HOST].n_live);
	if (h->boot_ids > 1 && !l->pool->ignores_offset)
		return gs_fail(err, GS_E_PROTOCOL,
		    "its boot id changed within a connection");
	return 0;
}

static int check(
    struct agent_conn *l, const struct answer *a, struct gs_err *err)
{
	int r = check_answer(l, a, err);

	if (r == 0)
		r = check_reading(l, err);
	if (r == 0)
		r = check_clocks(l, &a->tick, err);
	if (r == 0)
		r = check_opens(l, &a->tick, err);
	return r;
}

static int apply(struct agent_conn *l, const struct tick *t, struct gs_err *err)
{
	int r;

	world_stay_awake(l->world, HOSTS_AWAKE_BYTES / l->pool->n_link);
	r = world_apply(l->world, t, err);
	if (r == 0)
		r = check_facts(l, err);
	if (r == 0)
		r = agent_conn_count(l, err);
	return r;
}

static int receive_answer(struct agent_conn *l, const void *p, size_t len,
	struct gs_err *err)
{
	struct answer *a = &l->pool->answer;
	int r = wire_get_answer(l->pool->codec, p, len, a, err);

	if (r == 0)
		r = check(l, a, err);
	if (r < 0)
		return r;
	allowance_charge(&l->reading, (double)a->tick.bytes.len *
	    HOST_READ_TEXT_EXTRA, gs_clock_mono_ns());
	complete(l, &a->tick);
	r = apply(l, &a->tick, err);
	if (r < 0)
		return r;
	l->waiting = false;
	l->up = true;
	l->ops.answered(l->ops.arg, &a->tick);
	return 0;
}

/* Parses whole messages at the front of the len bytes at p.  *ret_used:
 * their length, if the connection still exists. */
static int parse_messages(struct agent_conn *l, const char *p, size_t len,
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
		          : receive_answer(l, p + at, (size_t)n, err);
		if (r < 0)
			return r;
		at += (size_t)n;
	}
	*ret_used = at;
	return 0;
}

/* Sends the program: once, and after the script was read. */
static int send_image(struct agent_conn *l, struct span machine,
	struct gs_err *err)
{
	struct conn *c = l->conn;
	const char *image;
	uv_buf_t b;
	size_t len;

	if (!deploy_image(l->deploy, machine, &image, &len))
		return gs_fail(err, GS_E_PROTOCOL,
		    "asked for the agent program of no machine");
	if (c->has_image)
		return gs_fail(err, GS_E_PROTOCOL,
		    "asked for the agent program twice");
	if (check_reading(l, err) < 0)
		return GS_E_PROTOCOL;
	c->has_image = true;
	b = uv_buf_init((char *)(uintptr_t)image, (unsigned)len);
	/* A broken pipe shows as the end of its output, too. */
	(void)uv_write(&c->image_write, (uv_stream_t *)&c->pipe[PIPE_IN], &b,
	    1, NULL);
	return 0;
}

/* Skips output before the protocol begins.  *ret_used: bytes that are done
 * with. */
static int parse_greeting(struct agent_conn *l, const char *p, size_t len,
	size_t *ret_used, struct gs_err *err)
{
	size_t at = 0, used = 0, noise = 0;
	enum deploy_step step;

	while (!l->ready) {
		step = deploy_parse(l->deploy, p + at, len - at, &used, &noise,
		    err);
		if (step == DEPLOY_WAIT)
			break;
		agent_conn_keep_words(l, p + at, noise);
		if (step == DEPLOY_FAILED)
			return err->status;
		at += used;
		if (step == DEPLOY_SEND && send_image(l, deploy_machine(
			p + at - used, used), err) < 0)
			return GS_E_PROTOCOL;
		if (step == DEPLOY_READY && check_reading(l, err) < 0)
			return GS_E_PROTOCOL;
		l->ready = step == DEPLOY_READY;
	}
	*ret_used = at;
	return 0;
}

/* A remote command of LINK_DIRECT may send a mark all the same, after a
 * greeting; without one an answer is at the front. */
static int parse_first(struct agent_conn *l, const char *p, size_t len,
	size_t *ret_used, struct gs_err *err)
{
	const struct conn *c = l->conn;
	size_t noise = 0, at = 0;
	int r;

	/* Limited to the size of a greeting: it is searched at each read. */
	if (deploy_parse(NULL, p, GS_MIN(len, DEPLOY_NOISE_MAX), &at, &noise,
		err) == DEPLOY_READY)
		agent_conn_keep_words(l, p, noise);
	else
		at = 0;
	r = parse_messages(l, p + at, len - at, ret_used, err);
	*ret_used += at;
	if (l->conn == c && r == GS_E_PROTOCOL && at == 0 &&
	    len <= DEPLOY_NOISE_MAX) {
		*ret_used = 0;
		r = 0;
	}
	return r;
}

/* Parses in any state; *ret_used: bytes parsed. */
static int parse(struct agent_conn *l, const char *p, size_t len,
    size_t *ret_used, struct gs_err *err)
{
	const struct conn *c = l->conn;
	size_t used = 0;
	int r;

	*ret_used = 0;
	if (!l->ready) {
		r = parse_greeting(l, p, len, ret_used, err);
		if (r == 0 && l->ready)
			l->ops.ready(l->ops.arg);
		if (r < 0 || l->conn != c || !l->ready)
			return r;
	}
	p += *ret_used;
	len -= *ret_used;
	if (l->way == LINK_DIRECT && !l->up)
		r = parse_first(l, p, len, &used, err);
	else
		r = parse_messages(l, p, len, &used, err);
	*ret_used += used;
	return r;
}

/* Keeps the rest of len bytes at p, which are the end of rx if kept. */
static void keep_rest(
    struct agent_conn *l, bool kept, const char *p, size_t len)
{
	struct buf *rx = &l->rx;

	if (!kept)
		buf_add(rx, p, len);
	else if (p != rx->ptr)
		memmove(rx->ptr, p, len);
	rx->len = len;
	l->pool->in_part |= len > 0;
	if (len == 0 && rx->cap > REST_KEPT)
		buf_release(rx);
}

int agent_conn_receive(struct agent_conn *l, const char *p, size_t len,
	struct gs_err *err)
{
	const struct conn *c = l->conn;
	size_t used;
	bool kept = l->rx.len > 0;
	int r;

	if (kept) {
		buf_add(&l->rx, p, len);
		p = l->rx.ptr;
		len = l->rx.len;
	}
	r = parse(l, p, len, &used, err);
	if (l->conn != c)
		return 0;
	if (r < 0)
		return r;
	keep_rest(l, kept, p + used, len - used);
	return agent_conn_count(l, err);
}
